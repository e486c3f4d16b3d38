package analytic

// boatHull is the boat hull model: a roofline for a class of algorithms, where
// computations and accesses have the rates that the class reaches, not the
// device's peaks.
type boatHull struct{}

func (boatHull) About() About {
	return About{
		Name: "boat-hull", Title: "Boat hull",
		Source:  "Nugteren, Corporaal 2012; A 2.1",
		Formula: "A 2.1: the sum over subsystems",
		Assumes: "enough warps to hide all latency; computations of different kinds do not overlap",
		Static:  true,
	}
}

// Estimate is the roofline with the mean λ of the kernel's own computations and
// accesses.
func (boatHull) Estimate(in *Input, _ float64) Estimate {
	return slowest(namedTime{boundCompute, in.Comp.Sum}, namedTime{boundMemory, in.Mem.Sum})
}
