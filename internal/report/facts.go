package report

import (
	"fmt"
	"strings"

	"gpupipe/idg"
	"gpupipe/internal/sheet"
)

// Fact is a line of the report.
type Fact struct {
	Name, Text string
	Pos        idg.Pos // source line that it names; not valid for none
}

// Title names the kernel and the device.
func (p *Prediction) Title() string { return p.Graph.Kernel + " on " + p.Mapping.Device.Title }

// About is what was predicted: the file, the launch, macros and the device.
func (p *Prediction) About() []string {
	g, d := p.Graph, p.Mapping.Device
	list := append([]string{g.Source.File, p.Say(g.Launch.Sizes())}, g.Source.Defines...)
	if g.Level != "" {
		list = append(list, strings.TrimSpace("-"+g.Level+" "+g.Compiler))
	}
	return append(list, d.Architecture, p.Say(sheet.Count(int64(d.ComputeUnits), "compute unit"))+" at "+
		sheet.Gigahertz(d.ClockHz)+" GHz"+d.ClockName())
}

// Verdict says how long the launch takes, how far that is from the device's peaks, and what limits it.
func (p *Prediction) Verdict() []Fact {
	r := p.Result
	time := TimeText(r)
	if assumed := p.assumedText(); assumed != "" {
		time += " (" + assumed + " assumed)"
	}
	list := []Fact{{Name: "time", Text: fmt.Sprintf("%s · %s · %s per compute unit", time, cyclesText(r),
		sheet.Count(r.Groups, "group"))}}
	list = append(p.depends(), list...)
	if text := p.roofText(); text != "" {
		list = append(list, Fact{Name: "of peak", Text: text})
	}
	bound := Fact{Name: "bound by", Text: p.byLine(r.Bound.Text)}
	if l := p.guilty(); l != nil {
		bound.Pos = l.Pos
	}
	return p.said(append(list, bound, Fact{Name: "breakdown", Text: p.causesText()}))
}

// depends says on what assumed values the time depends, with the time of another one and what settles it.
func (p *Prediction) depends() (list []Fact) {
	add := func(on, text string) {
		if text != "" {
			list = append(list, Fact{Name: "depends", Text: on + " not known: " + text})
		}
	}
	add("on addresses that are", p.unsettled())
	add("on a trip count that is", p.assumed(assumedTrips))
	add("on a branch that is", p.assumed(assumedBranch))
	return list
}

// Use says how the launch uses the compute unit and the memory.
func (p *Prediction) Use() []Fact {
	list := []Fact{{Name: "occupancy", Text: p.occupancyText()}, {Name: "issue", Text: p.issueText()}}
	if text := p.memoryText(); text != "" {
		list = append(list, Fact{Name: "memory", Text: text})
	}
	if w := &p.Result.Waiting; w.Resident > 0 {
		name := "per warp"
		if len(p.Say(name)) > labelColumns {
			name = "warp"
		}
		list = append(list, Fact{Name: name, Text: warpText(w)})
	}
	return p.said(list)
}

// labelColumns is the width of the longest name of a fact, which is "breakdown".
const labelColumns = len("breakdown")

func (p *Prediction) said(list []Fact) []Fact {
	for i := range list {
		list[i].Name, list[i].Text = p.Say(list[i].Name), p.Say(list[i].Text)
	}
	return list
}
