package unroll

import (
	"math"
	"math/bits"
	"slices"

	"gpupipe/idg"
	"gpupipe/internal/diag"
	"gpupipe/lower"
	"gpupipe/unroll/trace"
)

// What the passes over the finished trace are told of accesses that they may merge, and what
// becomes of these (trace/wide.go, trace/widedevice.go, trace/packseeds.go).

// mergeable is a load or a store that the trace may merge with others.
type mergeable struct {
	in   *lower.Instr
	p    *value
	mask laneMask
	part bool // of a vector or struct, which every compiler merges
}

// candidate completes what the trace is to know of an access that it may merge.
func (r *resolver) candidate(in *lower.Instr, p *value, a trace.NarrowAccess) trace.NarrowAccess {
	r.variables = variablesOf(p.form, r.variables)
	a.Type, a.Space, a.Root, a.Lanes, a.Where, a.Block, a.Ref = in.Type, in.Space, p.root, uint64(r.mask), r.variables,
		certainBlock(p), uint32(len(r.merging))
	r.merging = append(r.merging, mergeable{in: in, p: p, mask: r.mask})
	return a
}

// variablesOf returns the variable part of an address, which is often that of the access before.
func variablesOf(f linear, before []trace.Variable) []trace.Variable {
	if slices.EqualFunc(before, f.terms, func(v trace.Variable, t term) bool { return v == variableOf(t) }) {
		return before
	}
	where := make([]trace.Variable, len(f.terms))
	for i, t := range f.terms {
		where[i] = variableOf(t)
	}
	return where
}

func variableOf(t term) trace.Variable {
	return trace.Variable{Value: uint32(t.sym.id), Factor: t.coef}
}

// noteLocal makes a load or a store a candidate for merging.
func (r *resolver) noteLocal(in *lower.Instr, p *value, size int64, node trace.NodeID, store bool) {
	if !r.opt.Merges() || p.root == 0 || in.Volatile || len(r.guards) > 0 {
		return
	}
	start, ok := r.st.LocalStart(p.root)
	if !ok || size != trace.SmallestMerge && size != 2*trace.SmallestMerge {
		return
	}
	align, at := int64(trace.MaxWide), p.form.c
	if r.opt.Compiler != Clang { // which merges whatever the alignment
		align, at = r.certainAlignment(p.form)
		align = min(align, lowestBit(start))
	}
	if align >= 2*size {
		r.trace.AddLocal(r.candidate(in, p, trace.NarrowAccess{Node: node, Store: store, Size: size, Align: align,
			At: at, End: math.MaxInt64}))
	}
}

// certainAlignment returns the power of two, at most maxWide, that the compiler
// knows to divide the variable part of an address, and what it knows to be behind
// that: the rest.
func (r *resolver) certainAlignment(f linear) (align, rest int64) {
	l := r.innermost()
	if l != nil && (!l.rolled || !l.narrow) {
		l = nil
	}
	align, rest = trace.MaxWide, f.c
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
	} else if step := r.st.StepsOf(l.l)[reg]; step != nil && step.Op != lower.PtrAdd {
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
		return trace.MaxWide
	}
	return min(trace.MaxWide, x&-x)
}

// noteDevice makes a load or a store a candidate for merging.
func (r *resolver) noteDevice(in *lower.Instr, p *value, size int64, node trace.NodeID, store bool) {
	if p.root == 0 || in.Volatile {
		return
	}
	if !r.opt.ScalarUnit() {
		r.notePart(in, p, size, node, store)
		return
	}
	if size != trace.SmallestMerge && size != 2*trace.SmallestMerge {
		return
	}
	if s := r.space(in, p); s != idg.SpaceGlobal && s != idg.SpaceConstant {
		return
	}
	a := trace.NarrowAccess{Node: node, Store: store, Size: size, At: p.form.c, End: math.MaxInt64}
	if p.index == lower.U32 {
		a.End = trace.EndOfBlock(certainBlock(p), a.At)
	}
	r.trace.AddDevice(r.candidate(in, p, a))
}

// notePart makes an access of a part of an aligned vector or struct a candidate for merging.
func (r *resolver) notePart(in *lower.Instr, p *value, size int64, node trace.NodeID, store bool) {
	if in.Whole == 0 || !r.opt.Optimises() {
		return
	}
	switch s := r.space(in, p); {
	case s == idg.SpaceLocal && r.opt.Merges(): // see noteLocal
		return
	case s != idg.SpaceGlobal && s != idg.SpaceConstant && s != idg.SpaceLocal:
		return
	}
	begins := (p.form.c - in.Offset) & (in.Whole - 1) // of the whole, were the rest of the address 0
	a := r.candidate(in, p, trace.NarrowAccess{Node: node, Store: store, Size: size, Align: in.Whole,
		At: p.form.c - begins, End: math.MaxInt64})
	a.Type, a.Straight = lower.U8, r.straight() // members of any type are merged
	r.merging[a.Ref].part = true
	r.trace.AddDevice(a)
}

// certainBlock is the size in bytes of the aligned blocks in which the neighbours of an address
// certainly are its neighbours, whether or not the index wraps around: what does not carry into
// the bits above is added to those below. 0: they are everywhere.
func certainBlock(p *value) (size int64) {
	if p.index == lower.S64 || p.index == lower.U64 {
		return 0
	}
	for _, x := range p.form.terms {
		if low := x.coef & -x.coef; x.sym.typ != lower.Ptr && (size == 0 || low < size) {
			size = low
		}
	}
	return size
}

// noteComponent notes what may be computed with the next component.
func (r *resolver) noteComponent(in *lower.Instr, nodes []trace.NodeID) {
	if in.Component > 0 && in.Type == lower.F32 && len(nodes) == 1 && r.opt.Packs() {
		r.trace.AddComponent(nodes[0], in.Component)
	}
}

// widened interns the context of a wide access that begins moved bytes behind another.
func (r *resolver) widened(l *trace.NarrowAccess, moved, size int64) idg.AccessID {
	from := &r.merging[l.Ref]
	code, what := "WIDE-LOAD", "loads of"
	if l.Store {
		code, what = "WIDE-STORE", "stores to"
	}
	if !from.part {
		r.decisions.assumed(diag.Notef(from.in.Pos, code,
			"%s %s are merged into %d-bit ones, as the machine code has them", what,
			r.k.Object(from.p.root).Name, 8*size))
	}
	a := LaneAccess{Space: r.space(from.in, from.p), Buffer: r.k.Object(from.p.root).Name, Width: size, Store: l.Store,
		Lanes: uint64(from.mask), Pos: from.in.Pos}
	if from.p.isKnown(from.mask) {
		for m := from.mask; m != 0; m &= m - 1 {
			a.Offsets = append(a.Offsets, int64(from.p.at(bits.TrailingZeros64(uint64(m))))+moved)
		}
	} else {
		a.Unknown, a.Same = unknownReason(from.p), from.p.sameInLanes(from.mask)
	}
	r.retouch(l, &a)
	return r.interned(from.p.root, a)
}

// retouch makes the addresses that are recorded for an access those of the wide one that
// takes its place.
func (r *resolver) retouch(l *trace.NarrowAccess, a *LaneAccess) {
	touch := r.trace.Touch(int(l.Node) - 1)
	if touch == 0 {
		return
	}
	x := &r.addresses.touches[touch-1]
	if shape, start := r.addresses.shape(l.Root, a, !l.Store); shape != 0 {
		x.Shape, x.Start = shape, start
	}
}
