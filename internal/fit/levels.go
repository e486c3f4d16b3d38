package fit

import (
	"math"
	"slices"
	"strings"

	"gpupipe/internal/measure"
)

// What a level of memory shows is read where it shows alone: latency where few accesses are in flight, throughput
// where many are. Between, no order of warps is known: caches answer out of order.

const (
	// few is the share of the ridge up to which accesses in flight do not meet.
	few = 0.5
	// crowded is the multiple of the unloaded latency from which the bandwidth of device memory decides: by Little's
	// law half of what is in flight waits.
	crowded = 2
)

// readLevel reads λ and Λ of a cache. λ is the least of all launches: more in flight gets into its own way, and so do
// chains that read the lines of other work items at the same time, as those of former samples.
func (c *Class) readLevel(former bool) {
	if c.Refused != "" || !strings.HasSuffix(c.Name, ".l1") && !strings.HasSuffix(c.Name, ".l2") {
		return
	}
	list, _ := medians(c.all)
	repetitions := float64(len(c.all)) / float64(max(len(list), 1))
	noise := c.Noise / math.Sqrt(repetitions)
	var latency, cpi []float64
	for _, o := range list {
		if o.chains == 1 && float64(o.warps) <= few*c.Hull.Ridge() {
			latency = append(latency, o.time)
		}
		cpi = append(cpi, o.time/float64(o.warps))
	}
	if n := middle(latency); n.Value > 0 {
		c.Latency = n
	}
	was := c.CPI
	c.CPI = reached(cpi, noise)
	c.CPI.Bound, c.CPI.Why = was.Bound, was.Why
	if former {
		c.CPI.Bound, c.CPI.Why = true, "chains read the lines of other work items at the same time"
	}
	c.Hull.CPI, c.Hull.Latency = c.CPI.Value, c.Latency.Value
}

// reached is the least of λ, which noise makes too small.
func reached(list []float64, noise float64) Number {
	slices.Sort(list)
	n := Number{Value: list[0] * (1 + noise), Error: confidence * max(noise, leastSigma)}
	if len(list) > 1 {
		n.Error = max(n.Error, list[1]/list[0]-1)
	}
	return n
}

// middle is the median of numbers, and how far they are from it; the zero value if there are none.
func middle(list []float64) Number {
	if len(list) == 0 {
		return Number{}
	}
	n := Number{Value: median(list)}
	off := make([]float64, len(list))
	for i, x := range list {
		off[i] = math.Abs(x/n.Value - 1)
	}
	n.Error = confidence * max(madToSigma*median(off), leastSigma)
	return n
}

// findBandwidth takes what device memory moves, bytes per cycle of the whole device, from groups that come and go in
// the order of addresses, as those of most kernels; where these were not measured, from the accesses of whole sectors
// that are bound by it. What is more than the memory's specified bandwidth was in L2 in part.
func (r *Result) findBandwidth(list []*data) {
	rates := map[*Number][]float64{}
	for _, d := range list {
		if !d.class.OfDeviceMemory() || !d.class.Whole() || d.class.Kind == measure.Stream {
			continue
		}
		into := &r.Read
		switch d.class.Kind {
		case measure.Rate:
			into = &r.Copied
		case measure.Throughput:
			if into = &r.Written; !strings.Contains(d.class.Name, ".bytes") {
				continue // strides write sectors in part
			}
		}
		own := r.rates(d, into == &r.Read)
		if into != &r.Copied { // of which few bytes wait for their reads
			rates[into] = append(rates[into], own...)
		} else if len(own) > 0 && (len(rates[into]) == 0 || median(own) > median(rates[into])) {
			rates[into] = own
		}
	}
	streams := map[string]*Number{"stream.read": &r.Read, "stream.write": &r.Written, "stream.copy": &r.Copied}
	for _, d := range list {
		if own := r.rates(d, false); streams[d.class.Name] != nil && len(own) > 0 {
			rates[streams[d.class.Name]] = own
		}
	}
	for into, list := range rates {
		*into = middle(list)
	}
}

// rates are those that a class moves at the largest occupancy, bytes per cycle of the device: at most the memory's.
// What waits is more than twice the unloaded time apart.
func (r *Result) rates(d *data, waits bool) (list []float64) {
	peak := math.Inf(1)
	if base, itself := r.base(); itself && !base.Memory.PeakGBs.IsZero() {
		peak = base.Memory.PeakGBs.Float()
	}
	least, most := math.Inf(1), 0
	for _, o := range d.all {
		least, most = min(least, o.time*float64(o.chains)), max(most, o.warps)
	}
	bytes := float64(d.class.Lane() * r.Device.WarpSize * r.Device.ComputeUnits)
	for _, o := range d.all {
		if rate := bytes * float64(o.warps) / o.time; o.warps == most && r.gigabytes(rate) <= peak &&
			(!waits || o.time*float64(o.chains) >= crowded*least) {
			list = append(list, rate)
		}
	}
	return list
}

// gigabytes is a throughput in bytes per cycle as GB/s.
func (r *Result) gigabytes(bytes float64) float64 { return bytes * r.Device.ClockMHz * 1e6 / 1e9 }

// byBandwidth gives reads of device memory the λ of its bandwidth, which 4 bytes a lane seldom reach.
func (r *Result) byBandwidth() {
	c := r.class("ld.global")
	if c == nil || r.Read.Value == 0 || !c.CPI.Bound && c.CPI.Error <= r.Read.Error {
		return
	}
	c.CPI = Number{Value: float64(4*r.Device.WarpSize*r.Device.ComputeUnits) / r.Read.Value, Error: r.Read.Error}
	c.Hull.CPI = c.CPI.Value
	c.Note = join(c.Note, "cpi: from the bandwidth of accesses that reach it")
}

// join puts remarks in one line.
func join(parts ...string) string {
	return strings.Join(slices.DeleteFunc(parts, func(s string) bool { return s == "" }), "; ")
}
