package walk

import (
	"math/bits"

	"gpupipe/idg"
	"gpupipe/lower"
	"gpupipe/lower/machine"
	"gpupipe/unroll/locality"
)

// note notes where memory was touched, and barriers.
func (o *recorder) note(w *warp, in *machine.Instr, id idg.InstrID, v idg.Executed) {
	if o.reuse == nil {
		return
	}
	if in.Class == "barrier" {
		o.warp.Barriers = append(o.warp.Barriers, int64(v))
	}
	if in.Mem != nil && in.Spill && !o.brief {
		sectors := max(1, in.Mem.Bytes*int64(bits.OnesCount64(w.mask))/o.reuse.sector())
		o.reuse.frames.touch(id, in.Mem.Offset, in.Mem.Bytes, sectors)
	}
	if in.Mem == nil || in.Spill || in.From == nil || len(in.From.Args) == 0 {
		return
	}
	at := in.From.Args[0]
	if in.From.Op == lower.Copy && !in.Mem.Store {
		at = in.From.Args[1]
	}
	o.touch(w, touching{at: at, space: in.Mem.Space, bytes: in.Mem.Bytes, reads: !in.Mem.Store || in.Mem.Atomic,
		writes: in.Mem.Store || in.Mem.Atomic}, id, v)
}

// touches notes what an instruction touches. Nothing else of it is recorded but, up to the end of the last loop, what
// shows that iterations touch memory as those before them did.
func (o *recorder) touches(w *warp, id int32, in *machine.Instr, lanes uint64) {
	if in.Free {
		return
	}
	var access idg.AccessID
	if lanes != 0 {
		if in.Mem != nil && in.Mem.Space != idg.SpaceLocal && !in.Spill {
			access = o.access(w, in, lanes)
			w.interned(access)
		}
		o.note(w, in, 0, o.n)
	}
	if id < w.c.behindLoops {
		c := &o.classes[id]
		if c.id == 0 || c.access != access || c.lanes != lanes {
			*c = class{access, lanes, o.b.Instr(idg.Instr{Op: in.Class, Access: access,
				Lanes: uint8(bits.OnesCount64(lanes)), Pos: in.Pos})}
		}
		o.b.Add(c.id)
	}
	o.n++
}

// touch notes that the offsets at hand were touched.
func (o *recorder) touch(w *warp, t touching, id idg.InstrID, v idg.Executed) {
	if o.reuse == nil || o.warp.Cut {
		return
	}
	a := o.reuse.shape(o.offsets, t, w)
	if a.Shape == 0 {
		return
	}
	if len(o.warp.Touches) >= o.reuse.limit {
		o.warp.Cut = true
		return
	}
	a.At, a.Instr = int64(v), id
	o.warp.Touches = append(o.warp.Touches, a)
}

// repeat notes what is touched in iterations that are counted.
func (o *recorder) repeat(f *follower, k int, times, length int64) {
	if o.reuse == nil || o.warp.Cut {
		return
	}
	from, end := f.touches[k], len(o.warp.Touches)
	x := locality.Repeat{At: int64(o.n), Length: length, Copies: times, TouchesFrom: from, TouchesEnd: end,
		BarriersEnd: len(o.warp.Barriers)}
	x.BarriersFrom = x.BarriersEnd
	for x.BarriersFrom > 0 && o.warp.Barriers[x.BarriersFrom-1] >= int64(f.starts[k]) {
		x.BarriersFrom--
	}
	if k == 0 || f.touches[k]-f.touches[k-1] != end-from {
		o.warp.Cut = true
		return
	}
	if n := len(o.warp.Repeats); n > 0 && o.warp.Repeats[n-1].At > int64(f.starts[k]) {
		o.expand(f, k, times, length)
		return
	}
	for i := from; i < end; i++ {
		x.Drifts = append(x.Drifts, o.warp.Touches[i].Start-o.warp.Touches[i-(end-from)].Start)
	}
	if len(x.Drifts) > 0 || x.BarriersFrom < x.BarriersEnd {
		o.warp.Repeats = append(o.warp.Repeats, x)
	}
}

// expand notes what is touched in iterations that are counted and have counted ones within: repeats do not lie in each
// other.
func (o *recorder) expand(f *follower, k int, times, length int64) {
	w := &o.warp
	from, barriers, repeats := f.touches[k], len(w.Barriers), len(w.Repeats)
	for barriers > 0 && w.Barriers[barriers-1] >= int64(f.starts[k]) {
		barriers--
	}
	for repeats > 0 && w.Repeats[repeats-1].At > int64(f.starts[k]) {
		repeats--
	}
	touched, met, repeated := w.Touches[from:], w.Barriers[barriers:], w.Repeats[repeats:]
	before := w.Touches[f.touches[k-1]:from]
	counted := int64(len(touched)) // accesses of an iteration
	for _, r := range repeated {
		counted += int64(r.TouchesEnd-r.TouchesFrom) * r.Copies
	}
	for c := int64(1); c <= times; c++ {
		if len(w.Touches)+len(touched) > o.reuse.limit || c*counted > maxExpanded ||
			len(w.Barriers)+len(met) > maxBarriers {
			w.Cut = true
			return
		}
		moved := int(c) * len(touched)
		for i, t := range touched {
			t.At += c * length
			t.Start += c * (t.Start - before[i].Start)
			w.Touches = append(w.Touches, t)
		}
		for _, at := range met {
			w.Barriers = append(w.Barriers, at+c*length)
		}
		for _, r := range repeated {
			r.At += c * length
			r.TouchesFrom, r.TouchesEnd = r.TouchesFrom+moved, r.TouchesEnd+moved
			r.BarriersFrom, r.BarriersEnd = r.BarriersFrom+int(c)*len(met), r.BarriersEnd+int(c)*len(met)
			w.Repeats = append(w.Repeats, r)
		}
	}
}

// maxExpanded bounds the accesses of iterations that are counted and listed one by one, maxBarriers their barriers.
const (
	maxExpanded = 1 << 20
	maxBarriers = 1 << 20
)
