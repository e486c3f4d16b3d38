package main

import (
	"cmp"
	"context"
	"slices"

	"gpupipe/cmd/internal/console"
	"gpupipe/internal/report"
	"gpupipe/internal/sheet"
	"gpupipe/simulate"
	"gpupipe/simulate/remedy"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"
)

func newWhatIf(c *console.Console) *cobra.Command {
	o := &runOptions{format: report.Text}
	cmd := &cobra.Command{
		Use:   "whatif [flags] IDG|- REMEDY...",
		Short: "Predict what given changes of a kernel would save",
		Long: `Simulates the kernel with each remedy applied to the model, and with all of
them. A remedy is SELECTOR: KIND. The selector is a line ("line 36") or one as
in --set (pipesim run --help-all explains rules): NAME(BUFFER)@FILE:LINE, each
part is optional. Kinds:

` + remedy.Help(),
		Example: `  idgen --builtin transpose-tiled | pipesim whatif - 'local: conflict-free'
  pipesim whatif mmul.json 'line 36: hidden' 'ld.global(A): coalesced'`,
		Args: func(cmd *cobra.Command, args []string) error {
			if len(args) < 2 {
				return console.UsageOf(cmd, "a graph and at least one remedy are needed, as in pipesim whatif "+
					"graph.json 'line 36: coalesced'")
			}
			return nil
		},
		RunE: func(cmd *cobra.Command, args []string) error {
			o.input = args[0]
			var list []remedy.Remedy
			for _, text := range args[1:] {
				r, err := remedy.Parse(text)
				if err != nil {
					return console.UsageOf(cmd, "%v", err)
				}
				list = append(list, r)
			}
			return whatIf(cmd.Context(), c, o, list)
		},
	}
	o.defineSimulation(cmd)
	console.Section(cmd, "Report", func(f *pflag.FlagSet) {
		formatFlag(f, &o.format, "text", report.Text, report.JSON, report.CSV, report.Markdown)
		outputFlag(f, &o.output)
	})
	return cmd
}

// whatIfDocument is the kernel with each remedy, as JSON.
type whatIfDocument struct {
	Format   string        `json:"format"` // "pipesim-whatif"
	Version  int           `json:"version"`
	Kernel   string        `json:"kernel"`
	Device   string        `json:"device"`
	Cycles   report.Number `json:"cycles"`
	Seconds  float64       `json:"seconds"`
	Variants []variant     `json:"variants"`
}

// variant is the kernel with some remedies.
type variant struct {
	Change  string        `json:"change"`
	Cycles  report.Number `json:"cycles"`
	Seconds float64       `json:"seconds"`
	Saved   float64       `json:"saved"` // share of the time
	Bound   string        `json:"bound"`
}

// whatIf simulates the kernel as it is, with each remedy and with all of them.
func whatIf(ctx context.Context, c *console.Console, o *runOptions, list []remedy.Remedy) error {
	s, err := o.read(c, o.input)
	if err != nil {
		return err
	}
	p, err := o.predict(ctx, c, s)
	if err != nil {
		return err
	}
	var each []variant
	add := func(change string, remedies ...remedy.Remedy) error {
		m, err := p.With(remedies...)
		if err != nil {
			return err
		}
		r, err := simulate.Run(ctx, m.Graph, m.Mapping, o.config)
		if err != nil {
			return err
		}
		each = append(each, variant{change, report.Number(r.Cycles), r.Seconds, 1 - r.Seconds/p.Result.Seconds,
			r.Bound.Kind})
		return nil
	}
	for _, r := range list {
		if err := add(r.String(), r); err != nil {
			return err
		}
	}
	slices.SortStableFunc(each, func(a, b variant) int { return cmp.Compare(b.Saved, a.Saved) })
	if len(list) > 1 {
		if err := add("all of them", list...); err != nil {
			return err
		}
	}
	r := &results{
		document: whatIfDocument{"pipesim-whatif", 1, p.Graph.Kernel, p.Mapping.Device.Name,
			report.Number(p.Result.Cycles), p.Result.Seconds, each},
		records: sheet.RecordsOf(each),
		sheet:   whatIfSheet(p, each),
	}
	return r.emit(c, o.output, o.format)
}

// whatIfSheet lists the remedies, the best first.
func whatIfSheet(p *report.Prediction, each []variant) sheet.Sheet {
	s := sheet.Section{Columns: sheet.ColumnsOf("change", "time", "saved", "then bound by<")}
	for _, v := range each {
		s.Add(v.Change, sheet.Duration(v.Seconds), sheet.Percent(v.Saved), v.Bound)
	}
	return sheet.Sheet{{Title: p.Title() + ": " + report.TimeText(p.Result)}, s}
}
