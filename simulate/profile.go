package simulate

import (
	"context"
	"math"

	"gpupipe/idg"
	"gpupipe/latencies"
)

// MaxProfile is the number of issues that a profile keeps.
const MaxProfile = 1 << 20

// Profile is the execution profile of a run (A Figs. 8 and 9): when each
// instruction became ready, was issued and was complete, in the order of issue.
type Profile struct {
	TicksPerCycle int64
	End           Tick // of the simulated part of the run
	Issues        []Issue
	Truncated     bool // there were more than MaxProfile issues, or than Record was asked for

	SubCores   int
	Subsystems []string // by latencies.SubsystemID
	Shared     []bool   // by latencies.SubsystemID: by all sub-cores
	Classes    []ProfileClass
}

// Issue is the life of one executed instruction.
type Issue struct {
	Group   int64  // in the order in which groups started
	Warp    uint32 // of the group
	Place   WarpID
	SubCore int
	Kind    int // of group: index of RunKinds' argument
	Node    idg.NodeID
	Instr   idg.InstrID // Profile.Classes[Instr-1]

	Ready  Tick
	Issued Tick
	Turn   Tick // Issued, unless it waited in a queue: its subsystem begins with it
	Passed Tick // Turn + λ: its subsystem is free
	Second Busy // of ProfileClass.Second; zero if there is none
	// for stores Passed, for barriers Λ after the last arrival; 0 for one that was open where Record stopped
	Complete Tick
}

// Released is when what depends on the issue's order may issue: λ after it, also where it waits in a queue then.
func (x *Issue) Released() Tick { return x.Issued + x.Passed - x.Turn }

// Busy is a time for which an instruction keeps a subsystem busy.
type Busy struct{ From, To Tick }

// ProfileClass describes an instruction class; Profile.Classes has one for each
// idg.InstrID, at id - 1; those of further kinds of group follow.
type ProfileClass struct {
	Op        string
	Pos       idg.Pos
	Subsystem latencies.SubsystemID
	Timing    latencies.Timing
	Second    latencies.Charge // a second subsystem that it keeps busy; zero = none
}

// Record is the profile of the beginning of a run: of so many issues, up to MaxProfile, or of
// the whole run if it has no more. Only these are simulated. Errors are those of Run.
func (l *Launch) Record(ctx context.Context, cfg Config, issues int) (*Profile, error) {
	cfg.Profile, cfg.Full, cfg.Precision, cfg.MaxEvents = true, false, 0, math.MaxInt64
	s, err := l.prepare(cfg)
	if err != nil {
		return nil, err
	}
	u := newUnit(s.work, s.hw, s.cfg, s.extent.simulated, s.extent.concurrent)
	u.recorder, u.limit = &recorder{most: min(issues, MaxProfile), stop: true}, s.cfg.MaxEvents
	if err := u.run(ctx); err != nil {
		return nil, err
	}
	return u.profile(), nil
}

// recorder collects a profile.
type recorder struct {
	most      int  // issues
	stop      bool // the simulation ends when there are more
	issues    []Issue
	truncated bool
}

// warpRecorder holds what is known of a warp's instructions before their life
// is complete.
type warpRecorder struct {
	ready    []Tick             // by node
	barriers map[idg.NodeID]int // barriers that were issued: index in recorder.issues
}

// start follows a warp of so many nodes, unless the profile is full.
func (r *recorder) start(nodes int) *warpRecorder {
	if r.truncated {
		return nil
	}
	return &warpRecorder{ready: make([]Tick, nodes), barriers: map[idg.NodeID]int{}}
}

// issue records the issue of v now, whose turns come then and which completes at done
// unless it is a barrier.
func (r *recorder) issue(u *unit, id WarpID, v idg.NodeID, turns [2]Tick, done Tick) {
	if len(r.issues) == r.most {
		r.truncated = true
		return
	}
	w := &u.warps[id]
	class := w.program.class[v]
	c := &u.classes[class]
	if c.barrier {
		w.record.barriers[v], done = len(r.issues), 0
	}
	if c.store {
		done = max(turns[0], turns[1]) + c.hold
	}
	var second Busy
	if len(c.charges) > 1 {
		second = Busy{turns[1], turns[1] + c.charges[1].hold}
	}
	r.issues = append(r.issues, Issue{
		Group: w.group.age, Warp: uint32(int(id) - w.group.slot*u.perSlot), Place: id, SubCore: w.core.index,
		Kind: w.group.kind, Node: v, Instr: idg.InstrID(class + 1),
		Ready: w.record.ready[v], Issued: u.now, Turn: turns[0], Passed: turns[0] + c.charges[0].hold, Second: second,
		Complete: done,
	})
}

// release records when a barrier completes, which its issue did not know.
func (r *recorder) release(w *warp, v idg.NodeID, at Tick) {
	if i, ok := w.record.barriers[v]; ok {
		r.issues[i].Complete = at
	}
}

// profile returns what was recorded.
func (u *unit) profile() *Profile {
	p := &Profile{
		TicksPerCycle: u.time.perCycle, End: u.end, Issues: u.recorder.issues, Truncated: u.recorder.truncated,
		SubCores: len(u.cores), Subsystems: u.subsystems,
	}
	for i := range p.Subsystems {
		p.Shared = append(p.Shared, len(u.cores) == 1 || !u.hw.isPartitioned(latencies.SubsystemID(i)))
	}
	for i := range u.classes {
		c := &u.classes[i]
		class := ProfileClass{Op: c.source.Op, Pos: c.source.Pos, Subsystem: c.charges[0].subsystem, Timing: c.timing}
		if len(c.charges) > 1 {
			class.Second = latencies.Charge{Subsystem: c.charges[1].subsystem, CPI: u.time.cycles(c.charges[1].cpi)}
		}
		p.Classes = append(p.Classes, class)
	}
	return p
}
