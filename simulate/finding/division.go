package finding

import (
	"fmt"

	"gpupipe/idg"
	"gpupipe/idg/isa"
)

// integerDivision: a quotient or remainder by a value that the compiler does not know is a sequence of instructions.
// The code with masks and shifts is simulated.
func integerDivision(r *Run) ([]trial, error) {
	var list []*place
	var at []idg.Pos
	n := 0
	for _, p := range r.places() {
		if !p.dividesIntegers() {
			continue
		}
		list = append(list, p)
		n += max(2, len(p.instrs))
		at = append(at, p.pos)
	}
	if len(list) == 0 {
		return nil, nil
	}
	name, instead := "division", "shift"
	if list[0].word == "%" {
		name, instead = "remainder", "mask"
	}
	f := Finding{
		Pos:   list[0].pos,
		What:  fmt.Sprintf("integer %s by a value that is not known at compile time", name),
		Proof: several(fmt.Sprintf("%d instructions instead of %d", n, len(list)), at),
	}
	if len(list) > 1 {
		f.What = fmt.Sprintf("%d integer divisions or remainders by values that are not known at compile time",
			len(list))
		instead = "shift or mask"
	}
	f.Remedy = fmt.Sprintf("a %s if the divisor is a power of two, else a constant divisor (macro, template "+
		"argument), or a counter instead of the division", instead)
	return r.compiled(nil, idg.Masks, f, in(list))
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
