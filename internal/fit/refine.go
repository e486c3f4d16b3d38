package fit

import (
	"math"

	"gpupipe/internal/measure"
	"gpupipe/latencies"
)

// belowRidge is the share of the ridge up to which latency alone decides, whatever goes first.
const belowRidge = 0.7

// mostMisfit is how far, in standard deviations, the loss of a formula may be above that of noise.
const mostMisfit = 3

// refine finds λ by simulation where some warps go first and a formula misses the medians by more than the
// noise. Λ is what launches below the ridge take. Which warps go first is what agrees best with all these
// classes.
func (r *Result) refine() error {
	if !r.Machine.Priority || r.Machine.Partitions == 1 {
		return nil
	}
	var all []*trials
	for i := range r.Classes {
		c := &r.Classes[i]
		if c.Refused != "" || c.Kind != measure.Chain || c.CPI.Bound || c.misfit < mostMisfit {
			continue
		}
		c.settleLatency(&r.Machine)
		if t := newTrials(r, c); len(t.points) >= leastPoints {
			all = append(all, t)
		}
	}
	best, next := math.Inf(1), math.Inf(1)
	var chosen []Hull
	scheduler := latencies.Scheduler(0)
	for _, s := range schedulers {
		total, hulls, err := searchAll(all, s)
		if err != nil {
			return err
		}
		if total < best {
			best, next, chosen, scheduler = total, best, hulls, s
		} else {
			next = min(next, total)
		}
	}
	if next-best > informative/2 {
		r.Machine.Scheduler = scheduler
	}
	for i, t := range all {
		if err := t.settle(chosen[i], scheduler); err != nil {
			return err
		}
	}
	return nil
}

// searchAll finds the curves of all classes with a scheduler, coarsely, and their loss.
func searchAll(all []*trials, scheduler latencies.Scheduler) (total float64, hulls []Hull, err error) {
	for _, t := range all {
		best := math.Inf(1)
		var found Hull
		for _, partitioned := range []bool{false, true} {
			h := t.class.Hull
			h.Partitioned = partitioned
			if partitioned {
				h.Queue = 0
			}
			h, _, loss, err := t.search(h, scheduler, coarse)
			if err != nil {
				return 0, nil, err
			}
			if loss < best {
				best, found = loss, h
			}
		}
		total, hulls = total+best, append(hulls, found)
	}
	return total, hulls, nil
}

// settle finds λ exactly and makes the simulated times the curve of the class.
func (t *trials) settle(h Hull, scheduler latencies.Scheduler) error {
	c := t.class
	h, spread, _, err := t.search(h, scheduler, fine)
	if err != nil {
		return err
	}
	c.Hull, c.CPI.Value, c.CPI.Error = h, h.CPI, max(spread, c.CPI.Error)
	c.judge()
	return c.simulate(t, scheduler)
}

// settleLatency fits Λ, and what load adds to it, to the launches below the ridge.
func (c *Class) settleLatency(m *Machine) {
	var below []observation
	most := belowRidge * c.Hull.Ridge()
	for _, o := range c.used {
		warps, chains := float64(o.warps), float64(o.chains)
		if c.Hull.Partitioned {
			warps = math.Ceil(warps/float64(m.Partitions)) * float64(m.Partitions)
		}
		if warps*chains <= most {
			below = append(below, o)
		}
	}
	if len(below) < leastPoints {
		return
	}
	h := c.Hull
	at := func(theta []float64, o *observation) float64 {
		h.Latency = math.Exp(theta[0])
		if len(theta) > 1 {
			h.Load.Queueing = math.Exp(theta[1])
		}
		return h.alone(Occupancy{o.warps, o.chains, o.every, o.start}) + o.start
	}
	start := []float64{math.Log(h.Latency)}
	if h.Load.Queueing > 0 {
		start = append(start, math.Log(h.Load.Queueing))
	}
	s := solve(at, start, below)
	c.Hull.Latency = math.Exp(s.theta[0])
	if len(s.theta) > 1 {
		c.Hull.Load.Queueing = math.Exp(s.theta[1])
	}
	c.Latency = Number{Value: c.Hull.Latency, Error: confidence * s.errors[0]}
}

// simulate makes the simulated times the curve of the class.
func (c *Class) simulate(t *trials, scheduler latencies.Scheduler) error {
	b, err := t.bench(c.Hull, scheduler)
	if err != nil {
		return err
	}
	times := map[configuration]float64{}
	for i := range t.points {
		o := &t.points[i]
		x, err := t.time(b, o)
		if err != nil {
			return err
		}
		times[o.configuration()] = x
	}
	formula := c.curve
	c.curve = func(o *observation) float64 {
		if x, ok := times[o.configuration()]; ok {
			return x
		}
		return formula(o)
	}
	var simulated []observation
	for _, o := range c.used {
		if _, ok := times[o.configuration()]; ok {
			simulated = append(simulated, o)
		}
	}
	c.Residual = deviation(func(_ []float64, o *observation) float64 { return c.curve(o) }, nil, simulated)
	return nil
}
