package main

import (
	"context"
	"errors"
	"fmt"

	"gpupipe/idg"
	"gpupipe/latencies"
	"gpupipe/simulate"
)

// bench is a small kernel made by hand, with a device of one compute unit that
// knows its instructions. It keeps its first error until it runs.
type bench struct {
	builder *idg.Builder
	mapping latencies.Mapping
	err     error
}

func newBench(subsystems ...string) *bench {
	d := &latencies.Device{Name: "bench", ComputeUnits: 1, ClockHz: 1e9, WarpSize: lanes, Partitions: 1}
	for _, name := range subsystems {
		d.Subsystems = append(d.Subsystems, latencies.Subsystem{Name: name})
	}
	return &bench{builder: idg.NewBuilder(), mapping: latencies.Mapping{Device: d, Subsystems: subsystems}}
}

func (b *bench) cycles(text string) latencies.Cycles {
	c, err := latencies.ParseCycles(text)
	b.err = errors.Join(b.err, err)
	return c
}

// class makes an instruction class of the i-th subsystem.
func (b *bench) class(op string, subsystem int, cpi, latency string) idg.InstrID {
	b.mapping.Entries = append(b.mapping.Entries, latencies.Entry{
		Subsystem: latencies.SubsystemID(subsystem),
		Timing:    latencies.Timing{CPI: b.cycles(cpi), Latency: b.cycles(latency)},
	})
	return b.builder.Instr(idg.Instr{Op: op, Lanes: lanes, Pos: idg.Pos{File: "k.cl", Line: len(b.mapping.Entries)}})
}

// begin starts the program of groups of so many warps.
func (b *bench) begin(warps int) {
	all := make([]uint32, warps)
	for i := range all {
		all[i] = uint32(i)
	}
	b.builder.Begin(all...)
}

// chain is instructions that each depend on the one before.
func (b *bench) chain(warps int, classes ...idg.InstrID) {
	b.begin(warps)
	for i, c := range classes {
		if i == 0 {
			b.builder.Add(c)
		} else {
			b.builder.Add(c, data(idg.Executed(i-1)))
		}
	}
}

func data(v idg.Executed) idg.Edge    { return idg.Edge{From: v, Kind: idg.Data} }
func control(v idg.Executed) idg.Edge { return idg.Edge{From: v, Kind: idg.Control} }
func order(v idg.Executed) idg.Edge   { return idg.Edge{From: v, Kind: idg.Order} }

// graph is the kernel launched in groups of so many warps.
func (b *bench) graph(warps int, groups int64) (*idg.Graph, error) {
	if b.err != nil {
		return nil, b.err
	}
	return b.builder.Build(idg.Header{
		Source: idg.Source{File: "k.cl", Dialect: "opencl"}, Kernel: "k", Level: "O2", Compiler: "none",
		Launch: idg.Launch{Local: [3]int64{lanes * int64(warps), 1, 1}, Groups: [3]int64{groups, 1, 1},
			WarpSize: lanes},
	})
}

// run simulates groups of so many warps.
func (b *bench) run(warps int, groups int64, cfg simulate.Config) (*simulate.Result, error) {
	g, err := b.graph(warps, groups)
	if err != nil {
		return nil, err
	}
	r, err := simulate.Run(context.Background(), g, &b.mapping, cfg)
	if err != nil {
		return nil, err
	}
	return r, r.Verify()
}

// repeat is n copies of classes, one after the other.
func repeat(n int, classes ...idg.InstrID) []idg.InstrID {
	var all []idg.InstrID
	for range n {
		all = append(all, classes...)
	}
	return all
}

// exampleKernel is the article's example as a graph (A Fig. 1, Table 2): λ_comp 1,
// Λ_comp 4, λ_mem 2, Λ_mem 6, four computations, of which the first two are
// independent of each other, and two reads.
func exampleKernel() *bench {
	b := newBench("comp", "mem")
	comp, mem := b.class("add.f32", 0, "1", "4"), b.class("ld.global", 1, "2", "6")
	b.begin(1)
	add := b.builder.Add
	c0, c1 := add(comp), add(comp)
	m0 := add(mem, data(c0), data(c1))
	c2 := add(comp, data(m0))
	m1 := add(mem, data(c2))
	add(comp, data(m1))
	return b
}

// onePipeline is the cycles of W warps of N dependent instructions on one
// pipeline.
func onePipeline(n, w int, cpi, latency string) (float64, error) {
	b := newBench("alu")
	b.chain(w, repeat(n, b.class("add.f32", 0, cpi, latency))...)
	return cyclesOf(b.run(w, 1, simulate.Config{}))
}

func cyclesOf(r *simulate.Result, err error) (float64, error) {
	if err != nil {
		return 0, err
	}
	return r.Cycles.Float(), nil
}

// iterative is rounds of A's iterative barrier kernel: I, then B, where each I
// depends on the one before. B waits for the completion of I, or for its issue.
func (b *bench) iterative(warps, rounds int, forIssue bool, i, barrier idg.InstrID) {
	if !forIssue {
		b.chain(warps, repeat(rounds, i, barrier)...)
		return
	}
	b.begin(warps)
	for r := range idg.Executed(rounds) {
		var before []idg.Edge
		if r > 0 {
			before = []idg.Edge{data(2*r - 2), control(2*r - 1)}
		}
		b.builder.Add(barrier, order(b.builder.Add(i, before...)))
	}
}

// instructionMix is how many instructions of type 1 a compute unit issues per
// cycle in the steady state: β of type 1 (λ 1) to one of type 2 (λ 4), all
// independent, 48 warps. The two types share a subsystem, or do not, or have an
// issue limit of 1 in front.
func instructionMix(β int, shared, limited bool) (float64, error) {
	const warps, short, long = 48, 40, 80
	run := func(rounds int) (float64, error) {
		b := newBench("one", "two")
		second := 1
		if shared {
			second = 0
		}
		if limited {
			b.mapping.Device.IssueLimit = b.cycles("1")
		}
		one, two := b.class("add.f32", 0, "1", "18"), b.class("cos.f32", second, "4", "40")
		b.begin(warps)
		for _, in := range repeat(rounds, append(repeat(β, one), two)...) {
			b.builder.Add(in)
		}
		return cyclesOf(b.run(warps, 1, simulate.Config{Scheduler: simulate.Oldest}))
	}
	a, err1 := run(short)
	c, err2 := run(long)
	if err := errors.Join(err1, err2); err != nil {
		return 0, fmt.Errorf("β %d: %w", β, err)
	}
	return float64(β*(long-short)*warps) / (c - a), nil
}
