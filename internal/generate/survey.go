package generate

import (
	"slices"

	"gpupipe/idg"
	"gpupipe/unroll"
	"gpupipe/unroll/walk"
)

// Decide finds out what becomes of the kernel's loops and branches.
func (k *Kernel) Decide() (walk.Survey, error) {
	o, err := k.Options.WithDefaults()
	if err == nil {
		err = k.Options.Check(k.Lowered)
	}
	if err != nil {
		return walk.Survey{}, err
	}
	c, err := k.program.compile(k.fn, k.Options.Unrolls)
	if err != nil {
		return walk.Survey{}, err
	}
	return walk.Decide(k.Lowered, c, o)
}

// LoopReport says what unrolling did to one loop: the kernel as it is (After) against the same kernel with this loop
// kept rolled (Before).
type LoopReport struct {
	Loop          idg.Loop
	Bound         string // what the trip count depends on, as in the source
	Removed       int64  // branches back that unrolling saves in one warp
	Before, After walk.LoopShape
}

// LoopReports compiles and executes the kernel as it is, and once more for each loop that is unrolled with that one kept
// rolled, and returns the comparison for each loop in source order.
func (k *Kernel) LoopReports() ([]LoopReport, error) {
	o, err := k.Options.WithDefaults()
	if err != nil {
		return nil, err
	}
	shapes := func(unrolls []unroll.UnrollChoice) ([]idg.Loop, []walk.LoopShape, error) {
		c, err := k.program.compile(k.fn, unrolls)
		if err != nil {
			return nil, nil, err
		}
		return walk.Shapes(k.Lowered, c, o)
	}
	loops, after, err := shapes(k.Options.Unrolls)
	if err != nil {
		return nil, err
	}
	list := make([]LoopReport, len(loops))
	for i, l := range loops {
		r := &list[i]
		r.Loop, r.Bound, r.Before, r.After = l, k.Lowered.Loops[i].BoundText, after[i], after[i]
		if l.Factor <= 1 || l.Executed == 0 {
			continue
		}
		at := unroll.Location{File: l.Pos.File, Line: l.Pos.Line, Column: l.Pos.Column}
		_, before, err := shapes(slices.Insert(slices.Clone(k.Options.Unrolls), 0, unroll.UnrollChoice{At: at, Factor: 1}))
		if err != nil {
			return nil, err
		}
		if r.Before = before[i]; r.After.Iterations == 0 { // of straight code they are not counted
			r.After.Iterations = r.Before.Iterations
		}
		r.Removed = r.Before.LoopInstructions - r.After.LoopInstructions
	}
	return list, nil
}
