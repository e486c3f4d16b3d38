package unroll

import (
	"fmt"
	"slices"
	"strings"

	"gpupipe/idg"
	"gpupipe/lower"
	"gpupipe/unroll/structure"
)

// The compilers' habits where the source has no pragma, from instruction counts of clang 14
// for PTX (for AMD's GPUs: habit_amdgpu.go) and nvcc 11.8 over kernels of known shape (docs/fidelity.md). Sizes are in units of bodySize.
const (
	clangFull       = 300 // trips x body below which clang unrolls fully
	clangPartial    = 75  // factor x body up to which it unrolls partly
	clangRuntime    = 8   // factor for run-time trip counts
	nvccFullTrips   = 64  // trips up to which nvcc unrolls bodies of up to nvccFullLoads loads fully
	nvccFullLoads   = 2
	nvccFull        = 300  // trips x body up to which it unrolls larger bodies fully
	nvccFullArray   = 1200 // the same where the counter selects elements of a private array
	nvccPartial     = 150
	nvccRuntime     = 4
	nvccRuntimeSize = 98  // size x factor up to which it unrolls run-time trip counts by that, an access counting 1.5,
	nvccHalfSize    = 93  // and by half of it
	nvccReduceSize  = 128 // instructions up to which it turns global addresses into increments
	clangHeader     = 16  // left-over iterations x body that it moves out of the loop (LLVM's rotation-max-header-size)

)

// isNounrollWord reports whether a pragma says "nounroll" rather than "unroll 1".
func isNounrollWord(text string) bool { return strings.Contains(text, "nounroll") }

// habit chooses the factor of a loop without a pragma.
func (r *resolver) habit(l *lower.Loop, p *plan) {
	p.reason = "no pragma"
	if r.opt.Level == O0 || r.opt.Compiler == NoCompiler || !p.counted {
		return
	}
	r.counters = append(r.counters, l.Induction.Var)
	defer func() { r.counters = r.counters[:len(r.counters)-1] }()
	if p.constant && p.trips <= 1 {
		p.full, p.reason = true, "no pragma: at most one iteration"
		return
	}
	if r.holdsRolledLoop(l.Body) {
		p.reason = "no pragma: contains a loop that is not unrolled fully"
		if r.unrollsNest(l, p) {
			p.full, p.factor = true, max(1, p.trips)
			p.reason = fmt.Sprintf("no pragma: %v unrolls a nest of %d iterations around loops over private arrays", r.opt.Compiler, p.trips)
		}
		return
	}
	if r.amdgpu() {
		r.habitAMD(l, p)
		return
	}
	size := r.bodySize(l)
	switch {
	case p.constant && r.opt.Compiler == NVCC && l.Depth == 1 && p.trips <= nvccBreakTrips && leavesAtBound(l):
		p.reason = "no pragma: nvcc leaves short loops rolled that a comparison of the counter ends before"
	case p.constant && r.opt.Compiler == Clang:
		r.habitConstant(p, p.trips*size < clangFull, size, clangPartial, false)
	case p.constant:
		full := p.trips <= nvccFullTrips && r.loads(l) <= nvccFullLoads || p.trips*size <= nvccFull ||
			p.trips*size <= nvccFullArray && r.st.SelectsArray(l)
		r.habitConstant(p, full, size, nvccPartial, true)
		if r.opt.machineCode() {
			r.habitMachineCode(l, p)
		}
	case r.opt.Compiler == Clang:
		r.habitRuntimeClang(l, p, size)
	default:
		r.habitRuntimeNVCC(l, p)
	}
}

func (r *resolver) habitConstant(p *plan, full bool, size, budget int64, powers bool) {
	if full {
		p.full, p.factor = true, max(1, p.trips)
		p.reason = fmt.Sprintf("no pragma: %v unrolls %d iterations of this size fully", r.opt.Compiler, p.trips)
		return
	}
	for u := budget / max(1, size); u >= 2; u-- {
		if p.trips%u != 0 || powers && (u&(u-1) != 0 || u > 16) {
			continue
		}
		p.factor = u
		p.reason = fmt.Sprintf("no pragma: %v chooses a divisor of %d iterations", r.opt.Compiler, p.trips)
		return
	}
	p.reason = fmt.Sprintf("no pragma: the body is too large for %v to unroll", r.opt.Compiler)
}

// habitRuntimeClang unrolls small loops of step 1 by up to 8.
func (r *resolver) habitRuntimeClang(l *lower.Loop, p *plan, size int64) {
	unit := l.Induction.By.Kind == lower.OperandConst && l.Induction.By.Bits == 1 && (l.Induction.Step == lower.Add || l.Induction.Step == lower.Sub)
	if !unit || holdsBarrier(l) {
		p.reason = "no pragma: clang leaves this loop with a run-time trip count rolled"
		return
	}
	u := int64(clangRuntime)
	for u > 1 && u*size > clangPartial {
		u /= 2
	}
	p.factor = u
	p.reason = "no pragma: clang unrolls small loops with a run-time trip count"
}

// habitRuntimeNVCC unrolls by up to 4, not where the counter is multiplied or
// divided.
func (r *resolver) habitRuntimeNVCC(l *lower.Loop, p *plan) {
	if l.Induction.Step != lower.Add && l.Induction.Step != lower.Sub {
		p.reason = "no pragma: nvcc leaves geometric loops rolled"
		return
	}
	if !r.countedByNVCC(l.Induction) {
		p.reason = "no pragma: nvcc leaves loops rolled whose counter may wrap around"
		return
	}
	n := r.census(l.Body)
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
func (r *resolver) countedByNVCC(d *lower.Induction) bool {
	by, bound := r.operand(d.By), r.operand(d.Bound)
	if by.konst && (by.at(0) == 1 || int64(by.at(0)) == -1) {
		return true
	}
	cmp := d.Cmp
	switch {
	case !d.CmpType.IsSigned():
	case cmp == lower.Le && (bound.konst || bound.form.c < 0):
		cmp = lower.Lt
	case cmp == lower.Ge && (bound.konst || bound.form.c > 0):
		cmp = lower.Gt
	}
	switch cmp {
	case lower.Lt:
		return d.StepType.IsSigned() && (by.konst || d.CmpType.IsSigned()) || by.konst && bound.konst
	case lower.Gt, lower.Ne:
		return d.StepType.IsSigned() && by.konst
	}
	return false
}

// reduction decides for which accesses of a rolled loop the addresses become increments
// (strength reduction): on-chip memory in every innermost loop; global memory
// under nvcc where the loop has not been unrolled and is small. clang keeps the widening of a
// 32-bit index in the loop and reduces 64-bit ones only.
func (r *resolver) reduction(l *lower.Loop, p *plan) (narrow, wide bool) {
	if r.opt.Compiler == NoCompiler || r.holdsRolledLoop(l.Body) {
		return false, false
	}
	byPragma := l.Pragma != nil && l.Pragma.Kind == lower.UnrollFactor
	wide = r.opt.Compiler == NVCC && (p.factor == 1 || p.constant || byPragma) && p.factor*r.instructions(l.Body) <= nvccReduceSize
	return true, wide
}

// peelsRemainder reports whether the iterations left over by a factor are straight code
// outside the loop: clang's loop rotation duplicates them while they are few,
// nvcc leaves its loop half-way.
func (r *resolver) peelsRemainder(l *lower.Loop, left int64) bool {
	switch r.opt.Compiler {
	case Clang:
		return left*r.bodySize(l) <= clangHeader
	case NVCC:
		return false
	}
	return true
}

// holdsRolledLoop reports whether a block contains a loop that will not be fully
// unrolled.
func (r *resolver) holdsRolledLoop(b lower.Block) bool {
	for i, st := range b {
		if l, ok := st.(*lower.Loop); ok && !r.unrollsFully(l, b[:i]) {
			return true
		}
		held := false
		structure.Blocks(st, func(x lower.Block) { held = held || r.holdsRolledLoop(x) })
		if held {
			return true
		}
	}
	return false
}

// staticTrips returns the trip count of an inner loop whose start is assigned a
// constant just before it.
func (r *resolver) staticTrips(l *lower.Loop, before lower.Block) (int64, bool) {
	ind := l.Induction
	if ind == nil || ind.By.Kind != lower.OperandConst {
		return 0, false
	}
	bound, ok := r.staticOperand(ind.Bound)
	if !ok {
		return 0, false
	}
	for i := len(before) - 1; i >= 0; i-- {
		in, ok := before[i].(*lower.Instr)
		if !ok || len(in.Dsts) != 1 || in.Dsts[0] != ind.Var {
			continue
		}
		if in.Op != lower.Mov || in.Args[0].Kind != lower.OperandConst {
			return 0, false
		}
		n, ok := tripCount(ind.Cmp, ind.Step, in.Type, compared(ind, in.Type, in.Args[0].Bits), ind.By.Bits, bound)
		return n, ok && n != endless
	}
	return 0, false
}

func (r *resolver) staticOperand(o lower.Operand) (uint64, bool) {
	if o.Kind == lower.OperandConst {
		return o.Bits, true
	}
	if o.Kind == lower.OperandReg && !slices.Contains(r.counters, o.Reg) {
		if v := r.regs[o.Reg-1]; v != nil && v.konst {
			return v.u, true
		}
	}
	return 0, false
}

// unrollsFully predicts whether an inner loop will be fully unrolled.
func (r *resolver) unrollsFully(l *lower.Loop, before lower.Block) bool {
	n, ok := r.staticTrips(l, before)
	if !ok {
		return false
	}
	key := prediction{l, n}
	if full, ok := r.predicted[key]; ok {
		return full
	}
	p := plan{trips: n, constant: true, counted: true, factor: 1}
	d := r.decisions // a prediction is no decision
	predicting, decision := d.predicting, *d.loop(l.ID)
	d.predicting = true
	r.chooseFactor(l, &p)
	d.predicting, *d.loop(l.ID) = predicting, decision
	r.predicted[key] = p.full
	return p.full
}

// prediction asks about a loop with a number of iterations.
type prediction struct {
	loop  *lower.Loop
	trips int64
}

// bodySize estimates a loop body as the compilers' unrollers see it: each load counts 2.5 (its
// address arithmetic), stores likewise, other operations 1, the loop itself 1; what a loop does not
// change is outside of it.
func (r *resolver) bodySize(l *lower.Loop) int64 {
	n := r.census(l.Body, r.st.InvariantIn(l))
	return 1 + n.other + (5*n.memory+1)/2
}

func (r *resolver) loads(l *lower.Loop) int64 {
	return r.census(l.Body).memory
}

// instructions estimates how many instructions a block leaves.
func (r *resolver) instructions(b lower.Block) int64 {
	n := r.census(b)
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
func (r *resolver) census(b lower.Block, outside ...map[*lower.Instr]bool) (n census) {
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
				if st.Subscript || free(st) {
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
			if t, ok := r.staticTrips(st, b[:i]); ok && r.unrollsFully(st, b[:i]) {
				times = t
			}
			if len(outside) == 0 {
				n.add(times, r.census(st.Body))
				break
			}
			inside := r.census(st.Body, append(slices.Clip(outside), r.st.InvariantIn(st))...)
			n.add(1, r.census(st.Body, outside...))
			n.add(times-1, inside)
		default:
			structure.Blocks(st, func(x lower.Block) { n.add(1, r.census(x, outside...)) })
		}
	}
	return n
}

func holdsBarrier(l *lower.Loop) bool {
	return structure.AnyInstr(l, func(in *lower.Instr) bool { return in.Op == lower.Barrier })
}
