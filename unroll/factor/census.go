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
	other  int64 // others; a multiplication that feeds an addition and that are one
	fused  int64 // those additions
}

func (n *census) add(times int64, m census) {
	n.memory, n.other, n.fused = n.memory+times*m.memory, n.other+times*m.other, n.fused+times*m.fused
}

// census counts the operations of a block, inner loops that will be fully unrolled
// as often as they run. Those in outside are left out, and then what an inner loop does not change
// counts once.
func (u *Unroller) census(b lower.Block, outside ...map[*lower.Instr]bool) (n census) {
	muls := map[lower.Reg]bool{}
	for i, st := range b {
		switch st := st.(type) {
		case *lower.Instr:
			if slices.ContainsFunc(outside, func(m map[*lower.Instr]bool) bool { return m[st] }) {
				break
			}
			switch st.Op {
			case lower.Load, lower.Store, lower.Copy:
				if st.Space != idg.SpacePrivate {
					n.memory++
				}
			case lower.Mov, lower.PtrAdd, lower.Index, lower.CopyGroup:
			default:
				if st.Subscript || structure.Free(st) {
					break
				}
				if (st.Op == lower.Add || st.Op == lower.Sub) && len(st.Args) == 2 && (muls[st.Args[0].Reg] || muls[st.Args[1].Reg]) {
					n.fused++
					break
				}
				if st.Op == lower.Mul && len(st.Dsts) == 1 {
					muls[st.Dsts[0]] = true
				}
				n.other++
			}
		case *lower.Loop:
			times := int64(1)
			if t, ok := u.staticTrips(st, b[:i]); ok && u.unrollsFully(st, b[:i]) {
				times = t
			}
			if len(outside) == 0 {
				n.add(times, u.census(st.Body))
				break
			}
			inside := u.census(st.Body, append(slices.Clip(outside), u.kernel.InvariantIn(st))...)
			n.add(1, u.census(st.Body, outside...))
			n.add(times-1, inside)
		default:
			structure.Blocks(st, func(x lower.Block) { n.add(1, u.census(x, outside...)) })
		}
	}
	return n
}
