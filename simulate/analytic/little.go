package analytic

import "fmt"

// Little is the concurrency of a kernel by Little's law, concurrency = latency ×
// throughput (V16 3.3), at an occupancy and the rate reached there.
type Little struct {
	Subsystems []Concurrency
	// NeededWarps is how many warps hide all latency: Λ_app × the throughput bound.
	NeededWarps float64
	Warps       float64 // that are resident
	Verdict     string  // one sentence: which latency is not hidden
}

// Concurrency is what one subsystem has in flight, in instructions.
type Concurrency struct {
	Subsystem    string
	CPI, Latency float64 // means, cycles
	// Saturating is how many instructions in flight keep the subsystem busy all
	// the time, Λ/λ, and SaturatingWarps how many warps that takes.
	Saturating, SaturatingWarps float64
	// Needed is how many are in flight at the kernel's throughput bound,
	// Available at the rate that it reaches.
	Needed, Available float64
	// Chain is the share of a warp's longest chain that passes in the
	// subsystem's instructions.
	Chain float64
}

// NewLittle computes it for n resident warps of which warpsPerCycle complete per
// cycle (V16 3.1, 3.3).
func NewLittle(in *Input, n, warpsPerCycle float64) Little {
	roof, bound := in.Throughput()
	l := Little{NeededWarps: roof * in.WarpLatency, Warps: n}
	chain := 0.0
	for _, s := range in.Subsystems {
		chain += s.Chain
	}
	top := -1
	for i, s := range in.Subsystems {
		c := Concurrency{
			Subsystem: s.Name, CPI: s.Busy / s.Count, Latency: s.Wait / s.Count,
			Saturating: s.Wait / s.Busy, SaturatingWarps: in.WarpLatency / s.Busy,
			Needed: roof * s.Wait, Available: warpsPerCycle * s.Wait,
		}
		if chain > 0 {
			c.Chain = s.Chain / chain
		}
		if top < 0 || c.Chain > l.Subsystems[top].Chain {
			top = i
		}
		l.Subsystems = append(l.Subsystems, c)
	}
	switch {
	case warpsPerCycle >= nearRoof*roof:
		l.Verdict = fmt.Sprintf("all latency is hidden: the bound is %s", boundText(bound))
	case n < l.NeededWarps && chain == 0:
		l.Verdict = fmt.Sprintf("latency is not hidden: %.3g of %.3g warps are there", n, l.NeededWarps)
	case n < l.NeededWarps:
		l.Verdict = fmt.Sprintf("the latency of %s is not hidden: it is %.0f%% of a warp's longest chain, and %.3g "+
			"of %.3g warps are there",
			l.Subsystems[top].Subsystem, 100*l.Subsystems[top].Chain, n, l.NeededWarps)
	case in.Mem.Count > 0 && in.Memory.Loaded != nil:
		l.Verdict = fmt.Sprintf("%.3g warps would do without load, but the latency of memory grows with it: %.0f%% "+
			"of the bound by %s is reached",
			l.NeededWarps, 100*warpsPerCycle/roof, boundText(bound))
	default:
		l.Verdict = fmt.Sprintf("%.3g warps should be enough, but they run in lockstep: %.0f%% of the bound by %s "+
			"is reached",
			l.NeededWarps, 100*warpsPerCycle/roof, boundText(bound))
	}
	return l
}
