package unroll

import (
	enc "encoding/binary"

	"gpupipe/idg"
	"gpupipe/lower"
	"gpupipe/unroll/trace"
)

const wordBytes = 4 // of a register

// An array that moves pick from registers (trace/pickable.go) is read and written by comparisons of the
// subscript with each place that it can mean, and moves.

// home says where a private array lives.
type home int64

const (
	inRegisters home = 0  // its subscripts are constants
	inPTXMemory home = -1 // they are not; what the last stage makes of it is not known yet
	inMemory    home = -2
	// More than 0: in registers that moves pick; the bytes between the places that its
	// subscripts can mean.
)

// homes are the private arrays that have constant subscripts only in part.
type homes map[lower.ObjectID]home

// notePrivate makes an access part of what decides about its array.
func (r *resolver) notePrivate(p *value, size int64, node trace.NodeID, store bool) {
	if r.homes[p.root] != inPTXMemory || p.form.isConst() {
		return
	}
	align := int64(trace.MaxWide)
	for _, t := range p.form.terms {
		x := t.coef
		for _, l := range r.loops {
			if reg, by, ok := l.counter(t.sym); l.rolled && ok && by == 0 {
				x *= r.counterStep(l, reg)
			}
		}
		align = min(align, lowestBit(x))
	}
	r.trace.AddPrivate(trace.PrivateAccess{Node: node, Root: p.root, Store: store,
		Where: string(linear{terms: p.form.terms}.appendKey(nil)), At: p.form.c, Size: size, Align: align})
}

// judge decides about the arrays of which only PTX's place is known, and reports whether the warp
// is to be resolved again.
func (r *resolver) judge(live []bool) (again bool) {
	for id, h := range r.homes {
		if h == inPTXMemory {
			r.homes[id] = r.homeOf(id, live)
			again = again || r.homes[id] > 0
		}
	}
	return again
}

func (r *resolver) homeOf(id lower.ObjectID, live []bool) home {
	o := r.k.Object(id)
	if !r.opt.SASS() || len(r.memory.types[id]) > 1 {
		return inMemory
	}
	if stride := r.trace.Pickable(id, o.Size, live); stride > 0 {
		return home(stride)
	}
	return inMemory
}

// picks reports whether an access goes to an array in registers that moves pick, at a subscript
// that the compiler does not know.
func (r *resolver) picks(p *value) bool { return r.homes[p.root] > 0 && !p.form.isConst() }

// placesOf calls f for the places of an array that an access at an address may mean, with the
// offset in the array and what the variable part of the address then is.
func (r *resolver) placesOf(p *value, elem, c int64, f func(offset, is int64)) {
	stride := int64(r.homes[p.root])
	for o := (c%stride + stride) % stride; o+elem <= r.k.Object(p.root).Size; o += stride {
		f(o, o-c)
	}
}

// compared returns the comparison of the variable part of an address with a number.
func (r *resolver) compared(in *lower.Instr, p *value, is int64) []trace.NodeID {
	key := func() []byte {
		k := append(r.numbering.key[:0], 'c')
		k = enc.AppendUvarint(k, uint64(p.root))
		k = enc.AppendVarint(k, is)
		f := p.form
		f.c = 0
		k = f.appendKey(k)
		r.numbering.key = k
		return k
	}
	if e, ok := r.numbering.find(key()); ok && r.mask&^e.mask == 0 {
		return e.v.deps
	}
	v := r.newValue(lower.Pred)
	v.form, v.level = symbol(v), p.level
	if deps := r.addressDeps(p, idg.SpacePrivate, in.Pos); r.silent == 0 {
		v.deps = r.produce(trace.Node{Op: "setp.s32", Pos: in.Pos}, deps, nil)
	}
	r.numbering.put(key(), entry{v: v, mask: r.mask}, p.level, r.level, false)
	return v.deps
}

// move records the move of a value of some bytes under a predicate.
func (r *resolver) move(in *lower.Instr, elem int64, deps []trace.NodeID) []trace.NodeID {
	if r.silent > 0 {
		return nil
	}
	var out []trace.NodeID
	for range max(1, elem/wordBytes) {
		out = trace.Union(out, r.produce(trace.Node{Op: "mov.s32", Pos: in.Pos}, deps, nil))
	}
	return out
}

// loadPicked is a load of an array in registers that moves pick.
func (r *resolver) loadPicked(in *lower.Instr, p *value, elem int64) {
	for i, d := range in.Dsts {
		v := r.newValue(in.Type)
		v.from, v.level, v.form = fromMemory, max(p.level, r.level), symbol(v)
		r.readPrivate(v, p, int64(i)*elem)
		r.placesOf(p, elem, p.form.c+int64(i)*elem, func(o, is int64) {
			deps := r.compared(in, p, is)
			if c := r.memory.cells[cell{p.root, o, in.Type}]; c != nil {
				deps = trace.Union(deps, r.depsOf(c))
			}
			v.deps = trace.OneRegister(v.deps, r.move(in, elem, deps))
		})
		r.set(d, v)
	}
}

// storePicked is a store to an array in registers that moves pick.
func (r *resolver) storePicked(in *lower.Instr, p *value, vals []*value, elem int64) {
	for i, stored := range vals {
		r.placesOf(p, elem, p.form.c+int64(i)*elem, func(o, is int64) {
			key := cell{p.root, o, in.Type}
			deps := trace.Union(r.compared(in, p, is), r.depsOf(stored))
			if c := r.memory.cells[key]; c != nil {
				deps = trace.Union(deps, trace.Overwritten(r.depsOf(c)))
			}
			v := r.newValue(in.Type)
			v.from, v.level, v.form = fromMemory, r.level, symbol(v)
			v.deps = r.move(in, elem, deps)
			r.memory.setCell(key, v)
			r.memory.writes = append(r.memory.writes, key)
		})
	}
}
