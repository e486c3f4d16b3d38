package analytic

// volkov is Volkov's model, the occupancy roofline: a warp takes at least its
// latency, and a subsystem serves at most one instruction per λ.
type volkov struct{}

func (volkov) About() About {
	return About{
		Name: "volkov", Title: "Volkov",
		Source:  "V16 4.1; A 2.2",
		Formula: "A Eqs. 2, 3; V16 4.1",
		Assumes: "latency and throughput overlap perfectly; barriers make nobody wait; Λ_app by A Eq. 2",
	}
}

// Estimate is min(roofs, ω / Λ_app) (A Eqs. 2, 3), where the time until a finished group is
// replaced counts as latency (V16 3.8).
func (volkov) Estimate(in *Input, n float64) Estimate {
	return occupancyRoofline(in, n, in.WarpLatency+in.replacement(n))
}

// occupancyRoofline is min(roofs, ω / latency).
func occupancyRoofline(in *Input, n, latency float64) Estimate {
	e := Estimate{WarpsPerCycle: n / latency, Bound: boundLatency}
	if roof, bound := in.Throughput(); roof < e.WarpsPerCycle {
		e = Estimate{WarpsPerCycle: roof, Bound: bound}
	}
	return e
}
