package unroll

import (
	"math/bits"

	"gpupipe/lower"
	"gpupipe/unroll/arithmetic"
)

// loadConstant reads a constant table at a place that the compiler knows: the
// element is a constant at -O2.
func (r *resolver) loadConstant(in *lower.Instr, p *value, elem int64) bool {
	if !r.opt.Optimises() || !p.form.isConst() {
		return false
	}
	for i, d := range in.Dsts {
		u, ok := r.tableElement(in, p, p.form.c+int64(i)*elem)
		if !ok {
			return false
		}
		r.set(d, r.konst(in.Type, u))
	}
	return true
}

// readTable fills in what a load of a constant table, or of a buffer with known
// contents, gives in the lanes whose addresses are known to us.
func (r *resolver) readTable(v *value, in *lower.Instr, p *value, offset int64) {
	if p.root == 0 {
		return
	}
	o := r.k.Object(p.root)
	table, given := o.Init, false
	// The buffers of a launch are taken to be different ones: a store to another may
	// overlap for the compiler, not for us.
	if table == nil && (r.readOnly(p.root) || !r.st.MayWrite(p.root) || !r.memory.class(p.root).written) {
		table, given = r.opt.Contents[o.Name]
	}
	if table == nil && !given {
		return
	}
	r.disturbed(v, p)
	lanes := r.newLanes()
	for m := p.known & r.warpMask; m != 0; m &= m - 1 {
		l := bits.TrailingZeros64(uint64(m))
		at := int64(p.at(l)) + offset
		u, ok := elementOf(table, in, at)
		if ok {
			lanes[l] = u
			v.known |= 1 << l
		}
		if given {
			r.decisions.readContents(o.Name, at, ok)
		}
	}
	v.lanes, v.from = lanes, p.from
	r.compact(v)
}

// tableElement returns the element at a byte offset of the constant table that p
// points into, if there is one.
func (r *resolver) tableElement(in *lower.Instr, p *value, offset int64) (uint64, bool) {
	if p.root == 0 {
		return 0, false
	}
	return elementOf(r.k.Object(p.root).Init, in, offset)
}

// elementOf returns the element at a byte offset of a table, if there is one.
func elementOf(table []byte, in *lower.Instr, offset int64) (uint64, bool) {
	size := in.Type.Size()
	if offset < 0 || offset > int64(len(table))-size {
		return 0, false
	}
	var u uint64
	for b := range size {
		u |= uint64(table[offset+b]) << (8 * b)
	}
	return arithmetic.LaneBits(in.Type, u), true
}
