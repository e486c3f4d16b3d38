package main

import (
	"cmp"
	"context"
	"fmt"
	"io"
	"slices"

	"gpupipe/cmd/internal/console"
	"gpupipe/simulate"
	"gpupipe/simulate/remedy"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"
)

func newWhatIf(c *console.Console) *cobra.Command {
	o := &runOptions{format: formatText}
	cmd := &cobra.Command{
		Use:   "whatif [flags] IDG|- REMEDY...",
		Short: "Predict what given changes of a kernel would save",
		Long: `Simulates the kernel with each remedy applied to the model, and with all of
them. A remedy is SELECTOR: KIND. The selector is a line ("line 36") or one as
in --set (pipesim run --help explains rules): NAME(BUFFER)@FILE:LINE, each part
is optional. Kinds:

` + remedy.Help(),
		Example: `  idgen --builtin transpose-tiled | pipesim whatif - 'local: conflict-free'
  pipesim whatif mmul.json 'line 36: hidden' 'ld.global(A): coalesced' 'loop: removed'`,
		Args: func(cmd *cobra.Command, args []string) error {
			if len(args) < 2 {
				return console.UsageOf(cmd, "a graph and at least one remedy are needed, as in pipesim whatif graph.json 'line 36: coalesced'")
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
		formatFlag(f, &o.format, "text", formatText, formatJSON, formatMarkdown)
		outputFlag(f, &o.output)
	})
	return cmd
}

// whatIfDocument is the kernel with each remedy, as JSON.
type whatIfDocument struct {
	Format   string    `json:"format"` // "pipesim-whatif"
	Version  int       `json:"version"`
	Kernel   string    `json:"kernel"`
	Device   string    `json:"device"`
	Cycles   number    `json:"cycles"`
	Seconds  float64   `json:"seconds"`
	Variants []variant `json:"variants"`
}

// variant is the kernel with some remedies.
type variant struct {
	Change  string  `json:"change"`
	Cycles  number  `json:"cycles"`
	Seconds float64 `json:"seconds"`
	Saved   float64 `json:"saved"` // share of the time
	Bound   string  `json:"bound"`
}

// whatIf simulates the kernel as it is, with each remedy and with all of them.
func whatIf(ctx context.Context, c *console.Console, o *runOptions, list []remedy.Remedy) error {
	s, err := o.read(c, o.input)
	if err != nil {
		return err
	}
	p, err := o.prediction(ctx, c, s)
	if err != nil {
		return err
	}
	var each []variant
	add := func(change string, remedies ...remedy.Remedy) error {
		m, err := p.kernel.With(remedies...)
		if err != nil {
			return err
		}
		r, err := simulate.Run(ctx, m.Graph, m.Mapping, o.config)
		if err != nil {
			return err
		}
		each = append(each, variant{change, number(r.Cycles), r.Seconds, 1 - r.Seconds/p.result.Seconds, r.Bound.Kind})
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
	return c.Emit(o.output, func(w io.Writer) error {
		if o.format == formatJSON {
			return console.WriteJSON(w, whatIfDocument{"pipesim-whatif", 1, p.graph.Kernel, p.mapping.Device.Name, number(p.result.Cycles), p.result.Seconds, each})
		}
		return p.whatIfSheet(each).write(w, o.format, newLayout(c, o.output))
	})
}

// whatIfSheet lists the remedies, the best first.
func (p *prediction) whatIfSheet(each []variant) sheet {
	s := section{columns: columnsOf("change", "time", "saved", "then bound by<")}
	for _, v := range each {
		s.add(v.Change, duration(v.Seconds), percent(v.Saved), v.Bound)
	}
	return sheet{{title: fmt.Sprintf("%s on %s: %s", p.graph.Kernel, p.mapping.Device.Title, timeText(p.result))}, s}
}
