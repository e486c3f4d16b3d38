package unroll

import (
	"cmp"
	"math"
	"math/bits"
	"slices"
	"strings"

	"gpupipe/idg"
	"gpupipe/internal/diag"
	"gpupipe/lower"
)

// The stage that turns PTX into machine code merges loads of adjacent elements of
// an array in local memory into one of 64 or 128 bits, where the alignment is
// certain, and stores likewise (widestore.go); AMD's compiler does it its own way (wideamd.go). nvcc's stage is modelled (Options.MachineCode), as the machine code for sm_70 in
// testdata/unroll_matmul shows it:
//
//   - Loads merge within straight code, up to a barrier, branch or loop instruction
//     and up to a write to local memory.
//   - A 64-bit load takes two neighbours, a 128-bit load four or, of the four,
//     three: BLOCK_SIZE 8 unrolled by 5 loads elements 5 to 7 as 4 to 7.
//   - In a loop whose addresses are incremented, what is certain is half of the increment:
//     16 bytes (unrolled by 4) give 64-bit loads, 32 bytes 128-bit loads, 8 bytes
//     none. The compiler lets the pointer of a loop point into the middle of what
//     an iteration reads. Nothing is certain of a counter that begins at a work item's id
//     or at another value that the compiler does not know, even at a multiple of it.
//   - Global memory is left alone: nobody knows how a buffer is aligned.
const (
	maxWide       = 16 // bytes of the widest load of a lane
	threeOfFour   = 3  // elements of four that make a 128-bit load worth while
	smallestMerge = 4  // bytes of an element
)

// What accesses of local memory are called.
const (
	loadLocal  = "ld.local"
	storeLocal = "st.local"
)

// narrowAccess is a recorded load or store that may be merged with others of its kind.
type narrowAccess struct {
	node  nodeID
	store bool
	in    *lower.Instr
	p     *value
	mask  laneMask
	size  int64 // bytes of a lane
	align int64 // that the variable part of the address is certain to have
	at    int64 // the constant part
	end   int64 // in bytes as at: where its neighbours end
}

// noteLocal makes a load or a store a candidate for merging.
func (r *resolver) noteLocal(in *lower.Instr, p *value, size int64, node nodeID, store bool) {
	if !r.opt.merges() || p.root == 0 || in.Volatile || len(r.guards) > 0 {
		return
	}
	start, ok := r.st.localStart(p.root)
	if !ok || size != smallestMerge && size != 2*smallestMerge {
		return
	}
	align, at := int64(maxWide), p.form.c
	if !r.trace.unaligned {
		align, at = r.certainAlignment(p.form)
		align = min(align, lowestBit(start))
	}
	if align >= 2*size {
		r.trace.locals = append(r.trace.locals, narrowAccess{node, store, in, p, r.mask, size, align, at, math.MaxInt64})
	}
}

// localStart returns where an array lies in the local memory of a group: behind those
// declared before it. The places of dynamic arrays and of those of arguments are
// not known to the compiler.
func (s *static) localStart(id lower.ObjectID) (start int64, ok bool) {
	for i := range s.k.Objects {
		o := &s.k.Objects[i]
		if o.Space != idg.SpaceLocal || o.Size == 0 || o.Dynamic {
			if lower.ObjectID(i+1) == id {
				return 0, false
			}
			continue
		}
		align := max(1, o.Elem.Size())
		start = (start + align - 1) / align * align
		if lower.ObjectID(i+1) == id {
			return start, true
		}
		start += o.Size
	}
	return 0, false
}

// certainAlignment returns the power of two, at most maxWide, that the compiler
// knows to divide the variable part of an address, and what it knows to be behind
// that: the rest.
func (r *resolver) certainAlignment(f linear) (align, rest int64) {
	var l *activeLoop
	if n := len(r.loops); n > 0 && r.loops[n-1].rolled && r.loops[n-1].narrow {
		l = r.loops[n-1]
	}
	align, rest = maxWide, f.c
	for _, t := range f.terms {
		x := t.coef
		if l != nil {
			if reg, by, ok := l.counter(t.sym); ok && by == 0 {
				if l.lastPass {
					r.decided(t.sym)
				}
				if u, known := t.sym.uniform(r.mask); known && l.lastPass {
					rest += x * int64(u) // the loop ended at a constant
					continue
				}
				x *= r.counterAlignment(l, reg)
			}
		}
		align = min(align, lowestBit(x))
	}
	return align, rest
}

// counterAlignment returns what is certain to divide a counter of a rolled loop in
// which addresses are incremented.
func (r *resolver) counterAlignment(l *activeLoop, reg lower.Reg) int64 {
	return max(1, r.counterStep(l, reg)/2)
}

// counterStep is the largest power of two up to maxWide that divides what is added to a counter that
// begins at a constant.
func (r *resolver) counterStep(l *activeLoop, reg lower.Reg) int64 {
	if first := l.first[reg]; first == nil || !first.konst {
		return 1
	}
	by := lower.Operand{}
	if ind := l.l.Induction; ind != nil && ind.Var == reg {
		by = ind.By
	} else if step := r.st.stepsOf(l.l)[reg]; step != nil && step.Op != lower.PtrAdd {
		by = step.Args[1]
	}
	if by.Kind != lower.OperandConst {
		return 1
	}
	return max(1, lowestBit(int64(by.Bits)*l.length))
}

// lowestBit is the largest power of two up to maxWide that divides x.
func lowestBit(x int64) int64 {
	if x == 0 {
		return maxWide
	}
	return min(maxWide, x&-x)
}

// wideAccess is a load or a store that stands for several.
type wideAccess struct {
	parts  []int // in trace.locals
	offset int64 // of its first byte
	size   int64
}

// widen merges adjacent loads, and adjacent stores, of local memory.
func widen(t *trace, live []bool) {
	if len(t.locals) == 0 {
		return
	}
	into := map[nodeID]nodeID{} // the wide access that replaces one
	var loads, stores []int     // candidates of the current straight code
	flush := func() {
		for _, w := range t.wideAccesses(loads) {
			t.replace(t.locals, w, live, into)
		}
		loads = loads[:0]
	}
	flushStores := func() {
		for _, w := range t.wideAccesses(stores) {
			t.replaceStores(t.locals, w, live, into)
		}
		stores = stores[:0]
	}
	next := 0
	for i := range t.length {
		if next == len(t.locals) {
			break
		}
		candidate := -1
		if t.locals[next].node == nodeID(i+1) {
			candidate, next = next, next+1
		}
		if !live[i] {
			continue
		}
		n := t.at(i)
		op := t.kinds.of(n.kind).op
		switch {
		case candidate >= 0 && t.locals[candidate].store:
			flush()
			if len(stores) > 0 && !t.locals[candidate].alike(&t.locals[stores[0]]) {
				flushStores()
			}
			stores = append(stores, candidate)
		case candidate >= 0:
			flushStores()
			loads = append(loads, candidate)
		case n.flags&flagGate != 0 || n.flags&flagRoot != 0 && writesLocal(op):
			flush()
			flushStores()
		case op == loadLocal:
			flushStores()
		}
	}
	flushStores()
	flush()
	t.redirect(live, into)
}

// redirect makes what waits for an access that has become a part of a wide one wait for that.
func (t *trace) redirect(live []bool, into map[nodeID]nodeID) {
	if len(into) == 0 {
		return
	}
	for i := range t.length {
		if !live[i] {
			continue
		}
		n := t.at(i)
		t.change(n, func(c *content) {
			for _, set := range [2]*[]nodeID{&c.deps, &c.order} {
				moved := false
				for j, d := range *set {
					if w, ok := into[d]; ok {
						(*set)[j], moved = w, true
					}
				}
				if moved {
					slices.Sort(*set)
					*set = slices.Compact(*set)
				}
			}
		})
	}
}

// writesLocal reports whether an instruction may write local memory or makes
// others' writes visible.
func writesLocal(op string) bool {
	return op == storeLocal || strings.HasPrefix(op, "atomic.") || op == "fence"
}

// wideAccesses finds what can be merged among the loads, or the stores, of straight code.
func (t *trace) wideAccesses(block []int) []wideAccess {
	if len(block) < 2 {
		return nil
	}
	if t.unaligned {
		return t.runs(t.locals, block)
	}
	sorted := slices.Clone(block)
	slices.SortStableFunc(sorted, func(i, j int) int { return t.locals[i].compare(&t.locals[j]) })
	var out []wideAccess
	for len(sorted) > 0 {
		n := 1
		first := &t.locals[sorted[0]]
		chunk := min(first.align, maxWide)
		at := first.at &^ (chunk - 1)
		for n < len(sorted) {
			l := &t.locals[sorted[n]]
			if !l.alike(first) || l.at >= at+chunk || !l.store && !slices.Equal(t.deps(t.node(l.node)), t.deps(t.node(first.node))) {
				break
			}
			n++
		}
		out = t.mergeChunk(out, sorted[:n], at, chunk)
		sorted = sorted[n:]
	}
	return out
}

// mergeChunk appends the wide accesses of those that lie in one aligned chunk: one for
// all, or those of its halves.
func (t *trace) mergeChunk(out []wideAccess, parts []int, at, chunk int64) []wideAccess {
	if len(parts) < 2 {
		return out
	}
	size := t.locals[parts[0]].size
	elements := int64(1)
	for i := 1; i < len(parts); i++ {
		if t.locals[parts[i]].at != t.locals[parts[i-1]].at {
			elements++
		}
	}
	all := chunk / size
	store := t.locals[parts[0]].store
	if elements == all || all == threeOfFour+1 && elements == threeOfFour && !store {
		return append(out, wideAccess{slices.Clone(parts), at, chunk})
	}
	if all == 2 {
		return out
	}
	half := slices.IndexFunc(parts, func(i int) bool { return t.locals[i].at >= at+chunk/2 })
	if half < 0 {
		return t.mergeChunk(out, parts, at, chunk/2)
	}
	return t.mergeChunk(t.mergeChunk(out, parts[:half], at, chunk/2), parts[half:], at+chunk/2, chunk/2)
}

// alike reports whether two accesses differ in the constant part of the address at
// most.
func (l *narrowAccess) alike(o *narrowAccess) bool {
	return l.p.root == o.p.root && l.in.Type == o.in.Type && l.size == o.size && l.align == o.align && l.mask == o.mask && slices.Equal(l.p.form.terms, o.p.form.terms)
}

// compare orders accesses so that those which are alike follow each other by
// address.
func (l *narrowAccess) compare(o *narrowAccess) int {
	return cmp.Or(
		cmp.Compare(l.p.root, o.p.root), cmp.Compare(l.in.Type, o.in.Type), cmp.Compare(l.size, o.size), cmp.Compare(l.align, o.align), cmp.Compare(l.mask, o.mask),
		slices.CompareFunc(l.p.form.terms, o.p.form.terms, func(a, b term) int {
			return cmp.Or(cmp.Compare(a.sym.id, b.sym.id), cmp.Compare(a.coef, b.coef))
		}),
		cmp.Compare(l.at, o.at),
	)
}

// replace makes the earliest of several loads the wide one.
func (t *trace) replace(list []narrowAccess, w wideAccess, live []bool, into map[nodeID]nodeID) {
	first := slices.MinFunc(w.parts, func(i, j int) int { return cmp.Compare(list[i].node, list[j].node) })
	l := &list[first]
	n := t.node(l.node)
	var order []nodeID
	for _, i := range w.parts {
		order = union(order, t.order(t.node(list[i].node)))
	}
	access := t.wide(l, w.offset-l.at, w.size)
	t.change(n, func(c *content) { c.access, c.order = access, order })
	for _, i := range w.parts {
		if o := list[i].node; o != l.node {
			live[o-1] = false
			into[o] = l.node
		}
	}
}

// widened interns the context of a wide access that begins moved bytes behind another.
func (r *resolver) widened(l *narrowAccess, moved, size int64) idg.AccessID {
	code, what := "WIDE-LOAD", "loads of"
	if l.store {
		code, what = "WIDE-STORE", "stores to"
	}
	r.decisions.assumed(diag.Notef(l.in.Pos, code, "%s %s are merged into %d-bit ones, as the machine code has them", what, r.k.Object(l.p.root).Name, 8*size))
	a := LaneAccess{Space: r.space(l.in, l.p), Buffer: r.k.Object(l.p.root).Name, Width: size, Store: l.store, Lanes: uint64(l.mask), Pos: l.in.Pos}
	if l.p.isKnown(l.mask) {
		for m := l.mask; m != 0; m &= m - 1 {
			a.Offsets = append(a.Offsets, int64(l.p.at(bits.TrailingZeros64(uint64(m))))+moved)
		}
	} else {
		a.Unknown, a.Same = unknownReason(l.p), l.p.sameInLanes(l.mask)
	}
	r.retouch(l, &a)
	return r.interned(l.p.root, a)
}
