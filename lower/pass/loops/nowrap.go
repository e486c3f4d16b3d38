package loops

import (
	"slices"

	"gpupipe/lower"
	"gpupipe/lower/ir"
)

// An index that a loop changes may be extended term by term where the compiler knows that nothing in it wraps around:
// a signed sum is taken apart before terms are put in another order, but what a product multiplies must be as it was
// written. LLVM's Reassociate takes nsw from what it rewrites, and instcombine from what it makes of two products with
// a common factor (nvcc 11.8, PTX of 64 indices in a loop, 30 of which keep 32 bits; two are decided wrongly here).

// known reports whether that is so of all products in an index that the loop changes.
func (d *reduction) known(index *ir.Value) bool {
	terms := operands(nil, index, sumParts)
	for i, t := range terms {
		if !d.l.inside(t) || !is(t, lower.Mul, lower.Shl) {
			continue
		}
		if !d.asWritten(t) {
			return false
		}
		for k, u := range terms {
			if k != i && slices.ContainsFunc(operands(nil, t, productParts), func(f *ir.Value) bool {
				return d.l.inside(f) && slices.Contains(operands(nil, u, productParts), f)
			}) {
				return false
			}
		}
	}
	return true
}

// asWritten reports whether a product has two factors, of which the one that the loop changes is a counter or a sum of
// two values, and so on.
func (d *reduction) asWritten(v *ir.Value) bool {
	for {
		parts := sumParts
		if is(v, lower.Mul, lower.Shl) {
			parts = productParts
		}
		list := operands(nil, v, parts)
		i := slices.IndexFunc(list, d.l.inside)
		switch {
		case len(list) == 1 || i < 0:
			return true
		case len(list) > 2 || v.DefOp() == lower.Sub && !list[1].IsConst():
			return false
		}
		v = list[i]
	}
}

// keeps reports whether the compiler still knows, where a loop's body has been copied, that v times a constant does not
// wrap around. What it knew of a product with the counter is gone: each copy's is made of the first one's and a
// constant (instcombine takes nsw from that). A counter from a constant to 2^31 stays in 32 bits as far as twice its
// value, and a sum whose low bits are free takes the distance of a copy by or, which does not wrap (nvcc 11.8, PTX of
// 80 indices).
func (d *reduction) keeps(v *ir.Value, times int64) bool {
	switch {
	case !d.l.inside(v):
		return true
	case v.Kind == ir.BlockArg && d.l.steps(v):
		return times == 1 || times == -1 || (times == 2 || times == -2) && d.l.loop.Args[v.Index].IsConst()
	case is(v, lower.Mul, lower.Shl):
		by := v.Def.Args[1]
		if !by.IsConst() {
			return true
		}
		if v.DefOp() == lower.Shl {
			times <<= by.Bits & 31
		} else {
			times *= by.Int()
		}
		v = v.Def.Args[0]
		if is(v, sumParts...) && slices.ContainsFunc(v.Def.Args, d.l.steps) {
			return v.DefOp() == lower.Add && d.free(v)
		}
		return d.keeps(v, times)
	case is(v, lower.Add, lower.Sub, lower.Bitcast, lower.Convert):
		return !slices.ContainsFunc(v.Def.Args, func(a *ir.Value) bool { return !d.keeps(a, times) })
	}
	return true
}

// free reports whether a sum with the counter is a multiple of how far an iteration moves that.
func (d *reduction) free(v *ir.Value) bool {
	for _, a := range v.Def.Args {
		if d.l.steps(a) {
			step := d.l.variables[a.Index].step
			return step.isConst() && d.aligned.Factor(v, 0) >= step.c
		}
	}
	return false
}

// The operations that sums and products are made of.
var (
	sumParts     = []ir.Op{lower.Add, lower.Sub}
	productParts = []ir.Op{lower.Mul, lower.Shl}
)

// is reports whether one of some operations gives a value.
func is(v *ir.Value, ops ...ir.Op) bool {
	return v.Kind == ir.Result && slices.Contains(ops, v.DefOp())
}

// operands lists the operands of an expression of some operations.
func operands(list []*ir.Value, v *ir.Value, ops []ir.Op) []*ir.Value {
	for is(v, lower.Bitcast, lower.Convert) && v.Def.Args[0].Type.IsInteger() {
		v = v.Def.Args[0]
	}
	if !is(v, ops...) || len(list) > maxTerms {
		return append(list, v)
	}
	for _, a := range v.Def.Args {
		list = operands(list, a, ops)
	}
	return list
}
