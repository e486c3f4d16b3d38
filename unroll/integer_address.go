package unroll

import (
	"gpupipe/idg"
	"gpupipe/lower"
)

// Addresses as integers. Inline PTX names local memory by 32-bit integers, which programs compute with as
// they like. An integer that an address has become remembers the object that it leads into (value.root) as
// long as it is moved about in it, so that a pointer made of it is one of that object again.
//
// Where an array of local memory begins is a constant to the compiler. At -O2 each begins at a place of its
// own, localWindow bytes apart, which is more than any GPU has: so the integers differ as they do in the
// machine, and low bits can be exchanged for others.

// localWindow is the distance of arrays of local memory that have become integers, in bytes.
const localWindow = 1 << 20

// reinterprets reports whether an operation makes an integer of an address or an address of an integer.
func reinterprets(in *lower.Instr) bool {
	return in.Op == lower.Bitcast && (in.Type == lower.Ptr) != (in.From == lower.Ptr)
}

// isLocal reports whether an object lies in local memory.
func (r *resolver) isLocal(id lower.ObjectID) bool {
	return id != 0 && r.k.Object(id).Space == idg.SpaceLocal
}

// addressOrInteger is the result of an operation that reinterprets an address of local memory, nil of any
// other.
func (r *resolver) addressOrInteger(in *lower.Instr, x *value) *value {
	root := r.leadsInto(x)
	if r.opt.Level == O0 || !r.isLocal(root) {
		return nil
	}
	start := int64(root) * localWindow
	if in.Type == lower.Ptr {
		start = -start
	}
	form := x.form
	form.c += start
	if in.Type != lower.Ptr {
		if form.isConst() {
			return r.konst(in.Type, uint64(form.c))
		}
		if e, ok := r.numbering.find(r.formKey(form, in.Type)); ok && e.v.computed {
			return e.v
		}
	}
	v := r.newValue(in.Type)
	v.root, v.from, v.level, v.form, v.known = root, x.from, x.level, form, x.known
	v.lazy, v.computed = true, true
	if in.Type == lower.Ptr {
		v.index = lower.S32
	}
	if x.lanes == nil {
		v.u = x.u + uint64(start)
	} else {
		v.lanes = r.newLanes()
		for l, u := range r.lanesOf(x, 0) {
			v.lanes[l] = u + uint64(start)
		}
	}
	r.follow(in, []*value{x}, v)
	if in.Type != lower.Ptr {
		r.numbering.put(r.formKey(form, in.Type), entry{v: v}, v.level, r.level, true)
	}
	return v
}

// leadsInto is the object that an address or an integer made of one leads into, 0 if none is known.
func (r *resolver) leadsInto(v *value) lower.ObjectID {
	if v.root != 0 || !v.konst || !v.typ.IsInteger() {
		return v.root
	}
	if n := v.u / localWindow; n > 0 && n <= uint64(len(r.k.Objects)) && r.isLocal(lower.ObjectID(n)) {
		return lower.ObjectID(n)
	}
	return 0
}

// rootOf is the object that the result of an operation on integers leads into: that of the only operand
// that does.
func (r *resolver) rootOf(in *lower.Instr, args []*value) (root lower.ObjectID) {
	switch in.Op {
	case lower.Select:
		args = args[1:]
		if r.leadsInto(args[0]) != r.leadsInto(args[1]) {
			return 0
		}
		return r.leadsInto(args[0])
	case lower.Add, lower.Sub, lower.And, lower.Or, lower.Xor, lower.Convert, lower.Bitcast:
	default:
		return 0
	}
	for _, a := range args {
		switch id := r.leadsInto(a); {
		case id == 0:
		case root != 0:
			return 0 // a distance
		default:
			root = id
		}
	}
	return root
}
