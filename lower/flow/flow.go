// Package flow analyses a kernel before instructions are selected for it: it consumes optimised IR (package ir)
// and says which values are the same in all lanes of a warp, which of them lie in registers of the warp, and what
// pointers point to.
package flow

import (
	"slices"
	"strings"

	"gpupipe/idg"
	"gpupipe/lower"
	"gpupipe/lower/ir"
	"gpupipe/lower/machine"
)

// Flow is what selection asks of values: whether all lanes of a warp have the same one (divergence analysis;
// Karrenberg and Hack, Improving Performance of OpenCL on CPUs, 2012; LLVM's UniformityAnalysis), and what
// pointers point to.
type Flow struct {
	t         *machine.Target
	f         *ir.Func
	values    int
	divergent []bool
	object    []int32 // of a pointer by value ID: 0 not seen yet, -1 several or unknown, else the object
	space     []int16 // of a pointer: 0 not seen yet, -1 several or unknown, else the space
	blocks    map[*ir.Block]bool
	exits     map[*ir.Instr]bool // loops and regions that lanes leave at different times
	scalars   []bool             // by value ID: in registers of the warp
	changed   bool
}

// Analyse looks at all values of a kernel until nothing changes. Each round is linear, and there are about as
// many as loops in each other.
func Analyse(f *ir.Func, t *machine.Target) *Flow {
	w := &Flow{t: t, f: f, values: f.NumValues(), blocks: map[*ir.Block]bool{}, exits: map[*ir.Instr]bool{}}
	w.divergent = make([]bool, w.values)
	w.object, w.space = make([]int32, w.values), make([]int16, w.values)
	for w.changed = true; w.changed; {
		w.changed = false
		w.block(f.Body, false)
	}
	return w
}

// Uniform reports whether all lanes of a warp have the same value.
func (w *Flow) Uniform(v *ir.Value) bool { return !w.divergent[v.ID] }

// diverges notes that a value differs between lanes.
func (w *Flow) diverges(v *ir.Value, is bool) {
	if is && !w.divergent[v.ID] {
		w.divergent[v.ID] = true
		w.changed = true
	}
}

func (w *Flow) any(list []*ir.Value) bool {
	for _, v := range list {
		if w.divergent[v.ID] {
			return true
		}
	}
	return false
}

// block visits a block that is executed by a part of the warp only where under is set.
func (w *Flow) block(b *ir.Block, under bool) {
	if under && !w.blocks[b] {
		w.blocks[b] = true
		w.changed = true
	}
	for _, in := range b.Instrs {
		switch in.Op {
		case lower.OpIf, lower.OpSwitch:
			w.sides(in, under)
		case lower.OpLoop:
			w.loop(in, under)
		case lower.OpRegion:
			w.block(in.Blocks[0], under)
			w.jumps(in, in.Results, w.exits[in])
		case lower.OpYield:
			if b.Owner != nil && (b.Owner.Op == lower.OpRegion) {
				w.pass(b.Owner.Results, in.Args)
			}
		case lower.OpLeave:
			w.leave(in)
		case lower.OpContinue:
			w.pass(in.Target.Blocks[0].Params, in.Args)
			if w.blocks[b] && !w.within(b, in.Target) {
				w.early(in.Target)
			}
		default:
			w.instr(in)
		}
	}
}

// within reports whether a block is executed by a part of the lanes only because its target is.
func (w *Flow) within(b *ir.Block, target *ir.Instr) bool {
	return w.blocks[target.Blocks[0]] || b == target.Blocks[0]
}

func (w *Flow) early(target *ir.Instr) {
	if !w.exits[target] {
		w.exits[target] = true
		w.changed = true
	}
}

// leave passes values on; lanes that leave under a condition that differs do so at different times.
func (w *Flow) leave(in *ir.Instr) {
	w.pass(in.Target.Results, in.Args)
	if w.blocks[in.Parent] && !w.blocks[in.Target.Parent] {
		w.early(in.Target)
	}
}

// pass is what a jump does: what it carries is what the results may be.
func (w *Flow) pass(to, from []*ir.Value) {
	for i, v := range to {
		w.diverges(v, w.divergent[from[i].ID])
		w.point(v, from[i])
	}
}

// sides visits an if or switch: where lanes differ in the condition, they do in the results.
func (w *Flow) sides(in *ir.Instr, under bool) {
	parts := under || w.divergent[in.Args[0].ID]
	for _, b := range in.Blocks {
		w.block(b, parts)
	}
	for i, r := range in.Results {
		var first *ir.Value
		for _, b := range in.Blocks {
			last := b.Last()
			if last.Op != lower.OpYield {
				continue
			}
			a := last.Args[i]
			w.point(r, a)
			w.diverges(r, w.divergent[a.ID] || first != nil && first != a && w.divergent[in.Args[0].ID])
			if first == nil {
				first = a
			}
		}
	}
}

// loop visits a loop: what lanes take out of one that they leave at different times differs.
func (w *Flow) loop(in *ir.Instr, under bool) {
	w.pass(in.Blocks[0].Params, in.Args)
	w.block(in.Blocks[0], under)
	w.jumps(in, in.Results, w.exits[in])
}

// jumps marks the results of a loop or region that lanes leave at different times.
func (w *Flow) jumps(in *ir.Instr, results []*ir.Value, differ bool) {
	for _, r := range results {
		w.diverges(r, differ)
	}
}

// point notes what a pointer may point to by a value that it may have.
func (w *Flow) point(v, from *ir.Value) {
	if v.Type != lower.Ptr || from.Kind == ir.Undef || from.Kind == ir.Const {
		return
	}
	w.seen(v, w.objectBits(from), w.spaceBits(from))
}

func (w *Flow) seen(v *ir.Value, object int32, space int16) {
	if object != 0 && w.object[v.ID] != object && w.object[v.ID] != -1 {
		if w.object[v.ID] != 0 {
			object = -1
		}
		w.object[v.ID] = object
		w.changed = true
	}
	if space != 0 && w.space[v.ID] != space && w.space[v.ID] != -1 {
		if w.space[v.ID] != 0 {
			space = -1
		}
		w.space[v.ID] = space
		w.changed = true
	}
}

func (w *Flow) objectBits(v *ir.Value) int32 {
	switch v.Kind {
	case ir.Address, ir.KernelArg:
		if v.Object == 0 {
			return -1
		}
		return int32(v.Object)
	}
	return w.object[v.ID]
}

func (w *Flow) spaceBits(v *ir.Value) int16 {
	switch v.Kind {
	case ir.Address, ir.KernelArg:
		if v.Object == 0 {
			return -1
		}
		return int16(w.f.Object(v.Object).Space)
	}
	return w.space[v.ID]
}

// Object is what a pointer points to, 0 where that is not known.
func (w *Flow) ObjectOf(v *ir.Value) ir.ObjectID { return ir.ObjectID(max(0, w.objectBits(v))) }

// SpaceOf is the address space that a pointer points to, 0 where it is not known.
func (w *Flow) SpaceOf(v *ir.Value) ir.Space { return ir.Space(max(0, w.spaceBits(v))) }

// Narrow reports whether a pointer is a word: an offset in the memory of a group, of a lane, or in the
// program's own constants.
func (w *Flow) Narrow(v *ir.Value) bool {
	switch w.SpaceOf(v) {
	case idg.SpaceLocal, idg.SpacePrivate:
		return true
	case idg.SpaceConstant:
		o := w.ObjectOf(v)
		return o != 0 && w.f.Object(o).Size > 0 && w.t.ISA != "gcn"
	}
	return false
}

// Words is how many registers a value takes, 0 for a predicate.
func (w *Flow) Words(v *ir.Value) int {
	switch {
	case v.Type == lower.Pred:
		return 0
	case v.Type == lower.Ptr && w.Narrow(v):
		return 1
	case v.Type.Size() == 8:
		return 2
	}
	return 1
}

// lanes are the functions that differ between the lanes of a warp.
var lanes = map[string]bool{"get_local_id": true, "get_global_id": true, "get_sub_group_local_id": true,
	"get_local_linear_id": true, "get_global_linear_id": true, "lane_id": true}

// instr looks at one operation.
func (w *Flow) instr(in *ir.Instr) {
	differ := w.any(in.Args)
	switch in.Op {
	case lower.Index:
		differ = lanes[in.Fn] || strings.Contains(in.Fn, "clock")
	case lower.Atomic, lower.MatMul, lower.GroupMatMul, lower.MatrixRow, lower.OpOpaque, lower.ImageLoad:
		differ = true
	case lower.SubGroup:
		differ = w.exchange(in, differ)
	case lower.Load:
		differ = differ || in.Space == idg.SpacePrivate
	case lower.PtrAdd:
		w.point(in.Results[0], in.Args[0])
	case lower.Select:
		w.point(in.Results[0], in.Args[1])
		w.point(in.Results[0], in.Args[2])
	default:
		for _, r := range in.Results {
			if r.Type == lower.Ptr {
				w.seen(r, -1, int16(-1))
			}
		}
	}
	if in.Op == lower.Load {
		for _, r := range in.Results {
			if r.Type == lower.Ptr {
				w.seen(r, -1, int16(idg.SpaceGlobal))
			}
		}
	}
	for _, r := range in.Results {
		w.diverges(r, differ)
	}
}

// exchange: votes and reductions are the same in all lanes.
func (w *Flow) exchange(in *ir.Instr, differ bool) bool {
	switch {
	case in.Fn == "all", in.Fn == "any", in.Fn == "ballot", in.Fn == "broadcast", in.Fn == "broadcast_first":
		return false
	case strings.HasPrefix(in.Fn, "reduce"):
		return false
	case strings.HasPrefix(in.Fn, "scan"), strings.HasSuffix(in.Fn, "_part"):
		return true
	}
	return differ
}

// Scalar reports whether a value is in a register of the warp.
func (w *Flow) Scalar(v *ir.Value) bool { return int(v.ID) < len(w.scalars) && w.scalars[v.ID] }

// Window reports whether a pointer is the beginning of an object in the memory of a group that has no constant
// address: a group of a cluster has a window of its own.
func (w *Flow) Window(v *ir.Value) bool {
	return v.Kind == ir.Address && w.t.Has("clusters") && w.f.Object(v.Object).Space == idg.SpaceLocal
}

// Place decides which values are in registers of the warp; relieve: as many as possible, although an instruction
// that reads one may need a copy of it.
func (w *Flow) Place(relieve bool) { w.scalars = decide(w.f, w, relieve) }

// Relievable reports whether there are more of them with relieve than without.
func (w *Flow) Relievable() bool { return !slices.Equal(decide(w.f, w, false), decide(w.f, w, true)) }

// Separate reports whether lanes leave a loop or region at different times.
func (w *Flow) Separate(in *ir.Instr) bool { return w.exits[in] }

// Separates notes that they do.
func (w *Flow) Separates(in *ir.Instr) { w.exits[in] = true }
