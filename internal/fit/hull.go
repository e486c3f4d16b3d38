package fit

import (
	"math"

	"gpupipe/latencies"
)

// Machine is what a device's curves have in common.
type Machine struct {
	Partitions int                 // sub-cores; the warp at place p is on sub-core p mod Partitions
	Priority   bool                // some warps go first until they end; else all advance evenly
	Scheduler  latencies.Scheduler // with which they do; 0 = the times do not tell
	Interval   float64             // shortest time between two issues of a warp, cycles; 0 = none
}

// Hull is the curve of one class.
type Hull struct {
	CPI, Latency float64 // λ and Λ, cycles
	Interval     float64 // see Machine
	Partitioned  bool    // each sub-core has its share of the subsystem
	Even         bool    // all warps advance evenly, whatever Machine says
	Queue        int     // instructions of each sub-core that wait in front of a shared subsystem
	Load         Load
}

// Load is what makes latency grow with the accesses in flight (V16 6.5); the zero value does not.
type Load struct {
	Queueing float64 // b, cycles
	Access   float64 // cycles in which the capacity c moves the bytes of an access
}

// Ridge is how many warps with one chain each keep the subsystem busy.
func (h *Hull) Ridge() float64 { return h.Latency / h.CPI }

// Occupancy is what is resident on a compute unit.
type Occupancy struct {
	Warps, Chains int     // and independent chains of each
	Every         int     // the warps are every n-th of a group; 1 = all
	Start         float64 // from the first group's start to the last one's, cycles per instruction of a warp
}

// Time is the cycles per instruction of a warp.
func (h *Hull) Time(m *Machine, o Occupancy) float64 {
	if !h.Partitioned || m.Partitions <= 1 {
		return h.of(m, h.CPI, o, max(m.Partitions, 1))
	}
	used := m.Partitions / gcd(o.Every, m.Partitions) // sub-cores
	o.Warps = (o.Warps + used - 1) / used
	return h.of(m, h.CPI*float64(m.Partitions), o, 1)
}

func gcd(a, b int) int {
	for b != 0 {
		a, b = b, a%b
	}
	return a
}

// of is the time of the warps on one pipeline with the given λ that so many sub-cores share.
//
// With priority as many warps run at first as keep the pipeline busy, of each sub-core equally many, then
// as many others.
func (h *Hull) of(m *Machine, cpi float64, o Occupancy, sharers int) float64 {
	if !m.Priority || h.Even || cpi <= 0 {
		return h.wave(cpi, o, o.Start)
	}
	all, together := o.Warps, sharers
	ahead := float64(h.Queue*sharers) / float64(o.Chains) * cpi
	for ; together < all; together += sharers {
		o.Warps = together
		if float64(together)*cpi >= (h.alone(o)+ahead)*(1-rounding) {
			break
		}
	}
	full, rest := all/together, all%together
	if rest == 0 {
		full, rest = full-1, together
	}
	o.Warps = together
	time := float64(full) * h.wave(cpi, o, 0)
	o.Warps = rest
	return time + h.wave(cpi, o, o.Start)
}

// wave is the time of warps that advance evenly, the last of which begins later.
func (h *Hull) wave(cpi float64, o Occupancy, start float64) float64 {
	return max(h.alone(o)+start, float64(o.Warps)*cpi)
}

// alone is the time of warps for which the pipeline is always free.
func (h *Hull) alone(o Occupancy) float64 {
	return max(h.loaded(float64(o.Warps*o.Chains))/float64(o.Chains), h.Interval)
}

// loaded is Λ with so many accesses in flight: Λ + w, where w·(w + Λ - s) = s·b and s is the time in
// which the capacity moves them (simulate, load.go).
func (h *Hull) loaded(accesses float64) float64 {
	if h.Load.Queueing <= 0 {
		return h.Latency
	}
	s := accesses * h.Load.Access
	half := (s - h.Latency) / 2
	return h.Latency + half + math.Sqrt(half*half+s*h.Load.Queueing)
}

// rounding keeps a quotient that is whole from being rounded up.
const rounding = 1e-9
