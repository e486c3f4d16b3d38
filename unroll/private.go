package unroll

import (
	"gpupipe/idg"
	"gpupipe/lower"
	"gpupipe/unroll/arithmetic"
)

// Private arrays that are not in registers hold what the work items have stored there, as far as it
// is known to us: a subscript or a branch that depends on it is resolved. The compiler knows nothing
// of it. What a branch stores that may not be taken, and where an address is not known, is forgotten.

const (
	// maxPrivateBytes bounds the arrays that are followed, for each work item.
	maxPrivateBytes = 1 << 14
	// maxPrivateChanges bounds the stores of a loop, those of loops within included, that are
	// followed: a loop that changes what arrays hold has no steady state.
	maxPrivateChanges = 1 << 12
)

// privateArray is what the lanes have stored in an array.
type privateArray struct {
	size  int64
	bytes []byte // by lane and offset
	known []bool
	count int // bytes that are known
	from  origin
}

// isFollowed reports whether what a private array holds is followed.
func (r *resolver) isFollowed(id lower.ObjectID) bool {
	if id == 0 || r.homes[id] == inRegisters {
		return false
	}
	o := r.k.Object(id)
	return o.Space == idg.SpacePrivate && o.Size <= maxPrivateBytes
}

// keepPrivate takes notice of a store of values next to each other.
func (r *resolver) keepPrivate(p *value, typ lower.Type, vals []*value) {
	if p.root == 0 {
		r.forgetPrivate() // it may be anywhere
	}
	if !r.isFollowed(p.root) {
		return
	}
	array := r.private[p.root]
	if array == nil {
		size := r.k.Object(p.root).Size
		array = &privateArray{size: size, bytes: make([]byte, size*int64(r.opt.WarpSize)),
			known: make([]bool, size*int64(r.opt.WarpSize))}
		if r.private == nil {
			r.private = map[lower.ObjectID]*privateArray{}
		}
		r.private[p.root] = array
	}
	for _, v := range append(vals[:len(vals):len(vals)], p) {
		array.from |= v.from
	}
	if array.store(p, typ, vals, r.mask, len(r.maybe) == 0 && !r.changedMuch()) {
		for _, a := range r.loops {
			a.changes++
		}
		if r.changedMuch() {
			r.forgetPrivate()
		}
		r.unsteady(array, nil)
	}
	r.unsteady(array, p)
	for _, v := range vals {
		r.unsteady(array, v)
	}
}

// changedMuch reports whether arrays are no longer followed in this loop.
func (r *resolver) changedMuch() bool {
	return len(r.loops) > 0 && r.loops[0].changes > maxPrivateChanges
}

// unsteady takes notice of a store to a value's address, or of it: the loops around have no steady state where
// that is another one in each pass. Without a value it has changed what the array holds.
func (r *resolver) unsteady(array *privateArray, v *value) {
	for _, proof := range r.proofs {
		if !proof.elsewhere && (v == nil || array.count > 0 && proof.drift(v) != nil) {
			proof.fail()
		}
	}
}

// store reports whether it changes what is known of the array. What is not sure to be stored is not known.
func (a *privateArray) store(p *value, typ lower.Type, vals []*value, mask laneMask, sure bool) (changed bool) {
	set := func(k int64, b byte, known bool) {
		changed = changed || a.known[k] != known || known && a.bytes[k] != b
		switch {
		case known && !a.known[k]:
			a.count++
		case a.known[k] && !known:
			a.count--
		}
		a.bytes[k], a.known[k] = b, known
	}
	elem := typ.Size()
	mask.each(func(l int) {
		lane := int64(l) * a.size
		if p.known>>l&1 == 0 {
			for k := range a.size {
				set(lane+k, 0, false)
			}
			return
		}
		for i, v := range vals {
			at := int64(p.at(l)) + int64(i)*elem
			if at < 0 || at+elem > a.size {
				continue
			}
			known := sure && v.known>>l&1 != 0 && typ != lower.Ptr && typ != lower.F16
			for b := range elem {
				set(lane+at+b, byte(v.at(l)>>(8*b)), known)
			}
		}
	})
	return changed
}

// forgetPrivate makes what private arrays hold unknown.
func (r *resolver) forgetPrivate() {
	for _, a := range r.private {
		clear(a.known)
		a.count = 0
	}
}

// readPrivate fills in what a load from a private array gives, at an offset from an address.
func (r *resolver) readPrivate(v *value, p *value, offset int64) {
	a := r.private[p.root]
	if a == nil || a.count == 0 || v.typ == lower.Ptr || v.typ == lower.F16 {
		return
	}
	for _, proof := range r.proofs {
		if d := proof.drift(p); d != nil || proof.elsewhere { // other warps hold something else
			proof.erratic(v, d)
		}
	}
	elem := v.typ.Size()
	lanes := r.newLanes()
	var known laneMask
	(p.known & r.warpMask).each(func(l int) {
		at := int64(p.at(l)) + offset
		if at < 0 || at+elem > a.size {
			return
		}
		var u uint64
		for b := range elem {
			k := int64(l)*a.size + at + b
			if !a.known[k] {
				return
			}
			u |= uint64(a.bytes[k]) << (8 * b)
		}
		lanes[l] = arithmetic.LaneBits(v.typ, u)
		known |= 1 << l
	})
	if known == 0 {
		return
	}
	v.known, v.lanes = known, lanes
	if known == r.warpMask {
		v.from &^= fromMemory
	}
	v.from |= p.from | a.from
	r.compact(v)
}
