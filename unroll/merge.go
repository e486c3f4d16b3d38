package unroll

import (
	"cmp"
	"math/bits"
	"slices"

	"gpupipe/lower"
	"gpupipe/unroll/trace"
)

// A variable is one register, of which lanes that have gone different ways write different parts. A value
// knows who has written which lanes, so that an instruction waits for those only that have written lanes of its
// own, and has one operand however many they are.

// piece is what some lanes of a register hold.
type piece struct {
	lanes laneMask
	deps  []trace.NodeID // producers
}

// newest is the last producer, 0 if there is none.
func (p piece) newest() trace.NodeID {
	if len(p.deps) == 0 {
		return 0
	}
	return p.deps[len(p.deps)-1].Node()
}

// piecesOf appends the pieces of a value in some lanes to others, those of the same producers once.
func (r *resolver) piecesOf(pieces []piece, v *value, m laneMask) []piece {
	all := v.pieces
	if deps := r.producers(v); all == nil {
		all = []piece{{m, deps}}
	}
	for _, p := range all {
		if p.lanes &= m; p.lanes == 0 {
			continue
		}
		if i := slices.IndexFunc(pieces, func(q piece) bool { return slices.Equal(p.deps, q.deps) }); i >= 0 {
			pieces[i].lanes |= p.lanes
		} else {
			pieces = append(pieces, p)
		}
	}
	return pieces
}

// consistsOf sets what produces a value.
func (v *value) consistsOf(pieces []piece) {
	v.deps, v.pieces = setOf(pieces, ^laneMask(0)), nil
	if len(pieces) > 1 {
		v.pieces = pieces
	}
}

// depsInMask is what produces a value in the lanes of the current mask.
func (r *resolver) depsInMask(v *value) []trace.NodeID {
	if !slices.ContainsFunc(v.pieces, func(p piece) bool { return p.lanes&r.mask == 0 }) {
		return v.deps
	}
	return setOf(v.pieces, r.mask)
}

// setOf is what an instruction waits for that reads a register in some lanes.
func setOf(pieces []piece, m laneMask) []trace.NodeID {
	var few [8][]trace.NodeID
	sets := few[:0]
	for _, p := range pieces {
		if p.lanes&m != 0 {
			sets = append(sets, p.deps)
		}
	}
	return trace.OneRegister(sets...)
}

// mergeLanes returns a value that is v in the lanes of m and old elsewhere. It
// depends on the producers of both.
func (r *resolver) mergeLanes(old, v *value, m laneMask) *value {
	if same(old, v) {
		return v
	}
	out := r.newValue(v.typ)
	out.consistsOf(r.piecesOf(r.piecesOf(nil, old, r.warpMask&^m), v, r.warpMask&m))
	out.from = old.from | v.from
	out.level = max(r.level, old.level, v.level)
	out.known = (v.known&m | old.known&^m) & r.warpMask
	if old.lanes == nil && v.lanes == nil && old.u == v.u {
		out.u = v.u
	} else if out.known != 0 {
		out.lanes = r.newLanes()
		copy(out.lanes, r.lanesOf(v, 0))
		for l, x := range r.lanesOf(old, 1) {
			if m>>l&1 == 0 {
				out.lanes[l] = x
			}
		}
		r.compact(out)
	}
	for _, p := range r.proofs {
		p.merged(out, old, v, m)
	}
	if r.leadsInto(v) == r.leadsInto(old) {
		out.root = r.leadsInto(v)
	}
	if v.typ == lower.Ptr {
		if v.root != old.root {
			out.known = 0
		}
		out.index = max(v.index, old.index)
	}
	out.form = symbol(out)
	return out
}

// maxPieces bounds the pieces of a value of which nobody knows who has written which lanes: a loop that
// assigns it under an unknown condition adds one with each iteration. As a write waits for the one before
// it (scoreboards stall on a pending write of the same register), the newest stand for all.
const maxPieces = 32

// either returns a value that is a or b, we do not know which.
func (r *resolver) either(a, b *value) *value {
	if same(a, b) {
		return a
	}
	v := r.mergeLanes(a, b, r.mask)
	pieces := r.piecesOf(r.piecesOf(nil, a, r.warpMask), b, r.warpMask)
	slices.SortStableFunc(pieces, func(p, q piece) int { return cmp.Compare(p.newest(), q.newest()) })
	v.consistsOf(pieces[max(0, len(pieces)-maxPieces):])
	for _, p := range r.proofs {
		if d := p.drift(v); a.known&b.known&r.warpMask != 0 || d != nil && d.erratic {
			p.decided(a, b)
		}
	}
	v.known, v.drift = 0, nil
	for m := a.known & b.known & r.warpMask; m != 0; m &= m - 1 {
		if l := bits.TrailingZeros64(uint64(m)); a.at(l) == b.at(l) {
			v.known |= 1 << l
		}
	}
	if v.typ == lower.Ptr && a.root != b.root {
		v.known = 0
	}
	v.from |= fromAssumed
	return v
}
