package build

import (
	"slices"

	"gpupipe/idg"
	"gpupipe/lower"
	"gpupipe/lower/ir"
)

// counting finds out whether a loop counts: a variable steps by what the loop does not change, in the loop's step or
// at the end of its body, and the test compares it with what the loop does not change.
type counting struct {
	loop      *ir.Instr
	continues []*ir.Instr
	writes    bool // memory may change: stores, atomics, barriers
	fixed     map[*ir.Value]bool
}

func countingOf(loop *ir.Instr) *counting {
	c := &counting{loop: loop, fixed: map[*ir.Value]bool{}}
	loop.Blocks[0].Walk(func(in *ir.Instr) {
		switch in.Op {
		case lower.OpContinue:
			if in.Target == loop {
				c.continues = append(c.continues, in)
			}
		case lower.Store, lower.Atomic, lower.ImageStore, lower.Barrier, lower.Fence, lower.Copy, lower.CopyGroup,
			lower.BulkCopy:
			c.writes = true
		}
	})
	return c
}

// step is the operation that steps the counter which a condition compares, nil if there is none.
func (c *counting) step(cond *ir.Value) *ir.Instr {
	negated := false
	for d := ir.Def(cond, lower.Not); d != nil; d = ir.Def(cond, lower.Not) {
		cond, negated = d.Args[0], !negated
	}
	op := cond.DefOp()
	if !op.IsComparison() || !cond.Def.Type.IsInteger() || op == lower.Eq && !negated || op == lower.Ne && negated {
		return nil // on equality it would run once
	}
	for i, x := range cond.Def.Args {
		if step := c.stepOf(x, cond.Def.Args[1-i]); step != nil {
			return step
		}
	}
	return nil
}

// stepOf tries x as what counts in a comparison with bound.
func (c *counting) stepOf(x, bound *ir.Value) *ir.Instr {
	x = through(x)
	v := shifted(x)
	if v.Kind != ir.BlockArg || v.Def != c.loop || len(c.continues) == 0 || !c.invariant(bound) {
		return nil
	}
	next := c.continues[0].Args[v.Index]
	for _, j := range c.continues {
		if j.Args[v.Index] != next {
			return nil
		}
	}
	if next = through(next); next.Kind != ir.Result {
		return nil
	}
	step, by := next.Def, 1
	switch step.Op {
	case lower.Add, lower.Mul:
		if through(step.Args[0]) != v {
			by = 0
		}
	case lower.Sub, lower.Div, lower.Shl, lower.Shr:
	default:
		return nil
	}
	if through(step.Args[1-by]) != v || !c.invariant(step.Args[by]) ||
		v != x && step.Op != lower.Add && step.Op != lower.Sub {
		return nil
	}
	return step
}

// shifted is the variable to which a constant is added, or the value itself.
func shifted(v *ir.Value) *ir.Value {
	if d := ir.Def(v, lower.Add); d != nil {
		for i, x := range d.Args {
			if w := through(d.Args[1-i]); x.IsConst() && w.Type == d.Type {
				return w
			}
		}
	}
	return v
}

// through looks through conversions that hand on an integer which a counter can have, and ends of inlined functions.
// Converting between int, unsigned and size_t changes negative and huge numbers only, which a trip count does not pass
// through; narrowing does.
func through(v *ir.Value) *ir.Value {
	for v.Kind == ir.Result {
		switch in := v.Def; {
		case in.Op == lower.Bitcast && in.Type.IsInteger() && in.From.IsInteger(),
			in.Op == lower.Convert && in.Type.IsInteger() && in.From.IsInteger() && in.Type.Size() >= in.From.Size() &&
				in.Fn == "":
			v = in.Args[0]
		case in.Op == lower.OpRegion && straight(in):
			v = in.Blocks[0].Last().Args[v.Index]
		default:
			return v
		}
	}
	return v
}

// straight reports whether a region is left by its end alone.
func straight(region *ir.Instr) bool {
	leaves, _ := region.Exits()
	return len(leaves) == 0 && ir.Yields(region.Blocks[0])
}

// invariant reports whether a value is the same in every iteration: computed outside the loop, or from such values. A
// load is so where the loop writes no memory, or reads constant memory, which nothing writes.
func (c *counting) invariant(v *ir.Value) bool {
	if !ir.Inside(v, c.loop) || c.fixed[v] {
		return true
	}
	if v.Kind != ir.Result {
		return false
	}
	in := v.Def
	c.fixed[v] = (ir.Pure(in) || in.Op == lower.Load && !in.Volatile && (!c.writes || in.Space == idg.SpaceConstant)) &&
		!slices.ContainsFunc(in.Args, func(a *ir.Value) bool { return !c.invariant(a) })
	return c.fixed[v]
}

// lastOf is the operation that a block ends with, so far.
func lastOf(b *ir.Block) *ir.Instr {
	n := len(b.Instrs)
	for n > 0 && b.Instrs[n-1].Op == lower.OpYield {
		n--
	}
	if n == 0 {
		return nil
	}
	if in := b.Instrs[n-1]; in.Op == lower.OpRegion && straight(in) {
		return lastOf(in.Blocks[0])
	}
	return b.Instrs[n-1]
}
