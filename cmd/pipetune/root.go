package main

import (
	"gpupipe/cmd/internal/console"
	"gpupipe/cmd/internal/source"
	"gpupipe/internal/generate"
	"gpupipe/unroll"

	"github.com/spf13/cobra"
)

// newOptions are the defaults of a command line.
func newOptions() options {
	return options{format: "text",
		base: generate.Options{DynamicLocal: -1, FS: source.Files{}, Locality: unroll.LaunchLocality}}
}

// newRoot makes the commands of one run.
func newRoot(c *console.Console) *cobra.Command {
	o := newOptions()
	cmd := &cobra.Command{
		Use:   "pipetune [flags] FILE|-",
		Short: "Predict and rank the variants of a GPU kernel",
		Long: `Predicts every variant of an OpenCL or CUDA kernel and ranks them, the fastest
first: with what limits each, and why others cannot run. Parameters are macros
of the source; expressions over them give the launch, arguments, unroll factors,
registers and template arguments. Several devices are the parameter gpu, several
compilers the parameter compiler.`,
		Example: `  pipetune blur.cu --gpu a100 -p BX=16,32,64 -p TX=1..4 --where 'BX * TX <= 128' \
      --local BX --grid 'ceil(4096 / (BX * TX)),4096' --arg n=4096
  pipetune blur.cu ... --measured times.csv     how far to trust the order
  pipetune blur.cu ... --format cache -o c.json replayed by Kernel Tuner
  pipetune blur.cu ... --resume rows.jsonl      continue after an interrupt
  pipetune --space problem.json blur.cu         Kernel Tuner's T1 file
  pipetune explain blur.cu 'BX=16 TX=1' 'BX=64 TX=1' ...`,
		Args: cobra.ArbitraryArgs,
		RunE: func(cmd *cobra.Command, args []string) error {
			if err := o.check(cmd, args); err != nil {
				return err
			}
			return o.rank(cmd.Context(), c)
		},
	}
	o.define(cmd)
	console.Topic(cmd, expressionsTopic)
	cmd.AddCommand(newExplain(c))
	cmd.SetFlagErrorFunc(console.FlagError)
	return cmd
}

// expressionsTopic is the help on expressions.
const expressionsTopic = `Expressions:
  Numbers, texts ('float'), parameters, + - * / % **, // (division rounded down),
  == != < <= > >=, and, or, not, in, C ? A : B, and functions such as ceil, floor,
  min, max and abs. / divides real numbers; sizes must come out whole.`
