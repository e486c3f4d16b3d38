package synthetic

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"strings"

	"gpupipe/internal/diag"
	"gpupipe/internal/measure"
	"gpupipe/latencies"
	"gpupipe/simulate"
)

// Bench is a synthetic device. It is for one goroutine.
type Bench struct {
	device         *latencies.Device
	mapper, steady *latencies.Mapper // steady starts all groups at once
	disturbance    Disturbance
	known          map[launch]outcome
}

var _ measure.Bench = (*Bench)(nil)

// A chain goes on as it began: each instruction beyond the shorter of two launches takes the difference of
// the two, in which all groups start at once. Where groups start one after the other, a launch begins later
// by that, however long it is.
const (
	shorter, longer  = 64, 128
	mostInstructions = 1 << 24
)

// launch is a point that can be a key.
type launch struct {
	class                       string
	chains, size, groups, warps int
	instructions                int64
	steady                      bool
}

// outcome is what a launch takes, undisturbed.
type outcome struct {
	instructions int64
	seconds      float64
	err          error
}

// New returns a device that behaves as the simulator says of d with some rules (pipesim --set), disturbed
// as x says.
func New(d *latencies.Device, x Disturbance, rules ...latencies.Rule) (*Bench, error) {
	m, err := latencies.NewMapper(d, rules)
	if err != nil {
		return nil, err
	}
	b := &Bench{device: d, mapper: m, steady: m, disturbance: x, known: map[launch]outcome{}}
	if !d.GroupStart.IsZero() {
		atOnce := *d
		atOnce.GroupStart = latencies.Cycles{}
		if b.steady, err = latencies.NewMapper(&atOnce, rules); err != nil {
			return nil, err
		}
	}
	return b, nil
}

// Properties are those of the device file.
func (b *Bench) Properties() measure.Properties {
	d := b.device
	p := measure.Properties{
		Name: d.Title, Vendor: d.Vendor, Driver: "synthetic", API: "simulator", Capability: d.Capability,
		ComputeUnits: d.ComputeUnits, ClockMHz: b.clock(), WarpSize: d.WarpSize,
		MaxGroupSize: int(d.Limits.GroupWorkItems), MaxWarps: int(d.Limits.Warps), MaxGroups: int(d.Limits.Groups),
		LocalBytes: int(d.Limits.LocalBytesPerGroup), LocalBytesPerUnit: int(d.Limits.LocalBytes),
		Registers:   int(d.Limits.Registers),
		GlobalBytes: 1 << 33, MaxBufferBytes: 1 << 31, Features: "half double shuffle bfloat16 tensor",
	}
	if p.LocalBytes == 0 {
		p.LocalBytes = p.LocalBytesPerUnit
	}
	if d.Memory.L2 != nil {
		p.L2Bytes = d.Memory.L2.Bytes
	}
	return p
}

// clock is that of the compute units, MHz.
func (b *Bench) clock() float64 { return float64(b.device.ClockHz) / 1e6 }

// Skip reports classes that the graphs of this package do not express, and those for which the device
// has no parameters.
func (b *Bench) Skip(c measure.Class) string {
	if strings.HasSuffix(c.Name, ".l1") && !b.cachesReads() {
		return b.device.Title + " has no L1 that caches reads"
	}
	if strings.HasSuffix(c.Name, ".l2") && b.device.Memory.L2 == nil {
		return b.device.Title + " has no L2"
	}
	if c.Kind == measure.Stream {
		return "the simulator stands for no stream"
	}
	for _, op := range ops(c) {
		if _, ok := b.mapper.Timing(op); !ok {
			return fmt.Sprintf("%s has no entry for %s", b.device.Title, op)
		}
	}
	return ""
}

// cachesReads reports whether L1 may serve all reads of device memory.
func (b *Bench) cachesReads() bool {
	l1 := b.device.Memory.L1
	return l1 != nil && l1.Loads == latencies.AllLoads
}

// Time simulates a launch and disturbs its time.
func (b *Bench) Time(ctx context.Context, p measure.Point) (measure.Reading, error) {
	o := b.launch(ctx, p)
	if o.err != nil {
		return measure.Reading{}, o.err
	}
	time, clock := b.disturbance.disturb(b.disturbance.source(p))
	return measure.Reading{
		Instructions: o.instructions, Seconds: o.seconds * time, ClockBefore: b.clock(), ClockAfter: b.clock() * clock,
	}, nil
}

// launch is what a launch of any length takes.
func (b *Bench) launch(ctx context.Context, p measure.Point) outcome {
	n := p.Instructions
	if n <= longer || p.Class.Kind == measure.Launch || p.Class.Kind == measure.Replacement {
		return b.once(ctx, p, false)
	}
	p.Instructions = shorter
	begin := b.once(ctx, p, b.steady == b.mapper)
	few := b.once(ctx, p, true)
	p.Instructions = longer
	many := b.once(ctx, p, true)
	if err := cmp.Or(begin.err, few.err, many.err); err != nil {
		return outcome{err: err}
	}
	step := b.perIteration(p)
	n = min(n, mostInstructions) / step * step
	slope := (many.seconds - few.seconds) / float64(many.instructions-few.instructions)
	return outcome{instructions: n, seconds: begin.seconds + slope*float64(n-begin.instructions)}
}

// once is a launch that is simulated once. What a chain takes when all groups start at once does not depend
// on the size of the groups.
func (b *Bench) once(ctx context.Context, p measure.Point, steady bool) outcome {
	if steady && (p.Class.Kind == measure.Chain || p.Class.Kind == measure.Throughput) {
		p.GroupSize, p.Groups = b.device.WarpSize, p.WarpsPerUnit
	}
	key := launch{p.Class.Name, p.Chains, p.GroupSize, p.Groups, p.WarpsPerUnit, p.Instructions, steady}
	o, ok := b.known[key]
	if !ok {
		m := b.mapper
		if steady {
			m = b.steady
		}
		o = b.simulate(ctx, p, m)
		if !errors.Is(o.err, context.Canceled) && !errors.Is(o.err, context.DeadlineExceeded) {
			b.known[key] = o
		}
	}
	return o
}

// simulate executes a launch.
func (b *Bench) simulate(ctx context.Context, p measure.Point, mapper *latencies.Mapper) outcome {
	warps := (p.GroupSize + b.device.WarpSize - 1) / b.device.WarpSize
	resident := int64(max(p.WarpsPerUnit/max(warps, 1), 1))
	if p.Class.Kind == measure.Placement {
		resident = 1
	}
	g, n, err := b.graph(p)
	if err != nil {
		return outcome{err: err}
	}
	m, err := mapper.Map(g)
	if err != nil {
		return outcome{err: err}
	}
	r, err := simulate.Run(ctx, g, m, simulate.Config{Groups: int64(p.Groups), Concurrent: resident, Full: true})
	if err != nil {
		return outcome{err: err}
	}
	if limit := b.device.Limits.Warps; limit > 0 && r.OccupancyWarps > limit {
		return outcome{err: diag.Errorf(diag.Pos{}, "SYNTHETIC",
			"%d warps are more than a compute unit of %s holds (%d)",
			r.OccupancyWarps, b.device.Title, limit)}
	}
	return outcome{instructions: n, seconds: r.Seconds}
}

// Entry is what the device file has for the instruction of a class: what a fit should find.
func (b *Bench) Entry(c measure.Class) (latencies.Entry, error) {
	g, _, err := b.graph(measure.Point{Class: c, Chains: 1, GroupSize: b.device.WarpSize, Groups: 1, WarpsPerUnit: 1,
		Instructions: 1})
	if err != nil {
		return latencies.Entry{}, err
	}
	m, err := b.mapper.Map(g)
	if err != nil {
		return latencies.Entry{}, err
	}
	for i := range g.Instrs() {
		if g.Instrs()[i].Op == c.Op {
			return m.Entries[i], nil
		}
	}
	return latencies.Entry{}, fmt.Errorf("the graph of %s has no %s", c.Name, c.Op)
}
