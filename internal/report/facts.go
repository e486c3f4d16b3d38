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
		sheet.Gigahertz(d.ClockHz)+" GHz")
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
	if text := p.unsettled(); text != "" {
		list = append([]Fact{{Name: "depends", Text: "on addresses that are not known: " + text}}, list...)
	} else if text := p.assumed(assumedTrips); text != "" {
		list = append([]Fact{{Name: "depends", Text: "on a trip count that is not known: " + text}}, list...)
	}
	if text := p.roofText(); text != "" {
		list = append(list, Fact{Name: "of peak", Text: text})
	}
	bound := Fact{Name: "bound by", Text: p.byLine(r.Bound.Text)}
	if l := p.guilty(); l != nil {
		bound.Pos = l.Pos
	}
	return p.said(append(list, bound, Fact{Name: "breakdown", Text: p.causesText()}))
}

// Use says how the launch uses the compute unit and the memory.
func (p *Prediction) Use() []Fact {
	list := []Fact{{Name: "occupancy", Text: p.occupancyText()}, {Name: "issue", Text: p.issueText()}}
	if text := p.memoryText(); text != "" {
		list = append(list, Fact{Name: "memory", Text: text})
	}
	if w := &p.Result.Waiting; w.Resident > 0 {
		list = append(list, Fact{Name: "per warp", Text: warpText(w)})
	}
	return p.said(list)
}

func (p *Prediction) said(list []Fact) []Fact {
	for i := range list {
		list[i].Name, list[i].Text = p.Say(list[i].Name), p.Say(list[i].Text)
	}
	return list
}
