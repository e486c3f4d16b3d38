package fit

import (
	"cmp"
	"math"
	"slices"

	"gpupipe/internal/measure"
)

// steady is by how much, relative to it, a clock may differ after a launch.
const steady = 0.01

// Counts says what became of the samples of a class.
type Counts struct {
	Used     int
	Marked   int // by the measuring program
	Moved    int // the clock was another after the launch
	Outliers int // too far from the curve
	Apart    int // of something else than the class is about (measure.Properties.Apart)
}

// data is what was measured of one class.
type data struct {
	class  measure.Class
	all    []observation
	counts Counts
	reason string // why there is nothing, if so
	apart  string // why some samples are left out
	halved bool   // several chains take half the time of one
}

// converter turns samples into observations.
type converter struct {
	device measure.Properties
	launch launch
}

// launch is what launches that do nothing take: so many seconds, and for each group of a compute unit
// beyond the first so many more.
type launch struct {
	seconds, perGroup float64
	error             float64 // half the 95% interval of seconds, relative
}

// readings are the samples by class, in the order of the classes.
func readings(device measure.Properties, samples []measure.Sample) (list []*data, empty launch, replacement Number) {
	by := map[string]*data{}
	for _, class := range measure.Classes() {
		d := &data{class: class}
		by[class.Name] = d
		list = append(list, d)
	}
	c := converter{device: device}
	c.launch = c.findLaunch(samples)
	for _, s := range samples {
		if d := by[s.Class]; d != nil {
			c.add(d, s)
		}
	}
	return list, c.launch, c.findReplacement(samples)
}

// findLaunch fits the launches that do nothing.
func (c *converter) findLaunch(samples []measure.Sample) launch {
	var all []observation
	most := 0
	for _, s := range samples {
		if s.Class == "launch" && s.Marked == "" && !s.Skipped() && !moved(s) {
			all = append(all, observation{configuration{warps: s.Groups}, 0, s.Seconds})
			most = max(most, s.Groups)
		}
	}
	if len(all) == 0 {
		return launch{}
	}
	line := func(theta []float64, o *observation) float64 {
		x := math.Exp(theta[0])
		if len(theta) > 1 {
			x += math.Exp(theta[1]) * float64(o.warps-1)
		}
		return x
	}
	least := math.Inf(1)
	for _, o := range all {
		least = min(least, o.time)
	}
	start := []float64{math.Log(least)}
	if most > 1 {
		start = append(start, math.Log(least/100))
	}
	s := solve(line, start, all)
	l := launch{seconds: math.Exp(s.theta[0]), error: confidence * s.errors[0]}
	if len(s.theta) > 1 {
		l.perGroup = math.Exp(s.theta[1])
	}
	return l
}

// findReplacement fits what lies between the end of a group and the start of the one that replaces it, cycles:
// launches of several times the groups that are resident together take as many times as long, and that between.
func (c *converter) findReplacement(samples []measure.Sample) Number {
	var all []observation
	most := 0
	for _, s := range samples {
		if s.Class != "replacement" || s.Marked != "" || s.Skipped() || moved(s) {
			continue
		}
		warp := max(c.device.WarpSize, 1)
		resident := max(s.WarpsPerUnit*warp/max(s.GroupSize, 1), 1)
		o := observation{configuration{warps: max(s.Groups/resident, 1)}, 0, c.beyondLaunch(s)}
		if s.Cycles == 0 {
			o.start = c.launch.perGroup * c.clock(s) * float64(min(s.Groups, resident)-1)
		}
		if o.time > o.start {
			all, most = append(all, o), max(most, o.warps)
		}
	}
	if most < 2 {
		return Number{}
	}
	waves := func(theta []float64, o *observation) float64 {
		t := math.Exp(theta[0])*float64(o.warps) + o.start
		if len(theta) > 1 {
			t += math.Exp(theta[1]) * float64(o.warps-1)
		}
		return t
	}
	least := math.Inf(1)
	for _, o := range all {
		least = min(least, o.time/float64(o.warps))
	}
	none := solve(waves, []float64{math.Log(least)}, all)
	s := solve(waves, []float64{math.Log(least), math.Log(least / 10)}, all)
	n := Number{Value: math.Exp(s.theta[1]), Error: confidence * s.errors[1]}
	told := huberLoss(waves, none.theta, s.used, s.sigma) - huberLoss(waves, s.theta, s.used, s.sigma)
	if 2*told < informative || !(n.Error <= mostErrorOfReplacement) {
		return Number{Value: least * s.sigma, Bound: true, Why: "the samples scatter by as much"}
	}
	return n
}

// mostErrorOfReplacement is half the widest 95% interval of it, relative, with which it is written.
const mostErrorOfReplacement = 0.2

// moved reports whether the clock was another after the launch.
func moved(s measure.Sample) bool {
	return s.ClockBefore > 0 && s.ClockAfter > 0 && math.Abs(s.ClockAfter/s.ClockBefore-1) > steady
}

// add converts one sample, or counts why it is left out.
func (c *converter) add(d *data, s measure.Sample) {
	switch {
	case s.Skipped():
		d.reason = s.Marked
		return
	case s.Marked != "":
		d.counts.Marked++
		return
	case moved(s):
		d.counts.Moved++
		return
	}
	if why := c.device.Apart(s); why != "" {
		d.counts.Apart++
		d.apart = why
		return
	}
	warp := max(c.device.WarpSize, 1)
	o := observation{configuration: configuration{s.WarpsPerUnit, s.Chains, (s.GroupSize + warp - 1) / warp, 1}}
	waves := max(float64(s.Groups*o.groupWarps)/float64(max(s.WarpsPerUnit, 1)), 1)
	if d.class.Kind == measure.Placement {
		o.every, waves = max(d.class.Param, 1), 1
	}
	if s.Instructions > 0 {
		executed := float64(s.Instructions) * waves
		o.time = c.beyondLaunch(s) / executed
		if s.Cycles == 0 {
			o.start = c.launch.perGroup * c.clock(s) * float64(s.Groups-1) / executed
		}
	}
	if o.time <= 0 {
		d.counts.Outliers++
		return
	}
	d.all = append(d.all, o)
}

// clock is that of a sample, Hz.
func (c *converter) clock(s measure.Sample) float64 {
	switch {
	case s.ClockBefore > 0 && s.ClockAfter > 0:
		return (s.ClockBefore + s.ClockAfter) / 2 * 1e6
	case s.ClockBefore+s.ClockAfter > 0:
		return (s.ClockBefore + s.ClockAfter) * 1e6
	}
	return c.device.ClockMHz * 1e6
}

// beyondLaunch are the cycles that the groups of a launch took: those of a compute unit's counter, which does
// not see the launch, or else those of the timer, which does.
func (c *converter) beyondLaunch(s measure.Sample) float64 {
	if s.Cycles > 0 {
		return s.Cycles
	}
	return (s.Seconds - c.launch.seconds) * c.clock(s)
}

// medians are one observation for each configuration, and the standard deviation of the repetitions
// around them, relative; 0 if nothing was repeated.
func medians(all []observation) (list []observation, noise float64) {
	by, starts := map[configuration][]float64{}, map[configuration]float64{}
	var order []configuration
	for i := range all {
		at := all[i].configuration
		if by[at] == nil {
			order = append(order, at)
		}
		by[at] = append(by[at], math.Log(all[i].time))
		starts[at] = all[i].start
	}
	slices.SortFunc(order, configuration.compare)
	var around []float64
	for _, at := range order {
		m := median(by[at])
		list = append(list, observation{at, starts[at], math.Exp(m)})
		n := len(by[at])
		if n < 3 {
			continue
		}
		scale := float64(n) / float64(n-1) // what the median follows of so few
		for i, x := range by[at] {         // ascending
			switch {
			case n%2 == 0:
				around = append(around, math.Abs(x-m)*scale)
			case i != n/2: // the median itself
				around = append(around, math.Abs(x-m))
			}
		}
	}
	return list, madToSigma * median(around)
}

func (a configuration) compare(b configuration) int {
	return cmp.Or(a.chains-b.chains, a.warps-b.warps, a.groupWarps-b.groupWarps, a.every-b.every)
}

// packed leaves out launches of several chains whose instructions take half the time of those of one chain, as of half
// precision: a compiler makes one instruction of two chains' (ptxas: HADD2 R0, R4, R5.H0_H0).
func (d *data) packed() {
	if d.class.Kind != measure.Chain {
		return
	}
	list, _ := medians(d.all)
	most, busy := 0, map[int]float64{} // cycles of a warp at the largest occupancy, by chains
	for _, o := range list {
		most = max(most, o.warps)
	}
	half := map[int]float64{} // and at half of it
	for _, o := range list {
		switch o.warps {
		case most:
			busy[o.chains] = o.time
		case most / 2:
			half[o.chains] = o.time
		}
	}
	bound := func(chains int) bool { // by throughput
		return half[chains] > 0 && math.Abs(busy[chains]/half[chains]/2-1) < nearlyWhole
	}
	for chains, time := range busy {
		if chains == 1 || !bound(1) || !bound(chains) || math.Abs(busy[1]/time/2-1) >= nearlyWhole {
			continue
		}
		was := len(d.all)
		d.all = slices.DeleteFunc(d.all, func(o observation) bool { return o.chains == chains })
		d.counts.Apart += was - len(d.all)
		d.apart, d.halved = "they take half the time of one chain", true
	}
}
