package analytic

import (
	"fmt"
	"math"
)

// Input is a kernel on a compute unit as the analytical models see it. All
// counts and times are per warp, averaged over the warps of a group.
type Input struct {
	Comp Work // computations: everything but accesses of device memory, barriers included
	Mem  Work // accesses of device memory

	// Sync is the number of barriers; they are among Comp.
	Sync float64
	// PeakCPI is λ of the fastest computation that the kernel executes: the
	// compute roof of the Roofline.
	PeakCPI float64

	// IssueSlots is what the warp takes of the issue limit: one for each instruction,
	// more for some and for each reissue, none for what is issued with another (V16 T.3.4).
	IssueSlots float64
	// IssueLimit is in instructions per cycle of the compute unit; 0 = none.
	IssueLimit float64

	Subsystems []Subsystem

	// WarpLatency is Λ_app, the time of a warp that is alone: Σ Λ of the dependent
	// instructions + Σ λ of the independent ones (A Eq. 2).
	WarpLatency float64
	// ILP is how many instructions of a warp are in flight on average when only
	// dependences hold them back, ≥ 1.
	ILP float64
	// ChainLoads is how many accesses of device memory the warp's longest chain
	// of dependences waits for; NaN = not known.
	ChainLoads float64

	// MemIssue is for how long an access of device memory takes the computations'
	// pipeline, in cycles: λ_mem_instr = λ_comp (A 2.4.1). May be 0.
	MemIssue float64
	// Blocks is the warp of the WFG; nil = not given.
	Blocks []Block
	// Intervals is the representative warp of MDM and of V16's GPUMech: every latency
	// stalls. MemIntervals is that of A's GPUMech, where only the results of accesses
	// of device memory stall. nil = not given.
	Intervals, MemIntervals []Interval
	Contention              ResourceContention // GPUMech's; none by default

	Memory     Memory
	Schedulers float64 // warp schedulers of the compute unit, ≥ 1

	// Groups is how many groups the compute unit runs and WarpsPerGroup how many
	// warps they have: after all but the last resident groups comes a
	// replacement. 0 = without end.
	Groups        float64
	WarpsPerGroup float64
	Replacement   float64 // from the end of a group until its successor may issue, in cycles
}

// Work is a kind of instructions of one warp.
type Work struct {
	Count float64 // instructions
	// Busy is for how long they keep their busiest subsystem, or the issue
	// unit, busy: the least time in which the compute unit completes them, Sum
	// the Σ of λ over all subsystems.
	Busy, Sum float64
	Wait      float64 // Σ Λ, where stores count λ (P19 Fig. 1)
}

// Uniform is the work of equal instructions.
func Uniform(count, cpi, latency float64) Work {
	return Work{Count: count, Busy: count * cpi, Sum: count * cpi, Wait: count * latency}
}

// CPI is the mean λ, 0 without instructions.
func (w Work) CPI() float64 { return w.mean(w.Busy) }

// Latency is the mean Λ, 0 without instructions.
func (w Work) Latency() float64 { return w.mean(w.Wait) }

func (w Work) mean(sum float64) float64 {
	if w.Count == 0 {
		return 0
	}
	return sum / w.Count
}

// Subsystem is what a warp does in one subsystem.
type Subsystem struct {
	Name  string
	Count float64 // instructions
	Busy  float64 // Σ λ
	Wait  float64 // Σ Λ, where stores count λ
	// Chain is the part of the warp's longest chain of dependences that passes
	// in the subsystem's instructions; 0 in all of them = not known.
	Chain float64
}

// Memory is the device memory as one compute unit sees it.
type Memory struct {
	Units   float64 // compute units that share it
	ClockHz float64
	// BytesPerWarp is what a warp moves.
	BytesPerWarp float64
	// Transactions is how many transactions an access makes on average, and
	// Service how long the memory is busy with one of them, in cycles (GPUMech's
	// s = f·128/BW).
	Transactions, Service float64
	// Lines is how many cache lines of 128 bytes an access touches on average.
	Lines float64
	// MSHRs is how many misses the first-level cache of a compute unit can hold.
	MSHRs float64
	// Loaded is the latency under load, nil if the device file has no source.
	Loaded *Loaded
}

// Loaded is the latency of device memory under load: Λ + Queueing·τ/(Capacity-τ)
// at a throughput of τ GB/s of the whole GPU (V16 6.5).
type Loaded struct {
	Queueing float64 // b, cycles
	Capacity float64 // c, GB/s
}

// Verify reports the first field that no kernel on any device can have.
func (in *Input) Verify() error {
	for _, w := range []struct {
		name string
		Work
	}{{"computations", in.Comp}, {"memory accesses", in.Mem}} {
		switch {
		case !(w.Count >= 0) || math.IsInf(w.Count, 0):
			return fmt.Errorf("%v %s per warp are not a number of instructions", w.Count, w.name)
		case w.Count > 0 && !positive(w.Busy, w.Sum, w.Wait):
			return fmt.Errorf("the %s have λ %v and Λ %v; both must be more than 0", w.name, w.CPI(), w.Latency())
		}
	}
	switch {
	case in.Comp.Count+in.Mem.Count == 0:
		return fmt.Errorf("the kernel has no instructions")
	case !positive(in.WarpLatency):
		return fmt.Errorf("a warp takes %v cycles; that must be more than 0", in.WarpLatency)
	case !(in.ILP >= 1) || math.IsInf(in.ILP, 0):
		return fmt.Errorf("an ILP of %v is less than 1", in.ILP)
	case !(in.IssueLimit >= 0) || in.IssueLimit > 0 && !positive(in.IssueSlots):
		return fmt.Errorf("%v issue slots per warp, of %v per cycle", in.IssueSlots, in.IssueLimit)
	case in.Comp.Count > 0 && !positive(in.PeakCPI):
		return fmt.Errorf("the fastest computation has λ %v; that must be more than 0", in.PeakCPI)
	}
	for _, s := range in.Subsystems {
		if s.Count > 0 && !positive(s.Busy, s.Wait) {
			return fmt.Errorf("subsystem %s has Σ λ %v and Σ Λ %v; both must be more than 0", s.Name, s.Busy, s.Wait)
		}
	}
	return nil
}

// positive reports whether all values are finite and more than 0.
func positive(values ...float64) bool {
	for _, v := range values {
		if !(v > 0) || math.IsInf(v, 0) {
			return false
		}
	}
	return true
}

// Intensity is CI, computations per memory access (A Table 2); +Inf without
// accesses.
func (in *Input) Intensity() float64 { return in.Comp.Count / in.Mem.Count }

// Serial is the time of a warp of which no two instructions overlap, in cycles: Σ Λ
// (A Eq. 13).
func (in *Input) Serial() float64 { return in.Comp.Wait + in.Mem.Wait }

// issueBusy is for how long a warp keeps the issue unit busy; 0 without a
// limit.
func (in *Input) issueBusy() float64 {
	if in.IssueLimit == 0 {
		return 0
	}
	return in.IssueSlots / in.IssueLimit
}

// slot is the time between two issues of one scheduler in the interval models,
// which know no pipeline but issue: by the issue limit, or by the fastest
// computation where that is slower; 0 with neither.
func (in *Input) slot() float64 {
	slot := in.PeakCPI
	if in.IssueLimit > 0 {
		slot = max(slot, 1/in.IssueLimit)
	}
	return slot * in.Schedulers
}

// nameIssue names the issue limit where a bound is named.
const nameIssue = "issue limit"

// Throughput is the roof: the most warps per cycle that subsystems and issue
// limit allow at any occupancy (WPC^roof of A Eq. 3; V16 3.6), and which of them
// is the narrowest. Of equal ones the first subsystem is named.
func (in *Input) Throughput() (wpc float64, bound string) {
	busy := 0.0
	for _, s := range in.Subsystems {
		if s.Busy > busy {
			busy, bound = s.Busy, s.Name
		}
	}
	if i := in.issueBusy(); i > busy {
		busy, bound = i, nameIssue
	}
	return 1 / busy, bound
}

// boundText names what Throughput returns in a sentence.
func boundText(bound string) string {
	if bound == nameIssue {
		return "the issue limit"
	}
	return "subsystem " + bound
}

// replacement is the time per warp that passes until its successor comes, of n
// resident warps: a unit that runs N groups, M at a time, replaces N - M of
// them.
func (in *Input) replacement(n float64) float64 {
	if in.Groups == 0 || in.WarpsPerGroup == 0 {
		return in.Replacement
	}
	return in.Replacement * max(0, 1-n/(in.WarpsPerGroup*in.Groups))
}
