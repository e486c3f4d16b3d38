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
	// maxPrivateStores bounds the stores of a loop, those of loops within included, that are followed: a loop that is decided by it has no steady state.
	maxPrivateStores = 1 << 16
)

// privateArray is what the lanes have stored in an array.
type privateArray struct {
	size  int64
	bytes []byte // by lane and offset
	known []bool
	from  origin
	some  bool // something known has been stored
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
	for _, a := range r.loops {
		a.kept++
	}
	array := r.private[p.root]
	if array == nil {
		size := r.k.Object(p.root).Size
		array = &privateArray{size: size, bytes: make([]byte, size*int64(r.opt.WarpSize)), known: make([]bool, size*int64(r.opt.WarpSize))}
		if r.private == nil {
			r.private = map[lower.ObjectID]*privateArray{}
		}
		r.private[p.root] = array
	}
	elem := typ.Size()
	r.mask.each(func(l int) {
		if p.known>>l&1 == 0 {
			clear(array.known[int64(l)*array.size:][:array.size])
			return
		}
		for i, v := range vals {
			at := int64(p.at(l)) + int64(i)*elem
			if at < 0 || at+elem > array.size {
				continue
			}
			known := v.known>>l&1 != 0 && len(r.maybe) == 0 && typ != lower.Ptr && typ != lower.F16
			array.some = array.some || known
			for b := range elem {
				k := int64(l)*array.size + at + b
				array.bytes[k], array.known[k] = byte(v.at(l)>>(8*b)), known
			}
		}
	})
	for _, v := range vals {
		array.from |= v.from
	}
	array.from |= p.from
}

// forgetPrivate makes what private arrays hold unknown.
func (r *resolver) forgetPrivate() {
	for _, a := range r.private {
		clear(a.known)
	}
}

// readPrivate fills in what a load from a private array gives, at an offset from an address.
func (r *resolver) readPrivate(v *value, p *value, offset int64) {
	array := r.private[p.root]
	if array == nil || !array.some || v.typ == lower.Ptr || v.typ == lower.F16 {
		return
	}
	if len(r.loops) > 0 && r.loops[0].kept > maxPrivateStores {
		return
	}
	r.privateDrift(v, p)
	elem := v.typ.Size()
	lanes := r.newLanes()
	var known laneMask
	(p.known & r.warpMask).each(func(l int) {
		at := int64(p.at(l)) + offset
		if at < 0 || at+elem > array.size {
			return
		}
		var u uint64
		for b := range elem {
			k := int64(l)*array.size + at + b
			if !array.known[k] {
				return
			}
			u |= uint64(array.bytes[k]) << (8 * b)
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
	v.from |= p.from | array.from
	r.compact(v)
}

// privateDrift tells the proofs of what is loaded from a private array: it is another in each pass of a loop that
// stores there, and in another warp.
func (r *resolver) privateDrift(v, p *value) {
	stores := map[*proof]bool{}
	for _, a := range r.loops {
		if a.watch != nil && a.watch.proof != nil {
			stores[a.watch.proof] = a.kept > 0
		}
	}
	for _, proof := range r.proofs {
		switch d := proof.drift(p); {
		case proof.elsewhere || stores[proof]:
			proof.erratic(v)
		case d != nil:
			proof.erratic(v, d)
		}
	}
}
