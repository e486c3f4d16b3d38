package main

import (
	"context"
	"fmt"
	"io"

	"gpupipe/cmd/internal/console"
	"gpupipe/internal/page"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"
)

// mostTimeline bounds the issues of a page's timeline: a browser draws them all.
const mostTimeline = 250_000

// pageOptions is the command line of "pipesim report".
type pageOptions struct {
	runOptions
	page page.Options
}

func newReport(c *console.Console) *cobra.Command {
	o := &pageOptions{page: page.Options{Findings: defaultFindings, Issues: page.MaxIssues}}
	cmd := &cobra.Command{
		Use:   "report [flags] [IDG|-]",
		Short: "Write a page that shows a run in a browser",
		Long: `Predicts a kernel as "pipesim run" does and writes a page (HTML) for a browser:
time and findings, the source with the share of each cause in the time of each
line, what each warp and each pipeline does in the first cycles, the rooflines,
and the dependences of an iteration with the longest chain. The page is one file
and loads nothing; of several graphs it shows the one that is chosen.`,
		Example: `  idgen kernel.cl | pipesim report -o report.html
  pipesim report graph.json --gpu rtx3090 -o report.html`,
		Args: console.AtMostOne("graph"),
		RunE: func(cmd *cobra.Command, args []string) error {
			o.input = inputOf(args)
			if (o.output == "" || o.output == console.StandardStream) && console.IsTerminal(c.Stdout) {
				return console.UsageOf(cmd, "a page is for a browser: name a file with -o report.html")
			}
			return o.run(cmd.Context(), c)
		},
	}
	o.defineSimulation(cmd)
	console.Section(cmd, "Report", func(f *pflag.FlagSet) {
		f.Var(&console.Parsed[int]{Into: &o.page.Issues, Parse: console.ParseBetween(1, mostTimeline), Kind: "N"},
			"timeline-issues",
			fmt.Sprintf("show the first N issues of the run in the timeline (default %d): about 20 bytes each",
				page.MaxIssues))
		outputFlag(f, &o.output)
	})
	return cmd
}

// run predicts graphs and writes a page for them.
func (o *pageOptions) run(ctx context.Context, c *console.Console) error {
	o.find = true
	all, err := o.predictAll(ctx, c)
	if err != nil {
		return err
	}
	runs := make([]*page.Data, len(all))
	for i, p := range all {
		if runs[i], err = page.New(ctx, p, o.page); err != nil {
			return err
		}
	}
	return c.Emit(o.output, func(w io.Writer) error { return page.WriteHTML(console.Raw(w), runs...) })
}
