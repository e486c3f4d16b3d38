package locality

import (
	"cmp"
	"slices"
)

// stride is the sectors that a repeat has touched last in what was passed over: for
// each that the table knows, some that follow it at equal distances. They stand in
// the stack together, at one time: by repetition, and within one in their order.
type stride struct {
	time  uint32
	live  int // sectors
	flows []strideFlow
}

// strideFlow is those that move alike.
type strideFlow struct {
	buffer BufferID
	motion
	rows   []row   // by residue and place
	chains []chain // while it is made: of each row
}

// motion is by how many sectors something moves with each repetition: step, which
// is not negative, in the direction sign. Places are sectors times sign, so that they
// ascend.
type motion struct{ step, sign int64 }

func (m motion) place(sector int64) int64 { return sector * m.sign }
func (m motion) sector(place int64) int64 { return place * m.sign }

// residue is what places that a movement leads to have in common.
func (m motion) residue(place int64) int64 { return place - floorDiv(place, m.step)*m.step }

// row is the places base + k*step for k from lo to hi-1.
type row struct {
	base, residue int64
	lo, hi        int64
	order         int      // of the sectors of a repetition
	seen          []uint64 // the warps that have touched them
}

func (x *row) compare(residue, place, step int64) int {
	return cmp.Or(cmp.Compare(x.residue, residue), cmp.Compare(x.base+x.lo*step, place))
}

// find returns the row that has a place, and which of it it is.
func (f *strideFlow) find(place int64) (i int, k int64, ok bool) {
	residue := f.residue(place)
	i, found := slices.BinarySearchFunc(f.rows, place, func(x row, place int64) int {
		return x.compare(residue, place, f.step)
	})
	if !found {
		i--
	}
	if i < 0 || f.rows[i].residue != residue {
		return 0, 0, false
	}
	k = (place - f.rows[i].base) / f.step
	return i, k, k < f.rows[i].hi
}

// found is a sector of a stride.
type found struct {
	*stride
	flow int
	base int64 // of its row
	k    int64 // where it is in the row
	seen []uint64
}

// take removes a sector, if it is there, and returns how many of the stride stand
// above it.
func (s *stride) take(buffer BufferID, sector int64) (above int, at found, ok bool) {
	for n := range s.flows {
		f := &s.flows[n]
		if f.buffer != buffer {
			continue
		}
		i, k, found := f.find(f.place(sector))
		if !found {
			continue
		}
		x := &f.rows[i]
		at.stride, at.flow, at.base, at.k, at.seen = s, n, x.base, k, x.seen
		above = s.above(k, x.order)
		switch {
		case k == x.lo:
			if x.lo++; x.lo == x.hi {
				f.rows = slices.Delete(f.rows, i, i+1)
			}
		case k == x.hi-1:
			x.hi--
		default:
			rest := *x
			rest.lo = k + 1
			x.hi = k
			f.rows = slices.Insert(f.rows, i+1, rest)
		}
		s.live--
		return above, at, true
	}
	return 0, at, false
}

// above is how many sectors stand above the one of an order in repetition k.
func (s *stride) above(k int64, order int) int {
	n := int64(0)
	for i := range s.flows {
		for j := range s.flows[i].rows {
			x := &s.flows[i].rows[j]
			first := k
			if x.order <= order {
				first++
			}
			n += max(0, x.hi-max(x.lo, first))
		}
	}
	return int(n)
}

// pieces is how many rows there are.
func (s *stride) pieces() (n int) {
	for i := range s.flows {
		n += len(s.flows[i].rows)
	}
	return n
}

// coarsen makes m repetitions one.
func (s *stride) coarsen(m int64) {
	orders := 0
	for i := range s.flows {
		for _, x := range s.flows[i].rows {
			orders = max(orders, x.order+1)
		}
	}
	for i := range s.flows {
		f := &s.flows[i]
		step := f.step
		f.step *= m
		var rows []row
		for _, x := range f.rows {
			for k := range m { // those that are repetition k of the m
				y := row{base: x.base + k*step, lo: -floorDiv(k-x.lo, m), hi: -floorDiv(k-x.hi, m),
					order: x.order + int(k)*orders, seen: x.seen}
				y.residue = f.residue(y.base)
				if y.lo < y.hi {
					rows = append(rows, y)
				}
			}
		}
		slices.SortFunc(rows, func(x, y row) int { return x.compare(y.residue, y.base+y.lo*f.step, f.step) })
		f.rows = rows
	}
}
