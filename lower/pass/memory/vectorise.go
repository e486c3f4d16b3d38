package memory

import (
	"cmp"
	"math/bits"
	"slices"

	"gpupipe/idg"
	"gpupipe/lower"
	"gpupipe/lower/ir"
	"gpupipe/lower/pass/ranges"
	"gpupipe/lower/profile"
)

// Vectorise makes one access of adjacent ones of a block: LLVM's LoadStoreVectorizer, and what ptxas does to
// accesses of shared memory. Loads merge at the first of them and stores at the last, up to a barrier, control
// flow or an access between that may meet them. Unless the device needs no alignment, the alignment must
// follow from the code: from objects and from the factors of what is added.
func Vectorise(f *ir.Func, c *profile.Context) {
	if len(c.Profile.Wide) == 0 {
		return
	}
	v := vectoriser{f: f, alignments: ranges.NewAlignments(f), widths: map[ir.Space]profile.Width{}}
	for _, w := range c.Profile.Wide {
		for _, s := range []ir.Space{idg.SpaceGlobal, idg.SpaceLocal, idg.SpaceConstant, idg.SpacePrivate} {
			if s.String() == w.Space {
				v.widths[s] = w
				v.alignments.Elements[s] = w.Elements
			}
		}
	}
	v.block(f.Body)
	v.subst.Apply(f.Body)
}

type vectoriser struct {
	f          *ir.Func
	alignments *ranges.Alignments
	widths     map[ir.Space]profile.Width
	subst      ir.Replacements
}

// narrow is an access that may be merged.
type narrow struct {
	in     *ir.Instr
	at     int // in its block
	offset int64
	size   int64
}

// stream names accesses that differ by a constant.
type stream struct {
	base  *ir.Value
	space ir.Space
	typ   ir.Type
	store bool
}

// run is straight code in which accesses merge.
type run struct {
	order []stream
	lists map[stream][]narrow
	// written are the places that stores are to
	written map[stream]map[int64]bool
}

func (v *vectoriser) block(b *ir.Block) {
	r := run{lists: map[stream][]narrow{}}
	insert := map[int][]*ir.Instr{} // in front of the instruction at a place
	for i, in := range b.Instrs {
		if in.Nests() || in.Op == lower.Barrier || in.Op == lower.Fence || in.Op == lower.Atomic {
			v.flush(&r, insert)
			for _, inner := range in.Blocks {
				v.block(inner)
			}
			continue
		}
		if in.Op != lower.Load && in.Op != lower.Store || in.Volatile {
			continue
		}
		base, offset := splitAddress(in.Args[0])
		s := stream{base, in.Space, in.Type, in.Op == lower.Store}
		v.flushMeeting(&r, s, insert)
		width := v.widths[in.Space].Load
		if s.store {
			width = v.widths[in.Space].Store
		}
		size := elements(in) * in.Type.Size()
		if s.store && (size >= width || r.overwrites(s, offset, size)) {
			v.flushStream(&r, s, insert)
		}
		if size < width {
			if r.lists[s] == nil {
				r.order = append(r.order, s)
			}
			r.lists[s] = append(r.lists[s], narrow{in, i, offset, size})
			if s.store {
				r.note(s, offset, size)
			}
		}
	}
	v.flush(&r, insert)
	if len(insert) > 0 {
		v.rebuild(b, insert)
	}
}

// elements is how many values an access moves.
func elements(in *ir.Instr) int64 {
	if in.Op == lower.Store {
		return int64(len(in.Args) - 1)
	}
	return int64(len(in.Results))
}

// splitAddress takes the constant part off an address.
func splitAddress(p *ir.Value) (base *ir.Value, offset int64) {
	for p.DefOp() == lower.PtrAdd && p.Def.Args[1].IsConst() {
		offset += p.Def.Args[1].Int() * p.Def.Scale
		p = p.Def.Args[0]
	}
	return p, offset
}

// flushMeeting merges what may not pass an access: stores what a load may read, and all that a store may meet.
func (v *vectoriser) flushMeeting(r *run, s stream, insert map[int][]*ir.Instr) {
	for _, o := range slices.Clone(r.order) {
		if o == s || !o.store && !s.store || !v.mayMeet(o, s) {
			continue
		}
		v.flushStream(r, o, insert)
	}
}

// flushStream merges the accesses of one stream.
func (v *vectoriser) flushStream(r *run, s stream, insert map[int][]*ir.Instr) {
	if r.lists[s] == nil {
		return
	}
	v.merge(s, r.lists[s], insert)
	delete(r.lists, s)
	delete(r.written, s)
	r.order = slices.DeleteFunc(r.order, func(x stream) bool { return x == s })
}

// overwrites reports whether a store writes what one of the stream before it did.
func (r *run) overwrites(s stream, offset, size int64) bool {
	for at := offset; at < offset+size; at += s.typ.Size() {
		if r.written[s][at] {
			return true
		}
	}
	return false
}

func (r *run) note(s stream, offset, size int64) {
	if r.written == nil {
		r.written = map[stream]map[int64]bool{}
	}
	if r.written[s] == nil {
		r.written[s] = map[int64]bool{}
	}
	for at := offset; at < offset+size; at += s.typ.Size() {
		r.written[s][at] = true
	}
}

// mayMeet reports whether two streams can be of the same memory: those of different objects cannot, but for buffers
// of which none is declared restrict.
func (v *vectoriser) mayMeet(a, b stream) bool {
	if a.space != b.space {
		return false
	}
	x, y := objectOf(a.base), objectOf(b.base)
	return x == 0 || y == 0 || x == y ||
		a.space == idg.SpaceGlobal && !v.f.Object(x).Restrict && !v.f.Object(y).Restrict
}

// objectOf is the object that an address is in, 0 where that is not known.
func objectOf(p *ir.Value) ir.ObjectID {
	for p.DefOp() == lower.PtrAdd {
		p = p.Def.Args[0]
	}
	if p.Kind == ir.Address || p.Kind == ir.KernelArg {
		return p.Object
	}
	return 0
}

func (v *vectoriser) flush(r *run, insert map[int][]*ir.Instr) {
	for _, s := range r.order {
		v.merge(s, r.lists[s], insert)
	}
	r.order, r.lists, r.written = nil, map[stream][]narrow{}, nil
}

// merge makes wide accesses of the neighbours of a stream.
func (v *vectoriser) merge(s stream, list []narrow, insert map[int][]*ir.Instr) {
	slices.SortStableFunc(list, func(a, b narrow) int { return cmp.Compare(a.offset, b.offset) })
	w := v.widths[s.space]
	most, enough := w.Load, w.Aligned.Load
	if s.store {
		most, enough = w.Store, w.Aligned.Store
	}
	align := v.alignments.Of(s.base)
	for len(list) > 1 {
		n := v.together(list, w, most, enough, align)
		switch {
		case n > 1 && w.Pairs:
			list[0].in.Align = max(list[0].in.Align, v.alignment(s, list[:n]))
		case n > 1:
			v.wide(s, list[:n], insert)
		}
		list = list[max(n, 1):]
	}
}

// together is how many of the first accesses become one.
func (v *vectoriser) together(list []narrow, w profile.Width, most, enough, align int64) int {
	best, end := 1, list[0].offset
	for i, a := range list {
		if a.offset != end {
			break
		}
		end += a.size
		bytes := end - list[0].offset
		if bytes > most {
			break
		}
		fits := bytes&(bytes-1) == 0 || w.Three && bytes == 12
		wanted := int64(1) << bits.Len64(uint64(bytes-1)) // three words as four
		if enough > 0 {
			wanted = min(wanted, enough)
		}
		if fits && align%wanted == 0 && list[0].offset%wanted == 0 {
			best = i + 1
		}
	}
	return best
}

// wide makes one access of several.
func (v *vectoriser) wide(s stream, list []narrow, insert map[int][]*ir.Instr) {
	place := list[0].at
	for _, a := range list {
		if s.store {
			place = max(place, a.at)
		} else {
			place = min(place, a.at)
		}
	}
	first := list[0].in
	address := s.base
	var code []*ir.Instr
	if off := list[0].offset; off != 0 {
		add := &ir.Instr{Op: lower.PtrAdd, Type: lower.Ptr, From: lower.S64, Scale: 1, Subscript: true, Pos: first.Pos,
			Args: []*ir.Value{s.base, v.f.Int(lower.S64, off)}}
		address = v.f.AddResult(add, lower.Ptr, "")
		code = append(code, add)
	}
	all := *first
	all.Args, all.Results, all.Align, all.Whole, all.Offset = []*ir.Value{address}, nil, 0, 0, 0
	n := &all
	all.Align = max(first.Align, v.alignment(s, list))
	for _, a := range list {
		if s.store {
			n.Args = append(n.Args, a.in.Args[1:]...)
		}
		for _, r := range a.in.Results {
			v.subst.Put(r, v.f.AddResult(n, r.Type, r.Name))
		}
		insert[a.at] = append(insert[a.at], nil) // it goes
	}
	insert[place] = append(append(code, n), insert[place]...)
}

// alignment is that of a wide access, as far as it is known.
func (v *vectoriser) alignment(s stream, list []narrow) int64 {
	last := list[len(list)-1]
	align := int64(1)
	for align*2 <= last.offset+last.size-list[0].offset {
		align *= 2
	}
	align = min(align, v.alignments.Of(s.base))
	if at := list[0].offset; at != 0 {
		align = min(align, at&-at)
	}
	return align
}

// rebuild puts wide accesses where they belong, and drops those that they stand for.
func (v *vectoriser) rebuild(b *ir.Block, insert map[int][]*ir.Instr) {
	out := make([]*ir.Instr, 0, len(b.Instrs))
	for i, in := range b.Instrs {
		dropped := false
		for _, n := range insert[i] {
			if n == nil {
				dropped = true
				continue
			}
			n.Parent = b
			out = append(out, n)
		}
		if !dropped {
			out = append(out, in)
		}
	}
	b.Instrs = out
}
