package main

import (
	"fmt"
	"math"
	"strconv"

	"gpupipe/latencies"
)

// littleSection compares Little's law with what V16 measured.
func littleSection() section {
	s := section{title: "Little's law against V16's measurements", origin: arithmetic,
		text: "Warps of a scheduler that an operation needs. Ours is latency · throughput / 32 (V16 T.6.1 and " +
			"T.6.2), T.6.3 is measured: at the peak, or at 90% of it for the two accesses to memory, where the " +
			"latency of streaming is the loaded one of T.6.5. V16 6.1 expects the law rounded up to whole warps of a " +
			"scheduler or of a multiprocessor."}
	for i := range volkovGPUs {
		g := &volkovGPUs[i]
		for k, op := range operations {
			if g.needed[k] == 0 {
				continue // below one warp
			}
			e := entry{source: "V16 T.6.3", what: g.name + ", " + op, printed: strconv.FormatFloat(g.needed[k], 'f', -1,
				64), unit: "warps", ours: constant(g.law(k))}
			if got, err := e.outcome(g.law(k)); err == nil && got == differs {
				e.differs = g.rounded(k)
			}
			s.entries = append(s.entries, e)
		}
	}
	return s
}

// law is Little's law for the k-th operation, in warps of a scheduler.
func (g *volkovGPU) law(k int) float64 {
	const ofPeak = 0.9
	switch operations[k] {
	case "stream":
		x := ofPeak * g.peak
		return ofPeak * g.thru[k] / lanes * (g.a + g.b*x/(g.c-x))
	case "random":
		return ofPeak * g.latency[k] * g.thru[k] / lanes
	}
	return g.latency[k] * g.thru[k] / lanes
}

// rounded says whether rounding up makes the law the measured number.
func (g *volkovGPU) rounded(k int) string {
	scheduler, multiprocessor := math.Ceil(g.law(k)), math.Ceil(g.law(k)*g.schedulers)/g.schedulers
	switch {
	case operations[k] == "random":
		return "measured under load, and the source prints no loaded latency of random accesses"
	case g.needed[k] == multiprocessor:
		return "the law rounded up to whole warps of a multiprocessor"
	case g.needed[k] == scheduler:
		return "the law rounded up to whole warps of a scheduler"
	case multiprocessor == scheduler:
		return fmt.Sprintf("measured; rounded up the law is %v", scheduler)
	}
	return fmt.Sprintf("measured; rounded up the law is %v or %v", multiprocessor, scheduler)
}

// bandwidthSection recomputes what follows from bandwidths.
func bandwidthSection() section {
	s := section{title: "Bandwidths", origin: arithmetic,
		text: "Achieved bandwidth = units · warp size · 4 bytes / λ · clock, with the ld.global of the device files; " +
			"accesses per cycle from V16's measured peak, and its linear estimate of the warps by T.6.1 and T.6.2."}
	for _, c := range []struct{ device, printed string }{
		{"c2050", "89.6"}, {"gtx650ti", "70.5"}, {"k620", "22.6"}, {"gtx1060", "160.6"}, {"rtx2070", "288"},
		{"r9380", "172"},
	} {
		s.entries = append(s.entries, achieved(c.device, c.printed))
	}
	for i := range volkovGPUs {
		g := &volkovGPUs[i]
		s.entries = append(s.entries, entry{source: "V16 T.4.1", what: g.name + ": accesses per cycle",
			printed: g.accessRate, ours: constant(g.peak / g.gbs(1))})
	}
	for i := range volkovGPUs {
		g := &volkovGPUs[i]
		steps := math.Round(2*g.latency[4]*g.thru[4]/lanes) / 2 // of half a warp
		s.entries = append(s.entries, entry{source: "V16 T.6.4", what: g.name + ": linear estimate, to half a warp",
			printed: g.linear, unit: "warps per scheduler", ours: constant(steps)})
	}
	return s
}

// achieved is a row of A Table 6.
func achieved(device, printed string) entry {
	e := entry{source: "A T.6", what: device, printed: printed, unit: "GB/s", ours: func() (float64, error) {
		d, err := latencies.Builtin(device)
		if err != nil {
			return 0, err
		}
		for _, in := range d.Instructions {
			if in.Match == "ld.global" {
				return float64(d.ComputeUnits) * float64(d.WarpSize) * 4 / in.Timing.CPI.Float() * float64(
					d.ClockHz) / 1e9, nil
			}
		}
		return 0, fmt.Errorf("device %s has no ld.global", device)
	}}
	switch device {
	case "gtx650ti", "r9380":
		e.construction = "the article prints no clock; the device file's is solved from this number"
	case "rtx2070":
		e.differs = "misprint: λ = 18 on 36 units at 1.41 GHz is 361 GB/s, which the table has one column on, and " +
			"the printed 80.5% are 361 of the pins' 448"
	}
	return e
}
