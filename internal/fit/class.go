package fit

import (
	"math"
	"slices"
	"strings"

	"gpupipe/internal/measure"
)

// Number is a parameter that was found.
type Number struct {
	Value float64
	Error float64 // half the 95% interval, relative
	Bound bool    // the samples tell only that it is at most Value, of the issue limit at least
	Why   string  // what hides it, if Bound
}

// Class is what was found of one instruction class.
type Class struct {
	measure.Class
	CPI, Latency Number // λ and Λ, cycles
	Hull         Hull
	Residual     float64 // standard deviation of the samples around the curve, relative
	Noise        float64 // and around the medians of their repetitions
	Counts       Counts
	Refused      string // why nothing of it is written; "" = it is
	Note         string // what was assumed

	apart    string  // why samples are left out
	reached  float64 // least cycles between two instructions of a compute unit, at the largest occupancy
	all      []observation
	used     []observation                // without outliers
	launches int                          // that differ
	misfit   float64                      // of the medians to the curve, beyond noise: standard deviations of the loss
	missed   float64                      // standard deviation of that, relative
	curve    func(o *observation) float64 // that was fitted
}

// hiddenAt stands for a number that is left out of a curve, as a logarithm.
const hiddenAt = -40

// fitClass fits one class on a machine.
func fitClass(m *Machine, d *data) Class {
	c := Class{Class: d.class, Counts: d.counts, apart: d.apart}
	if len(d.all) == 0 {
		c.Refused = d.unused()
		return c
	}
	list, noise := medians(d.all)
	scatter := scatterOf(noise, len(d.all), len(list))
	t := try(m, d.class, list, scatter, false)
	f := t.shape.curve(m)
	c.compare(f, t.theta, list, scatter)
	s := solve(f, t.theta, d.all)
	c.take(f, s, noise, t.shape.hull(m, s.theta), len(list))
	c.all = d.all
	if d.halved {
		c.Note = "several chains take half of it: two in one instruction"
	}
	for _, o := range list { // in the order of chains, then warps
		c.reached = o.time / float64(o.warps)
	}
	return c
}

// take has the numbers of a solution.
func (c *Class) take(f curve, s solution, noise float64, h Hull, launches int) {
	c.used, c.Residual, c.Noise = s.used, s.sigma, noise
	c.curve = func(o *observation) float64 { return f(s.theta, o) }
	c.Counts.Used, c.Counts.Outliers = len(s.used), c.Counts.Outliers+s.outliers
	c.Hull, c.launches = h, launches
	c.CPI = Number{Value: h.CPI, Error: confidence * s.errors[0]}
	c.Latency = Number{Value: h.Latency, Error: confidence * s.errors[1]}
	c.findHidden(f, s)
}

// unused says why a class has no sample.
func (d *data) unused() string {
	if d.reason == "" {
		return "no sample can be used"
	}
	return d.reason
}

// chance is the misfit up to which it may be noise.
const chance = 3

// compare finds by how much a curve misses medians with a scatter beyond what noise alone gives.
func (c *Class) compare(f curve, theta []float64, list []observation, scatter float64) {
	half := float64(len(list)) / 2
	c.misfit, c.missed = (huberLoss(f, theta, list, scatter)-half)/math.Sqrt(half), 0
	if c.misfit > chance {
		c.missed = scatter * math.Sqrt(c.misfit/math.Sqrt(half))
	}
}

// widen adds what the curve misses of the samples beyond their noise to the errors.
func (c *Class) widen() {
	for _, n := range []*Number{&c.CPI, &c.Latency} {
		n.Error = math.Hypot(n.Error, confidence*c.missed)
	}
}

// findHidden replaces numbers that the samples do not tell by bounds.
func (c *Class) findHidden(f curve, s solution) {
	told := func(p int) bool {
		without := func(t []float64) []float64 {
			u := slices.Clone(s.theta)
			u[1-p], u[p] = t[0], hiddenAt
			return u
		}
		other := minimize(func(t []float64) float64 { return huberLoss(f, without(t), s.used, s.sigma) },
			[]float64{s.theta[1-p]})
		return 2*(huberLoss(f, without(other), s.used, s.sigma)-s.loss) > informative
	}
	cpi, latency := math.Inf(1), math.Inf(1) // W·λ and Λ/k are no more than any time
	for i := range s.used {
		o := &s.used[i]
		at := f(s.theta, o)
		cpi = min(cpi, at/float64(o.warps))
		latency = min(latency, at*float64(o.chains))
	}
	if !told(0) {
		c.CPI = Number{Value: cpi, Bound: true, Why: "no occupancy shows the throughput: all curves are flat"}
		if c.Hull.Load.Queueing > 0 {
			c.CPI.Why = "what load adds to the latency explains the throughput as well"
		}
		c.Hull.CPI = cpi
	}
	alike := math.IsInf(s.errors[1], 1)
	if alike || !told(1) {
		c.Latency = Number{Value: latency, Bound: true,
			Why: "one warp alone is bound by throughput, with one chain as with several"}
		c.Hull.Latency = latency
	}
	if alike {
		c.Latency.Why = "what load adds to the latency explains the times of few warps as well"
	}
}

// nearlyClocked is by how much, relative, a number may differ from whole cycles: a microbenchmark's loop takes up to so
// much besides its instructions.
const nearlyClocked = 0.015

// clocked makes λ of a sub-core's unit and Λ of what a compute unit executes alone whole cycles, where they nearly are:
// units accept and return instructions at the edges of one clock.
func (c *Class) clocked(m *Machine) {
	if strings.Contains(c.Op, ".global") || c.Refused != "" {
		return
	}
	units := 1.0
	if c.Hull.Partitioned {
		units = float64(m.Partitions)
	}
	c.CPI.round(units)
	c.Latency.round(1)
}

// round makes n of units a whole number, if it is nearly one.
func (n *Number) round(units float64) {
	whole := math.Round(n.Value * units)
	if off := math.Abs(n.Value*units/whole - 1); !n.Bound && whole > 0 && off <= nearlyClocked {
		n.Value, n.Error = whole/units, max(n.Error, off)
	}
}
