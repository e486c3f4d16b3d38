package report

import (
	"fmt"

	"gpupipe/internal/diag"
	"gpupipe/internal/sheet"
	"gpupipe/simulate/timeline"
)

// linkDocument is an instruction of the critical sequence, in cycles.
type linkDocument struct {
	Op     string  `json:"op"`
	File   string  `json:"file"`
	Line   int     `json:"line"`
	Times  int64   `json:"times"`
	At     float64 `json:"at_cycle"`      // of the warp's life
	Waited float64 `json:"waited_cycles"` // in all, for the instruction before
	Queued float64 `json:"queued_cycles"` // in all, ready and not issued
	Order  bool    `json:"order"`         // waits for the issue of the instruction before, not for its result
}

// findCritical follows an average warp.
func (p *Prediction) findCritical() (err error) {
	if p.Result.Profile.Truncated {
		return diag.Errorf(diag.Pos{}, "TOO-LARGE", "the run is too long for --critical").
			WithNote("run fewer groups, as with --unit-groups 8")
	}
	if p.Critical, err = timeline.NewCritical(p.Result.Profile, p.Graph); err != nil {
		return err
	}
	return diag.AsDefect(p.Critical.Verify())
}

func (p *Prediction) criticalDocument() (list []linkDocument) {
	if p.Critical == nil {
		return nil
	}
	for _, l := range p.Critical.Links {
		list = append(list, linkDocument{l.Op, l.Pos.File, l.Pos.Line, l.Times, l.At, l.Waited, l.Queued, l.Order})
	}
	return list
}

// criticalSection lists the sequence: what stands in a row waits for what stands above it.
func (p *Prediction) criticalSection() sheet.Section {
	c := p.Critical
	s := sheet.Section{
		Title: "Critical sequence",
		Text: []string{p.Say(fmt.Sprintf("warp %d of group %d, %s cycles: each instruction waits for the result of "+
			"the one above it (*: for its issue); xN: N executions and the sum of their times",
			c.Warp.Warp, c.Warp.Group, cycleText(c.Warp.Cycles())))},
		Columns: sheet.ColumnsOf("cycle", "times", "waits", "queues", "instruction<", "line", "source<"),
	}
	s.Columns[0].Right = true
	waited, queued := c.Last, 0.0
	for _, l := range c.Links {
		times := ""
		if l.Times > 1 {
			times = "x" + sheet.Grouped(l.Times)
		}
		op := l.Op
		if l.Order {
			op += "*"
		}
		s.Add(cycleText(l.At), times, cycleText(l.Waited), cycleText(l.Queued), op, p.place(l.Pos), p.sourceLine(l.Pos))
		waited, queued = waited+l.Waited, queued+l.Queued
	}
	s.Add(cycleText(c.Warp.Cycles()), "", cycleText(c.Last), "", p.Say("end of the warp"), "", "")
	s.Add("", "sum", cycleText(waited), cycleText(queued), "", "", "")
	return s
}

// cycleText is a number of cycles, whole but for small ones.
func cycleText(cycles float64) string {
	if cycles == 0 {
		return "0"
	}
	return sheet.Significant(cycles)
}
