package unroll

import (
	"gpupipe/idg"
	"gpupipe/lower"
)

// LoopReport says what unrolling did to one loop: the kernel as resolved
// (After) against the same kernel with this loop kept rolled (Before).
type LoopReport struct {
	Loop    idg.Loop
	Bound   string // what the trip count depends on, as in the source
	Removed int64  // loop instructions that unrolling saves in one warp
	Before  LoopShape
	After   LoopShape
}

// LoopShape is the cost of one version of a loop, for warp 0.
type LoopShape struct {
	Instructions     int64   // executed in the loop, inner loops included
	Iterations       int64   // over all executions of the loop
	LoopInstructions int64   // increment-compare-branch instructions of this loop
	ILP              float64 // of the whole kernel: instructions / dependence levels
	CriticalPath     int64   // of the whole kernel: dependence levels
}

// PerIteration is the number of instructions of one iteration.
func (s LoopShape) PerIteration() float64 {
	if s.Iterations == 0 {
		return 0
	}
	return float64(s.Instructions) / float64(s.Iterations)
}

// Report resolves the kernel as opt says, and once more for each loop with that
// loop kept rolled, and returns the comparison for each loop in source order.
func Report(k *lower.Kernel, opt Options) ([]LoopReport, error) {
	opt, err := opt.forKernel(k)
	if err != nil {
		return nil, err
	}
	opt.Warps = FirstWarp
	after, err := shapes(k, opt)
	if err != nil {
		return nil, err
	}
	list := after.decisions.loopList()
	out := make([]LoopReport, len(k.Loops))
	for i, l := range k.Loops {
		rep := &out[i]
		rep.Loop, rep.Bound = list[i], l.BoundText
		rep.After = after.shape(i)
		rep.Before = rep.After
		if rep.Loop.Factor <= 1 || after.decisions.loops[i].plans == 0 {
			continue
		}
		rolled := opt
		at := Location{File: l.Pos.File, Line: l.Pos.Line, Column: l.Pos.Column}
		rolled.Unrolls = append([]UnrollChoice{{At: at, Factor: 1}}, opt.Unrolls...)
		before, err := shapes(k, rolled)
		if err != nil {
			return nil, err
		}
		rep.Before = before.shape(i)
		rep.Removed = rep.Before.LoopInstructions - rep.After.LoopInstructions
	}
	return out, nil
}

// resolvedShape is one resolution reduced to what a report compares.
type resolvedShape struct {
	k         *lower.Kernel
	decisions *decisions
	ilp       idg.ILP
}

func shapes(k *lower.Kernel, opt Options) (*resolvedShape, error) {
	b := idg.NewBuilder()
	r, err := resolveWarp(analyse(k), opt, b, 0, homes{}, nil)
	if err != nil {
		return nil, err
	}
	g, err := b.Build(idg.Header{Kernel: k.Name, Launch: idg.Launch{Local: opt.Local, Groups: opt.Groups,
		WarpSize: opt.WarpSize}})
	if err != nil {
		return nil, err
	}
	ilp, err := idg.ILPProfile(g.Programs()[0])
	if err != nil {
		return nil, err
	}
	return &resolvedShape{k: k, decisions: r.decisions, ilp: ilp}, nil
}

// shape sums up loop i and the loops inside it, which follow it in the list.
func (s *resolvedShape) shape(i int) LoopShape {
	d := s.decisions.loops
	out := LoopShape{
		Iterations: d[i].iterations, LoopInstructions: d[i].loopInstrs,
		Instructions: d[i].instructions, ILP: s.ilp.Average(), CriticalPath: int64(s.ilp.Depth()),
	}
	for j := i + 1; j < len(d) && d[j].Depth > d[i].Depth; j++ {
		out.Instructions += d[j].instructions
	}
	return out
}
