package analytic

// gpuPerf is the model of Sim et al. (GPUPerf), MWP-CWP's successor: the times
// of computations and of memory, and how much of them overlaps.
type gpuPerf struct{}

func (gpuPerf) About() About {
	return About{
		Name: "gpuperf", Title: "Sim et al. (GPUPerf)",
		Source:  "Sim, Dasgupta, Kim, Vuduc 2012; V16 7.4",
		Formula: "V16 7.4: max(T_comp, T_mem [+ T_comp/n])",
		Assumes: "accesses of one warp do not overlap (MLP 1); no serialisation beyond the accesses' context",
	}
}

// Estimate is the time of n warps (V16 7.4):
//
//	T_comp = n·max(Σ Λ_comp/(ILP·n), Σ λ_comp)
//	T_mem  = n·Σ Λ_mem / min(MWP, max(1, CWP - 1))
//	T      = max(T_comp, T_mem)              if CWP > MWP
//	         max(T_comp, T_mem + T_comp/n)   else
//
// with CWP = Σ Λ_mem/(T_comp/n) + 1, both MWP and CWP at most n. An access takes
// an issue slot like a computation.
func (gpuPerf) Estimate(in *Input, n float64) Estimate {
	access := in.Mem.Count * in.MemIssue
	comp := n * max((in.Comp.Wait+in.accessWait())/(in.ILP*n), in.Comp.Busy+access)
	if in.Mem.Count == 0 {
		return perRun(n, slowest(namedTime{boundCompute, comp}))
	}
	mwp, cwp := min(in.Mem.Latency()/in.Mem.CPI(), n), n
	if comp > 0 {
		cwp = min(in.Mem.Wait*n/comp+1, n)
	}
	mem := n * in.Mem.Wait / min(mwp, max(1, cwp-1))
	if cwp > mwp {
		return perRun(n, slowest(namedTime{boundCompute, comp}, namedTime{boundMemory, mem}))
	}
	return perRun(n, slowest(namedTime{boundCompute, comp}, namedTime{boundLatency, mem + comp/n}))
}

// accessWait is the latency of a warp's accesses as instructions: that of a
// computation each (Sim et al. count all instructions with one mean latency).
func (in *Input) accessWait() float64 {
	if in.MemIssue == 0 {
		return 0
	}
	return in.Mem.Count * in.Comp.Latency()
}
