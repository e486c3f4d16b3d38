package memory

import (
	"cmp"
	"fmt"
	"maps"
	"slices"

	"gpupipe/idg"
	"gpupipe/lower"
	"gpupipe/lower/ir"
	"gpupipe/lower/pass/scalar"
	"gpupipe/lower/profile"
)

// Promote makes values of private objects, one for each scalar in them (LLVM's SROA and mem2reg). An object stays in
// memory where its address gets anywhere else than into loads and stores at constants behind it, where accesses
// overlap in part, none of them all of what they touch, and where one is volatile. Package lower does the same before
// inlined pointers are values; here are those of which unrolled loops made the subscripts constant.
func Promote(f *ir.Func, c *profile.Context) {
	p := newPromoter(f)
	f.Body.Walk(p.visit)
	cells, access := p.cells()
	if len(access) == 0 {
		return
	}
	repl := &ir.Replacements{}
	r := newRenamer(f, cells, access, repl)
	r.collect(f.Body)
	r.block(f.Body)
	repl.Apply(f.Body)
	if !c.Source {
		scalar.DCE(f, c)
	}
}

// promoter finds the objects that become values.
type promoter struct {
	f       *ir.Func
	objects []*allocation // by ObjectID - 1; nil: it stays in memory
}

// allocation is a private object and the accesses to it.
type allocation struct {
	size     int64
	slices   map[bytesOf]bool     // what accesses read and write
	scalars  map[int64]*component // by offset
	accesses []access
}

// bytesOf is a scalar that an access reads or writes.
type bytesOf struct {
	offset int64
	typ    ir.Type
}

// component is what the slices of some bytes become: one value, of which narrower slices are bits.
type component struct {
	offset, end int64
	typ         ir.Type
	cell        int
}

// access is a load or store.
type access struct {
	in     *ir.Instr
	offset int64
}

// maxPromoted is the size of the largest object that may become values, in bytes: more than all registers of a thread.
const maxPromoted = 4096

func newPromoter(f *ir.Func) *promoter {
	p := &promoter{f: f, objects: make([]*allocation, len(f.Objects))}
	for i, o := range f.Objects {
		if o.Space == idg.SpacePrivate && o.Init == nil && o.Size > 0 && o.Size <= maxPromoted {
			p.objects[i] = &allocation{size: o.Size, slices: map[bytesOf]bool{}}
		}
	}
	return p
}

// visit reads one instruction.
func (p *promoter) visit(in *ir.Instr) {
	for i, v := range in.Args {
		if v.Type != lower.Ptr {
			continue
		}
		id, offset, known := constantAddress(v)
		if id == 0 || p.objects[id-1] == nil {
			continue
		}
		switch {
		case in.Op == lower.PtrAdd && i == 0 && in.Args[1].IsConst(): // by its users
		case known && i == 0 && (in.Op == lower.Load || in.Op == lower.Store) && p.fits(id, offset, in):
		default:
			p.objects[id-1] = nil
		}
	}
}

// constantAddress is the object that a pointer leads into, and the constant behind its start if that is known. Through
// other operations than PtrAdd it is not followed.
func constantAddress(v *ir.Value) (id ir.ObjectID, offset int64, known bool) {
	known = true
	for d := ir.Def(v, lower.PtrAdd); d != nil; d = ir.Def(v, lower.PtrAdd) {
		offset += d.Args[1].Int() * d.Scale
		known = known && d.Args[1].IsConst()
		v = d.Args[0]
	}
	if v.Kind != ir.Address {
		return 0, 0, false
	}
	return v.Object, offset, known
}

// fits notes an access at a place of an object, and reports whether it is one that values can replace.
func (p *promoter) fits(id ir.ObjectID, offset int64, in *ir.Instr) bool {
	a := p.objects[id-1]
	n, size := len(in.Results), in.Type.Size()
	if in.Op == lower.Store {
		n = len(in.Args) - 1
	}
	if in.Volatile || offset < 0 || offset+int64(n)*size > a.size {
		return false
	}
	for i := range int64(n) {
		a.slices[bytesOf{offset + i*size, in.Type}] = true
	}
	a.accesses = append(a.accesses, access{in, offset})
	return true
}

// partition finds the scalars of an object, and reports whether each has a slice that all that overlap it are parts
// of (the partitions of LLVM's SROA, widened to an integer where their slices differ in size).
func (a *allocation) partition() bool {
	list := slices.SortedFunc(maps.Keys(a.slices), func(x, y bytesOf) int {
		return cmp.Or(cmp.Compare(x.offset, y.offset), -cmp.Compare(x.typ.Size(), y.typ.Size()), cmp.Compare(x.typ,
			y.typ))
	})
	a.scalars = map[int64]*component{}
	var now *component
	for _, x := range list {
		size := x.typ.Size()
		switch {
		case now == nil || x.offset >= now.end:
			now = &component{offset: x.offset, end: x.offset + size, typ: x.typ}
		case x.offset+size > now.end || !number(now.typ) && now.typ != x.typ || !number(x.typ) && now.typ != x.typ:
			return false
		case x.typ.Size() < now.end-now.offset:
			now.typ = wholeOf(now.end - now.offset)
		}
		a.scalars[x.offset] = now
	}
	return true
}

// wholeOf is the unsigned integer type of a size.
func wholeOf(size int64) ir.Type {
	switch size {
	case 2:
		return lower.U16
	case 4:
		return lower.U32
	}
	return lower.U64
}

// cells numbers the scalars of the objects that become values, and says which those of each access are.
func (p *promoter) cells() (cells []cell, of map[*ir.Instr][]part) {
	of = map[*ir.Instr][]part{}
	for i, a := range p.objects {
		if a == nil || !a.partition() {
			continue
		}
		name := p.f.Objects[i].Name
		for _, x := range a.accesses {
			size := x.in.Type.Size()
			n := len(x.in.Results) + max(0, len(x.in.Args)-1)
			for j := range int64(n) {
				at := x.offset + j*size
				s := a.scalars[at]
				if s.cell == 0 {
					cells = append(cells, cell{s.typ, fmt.Sprintf("%s.%d", name, s.offset)})
					s.cell = len(cells)
				}
				of[x.in] = append(of[x.in], part{cell: s.cell - 1, shift: 8 * (at - s.offset)})
			}
		}
	}
	return cells, of
}
