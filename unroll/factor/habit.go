package factor

import (
	"fmt"
	"strings"

	"gpupipe/internal/target"
	"gpupipe/lower"
	"gpupipe/unroll/structure"
)

// nvcc's habits where the source has no pragma, from instruction counts of nvcc 11.8 over kernels of known shape
// (docs/evidence/fidelity.md). Sizes are in units of bodySize.
const (
	nvccFullTrips   = 64 // trips up to which nvcc unrolls bodies of up to nvccFullLoads loads fully
	nvccFullLoads   = 2
	nvccFull        = 300  // trips x body up to which it unrolls larger bodies fully
	nvccFullArray   = 1200 // the same where the counter selects elements of a private array
	nvccPartial     = 150
	nvccRuntime     = 4
	nvccRuntimeSize = 98   // size x factor up to which it unrolls run-time trip counts by that, an access counting 1.5,
	nvccHalfSize    = 93   // and by half of it
	nvccReduceSize  = 1200 // instructions up to which it increments global addresses (TestLargestIncremented)
	nvccReduceInner = 128  // the same where the body has loops, which are unrolled fully
	clangHeader     = 16   // left-over iterations x body that it moves out of the loop (rotation-max-header-size)
)

// isNounrollWord reports whether a pragma says "nounroll" rather than "unroll 1".
func isNounrollWord(text string) bool { return strings.Contains(text, "nounroll") }

// habit chooses the factor of a loop without a pragma.
func (u *Unroller) habit(l *lower.Loop, p *plan) {
	p.reason = "no pragma"
	if !u.Optimises() || u.Compiler == target.NoCompiler || !p.counted {
		return
	}
	if u.Compiler == target.Clang {
		u.clang(l, p)
		return
	}
	u.counters = append(u.counters, l.Induction.Var)
	defer func() { u.counters = u.counters[:len(u.counters)-1] }()
	if p.constant && p.trips <= 1 {
		p.full, p.reason = true, "no pragma: at most one iteration"
		return
	}
	if u.holdsRolledLoop(l.Body) {
		p.reason = "no pragma: contains a loop that is not unrolled fully"
		if u.unrollsNest(l, p) {
			p.full, p.factor = true, max(1, p.trips)
			p.reason = fmt.Sprintf("no pragma: nvcc unrolls a nest of %d iterations around loops over private arrays",
				p.trips)
		}
		return
	}
	size := u.bodySize(l)
	switch {
	case p.constant && u.Compiler == target.NVCC && l.Depth == 1 && p.trips <= nvccBreakTrips && leavesAtBound(l):
		p.reason = "no pragma: nvcc leaves short loops rolled that a comparison of the counter ends before"
	case p.constant:
		full := p.trips <= nvccFullTrips && u.loads(l) <= nvccFullLoads || p.trips*size <= nvccFull ||
			p.trips*size <= nvccFullArray && u.kernel.SelectsArray(l)
		u.habitConstant(p, full, size)
		if u.SASS() {
			u.habitMachineCode(l, p)
		}
	default:
		u.habitRuntimeNVCC(l, p)
	}
}

func (u *Unroller) habitConstant(p *plan, full bool, size int64) {
	if full {
		p.full, p.factor = true, max(1, p.trips)
		p.reason = fmt.Sprintf("no pragma: nvcc unrolls %d iterations of this size fully", p.trips)
		return
	}
	for n := min(16, nvccPartial/max(1, size)); n >= 2; n-- {
		if p.trips%n != 0 || n&(n-1) != 0 {
			continue
		}
		p.factor = n
		p.reason = fmt.Sprintf("no pragma: nvcc chooses a divisor of %d iterations", p.trips)
		return
	}
	p.reason = "no pragma: the body is too large for nvcc to unroll"
}

// habitRuntimeNVCC unrolls by up to 4, not where the counter is multiplied or
// divided.
func (u *Unroller) habitRuntimeNVCC(l *lower.Loop, p *plan) {
	if l.Induction.Step != lower.Add && l.Induction.Step != lower.Sub {
		p.reason = "no pragma: nvcc leaves geometric loops rolled"
		return
	}
	if !u.countedByNVCC(l.Induction) {
		p.reason = "no pragma: nvcc leaves loops rolled whose counter may wrap around"
		return
	}
	n := u.census(l.Body)
	switch twice := 2*n.other + 3*n.memory; {
	case nvccRuntime*twice <= 2*nvccRuntimeSize:
		p.factor = nvccRuntime
	case nvccRuntime/2*twice <= 2*nvccHalfSize:
		p.factor = nvccRuntime / 2
	}
	p.reason = "no pragma: nvcc unrolls loops with a run-time trip count while the body stays small"
}

// countedByNVCC reports whether nvcc can tell a run-time trip count: not where, as far as it
// knows, the counter may wrap around before it comes to the bound. Steps of 1 do come to it, and
// signed arithmetic does not wrap. Towards "<" a step is positive or the loop has one iteration;
// elsewhere its sign must be known. "<=" is "<" of a larger bound where that one exists, as for
// n - 1. Read off one-line loops (habit_test.go).
func (u *Unroller) countedByNVCC(d *lower.Induction) bool {
	by, stepKnown := u.constant(d.By)
	_, boundKnown := u.constant(d.Bound)
	if stepKnown && (by == 1 || int64(by) == -1) {
		return true
	}
	addend := int64(0)
	if d.Bound.Kind == lower.OperandReg {
		addend = u.values.Addend(d.Bound.Reg)
	}
	cmp := d.Cmp
	switch {
	case !d.CmpType.IsSigned():
	case cmp == lower.Le && (boundKnown || addend < 0):
		cmp = lower.Lt
	case cmp == lower.Ge && (boundKnown || addend > 0):
		cmp = lower.Gt
	}
	switch cmp {
	case lower.Lt:
		return d.StepType.IsSigned() && (stepKnown || d.CmpType.IsSigned()) || stepKnown && boundKnown
	case lower.Gt, lower.Ne:
		return d.StepType.IsSigned() && stepKnown
	}
	return false
}

// Reduces decides for which accesses of a rolled loop the addresses become increments
// (strength reduction): on-chip memory in every innermost loop; global memory
// under nvcc where the loop has not been unrolled and is small. clang keeps the widening of a
// 32-bit index in the loop and reduces 64-bit ones only. constant says that the compiler knows the trip
// count, factor is how many copies of the body the loop has.
func (u *Unroller) Reduces(l *lower.Loop, constant bool, factor int64) (narrow, wide bool) {
	if u.Compiler == target.NoCompiler || u.holdsRolledLoop(l.Body) {
		return false, false
	}
	limit := int64(nvccReduceSize)
	if structure.AnyStmt(l, func(s lower.Stmt) bool { _, ok := s.(*lower.Loop); return ok && s != lower.Stmt(l) }) {
		limit = nvccReduceInner
	}
	byPragma := l.Pragma != nil && l.Pragma.Kind == lower.UnrollFactor
	wide = u.Compiler == target.NVCC && (factor == 1 || constant ||
		byPragma) && factor*u.instructions(l.Body) <= limit
	return true, wide
}

// Peels reports whether the iterations left over by a factor are straight code
// outside the loop: clang's loop rotation duplicates them while they are few,
// nvcc leaves its loop half-way.
func (u *Unroller) Peels(l *lower.Loop, left int64) bool {
	switch u.Compiler {
	case target.Clang:
		return left*u.bodySize(l) <= clangHeader
	case target.NVCC:
		return false
	}
	return true
}

func holdsBarrier(l *lower.Loop) bool {
	return structure.AnyInstr(l, func(in *lower.Instr) bool { return in.Op == lower.Barrier })
}
