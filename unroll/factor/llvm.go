package factor

import (
	"fmt"
	"strings"

	"gpupipe/internal/target"
	"gpupipe/lower"
)

// LLVM's rule of unrolling, as of LLVM 14: computeUnrollCount of LoopUnrollPass.cpp, with what the targets ask of it
// (getUnrollingPreferences of NVPTXTargetTransformInfo.cpp and of AMDGPUTargetTransformInfo.cpp). The pass runs
// twice. The first time, inner loops before outer ones, it unrolls fully, and partly where a pragma asks for it; the
// second time partly and by run-time trip counts as well.
const (
	llvmFull       = 150 // UnrollThresholdDefault: size below which a loop is unrolled fully, -O2
	llvmFullO3     = 300 // UnrollThresholdAggressive, -O3
	llvmPTXPartial = 4   // for PTX, a loop is unrolled partly up to the threshold divided by this
	llvmPragma     = 16 * 1024
	llvmRuntime    = 8   // DefaultUnrollRuntimeCount
	llvmBoost      = 400 // percent: MaxPercentThresholdBoost
	llvmAnalysed   = 10  // iterations of which it looks at what remains when the counter is folded
)

// preferences are what a target asks of the unroller for a loop.
type preferences struct {
	full, partial int64 // sizes
	runtime       bool  // run-time trip counts, too
	analysed      int64 // iterations
}

func (u *Unroller) preferences(n *sizeLLVM) preferences {
	if !u.AMDGPU() {
		p := preferences{full: llvmFull, runtime: true, analysed: llvmAnalysed}
		if u.Level == target.O3 {
			p.full = llvmFullO3
		}
		p.partial = p.full / llvmPTXPartial
		return p
	}
	return n.asks.preferences
}

// clang chooses a factor as LLVM does, where none is given.
func (u *Unroller) clang(l *lower.Loop, p *plan) {
	u.counters = append(u.counters, l.Induction.Var)
	defer func() { u.counters = u.counters[:len(u.counters)-1] }()
	why := "no pragma"
	enable, full := false, false
	if l.Pragma != nil {
		why, full = "pragma", strings.Contains(l.Pragma.Text, "full")
		enable = !full
	}
	if p.constant && (p.trips <= 1 || full) {
		p.full, p.factor, p.reason = true, max(1, p.trips), why
		if p.trips <= 1 {
			p.reason += ": at most one iteration"
		}
		return
	}
	first := u.measure(l, false)
	if !p.constant {
		u.clangRuntime(l, p, first, enable, why)
		return
	}
	ask := u.preferences(first)
	if enable {
		ask.full, ask.partial = max(ask.full, llvmPragma), llvmPragma
	}
	second := first
	if !enable && !first.fits(p.trips, ask) {
		second = u.measure(l, true)
		ask = u.preferences(second)
	}
	if second.fits(p.trips, ask) {
		p.full, p.factor = true, max(1, p.trips)
		p.reason = fmt.Sprintf("%s: clang unrolls %d iterations of this size fully", why, p.trips)
		return
	}
	p.factor = second.part(p.trips, ask.partial, !holdsBarrier(l))
	switch {
	case p.factor == 1:
		p.reason = why + ": the body is too large for clang to unroll"
	case p.trips%p.factor == 0:
		p.reason = fmt.Sprintf("%s: clang unrolls a body of this size by %d, a divisor of %d iterations", why,
			p.factor, p.trips)
	default:
		p.reason = fmt.Sprintf("%s: clang unrolls a body of this size by no more than %d of %d iterations", why,
			p.factor, p.trips)
	}
}

// clangRuntime chooses a factor for a trip count that is known at run time only.
func (u *Unroller) clangRuntime(l *lower.Loop, p *plan, first *sizeLLVM, enable bool, why string) {
	in := l.Induction
	steady := in.By.Kind == lower.OperandConst && (in.Step == lower.Add || in.Step == lower.Sub)
	if by := int64(in.By.Bits); steady && by != 1 && by != -1 {
		// The trip count is a quotient of a maximum where the loop does not begin at a constant: too dear.
		_, steady = u.values.Constant(in.Var)
	}
	ask := u.preferences(first)
	n := first
	if !enable {
		n = u.measure(l, true)
	}
	p.factor = llvmRuntime
	for p.factor > 1 && n.copied(p.factor) > ask.partial {
		p.factor /= 2
	}
	if !steady || l.HasBreak || holdsBarrier(l) || !ask.runtime && !enable {
		p.factor = 1
	}
	if l.Pragma != nil && p.factor > 1 {
		p.warning = fmt.Sprintf("%s, so the loop is unrolled by %d instead of fully", notConstant(l), p.factor)
	} else if l.Pragma != nil {
		p.warning = notConstant(l) + ", so the loop cannot be unrolled fully and stays rolled"
	}
	switch {
	case p.factor > 1:
		p.reason = fmt.Sprintf("%s: clang unrolls a body of this size by %d where the trip count is known at run time",
			why, p.factor)
	case !steady:
		p.reason = why + ": clang leaves loops rolled whose trip count is expensive to compute"
	case l.HasBreak:
		p.reason = why + ": clang leaves loops with a run-time trip count and a second exit rolled"
	case holdsBarrier(l):
		p.reason = why + ": clang leaves loops with a run-time trip count and a barrier rolled"
	case !ask.runtime && !enable:
		p.reason = why + ": clang leaves loops with a run-time trip count rolled for AMD's GPUs, but for those that " +
			"access local memory"
	default:
		p.reason = why + ": the body is too large for clang to unroll by a run-time trip count"
	}
}

// copied is the size of a number of copies of the body.
func (n *sizeLLVM) copied(factor int64) int64 { return (n.size-n.backEdge)*factor + n.backEdge }

// fits reports whether a loop is unrolled fully: as it is, or by what remains when the counter is a
// constant in each copy, for a threshold that is larger by what that saves (shouldFullUnroll).
func (n *sizeLLVM) fits(trips int64, ask preferences) bool {
	if trips < ask.full && n.copied(trips) < ask.full {
		return true
	}
	if n.rolled || trips > ask.analysed {
		return false
	}
	rolled := trips * (n.size + n.slow)
	unrolled := max(1, rolled-trips*(n.saved+n.own)+n.once)
	return unrolled < ask.full*min(llvmBoost, 100*rolled/unrolled)/100
}

// part is how many copies of the body are made where not all fit: the largest divisor of the trip count
// that does, else a power of two, if iterations may be left over (shouldPartialUnroll).
func (n *sizeLLVM) part(trips, most int64, remainder bool) int64 {
	factor := trips
	if trips >= most || n.copied(trips) > most {
		factor = (max(most, n.backEdge+1) - n.backEdge) / max(1, n.size-n.backEdge)
	}
	for factor > 1 && trips%factor != 0 {
		factor--
	}
	if factor <= 1 && remainder {
		for factor = llvmRuntime; factor > 1 && n.copied(factor) > most; {
			factor /= 2
		}
	}
	return max(1, factor)
}
