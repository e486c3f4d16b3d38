package main

import (
	"bufio"
	"fmt"
	"io"

	"gpupipe/cmd/internal/console"
	"gpupipe/frontend/ast"
	"gpupipe/internal/generate"
	"gpupipe/internal/sheet"
	"gpupipe/internal/words"
	"gpupipe/lower/machine"
)

// resourcesDocument is the JSON form of --resources.
type resourcesDocument struct {
	File             string          `json:"file"`
	Kernel           string          `json:"kernel"`
	Target           string          `json:"target"`
	Registers        int             `json:"registers"` // of a work item
	UniformRegisters int             `json:"uniform_registers"`
	Accumulators     int             `json:"accumulation_registers,omitempty"` // AMD's AGPRs, of the registers
	Predicates       int             `json:"predicates"`
	LocalBytes       int64           `json:"local_bytes"` // of a group, without those that the launch adds
	PrivateBytes     int64           `json:"private_bytes"`
	SpillBytes       int64           `json:"spill_bytes"` // of the private ones
	SpillStores      int             `json:"spill_stores"`
	SpillLoads       int             `json:"spill_loads"`
	Local            []int64         `json:"local"` // work items of a group
	LocalFrom        string          `json:"local_from"`
	Waves            int             `json:"waves,omitempty"` // of a SIMD of AMD's, as LLVM counts them
	Occupancy        []occupancyInfo `json:"occupancy"`

	amd bool
}

// occupancyInfo is what a compute unit of a device holds.
type occupancyInfo struct {
	Device   string `json:"device"`
	Groups   int64  `json:"groups"`
	Warps    int64  `json:"warps"`
	MaxWarps int64  `json:"max_warps,omitempty"` // 0 = not known
	Limit    string `json:"limit,omitempty"`
}

// resources writes --resources.
func (w writer) resources(o *options, p *generate.Program, fn *ast.Function, l *generate.Kernel) error {
	c, err := p.Compile(fn)
	if err != nil {
		return err
	}
	words := w.Words
	w.Report(l.Lowered.Warnings.Sorted())
	d := resourcesOf(p, c, l.Launch)
	return w.Emit(o.output, func(w io.Writer) error {
		if o.format == formatJSON {
			return console.WriteJSON(w, d)
		}
		return d.write(w, words)
	})
}

func resourcesOf(p *generate.Program, c *machine.Code, l *generate.Launch) *resourcesDocument {
	r := &c.Resources
	d := &resourcesDocument{File: p.Source.File, Kernel: c.Name, Target: c.Target.Name, Registers: r.Registers,
		UniformRegisters: r.UniformRegisters, Predicates: r.Predicates, LocalBytes: r.LocalBytes,
		PrivateBytes: r.PrivateBytes, SpillBytes: r.SpillBytes, SpillStores: r.SpillStores, SpillLoads: r.SpillLoads,
		Local: generate.Trimmed(l.Local), LocalFrom: l.LocalFrom, Occupancy: []occupancyInfo{}}
	if d.amd = c.Target.ISA == "gcn"; d.amd {
		d.Accumulators, d.Waves = max(0, r.Registers-c.Target.MaxOrdinary), r.Waves
	}
	for _, x := range p.Occupancies(c, l) {
		d.Occupancy = append(d.Occupancy, occupancyInfo{Device: x.Device.Name, Groups: x.Groups, Warps: x.Warps,
			MaxWarps: x.Device.Limits.Warps, Limit: x.Limit})
	}
	return d
}

// write prints the report for people.
func (d *resourcesDocument) write(w io.Writer, words words.Words) error {
	b := bufio.NewWriter(w)
	fmt.Fprintf(b, "kernel %s of %s, %s\n", d.Kernel, d.File, d.Target)
	t := sheet.Table{Indent: 2}
	row := func(cells ...string) {
		for i := range cells {
			cells[i] = words.Say(cells[i])
		}
		t.Row(cells...)
	}
	if d.amd {
		row("VGPRs", fmt.Sprintf("%d of a work item", d.Registers-d.Accumulators))
		row("AGPRs", fmt.Sprintf("%d of a work item", d.Accumulators))
		row("SGPRs", fmt.Sprintf("%d of a wave", d.UniformRegisters))
		row("occupancy", fmt.Sprintf("%d waves of a SIMD", d.Waves))
	} else {
		row("registers", fmt.Sprintf("%d of a work item", d.Registers))
	}
	if !d.amd && d.UniformRegisters > 0 {
		row("uniform registers", fmt.Sprintf("%d of a warp", d.UniformRegisters))
	}
	if !d.amd { // whose masks are in scalar registers
		row("predicates", fmt.Sprint(d.Predicates))
	}
	spills := "none"
	if d.SpillBytes > 0 {
		spills = fmt.Sprintf("%d bytes of a work item, %s, %s", d.SpillBytes, count(int64(d.SpillStores), "store"),
			count(int64(d.SpillLoads), "load"))
	}
	row("spills", spills)
	row("private memory", fmt.Sprintf("%d bytes of a work item", d.PrivateBytes))
	row("local memory", fmt.Sprintf("%d bytes of a group", d.LocalBytes))
	_ = t.Write(b) // b keeps its error
	fmt.Fprintf(b, words.Say("\noccupancy of groups of %v work items (%s)\n"), generate.Sizes(d.Local), d.LocalFrom)
	t = sheet.Table{Indent: 2, Right: []bool{false, true, true, false}}
	row("device", "groups", "warps", "limited by")
	for _, x := range d.Occupancy {
		warps := fmt.Sprint(x.Warps)
		if x.MaxWarps > 0 {
			warps += fmt.Sprintf(" of %d", x.MaxWarps)
		}
		row(x.Device, fmt.Sprint(x.Groups), warps, x.Limit)
	}
	if len(d.Occupancy) == 0 {
		row("none of the devices has this target")
	}
	_ = t.Write(b)
	return b.Flush()
}
