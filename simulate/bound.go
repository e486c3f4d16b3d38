package simulate

import (
	"fmt"
	"math"

	"gpupipe/internal/diag"
)

// Values of Bound.Kind.
const (
	BoundThroughput = "throughput" // a subsystem is saturated
	BoundIssue      = "issue"      // the issue limit is reached
	BoundLatency    = "latency"    // too little parallelism
	BoundBarrier    = "barrier"    // warps wait for each other more than for anything else
	BoundReads      = "reads"      // the read ports of the registers are saturated
	BoundStarts     = "starts"     // groups end as fast as the GPU starts others
)

// saturated is the utilisation from which on a subsystem or the issue limit is called the bound, as
// Nsight Compute does it (no_bound_threshold of sections/SpeedOfLight.py: 80%).
const saturated = 0.8

// fewWaves is the number of waves of groups below which start and end are named
// as the reason why nothing is saturated.
const fewWaves = 8

// Bound names what limits the run: a subsystem, the issue limit or the reads of registers if one is
// (nearly) saturated, or if a run of few waves queues for it for most of the
// time; the pace at which the GPU starts groups if that takes nearly all of the time and
// they do not; else barriers if warps wait longest at them, else latency.
type Bound struct {
	Kind      string // BoundThroughput, BoundIssue, BoundReads, BoundLatency, BoundBarrier or BoundStarts
	Subsystem string // the busiest one
	// NeededWarps is how many resident warps would hide the latency, by Little's
	// law: what a group takes alone × the most groups per cycle that subsystems,
	// issue limit, reads of registers and pace of starts allow, in warps.
	NeededWarps int64
	Text        string // one sentence
	// Pos is the line that accounts for most of it: of the busy time of the
	// subsystem, of the issues, or of the waiting. Not valid if its instructions have
	// no source line.
	Pos diag.Pos
}

func (s *setup) bound(r *Result) Bound {
	busiest := &r.Subsystems[r.busiest()]
	title := s.device.TitleOf(busiest.Name)
	perGroup := max(r.LowerBounds.Throughput.Float(), r.LowerBounds.Issue.Float(),
		r.RegisterReads.Float()) / float64(r.Groups)
	perGroup = max(perGroup, s.hw.pace.Float())
	need := r.GroupAlone.Float() / perGroup * float64(r.WarpsPerGroup)
	b := Bound{Subsystem: busiest.Name, NeededWarps: int64(math.Ceil(min(need, 1<<53) - 1e-9))}
	w := &r.Waiting
	use := max(busiest.Utilization, r.IssueUtilization, r.ReadUtilization)
	// A short run is not saturated while it starts and ends; what its warps
	// mostly do still tells.
	busy := use >= saturated || r.waves() < fewWaves && w.Queued > w.Resident/2
	starting := s.hw.pace.Float() * float64(r.Groups-1) / r.Cycles.Float()
	switch {
	case starting >= saturated && use < saturated:
		b.Kind = BoundStarts
		b.Text = fmt.Sprintf("the start of groups: the GPU starts one every %v cycles, a compute unit one every %v, "+
			"which takes %.0f%% of the time; larger groups, or more work in each, need fewer of them",
			s.device.GroupStart, s.hw.pace, 100*starting)
	case busy && use == busiest.Utilization:
		b.Kind = BoundThroughput
		line := r.top(func(l *LineUse) float64 { return l.Share })
		b.Pos = line.Pos
		b.Text = fmt.Sprintf("the throughput of %s: it is busy for %.0f%% of the time%s, %.0f%% of that with %s",
			title, 100*use, r.startAndEnd(use), 100*line.Share, where(line))
	case busy && use == r.ReadUtilization:
		b.Kind = BoundReads
		line := r.top(func(l *LineUse) float64 { return l.ReadShare })
		b.Pos = line.Pos
		words := r.RegisterReads.Float() * s.device.RegisterReads.Float() * float64(s.hw.partitions)
		b.Text = fmt.Sprintf("register reads: the registers' ports are busy for %.0f%% of the time%s, %.0f%% of that "+
			"for %s; a sub-core's give %v words of a warp per cycle, and instructions read %.2g on average",
			100*use, r.startAndEnd(use), 100*line.ReadShare, where(line), s.device.RegisterReads,
			words/float64(r.Issued))
	case busy:
		b.Kind = BoundIssue
		b.Pos = r.top(func(l *LineUse) float64 { return float64(l.Issued) }).Pos
		b.Text = fmt.Sprintf("the issue limit: %.0f%% of the issue slots are used%s", 100*use, r.startAndEnd(use))
	case w.Barrier > w.Latency && w.Barrier > w.Queued:
		b.Kind = BoundBarrier
		line := r.top(func(l *LineUse) float64 { return l.Waited })
		b.Pos = line.Pos
		b.Text = fmt.Sprintf("barriers: a warp waits at them for %.0f%% of its time, longest at %v; its group "+
			"has %d warps",
			100*w.Barrier/w.Resident, where(line), r.WarpsPerGroup)
	default:
		b.Kind = BoundLatency
		line := r.top(func(l *LineUse) float64 { return l.Waited })
		b.Pos = line.Pos
		b.Text = s.latencyText(r, busiest, &b, line)
	}
	return b
}

func (s *setup) latencyText(r *Result, busiest *SubsystemUse, b *Bound, line *LineUse) string {
	waits := "warps wait longest for " + where(line)
	if most := r.Occupancy.MaxWarps; b.NeededWarps > r.OccupancyWarps && r.OccupancyWarps == most {
		return fmt.Sprintf("latency: about %d warps would hide it, and a compute unit holds %d, which are resident: "+
			"each needs more independent work; %s", b.NeededWarps, most, waits)
	}
	if b.NeededWarps > r.OccupancyWarps {
		there := fmt.Sprintf("there are %d", r.OccupancyWarps)
		if r.OccupancyWarps == 1 {
			there = "there is 1"
		}
		return fmt.Sprintf("latency: about %d warps are needed to hide it, %s (limited by %s); %s", b.NeededWarps,
			there, r.OccupancyLimit, waits)
	}
	use, what := busiest.Utilization, s.device.TitleOf(busiest.Name)+" is busy"
	if r.IssueUtilization > use {
		use, what = r.IssueUtilization, "the issue slots are used"
	}
	if waves := r.waves(); waves < fewWaves {
		length := "no more groups than are resident at once"
		if waves > 1 {
			length = fmt.Sprintf("%.3g times the groups that are resident at once", waves)
		}
		return fmt.Sprintf("latency: the run is short (%s), so that with its start and end %s for only "+
			"%.0f%% of the time; %s",
			length, what, 100*use, waits)
	}
	return fmt.Sprintf("latency: %d warps could hide it (about %d are needed), but they often wait for the same "+
		"thing, and %s for only %.0f%% of the time; %s",
		r.OccupancyWarps, b.NeededWarps, what, 100*use, waits)
}

// waves is how often the run fills the unit with groups.
func (r *Result) waves() float64 { return float64(r.Groups) / float64(r.ConcurrentGroups) }

// startAndEnd explains a use below saturation.
func (r *Result) startAndEnd(use float64) string {
	if use >= saturated {
		return ""
	}
	return " (start and end of a short run included)"
}

// where names a line in a sentence.
func where(l *LineUse) string {
	if !l.Pos.IsValid() {
		return "instructions without a source line"
	}
	return l.Pos.String()
}
