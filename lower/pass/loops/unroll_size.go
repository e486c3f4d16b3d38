package loops

import (
	"slices"

	"gpupipe/idg"
	"gpupipe/lower"
	"gpupipe/lower/ir"
	"gpupipe/lower/pass/ranges"
	"gpupipe/lower/profile"
)

// loopSize is what a compiler's unroller finds of a loop.
type loopSize struct {
	size    int64 // with what it has once
	nested  bool  // loops within it are left
	private bool  // it selects elements of private arrays
	barrier bool  // something convergent: a barrier, an operation among lanes
}

// body is the size of one copy of the body.
func (s *loopSize) body(c *profile.UnrollCosts) int64 { return s.size - c.BackEdge }

// copied is the size of a number of copies (getUnrolledLoopSize).
func (s *loopSize) copied(c *profile.UnrollCosts, n int64) int64 { return s.body(c)*n + c.BackEdge }

// measure counts the instructions of a loop.
func (u *unroller) measure(l *counted) *loopSize {
	z := newSizer(l, &u.c.Profile.Unroll.Costs)
	z.block(l.body)
	z.out.size = z.size
	return z.out
}

// newSizer begins to count a loop's instructions.
func newSizer(l *counted, c *profile.UnrollCosts) *sizer {
	z := &sizer{l: l, costs: c, out: &loopSize{}, read: map[*ir.Value]bool{}, extended: map[*ir.Value]bool{},
		user: map[*ir.Value]*ir.Instr{}, uses: map[*ir.Value]int{}}
	l.body.Walk(func(in *ir.Instr) {
		for i, a := range in.Args {
			if in.Op != lower.PtrAdd || i > 0 {
				z.read[a] = true
			}
			if in.Type.IsFloat() {
				z.user[a] = in
				z.uses[a]++
			}
		}
	})
	return z
}

// sizer counts instructions.
type sizer struct {
	l        *counted
	costs    *profile.UnrollCosts
	out      *loopSize
	size     int64
	read     map[*ir.Value]bool      // by other than computations of further addresses
	extended map[*ir.Value]bool      // to the width of an address, so far
	user     map[*ir.Value]*ir.Instr // of floating numbers: the last one
	uses     map[*ir.Value]int
	// extension is the part of the last address's size that is its index's extension
	extension int64
}

func (z *sizer) block(b *ir.Block) {
	for _, in := range b.Instrs {
		z.size += z.instr(in)
		z.control(in)
	}
}

// control counts what is in an operation's blocks, and the jumps at their ends.
func (z *sizer) control(in *ir.Instr) {
	if !in.Nests() {
		return
	}
	branch := max(1, z.costs.Branch)
	switch in.Op {
	case lower.OpIf, lower.OpSwitch:
		z.size += branch
		for _, b := range in.Blocks {
			was := z.size
			z.block(b)
			if len(b.Instrs) > 1 && z.size > was {
				z.size++ // the jump at its end
			} else if in.Op == lower.OpSwitch {
				z.size++ // a case to compare with
			}
		}
	case lower.OpLoop:
		z.out.nested = true
		z.size++ // the jump to it
		z.block(in.Blocks[0])
	default:
		for _, b := range in.Blocks {
			z.block(b)
		}
	}
}

// instr is the size of an instruction without its blocks.
func (z *sizer) instr(in *ir.Instr) int64 {
	c := z.costs
	wide := in.Type.IsInteger() && in.Type.Size() == 8
	switch in.Op {
	case lower.OpIf, lower.OpLoop, lower.OpSwitch, lower.OpRegion, lower.OpYield, lower.OpLeave, lower.OpContinue,
		lower.Mov, lower.OpOpaque:
		return 0
	case lower.Bitcast:
		return 0
	case lower.PtrAdd:
		return z.address(in)
	case lower.Load, lower.Store, lower.Atomic:
		return 1
	case lower.Call:
		return z.call(in)
	case lower.Barrier, lower.SubGroup:
		z.out.barrier = true
		return 1
	case lower.Mul:
		return z.product(in)
	case lower.Div, lower.Rem:
		switch {
		case in.Type.IsFloat():
			return or1(c.FloatQuotient)
		case in.Args[1].IsConst() && !in.Type.IsSigned() && ranges.PowerOfTwo(in.Args[1].Int()):
			return 1
		}
		return or1(c.IntegerQuotient)
	case lower.Min, lower.Max:
		if in.Type.IsFloat() {
			return or1(c.FloatExtreme)
		}
		return or1(c.Extreme)
	case lower.Abs:
		if in.Type.IsFloat() {
			return 1
		}
		return or1(c.Absolute)
	case lower.Neg:
		return 1
	case lower.Add, lower.Sub, lower.And, lower.Or, lower.Xor:
		switch {
		case wide:
			return or1(c.WideInteger)
		case in.Type == lower.F64:
			return or1(c.Double)
		}
	}
	return 1
}

// or1 is a cost, 1 where the profile does not name it.
func or1(n int64) int64 { return max(1, n) }

func (z *sizer) product(in *ir.Instr) int64 {
	c := z.costs
	if r := in.Results[0]; c.Fuses && in.Type.IsFloat() && z.uses[r] == 1 {
		if op := z.user[r].Op; op == lower.Add || op == lower.Sub {
			return 0
		}
	}
	switch {
	case in.Type == lower.F64:
		return or1(c.Double)
	case in.Type.IsFloat(), in.Args[1].IsConst() && ranges.PowerOfTwo(in.Args[1].Int()):
		return 1
	case in.Type.Size() == 8:
		return or1(c.WideProduct)
	}
	return or1(c.Product)
}

// call is the size of a function.
func (z *sizer) call(in *ir.Instr) int64 {
	z.out.private = z.out.private || slices.Contains(z.costs.Arrays, in.Fn)
	if n, ok := z.costs.Calls[in.Fn]; ok {
		return n
	}
	return 1
}

// address is the size of a computation of an address: an index that is extended, once for each, and the address
// itself, unless only further subscripts read it (one getelementptr has several) or its constant is the offset of
// an access.
func (z *sizer) address(in *ir.Instr) int64 {
	n := int64(0)
	z.extension = 0
	index := in.Args[1]
	if index.IsConst() {
		// an element of a row: one address of both subscripts, wherever the row's is computed
		if base := in.Args[0]; base.DefOp() != lower.PtrAdd || base.Name != "" || base.Def.Args[1].IsConst() {
			return 0
		}
	} else if z.l.inside(index) {
		z.extension = z.extend(in, index)
		n += z.extension
		if z.space(in.Args[0]) == idg.SpacePrivate {
			z.out.private = true
		}
	}
	if z.read[in.Results[0]] {
		n++
	}
	return n
}

// extend is the size of an index's extension to an address's width.
func (z *sizer) extend(in *ir.Instr, index *ir.Value) int64 {
	if in.From.Size() == 8 || z.extended[index] || z.near(in.Args[0]) {
		return 0
	}
	z.extended[index] = true
	if r := z.l.sums.interval(z.l.sums.find(index)); in.From.IsSigned() && !(r.Known && r.Lo >= 0) {
		return z.costs.Extend
	}
	return z.costs.ExtendZero
}

// near reports whether addresses of the object behind a pointer have 32 bits for the compiler.
func (z *sizer) near(p *ir.Value) bool {
	space := z.space(p).String()
	for _, s := range z.costs.Near {
		if s == space {
			return true
		}
	}
	return false
}

// space is the address space that a pointer is known to point to.
func (z *sizer) space(p *ir.Value) ir.Space {
	for p.DefOp() == lower.PtrAdd {
		p = p.Def.Args[0]
	}
	if p.Object == 0 || p.Kind != ir.Address && p.Kind != ir.KernelArg {
		return 0
	}
	return z.l.f.Object(p.Object).Space
}

// countCost is what the number of iterations of a loop costs to compute (isHighCostExpansion).
func countCost(c *profile.UnrollCosts, t *trips) (n int64) {
	step := max(t.step.c, -t.step.c)
	if !t.start.isConst() && !(t.bound.isConst() && t.bound.c == 0) {
		n += c.CountDifference
	}
	switch {
	case !t.step.isConst() || !ranges.PowerOfTwo(step):
		n += or1(c.IntegerQuotient)
	case step > 1:
		n += c.CountShift
	}
	if t.bound.has(func(v *ir.Value) bool { op := v.DefOp(); return op == lower.Min || op == lower.Max }) {
		n += c.CountExtreme
	}
	return n
}
