package main

import (
	"fmt"

	"gpupipe/cmd/internal/console"
	"gpupipe/internal/diag"
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
func (p *prediction) findCritical() (err error) {
	if p.result.Profile.Truncated {
		return diag.Errorf(diag.Pos{}, "TOO-LARGE", "the run is too long for --critical").WithNote("run fewer groups, as with --unit-groups 8")
	}
	if p.critical, err = timeline.NewCritical(p.result.Profile, p.graph); err != nil {
		return err
	}
	return console.AsDefect(p.critical.Verify())
}

func (p *prediction) criticalDocument() (list []linkDocument) {
	if p.critical == nil {
		return nil
	}
	for _, l := range p.critical.Links {
		list = append(list, linkDocument{l.Op, l.Pos.File, l.Pos.Line, l.Times, l.At, l.Waited, l.Queued, l.Order})
	}
	return list
}

// criticalSection lists the sequence: what stands in a row waits for what stands above it.
func (p *prediction) criticalSection() section {
	c := p.critical
	s := section{
		title: "Critical sequence",
		text: []string{fmt.Sprintf("warp %d of group %d, %s cycles: each instruction waits for the result of the one above it (*: for its issue); xN: N executions and the sum of their times",
			c.Warp.Warp, c.Warp.Group, cycleText(c.Warp.Cycles()))},
		columns: columnsOf("cycle", "times", "waits", "queues", "instruction<", "line", "source<"),
	}
	s.columns[0].right = true
	waited, queued := c.Last, 0.0
	for _, l := range c.Links {
		times := ""
		if l.Times > 1 {
			times = "x" + grouped(l.Times)
		}
		op := l.Op
		if l.Order {
			op += "*"
		}
		s.add(cycleText(l.At), times, cycleText(l.Waited), cycleText(l.Queued), op, p.place(l.Pos), p.sourceLine(l.Pos))
		waited, queued = waited+l.Waited, queued+l.Queued
	}
	s.add(cycleText(c.Warp.Cycles()), "", cycleText(c.Last), "", "end of the warp", "", "")
	s.add("", "sum", cycleText(waited), cycleText(queued), "", "", "")
	return s
}

// cycleText is a number of cycles, whole but for small ones.
func cycleText(cycles float64) string {
	if cycles == 0 {
		return "0"
	}
	return significant(cycles)
}
