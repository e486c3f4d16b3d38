package unroll

import (
	"math"

	"gpupipe/idg"
	"gpupipe/lower"
	"gpupipe/unroll/locality"
)

// Neighbours in device memory, which LLVM merges for AMD's GPUs (wideamd.go). nvcc leaves them
// alone, since nobody knows how a buffer is aligned.

// noteDevice makes a load or a store a candidate for merging.
func (r *resolver) noteDevice(in *lower.Instr, p *value, size int64, node nodeID, store bool) {
	if !r.opt.scalarUnit() || p.root == 0 || in.Volatile || size != smallestMerge && size != 2*smallestMerge {
		return
	}
	if s := r.space(in, p); s != idg.SpaceGlobal && s != idg.SpaceConstant {
		return
	}
	end := int64(math.MaxInt64)
	if p.index == lower.U32 {
		// What is certain not to carry into the bits above does not wrap around.
		align := int64(math.MaxInt64)
		for _, x := range p.form.terms {
			if x.sym.typ != lower.Ptr {
				align = min(align, x.coef&-x.coef)
			}
		}
		if align != math.MaxInt64 {
			end = p.form.c&^(align-1) + align
		}
	}
	r.trace.devices = append(r.trace.devices, narrowAccess{node: node, store: store, in: in, p: p, mask: r.mask, size: size, at: p.form.c, end: end})
}

// widenDevice merges neighbours in device memory.
func widenDevice(t *trace, live []bool) {
	if len(t.devices) == 0 {
		return
	}
	into := map[nodeID]nodeID{} // the wide access that replaces one
	var loads, stores []int     // candidates of the current straight code
	flush := func() {
		for _, w := range t.runs(t.devices, loads) {
			t.replace(t.devices, w, live, into)
		}
		for _, w := range t.runs(t.devices, stores) {
			t.replaceStores(t.devices, w, live, into)
		}
		loads, stores = loads[:0], stores[:0]
	}
	next := 0
	for i := range t.length {
		candidate := next < len(t.devices) && t.devices[next].node == nodeID(i+1)
		if candidate {
			next++
		}
		if !live[i] {
			continue
		}
		n := t.at(i)
		switch {
		case candidate && t.devices[next-1].store:
			stores = append(stores, next-1)
		case candidate:
			loads = append(loads, next-1)
		case n.flags&flagGate != 0 || t.kinds.of(n.kind).op == "fence":
			flush()
		}
	}
	flush()
	t.redirect(live, into)
}

// retouch makes the addresses that are recorded for an access those of the wide one that
// takes its place.
func (r *resolver) retouch(l *narrowAccess, a *LaneAccess) {
	touch := r.trace.touch(int(l.node) - 1)
	if touch == 0 {
		return
	}
	x := &r.addresses.touches[touch-1]
	if shape, start := r.addresses.shapes.Intern(&locality.Access{
		Buffer: locality.BufferID(l.p.root), Space: a.Space, Width: a.Width, Reads: !l.store, Writes: l.store, Offsets: a.Offsets,
	}); shape != 0 {
		x.Shape, x.Start = shape, start
	}
}
