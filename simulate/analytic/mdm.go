package analytic

import (
	"fmt"
	"math"
)

// mdm is the GPU Memory Divergence Model, GPUMech's successor: accesses that
// touch more cache lines than the first-level cache can miss on at once are
// served in batches.
type mdm struct{}

func (mdm) About() About {
	return About{
		Name: "mdm", Title: "MDM",
		Formula: "Huang Eqs. 7, 9, 12 to 16, and queues of misses, network and DRAM",
		Source:  "Wang, Jahre, Adileh, Eeckhout, MICRO 2020, and the authors' program",
		Assumes: "greedy-then-oldest as gpumech-gto-full; no first-level hits beyond the accesses' context; the " +
			"network is as fast as the memory",
	}
}

// Estimate adds to GPUMech's greedy-then-oldest time with all latencies, per interval in which n
// warps read L cache lines each and write S:
//
//	q    = t·(n·L + n·S)/2                     while n·L ≤ MSHRs
//	       t·(MSHRs + n·S)                     beyond: all wait for a whole batch
//	MSHR = (⌈n·L/MSHRs⌉ - 1)·(Λ_mem + q)       one more latency for each further batch
//
// where t is for how long the memory is busy with a line from this compute unit
// and the same of all others.
func (mdm) Estimate(in *Input, n float64) Estimate {
	v, reason := intervalsOf(in, in.Intervals)
	if reason != "" {
		return invalid("%s", reason)
	}
	m := &in.Memory
	if in.Mem.Count > 0 && !positive(m.Service, m.Units, m.Transactions, m.Lines, m.MSHRs) {
		return invalid("the bandwidth of device memory or the number of misses in flight is not known")
	}
	slot, warps := in.slot(), max(1, n/in.Schedulers)
	line := 0.0
	if in.Mem.Count > 0 {
		line = in.lineService() * m.Units
	}
	cycles, batched := v.alone(slot), false
	for k := range v.list {
		i := &v.list[k]
		cycles += i.Count * v.greedyDelay(i, warps, slot)
		if i.Loads+i.Stores == 0 {
			continue
		}
		queue := line * n * (i.Loads + i.Stores) / 2
		if n*i.Loads > m.MSHRs {
			batched = true
			queue = line * (m.MSHRs + n*i.Stores)
			cycles += i.Count * (math.Ceil(n*i.Loads/m.MSHRs) - 1) * (in.Mem.Latency() + queue)
		}
		cycles += i.Count * queue
	}
	e := v.run(in, n, cycles)
	if batched {
		e.Bound = boundMemory
		e.Note = fmt.Sprintf("accesses come in batches of %v misses", m.MSHRs)
	}
	return e
}
