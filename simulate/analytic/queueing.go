package analytic

import (
	"fmt"
	"math"
)

// ResourceContention says which accesses wait at GPUMech's miss registers and DRAM queue.
type ResourceContention uint8

// The accesses that wait.
const (
	// NoContention is none: A 2.5 leaves this part out.
	NoContention ResourceContention = iota
	// UncoalescedContention is those of intervals with an uncoalesced access, as the
	// model's authors mean it (V16 7.5, 7.8).
	UncoalescedContention
	// AllContention is all, as V16 7.7 tries it.
	AllContention
)

var contentionNames = [...]string{"none", "uncoalesced", "all"}

func (c ResourceContention) String() string { return contentionNames[c] }

// ParseResourceContention reads the name of a ResourceContention.
func ParseResourceContention(text string) (ResourceContention, error) {
	for i, name := range contentionNames {
		if text == name {
			return ResourceContention(i), nil
		}
	}
	return 0, fmt.Errorf("%q is not one of none, uncoalesced and all", text)
}

// Queue is GPUMech's DRAM queue when n warps of every compute unit have so many
// requests of a cache line each in the memory (Huang Eqs. 21 to 23, by V16 7.7):
//
//	λ = n·requests·units / Λ_mem,  ρ = λ·s,  delay = min(s²·λ / (2·(1 - ρ)), s·n·requests·units / 2)
//
// in cycles, where s is the time that the DRAM takes for a line. The text of V16
// lacks λ in the first term, which its -11 cycles for n = 29 need. From ρ = 1 on the delay is
// negative, which neither equation nor cap excludes.
func (in *Input) Queue(n, requests float64) (ρ, delay float64) {
	m := &in.Memory
	s, sum := in.lineService(), n*requests*m.Units
	rate := sum / in.Mem.Latency()
	ρ = rate * s
	return ρ, min(s*s*rate/(2*(1-ρ)), s*sum/2)
}

// lineService is for how long the whole DRAM is busy with a cache line, in
// cycles.
func (in *Input) lineService() float64 {
	return in.Memory.Service * in.Memory.Transactions / in.Memory.Lines
}

// missDelay is the mean time for which a read waits for one of the unit's miss
// registers, of so many at once: Λ_mem for each batch before its own (Huang Eqs. 19,
// 20, as MDM's authors program them; V16 7.7 prints that it is 0 as long as all
// find a register).
func (in *Input) missDelay(requests float64) float64 {
	registers := in.Memory.MSHRs
	if requests <= registers {
		return 0
	}
	full := math.Floor(requests / registers)
	batches := registers*full*(full+1)/2 + (requests-full*registers)*(full+1) // Σ ⌈j/registers⌉
	return in.Mem.Latency() * (batches/requests - 1)
}

// resourceDelay is the delay that a warp's intervals add to its time when n warps are
// resident, in cycles, and the largest ρ of them (Huang Eqs. 17 to 23); or why
// there is none.
func (in *Input) resourceDelay(v *intervals, n float64) (cycles, ρ float64, invalidReason string) {
	if in.Contention == NoContention || in.Mem.Count == 0 {
		return 0, 0, ""
	}
	if m := &in.Memory; !positive(m.Service, m.Units, m.Transactions, m.Lines, m.MSHRs) {
		return 0, 0, "the bandwidth of device memory or the number of misses in flight is not known"
	}
	for i := range v.list {
		w := &v.list[i]
		if w.Loads+w.Stores == 0 || in.Contention == UncoalescedContention && !w.Uncoalesced {
			continue
		}
		utilization, delay := in.Queue(n, w.Loads+w.Stores)
		ρ = max(ρ, utilization)
		cycles += w.Count * (delay + in.missDelay(n*w.Loads))
	}
	return cycles, ρ, ""
}
