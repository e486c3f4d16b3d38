package main

import (
	"slices"

	"gpupipe/latencies"
	"gpupipe/simulate/analytic"
)

// volkovGPU is what V16 says of one of its five GPUs.
type volkovGPU struct {
	name  string
	units float64
	clock float64 // GHz
	warps int     // that a compute unit holds
	pin   float64 // GB/s, T.2.7
	mix   analytic.Mix
	// a, b and c of the loaded latency, T.6.5: cycles, cycles, GB/s.
	a, b, c float64
	peak    float64 // of streaming reads in GB/s, measured
	// cycles between the end of a group and the start of the next
	replacement float64
}

// warpBytes is a warp's access of 4 bytes a lane.
const warpBytes = 128

// volkovGPUs are V16's five, as their device files have them (Tables 2.5 to 2.9, 4.1, 6.2 and 6.5).
var volkovGPUs = []volkovGPU{
	volkovDevice("G80", "8800gtx", 74), volkovDevice("GT200", "gtx280", 138), volkovDevice("Fermi", "gtx480", 161),
	volkovDevice("Kepler", "gtx680", 154), volkovDevice("Maxwell", "gtx980", 211),
}

// volkovDevice reads a device file: a row of T.4.1 is Λ and λ of accesses and additions, and the issue limit.
func volkovDevice(name, device string, peak float64) volkovGPU {
	d, err := latencies.Builtin(device)
	if err != nil {
		panic(err) // a mistake of this command's own
	}
	of := func(match string) latencies.Timing {
		i := slices.IndexFunc(d.Instructions, func(in latencies.Instruction) bool { return in.Match == match })
		return d.Instructions[i].Timing
	}
	access, addition, load := of("ld.global"), of("add.f32"), d.Memory.Contention
	issue := d.IssueLimit.Float()
	return volkovGPU{
		name: name, units: float64(d.ComputeUnits), clock: float64(d.ClockHz) / 1e9, warps: int(d.Limits.Warps),
		pin: d.Memory.PeakGBs.Float(), peak: peak, replacement: d.GroupReplacement.Float(),
		mix: analytic.Mix{MemLatency: access.Latency.Float(), MemCPI: access.CPI.Float(),
			CompLatency: addition.Latency.Float(), CompCPI: addition.CPI.Float(), IssueLimit: issue,
			Schedulers: max(1, issue)},
		a: load.Unloaded.Float(), b: load.Queueing.Float(), c: load.Capacity.Float(),
	}
}

// gpuNamed is the GPU of a name.
func gpuNamed(name string) *volkovGPU {
	for i := range volkovGPUs {
		if volkovGPUs[i].name == name {
			return &volkovGPUs[i]
		}
	}
	return nil
}

// gbs is the bandwidth in GB/s of so many accesses per cycle on every compute
// unit.
func (g *volkovGPU) gbs(accesses float64) float64 { return accesses * warpBytes * g.units * g.clock }

// input is the mix of α additions to one access, so many times.
func (g *volkovGPU) input(α, accesses int) *analytic.Input {
	in := g.mix.Input(α, accesses)
	in.Memory.Units, in.Memory.ClockHz = g.units, g.clock*1e9
	in.Memory.Service = warpBytes * g.clock / g.pin
	in.Memory.BytesPerWarp = warpBytes * float64(accesses)
	in.Memory.Loaded = &analytic.Loaded{Queueing: g.b, Capacity: g.c}
	return in
}

// lanes is the number of work items of a warp.
const lanes = 32

// model finds a model by its name.
func model(name string) analytic.Model {
	for _, m := range analytic.Models() {
		if m.About().Name == name {
			return m
		}
	}
	panic("reproduce: there is no model " + name) // a mistake of this command's own
}

// example is the models' input of the article's example kernel.
func example() *analytic.Input {
	b := exampleKernel()
	g, err := b.graph(1, 1)
	if err != nil {
		panic(err) // a mistake of this command's own
	}
	in, err := analytic.FromGraph(g, &b.mapping, analytic.Options{})
	if err != nil {
		panic(err)
	}
	return in
}
