package walk

import (
	"slices"
	"testing"

	"gpupipe/lower/ir"
)

// TestBoxes: boxes of a tensor whose coordinates are seen in all of its places lie one behind the other, each in one
// piece: along the coordinates that change first; and those of other groups, in which a coordinate is another one, lie
// elsewhere.
func TestBoxes(t *testing.T) {
	for _, c := range []struct {
		name         string
		align        int64    // of the element, as the kernel has it
		element      int64    // bytes
		box, count   []uint64 // elements of a box, boxes along each side
		fixed, still int      // coordinates, from the first: always the constant 0; the same in a group
	}{
		{"row", 4, 4, []uint64{64}, []uint64{9}, 0, 0},
		{"rows", 4, 4, []uint64{32, 8}, []uint64{6, 5}, 0, 0},
		{"doubles", 8, 8, []uint64{16, 4}, []uint64{3, 7}, 0, 0},
		{"halves, of bytes", 1, 2, []uint64{32, 16}, []uint64{4, 4}, 0, 0},
		{"halves, of vectors", 16, 2, []uint64{32, 16}, []uint64{4, 4}, 0, 0},
		{"planes", 2, 2, []uint64{16, 8, 4}, []uint64{3, 2, 5}, 0, 0},
		{"swizzled halves", 2, 2, []uint64{64, 8, 4}, []uint64{1, 3, 5}, 1, 0},
		{"swizzled floats", 4, 4, []uint64{32, 16, 2}, []uint64{1, 4, 4}, 1, 0},
		{"a row of blocks", 4, 4, []uint64{32, 8}, []uint64{6, 3}, 0, 1},
	} {
		x := &tensor{sides: make([]axis, len(c.box))}
		bytes := c.element
		var all [][]uint64 // coordinates
		all = append(all, nil)
		for i, n := range c.box {
			bytes *= int64(n)
			var next [][]uint64
			for k := range c.count[i] {
				for _, at := range all {
					next = append(next, append(slices.Clone(at), k*n))
				}
			}
			all = next
		}
		last := len(c.box) - c.still
		for _, at := range all {
			for i := range at {
				if i >= last { // only the last place
					x.sides[i].see((c.count[i]-1)*c.box[i], false)
				} else {
					x.sides[i].see(at[i], i < c.fixed)
				}
			}
		}
		seen := map[int64]bool{}
		for _, at := range all {
			offset := x.boxAt(&ir.Instr{Align: c.align}, at, bytes)
			if offset%bytes != 0 || offset < 0 || seen[offset] {
				t.Errorf("%s: the box at %v lies at %d, bytes %d", c.name, at, offset, bytes)
			}
			seen[offset] = true
			if c.still == 0 && offset >= bytes*int64(len(all)) {
				t.Errorf("%s: the box at %v lies at %d, beyond %d boxes of %d bytes", c.name, at, offset, len(all),
					bytes)
			}
		}
		if first := slices.Clone(all[0]); c.fixed == 0 && len(all) > 1 {
			first[0] = c.box[0]
			if offset := x.boxAt(&ir.Instr{Align: c.align}, first, bytes); offset != bytes {
				t.Errorf("%s: the second box of the first row lies at %d, want %d", c.name, offset, bytes)
			}
		}
	}
}

// TestAxis: a coordinate is constant if all its values are the same constant.
func TestAxis(t *testing.T) {
	for n := 1; n <= 3; n++ {
		for bits := range 1 << (2 * n) {
			var s axis
			want, last := true, uint64(0)
			for i := range n {
				at, fixed := uint64(4+bits>>(2*i)&1), bits>>(2*i+1)&1 != 0
				want, last = want && fixed && (i == 0 || at == last), at
				s.see(at, fixed)
			}
			if s.constant() != want {
				t.Errorf("%d values %b: constant %t", n, bits, s.constant())
			}
		}
	}
}
