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

// Time is the cycles per instruction of a warp, where so many lie between the first group's start and the last one's.
func (h *Hull) Time(m *Machine, at configuration, start float64) float64 {
	if !h.Partitioned || m.Partitions <= 1 {
		return h.of(m, h.CPI, at, start, max(m.Partitions, 1))
	}
	used := m.Partitions / int(latencies.CommonDivisor(int64(at.every), int64(m.Partitions))) // sub-cores
	at.warps = (at.warps + used - 1) / used
	return h.of(m, h.CPI*float64(m.Partitions), at, start, 1)
}

// of is the time of the warps on one pipeline with the given λ that so many sub-cores share.
//
// With priority as many warps run at first as keep the pipeline busy, of each sub-core equally many, then
// as many others.
func (h *Hull) of(m *Machine, cpi float64, at configuration, start float64, sharers int) float64 {
	if !m.Priority || h.Even || cpi <= 0 {
		return h.wave(cpi, at, start)
	}
	all, together := at.warps, sharers
	ahead := float64(h.Queue*sharers) / float64(at.chains) * cpi
	for ; together < all; together += sharers {
		at.warps = together
		if float64(together)*cpi >= (h.alone(at)+ahead)*(1-rounding) {
			break
		}
	}
	full, rest := all/together, all%together
	if rest == 0 {
		full, rest = full-1, together
	}
	at.warps = together
	time := float64(full) * h.wave(cpi, at, 0)
	at.warps = rest
	return time + h.wave(cpi, at, start)
}

// wave is the time of warps that advance evenly, the last of which begins later.
func (h *Hull) wave(cpi float64, at configuration, start float64) float64 {
	return max(h.alone(at)+start, float64(at.warps)*cpi)
}

// alone is the time of warps for which the pipeline is always free.
func (h *Hull) alone(at configuration) float64 {
	return max(h.loaded(float64(at.warps*at.chains))/float64(at.chains), h.Interval)
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
