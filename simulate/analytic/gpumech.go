package analytic

// roundRobin is GPUMech for the round-robin scheduler: the time of a
// representative warp and the instructions of the other warps that do not fit
// into its stalls.
type roundRobin struct{ corrected bool }

func (r roundRobin) About() About {
	a := About{
		Name: "gpumech-rr", Title: "GPUMech round-robin",
		Source:  "Huang, Lee, Kim, Lee 2014; V16 7.6, A 2.5.1",
		Assumes: "all warps are equal and issue in order; only issue and memory bandwidth are shared",
	}
	if r.corrected {
		a.Name, a.Title, a.Source = "gpumech-rr-corrected", "GPUMech round-robin, corrected", "A 2.5.1"
	}
	return a
}

// Estimate adds to the warp's own time, per interval of n warps on a scheduler:
//
//	published  p·(n-1)·(instructions - 1), p the warp's issue probability
//	corrected  (n-1)·instructions - min(stall, n-1)
//
// instructions of other warps. Published, an interval of one instruction is
// never delayed, whatever n is.
func (r roundRobin) Estimate(in *Input, n float64) Estimate {
	return multithreaded(in, n, func(v *intervals, i *Interval, warps, slot float64) float64 {
		if r.corrected {
			return (warps-1)*i.Instructions*slot - min(i.Stall, (warps-1)*slot)
		}
		return v.issueProbability(slot) * (warps - 1) * (i.Instructions - 1) * slot
	})
}

// greedyOldest is GPUMech for the greedy-then-oldest scheduler.
type greedyOldest struct{ corrected bool }

func (g greedyOldest) About() About {
	a := About{
		Name: "gpumech-gto", Title: "GPUMech greedy-then-oldest",
		Source:  "Huang, Lee, Kim, Lee 2014; V16 7.6",
		Assumes: "all warps are equal and issue in order; only issue and memory bandwidth are shared",
	}
	if g.corrected {
		a.Name, a.Title = "gpumech-gto-corrected", "GPUMech greedy-then-oldest, corrected"
		a.Source = "the correction of A 2.5.1, made for this scheduler here"
	}
	return a
}

// Estimate adds to the warp's own time, per interval of n warps on a scheduler:
//
//	published  max(0, min(p·stall, 1)·(n-1)·mean instructions - stall)
//	corrected  max(0, (n-1)·instructions - stall)
//
// instructions of other warps. Published, a warp that will not issue during a
// stall by the probability p has issued nothing at all, so that more than the
// issue rate can come out; corrected, every other warp issues its interval once.
func (g greedyOldest) Estimate(in *Input, n float64) Estimate {
	return multithreaded(in, n, func(v *intervals, i *Interval, warps, slot float64) float64 {
		if g.corrected {
			return max(0, (warps-1)*i.Instructions*slot-i.Stall)
		}
		return v.greedyDelay(i, warps, slot)
	})
}

// multithreaded is the interval models' estimate: the representative warp's own
// time, the delay of each interval by the other warps of its scheduler, and the
// queueing delay of the memory.
func multithreaded(in *Input, n float64, delay func(v *intervals, i *Interval, warps, slot float64) float64) Estimate {
	v, reason := intervalsOf(in)
	if reason != "" {
		return invalid("%s", reason)
	}
	queue, reason := in.queueing(n)
	if reason != "" {
		return invalid("%s", reason)
	}
	slot, warps := in.slot(), max(1, n/in.Schedulers)
	cycles := v.alone(slot) + queue*in.Mem.Count
	for i := range v.list {
		cycles += v.list[i].Count * delay(&v, &v.list[i], warps, slot)
	}
	return v.run(in, n, cycles)
}

// issueProbability is p: the share of the issue slots that a warp uses when it
// is alone.
func (v *intervals) issueProbability(slot float64) float64 {
	return v.instructions * slot / v.alone(slot)
}

// greedyDelay is for how long the other warps of a scheduler delay an interval
// under greedy-then-oldest, as published.
func (v *intervals) greedyDelay(i *Interval, warps, slot float64) float64 {
	mean := v.instructions / v.count
	stalled := i.Stall / slot // in issue slots
	return slot * max(0, min(v.issueProbability(slot)*stalled, 1)*(warps-1)*mean-stalled)
}
