package unroll

import (
	"slices"

	"gpupipe/internal/diag"
	"gpupipe/lower"
)

// Where the elements of a tensor lie is the host's to know (cuTensorMapEncodeTiled); a kernel names boxes of
// it by coordinates. That the same box is read again, by this group or another one, and how much is
// read in all, is known all the same: boxes are taken to lie one behind the other, each in one piece. First come those
// of the coordinates that change in the group, as a product's loop along its rows does, of which the steps tell the
// size of a box; then those of the others.

// swizzledBytes is the first side of a box of a tensor of three and more dimensions of which the first coordinate is a
// constant:
// the widest pattern in which tensors are laid out in local memory (CUDA driver API, CU_TENSOR_MAP_SWIZZLE_128B).
const swizzledBytes = 128

// tensorRows is how many places the coordinates behind the first of those that do not change in a group have.
const tensorRows = 1 << 16

// usualElement is the size of an element where the kernel does not tell it: of bfloat16 and half.
const usualElement = 2

// tensor is what is known of the coordinates of a tensor.
type tensor struct {
	root  lower.ObjectID
	pos   lower.Pos // of the first copy
	sides []side    // by coordinate
}

// side is what is known of a coordinate.
type side struct {
	seen  bool
	fixed bool   // a constant of the kernel
	moves bool   // two values have been seen
	step  uint64 // greatest common divisor of the values, 0: of none
	first uint64
	last  uint64 // the largest one
}

// see takes notice of a value, and reports whether it changes what is known.
func (s *side) see(at uint64, fixed bool) bool {
	before := *s
	if !s.seen {
		s.first, s.fixed = at, fixed
	}
	s.moves = s.moves || s.seen && at != s.first
	s.seen, s.fixed = true, s.fixed && fixed
	s.step, s.last = divisor(s.step, at), max(s.last, at)
	return *s != before
}

// tensors are those of a kernel.
type tensors struct {
	list []tensor
	grew bool
}

// of returns what is known of a tensor.
func (t *tensors) of(root lower.ObjectID) *tensor {
	i := slices.IndexFunc(t.list, func(x tensor) bool { return x.root == root })
	if i < 0 {
		i = len(t.list)
		t.list = append(t.list, tensor{root: root})
	}
	return &t.list[i]
}

// see takes notice of a box.
func (t *tensors) see(b *block) {
	x := t.of(b.from.root)
	if x.pos.Line == 0 {
		x.pos = b.in.Pos
	}
	for len(x.sides) < len(b.coords) {
		x.sides = append(x.sides, side{})
	}
	for i, c := range b.coords {
		if c.isKnown(b.mask) {
			b.mask.each(func(l int) { t.grew = x.sides[i].see(uint64(uint32(c.at(l))), c.konst) || t.grew })
		}
	}
}

// notes says what is assumed.
func (t *tensors) notes(k *lower.Kernel) (l diag.List) {
	for _, x := range t.list {
		if x.root != 0 && len(x.sides) > 0 {
			l.Add(diag.Notef(x.pos, "TENSOR", "where the elements of %s lie is not in the kernel: its boxes are "+
				"taken to lie one behind the other", k.Object(x.root).Name))
		}
	}
	return l
}

// grown reports whether boxes have been seen since it was asked last that change where others lie.
func (t *tensors) grown() bool {
	grew := t.grew
	t.grew = false
	return grew
}

func divisor(a, b uint64) uint64 {
	for b != 0 {
		a, b = b, a%b
	}
	return a
}

// boxAt is the address of a box of so many bytes. Its sides are those that divide the steps of the coordinates, and all
// of the box together.
func (r *resolver) boxAt(b *block, bytes int64) *value {
	t, p := r.st.tensors.of(b.from.root), b.from
	element := b.in.Align
	if element < usualElement || element > 8 {
		element = usualElement
	}
	left := uint64(max(1, bytes/element)) // elements of the box, of the sides that are not known yet
	if t.sides[0].fixed && len(t.sides) > 2 {
		left = max(1, left*uint64(element)/swizzledBytes)
	}
	order := t.order(len(b.coords))
	next := bytes // where the next coordinate goes on
	for n, i := range order {
		s := &t.sides[i]
		box := left
		if n+1 < len(order) && s.moves {
			box = divisor(s.step, left)
		}
		left /= max(1, box)
		p = r.ptrAdd(&lower.Instr{Op: lower.PtrAdd, Type: lower.Ptr, From: lower.S32, Scale: max(1, next/int64(box)),
			Pos: b.in.Pos}, p, b.coords[i])
		if s.moves {
			next *= int64(s.last/box) + 1
		} else {
			next *= tensorRows
		}
	}
	return p
}

// order is the order in which boxes follow each other: along the coordinates that change in the group first, and
// not along those that never do; n are named.
func (t *tensor) order(n int) (list []int) {
	for _, moves := range []bool{true, false} {
		for i := range t.sides {
			if s := &t.sides[i]; s.moves == moves && !s.fixed && i < n {
				list = append(list, i)
			}
		}
	}
	return list
}
