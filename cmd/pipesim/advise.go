package main

import (
	"context"
	"io"

	"gpupipe/cmd/internal/console"
	"gpupipe/internal/report"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"
)

func newAdvise(c *console.Console) *cobra.Command {
	o := &runOptions{format: report.Text, find: true}
	cmd := &cobra.Command{
		Use:   "advise [flags] [IDG|-]",
		Short: "List what to change in a kernel, and what each change would save",
		Long: `Simulates the kernel as it is and then with each remedy: the changed code where
idgen compiles it (restrict, fast math, swapped axes, ...), else the same code
with accesses coalesced or free of bank conflicts, one more group resident, ...
Then the saving is an upper bound: the cost of the change is not in it. Remedies
that save less than 1% of the time are left out, or named in the last line.`,
		Example: `  idgen kernel.cu --gpu rtx3090 | pipesim advise
  idgen --builtin transpose-tiled | pipesim advise --format json
  idgen --all kernels.cu | pipesim advise --format sarif -o pipesim.sarif`,
		Args: console.AtMostOne("graph"),
		RunE: func(cmd *cobra.Command, args []string) error {
			o.input = inputOf(args)
			return advise(cmd.Context(), c, o)
		},
	}
	o.defineSimulation(cmd)
	console.Section(cmd, "Report", func(f *pflag.FlagSet) {
		formatFlag(f, &o.format, "text", report.Text, report.JSON, report.Markdown, report.SARIF)
		outputFlag(f, &o.output)
	})
	return cmd
}

// advise finds what to change and writes it.
func advise(ctx context.Context, c *console.Console, o *runOptions) error {
	all, err := o.predictAll(ctx, c)
	if err != nil {
		return err
	}
	return c.Emit(o.output, func(w io.Writer) error {
		o.view.Layout = c.Layout(o.output)
		return report.WriteAdvice(product(w, o.format), o.format, all, &o.view)
	})
}
