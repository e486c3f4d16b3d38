package analytic

import "math"

// mwpcwp is Hong and Kim's model: memory warp parallelism, the accesses that the
// memory serves at once, against computation warp parallelism, the warps that
// compute during one access.
type mwpcwp struct {
	corrected bool
	issued    bool // an access takes issue time, as in Hong, Kim and V16 7.1; not in A
}

func (m mwpcwp) About() About {
	a := About{
		Name: "mwp-cwp", Title: "MWP-CWP",
		Source:  "Hong, Kim 2009; A 2.3",
		Formula: "A Eqs. 13, 15, 16, 26 to 28",
		Assumes: "computations between accesses take λ each, whatever their dependences",
	}
	if m.issued {
		a.Name, a.Title = "mwp-cwp-issue", "MWP-CWP, with the accesses' issue time"
		a.Source, a.Formula = "Hong, Kim 2009; V16 7.1", "V16 7.1"
		a.Assumes = "every instruction takes λ of a computation, whatever its dependences"
	}
	if m.corrected {
		a.Name, a.Title = "mwp-cwp-corrected", "MWP-CWP, corrected"
		a.Source, a.Formula = "A 5.1", "A Eqs. 2, 15, 16, 26 to 28"
		a.Assumes = "computations spread evenly between accesses; Λ_app by A Eq. 2"
	}
	return a
}

// Estimate is CPR, the cycles of a run of ω warps, in three cases (A Eqs. 26, 27, 28):
//
//	memory bound   MWP < min(ω, CWP)  α_mem·ω·λ_mem + CI·λ_comp·MWP
//	compute bound  CWP < min(ω, MWP)  α_comp·λ_comp·ω + Λ_mem
//	else                              α_mem·Λ_mem + α_comp·λ_comp + CI·λ_comp·(ω-1)
//
// where MWP = Λ_mem/λ_mem and CWP = Λ_mem/(CI·λ_comp) + 1. With the accesses' issue
// time CI and α_comp count the access, too. Corrected (A 5.1), the last case has
// Λ_app for the time of one warp, and the largest of the three counts, so that no
// case says less than another bound that holds as well.
func (m mwpcwp) Estimate(in *Input, n float64) Estimate {
	if in.Mem.Count == 0 {
		return invalid("without memory access neither MWP nor CWP is defined")
	}
	issue := 0.0
	if m.issued {
		issue = in.accessIssue()
	}
	busy := in.Comp.Busy + in.Mem.Count*issue
	period := busy / in.Mem.Count // CI·λ_comp: computing for one access
	mwp, cwp := Parallelism(in, issue)
	memory := in.Mem.Busy*n + period*min(mwp, n)
	compute := busy*n + in.Mem.Latency()
	if m.corrected {
		few := in.WarpLatency + period*(n-1)
		return perRun(n, slowest(namedTime{boundMemory, memory}, namedTime{boundCompute, compute},
			namedTime{boundLatency, few}))
	}
	switch {
	case mwp < min(n, cwp):
		return Estimate{WarpsPerCycle: n / memory, Bound: boundMemory}
	case cwp < min(n, mwp):
		return Estimate{WarpsPerCycle: n / compute, Bound: boundCompute}
	}
	return Estimate{WarpsPerCycle: n / (in.Mem.Wait + busy + period*(n-1)), Bound: boundLatency}
}

// Parallelism is MWP and CWP, in warps, before they are limited by the resident
// warps (A Eqs. 15, 16), where an access takes so many cycles of issue itself; CWP is
// +Inf where nothing is issued, MWP NaN without accesses.
func Parallelism(in *Input, accessIssue float64) (mwp, cwp float64) {
	mwp = in.Mem.Latency() / in.Mem.CPI()
	busy := in.Comp.Busy + in.Mem.Count*accessIssue
	if busy == 0 {
		return mwp, math.Inf(1)
	}
	return mwp, in.Mem.Latency()*in.Mem.Count/busy + 1
}

// accessIssue is for how long an access is issued by Hong and Kim, who count one
// time for all instructions: λ of a computation (V16 7.1).
func (in *Input) accessIssue() float64 {
	if in.Comp.Count > 0 {
		return in.Comp.CPI()
	}
	return in.MemIssue
}

// perRun turns an estimate of one warp's time into that of a run of n warps.
func perRun(n float64, e Estimate) Estimate {
	e.WarpsPerCycle *= n
	return e
}
