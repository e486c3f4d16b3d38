package factor

import (
	"math/bits"
	"slices"

	"gpupipe/idg"
	"gpupipe/lower"
	"gpupipe/unroll/structure"
)

// Sizes of instructions for LLVM's unroller on AMD's GPUs (AMDGPUTargetTransformInfo.cpp, costs of code
// size), where they are not 1. A floating multiplication that only feeds an addition has none, a wider
// index neither.
const (
	amdProduct  = 2 // product of integers, but for powers of two
	amdTest     = 5 // conditional branch
	amdLoopSize = 7 // a loop's own: addition, compare and branch
)

// sizeAMD measures a loop as LLVM's unroller sees it for AMD's GPUs: inner loops that are
// unrolled fully have been copied, what does not depend on a loop has been moved out of it
// and sums have been sorted by the loops that their terms depend on (LICM and Reassociate); but
// the copies have not been compared with each other, and private arrays are still memory.
type sizeAMD struct {
	u          *Unroller
	size       int64
	saved      int64 // of that: what is the same in all iterations, or a constant in each
	smallBlock bool  // some block of the loop is small

	trips    []int64 // of the loops that are open; the measured one counts once
	assigned []lower.Reg
	uses     map[lower.Reg]int
	known    map[lower.Reg]sized
	stored   map[idg.Space]bool
}

// sized is what is known of a value.
type sized struct {
	level int  // the open loop within which it lies, outside of inner ones; outside: -1
	folds bool // a constant in every copy
	zero  bool // 0 in the first of them, if it folds
	still bool // the same in all iterations of the measured loop
	count bool // made of constants and counters
	minus bool // may be negative, for what LLVM knows: a wider index is an instruction
	near  bool // an address of 32 bits: in local or private memory

	terms   []sized // of a sum that is not computed yet
	product bool    // a floating product, which an addition may absorb
	address bool    // an instruction that computes an address: one more subscript is none of its own
}

// measureAMD measures a loop.
func (u *Unroller) measureAMD(l *lower.Loop) *sizeAMD {
	n := &sizeAMD{
		u: u, size: amdLoopSize, trips: []int64{1}, assigned: u.kernel.AssignedIn(l),
		uses: map[lower.Reg]int{}, known: map[lower.Reg]sized{}, stored: map[idg.Space]bool{},
	}
	structure.AnyInstr(l, func(in *lower.Instr) bool {
		for _, a := range in.Args {
			n.uses[a.Reg]++
		}
		n.stored[in.Space] = n.stored[in.Space] || in.Op == lower.Store || in.Op == lower.Atomic
		return false
	})
	if l.Induction != nil {
		n.known[l.Induction.Var] = sized{count: true}
	}
	n.block(l.Body)
	inner := structure.AnyStmt(l, func(st lower.Stmt) bool { _, ok := st.(*lower.Loop); return ok && st != lower.Stmt(l) })
	n.smallBlock = inner && !u.holdsRolledLoop(l.Body) || n.size < amdAnalysedMost
	return n
}

// copies is how often something is there that lies within an open loop.
func (n *sizeAMD) copies(level int) int64 {
	c := int64(1)
	for _, t := range n.trips[:level+1] {
		c *= t
	}
	return c
}

// add counts an instruction with a value of a kind.
func (n *sizeAMD) add(v sized, size int64) {
	if v.level < 0 || v.folds {
		return
	}
	size *= n.copies(v.level)
	n.size += size
	if v.still || v.count {
		n.saved += size
	}
}

// with is what is known of a value that depends on two others.
func (v sized) with(x sized) sized {
	return sized{level: max(v.level, x.level), folds: v.folds && x.folds, zero: v.zero && x.zero, still: v.still && x.still, count: v.count && x.count, minus: v.minus || x.minus}
}

func (n *sizeAMD) here() int { return len(n.trips) - 1 }

func (n *sizeAMD) block(b lower.Block) {
	for i, st := range b {
		switch st := st.(type) {
		case *lower.Instr:
			n.instr(st)
		case *lower.Loop:
			n.loop(st, b[:i])
		case *lower.If:
			n.add(sized{level: n.here()}, amdTest+1)
			structure.Blocks(st, n.block)
		default:
			structure.Blocks(st, n.block)
		}
	}
}

// loop counts an inner loop.
func (n *sizeAMD) loop(l *lower.Loop, before lower.Block) {
	trips, full := int64(1), n.u.unrollsFully(l, before)
	if full {
		trips, _ = n.u.staticTrips(l, before)
	} else {
		n.add(sized{level: n.here()}, amdLoopSize)
	}
	counter := sized{level: len(n.trips)}
	if full && l.Induction != nil {
		counter.folds, counter.still, counter.count = true, true, true
		counter.zero = n.known[l.Induction.Var].zero
	}
	if l.Induction != nil {
		n.known[l.Induction.Var] = counter
	}
	n.trips = append(n.trips, trips)
	n.block(l.Body)
	if structure.AnyStmt(l, func(st lower.Stmt) bool { _, ok := st.(*lower.Loop); return ok && st != lower.Stmt(l) }) {
		n.add(sized{level: n.here()}, 1) // copies that hold other copies stay blocks of their own
	}
	n.trips = n.trips[:len(n.trips)-1]
}

// value is what is known of an operand, a sum not computed.
func (n *sizeAMD) value(o lower.Operand) sized {
	switch o.Kind {
	case lower.OperandObject:
		space := n.u.source.Object(o.Object).Space
		return sized{level: -1, still: true, near: space == idg.SpaceLocal || space == idg.SpacePrivate}
	case lower.OperandConst:
		return sized{level: -1, folds: true, zero: o.Bits == 0, still: true, count: true, minus: int64(o.Bits) < 0}
	}
	if v, ok := n.known[o.Reg]; ok {
		return v
	}
	if _, ok := slices.BinarySearch(n.assigned, o.Reg); ok {
		return sized{level: n.here(), minus: true} // of the iteration before
	}
	_, konst := n.u.values.Constant(o.Reg)
	return sized{level: -1, folds: konst, still: true, count: konst, minus: !n.u.values.OfLaunch(o.Reg)}
}

// operand is what is known of an operand, which is computed if it is a sum.
func (n *sizeAMD) operand(o lower.Operand) sized {
	v := n.value(o)
	if v.terms == nil {
		return v
	}
	terms := v.terms
	slices.SortStableFunc(terms, func(a, b sized) int { return a.level - b.level })
	sum := terms[0]
	for _, t := range terms[1:] {
		next := sum.with(t)
		n.add(next, 1)
		if t.folds && t.zero && t.level > 0 { // the first copy is + 0
			outside := next
			outside.level = t.level - 1
			n.add(outside, -1)
		}
		sum = next
	}
	n.known[o.Reg] = sum
	return sum
}

func (n *sizeAMD) instr(in *lower.Instr) {
	var v sized
	size := int64(1)
	switch {
	case in.Op == lower.Mov:
		n.known[in.Dsts[0]] = n.value(in.Args[0])
		return
	case (in.Op == lower.Add || in.Op == lower.Sub) && in.Type.IsInteger():
		for i, a := range in.Args {
			if t := n.value(a); t.terms != nil && n.uses[a.Reg] == 1 {
				v.terms = append(v.terms, t.terms...)
			} else {
				v.terms = append(v.terms, n.operand(a))
			}
			v.terms[len(v.terms)-1].minus = v.terms[len(v.terms)-1].minus || i == 1 && in.Op == lower.Sub
		}
		n.known[in.Dsts[0]] = v
		return
	}
	v = sized{level: -1, folds: true, zero: true, still: true, count: true}
	for _, a := range in.Args {
		v = v.with(n.operand(a))
	}
	switch in.Op {
	case lower.Load, lower.Copy, lower.Atomic, lower.ImageLoad, lower.SubGroup:
		if in.Op != lower.Load || n.stored[in.Space] {
			v.level = n.here()
		}
		v = sized{level: v.level, minus: true}
	case lower.Store, lower.ImageStore, lower.Barrier, lower.Fence, lower.CopyGroup, lower.BulkCopy:
		v = sized{level: n.here()}
	case lower.Index:
		v = sized{level: -1}
	case lower.PtrAdd:
		base, index := n.value(in.Args[0]), n.value(in.Args[1])
		v.near = base.near
		if index.minus && !base.near && in.From == lower.S32 {
			n.add(index, 1)
		}
		switch {
		case index.folds: // an offset of the access
			size, v.folds, v.address = 0, false, base.address
		case base.address && n.uses[in.Args[0].Reg] == 1:
			n.add(base, -1)
			fallthrough
		default:
			v.address = true
		}
	case lower.Mul:
		if in.Type.IsFloat() {
			v.product = true
			break
		}
		v.zero = slices.ContainsFunc(in.Args, func(o lower.Operand) bool { x := n.value(o); return x.folds && x.zero })
		if !slices.ContainsFunc(in.Args, func(o lower.Operand) bool { return o.Kind == lower.OperandConst && bits.OnesCount64(o.Bits) == 1 }) {
			size = amdProduct
		}
	case lower.Add, lower.Sub:
		for _, a := range in.Args {
			if x := n.value(a); x.product && n.uses[a.Reg] == 1 {
				n.add(x, -1)
				break
			}
		}
	default:
		if structure.Free(in) {
			size = 0
		}
	}
	n.add(v, size)
	for _, d := range in.Dsts {
		n.known[d] = v
	}
}
