package analytic

// transit is the Transit model: of ω warps, k are in the memory and x = ω - k
// compute; in the steady state the memory supplies what the computing warps
// demand.
type transit struct{}

func (transit) About() About {
	return About{
		Name: "transit", Title: "Transit",
		Source:  "Li, Tay, Kumar, Corporaal 2015; A 2.2.1",
		Formula: "A Eqs. 4 to 8 with ILP 1",
		Assumes: "the instructions of a warp do not overlap (ILP 1); computations overlap as if they were " +
			"one subsystem",
	}
}

func (transit) Estimate(in *Input, n float64) Estimate { return transitFlows(in, 1).meet(n) }

// xModel is the X-model: Transit with the ILP of the computations.
type xModel struct{}

func (xModel) About() About {
	return About{
		Name: "x-model", Title: "X-model",
		Source:  "Li, Song, Brugel, Kumar, Chavarría-Miranda, Corporaal 2016; A Table 1",
		Formula: "A Eqs. 4 to 8",
		Assumes: "as Transit, but computations of a warp overlap with its ILP; no cache effects beyond the " +
			"access's context",
	}
}

func (xModel) Estimate(in *Input, n float64) Estimate { return transitFlows(in, in.ILP).meet(n) }

// Flows is the supply and the demand of the Transit and X models, in warps per
// cycle: a warp's accesses are supplied as a whole, so that kernels with
// any number of accesses compare.
type Flows struct {
	supplyPeak, supplyLatency float64 // 1/λ and Λ of all accesses of a warp
	demandPeak, demandLatency float64 // of all its computations
}

// TransitFlows is Transit's supply and demand for a kernel; false if it has no
// access of device memory or nothing else.
func TransitFlows(in *Input) (Flows, bool) {
	if in.Verify() != nil || in.Mem.Count == 0 || in.Comp.Count == 0 {
		return Flows{}, false
	}
	return transitFlows(in, 1), true
}

func transitFlows(in *Input, ilp float64) Flows {
	return Flows{
		supplyPeak: 1 / in.Mem.Busy, supplyLatency: in.Mem.Wait,
		// A warp of one instruction at a time is served no faster than λ each.
		demandPeak: 1 / in.Comp.Busy, demandLatency: max(in.Comp.Wait/ilp, in.Comp.Busy),
	}
}

// Supply is what k warps in the memory are supplied with: min(1/λ_mem, k/Λ_mem)
// for all accesses of a warp together, in warps per cycle (A Eqs. 5, 7).
func (f Flows) Supply(k float64) float64 { return min(f.supplyPeak, k/f.supplyLatency) }

// Demand is what x computing warps demand: min(1/λ_comp, x/Λ_comp) for all
// computations of a warp together, in warps per cycle (A Eqs. 4, 6).
func (f Flows) Demand(x float64) float64 { return min(f.demandPeak, x/f.demandLatency) }

// Steady finds the k of n warps at which supply meets demand (A Eq. 8), the
// smallest if both are flat.
func (f Flows) Steady(n float64) float64 {
	return solve(0, n, func(k float64) bool { return f.Supply(k) <= f.Demand(n-k) })
}

// meet is the rate of n warps. Without accesses or computations the other flow
// alone decides.
func (f Flows) meet(n float64) Estimate {
	switch {
	case f.supplyLatency == 0:
		return f.flow(f.Demand(n), f.demandPeak, boundCompute)
	case f.demandLatency == 0:
		return f.flow(f.Supply(n), f.supplyPeak, boundMemory)
	}
	k := f.Steady(n)
	rate := min(f.Supply(k), f.Demand(n-k))
	if f.demandPeak < f.supplyPeak {
		return f.flow(rate, f.demandPeak, boundCompute)
	}
	return f.flow(rate, f.supplyPeak, boundMemory)
}

func (f Flows) flow(rate, peak float64, bound string) Estimate {
	if rate < peak*(1-beyond) {
		bound = boundLatency
	}
	return Estimate{WarpsPerCycle: rate, Bound: bound}
}
