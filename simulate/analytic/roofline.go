package analytic

// roofline is the Roofline: performance is at most the peak rate of
// computations, and at most bandwidth × compute intensity.
type roofline struct{}

func (roofline) About() About {
	return About{
		Name: "roofline", Title: "Roofline",
		Source:  "Williams, Waterman, Patterson 2009; A 2.1",
		Formula: "A Eq. 1",
		Assumes: "enough warps to hide all latency; computations at the rate of the fastest one",
		Static:  true,
	}
}

// Estimate is min(IPC_comp, BW·CI) in instructions per cycle (A Eq. 1), divided by
// the computations of a warp; IPC_comp is no more than the issue limit.
func (roofline) Estimate(in *Input, _ float64) Estimate {
	compute := in.Comp.Count * in.PeakCPI
	if in.IssueLimit > 0 {
		compute = max(compute, in.Comp.Count/in.IssueLimit)
	}
	return slowest(namedTime{boundCompute, compute}, namedTime{boundMemory, in.Mem.Busy})
}
