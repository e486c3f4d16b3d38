package main

import (
	"bufio"
	"context"
	"fmt"
	"io"

	"gpupipe/cmd/internal/console"
	"gpupipe/idg"
	"gpupipe/simulate/finding"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"
)

func newAdvise(c *console.Console) *cobra.Command {
	o := &runOptions{format: formatText}
	cmd := &cobra.Command{
		Use:   "advise [flags] [IDG|-]",
		Short: "List what to change in a kernel, and what each change would save",
		Long: `Simulates the kernel as it is and then with each remedy applied to the model:
accesses coalesced or free of bank conflicts, loops without their own
instructions, one more group resident, ... A remedy that saves less than 1% of
the time is left out. A saving is an upper bound: the cost of the change itself
is not in it.`,
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
		formatFlag(f, &o.format, "text", formatText, formatJSON, formatSARIF)
		outputFlag(f, &o.output)
	})
	return cmd
}

// advise finds what to change and writes it.
func advise(ctx context.Context, c *console.Console, o *runOptions) error {
	all, err := o.predictions(ctx, c, true)
	if err != nil {
		return err
	}
	return c.Emit(o.output, func(w io.Writer) error {
		if o.format == formatSARIF {
			return writeSARIF(w, all)
		}
		for i, p := range all {
			switch {
			case o.format == formatJSON:
				err = console.WriteJSON(w, p.adviceDocument())
			default:
				err = p.writeAdvice(w, newLayout(c, o.output), i == 0)
			}
			if err != nil {
				return err
			}
		}
		return nil
	})
}

// adviceDocument is the advice as JSON.
type adviceDocument struct {
	Format   string            `json:"format"` // "pipesim-advice"
	Version  int               `json:"version"`
	Kernel   string            `json:"kernel"`
	Device   string            `json:"device"`
	Seconds  float64           `json:"seconds"`
	Findings []findingDocument `json:"findings"`
}

type findingDocument struct {
	Code    string  `json:"code"`
	File    string  `json:"file,omitempty"`
	Line    int     `json:"line,omitempty"`
	Column  int     `json:"column,omitempty"`
	What    string  `json:"what"`
	Proof   string  `json:"proof"`
	Remedy  string  `json:"remedy"`
	Seconds float64 `json:"seconds"` // with the remedy
	Saved   float64 `json:"saved"`   // share of the time
}

func (p *prediction) adviceDocument() *adviceDocument {
	doc := &adviceDocument{
		Format: "pipesim-advice", Version: 1, Kernel: p.graph.Kernel, Device: p.mapping.Device.Name,
		Seconds: p.result.Seconds, Findings: []findingDocument{},
	}
	for _, f := range p.findings {
		doc.Findings = append(doc.Findings, findingDocument{f.Code, f.Pos.File, f.Pos.Line, f.Pos.Column, f.What, f.Proof, f.Remedy, f.Seconds, f.Saved})
	}
	return doc
}

// writeAdvice writes the findings for people.
func (p *prediction) writeAdvice(w io.Writer, l layout, first bool) error {
	t := &textReport{prediction: p, layout: l, Writer: bufio.NewWriter(w)}
	if !first {
		fmt.Fprintln(t)
	}
	fmt.Fprintf(t, "%s on %s: %s\n", l.style.Bold(p.graph.Kernel), l.style.Bold(p.mapping.Device.Title), timeText(p.result))
	if len(p.findings) == 0 {
		fmt.Fprintln(t, nothingFound)
	}
	for i := range p.findings {
		fmt.Fprintln(t)
		t.writeFinding(&p.findings[i], "")
	}
	return t.Flush()
}

const nothingFound = "nothing found that would save 1% of the time or more"

// writeFindings writes the findings of a report, if any were looked for.
func (t *textReport) writeFindings(most int) {
	if most == 0 {
		return
	}
	fmt.Fprintln(t)
	if len(t.findings) == 0 {
		fmt.Fprintln(t, "  "+nothingFound)
	}
	shown := t.findings[:min(most, len(t.findings))]
	for i := range shown {
		t.writeFinding(&shown[i], "  ")
	}
	if rest := len(t.findings) - len(shown); rest > 0 {
		fmt.Fprintf(t, "  %s\n", t.style.Dim(fmt.Sprintf("%d more: pipesim advise", rest)))
	}
}

// writeFinding writes what is wrong and what that costs, the line, the proof and the remedy.
func (t *textReport) writeFinding(f *finding.Finding, indent string) {
	head := fmt.Sprintf("saves up to %s (%s left): %s", percent(f.Saved), duration(f.Seconds), f.What)
	for _, text := range console.Wrap(head, t.width-len(indent)) {
		fmt.Fprintln(t, indent+t.style.Bold(text))
	}
	for _, text := range t.caret(f.Pos, t.width-len(indent)-2) {
		fmt.Fprintln(t, indent+"  "+text)
	}
	for _, part := range []string{f.Proof, f.Remedy + " [" + f.Code + "]"} {
		for i, text := range console.Wrap(part, t.width-len(indent)-4) {
			mark := "- "
			if i > 0 {
				mark = "  "
			}
			fmt.Fprintln(t, indent+"  "+mark+text)
		}
	}
}

// caret is a source line with a mark below a position; nil where the graph does not hold it.
func (p *prediction) caret(pos idg.Pos, width int) []string {
	text := p.sourceLine(pos)
	if text == "" {
		return nil
	}
	head := fmt.Sprintf("%d | ", pos.Line)
	lines := []string{clip(head+text, width)}
	indent := 0
	for _, r := range p.lines[pos.Line-1] {
		if r != ' ' && r != '\t' {
			break
		}
		indent++
	}
	if at := pos.Column - 1 - indent; pos.Column > 0 && len(head)+at < width {
		lines = append(lines, fmt.Sprintf("%*s^", len(head)+max(0, at), ""))
	}
	return lines
}
