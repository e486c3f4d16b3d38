package simulate

import (
	"fmt"
	"math"

	"gpupipe/idg"
	"gpupipe/latencies"
)

// Result is what one compute unit did. Cycles are exact unless Extrapolated is
// set. Counts are of the whole launch on this unit, also when only a part of it
// was simulated.
type Result struct {
	Cycles           latencies.Cycles
	Seconds          float64 // Cycles / clock + LaunchSeconds
	LaunchSeconds    float64 // what the launch takes beside its groups; 0 if the device does not tell
	Groups           int64   // run by this compute unit: N
	ConcurrentGroups int64   // M
	WarpsPerGroup    int64
	OccupancyWarps   int64 // concurrent groups × warps per group
	// the resource that limits it: "warps", "groups", "local memory", "registers", "work items", "launch" (too few
	// groups), "--concurrent"
	OccupancyLimit string
	Occupancy      Occupancy

	// GroupAlone is what one group takes alone on the unit; its long loops may be
	// extrapolated as the run's are.
	GroupAlone latencies.Cycles

	Issued        int64 // warp instructions
	WarpsPerCycle float64
	// IssueUtilization is the share of the issue slots (issue limit × cycles)
	// that were used; 0 without an issue limit.
	IssueUtilization float64
	// RegisterReads is for how long, in cycles, the read ports of the sub-cores' registers were
	// busy, and ReadUtilization the share of the run; both 0 without a limit
	// (latencies.Device.RegisterReads), and where no instruction reads more than the ports
	// give from one issue to the next.
	RegisterReads   latencies.Cycles
	ReadUtilization float64
	Bound           Bound
	LowerBounds     LowerBounds
	Subsystems      []SubsystemUse // by latencies.SubsystemID
	Lines           []LineUse      // by position
	Classes         []ClassUse     // by kind of group, then idg.InstrID: also those that no warp executes
	Waiting         Waiting

	// SimulatedGroups is how many groups were simulated instruction by
	// instruction. SkippedGroups is how many were not because the unit came back
	// to a state in which it had been: what they do is known exactly, and every
	// number is the same as if they had been simulated. If Extrapolated is set,
	// the two are not all groups: the cycles of the others are whole waves of the
	// steady state that was measured, and Notes says how steady it was.
	SimulatedGroups int64
	SkippedGroups   int64
	SkippedIssues   int64 // warp instructions, of skipped groups and of skipped iterations of loops
	// LeftOutIssues is how many warp instructions are of iterations of long loops that were
	// neither simulated nor skipped: then Extrapolated is set as well, and the two counts of groups
	// are those of the longest launch that was simulated (see iterations.go).
	LeftOutIssues int64
	Extrapolated  bool
	// Sampling says how exact the cycles are if Extrapolated is set; nil if groups
	// were extrapolated without a bound.
	Sampling *Sampling
	Notes    []string // what the reader of the numbers should know, a sentence each

	// Contention is nil if the latency of device memory did not depend on its
	// load: the device has no constants, the launch no such access, or
	// Config.NoContention was set.
	Contention *Contention

	Kinds []KindUse // one for each kind of group

	Profile *Profile // nil unless Config.Profile
}

// Contention says what the load of device memory made of the latency of its
// accesses (V16 6.5): those that were simulated or skipped.
type Contention struct {
	Constants latencies.Contention // of the device
	Accesses  int64
	Mean      float64 // loaded latency, cycles
	Longest   latencies.Cycles
}

// Sampling says how exact the cycles of a sampled run are.
type Sampling struct {
	Asked float64 `json:"asked"` // Config.Precision
	// Bound is of the relative error of the cycles: a 99% estimate, not a guarantee; of waves at most Asked.
	Bound float64 `json:"bound"`
	Waves int64   `json:"waves"` // of groups that were measured; 0 = all groups ran
}

// KindUse is how many groups of one kind the compute unit ran (see RunKinds).
type KindUse struct {
	Groups    int64 `json:"groups"`
	Simulated int64 `json:"simulated"` // or skipped, see Result.SimulatedGroups
}

// SubsystemUse is one subsystem's share of the run.
type SubsystemUse struct {
	Name   string
	Issued int64
	Busy   latencies.Cycles // Σ λ
	// Utilization is the share of the run in which the subsystem was busy. It is
	// Busy / Cycles, less what of the last instruction's λ lies beyond the end.
	Utilization float64
}

// LineUse is one source line's share of the run.
type LineUse struct {
	Pos    idg.Pos // Column 0
	Issued int64
	Busy   latencies.Cycles // Σ λ over its instructions, over all subsystems
	// BusyIn is Busy for each subsystem, by latencies.SubsystemID.
	BusyIn []latencies.Cycles
	// Subsystem is where most of Busy is spent.
	Subsystem string
	// Share is the line's part of the busy cycles of the busiest subsystem of
	// the run: what of the run time it accounts for if throughput is the bound.
	Share float64
	// ReadShare is the line's part of Result.RegisterReads.
	ReadShare float64
	// Critical is how many cycles of the longest warp's critical path (with Λ)
	// pass in the line's instructions. 0 also where that is not known, because the
	// warp executes too much in loops.
	Critical latencies.Cycles
	// Waited is the time per warp, in cycles, for which a warp had no ready
	// instruction until one of this line completed (or, for an order dependence,
	// let its successor go): the latency that was not hidden within the warp.
	Waited float64
	// Queued is the time per warp, in cycles, for which a warp had an
	// instruction ready, and that ended with the issue of one of this line: time
	// lost to busy pipelines, to the issue limit and to other warps.
	Queued float64
}

// ClassUse is one instruction class's share of the run.
type ClassUse struct {
	Kind   int              // of group: index of RunKinds' argument
	Instr  *idg.Instr       // of the kind's graph
	Entry  *latencies.Entry // of the kind's mapping
	Issued int64
	Reads  latencies.Cycles // part of Result.RegisterReads
	// Waited and Queued are as in LineUse, cycles per warp.
	Waited, Queued float64
}

// Waiting says how a warp spends its life, on average over the warps that were
// simulated or skipped, in cycles. Resident = Latency + Barrier + Queued.
type Waiting struct {
	Resident float64 `json:"resident_cycles"` // from start to end of a warp
	Latency  float64 `json:"latency_cycles"`  // nothing ready, until an instruction other than a barrier completed
	Barrier  float64 `json:"barrier_cycles"`  // nothing ready, until a barrier completed
	Queued   float64 `json:"queued_cycles"`   // something ready, nothing issued
}

// Verify checks what must hold for every result.
func (r *Result) Verify() error {
	cycles := r.Cycles.Float()
	switch {
	case !(cycles > 0) || math.IsInf(cycles, 0) || math.IsNaN(r.Seconds):
		return fmt.Errorf("simulate: the run takes %v cycles, %v seconds", cycles, r.Seconds)
	case r.SimulatedGroups+r.SkippedGroups > r.Groups ||
		r.Extrapolated != (r.SimulatedGroups+r.SkippedGroups < r.Groups || r.LeftOutIssues > 0):
		return fmt.Errorf("simulate: of %d groups %d simulated and %d skipped, %d instructions left out, "+
			"extrapolated %t", r.Groups, r.SimulatedGroups, r.SkippedGroups, r.LeftOutIssues, r.Extrapolated)
	case r.ConcurrentGroups < 1 || r.ConcurrentGroups > r.Groups:
		return fmt.Errorf("simulate: %d of %d groups at once", r.ConcurrentGroups, r.Groups)
	}
	const slack = 1e-9 // of floating-point shares
	if low := r.LowerBounds.Latency.Float(); cycles < low*(1-slack) {
		return fmt.Errorf("simulate: %v cycles are below the latency bound %v", cycles, low)
	}
	if low := r.LowerBounds.Starts.Float(); cycles < low*(1-slack) {
		return fmt.Errorf("simulate: %v cycles are below the bound %v of the groups' starts", cycles, low)
	}
	if low := r.LowerBounds.Reads.Float(); cycles < low*(1-slack) {
		return fmt.Errorf("simulate: %v cycles are below the bound %v of the reads of registers", cycles, low)
	}
	var issued, lines int64
	for _, s := range r.Subsystems {
		issued += s.Issued
		if s.Utilization < 0 || s.Utilization > 1+slack {
			return fmt.Errorf("simulate: subsystem %s is busy for %v of the run", s.Name, s.Utilization)
		}
	}
	for _, l := range r.Lines {
		lines += l.Issued
	}
	if issued != r.Issued || lines != r.Issued {
		return fmt.Errorf("simulate: %d instructions issued, %d by subsystem, %d by line", r.Issued, issued, lines)
	}
	if r.IssueUtilization < 0 || r.IssueUtilization > 1+slack {
		return fmt.Errorf("simulate: %v of the issue slots used", r.IssueUtilization)
	}
	if r.ReadUtilization < 0 || r.ReadUtilization > 1+slack {
		return fmt.Errorf("simulate: the registers are read for %v of the run", r.ReadUtilization)
	}
	w := r.Waiting
	if d := w.Resident - w.Latency - w.Barrier - w.Queued; math.Abs(d) > 1e-6*(1+w.Resident) {
		return fmt.Errorf("simulate: %v cycles of a warp's life are not accounted for", d)
	}
	return nil
}
