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
		end = certainEnd(p, p.form.c)
	}
	r.trace.devices = append(r.trace.devices, narrowAccess{node: node, store: store, in: in, p: p, mask: r.mask, size: size, at: p.form.c, end: end})
}

// certainEnd is how far the neighbours of an address certainly are its neighbours, whether or not
// the index wraps around: what does not carry into the bits above is added to those below.
func certainEnd(p *value, at int64) int64 {
	if p.index == lower.S64 || p.index == lower.U64 {
		return math.MaxInt64
	}
	align := int64(0)
	for _, x := range p.form.terms {
		if low := x.coef & -x.coef; x.sym.typ != lower.Ptr && (align == 0 || low < align) {
			align = low
		}
	}
	if align == 0 {
		return math.MaxInt64
	}
	return at&^(align-1) + align
}

// widenDeviceLoads merges loads of neighbours in device memory, widenDeviceStores stores to them.
func widenDeviceLoads(t *trace, live []bool)  { t.widenDevice(live, false, t.replace) }
func widenDeviceStores(t *trace, live []bool) { t.widenDevice(live, true, t.replaceStores) }

func (t *trace) widenDevice(live []bool, stores bool, replace func([]narrowAccess, wideAccess, []bool, map[nodeID]nodeID)) {
	into := map[nodeID]nodeID{} // the wide access that replaces one
	t.straightCode(live, stores, func(block []int) {
		for _, w := range t.runs(t.devices, block) {
			replace(t.devices, w, live, into)
		}
	})
	t.redirect(live, into)
}

// straightCode lists the candidates, either stores or loads, of each straight piece of code.
func (t *trace) straightCode(live []bool, stores bool, do func([]int)) {
	if len(t.devices) == 0 {
		return
	}
	var list []int
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
		case candidate && t.devices[next-1].store == stores:
			list = append(list, next-1)
		case n.flags&flagGate != 0 || t.kinds.of(n.kind).op == "fence":
			do(list)
			list = list[:0]
		}
	}
	do(list)
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
