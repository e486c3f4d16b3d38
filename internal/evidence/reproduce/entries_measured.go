package main

import (
	"fmt"

	"gpupipe/latencies"
)

// bandwidthSection recomputes what follows from the device files' accesses.
func bandwidthSection() section {
	s := section{title: "Bandwidths", origin: formula,
		text: "Achieved bandwidth = units · warp size · 4 bytes / λ · clock, with the ld.global of the device files."}
	for _, c := range []struct{ device, printed string }{
		{"c2050", "89.6"}, {"gtx650ti", "70.5"}, {"k620", "22.6"}, {"gtx1060", "160.6"}, {"rtx2070", "288"},
		{"r9380", "172"},
	} {
		s.entries = append(s.entries, achieved(c.device, c.printed))
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
