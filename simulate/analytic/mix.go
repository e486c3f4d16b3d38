package analytic

import "math"

// Mix is computations and memory accesses of a kind each, of which a kernel has
// α to one (V16 T.4.1).
type Mix struct {
	CompCPI, CompLatency float64 // λ and Λ of a computation
	MemCPI, MemLatency   float64 // of an access
	IssueLimit           float64 // instructions per cycle; 0 = none
	Schedulers           float64 // warp schedulers that share the issue limit; 0 = 1
}

// MixOf is the mix of a kernel's mean computation and mean access; false if it
// has none of either. Its latencies are divided by the kernel's ILP.
func MixOf(in *Input) (Mix, bool) {
	if in.Verify() != nil || in.Mem.Count == 0 || in.Comp.Count == 0 {
		return Mix{}, false
	}
	return Mix{
		CompCPI: in.Comp.CPI(), CompLatency: in.Comp.Latency() / in.ILP,
		MemCPI: in.Mem.CPI(), MemLatency: in.Mem.Latency() / in.ILP,
		IssueLimit: in.IssueLimit, Schedulers: in.Schedulers,
	}, true
}

// Names of the subsystems of a mix.
const (
	mixComp = "alu"
	mixMem  = "memory"
)

// Input is a kernel whose instructions are one chain of dependences: so many
// times α computations and one access; without accesses, α computations. It has
// no memory bandwidth beyond λ: see Memory.
func (m Mix) Input(α, accesses int) *Input {
	comps := α * max(accesses, 1)
	in := &Input{
		Comp:    Uniform(float64(comps), m.CompCPI, m.CompLatency),
		Mem:     Uniform(float64(accesses), m.MemCPI, m.MemLatency),
		PeakCPI: m.CompCPI, IssueSlots: float64(comps + accesses), IssueLimit: m.IssueLimit,
		ILP: 1, ChainLoads: float64(accesses), Schedulers: max(m.Schedulers, 1), MemIssue: m.CompCPI,
	}
	in.WarpLatency = in.Serial()
	for _, s := range []struct {
		name string
		Work
	}{{mixComp, in.Comp}, {mixMem, in.Mem}} {
		if s.Count > 0 {
			in.Subsystems = append(in.Subsystems, Subsystem{Name: s.name, Count: s.Count, Busy: s.Busy, Wait: s.Wait,
				Chain: s.Wait})
		}
	}
	if accesses > 0 {
		in.Memory = Memory{Units: 1, Transactions: 1, Lines: 1, Service: m.MemCPI, MSHRs: DefaultMSHRs}
	}
	m.setWarp(in, float64(comps), float64(accesses))
	return in
}

// setWarp sets the mix as the representative warp of GPUMech and the WFG. Where
// every latency stalls, an interval is one instruction, with a stall of its latency
// less the slot in which it issues (V16 7.6); else it is an access and the
// computations before it.
func (m Mix) setWarp(in *Input, comps, accesses float64) {
	slot := in.slot()
	load := Interval{Count: accesses, Instructions: 1, Stall: max(0, m.MemLatency-slot), Loads: 1}
	block := Block{Count: 1, Busy: comps * m.CompCPI, Span: comps * m.CompLatency}
	if comps > 0 {
		in.Intervals = append(in.Intervals, Interval{Count: comps, Instructions: 1, Stall: max(0, m.CompLatency-slot)})
	}
	if accesses == 0 {
		in.MemIntervals = []Interval{{Count: 1, Instructions: comps}}
		in.Blocks = []Block{block}
		return
	}
	in.Intervals = append(in.Intervals, load)
	load.Instructions += comps / accesses
	in.MemIntervals = []Interval{load}
	block = Block{Count: accesses, Busy: block.Busy / accesses, Span: block.Span / accesses, Access: true,
		Wait: m.MemLatency}
	in.Blocks = []Block{block}
}

// Needed is how many warps hide the latency at an arithmetic intensity of α
// computations per access: latency × throughput (V16 4.3). α = +Inf is computations
// alone.
func (m Mix) Needed(α float64) float64 {
	if math.IsInf(α, 1) {
		return m.CompLatency * min(1/m.CompCPI, m.issueRate())
	}
	return (m.MemLatency + α*m.CompLatency) * m.rate(α)
}

// rate is accesses per cycle at the throughput bound.
func (m Mix) rate(α float64) float64 {
	rate := min(1/m.MemCPI, m.issueRate()/(α+1))
	if α > 0 {
		rate = min(rate, 1/(α*m.CompCPI))
	}
	return rate
}

func (m Mix) issueRate() float64 {
	if m.IssueLimit == 0 {
		return math.Inf(1)
	}
	return m.IssueLimit
}

// Cusp is the arithmetic intensity at which the bound passes from the memory to
// computations or issue, where most warps are needed.
func (m Mix) Cusp() float64 {
	α := m.MemCPI / m.CompCPI
	if m.IssueLimit > 0 {
		α = min(α, m.MemCPI*m.IssueLimit-1)
	}
	return max(0, α)
}
