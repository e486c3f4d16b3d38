package walk

import (
	"slices"

	"gpupipe/internal/diag"
	"gpupipe/lower"
	"gpupipe/lower/ir"
)

// Where the elements of a tensor lie is the host's to know (cuTensorMapEncodeTiled); a kernel names boxes of it by
// coordinates. That the same box is read again, by this group or another one, and how much is read in all, is known
// all the same: boxes are taken to lie one behind the other, each in one piece. First come those of the coordinates
// that change in the group, as a product's loop along its rows does, of which the steps tell the size of a box; then
// those of the others. All warps of the group are executed once before to see the coordinates.

// swizzledBytes is the first side of a box of a tensor of three and more dimensions of which the first coordinate is a
// constant: the widest pattern in which tensors are laid out in local memory (CUDA driver API,
// CU_TENSOR_MAP_SWIZZLE_128B).
const swizzledBytes = 128

// tensorRows is how many places the coordinates behind the first of those that do not change in a group have.
const tensorRows = 1 << 16

// usualElement is the size of an element where the kernel does not tell it: of bfloat16 and half.
const usualElement = 2

// tensor is what is known of the coordinates of a tensor.
type tensor struct {
	root  ir.ObjectID
	pos   diag.Pos // of the first copy
	sides []axis   // by coordinate
}

// axis is what is known of a coordinate.
type axis struct {
	seen  bool
	fixed bool   // constants of the kernel
	moves bool   // two values have been seen
	step  uint64 // greatest common divisor of the values, 0: of none
	first uint64
	last  uint64 // the largest one
}

// constant reports whether it is the same number always.
func (s *axis) constant() bool { return s.fixed && !s.moves }

// see takes notice of a value.
func (s *axis) see(at uint64, fixed bool) {
	if !s.seen {
		s.first, s.fixed = at, fixed
	}
	s.moves = s.moves || s.seen && at != s.first
	s.seen, s.fixed = true, s.fixed && fixed
	s.step, s.last = divisor(s.step, at), max(s.last, at)
}

func divisor(a, b uint64) uint64 {
	for b != 0 {
		a, b = b, a%b
	}
	return a
}

// tensor is what is known of a tensor.
func (s *static) tensor(root ir.ObjectID) *tensor {
	i := slices.IndexFunc(s.tensors, func(x *tensor) bool { return x.root == root })
	if i < 0 {
		i = len(s.tensors)
		s.tensors = append(s.tensors, &tensor{root: root})
	}
	return s.tensors[i]
}

// coordinates are the operands of a copy of a tensor's box that say which one, none of other copies.
func coordinates(f *ir.Instr) []*ir.Value {
	if f.Op != lower.BulkCopy || f.Fn != "load" || len(f.Args) <= 4 {
		return nil
	}
	return f.Args[4:]
}

// coordinate is one that the warp has named, and how it changes with iterations of the loops around.
type coordinate struct {
	side *axis
	at   uint64
	d    [levels]int64
}

// sees takes notice of the box that a copy names.
func (w *warp) sees(f *ir.Instr) {
	coords := coordinates(f)
	if len(coords) == 0 {
		return
	}
	x := w.c.tensor(w.c.root(f.Args[1]))
	if x.pos.Line == 0 {
		x.pos = f.Pos
	}
	for len(x.sides) < len(coords) {
		x.sides = append(x.sides, axis{})
	}
	if len(w.running) == 0 {
		w.named = w.named[:0]
	}
	for i, c := range coords {
		v := w.value(c)
		for m := v.known & w.mask; m != 0; m &= m - 1 {
			at := uint64(uint32(v.at(trailing(m))))
			x.sides[i].see(at, c.IsConst())
			w.named = append(w.named, coordinate{&x.sides[i], at, v.d})
		}
	}
}

// seesLater takes notice of the coordinates that iterations name that are counted.
func (w *warp) seesLater(from, level int, times int64) {
	for _, c := range w.named[min(from, len(w.named)):] {
		if c.d[level] != 0 {
			c.side.see(uint64(int64(c.at)+c.d[level]*times), false)
		}
	}
}

// survey executes the group in the middle to see the boxes of tensors.
func (x *execution) survey() error {
	if !x.s.transactions {
		return nil
	}
	boxes := false
	x.s.code.Func.Body.Walk(func(in *ir.Instr) { boxes = boxes || len(coordinates(in)) > 0 })
	if !boxes {
		return nil
	}
	for _, n := range x.numbers {
		w := newWarp(x.s, x.o, middle(x.o), int(n))
		if w.run(); w.err != nil {
			return w.err
		}
	}
	for _, t := range x.s.tensors {
		if t.root != 0 && len(t.sides) > 0 {
			x.s.says(diag.Notef(t.pos, "TENSOR", "where the elements of %s lie is not in the kernel: its boxes are "+
				"taken to lie one behind the other", x.s.code.Func.Object(t.root).Name))
		}
	}
	return nil
}

// boxAt is where a box of so many bytes lies, by its coordinates. Its sides are those that divide the steps of the
// coordinates, and all of the box together.
func (t *tensor) boxAt(f *ir.Instr, coords []uint64, bytes int64) (offset int64) {
	element := f.Align
	if element < usualElement || element > 8 {
		element = usualElement
	}
	left := uint64(max(1, bytes/element)) // elements of the box, of the sides that are not known yet
	if t.sides[0].constant() && len(t.sides) > 2 {
		left = max(1, left*uint64(element)/swizzledBytes)
	}
	order := t.order(len(coords))
	next := bytes // where the next coordinate goes on
	for n, i := range order {
		s := &t.sides[i]
		box := left
		if n+1 < len(order) && s.moves {
			box = divisor(s.step, left)
		}
		left /= max(1, box)
		offset += int64(int32(coords[i])) * max(1, next/int64(max(1, box)))
		if s.moves {
			next *= int64(s.last/max(1, box)) + 1
		} else {
			next *= tensorRows
		}
	}
	return offset
}

// order is the order in which boxes follow each other: along the coordinates that change in the group first, and not
// along those that never do; n are named.
func (t *tensor) order(n int) (list []int) {
	for _, moves := range []bool{true, false} {
		for i := range t.sides {
			if s := &t.sides[i]; s.moves == moves && !s.constant() && i < n {
				list = append(list, i)
			}
		}
	}
	return list
}
