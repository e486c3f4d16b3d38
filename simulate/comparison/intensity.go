package comparison

import (
	"context"
	"fmt"
	"math"

	"gpupipe/idg"
	"gpupipe/internal/diag"
	"gpupipe/latencies"
	"gpupipe/simulate"
	"gpupipe/simulate/analytic"
)

// ErrorRange is how far each model is from the simulation at an arithmetic intensity: the
// least and the most that its rate is of the simulated one, over all occupancies of whole
// warps per scheduler (V16 7.9). 0 = the model gives no rate.
type ErrorRange struct {
	Intensity   int // computations per access
	Least, Most []float64
	// Needed is with how many of the warps each model reaches 90% of the roof, SimulatedNeeded with
	// how many the simulation does (V16 7.10); 0 = with none.
	Needed          []int64
	SimulatedNeeded int64
}

// neededShare is the share of the roof at which V16 7.10 counts the warps.
const neededShare = 0.9

// Range of intensities of V16 7.9: "between 1 and 512, sampled at approximately every
// integer power of √2".
const intensitySteps = 18

// errorWaves is how many groups follow each other in a place of a simulated mix, of at
// least errorLength instructions each, so that the beginning and the end count little.
const (
	errorWaves  = 12
	errorLength = 256
)

// ErrorRanges compares models and simulation on mixes of the mean computation and the mean access
// of a kernel: chains of α computations and an access, where each instruction waits for the one
// before (V16 4.1), with up to so many warps.
func ErrorRanges(ctx context.Context, in *analytic.Input, d *latencies.Device, opt Options,
	most int64) ([]ErrorRange, error) {
	mix, ok := analytic.MixOf(in)
	if !ok {
		return nil, diag.Errorf(diag.Pos{}, "MODELS", "the kernel has no computation or no access of device memory")
	}
	if opt.Models == nil {
		opt.Models = analytic.Models()
	}
	var list []ErrorRange
	for i := range intensitySteps + 1 {
		α := int(math.Round(math.Pow(2, float64(i)/2)))
		r, err := errorRange(ctx, mix, α, d, opt, max(1, int64(in.Schedulers)), most)
		if err != nil {
			return nil, err
		}
		list = append(list, r)
	}
	return list, nil
}

// errorRange is that of one intensity.
func errorRange(ctx context.Context, mix analytic.Mix, α int, d *latencies.Device, opt Options, schedulers,
	most int64) (ErrorRange, error) {
	r := ErrorRange{Intensity: α, Least: make([]float64, len(opt.Models)), Most: make([]float64, len(opt.Models)),
		Needed: make([]int64, len(opt.Models))}
	g, m, err := mixOn(mix, α, d)
	if err != nil {
		return r, err
	}
	in, err := analytic.FromGraph(g, m, analytic.Options{IssueLimit: opt.Config.IssueLimit, Groups: math.MaxInt32,
		MSHRs: opt.MSHRs})
	if err != nil {
		return r, err
	}
	roof, _ := in.Throughput()
	reaches := func(needed *int64, rate float64, n int64) {
		if *needed == 0 && rate >= neededShare*roof {
			*needed = n
		}
	}
	for n := schedulers; n <= most; n += schedulers {
		cfg := opt.Config
		cfg.Groups, cfg.Concurrent, cfg.Full = errorWaves*n, n, true
		simulated, err := simulate.Run(ctx, g, m, cfg)
		if err != nil {
			return r, err
		}
		reaches(&r.SimulatedNeeded, simulated.WarpsPerCycle, n)
		for k, model := range opt.Models {
			e := analytic.Evaluate(model, in, float64(n))
			if e.Invalid != "" {
				continue
			}
			reaches(&r.Needed[k], e.WarpsPerCycle, n)
			q := e.WarpsPerCycle / simulated.WarpsPerCycle
			if r.Most[k] == 0 || q < r.Least[k] {
				r.Least[k] = q
			}
			r.Most[k] = max(r.Most[k], q)
		}
	}
	return r, nil
}

// mixOn is a mix as a graph of groups of one warp, on the device's schedulers and under its
// memory's load.
func mixOn(mix analytic.Mix, α int, d *latencies.Device) (*idg.Graph, *latencies.Mapping, error) {
	unit := *d
	unit.GroupReplacement, unit.GroupStart, unit.LaunchNs, unit.RegisterReads, unit.Limits = latencies.Cycles{},
		latencies.Cycles{}, latencies.Cycles{}, latencies.Cycles{}, latencies.Limits{}
	unit.Subsystems = []latencies.Subsystem{{Name: "computations", Partitioned: d.Partitions > 1}, {Name: "memory"}}
	const comp, mem = 0, 1
	m := &latencies.Mapping{Device: &unit, Subsystems: []string{"computations", "memory"}}
	warp := max(d.WarpSize, 1)
	b := idg.NewBuilder()
	a := idg.Access{Space: idg.SpaceGlobal, Width: 4}
	for lane := range warp {
		a.Offsets = append(a.Offsets, 4*int64(lane))
	}
	class := func(op string, subsystem latencies.SubsystemID, access idg.AccessID, cpi,
		latency float64) (idg.InstrID, error) {
		e := latencies.Entry{Subsystem: subsystem}
		var err error
		if e.Timing.CPI, err = hundredths(cpi); err == nil {
			e.Timing.Latency, err = hundredths(latency)
		}
		m.Entries = append(m.Entries, e)
		return b.Instr(idg.Instr{Op: op, Type: "f32", Lanes: uint8(warp), Access: access,
			Pos: idg.Pos{File: "mix", Line: len(m.Entries)}}), err
	}
	addition, err := class("add.f32", comp, 0, mix.CompCPI, mix.CompLatency)
	if err != nil {
		return nil, nil, err
	}
	read, err := class("ld.global", mem, b.Access(a), mix.MemCPI, mix.MemLatency)
	if err != nil {
		return nil, nil, err
	}
	if s := unit.Memory.SegmentBytes; s > 0 {
		m.Entries[1].Transactions = (4*warp + s - 1) / s
	}
	b.Begin(0)
	var last []idg.Edge
	for range max(1, errorLength/(α+1)) {
		for k := range α + 1 {
			id := addition
			if k == 0 {
				id = read
			}
			last = []idg.Edge{{From: b.Add(id, last...), Kind: idg.Data}}
		}
	}
	g, err := b.Build(idg.Header{Kernel: "mix", Launch: idg.Launch{Local: [3]int64{int64(warp), 1, 1},
		Groups: [3]int64{1, 1, 1}, WarpSize: warp}})
	return g, m, err
}

// hundredths is a time as an exact number of 1/100 cycle, at least one.
func hundredths(cycles float64) (latencies.Cycles, error) {
	c, err := latencies.NewCycles(int64(max(1, math.Round(100*cycles))), 100)
	if err != nil {
		return c, fmt.Errorf("%v cycles cannot be simulated: %w", cycles, err)
	}
	return c, nil
}
