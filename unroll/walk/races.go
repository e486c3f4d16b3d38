package walk

import (
	"fmt"
	"math/bits"
	"slices"

	"gpupipe/idg"
	"gpupipe/internal/diag"
	"gpupipe/lower"
	"gpupipe/lower/ir"
	"gpupipe/lower/machine"
)

// A race is known where two work items of a group touch the same bytes of local memory between the same barriers, one
// of them writes, and nothing orders them (OpenCL 2.0, 3.3.4; oclgrind finds such races by executing all work items).
// Here these are work items of different warps, or stores of one instruction of a warp. Two stores are a race where
// the values are known to differ.

// races are the accesses of local memory by the warps of a group, as far as addresses are known.
type races struct {
	base    map[ir.ObjectID]int64 // of objects, in granules
	granule int64                 // bytes that all accesses are multiples of
	size    int64                 // of all objects, in granules
	left    int                   // offsets that the warp at hand may still add
	each    int
	list    []localAccess
	offsets []int32 // of accesses, in granules of all objects
	values  []uint64
}

// localAccess is an access of lanes of a warp.
type localAccess struct {
	phase  int64 // barriers that the warp has passed
	warp   *warp
	in     *machine.Instr
	n      int64 // granules of a lane
	object ir.ObjectID
	lanes  uint64
	from   int // its offsets, in granules of all objects
	values int // of a store, -1: not known
}

// How many offsets of accesses are looked at: in a millisecond or two.
const (
	maxRaceOffsets = 1 << 16
	maxLocalBytes  = 1 << 20
)

// newRaces is nil where nothing can be found: where the group's warps meet otherwise than at barriers too.
func newRaces(s *static, dynamic int64, warps int) *races {
	r := &races{base: map[ir.ObjectID]int64{}, granule: 4, each: maxRaceOffsets / max(warps, 1)}
	stores := false
	for _, in := range s.instrs {
		f := in.From
		if f == nil {
			continue
		}
		switch f.Op {
		case lower.CopyGroup, lower.BulkCopy, lower.GroupMatMul, lower.OpOpaque:
			return nil
		}
		if in.Mem == nil || in.Mem.Space != idg.SpaceLocal || in.Spill {
			continue
		}
		if f.Volatile || in.Mem.Volatile {
			return nil
		}
		stores = stores || in.Mem.Store && !in.Mem.Atomic
		for r.granule > 1 && (f.Type.Size()%r.granule != 0 || in.Mem.Bytes%r.granule != 0) {
			r.granule /= 2
		}
	}
	for i := range s.code.Func.Objects {
		o := &s.code.Func.Objects[i]
		if o.Space != idg.SpaceLocal {
			continue
		}
		r.base[ir.ObjectID(i+1)] = r.size
		r.size += (max(o.Size, dynamic) + r.granule - 1) / r.granule
	}
	if !stores || r.size*r.granule > maxLocalBytes {
		return nil
	}
	return r
}

// access notes an access at offsets of lanes.
func (r *races) access(w *warp, in *machine.Instr, at *ir.Value, offsets []int64, lanes uint64) {
	if in.Mem.Space != idg.SpaceLocal || in.Mem.Atomic || len(offsets) == 0 || len(w.undecided) > 0 || w.unsure != 0 ||
		r.left < len(offsets) {
		return
	}
	id, _ := place(w.value(at).at(trailing(lanes)))
	base, ok := r.base[id]
	end := r.size
	if o := w.c.code.Func.Object(id); o.Size > 0 {
		end = base + o.Size/r.granule
	}
	if !ok {
		return
	}
	bytes := ownBytes(in)
	n := bytes / r.granule
	from := len(r.offsets)
	for _, o := range offsets {
		g := base + o/r.granule
		if o < 0 || o%r.granule != 0 || g+n > end {
			r.offsets = r.offsets[:from]
			return
		}
		r.offsets = append(r.offsets, int32(g))
	}
	r.left -= len(offsets)
	a := localAccess{phase: w.barriers, warp: w, in: in, n: n, object: id, lanes: lanes, from: from, values: -1}
	if f := in.From; in.Mem.Store && len(f.Args) == 2 && bytes == f.Type.Size() {
		if v := w.value(f.Args[1]); v.known&lanes == lanes {
			a.values = len(r.values)
			for m := lanes; m != 0; m &= m - 1 {
				r.values = append(r.values, v.at(trailing(m)))
			}
		}
	}
	r.list = append(r.list, a)
}

// granuleState is who touched a granule between two barriers: accesses by number from 1, 0: none.
type granuleState struct {
	phase                    int32 // in order of looking at them, from 1
	stored, read             int32 // by the first warp that did
	last                     int32 // store
	storedAt, lastAt, readAt int16 // the place of the lane among the access's
}

// checkRaces looks for accesses that nothing orders.
func (x *execution) checkRaces() {
	r := x.races
	if r == nil || len(r.list) == 0 {
		return
	}
	order := make([]int, len(r.list))
	for i := range order {
		order[i] = i
	}
	slices.SortStableFunc(order, func(a, b int) int { return int(r.list[a].phase - r.list[b].phase) })
	state := make([]granuleState, r.size)
	number, phase := int32(0), int64(-1)
	for _, i := range order {
		a := &r.list[i]
		if a.phase != phase {
			number, phase = number+1, a.phase
		}
		end := a.from + bits.OnesCount64(a.lanes)
		for k, g := range r.offsets[a.from:end] {
			for j := range a.n {
				s := &state[int64(g)+j]
				if s.phase != number {
					*s = granuleState{phase: number}
				}
				r.touch(x, s, int32(i)+1, int16(k))
			}
		}
	}
}

// touch looks at an access of a granule.
func (r *races) touch(x *execution, s *granuleState, i int32, lane int16) {
	a := &r.list[i-1]
	other := func(j int32) bool { return j != 0 && r.list[j-1].warp != a.warp }
	if !a.in.Mem.Store {
		if other(s.stored) && (s.last == 0 || other(s.last)) {
			r.tell(x, s.stored, s.storedAt, i, lane)
		}
		if s.read == 0 {
			s.read, s.readAt = i, lane
		}
		return
	}
	switch {
	case s.stored != 0 && (other(s.stored) || s.stored == i) && r.differ(s.stored, s.storedAt, i, lane):
		r.tell(x, s.stored, s.storedAt, i, lane)
	case other(s.read) && (s.stored == 0 || r.list[s.stored-1].warp != r.list[s.read-1].warp):
		r.tell(x, i, lane, s.read, s.readAt)
	}
	if s.stored == 0 {
		s.stored, s.storedAt = i, lane
	}
	s.last, s.lastAt = i, lane
}

// differ reports whether two stores are known to store different values.
func (r *races) differ(i int32, at int16, j int32, with int16) bool {
	a, b := &r.list[i-1], &r.list[j-1]
	return a.values >= 0 && b.values >= 0 && r.values[a.values+int(at)] != r.values[b.values+int(with)]
}

// tell notes a race between a store and another access, once for two places in the source.
func (r *races) tell(x *execution, store int32, at int16, other int32, with int16) {
	a, b := &r.list[store-1], &r.list[other-1]
	if !x.s.news([2]diag.Pos{a.in.Pos, b.in.Pos}, "race") {
		return
	}
	verb := "reads"
	if b.in.Mem.Store {
		verb = "writes another value"
	}
	where := "here"
	if b.in.Pos != a.in.Pos {
		where = fmt.Sprintf("in line %d", b.in.Pos.Line)
	}
	o := x.s.code.Func.Object(a.object)
	byte := (int64(r.offsets[a.from+int(at)]) - r.base[a.object]) * r.granule
	x.s.faults.Add(diag.Warningf(a.in.Pos, "RACE",
		"%s writes byte %d of %s here, and %s %s %s, with no barrier between",
		a.warp.item(nth(a.lanes, int(at))), byte, o.Name, b.warp.item(nth(b.lanes, int(with))), verb, where).
		WithNote("put a barrier between them, or use an atomic function"))
}

// nth is the nth of some lanes.
func nth(lanes uint64, n int) int {
	for range n {
		lanes &= lanes - 1
	}
	return trailing(lanes)
}
