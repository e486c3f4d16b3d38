package simulate

import (
	"context"
	"fmt"
	"math"

	"gpupipe/internal/diag"
)

// The fast engine
//
// It does what the reference engine does, event for event, on flat arrays that
// are made once: nothing is allocated while it runs, except that rings grow.
//
//   - Sets of warps are single words, with the warps in the order of their age
//     where the scheduler prefers older ones (ranks). Hence at most 64 warps.
//   - In-order issue (inOrder) needs no event for an instruction's completion:
//     when a warp issues an instruction, all that its next one waits for has been
//     issued, so the time at which that can issue is a maximum over a few
//     remembered times. At most one event per instruction remains, in an agenda.
//   - Dataflow issue (dataflow) counts down what each instruction waits for.
//     Completions lie in one ring per latency, ready instructions in bitmaps. It does
//     so within a block: the whole program, or with IssueMode Blocks a basic block,
//     to which warps go one after the other (flowProgram).
//     Dependences that others of the same instruction imply are left out (reduceInner).
//   - An instruction that others wait for cannot be the last of its warp to end.
//     Only the others are looked at to find when the warp ends.
//   - Repetitions are executed as they are stored by in-order issue (orderedProgram)
//     and, if blocks end in them, by blocks; by dataflow if they are long (walked).
//   - A unit that comes back to a state in which it has been will do the same
//     again (recurrence).

// maxFastPlaces is how many warps the fast engine can hold.
const maxFastPlaces = 64

// fastEngine is the part of a fast engine that depends on the issue mode.
type fastEngine interface {
	// run simulates until all groups have ended.
	run(ctx context.Context) error
	// startWarp starts the program of the warp at a place, now.
	startWarp(place int)
	// visit shows the state of the warps and of the events to come.
	visit(w *stateWalk)
	// shift moves all times of these by t, but the starts of warps by warps.
	shift(t, warps Tick)
	// skipTurns takes iterations off those that a warp has left of a repetition.
	skipTurns(place, loop int, iterations int64)
}

// newFastEngine makes the engine for the issue mode and returns its machine.
func (s *setup) newFastEngine() *machine {
	if s.cfg.Issue == InOrder {
		return &newInOrder(s).machine
	}
	return &newDataflow(s).machine
}

// runFast runs the groups of s.extent with the fast engine, again if it turns out that
// loops had better be expanded.
func (s *setup) runFast(ctx context.Context) (*outcome, error) {
	o, err := s.runOnce(ctx)
	if err != errWindow {
		return o, err
	}
	s.work.walkedFrom = math.MaxInt64
	if err := s.translate(); err != nil {
		return nil, err
	}
	return s.runOnce(ctx)
}

func (s *setup) runOnce(ctx context.Context) (*outcome, error) {
	m := s.newFastEngine()
	for slot := range m.slots {
		m.admit(slot, 0)
	}
	err := m.engine.run(ctx)
	s.simulated(m.simulated())
	if err != nil {
		return nil, err
	}
	if m.ended != m.given {
		return nil, fmt.Errorf("simulate: internal error: %d groups are stuck; please report this", m.given-m.ended)
	}
	o := m.outcome()
	if e, ok := m.engine.(*inOrder); ok {
		e.recycle()
	}
	return o, nil
}

// simulated is how many of the instructions issued were simulated.
func (m *machine) simulated() int64 { return m.issued - m.unsimulated }

// check refuses a run that has become too long, or that the context ended.
func (m *machine) check(ctx context.Context) error {
	switch {
	case ctx.Err() != nil:
		return fmt.Errorf("simulation stopped at cycle %.0f: %w", m.time.float(m.now), ctx.Err())
	case m.refused != nil:
		return m.refused
	case m.simulated() > m.setup.cfg.MaxEvents:
		return tooManyIssues(m.setup.cfg.MaxEvents)
	case m.now > maxTime:
		return diag.Errorf(diag.Pos{}, "TIME", "the run takes more than %v cycles", m.time.cycles(maxTime))
	}
	return nil
}
