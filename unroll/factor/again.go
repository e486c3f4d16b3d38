package factor

import (
	"gpupipe/idg"
	"gpupipe/lower"
	"gpupipe/unroll/arithmetic"
	"gpupipe/unroll/structure"
)

// The stage behind PTX unrolls loops with a run-time trip count once more that nvcc has unrolled by 4:
// into passes of 16 iterations, one of 8 and one of 4, for what is left of them. Which, was read
// off loops of growing bodies (docs/evidence/fidelity.md, Loops with run-time trip counts). An access and a special
// function have the size 2, divisions that of what PTX has for them, other operations 1, and the counter 1
// where it is a number and not only an index.
const (
	againPasses     = 4
	againPlain      = 4  // size of a body up to which it does
	againLocal      = 9  // the same with a load of local memory or a special function
	againGlobal     = 11 // and with a load of global memory
	divisionRoutine = 20 // size of a division by what the compiler does not know: too large
	againStride     = 8  // bytes that an address moves with the counter, up to which nvcc leaves a counter of its own
)

// Passes is how many passes of a loop without a pragma the stage behind PTX makes one.
func (u *Unroller) Passes(l *lower.Loop, t Trips, c Choice) int64 {
	_, chosen := u.Chosen(l.Pos)
	if !u.SASS() || c.Factor != nvccRuntime || t.Constant || c.Full || !t.Counted || t.Count < 0 || t.Varies ||
		l.Pragma != nil || chosen || !u.countsDown(l) || u.sizeAgain(l) > mostAgain(l) {
		return 1
	}
	return againPasses
}

func (u *Unroller) sizeAgain(l *lower.Loop) int64 {
	n := u.census(l.Body)
	size := n.other + 2*n.memory
	structure.AnyInstr(l, func(in *lower.Instr) bool {
		switch in.Op {
		case lower.Call:
			size++
		case lower.Div, lower.Rem:
			if in.Type.IsInteger() && !in.Subscript {
				size += u.divisionSize(in) - 1
			}
		}
		return false
	})
	if m := movesIn(l); m.counts {
		size++
	}
	return size
}

// divisionSize is how many instructions of PTX an integer division is.
func (u *Unroller) divisionSize(in *lower.Instr) int64 {
	if in.Args[1].Kind != lower.OperandConst {
		return divisionRoutine
	}
	by, _ := u.constant(in.Args[1])
	power := arithmetic.IsPowerOfTwo(in.Args[1].Type, by)
	rem := in.Op == lower.Rem
	switch signed := in.Type.IsSigned(); {
	case power && !signed:
		return 1
	case power && rem:
		return 5
	case signed && rem:
		return 6
	case rem:
		return 5
	case signed:
		return 4
	}
	return 3
}

func mostAgain(l *lower.Loop) int64 {
	switch {
	case loadsFrom(l, idg.SpaceGlobal):
		return againGlobal
	case loadsFrom(l, idg.SpaceLocal) || structure.AnyInstr(l, func(in *lower.Instr) bool {
		return in.Op == lower.Call
	}):
		return againLocal
	}
	return againPlain
}

// countsDown reports whether the loop that nvcc leaves counts its iterations by themselves, which is
// what the next stage knows how to unroll. Where addresses of global memory move upwards by more than againStride
// bytes, a number that the compiler knows, or the counter is compared, it saves that register and computes the count
// from the counter.
func (u *Unroller) countsDown(l *lower.Loop) bool {
	if l.HasBreak || l.Induction.StepType != lower.S32 || l.Induction.CmpType != lower.S32 {
		return false
	}
	m := movesIn(l)
	if m.counts && l.Induction.Bound.Kind == lower.OperandConst {
		return false // nvcc compares the counter before its step
	}
	up := l.Induction.By.Kind != lower.OperandConst ||
		(int64(l.Induction.By.Bits) > 0) == (l.Induction.Step == lower.Add)
	return !m.compared && (m.short || !m.long || !up)
}
