package report

import (
	"fmt"
	"slices"
	"strings"
	"unicode/utf8"

	"gpupipe/idg"
	"gpupipe/internal/sheet"
	"gpupipe/simulate"
	"gpupipe/simulate/finding"
)

// Advice is the advice as JSON.
type Advice struct {
	Format   string            `json:"format"` // "pipesim-advice"
	Version  int               `json:"version"`
	Kernel   string            `json:"kernel"`
	Device   string            `json:"device"`
	Seconds  float64           `json:"seconds"`
	Findings []FindingDocument `json:"findings"`
	Minor    []FindingDocument `json:"minor,omitempty"` // what textbooks would change, and costs little here
	// saving at most so much: what was not simulated, as all findings are to cost no more than some runs
	Unsimulated []FindingDocument `json:"unsimulated,omitempty"`

	Scattered  *readingDocument `json:"scattered,omitempty"`  // the time with places far apart where nobody knows them
	Neighbours *readingDocument `json:"neighbours,omitempty"` // with neighbours where they are taken to be far apart
	Joint      *jointDocument   `json:"joint,omitempty"`      // of all findings that change the kernel

	// Seconds with twice the trip counts that are assumed, and with branches not taken of which both sides are executed
	// as nobody knows; 0 where that hardly differs.
	TwiceTheTrips float64 `json:"twice_the_trips,omitempty"`
	NotTaken      float64 `json:"not_taken,omitempty"`
}

type readingDocument struct {
	Seconds float64  `json:"seconds"`
	Buffers []string `json:"buffers"`
}

type jointDocument struct {
	Codes   []string `json:"codes"` // of the findings
	Seconds float64  `json:"seconds"`
	Saved   float64  `json:"saved"`
	Bound   string   `json:"bound"` // of what is left
}

type FindingDocument struct {
	Code    string  `json:"code"`
	File    string  `json:"file,omitempty"`
	Line    int     `json:"line,omitempty"`
	Column  int     `json:"column,omitempty"`
	What    string  `json:"what"`
	Proof   string  `json:"proof"`
	Remedy  string  `json:"remedy"`
	Seconds float64 `json:"seconds"` // with the remedy
	Saved   float64 `json:"saved"`   // share of the time

	Scattered bool `json:"scattered,omitempty"` // it saves so much of the time with places far apart
}

func (p *Prediction) Advice() *Advice {
	doc := &Advice{
		Format: "pipesim-advice", Version: 1, Kernel: p.Graph.Kernel, Device: p.Mapping.Device.Name,
		Seconds: p.Result.Seconds, Findings: []FindingDocument{},
	}
	doc.Findings = append(doc.Findings, documents(p.Findings)...)
	o := p.Outcome
	if o == nil {
		return doc
	}
	doc.Minor, doc.Unsimulated = documents(o.Minor), documents(o.Unsimulated)
	doc.TwiceTheTrips, doc.NotTaken = o.Longer, o.NotTaken
	if o.Scattered != nil {
		doc.Scattered = &readingDocument{o.Scattered.Seconds, o.Scattered.Buffers}
	}
	if o.Neighbours != nil {
		doc.Neighbours = &readingDocument{o.Neighbours.Seconds, o.Neighbours.Buffers}
	}
	if o.Joint != nil {
		doc.Joint = &jointDocument{o.Joint.Codes, o.Joint.Seconds, o.Joint.Saved, p.Say(o.Joint.Bound.Text)}
	}
	return doc
}

func documents(list []finding.Finding) (docs []FindingDocument) {
	for _, f := range list {
		docs = append(docs, FindingDocument{f.Code, f.Pos.File, f.Pos.Line, f.Pos.Column, f.What, f.Proof, f.Remedy,
			f.Seconds, f.Saved, f.Scattered})
	}
	return docs
}

// adviceSheet is the findings for people.
func (p *Prediction) adviceSheet() sheet.Sheet {
	s := sheet.Sheet{{Title: p.Title() + ": " + TimeText(p.Result)}}
	if len(p.Findings) == 0 {
		s[0].Text = []string{p.Nothing()}
	}
	for i := range p.Findings {
		s = append(s, sheet.Section{Items: []sheet.Item{p.item(&p.Findings[i])}})
	}
	for _, text := range p.Below() {
		s = append(s, sheet.Section{Text: []string{text}})
	}
	return s
}

// NothingFound is said where there is no finding.
const NothingFound = "nothing found that would save 1% of the time or more"

// Nothing is NothingFound, unless there could be something at other places than assumed.
func (p *Prediction) Nothing() string {
	if text := p.unsettled(); text != "" && p.Outcome.Scattered != nil {
		return "nothing found as far as the addresses are known: " + text
	}
	if text := p.assumed(assumedTrips); text != "" {
		return "nothing found as far as trip counts are known: " + text
	}
	if text := p.assumed(assumedBranch); text != "" {
		return "nothing found as far as branches are known: " + text
	}
	said := NothingFound
	for _, text := range []string{p.minorText(), p.unsimulatedText()} {
		if text != "" {
			said += ". " + strings.ToUpper(text[:1]) + text[1:]
		}
	}
	return said
}

// minorText names what textbooks would change and what costs little here, "" for nothing.
func (p *Prediction) minorText() string {
	if p.Outcome == nil || len(p.Outcome.Minor) == 0 {
		return ""
	}
	var list []string
	for i := range p.Outcome.Minor {
		list = append(list, p.short(&p.Outcome.Minor[i]))
	}
	return p.Say("of little cost here, as the kernel is bound by "+p.boundTitle(p.Result.Bound)) + ": " +
		strings.Join(list, "; ")
}

// short is what a finding is about, and where.
func (p *Prediction) short(f *finding.Finding) string {
	what, _, _ := strings.Cut(f.What, ":")
	if f.Pos.IsValid() {
		what += " (line " + p.place(f.Pos) + ")"
	}
	return what
}

// unsimulatedText names what was not simulated, with the most that it could save, "" for nothing.
func (p *Prediction) unsimulatedText() string {
	if p.Outcome == nil || len(p.Outcome.Unsimulated) == 0 {
		return ""
	}
	var list []string
	for i := range p.Outcome.Unsimulated {
		f := &p.Outcome.Unsimulated[i]
		list = append(list, fmt.Sprintf("%s: at most %s", p.short(f), sheet.Percent(f.Saved)))
	}
	return "not simulated, to save time: " + strings.Join(list, "; ")
}

// boundTitle is what a bound is, in short.
func (p *Prediction) boundTitle(b simulate.Bound) string {
	title, _, _ := strings.Cut(p.byLine(b.Text), ":")
	return title
}

// Saving says what a finding saves.
func Saving(f *finding.Finding) string {
	if f.Scattered {
		return fmt.Sprintf("saves up to %s if addresses are scattered (%s left)", sheet.Percent(f.Saved),
			sheet.Duration(f.Seconds))
	}
	return fmt.Sprintf("saves up to %s (%s left)", sheet.Percent(f.Saved), sheet.Duration(f.Seconds))
}

// unsettled says how the time depends on addresses that nobody knows, and what settles it; "" if it does not.
func (p *Prediction) unsettled() string {
	if p.Outcome == nil {
		return ""
	}
	r, near, far, second := p.Outcome.Scattered, p.Result.Seconds, p.Result.Seconds, "scattered"
	switch {
	case r != nil:
		far = r.Seconds
	case p.Outcome.Neighbours != nil:
		r, second = p.Outcome.Neighbours, "coalesced"
		near = r.Seconds
	default:
		return ""
	}
	names := "memory"
	if r.Buffers != nil {
		names = strings.Join(r.Buffers, ", ")
	}
	return fmt.Sprintf("%s if the lanes of a warp access neighbours in %s, %s if they are scattered; idgen %s settles "+
		"it, pipesim --set '*:addresses=%s' takes the other",
		sheet.Duration(near), names, sheet.Duration(far), p.settling(), second)
}

// settling are the flags of idgen that make addresses known: arguments without a value, and the contents of buffers.
func (p *Prediction) settling() string {
	var flags []string
	for _, id := range p.Mapping.UnknownAddresses(p.Graph) {
		names, ok := strings.CutPrefix(p.Graph.Access(p.Graph.Instr(id).Access).Assumed, idg.LacksArgument)
		if !ok {
			names = "--contents NAME=FILE"
		} else {
			names = "--arg " + strings.ReplaceAll(names, ", ", "=VALUE --arg ") + "=VALUE"
		}
		if !slices.Contains(flags, names) {
			flags = append(flags, names)
		}
	}
	return strings.Join(flags, " or ")
}

// Codes of idgen's notes on what decides and is assumed.
const (
	assumedTrips  = "ASSUMED-TRIPS"
	assumedBranch = "ASSUMED-BRANCH"
)

// assumed says what is assumed of which loop or branch, the time of another reading, and what settles it; "" for
// nothing, or nothing that the time depends on.
func (p *Prediction) assumed(code string) string {
	var all []*idg.Note
	for i := range p.Graph.Notes {
		if n := &p.Graph.Notes[i]; n.Code == code && strings.Contains(n.Text, ": ") {
			all = append(all, n)
		}
	}
	other, ok := p.otherReading(code)
	if len(all) == 0 || !ok {
		return ""
	}
	what := all[0].Text[strings.LastIndex(all[0].Text, ": ")+2:]
	text := fmt.Sprintf("%s in line %s", what, p.place(all[0].Pos))
	if len(all) > 1 {
		text += fmt.Sprintf(" (and %d more)", len(all)-1)
	}
	if other != "" {
		text = fmt.Sprintf("%s with %s, %s", sheet.Duration(p.Result.Seconds),
			strings.Replace(text, "are executed", "executed", 1), other)
	}
	return text + "; idgen " + strings.TrimPrefix(all[0].Advice, "give ") + " settles it"
}

// otherReading is the time of what is not assumed of loops or branches, "" if it is not known; false if it hardly
// differs.
func (p *Prediction) otherReading(code string) (text string, ok bool) {
	variant, seconds, with := idg.TwiceTheTrips, 0.0, "twice as many"
	if code == assumedBranch {
		variant, with = idg.BranchesNotTaken, "no lane taking it"
	}
	if p.Outcome == nil || p.Graph.VariantOf(variant) == nil {
		return "", true
	}
	if seconds = p.Outcome.Longer; code == assumedBranch {
		seconds = p.Outcome.NotTaken
	}
	return fmt.Sprintf("%s with %s", sheet.Duration(seconds), with), seconds > 0
}

// jointText says what findings save together, and what limits the kernel then; "" for less than two.
func (p *Prediction) jointText() string {
	if p.Outcome == nil || p.Outcome.Joint == nil {
		return ""
	}
	j := p.Outcome.Joint
	all := "together they save"
	if len(j.Codes) < len(p.Findings) {
		all = "together " + strings.Join(j.Codes, ", ") + " save"
	}
	return p.Say(fmt.Sprintf("%s up to %s (%s left); then bound by %s", all, sheet.Percent(j.Saved),
		sheet.Duration(j.Seconds), p.boundTitle(j.Bound)))
}

// Below is what is said behind findings.
func (p *Prediction) Below() (list []string) {
	if text := p.jointText(); text != "" {
		list = append(list, text)
	}
	if len(p.Findings) == 0 {
		return list // Nothing says the rest
	}
	for _, text := range []string{p.minorText(), p.unsimulatedText()} {
		if text != "" {
			list = append(list, text)
		}
	}
	return list
}

// findingSection lists so many findings; none is said unless none was wanted.
func (p *Prediction) findingSection(most int) (s sheet.Section) {
	if most > 0 && len(p.Findings) == 0 {
		s.Text = []string{p.Nothing()}
	}
	for i := range p.Findings[:min(most, len(p.Findings))] {
		s.Items = append(s.Items, p.item(&p.Findings[i]))
	}
	if most > 0 {
		s.Below = p.Below()
	}
	if rest := len(p.Findings) - len(s.Items); most > 0 && rest > 0 {
		s.Below = append(s.Below, fmt.Sprintf("%d more: pipesim advise", rest))
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
