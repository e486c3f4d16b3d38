package fit

import (
	"math"
	"slices"
	"strings"

	"gpupipe/internal/measure"
)

// A device's sub-cores and schedulers show in the form of all its curves together. Each form is fitted
// to the medians of the repetitions, and the one with the least loss is taken.

// partitions are the numbers of sub-cores that are tried.
var partitions = []int{1, 2, 4, 8}

// leastScatter is the relative standard deviation of a median below which a curve is not expected to fit.
const leastScatter = 0.005

// scatterOf is the standard deviation of the medians of so many samples: √(π/2) times that of means.
func scatterOf(noise float64, samples, medians int) float64 {
	return max(noise*math.Sqrt(math.Pi/2*float64(medians)/float64(samples)), leastScatter)
}

// scanned is the step in which Λ/λ is looked for by a formula, in the finest ones.
const scanned = 8

// queues are the places in front of a shared subsystem that are tried, where some warps go first.
var queues = []int{0, 1, 2, 3, 4, 5, 6, 8}

// shape is one way to fit a class.
type shape struct {
	partitioned, interval, load, even bool
	queue                             int
}

// curve is that of a shape on a machine: of λ, Λ and, if it has them, the interval or b and s of the load.
func (s shape) curve(m *Machine) curve {
	var h Hull
	var of []float64 // what h is of: all observations are asked one after the other
	return func(theta []float64, o *observation) float64 {
		if !slices.Equal(of, theta) {
			of, h = append(of[:0], theta...), s.hull(m, theta)
		}
		return h.Time(m, o.configuration, o.start)
	}
}

func (s shape) hull(m *Machine, theta []float64) Hull {
	h := Hull{CPI: math.Exp(theta[0]), Latency: math.Exp(theta[1]), Interval: m.Interval, Partitioned: s.partitioned,
		Even: s.even, Queue: s.queue}
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
	if class.OfDeviceMemory() && class.Kind == measure.Chain {
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
		if class.Sequence() {
			list = append(list, shape{even: true}, shape{even: true, partitioned: true})
		}
	}
	return list
}

// try fits the medians of a class with the shapes that a machine allows.
func try(m *Machine, class measure.Class, list []observation, scatter float64, intervals bool) trial {
	best := trial{loss: math.Inf(1)}
	for _, s := range shapes(m, class, intervals) {
		c, theta := s.curve(m), s.start(list)
		if m.Priority && !s.even && len(theta) == 2 {
			theta = s.scan(m, theta, list, scatter)
		} else {
			theta = minimize(func(t []float64) float64 { return huberLoss(c, t, list, scatter) }, theta)
		}
		loss := huberLoss(c, theta, list, scatter) + informative/2*float64(len(theta)-2)
		if s.queue > 0 || s.even {
			loss += informative / 2
		}
		if loss < best.loss {
			best = trial{s, theta, loss}
		}
	}
	return best
}

// scan finds λ and Λ where some warps go first: there the curve jumps with Λ/λ.
func (s shape) scan(m *Machine, start []float64, list []observation, scatter float64) []float64 {
	h := Hull{CPI: 1, Partitioned: s.partitioned, Queue: s.queue}
	interval := m.Interval / math.Exp(start[1])
	r := ratios{list: list, scatter: scatter, relative: func(x float64, o *observation) (float64, error) {
		h.Latency, h.Interval = x, x*interval
		return h.Time(m, o.configuration, 0), nil
	}}
	guess, unit := math.Exp(start[1]-start[0]), m.unit(s.partitioned)
	best, _ := r.best(spread(guess*0.7, guess*3, scanned, unit)) // of a formula, which has no errors
	best, _ = r.best(spread(best.x*0.96, best.x*1.04, 2, unit))
	return []float64{math.Log(best.cpi), math.Log(best.cpi * best.x)}
}

// mostTried bounds the classes that the machines are tried with; all have the same form.
const mostTried = 16

// tried is a class as the machines are tried with it.
type tried struct {
	measure.Class
	medians []observation
	scatter float64
}

// form is a machine and what all classes lose on it.
type form struct {
	Machine
	loss float64
}

// findMachine chooses the form of the curves of all classes.
func findMachine(list []*data) Machine {
	var classes []tried
	for _, d := range list {
		if d.class.Kind != measure.Chain || len(d.all) == 0 || strings.Contains(d.class.Op, ".global") {
			continue // memory beyond a compute unit answers in an order of its own
		}
		m, noise := medians(d.all)
		classes = append(classes, tried{d.class, m, scatterOf(noise, len(d.all), len(m))})
	}
	classes = some(classes, mostTried)
	found := make([][]form, 2*len(partitions))
	each(len(found), func(i int) {
		m := Machine{Partitions: partitions[i/2], Priority: i%2 == 1}
		_, intervals := m.lossOf(classes, true)
		for _, m.Interval = range append([]float64{0}, intervals...) { // one of the device, or none
			loss, _ := m.lossOf(classes, false)
			if m.Interval > 0 {
				loss += informative / 2
			}
			found[i] = append(found[i], form{m, loss})
		}
	})
	best := form{Machine{Partitions: 1}, math.Inf(1)}
	for _, f := range slices.Concat(found...) {
		if f.loss < best.loss-informative/2 {
			best = f
		}
	}
	return best.Machine
}

// lossOf is the loss of all classes on a machine, and the intervals to try, if these are looked for: what the
// classes that fit better with one have in the middle, and what the one has that does most so.
func (m *Machine) lossOf(classes []tried, look bool) (loss float64, intervals []float64) {
	most, of := 0.0, 0.0
	for _, c := range classes {
		t := try(m, c.Class, c.medians, c.scatter, false)
		if look {
			if u := try(m, c.Class, c.medians, c.scatter, true); u.shape.interval {
				intervals = append(intervals, whole(math.Exp(u.theta[2])))
				if gain := t.loss - u.loss; gain > most {
					most, of = gain, intervals[len(intervals)-1]
				}
			}
		}
		loss += t.loss
	}
	if len(intervals) > 0 {
		intervals = slices.Compact([]float64{median(intervals), of})
	}
	return loss, intervals
}

// whole is a time between issues in cycles: schedulers work by these.
func whole(x float64) float64 {
	if n := math.Round(x); n > 0 && math.Abs(x/n-1) < nearlyWhole {
		return n
	}
	return x
}

// nearlyWhole is by how much, relative, an interval may differ from whole cycles.
const nearlyWhole = 0.05
