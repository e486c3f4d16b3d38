package walk

import (
	"gpupipe/idg"
	"gpupipe/lower"
	"gpupipe/lower/ir"
	"gpupipe/lower/machine"
	"gpupipe/unroll"
)

// Survey is what is decided about a kernel's loops and branches for the first warp of the group in the middle.
type Survey struct {
	Loops    []idg.Loop
	Branches []idg.Branch
	// Known with an error, too.
	LocalBytes int64 // of a group
	Work       int   // what finding out took, as Options.MaxInstructions bounds it
}

// Decide makes the survey of a kernel, without the graph, other groups and locality.
func Decide(k *lower.Kernel, c *machine.Code, o unroll.Options) (Survey, error) {
	x := newExecution(k, c, o)
	s := Survey{LocalBytes: localBytes(k, &o)}
	w := newWarp(x.s, o, middle(o), 0)
	w.run()
	s.Work = int(x.s.spent)
	if w.err == nil {
		s.Loops, s.Branches = x.s.loopList([]*warp{w}), x.s.branchList([]*warp{w})
	}
	return s, w.err
}

// LoopShape is what a loop costs, for the first warp.
type LoopShape struct {
	Instructions     int64   // executed in the loop, inner loops included
	Iterations       int64   // over all executions of the loop
	LoopInstructions int64   // branches back to its beginning
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

// Shapes executes the first warp and returns what became of each loop of the source, and what it costs.
func Shapes(k *lower.Kernel, c *machine.Code, o unroll.Options) ([]idg.Loop, []LoopShape, error) {
	o.Locality, o.Strict = unroll.WithoutLocality, false
	x := newExecution(k, c, o)
	w, err := x.warp(middle(o), 0)
	if err != nil {
		return nil, nil, err
	}
	x.warps = []*warp{w}
	h := x.header(k)
	g, err := x.b.Build(h)
	if err != nil {
		return nil, nil, err
	}
	ilp, err := idg.ILPProfile(g.Programs()[0])
	if err != nil {
		return nil, nil, err
	}
	shapes := make([]LoopShape, len(k.Loops))
	x.s.attribute(w, shapes)
	for i := range shapes {
		s, l := &shapes[i], &h.Loops[i]
		if s.Iterations = w.loops[i+1].iterations; l.Full && l.Trips >= 0 {
			s.Iterations = l.Executed * l.Trips
		}
		s.ILP, s.CriticalPath = ilp.Average(), int64(ilp.Depth())
		for j := i + 1; j < len(shapes) && k.Loops[j].Depth > k.Loops[i].Depth; j++ {
			s.Instructions += shapes[j].Instructions // which has none of those within it yet
		}
	}
	return h.Loops, shapes, nil
}

// attribute counts the instructions that were executed of each loop of the source, without those of loops within. Of
// a loop that has become straight code they are known by their positions.
func (s *static) attribute(w *warp, shapes []LoopShape) {
	at := map[ir.Pos]int{} // by position: the innermost loop, from 1
	for i, l := range s.kernel.Loops {
		for _, b := range [...][]lower.Stmt{l.Cond, l.Body, l.Post} {
			lower.Walk(b, func(st lower.Stmt) {
				if in, ok := st.(*lower.Instr); ok {
					at[in.Pos] = i + 1
				}
			})
		}
	}
	inside := func(inner, outer int) bool {
		for inner > outer && s.kernel.Loops[inner-1].Depth > s.kernel.Loops[outer-1].Depth {
			inner--
		}
		return inner == outer
	}
	s.each(s.code.Body, 0, func(in *machine.Instr, around int, back bool) {
		loop := at[in.Pos]
		if around != 0 && (loop == 0 || !inside(loop, around)) {
			loop = around
		}
		if loop == 0 {
			return
		}
		n := w.counts[s.ids[in]]
		shapes[loop-1].Instructions += n
		if back {
			shapes[loop-1].LoopInstructions += n
		}
	})
}

// each calls f for each instruction with the loop of the source around it, 0: none; back: it is the branch back to the
// loop's beginning.
func (s *static) each(b *machine.Block, around int, f func(in *machine.Instr, around int, back bool)) {
	visit := func(list ...*machine.Instr) {
		for _, in := range list {
			if in != nil {
				f(in, around, false)
			}
		}
	}
	for _, n := range b.Nodes {
		switch n := n.(type) {
		case *machine.Instr:
			visit(n)
		case *machine.If:
			visit(n.Enter, n.Branch, n.Skip, n.Leave)
			s.each(n.Then, around, f)
			s.each(n.Else, around, f)
		case *machine.Region:
			visit(n.Enter, n.Leave)
			s.each(n.Body, around, f)
		case *machine.Loop:
			visit(n.Enter, n.Leave)
			inner := around
			if n.From.Source != 0 {
				inner = n.From.Source
			}
			s.each(n.Body, inner, f)
		case *machine.Jump:
			if n.Branch != nil {
				f(n.Branch, around, n.Continue)
			}
		}
	}
}
