package report

import (
	"bufio"
	"fmt"
	"io"

	"gpupipe/idg"
	"gpupipe/internal/sheet"
	"gpupipe/simulate/finding"
)

// Advice is the advice as JSON.
type Advice struct {
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

func (p *Prediction) Advice() *Advice {
	doc := &Advice{
		Format: "pipesim-advice", Version: 1, Kernel: p.Graph.Kernel, Device: p.Mapping.Device.Name,
		Seconds: p.Result.Seconds, Findings: []findingDocument{},
	}
	for _, f := range p.Findings {
		doc.Findings = append(doc.Findings, findingDocument{f.Code, f.Pos.File, f.Pos.Line, f.Pos.Column, f.What, f.Proof, f.Remedy, f.Seconds, f.Saved})
	}
	return doc
}

// writeAdvice writes the findings for people.
func (p *Prediction) writeAdvice(w io.Writer, v *View, first bool) error {
	t := &textReport{Prediction: p, Layout: v.Layout, Writer: bufio.NewWriter(w)}
	if !first {
		fmt.Fprintln(t)
	}
	fmt.Fprintf(t, "%s on %s: %s\n", v.Style.Bold(p.Graph.Kernel), v.Style.Bold(p.Mapping.Device.Title), TimeText(p.Result))
	if len(p.Findings) == 0 {
		fmt.Fprintln(t, NothingFound)
	}
	for i := range p.Findings {
		fmt.Fprintln(t)
		t.writeFinding(&p.Findings[i], "")
	}
	return t.Flush()
}

// NothingFound is said where there is no finding.
const NothingFound = "nothing found that would save 1% of the time or more"

// Saving says what a finding saves.
func Saving(f *finding.Finding) string {
	return fmt.Sprintf("saves up to %s (%s left)", sheet.Percent(f.Saved), sheet.Duration(f.Seconds))
}

// writeFindings writes the findings of a report, if any were looked for.
func (t *textReport) writeFindings(most int) {
	if most == 0 {
		return
	}
	fmt.Fprintln(t)
	if len(t.Findings) == 0 {
		fmt.Fprintln(t, "  "+NothingFound)
	}
	shown := t.Findings[:min(most, len(t.Findings))]
	for i := range shown {
		t.writeFinding(&shown[i], "  ")
	}
	if rest := len(t.Findings) - len(shown); rest > 0 {
		fmt.Fprintf(t, "  %s\n", t.Style.Dim(fmt.Sprintf("%d more: pipesim advise", rest)))
	}
}

// writeFinding writes what is wrong and what that costs, the line, the proof and the remedy.
func (t *textReport) writeFinding(f *finding.Finding, indent string) {
	for _, text := range sheet.Wrap(Saving(f)+": "+f.What, t.Width-len(indent)) {
		fmt.Fprintln(t, indent+t.Style.Bold(text))
	}
	for _, text := range t.caret(f.Pos, t.Width-len(indent)-2) {
		fmt.Fprintln(t, indent+"  "+text)
	}
	for _, part := range []string{f.Proof, f.Remedy + " [" + f.Code + "]"} {
		for i, text := range sheet.Wrap(part, t.Width-len(indent)-4) {
			mark := "- "
			if i > 0 {
				mark = "  "
			}
			fmt.Fprintln(t, indent+"  "+mark+text)
		}
	}
}

// caret is a source line with a mark below a position; nil where the graph does not hold it.
func (p *Prediction) caret(pos idg.Pos, width int) []string {
	text := p.sourceLine(pos)
	if text == "" {
		return nil
	}
	head := fmt.Sprintf("%d | ", pos.Line)
	lines := []string{sheet.Clip(head+text, width)}
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
