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
	device      *latencies.Device
	mapper      *latencies.Mapper
	disturbance Disturbance
	known       map[launch]outcome
}

var _ measure.Bench = (*Bench)(nil)

// A chain goes on as it began: longer launches take what the shorter one of two simulated ones takes, and
// for each instruction more the difference of the two. Most of the device's rates become steady within
// some dozen instructions of a chain.
const (
	shorter, longer  = 512, 1024
	mostInstructions = 1 << 24
)

// launch is a point that can be a key.
type launch struct {
	class                       string
	chains, size, groups, warps int
	instructions                int64
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
	return &Bench{device: d, mapper: m, disturbance: x, known: map[launch]outcome{}}, nil
}

// Properties are those of the device file.
func (b *Bench) Properties() measure.Properties {
	d := b.device
	p := measure.Properties{
		Name: d.Title, Vendor: d.Vendor, Driver: "synthetic", API: "simulator", Capability: d.Capability,
		ComputeUnits: d.ComputeUnits, ClockMHz: b.clock(), WarpSize: d.WarpSize,
		MaxGroupSize: int(d.Limits.GroupWorkItems), MaxWarps: int(d.Limits.Warps), MaxGroups: int(d.Limits.Groups),
		LocalBytes: int(d.Limits.LocalBytesPerGroup), LocalBytesPerUnit: int(d.Limits.LocalBytes), Registers: int(d.Limits.Registers),
		GlobalBytes: 1 << 33, MaxBufferBytes: 1 << 31, Features: "half double shuffle",
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
	for _, s := range []string{".l1", ".l2"} {
		if strings.HasSuffix(c.Name, s) {
			return "synthetic devices have no caches"
		}
	}
	if strings.HasPrefix(c.Name, "atomic.") {
		return "synthetic devices have no atomics"
	}
	for _, op := range ops(c) {
		if _, ok := b.mapper.Timing(op); !ok {
			return fmt.Sprintf("%s has no entry for %s", b.device.Title, op)
		}
	}
	return ""
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
	if p.Instructions <= longer || p.Class.Kind == measure.Launch {
		return b.once(ctx, p, p.Instructions)
	}
	few, many := b.once(ctx, p, shorter), b.once(ctx, p, longer)
	if few.err != nil || many.err != nil {
		return outcome{err: cmp.Or(few.err, many.err)}
	}
	step := b.perIteration(p)
	n := min(p.Instructions, mostInstructions) / step * step
	slope := (many.seconds - few.seconds) / float64(many.instructions-few.instructions)
	return outcome{instructions: n, seconds: few.seconds + slope*float64(n-few.instructions)}
}

// once is a launch of so many instructions, which is simulated once.
func (b *Bench) once(ctx context.Context, p measure.Point, instructions int64) outcome {
	p.Instructions = instructions
	key := launch{p.Class.Name, p.Chains, p.GroupSize, p.Groups, p.WarpsPerUnit, instructions}
	o, ok := b.known[key]
	if !ok {
		o = b.simulate(ctx, p)
		if !errors.Is(o.err, context.Canceled) && !errors.Is(o.err, context.DeadlineExceeded) {
			b.known[key] = o
		}
	}
	return o
}

// simulate executes a launch.
func (b *Bench) simulate(ctx context.Context, p measure.Point) outcome {
	warps := (p.GroupSize + b.device.WarpSize - 1) / b.device.WarpSize
	resident := int64(max(p.WarpsPerUnit/max(warps, 1), 1))
	if p.Class.Kind == measure.Placement {
		resident = 1
	}
	g, n, err := b.graph(p)
	if err != nil {
		return outcome{err: err}
	}
	m, err := b.mapper.Map(g)
	if err != nil {
		return outcome{err: err}
	}
	r, err := simulate.Run(ctx, g, m, simulate.Config{Groups: int64(p.Groups), Concurrent: resident, Full: true})
	if err != nil {
		return outcome{err: err}
	}
	if limit := b.device.Limits.Warps; limit > 0 && r.OccupancyWarps > limit {
		return outcome{err: diag.Errorf(diag.Pos{}, "SYNTHETIC", "%d warps are more than a compute unit of %s holds (%d)", r.OccupancyWarps, b.device.Title, limit)}
	}
	return outcome{instructions: n, seconds: r.Seconds}
}

// Entry is what the device file has for the instruction of a class: what a fit should find.
func (b *Bench) Entry(c measure.Class) (latencies.Entry, error) {
	g, _, err := b.graph(measure.Point{Class: c, Chains: 1, GroupSize: b.device.WarpSize, Groups: 1, WarpsPerUnit: 1, Instructions: 1})
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
