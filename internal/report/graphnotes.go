package report

import (
	"fmt"
	"slices"
	"strconv"
	"strings"
)

// graphNotes is what idgen noted.
func (p *Prediction) graphNotes() []string {
	var list []string
	for _, n := range p.Graph.Notes {
		text := n.Text
		if n.Pos.IsValid() {
			text = fmt.Sprintf("%v: %s", n.Pos, n.Text)
		}
		list = append(list, text)
	}
	return list
}

// graphNotesInShort is graphNotes with those that differ in their place only as one, with
// the other lines behind it.
func (p *Prediction) graphNotesInShort() []Assumption {
	type place struct {
		note  int
		lines []int
	}
	first := map[string]*place{} // by code and text
	list := p.graphNotes()
	var order []*place
	for i, n := range p.Graph.Notes {
		key := n.Code + " " + n.Pos.File + " " + n.Text
		at := first[key]
		if at == nil {
			at = &place{note: i}
			first[key] = at
			order = append(order, at)
		}
		if n.Pos.IsValid() && !slices.Contains(at.lines, n.Pos.Line) {
			at.lines = append(at.lines, n.Pos.Line)
		}
	}
	var short []Assumption
	for _, at := range order {
		text := list[at.note]
		if len(at.lines) > 1 {
			text += fmt.Sprintf("; also in %s", linesText(at.lines[1:]))
		}
		n := &p.Graph.Notes[at.note]
		short = append(short, Assumption{text, n.Pos, n.Advice})
	}
	return short
}

// linesText names lines: "line 3", "lines 3, 5 and 7".
func linesText(lines []int) string {
	if len(lines) == 1 {
		return fmt.Sprintf("line %d", lines[0])
	}
	var texts []string
	for _, l := range lines {
		texts = append(texts, strconv.Itoa(l))
	}
	last := len(texts) - 1
	return "lines " + strings.Join(texts[:last], ", ") + " and " + texts[last]
}
