package finding

import (
	"fmt"
	"slices"

	"gpupipe/idg/isa"
	"gpupipe/simulate/remedy"
)

// integerDivision: a quotient or remainder by a value that the compiler does not know is a sequence of instructions.
// Those of a line have one cause.
func integerDivision(r *Run) (out []trial, err error) {
	var lines [][]*place
	for _, p := range r.places() {
		switch k := slices.IndexFunc(lines, func(l []*place) bool { return sameLine(l[0].pos, p.pos) }); {
		case !p.dividesIntegers():
		case k >= 0:
			lines[k] = append(lines[k], p)
		default:
			lines = append(lines, []*place{p})
		}
	}
	for _, list := range lines {
		name, instead := "division", "shift"
		if list[0].word == "%" {
			name, instead = "remainder", "mask"
		}
		what := fmt.Sprintf("integer %s by a value that is not known at compile time", name)
		if len(list) > 1 {
			what = fmt.Sprintf("%d integer divisions or remainders by values that are not known at compile time",
				len(list))
			instead = "shift or mask"
		}
		n := 0
		var changes []remedy.Change
		for _, p := range list {
			n += max(2, len(p.instrs))
			changes = append(changes, r.instead(p, "shr.s32")...)
		}
		out, err = r.remedied(out, Finding{
			Pos:   list[0].pos,
			What:  what,
			Proof: fmt.Sprintf("%d instructions instead of %d", n, len(list)),
			Remedy: fmt.Sprintf("a %s if the divisor is a power of two, else a constant divisor (macro, template "+
				"argument), or a counter instead of the division", instead),
		}, changes...)
		if err != nil {
			return nil, err
		}
	}
	return out, nil
}

// dividesIntegers reports whether a place is an integer quotient: one instruction, or the sequence around an estimate
// of the divisor's reciprocal in floating point.
func (p *place) dividesIntegers() bool {
	for _, in := range p.instrs {
		if op := in.Operation(); (op.Verb == isa.Div || op.Verb == isa.Rem) && !op.Type.Float() {
			return true
		}
	}
	return (p.word == "/" || p.word == "%") && p.has("native_recip", "recip") && p.has("cvt.f32.u32", "cvt.f32.s32",
		"cvt.f32.u64")
}
