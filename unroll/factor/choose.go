package factor

import (
	"fmt"

	"gpupipe/internal/target"
	"gpupipe/lower"
)

// choose applies the pragma, --unroll or the compiler's habits.
func (u *Unroller) choose(l *lower.Loop, p *plan) {
	want, reason := int64(0), "" // 0 = full
	switch n, ok := u.Chosen(l.Pos); {
	case ok:
		want, reason = n, "--unroll"
	case l.Pragma == nil:
		u.habit(l, p)
		return
	case l.Pragma.Kind == lower.UnrollFactor:
		want, reason = l.Pragma.Factor, "pragma"
	case l.Pragma.Kind == lower.NoUnroll:
		if u.Compiler == target.NVCC && u.Optimises() && isNounrollWord(l.Pragma.Text) {
			p.warning = "nvcc ignores the word nounroll; write #pragma unroll 1"
			u.habit(l, p)
			return
		}
		want, reason = 1, "pragma"
	case u.Compiler == target.Clang && u.Optimises() && p.counted:
		u.clang(l, p)
		return
	default:
		reason = "pragma"
		if !p.constant {
			u.fullWithoutCount(l, p)
			return
		}
	}
	p.reason = reason
	switch {
	case want == 1:
		return
	case p.constant && (want == 0 || want >= p.trips):
		p.full = true
		p.factor = max(1, p.trips)
		if want > p.trips && p.trips > 0 {
			p.reason = fmt.Sprintf("%s: %d covers all %d iterations", reason, want, p.trips)
		}
	case !p.counted:
		p.factor = want
		p.warning = "the trip count is not computed before the loop starts: every copy of the body keeps its exit test"
	default:
		p.factor = want
		if !p.constant && p.trips >= 0 && want > p.trips && !p.assumed {
			p.warning = fmt.Sprintf("the factor %d is larger than the %d iterations: only the remainder loop runs",
				want, p.trips)
		}
	}
}

// fullWithoutCount treats a request for full unrolling of a loop whose trip count is
// not a constant for the compiler: nvcc unrolls by 4 if it can tell the count at run time,
// but no loop around one that stays rolled (docs/evidence/fidelity.md). clang leaves a loop alone that it cannot count.
func (u *Unroller) fullWithoutCount(l *lower.Loop, p *plan) {
	on := notConstant(l)
	geometric := p.counted && l.Induction.Step != lower.Add && l.Induction.Step != lower.Sub
	switch {
	case u.Compiler != target.NVCC || !p.counted || !geometric && !u.countedByNVCC(l.Induction):
		p.reason = "pragma without effect"
		p.warning = on + ", so the loop cannot be unrolled fully and stays rolled"
	case u.holdsRolledLoop(l.Body):
		p.reason = "pragma: nvcc leaves a loop with a run-time trip count around one that stays rolled"
		p.warning = on + " and it contains a loop that stays rolled, so that it stays rolled, too"
	default:
		p.factor, p.reason = 4, "pragma: nvcc unrolls a run-time trip count by 4"
		p.warning = on + ", so the loop is unrolled by 4 instead of fully"
	}
}

// notConstant is the first half of a warning about a loop's trip count.
func notConstant(l *lower.Loop) string {
	on := "its trip count"
	if l.BoundText != "" {
		on += " (" + l.BoundText + ")"
	}
	return on + " is not a constant for the compiler"
}
