package analytic

// mixRoofline is the quantitative roofline: each subsystem has a roof of its
// own, with the kernel's instruction mix, and so has issue.
type mixRoofline struct{}

func (mixRoofline) About() About {
	return About{
		Name: "mix-roofline", Title: "Quantitative Roofline",
		Source:  "Konstantinidis, Cotronis 2017; A 2.1",
		Formula: "A 2.1: the busiest subsystem",
		Assumes: "enough warps to hide all latency; subsystems overlap perfectly",
		Static:  true,
	}
}

// Estimate is the throughput bound of the simulation.
func (mixRoofline) Estimate(in *Input, _ float64) Estimate {
	if len(in.Subsystems) == 0 {
		return invalid("the kernel's instruction mix is not given")
	}
	wpc, bound := in.Throughput()
	return Estimate{WarpsPerCycle: wpc, Bound: bound}
}
