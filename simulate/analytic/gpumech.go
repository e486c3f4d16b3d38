package analytic

import "fmt"

// gpuMech is GPUMech: the time of a representative warp, plus the instructions
// of the other warps that do not fit into its stalls, plus the delays at the
// misses' registers and at the DRAM where these are switched on.
type gpuMech struct {
	greedy    bool // greedy-then-oldest, else round-robin
	corrected bool // by A 2.5.1; round-robin only
	// full counts the latencies of computations. A leaves them out (A 2.5, note 2),
	// V16 7.5 counts them.
	full bool
}

func (g gpuMech) About() About {
	const equal = "all warps are equal and issue in order; "
	const shared = "only issue is shared (--gpumech-contention adds misses and DRAM)"
	a := About{
		Name: "gpumech-rr", Title: "GPUMech round-robin", Source: "Huang, Lee, Kim, Lee 2014; A 2.5",
		Formula: "Huang Eqs. 7, 9 to 11",
		Assumes: equal + "computations have no latency; " + shared,
	}
	if g.greedy {
		a.Name, a.Title, a.Formula = "gpumech-gto", "GPUMech greedy-then-oldest", "Huang Eqs. 7, 9, 12 to 16"
	}
	switch {
	case g.corrected:
		a.Name, a.Title, a.Source = a.Name+"-corrected", a.Title+", corrected", "A 2.5.1"
	case g.full:
		a.Name, a.Title = a.Name+"-full", a.Title+", with the latencies of computations"
		a.Source = "Huang, Lee, Kim, Lee 2014; V16 7.5"
		if g.greedy {
			a.Source = "Huang, Lee, Kim, Lee 2014; V16 7.6"
		}
		a.Assumes = equal + shared
	}
	return a
}

// Estimate is n / (total_cycles + Σ NO_i) warps per cycle (Huang Eq. 7, by V16
// 7.5), where n warps share a scheduler that issues one instruction per slot and
// interval i has insts_i instructions and stall_i cycles:
//
//	round-robin         NO_i = p·(n-1)·(insts_i - 1)                             (Eqs. 10, 11)
//	corrected           NO_i = (n-1)·insts_i - min(stall_i, n-1)                 (A 2.5.1)
//	greedy-then-oldest  NO_i = max(0, min(p·stall_i, 1)·(n-1)·mean insts - stall_i)  (Eqs. 12 to 16)
//
// p = Σ insts / total_cycles (Eq. 9). A stall is a latency less the slot in which
// its instruction issues (V16 7.6). The published forms exceed the issue rate
// for many warps. Contention adds its delay to the time per warp, not per n warps
// (Eqs. 3, 17): see Input.resourceDelay.
func (g gpuMech) Estimate(in *Input, n float64) Estimate {
	list := in.MemIntervals
	if g.full {
		list = in.Intervals
	}
	v, reason := intervalsOf(in, list)
	if reason != "" {
		return invalid("%s", reason)
	}
	wait, ρ, reason := in.resourceDelay(&v, n)
	if reason != "" {
		return invalid("%s", reason)
	}
	slot, warps := in.slot(), max(1, n/in.Schedulers)
	cycles := v.alone(slot) + warps*wait
	for i := range v.list {
		cycles += v.list[i].Count * g.delay(&v, &v.list[i], warps, slot)
	}
	e := v.run(in, n, cycles)
	if ρ >= 1 {
		e.Note = fmt.Sprintf("the memory queue has ρ = %.3g, where the published delay is negative", ρ)
	}
	return e
}

// delay is NO_i in cycles.
func (g gpuMech) delay(v *intervals, i *Interval, warps, slot float64) float64 {
	switch {
	case g.greedy:
		return v.greedyDelay(i, warps, slot)
	case g.corrected:
		return (warps-1)*i.Instructions*slot - min(i.Stall, (warps-1)*slot)
	default:
		return v.issueProbability(slot) * (warps - 1) * (i.Instructions - 1) * slot
	}
}

// issueProbability is p: the share of the issue slots that a warp uses when it
// is alone.
func (v *intervals) issueProbability(slot float64) float64 {
	return v.instructions * slot / v.alone(slot)
}

// greedyDelay is for how long the other warps of a scheduler delay an interval
// under greedy-then-oldest.
func (v *intervals) greedyDelay(i *Interval, warps, slot float64) float64 {
	mean := v.instructions / v.count
	stalled := i.Stall / slot // in issue slots
	return slot * max(0, min(v.issueProbability(slot)*stalled, 1)*(warps-1)*mean-stalled)
}
