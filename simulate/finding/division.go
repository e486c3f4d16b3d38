package finding

import (
	"fmt"

	"gpupipe/idg/isa"
)

// integerDivision: a quotient or remainder by a value that the compiler does not know is a sequence of instructions.
func integerDivision(r *Run) (out []trial, err error) {
	for _, p := range r.places() {
		if !p.dividesIntegers() {
			continue
		}
		name, instead := "division", "shift"
		if p.word == "%" {
			name, instead = "remainder", "mask"
		}
		out, err = r.remedied(out, Finding{
			Pos:   p.pos,
			What:  fmt.Sprintf("integer %s by a value that is not known at compile time", name),
			Proof: fmt.Sprintf("%d instructions instead of one", max(2, len(p.instrs))),
			Remedy: fmt.Sprintf("a %s if the divisor is a power of two, else a constant divisor (macro, template "+
				"argument), or a counter instead of the division", instead),
		}, r.instead(p, "shr.s32")...)
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
