package fit

import (
	"context"
	"fmt"
	"math"
	"slices"

	"gpupipe/internal/measure"
	"gpupipe/internal/measure/synthetic"
	"gpupipe/latencies"
)

// Where some warps go first and sub-cores share a subsystem, warps are served in an order that no formula
// tells: what the times follow from is found by simulating them.

// schedulers are those with which some warps go first.
var schedulers = []latencies.Scheduler{latencies.Oldest, latencies.GreedyThenOldest, latencies.GreedyThenYoungest}

// steps are a search for λ: from so much less to so much more of the best one, relative, in steps of a size.
type steps struct{ less, more, size float64 }

var (
	coarse = []steps{{0.32, 0.24, 0.08}, {0.06, 0.06, 0.02}}
	fine   = []steps{{0.015, 0.015, 0.005}}
)

// mostSimulated bounds the launches that are simulated for one λ.
const mostSimulated = 20

// trials simulates the launches of one class that depend on λ.
type trials struct {
	device  measure.Properties
	machine Machine
	class   *Class
	points  []observation // medians
	scatter float64
}

// newTrials takes launches of a class near its ridge and beyond, spread over all of them.
func newTrials(r *Result, c *Class) *trials {
	list, noise := medians(c.used)
	t := &trials{device: r.Device, machine: r.Machine, class: c, scatter: max(noise*math.Sqrt(math.Pi/2*float64(len(list))/float64(len(c.used))), leastScatter)}
	list = slices.DeleteFunc(list, func(o observation) bool {
		return o.every != 1 || float64(o.warps*o.chains) < belowRidge*c.Hull.Ridge()
	})
	stride := max(float64(len(list))/mostSimulated, 1)
	for at := 0.0; int(at) < len(list); at += stride {
		t.points = append(t.points, list[int(at)])
	}
	return t
}

// exact is a time as the simulator takes it, to 1/10,000 cycle.
func exact(x float64) latencies.Cycles {
	c, err := latencies.NewCycles(int64(math.Round(x*1e4)), 1e4)
	if err != nil {
		return latencies.Cycles{}
	}
	return c
}

// loss is how badly a curve on a device with the scheduler agrees with what was measured.
func (t *trials) loss(h Hull, scheduler latencies.Scheduler) (float64, error) {
	b, err := t.bench(h, scheduler)
	if err != nil {
		return 0, err
	}
	loss := 0.0
	for i := range t.points {
		o := &t.points[i]
		x, err := t.time(b, o)
		if err != nil {
			return 0, err
		}
		loss += huberOf(math.Log(o.time/x) / t.scatter)
	}
	return loss, nil
}

// time is what a launch takes, as an observation has it.
func (t *trials) time(b *synthetic.Bench, o *observation) (float64, error) {
	x, err := b.Time(context.Background(), measure.Point{
		Class: t.class.Class, Chains: o.chains, GroupSize: o.groupWarps * t.device.WarpSize, Groups: o.warps / o.groupWarps, WarpsPerUnit: o.warps,
		Instructions: 1 << 20,
	})
	if err != nil {
		return 0, err
	}
	return x.Seconds*t.device.ClockMHz*1e6/float64(x.Instructions) + o.start, nil
}

// bench is a device that has the class's instruction and nothing else.
func (t *trials) bench(h Hull, scheduler latencies.Scheduler) (*synthetic.Bench, error) {
	d := &latencies.Device{
		Name: "trial", Title: "trial", ComputeUnits: t.device.ComputeUnits, ClockHz: int64(t.device.ClockMHz * 1e6), WarpSize: t.device.WarpSize,
		Partitions: t.machine.Partitions, IssueInterval: exact(t.machine.Interval), Scheduler: scheduler,
		Subsystems:   []latencies.Subsystem{{Name: "unit", Partitioned: h.Partitioned, Queue: h.Queue}},
		Instructions: []latencies.Instruction{{Match: t.class.Op, Timing: latencies.Timing{CPI: exact(h.CPI), Latency: exact(h.Latency)}}},
		Memory:       latencies.Memory{SegmentBytes: usualSegment, SegmentLanes: t.device.WarpSize, LocalBanks: usualBanks, LocalBankBytes: bankBytes, LocalLanes: t.device.WarpSize},
	}
	if h.Load.Queueing > 0 {
		d.Memory.Contention = &latencies.Contention{
			Unloaded: exact(h.Latency), Queueing: exact(h.Load.Queueing),
			Capacity: exact(float64(d.ComputeUnits*d.WarpSize*max(t.class.Param, 4)) * t.device.ClockMHz / 1e3 / h.Load.Access),
		}
	}
	rule, err := latencies.ParseRule(fmt.Sprintf("%s:cpi=%v,latency=%v", t.class.Op, exact(h.CPI), exact(h.Latency)))
	if err != nil {
		return nil, err
	}
	return synthetic.New(d, synthetic.Disturbance{}, rule)
}

// search finds the λ with the least loss, and half the range, relative, in which the loss hardly differs.
func (t *trials) search(h Hull, scheduler latencies.Scheduler, plan []steps) (found Hull, spread, least float64, err error) {
	tried := map[float64]float64{}
	at := func(x float64) float64 {
		if l, ok := tried[x]; ok || err != nil {
			return l
		}
		h.CPI = x
		var l float64
		l, err = t.loss(h, scheduler)
		tried[x] = l
		return l
	}
	cpi := h.CPI
	least = at(cpi)
	for _, s := range plan {
		middle := cpi
		for x := middle * (1 - s.less); x < middle*(1+s.more); x += middle * s.size {
			if at(x) < least {
				cpi, least = x, at(x)
			}
		}
	}
	low, high := cpi, cpi
	for x, l := range tried {
		if l < least+informative/2 {
			low, high = min(low, x), max(high, x)
		}
	}
	h.CPI = (low + high) / 2
	return h, (high - low) / 2 / h.CPI, least, err
}
