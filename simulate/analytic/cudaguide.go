package analytic

// cudaGuide is the rule of NVIDIA's programming guide: so many warps are needed
// that the others compute for as long as one waits for memory.
type cudaGuide struct{}

func (cudaGuide) About() About {
	return About{
		Name: "cuda-guide", Title: "CUDA guide",
		Source:  "CUDA C++ Programming Guide 5.2.3; V16 4.8",
		Formula: "V16 4.8: Λ_mem / (λ_comp·α) warps, then 1/(Σ λ_comp)",
		Assumes: "computations decide the time; says how many warps hide memory latency, and nothing for fewer",
	}
}

// GuideWarps is how many warps the guide asks for: memory latency / (instruction
// time · computations per access) (V16 4.8). +Inf without computations, NaN without accesses.
func GuideWarps(in *Input) float64 {
	return in.Mem.Latency() / (in.Comp.CPI() * in.Intensity())
}

// Estimate is the compute-bound rate where there are as many warps as needed.
func (cudaGuide) Estimate(in *Input, n float64) Estimate {
	switch {
	case in.Comp.Count == 0:
		return invalid("no computation hides the latency of memory")
	case in.Mem.Count == 0:
		return Estimate{WarpsPerCycle: 1 / in.Comp.Busy, Bound: boundCompute,
			Note: "without memory access there is no latency to hide"}
	case n < GuideWarps(in):
		return invalid("the guide asks for %.3g warps and does not say what fewer do", GuideWarps(in))
	}
	return Estimate{WarpsPerCycle: 1 / in.Comp.Busy, Bound: boundCompute}
}
