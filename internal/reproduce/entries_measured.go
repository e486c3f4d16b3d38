package main

import (
	"fmt"
	"strconv"

	"gpupipe/latencies"
)

// littleSection compares Little's law with what V16 measured.
func littleSection() section {
	s := section{title: "Little's law against V16's measurements",
		text: "Warps per scheduler that an operation needs: latency × throughput / 32 (V16 T.6.1 and T.6.2) beside the measured ones of T.6.3. The measurement is the truth here: add, SFU and local memory at the peak, which the law alone gives where nothing else is in the way; streaming and random access at 90% of the peak, where loaded latency asks for more than the law."}
	for i := range volkovGPUs {
		g := &volkovGPUs[i]
		for k, op := range operations {
			if g.needed[k] == 0 {
				continue // below one warp
			}
			e := entry{source: "V16 T.6.3", what: fmt.Sprintf("%s, %s", g.name, op), published: strconv.FormatFloat(g.needed[k], 'f', -1, 64), unit: "warps", ours: constant(g.latency[k] * g.thru[k] / lanes)}
			ours := g.latency[k] * g.thru[k] / lanes
			if same, err := e.agrees(ours); err == nil && !same {
				e.differs = differsFromMeasurement(k, ours, g.needed[k])
			}
			s.entries = append(s.entries, e)
		}
	}
	return s
}

// differsFromMeasurement says why the law is another number than the measured
// one for the k-th operation.
func differsFromMeasurement(k int, ours, measured float64) string {
	switch {
	case k >= 4:
		return "measured at 90% of the peak, under load"
	case ours < measured:
		return "warps come in whole numbers, and the schedulers share them unevenly"
	}
	return "the measured step is finer or earlier than the law's product of rounded figures"
}

// bandwidthSection recomputes what follows from bandwidths.
func bandwidthSection() section {
	s := section{title: "Bandwidths",
		text: "Achieved bandwidth = units · warp size · 4 bytes / λ · clock, with the ld.global of the device files; accesses per cycle and the linear estimate of the warps from V16's measured peak."}
	for _, c := range []struct{ device, published string }{
		{"c2050", "89.6"}, {"gtx650ti", "70.5"}, {"k620", "22.6"}, {"gtx1060", "160.6"}, {"rtx2070", "288"}, {"r9380", "172"},
	} {
		s.entries = append(s.entries, achieved(c.device, c.published))
	}
	for i := range volkovGPUs {
		g := &volkovGPUs[i]
		s.entries = append(s.entries, entry{source: "V16 T.4.1", what: g.name + ": accesses per cycle", published: g.accessRate, ours: constant(g.peak / g.gbs(1))})
	}
	for i := range volkovGPUs {
		g := &volkovGPUs[i]
		e := entry{source: "V16 T.6.4", what: g.name + ": linear estimate", published: g.linear, unit: "warps per scheduler", ours: constant(g.latency[4] * g.peak / g.gbs(1) / g.schedulers)}
		if g.name == "Fermi" {
			e.differs = "the source steps by half a warp"
		}
		s.entries = append(s.entries, e)
	}
	return s
}

// achieved is a row of A Table 6.
func achieved(device, published string) entry {
	e := entry{source: "A T.6", what: device, published: published, unit: "GB/s", ours: func() (float64, error) {
		d, err := latencies.Builtin(device)
		if err != nil {
			return 0, err
		}
		for _, in := range d.Instructions {
			if in.Match == "ld.global" {
				return float64(d.ComputeUnits) * float64(d.WarpSize) * 4 / in.Timing.CPI.Float() * float64(d.ClockHz) / 1e9, nil
			}
		}
		return 0, fmt.Errorf("device %s has no ld.global", device)
	}}
	if device == "rtx2070" {
		e.differs = "λ = 18 on 36 units at 1.41 GHz is 361 GB/s, 80.5% of the pins' 448 GB/s, which is the printed percentage; 288 does not follow from that λ"
	}
	return e
}

// ratesSection is L4's rates of whole warps.
func ratesSection() section {
	s := section{title: "Rates of whole warps", text: "λ = warp size / lanes of a compute unit (L4)."}
	for _, c := range []struct {
		generation, published string
		lanes                 float64
	}{{"Tesla, 8 lanes", "4", 8}, {"Fermi, 32 lanes", "1", 32}, {"Kepler, 192 lanes", "0.167", 192}, {"Maxwell, 128 lanes", "0.25", 128}} {
		s.entries = append(s.entries, entry{source: "L4", what: c.generation, published: c.published, unit: "cycles", ours: constant(lanes / c.lanes)})
	}
	return s
}
