package main

import "gpupipe/simulate/analytic"

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
}

// warpBytes is a warp's access of 4 bytes a lane.
const warpBytes = 128

// volkovMix is a row of T.4.1: mem_lat, mem_thru, alu_lat, alu_thru, issue_thru.
func volkovMix(memLat, memThru, aluLat, aluThru, issueThru float64) analytic.Mix {
	return analytic.Mix{MemLatency: memLat, MemCPI: 1 / memThru, CompLatency: aluLat, CompCPI: 1 / aluThru,
		IssueLimit: issueThru, Schedulers: max(1, issueThru)}
}

// volkovGPUs are V16 Tables 2.5 to 2.9, 4.1 and 6.5.
var volkovGPUs = []volkovGPU{
	{
		name: "G80", units: 16, clock: 1.35, warps: 24, pin: 86.4,
		mix: volkovMix(444, 0.0268, 20, 0.25, 0.5), a: 453, b: 61, c: 81,
		peak: 74,
	},
	{
		name: "GT200", units: 30, clock: 1.296, warps: 32, pin: 141.7,
		mix: volkovMix(434, 0.0277, 24, 0.25, 0.5), a: 438, b: 17, c: 140,
		peak: 138,
	},
	{
		name: "Fermi", units: 15, clock: 1.4, warps: 48, pin: 177.4,
		mix: volkovMix(513, 0.0599, 18, 1, 1), a: 501, b: 41, c: 170,
		peak: 161,
	},
	{
		name: "Kepler", units: 8, clock: 1.124, warps: 64, pin: 192.3,
		mix: volkovMix(301, 0.1338, 9, 4, 4), a: 300, b: 32, c: 170,
		peak: 154,
	},
	{
		name: "Maxwell", units: 16, clock: 1.266, warps: 64, pin: 224,
		mix: volkovMix(368, 0.0814, 6, 4, 4), a: 372, b: 22, c: 221,
		peak: 211,
	},
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
