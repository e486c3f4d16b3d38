package walk

import (
	"math/bits"
	"slices"
	"strings"

	"gpupipe/idg"
	"gpupipe/lower"
	"gpupipe/lower/ir"
	"gpupipe/lower/machine"
)

// parameter interns the context of a load of words of the memory that holds the kernel's arguments, or of what the
// compiler or the driver put there.
func (o *recorder) parameter(in *machine.Instr, lanes uint64) idg.AccessID {
	a := idg.Access{Space: idg.SpaceConstant, Width: 4}
	for i := range in.Uses {
		if u := &in.Uses[i]; u.Kind == machine.Bank || u.Kind == machine.Special { // or the dispatch packet
			a.Width = uint16(4 * max(1, u.Span))
			a.Offsets = slices.Repeat([]int64{int64(u.Bits)}, bits.OnesCount64(lanes))
		}
	}
	if a.Offsets == nil {
		a.Assumed, a.Same = "an access of the compiler's", true
	}
	return o.b.Access(a)
}

// access interns the context of an access of memory.
func (o *recorder) access(w *warp, in *machine.Instr, lanes uint64) idg.AccessID {
	f := in.From
	if in.Spill {
		a := idg.Access{Space: idg.SpacePrivate, Buffer: idg.SpillBuffer, Width: uint16(in.Mem.Bytes),
			Store: in.Mem.Store}
		for l := range bits.OnesCount64(lanes) {
			a.Offsets = append(a.Offsets, int64(l)*in.Mem.Bytes)
		}
		o.offsets = o.offsets[:0]
		return o.b.Access(a)
	}
	a := idg.Access{Space: in.Mem.Space, Width: uint16(in.Mem.Bytes), Store: in.Mem.Store || in.Mem.Atomic}
	if a.Space == 0 {
		a.Space = idg.SpaceGlobal
	}
	switch {
	case f == nil || len(f.Args) == 0:
		o.offsets = o.offsets[:0]
		a.Assumed = "an access of the compiler's"
		return o.b.Access(a)
	case f.Op == lower.ImageLoad || f.Op == lower.ImageStore:
		return o.pixels(w, f, a, lanes)
	}
	at := f.Args[0]
	if f.Op == lower.Copy && !in.Mem.Store {
		at = f.Args[1]
	}
	access := o.accessAt(w, at, a, lanes, o.behind(f, in))
	w.inside(in, at, o.offsets, lanes)
	if w.races != nil {
		w.races.access(w, in, at, o.offsets, lanes)
	}
	return access
}

// accessAt interns an access so many bytes behind addresses.
func (o *recorder) accessAt(w *warp, at *ir.Value, a idg.Access, lanes uint64, behind int64) idg.AccessID {
	o.address(w, at, &a, lanes, behind)
	o.normal = append(o.normal[:0], o.offsets...)
	a.Offsets = o.normal
	return o.b.Access(a)
}

// address fills in the offsets of lanes in the object that they access, or why they are not known.
func (o *recorder) address(w *warp, at *ir.Value, a *idg.Access, lanes uint64, behind int64) {
	o.offsets = o.offsets[:0]
	p := w.value(at)
	id := w.c.root(at)
	if id != 0 {
		a.Buffer = w.c.code.Func.Object(id).Name
	}
	if p.known&lanes != lanes {
		a.Assumed, a.Same = w.unknownAddress(p, id), p.same
		a.Within = w.within(at, id, lanes, int64(a.Width))
		a.Near = w.near(at, id, lanes)
		a.Places = int64(w.places(at, lanes, boundDepth))
		return
	}
	first, _ := place(p.at(trailing(lanes)))
	for m := lanes; m != 0; m &= m - 1 {
		id, offset := place(p.at(trailing(m)))
		if id != first || id == 0 || int(id) > len(w.c.code.Func.Objects) {
			o.offsets = o.offsets[:0]
			a.Assumed = "several buffers"
			return
		}
		o.offsets = append(o.offsets, offset+behind)
	}
	a.Buffer = w.c.code.Func.Object(first).Name
}

// unknownAddress says why an address is not known that leads into an object, or nobody knows where.
func (w *warp) unknownAddress(p *value, id ir.ObjectID) string {
	why := p.from.unknown()
	switch {
	case id == 0 && p.known == 0 && p.from&fromArgs == 0:
		return "pointer of unknown origin"
	case why == unknownArgument:
		return idg.LacksArgument + strings.Join(w.lacking(), ", ")
	}
	return "subscript " + why
}

// behind is where the part begins that an instruction accesses of what an operation does.
func (o *recorder) behind(f *ir.Instr, in *machine.Instr) int64 {
	n := int64(max(len(f.Results), len(f.Args)-1)) * int64(f.Type.Size())
	if f.Op == lower.Atomic || in.Mem.Bytes <= 0 || in.Mem.Bytes >= n {
		return 0
	}
	k := o.part[f]
	o.part[f] = (k + 1) % (n / in.Mem.Bytes)
	return k * in.Mem.Bytes
}
