package analytic

// wfg is the work flow graph model of Baghsorkhi: the latencies of the arcs that
// leave a warp's blocks of computations and its accesses, added up.
type wfg struct{ corrected bool }

func (w wfg) About() About {
	a := About{
		Name: "wfg", Title: "WFG",
		Source:  "Baghsorkhi et al. 2010; A 2.4, V16 7.2",
		Formula: "A Eqs. 30 to 42",
		Assumes: "computations are one pipeline, spread evenly between accesses and barriers; all warps compute " +
			"while one waits",
	}
	if w.corrected {
		a.Name, a.Title, a.Source = "wfg-corrected", "WFG, corrected", "A 2.4.4, 5.1"
	}
	return a
}

// Estimate is 1/CPW, where CPW is the time of one warp among ω = n (A 2.4):
//
//	λ_i     = α_i·max(λ_comp, Λ_comp/(ILP_i·ω))                            (30) of block i
//	CYC     = Σ λ_i + λ_instr·α_mem                                        (31)
//	λ_mem   = λ_instr + max(0, (α_mem/BW - CYC)/α_mem)                     (33) of an access
//	NBC     = CYC / (α_mem + α_sync + 1)                                   (35)
//	exposed = Λ_mem - (ω-1)·NBC                                            (36) where its result is used
//	        = Λ_mem/ω - max(0, (ω-1)/ω·NBC - α_i·Λ_comp/(ω·ILP_i))         (42) corrected, λ_instr = 0
//	CPW     = Σ λ_i + Σ max(λ_mem, exposed)
//
// Eq. 31 prints α_i a second time beside Eq. 30's: a misprint, since Eq. 38 and V16
// 7.2 have α once. In Eq. 42 i is the block that the access ends; an access that
// follows another one at once ends an empty block.
func (w wfg) Estimate(in *Input, n float64) Estimate {
	if len(in.Blocks) == 0 {
		return invalid("the instructions of a warp are not given, or are too many")
	}
	computing := 0.0
	for _, b := range in.Blocks {
		computing += b.Count * max(b.Busy, b.Span/n)
	}
	if in.Mem.Count == 0 {
		return slowest(namedTime{boundCompute, computing})
	}
	issue := in.MemIssue
	if w.corrected {
		issue = 0
	}
	cycles := computing + issue*in.Mem.Count
	transition := issue + max(0, (in.Mem.Busy-cycles)/in.Mem.Count)
	nbc := cycles / (in.Mem.Count + in.Sync + 1)
	e := Estimate{Bound: boundCompute}
	if transition > issue {
		e.Bound = boundMemory
	}
	time := computing
	for _, b := range in.Blocks {
		if !b.Access {
			continue
		}
		exposed := b.Wait - (n-1)*nbc
		if w.corrected {
			exposed = b.Wait/n - max(0, (n-1)/n*nbc-b.Span/n)
		}
		if b.Wait > 0 && exposed > transition {
			e.Bound = boundLatency
			time += b.Count * exposed
		} else {
			time += b.Count * transition
		}
	}
	e.WarpsPerCycle = 1 / time
	return e
}
