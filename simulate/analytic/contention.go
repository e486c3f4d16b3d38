package analytic

import "math"

// contention is Volkov's model where the latency of memory grows with its
// load.
type contention struct{}

func (contention) About() About {
	return About{
		Name: "volkov-loaded", Title: "Volkov with contention",
		Source:  "V16 6.5",
		Formula: "V16 6.5: Λ + b·τ/(c-τ) in A Eq. 3",
		Assumes: "as Volkov; every access on the longest chain waits for Λ + b·τ/(c-τ) at a throughput of τ GB/s",
	}
}

// Estimate solves x = min(n / (Λ_app + k·b·τ/(c-τ)), roofs) for the rate x, where τ
// is x in GB/s and k the number of accesses that a warp waits for.
func (contention) Estimate(in *Input, n float64) Estimate {
	m := &in.Memory
	switch {
	case in.Mem.Count == 0:
		e := volkov{}.Estimate(in, n)
		e.Note = "without memory access as Volkov"
		return e
	case m.Loaded == nil:
		return invalid("the device file has no latency under load (memory.contention)")
	case math.IsNaN(in.ChainLoads):
		return invalid("the warp is too long to count the accesses that it waits for")
	case !positive(m.BytesPerWarp, m.ClockHz, m.Units):
		return invalid("the bytes that a warp moves are not known")
	}
	perRate := m.BytesPerWarp * m.ClockHz * m.Units / 1e9 // GB/s at one warp per cycle
	roof, bound := in.Throughput()
	ceiling := m.Loaded.Capacity / perRate
	x := solve(0, min(roof, ceiling), func(x float64) bool {
		queue := m.Loaded.Queueing * x / (ceiling - x)
		return x*(in.WarpLatency+in.replacement(n)+in.ChainLoads*queue) <= n
	})
	if x >= roof {
		return Estimate{WarpsPerCycle: roof, Bound: bound}
	}
	return Estimate{WarpsPerCycle: x, Bound: boundLatency}
}

// solve finds by bisection the largest x between low and high for which below
// holds, where below holds at low and, once it does not hold, holds no longer.
func solve(low, high float64, below func(float64) bool) float64 {
	if below(high) {
		return high
	}
	for {
		middle := low + (high-low)/2
		if middle <= low || middle >= high || math.IsNaN(middle) {
			return low
		}
		if below(middle) {
			low = middle
		} else {
			high = middle
		}
	}
}
