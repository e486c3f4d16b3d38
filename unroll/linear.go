package unroll

import (
	enc "encoding/binary"
	"slices"

	"gpupipe/lower"
)

// linear is a sum of symbols with integer coefficients, plus a constant:
// the normal form in which subscripts and addresses are compared. A symbol is a
// value with no linear structure of its own (an argument, a rolled counter, a
// loaded value, a product of symbols).
type linear struct {
	terms []term // by symbol id, coefficients not 0
	c     int64
}

type term struct {
	sym  *value
	coef int64
}

// maxTerms bounds a form's length; longer sums become symbols themselves.
const maxTerms = 8

// symbol returns the form that is v itself.
func symbol(v *value) linear {
	v.own[0] = term{v, 1}
	return linear{terms: v.own[:]}
}

// isConst reports whether the form has no symbol.
func (f linear) isConst() bool { return len(f.terms) == 0 }

// isSymbol reports whether the form is a single symbol.
func (f linear) isSymbol() bool { return len(f.terms) == 1 && f.terms[0].coef == 1 && f.c == 0 }

// wrap reduces the form's numbers to the width of t, in which sums wrap around.
func (f linear) wrap(t lower.Type) linear {
	if t.Size() >= 8 {
		return f
	}
	narrow := func(x int64) bool { return x == int64(int32(x)) }
	if narrow(f.c) && !slices.ContainsFunc(f.terms, func(x term) bool { return !narrow(x.coef) }) {
		return f
	}
	out := linear{c: int64(int32(f.c))}
	for _, x := range f.terms {
		if c := int64(int32(x.coef)); c != 0 {
			out.terms = append(out.terms, term{x.sym, c})
		}
	}
	return out
}

// add returns f + k*g.
func (f linear) add(g linear, k int64) linear {
	if k == 0 {
		return f
	}
	out := linear{c: f.c + k*g.c}
	if len(g.terms) == 0 {
		out.terms = f.terms
		return out
	}
	out.terms = make([]term, 0, len(f.terms)+len(g.terms))
	i, j := 0, 0
	for i < len(f.terms) || j < len(g.terms) {
		switch {
		case j == len(g.terms) || i < len(f.terms) && f.terms[i].sym.id < g.terms[j].sym.id:
			out.terms = append(out.terms, f.terms[i])
			i++
		case i == len(f.terms) || g.terms[j].sym.id < f.terms[i].sym.id:
			out.terms = append(out.terms, term{g.terms[j].sym, k * g.terms[j].coef})
			j++
		default:
			if co := f.terms[i].coef + k*g.terms[j].coef; co != 0 {
				out.terms = append(out.terms, term{f.terms[i].sym, co})
			}
			i++
			j++
		}
	}
	return out
}

// scale returns k*f.
func (f linear) scale(k int64) linear {
	if k == 1 {
		return f
	}
	return linear{}.add(f, k)
}

// offset returns f without its constant, and the constant.
func (f linear) offset() (linear, int64) { return linear{terms: f.terms}, f.c }

// divisible reports whether size divides every coefficient, so that the form
// can be an element index times size.
func (f linear) divisible(size int64) bool {
	for _, t := range f.terms {
		if t.coef%size != 0 {
			return false
		}
	}
	return true
}

// divided is the variable part of f in units of size, which divides it.
func (f linear) divided(size int64) (out linear) {
	for _, t := range f.terms {
		out.terms = append(out.terms, term{t.sym, t.coef / size})
	}
	return out
}

// split divides the terms into those that are invariant in rolled loops from
// level on, and those that vary there.
func (f linear) split(level int32) (invariant, variant linear) {
	if level <= 0 {
		return f, linear{}
	}
	i := slices.IndexFunc(f.terms, func(t term) bool { return t.sym.level >= level })
	if i < 0 {
		return f, linear{}
	}
	invariant.c = f.c
	for _, t := range f.terms {
		if t.sym.level >= level {
			variant.terms = append(variant.terms, t)
		} else {
			invariant.terms = append(invariant.terms, t)
		}
	}
	return invariant, variant
}

// invariantAt reports whether no symbol varies in rolled loops from level on.
func (f linear) invariantAt(level int32) bool { return f.level() < level }

// level is the innermost rolled loop in which the form varies.
func (f linear) level() int32 {
	var l int32
	for _, t := range f.terms {
		l = max(l, t.sym.level)
	}
	return l
}

// appendKey appends an injective encoding of the form.
func (f linear) appendKey(k []byte) []byte {
	k = enc.AppendUvarint(k, uint64(len(f.terms)))
	for _, t := range f.terms {
		k = enc.AppendUvarint(k, uint64(t.sym.id))
		k = enc.AppendVarint(k, t.coef)
	}
	return enc.AppendVarint(k, f.c)
}
