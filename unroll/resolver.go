package unroll

import (
	"gpupipe/idg"
	"gpupipe/lower"
	"gpupipe/unroll/arithmetic"
	"gpupipe/unroll/factor"
	"gpupipe/unroll/trace"
)

// resolver executes the IR for one warp.
type resolver struct {
	k    *lower.Kernel
	st   *static
	opt  Options
	b    *idg.Builder
	warp uint32

	trace     trace.Trace
	merging   []mergeable      // by narrowAccess.ref
	variables []trace.Variable // of the last of them: the variable part of its address
	decisions *decisions
	numbering numbering
	memory    memory
	copies    copies
	addresses *addresses // nil = not asked for
	seen      *seen      // what the warp does at barriers; nil = not asked for
	follower  *follower  // where another warp has blocks copied for this one; else nil

	regs      []*value // by Reg - 1; nil = not assigned yet
	scopeMask []laneMask
	objMask   []laneMask
	left      []laneMask // lanes that left a label, by Label
	continued []laneMask
	maybeOf   []int // how many undecided branches enclosed a label when it was entered
	loopsAt   []int // how many loops enclosed it

	warpMask  laneMask // lanes that exist
	mask      laneMask // lanes active at the current instruction
	level     int32    // rolled loops around the current instruction
	stretch   stretch
	stretches stretch // so far
	loops     []*activeLoop
	ended     []*activeLoop  // whose room can be used again
	guards    []trace.NodeID // conditions of predicated sides
	maybe     []*maybeSide
	silent    int   // > 0: values are computed, no instruction is recorded
	quiet     bool  // but accesses of memory are: silent is 1 for a loop's bookkeeping
	work      int64 // spent, see budget.go
	maxWork   int64
	executed  int64 // warp instructions of the program, known at the end
	nextID    valueID
	spare     []value
	spareIDs  []trace.NodeID
	half      half // see packed
	vectors   vectors
	offsets   [maxLanes]int64 // scratch: of an access
	order     []trace.NodeID  // scratch: the order dependences of an access
	waited    []trace.NodeID  // scratch: what its data dependences wait for
	stored    []*value        // scratch: what a store writes
	overtaken nodeSet         // loads of which a later store or barrier may change what they load

	recent     [64]*value         // constants
	roots      map[valueID]*value // of which a value is the square root, where 1 over it may be an instruction
	objects    []*value           // addresses of objects, by ObjectID - 1
	proofs     []*proof           // those that follow contents, of neighbours and outer loops first
	neighbours []neighbour
	steady     *steady                // what is skipped; nil = nothing
	workItems  map[workItemKey]*value // results of work-item functions
	unroller   *factor.Unroller
	homes      homes
	private    map[lower.ObjectID]*privateArray // that are not in registers
	restart    bool
	err        error
}

// maybeSide collects the lanes that leave outer labels inside a branch whose
// condition is not known.
type maybeSide struct{ leaves []labelMask }

type labelMask struct {
	label     lower.Label
	mask      laneMask
	continues bool
}

func newResolver(st *static, opt Options, b *idg.Builder, warp uint32, homes homes) *resolver {
	r := &resolver{
		k: st.k, st: st, opt: opt, b: b, warp: warp, homes: homes,
		decisions: newDecisions(st.k),
		regs:      make([]*value, len(st.k.Regs)), scopeMask: make([]laneMask, len(st.k.Regs)),
		objMask:   make([]laneMask, len(st.k.Objects)),
		objects:   make([]*value, len(st.k.Objects)),
		workItems: map[workItemKey]*value{},
		maxWork:   opt.maxWork(),
	}
	r.unroller = factor.New(st.k, st.Kernel, compilerView{r}, factor.Settings{
		Target: opt.Target,
		Chosen: func(pos lower.Pos) (int64, bool) { return unrollAt(pos, opt.Unrolls) },
	})
	items := opt.Local[0] * opt.Local[1] * opt.Local[2]
	n := min(int64(opt.WarpSize), items-int64(warp)*int64(opt.WarpSize))
	r.warpMask = ^laneMask(0) >> (maxLanes - n)
	if st.contexts.group != opt.group {
		st.contexts = contexts{group: opt.group}
	}
	if !opt.EveryIteration {
		r.steady = &steady{learned: map[lower.LoopID]int{}, vain: map[lower.LoopID]int{}}
	}
	r.trace.Options = trace.Options{Target: opt.Target, Wide: r.widened}
	st.spares.begin()
	r.numbering.init(st.spares.levels)
	st.spares.levels = nil
	r.memory.init(st.k)
	for _, p := range st.k.Params {
		r.regs[p.Reg-1] = r.param(p)
	}
	return r
}

// param returns the value of a parameter at entry.
func (r *resolver) param(p lower.Param) *value {
	v := r.newValue(p.Type)
	if p.Type == lower.Ptr {
		v.root = p.Object
		v.known = r.warpMask // offset 0 in its object
		return v
	}
	v.from = fromArgs
	v.form, v.same = symbol(v), true
	if a, ok := r.opt.Args[p.Name]; ok {
		v.known = r.warpMask
		switch {
		case p.Type.IsFloat() && a.IsFloat:
			v.u = arithmetic.FromFloat(p.Type, a.Float)
		case p.Type.IsFloat():
			v.u = arithmetic.FromFloat(p.Type, float64(a.Int))
		case a.IsFloat:
			v.u = arithmetic.Canon(p.Type, uint64(int64(a.Float)))
		default:
			v.u = arithmetic.Canon(p.Type, uint64(a.Int))
		}
	}
	return v
}

func (r *resolver) newValue(t lower.Type) *value {
	if len(r.spare) == 0 {
		r.spare = r.st.spares.values.take(spareValues)
	}
	v := &r.spare[0]
	r.spare = r.spare[1:]
	r.nextID++
	v.id, v.typ = r.nextID, t
	return v
}

// spareValues is how many values are allocated at a time.
const spareValues = 32

// konst returns the constant u of type t, known to the compiler and the same as
// any other such.
func (r *resolver) konst(t lower.Type, u uint64) *value {
	recent := &r.recent[(u*31+uint64(t))%uint64(len(r.recent))]
	if v := *recent; v != nil && v.typ == t && v.u == u {
		return v
	}
	v := r.newConst(t, u)
	v.shared = true
	*recent = v
	return v
}

// newConst returns a constant that is known to be equal to no other.
func (r *resolver) newConst(t lower.Type, u uint64) *value {
	v := r.newValue(t)
	v.konst, v.u, v.known = true, u, ^laneMask(0)
	if t.IsInteger() {
		v.form = linear{c: int64(u)}
	}
	return v
}

// fail stops the resolution.
func (r *resolver) fail(err error) {
	if r.err == nil {
		r.err = err
	}
}

func (r *resolver) stopped() bool { return r.err != nil || r.restart }

// outermost is the position of a loop around what is executed, or of one that has
// been skipped.
func (r *resolver) outermost() lower.Pos {
	switch skips := r.trace.Skips; {
	case len(r.loops) > 0:
		return r.loops[0].l.Pos
	case len(skips) > 0:
		return r.k.Loops[skips[len(skips)-1].Loop-1].Pos
	}
	return r.k.Pos
}

// operand returns the value of an operand.
func (r *resolver) operand(o lower.Operand) *value {
	switch o.Kind {
	case lower.OperandConst:
		return r.konst(o.Type, arithmetic.LaneBits(o.Type, o.Bits))
	case lower.OperandObject:
		return r.objectAddress(o.Object)
	}
	if v := r.regs[o.Reg-1]; v != nil {
		return v
	}
	// Read before any assignment: contents and producer are not known.
	v := r.newValue(r.k.Reg(o.Reg).Type)
	v.form = symbol(v)
	r.regs[o.Reg-1] = v
	return v
}

// objectAddress returns the address of an array, known to the compiler.
func (r *resolver) objectAddress(id lower.ObjectID) *value {
	if v := r.objects[id-1]; v != nil {
		return v
	}
	v := r.newValue(lower.Ptr)
	v.root, v.known = id, ^laneMask(0)
	r.objects[id-1] = v
	return v
}

// set assigns a register in the lanes of the current mask.
func (r *resolver) set(reg lower.Reg, v *value) {
	if reg == 0 {
		return
	}
	old := r.regs[reg-1]
	if old == nil || !r.k.Reg(reg).Var || r.scopeLanes(reg)&^r.mask == 0 {
		r.regs[reg-1] = v
		return
	}
	r.regs[reg-1] = r.mergeLanes(old, v, r.mask)
}

// opaque returns v as the compiler sees it behind a join of control flow: the
// lanes are still known to us, but it is not a constant and has no structure.
func (r *resolver) opaque(v *value, level int32) *value {
	r.producers(v)
	out := *v
	r.nextID++
	out.id = r.nextID
	out.root = r.leadsInto(v)
	out.konst, out.shared, out.lazy = false, false, false
	out.known &= r.warpMask
	out.level = max(level, v.level)
	out.form = symbol(&out)
	return &out
}
