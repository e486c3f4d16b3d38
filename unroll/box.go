package unroll

import (
	"slices"

	"gpupipe/internal/diag"
	"gpupipe/lower"
)

// Where the elements of a tensor lie is the host's to know (cuTensorMapEncodeTiled); a kernel names boxes of
// it by coordinates. That the same box is read again, by this group or another one, and how much is
// read in all, is known all the same: boxes are taken to lie one behind the other, each in one piece, row of boxes after
// row. The boxes of a row are as far apart as the smallest step of the first coordinate, and its length is the largest one that
// the group names: a product's loop runs along it.

// tensorRows is how many rows the planes of a tensor of three and more dimensions are taken to have.
const tensorRows = 1 << 16

// usualElement is the size of an element where the kernel does not tell it: of bfloat16 and half.
const usualElement = 2

// tensor is what is known of the first coordinate of a tensor.
type tensor struct {
	root lower.ObjectID
	pos  lower.Pos // of the first copy
	step uint64    // greatest common divisor of the coordinates seen, 0: of none
	last uint64    // the largest one
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
	if len(b.coords) == 0 || !b.coords[0].isKnown(b.mask) {
		return
	}
	x := t.of(b.from.root)
	if x.pos.Line == 0 {
		x.pos = b.in.Pos
	}
	b.mask.each(func(l int) {
		at := uint64(uint32(b.coords[0].at(l)))
		if step := divisor(x.step, at); step != x.step || at > x.last {
			x.step, x.last, t.grew = step, max(at, x.last), true
		}
	})
}

// notes says what is assumed.
func (t *tensors) notes(k *lower.Kernel) (l diag.List) {
	for _, x := range t.list {
		if x.root != 0 && x.pos.Line != 0 {
			l.Add(diag.Notef(x.pos, "TENSOR", "where the elements of %s lie is not in the kernel: its boxes are taken to lie one behind the other", k.Object(x.root).Name))
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

// boxAt is the address of a box of so many bytes.
func (r *resolver) boxAt(b *block, bytes int64) *value {
	t, p := r.st.tensors.of(b.from.root), b.from
	element := b.in.Align
	if element < usualElement || element > 8 {
		element = usualElement
	}
	step := int64(max(t.step, 1))
	scale := max(1, bytes/step)
	for i, c := range b.coords {
		p = r.ptrAdd(&lower.Instr{Op: lower.PtrAdd, Type: lower.Ptr, From: lower.S32, Scale: scale, Pos: b.in.Pos}, p, c)
		switch i {
		case 0:
			scale = (int64(t.last) + step) * element
		case 1:
			scale *= tensorRows
		}
	}
	return p
}
