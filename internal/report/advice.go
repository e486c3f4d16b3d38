package report

import (
	"fmt"
	"strings"
	"unicode/utf8"

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
		doc.Findings = append(doc.Findings, findingDocument{f.Code, f.Pos.File, f.Pos.Line, f.Pos.Column, f.What,
			f.Proof, f.Remedy, f.Seconds, f.Saved})
	}
	return doc
}

// adviceSheet is the findings for people.
func (p *Prediction) adviceSheet() sheet.Sheet {
	s := sheet.Sheet{{Title: p.Title() + ": " + TimeText(p.Result)}}
	if len(p.Findings) == 0 {
		s[0].Text = []string{NothingFound}
	}
	for i := range p.Findings {
		s = append(s, sheet.Section{Items: []sheet.Item{p.item(&p.Findings[i])}})
	}
	return s
}

// NothingFound is said where there is no finding.
const NothingFound = "nothing found that would save 1% of the time or more"

// Saving says what a finding saves.
func Saving(f *finding.Finding) string {
	return fmt.Sprintf("saves up to %s (%s left)", sheet.Percent(f.Saved), sheet.Duration(f.Seconds))
}

// findingSection lists so many findings; none is said unless none was wanted.
func (p *Prediction) findingSection(most int) (s sheet.Section) {
	if most > 0 && len(p.Findings) == 0 {
		s.Text = []string{NothingFound}
	}
	for i := range p.Findings[:min(most, len(p.Findings))] {
		s.Items = append(s.Items, p.item(&p.Findings[i]))
	}
	if rest := len(p.Findings) - len(s.Items); most > 0 && rest > 0 {
		s.Below = []string{fmt.Sprintf("%d more: pipesim advise", rest)}
	}
	return s
}

// item is what is wrong and what that costs, the line, the proof and the remedy.
func (p *Prediction) item(f *finding.Finding) sheet.Item {
	x := sheet.Item{Head: Saving(f) + ": " + f.What, Quote: p.quote(f.Pos),
		Notes: []string{f.Proof, f.Remedy + " [" + f.Code + "]"}}
	switch {
	case x.Quote == "" && f.Pos.IsValid():
		x.Quote = f.Pos.String()
	case x.Quote != "" && f.Pos.Column > 0:
		line := p.lines[f.Pos.Line-1]
		indent := utf8.RuneCountInString(line) - utf8.RuneCountInString(strings.TrimLeft(line, " \t"))
		x.Caret = len(fmt.Sprintf("%d | ", f.Pos.Line)) + max(1, f.Pos.Column-indent)
	}
	return x
}
