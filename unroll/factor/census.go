package factor

import (
	"slices"

	"gpupipe/idg"
	"gpupipe/lower"
	"gpupipe/unroll/structure"
)

// bodySize estimates a loop body as the compilers' unrollers see it: each load counts 2.5 (its
// address arithmetic), stores likewise, other operations 1, the loop itself 1; what a loop does not
// change is outside of it.
func (u *Unroller) bodySize(l *lower.Loop) int64 {
	n := u.census(l.Body, u.kernel.InvariantIn(l))
	return 1 + n.other + (5*n.memory+1)/2
}

func (u *Unroller) loads(l *lower.Loop) int64 {
	return u.census(l.Body).memory
}

// instructions estimates how many instructions a block leaves.
func (u *Unroller) instructions(b lower.Block) int64 {
	n := u.census(b)
	return n.other + n.memory
}

// census is how many operations a block has.
type census struct {
	memory int64 // accesses, subscript arithmetic included
	other  int64 // others; a multiplication and the addition that it feeds are one
}

// census counts the operations of a block, inner loops that will be fully unrolled
// as often as they run. Those in outside are left out, and then what an inner loop does not change
// counts once.
func (u *Unroller) census(b lower.Block, outside ...map[*lower.Instr]bool) census {
	c := counting{u: u, outside: outside}
	c.block(b, nil)
	return c.n
}

// counting is a census under way.
type counting struct {
	u       *Unroller
	outside []map[*lower.Instr]bool
	n       census
}

// inner is a loop around what is counted, inside of the block that the census is of.
type inner struct {
	times   int64
	outside map[*lower.Instr]bool // what it does not change
}

// copies is how often instructions are executed together in loops: those outside of one execute with
// its first iteration only.
func copies(loops []inner, all ...*lower.Instr) int64 {
	n := int64(1)
	for _, l := range loops {
		if !slices.ContainsFunc(all, func(in *lower.Instr) bool { return l.outside[in] }) {
			n *= l.times
		}
	}
	return n
}

func (c *counting) block(b lower.Block, loops []inner) {
	muls := map[lower.Reg]*lower.Instr{}
	for i, st := range b {
		switch st := st.(type) {
		case *lower.Instr:
			if !slices.ContainsFunc(c.outside, func(m map[*lower.Instr]bool) bool { return m[st] }) {
				c.instr(st, loops, muls)
			}
		case *lower.Loop:
			l := inner{times: 1}
			if t, ok := c.u.staticTrips(st, b[:i]); ok && c.u.unrollsFully(st, b[:i]) {
				l.times = t
			}
			if len(c.outside) > 0 {
				l.outside = c.u.kernel.InvariantIn(st)
			}
			c.block(st.Body, append(slices.Clip(loops), l))
		default:
			structure.Blocks(st, func(x lower.Block) { c.block(x, loops) })
		}
	}
}

// instr counts an instruction; muls are the multiplications before it in its block.
func (c *counting) instr(in *lower.Instr, loops []inner, muls map[lower.Reg]*lower.Instr) {
	switch in.Op {
	case lower.Load, lower.Store, lower.Copy:
		if in.Space != idg.SpacePrivate {
			c.n.memory += copies(loops, in)
		}
		return
	case lower.Mov, lower.PtrAdd, lower.Index, lower.CopyGroup:
		return
	}
	if in.Subscript || structure.Free(in) {
		return
	}
	fused := int64(0)
	if (in.Op == lower.Add || in.Op == lower.Sub) && len(in.Args) == 2 {
		x, y := muls[in.Args[0].Reg], muls[in.Args[1].Reg]
		if x != nil {
			fused += copies(loops, in, x)
		}
		if y != nil && y != x {
			fused += copies(loops, in, y)
		}
		if x != nil && y != nil && y != x {
			fused -= copies(loops, in, x, y) // is in both sums
		}
	}
	c.n.other += copies(loops, in) - fused
	if in.Op == lower.Mul && len(in.Dsts) == 1 {
		muls[in.Dsts[0]] = in
	}
}
