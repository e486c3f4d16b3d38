package generate

import (
	"gpupipe/idg"
	"gpupipe/internal/diag"
	"gpupipe/lower"
	"gpupipe/unroll"
	"gpupipe/unroll/walk"
)

// LoopReport says what unrolling did to one loop: the code of the kernel (After) against the code with this loop kept
// rolled (Before).
type LoopReport struct {
	Loop    idg.Loop
	Bound   string // what the trip count depends on, as in the source
	Removed int64  // loop instructions that unrolling saves in one warp
	Before  LoopShape
	After   LoopShape
}

// LoopShape is the cost of one version of a loop, for warp 0.
type LoopShape struct {
	Instructions     int64 // executed for what stands in the loop, inner loops included
	Iterations       int64 // of the source, over all executions of the loop
	LoopInstructions int64 // branches back
	ILP              float64
	CriticalPath     int64 // of the whole kernel: dependence levels
}

// PerIteration is the number of instructions of one iteration.
func (s LoopShape) PerIteration() float64 {
	if s.Iterations == 0 {
		return 0
	}
	return float64(s.Instructions) / float64(s.Iterations)
}

// LoopReports compiles the kernel, and once more for each loop with that loop kept rolled, and compares what the first
// warp executes.
func (k *Kernel) LoopReports() ([]LoopReport, error) {
	after, err := k.firstWarp(k.Options.Unrolls)
	if err != nil {
		return nil, err
	}
	out := make([]LoopReport, len(k.Lowered.Loops))
	for i, l := range k.Lowered.Loops {
		rep := &out[i]
		rep.Loop, rep.Bound = after.graph.Loops[i], l.BoundText
		rep.After = after.shape(l)
		if rep.Loop.Factor <= 1 || rep.Loop.Executed == 0 {
			rep.After.Iterations = after.iterations(i, rep.After.LoopInstructions)
			rep.Before = rep.After
			continue
		}
		at := unroll.Location{File: l.Pos.File, Line: l.Pos.Line, Column: l.Pos.Column}
		before, err := k.firstWarp(append([]unroll.UnrollChoice{{At: at, Factor: 1}}, k.Options.Unrolls...))
		if err != nil {
			return nil, err
		}
		rep.Before = before.shape(l)
		rep.Before.Iterations = before.iterations(i, rep.Before.LoopInstructions)
		rep.After.Iterations = rep.Before.Iterations
		rep.Removed = rep.Before.LoopInstructions - rep.After.LoopInstructions
	}
	return out, nil
}

// oneWarp is what the first warp executes.
type oneWarp struct {
	graph *idg.Graph
	count []int64 // by instruction class
	ilp   idg.ILP
}

func (k *Kernel) firstWarp(unrolls []unroll.UnrollChoice) (*oneWarp, error) {
	o := k.Options
	o.Unrolls, o.Warps, o.Locality, o.Kinds, o.Strict = unrolls, unroll.FirstWarp, unroll.WithoutLocality,
		unroll.MiddleGroup, false
	c, err := k.program.compile(k.fn, unrolls, nil)
	if err != nil {
		return nil, err
	}
	if o, err = o.WithDefaults(); err != nil {
		return nil, err
	}
	g, _, err := walk.Execute(k.Lowered, c, o)
	if err != nil {
		return nil, err
	}
	p := g.Programs()[0]
	ilp, err := idg.ILPProfile(p)
	if err != nil {
		return nil, err
	}
	return &oneWarp{g, p.Tally(len(g.Instrs())), ilp}, nil
}

// shape adds up what stands in a loop of the source.
func (w *oneWarp) shape(l *lower.Loop) LoopShape {
	inside := map[diag.Pos]bool{l.Pos: true}
	lower.Walk(lower.Block{l}, func(s lower.Stmt) {
		switch s := s.(type) {
		case *lower.Instr:
			inside[s.Pos] = true
		case *lower.If:
			inside[s.Pos] = true
		case *lower.Loop:
			inside[s.Pos] = true
		}
	})
	out := LoopShape{ILP: w.ilp.Average(), CriticalPath: int64(w.ilp.Depth())}
	for i, n := range w.count {
		in := &w.graph.Instrs()[i]
		if inside[in.Pos] {
			out.Instructions += n
		}
		if in.IsRolledLoop() && in.Pos == l.Pos {
			out.LoopInstructions += n
		}
	}
	return out
}

// iterations is how many the source has of a loop; where that varies, as often as it is branched back.
func (w *oneWarp) iterations(i int, back int64) int64 {
	if l := &w.graph.Loops[i]; l.Trips >= 0 {
		return l.Trips * l.Executed
	}
	return back
}
