package analytic

// wfg is the work flow graph model of Baghsorkhi: a warp's time is that of its
// computations among ω warps, and what of the memory latency the other warps'
// computations leave exposed.
type wfg struct{ corrected bool }

func (w wfg) About() About {
	a := About{
		Name: "wfg", Title: "WFG",
		Source:  "Baghsorkhi et al. 2010; A 2, V16 ch. 7",
		Assumes: "computations spread evenly between accesses; all warps compute while one waits",
	}
	if w.corrected {
		a.Name, a.Title, a.Source = "wfg-corrected", "WFG, corrected", "A Eq. 42"
	}
	return a
}

// Estimate is the time of one warp among n, per warp:
//
//	NBC      = α_comp·max(λ_comp, Λ_comp/(ILP·ω))
//	CYC      = NBC + α_mem·λ_mem_instr
//	exposed  = Λ_mem - λ_mem_instr - (ω-1)·CYC/(α_mem + α_sync + 1), per access
//	exposed' = Λ_mem/ω - max(0, (ω-1)/ω·NBC' - α'·Λ_comp/(ω·ILP)), corrected
//
// where NBC' and α' are those of one access's share of the computations. The
// time is max(α_mem·λ_mem, CYC + exposed). The memory arc of the paper,
// max(λ_mem_instr, λ_mem - λ̄_trans·CI), is the maximum with α_mem·λ_mem here, as
// V16 ch. 7 evaluates it.
func (w wfg) Estimate(in *Input, n float64) Estimate {
	wait := in.Comp.Wait / in.ILP
	nbc := max(in.Comp.Busy, wait/n)
	if in.Mem.Count == 0 {
		e := slowest(namedTime{boundCompute, nbc})
		e.Note = "without memory access no latency is exposed"
		return e
	}
	latency := in.Mem.Latency()
	cycles, exposed := nbc, 0.0
	if w.corrected { // A takes λ_mem_instr for 0
		share := nbc / in.Mem.Count
		hidden := (n-1)/n*share - wait/in.Mem.Count/n
		exposed = latency/n - max(0, hidden)
	} else {
		cycles += in.Mem.Count * in.MemIssue
		exposed = latency - in.MemIssue - (n-1)*cycles/(in.Mem.Count+in.Sync+1)
	}
	exposed = in.Mem.Count * max(0, exposed)
	computing := namedTime{boundCompute, cycles + exposed}
	if exposed > 0 {
		computing.name = boundLatency
	}
	return slowest(namedTime{boundMemory, in.Mem.Busy}, computing)
}
