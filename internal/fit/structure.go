package fit

import (
	"math"
	"slices"

	"gpupipe/idg/isa"
	"gpupipe/internal/measure"
)

// A device's sub-cores and schedulers show in the form of all its curves together. Each form is fitted
// to the medians of the repetitions, and the one with the least loss is taken.

// partitions are the numbers of sub-cores that are tried.
var partitions = []int{1, 2, 4, 8}

// leastScatter is the relative standard deviation of a median below which a curve is not expected to fit.
const leastScatter = 0.005

// queues are the places in front of a shared subsystem that are tried, where some warps go first.
var queues = []int{0, 1, 2, 3, 4, 5, 6, 8}

// shape is one way to fit a class.
type shape struct {
	partitioned, interval, load bool
	queue                       int
}

// curve is that of a shape on a machine: of λ, Λ and, if it has them, the interval or b and s of the load.
func (s shape) curve(m *Machine) curve {
	return func(theta []float64, o *observation) float64 {
		h := s.hull(m, theta)
		return h.Time(m, Occupancy{o.warps, o.chains, o.every, o.start})
	}
}

func (s shape) hull(m *Machine, theta []float64) Hull {
	h := Hull{CPI: math.Exp(theta[0]), Latency: math.Exp(theta[1]), Interval: m.Interval, Partitioned: s.partitioned, Queue: s.queue}
	switch {
	case s.interval:
		h.Interval = math.Exp(theta[2])
	case s.load:
		h.Load = Load{Queueing: math.Exp(theta[2]), Access: math.Exp(theta[3])}
	}
	return h
}

// start is a first guess: W·λ and Λ/k are no more than any time.
func (s shape) start(all []observation) []float64 {
	cpi, latency, interval := math.Inf(1), math.Inf(1), math.Inf(1)
	for i := range all {
		o := &all[i]
		cpi = min(cpi, o.time/float64(o.warps))
		latency = min(latency, o.time*float64(o.chains))
		interval = min(interval, o.time)
	}
	theta := []float64{math.Log(cpi), math.Log(latency)}
	switch {
	case s.interval:
		theta = append(theta, math.Log(interval))
	case s.load: // b of V16's devices is about a tenth of Λ, c somewhat more than what is reached
		theta = append(theta, math.Log(latency/10), math.Log(cpi*0.9))
	}
	return theta
}

// trial is a class with the shape that fits it best on a machine.
type trial struct {
	shape shape
	theta []float64
	loss  float64 // and informative for each parameter
}

// shapes are the ways to fit a class on a machine.
func shapes(m *Machine, class measure.Class, intervals bool) []shape {
	list := []shape{{}}
	if intervals {
		list = append(list, shape{interval: true})
	}
	if isa.Parse(class.Op).DeviceMemory() {
		list = append(list, shape{load: true})
	}
	if m.Partitions == 1 {
		return list
	}
	list = append(list, shape{partitioned: true})
	if intervals {
		list = append(list, shape{partitioned: true, interval: true})
	}
	if m.Priority {
		for _, n := range queues[1:] {
			list = append(list, shape{queue: n})
		}
	}
	return list
}

// try fits the medians of a class with the shapes that a machine allows.
func try(m *Machine, class measure.Class, list []observation, scatter float64, intervals bool) trial {
	best := trial{loss: math.Inf(1)}
	for _, s := range shapes(m, class, intervals) {
		c := s.curve(m)
		theta := minimize(func(t []float64) float64 { return huberLoss(c, t, list, scatter) }, s.start(list))
		loss := huberLoss(c, theta, list, scatter) + informative/2*float64(len(theta)-2)
		if s.queue > 0 {
			loss += informative / 2
		}
		if loss < best.loss {
			best = trial{s, theta, loss}
		}
	}
	return best
}

// tried is a class as the machines are tried with it.
type tried struct {
	measure.Class
	medians []observation
	scatter float64
}

// findMachine chooses the form of the curves of all classes.
func findMachine(list []*data) Machine {
	var classes []tried
	for _, d := range list {
		if d.class.Kind != measure.Chain || len(d.all) == 0 {
			continue
		}
		m, noise := medians(d.all)
		repetitions := float64(len(d.all)) / float64(len(m))
		// A median scatters √(π/2) times as much as a mean.
		classes = append(classes, tried{d.class, m, max(noise*math.Sqrt(math.Pi/2/repetitions), leastScatter)})
	}
	best, least := Machine{Partitions: 1}, math.Inf(1)
	for _, p := range partitions {
		for _, priority := range []bool{false, true} {
			m := Machine{Partitions: p, Priority: priority}
			loss, intervals := m.lossOf(classes, true)
			if len(intervals) > 0 { // an interval is one of the device, or none
				m.Interval = agreed(intervals, len(classes))
				loss, _ = m.lossOf(classes, false)
			}
			if loss < least-informative/2 {
				best, least = m, loss
			}
		}
	}
	return best
}

// lossOf is the loss of all classes on a machine, and the intervals of those that fit better with one, if
// these are looked for.
func (m *Machine) lossOf(classes []tried, look bool) (loss float64, intervals []float64) {
	for _, c := range classes {
		t := try(m, c.Class, c.medians, c.scatter, look)
		loss += t.loss
		if t.shape.interval {
			intervals = append(intervals, math.Exp(t.theta[2]))
		}
	}
	return loss, intervals
}

// agreed is the interval that most classes which have one agree on; 0 if hardly any has one.
func agreed(found []float64, classes int) float64 {
	if len(found)*5 < classes || len(found) < 2 {
		return 0
	}
	m := median(slices.Clone(found))
	near := 0
	for _, x := range found {
		if math.Abs(x/m-1) < 0.1 {
			near++
		}
	}
	if 2*near < len(found) {
		return 0
	}
	return m
}
