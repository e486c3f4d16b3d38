package unroll

import (
	enc "encoding/binary"
	"slices"

	"gpupipe/lower"
	"gpupipe/unroll/arithmetic"
	"gpupipe/unroll/trace"
)

// stream is an address that advances by a fixed amount in every iteration.
type stream struct {
	deps []trace.NodeID // producer of the current iteration's address
	op   string         // the increment
	pos  lower.Pos
}

// innermost is the innermost loop that is being executed, nil outside of loops. One that the compiler knows to have
// one iteration is straight code of the loop around it.
func (r *resolver) innermost() *activeLoop {
	for _, a := range slices.Backward(r.loops) {
		if !a.plan.full || !a.plan.constant || a.plan.trips > 1 {
			return a
		}
	}
	return nil
}

// reduces reports whether address streams of a kind are incremented instead of
// computed from the counter.
func (a *activeLoop) reduces(wide bool, index lower.Type) bool {
	if wide {
		return a.wide || a.wide64 && (index == lower.S64 || index == lower.U64)
	}
	return a.narrow
}

// streamAddress finds or starts the address stream of an access in an innermost
// rolled loop: a pointer that is incremented once per iteration (strength
// reduction).
func (r *resolver) streamAddress(p, base *value, index linear, wide bool) ([]trace.NodeID, bool) {
	l := r.innermost()
	if l == nil || !l.rolled || !l.reduces(wide, p.index) && !(wide && l.narrow && r.keepsPointer(l, index)) {
		return nil, false
	}
	inv, vary := index.split(l.level)
	if len(vary.terms) == 0 || base != nil && base.level >= l.level {
		return nil, false
	}
	k := append([]byte(nil), 's', byte(arithmetic.FromBool(wide)))
	k = enc.AppendUvarint(k, uint64(p.root))
	if base != nil {
		k = enc.AppendUvarint(k, uint64(base.id))
	}
	for _, t := range vary.terms {
		reg, by, ok := l.counter(t.sym)
		if !ok {
			return nil, false
		}
		k = enc.AppendVarint(enc.AppendUvarint(enc.AppendUvarint(k, uint64(reg)), uint64(by)), t.coef)
	}
	k = inv.appendKey(append(k, '|'))
	if i, ok := l.streamIndex[string(k)]; ok {
		return l.streams[i].deps, true
	}
	s := stream{pos: r.memory.pos, op: "add.s32"}
	if wide {
		s.op = "add.s64"
	}
	// The first address is computed before the loop. The counters' symbols
	// stand for their values at entry, whose producers precede the loop.
	start := inv
	for _, t := range vary.terms {
		reg, _, _ := l.counter(t.sym)
		first := l.first[reg]
		switch f := t.sym.factors; {
		case first == nil:
		case f == nil:
			start = start.add(first.form, t.coef)
		case first.konst:
			start = start.add(symbol(f[1]), t.coef*int64(first.u))
		default:
			start = start.add(symbol(r.product(first, f[1], t.sym.typ)), t.coef)
		}
	}
	start, _ = start.offset()
	if base == nil && start.isConst() {
		s.deps = nil
	} else if start.isConst() {
		s.deps = r.depsOf(base)
	} else {
		outer := r.level
		r.level = l.level - 1
		s.deps = r.plainAddress(p, base, start, wide)
		r.level = outer
	}
	l.streamIndex[string(k)] = len(l.streams)
	l.streams = append(l.streams, s)
	return s.deps, true
}

// keepsPointer reports whether LLVM increments a pointer to device memory for an index of 32
// bits, with its code for AMD's GPUs: if the index goes up by a constant and is the sum of at
// most two values. Where it is one of more, LLVM has put these in another order, and
// forgotten that they do not wrap around (Reassociate); where the step is a value, too: it
// extends the index in every iteration.
func (r *resolver) keepsPointer(l *activeLoop, index linear) bool {
	if !r.opt.ScalarUnit() || len(index.terms) > 2 {
		return false
	}
	for _, t := range index.terms {
		if _, by, ok := l.counter(t.sym); ok && by != 0 {
			return false
		}
	}
	return true
}

// counter reports which counter of the loop a symbol is, or is a multiple of by
// an invariant symbol (by, 0 if none).
func (a *activeLoop) counter(sym *value) (reg lower.Reg, by valueID, ok bool) {
	if reg, ok = a.symbols[sym.id]; ok {
		return reg, 0, true
	}
	if f := sym.factors; f != nil && f[1].level < a.level {
		reg, ok = a.symbols[f[0].id]
		return reg, f[1].id, ok
	}
	return 0, 0, false
}
