package unroll

// Contents that are not known can be known to be the same in all lanes: those of arguments, of a load
// of one address by all lanes (a list that a whole group walks, the bounds of a row), and what is
// computed of them. An access at such an address touches one place, wherever it is. What flow that
// is not followed joins, and private memory, may differ.

// sameInLanes reports whether all lanes of m are known to hold the same, which need not be known.
func (v *value) sameInLanes(m laneMask) bool {
	if v.konst || v.same {
		return true
	}
	if _, ok := v.uniform(m); ok {
		return true
	}
	if len(v.form.terms) == 0 {
		return false
	}
	for _, t := range v.form.terms {
		_, known := t.sym.uniform(m)
		if t.sym == v || !known && !t.sym.konst && !t.sym.same {
			return false
		}
	}
	return true
}

// sameOperands reports whether an operation on these operands has the same result in all lanes of the
// warp, whichever of them execute it: it may be found again by others.
func (r *resolver) sameOperands(args []*value) bool {
	for _, a := range args {
		if !a.sameInLanes(r.warpMask) {
			return false
		}
	}
	return len(args) > 0
}
