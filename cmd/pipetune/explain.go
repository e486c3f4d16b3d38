package main

import (
	"context"
	"io"

	"gpupipe/cmd/internal/console"
	"gpupipe/internal/difference"
	"gpupipe/internal/report"
	"gpupipe/internal/sheet"
	"gpupipe/internal/tune"
	"gpupipe/simulate/sweep"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"
)

// explainOptions is the command line of "pipetune explain".
type explainOptions struct {
	options
	a, b   string
	format report.Format
}

func newExplain(c *console.Console) *cobra.Command {
	o := &explainOptions{options: newOptions(), format: report.Text}
	cmd := &cobra.Command{
		Use:   "explain [flags] FILE|- A B",
		Short: "Say what makes the difference between two variants",
		Long: `Predicts two variants and says what the difference of their times is spent on,
and in which lines. A and B are the parameters of a variant, as in
'BX=16 TX=2' or 'BX=16 gpu=a100'; --param gives those that both have.`,
		Example: `  pipetune explain blur.cu 'BX=32 TX=1' 'BX=32 TX=4' --local BX --grid '1024 / (BX * TX)'`,
		Args:    cobra.ArbitraryArgs,
		RunE: func(cmd *cobra.Command, args []string) error {
			n := len(args) - 2
			if n < 0 || n == 0 && o.builtin == "" {
				return console.UsageOf(cmd,
					"a source and two variants are needed, as in blur.cu 'BX=16 TX=2' 'BX=32 TX=2'")
			}
			o.a, o.b = args[n], args[n+1]
			if err := o.checkSource(cmd, args[:n]); err != nil {
				return err
			}
			return o.run(cmd.Context(), c)
		},
	}
	o.defineShared(cmd, func(*pflag.FlagSet) {})
	console.Section(cmd, "Output", func(f *pflag.FlagSet) {
		f.Var(&console.Parsed[report.Format]{Into: &o.format, Kind: "FORMAT",
			Values: []string{"text", "json", "markdown"},
			Parse:  parseReport}, "format", "text, json or markdown (default text)")
		f.StringVarP(&o.output, "output", "o", "", "write to `FILE` instead of standard output")
	})
	return cmd
}

// run predicts both variants and writes what differs.
func (o *explainOptions) run(ctx context.Context, c *console.Console) error {
	a, err := tune.ParsePoint(o.a)
	if err != nil {
		return console.Usagef("%s: %v", o.a, err)
	}
	b, err := tune.ParsePoint(o.b)
	if err != nil {
		return console.Usagef("%s: %v", o.b, err)
	}
	s, err := tune.Pair(a, b, append(o.targets(), o.params...))
	if err != nil {
		return err
	}
	r, err := o.recipe(c, s)
	if err != nil {
		return err
	}
	p, err := tune.NewPlan(ctx, s, r, sweep.Shard{}, 1)
	if err != nil {
		return err
	}
	var results []*difference.Outcome
	for _, number := range s.Listed {
		d, err := p.Document(ctx, p.Index(number))
		if err != nil {
			return err
		}
		results = append(results, difference.New(d, o.input))
	}
	d, err := difference.Compare(results[:1], results[1:])
	if err != nil {
		return err
	}
	return c.Emit(o.output, func(w io.Writer) error {
		if o.format == report.JSON {
			return console.WriteJSON(w, d)
		}
		all := append(sheet.Sheet{{About: []string{"A: " + o.a, "B: " + o.b}}}, d.Sheet("A", "B")...)
		return report.WriteSheet(w, o.format, all, c.Layout(o.output), true)
	})
}
