package unroll

import (
	enc "encoding/binary"
	"math/bits"

	"gpupipe/lower"
	"gpupipe/unroll/trace"
)

// maxLanes is the largest warp size (AMD's wavefronts).
const maxLanes = 64

// laneMask is a set of lanes of the warp.
type laneMask uint64

func (m laneMask) count() int { return bits.OnesCount64(uint64(m)) }

// valueID names a value within one resolution; it is the value's number in
// value numbering. The zero value means "none".
type valueID uint32

// origin says where a value's knowledge comes from, as a set.
type origin uint8

const (
	fromArgs     origin = 1 << iota // scalar arguments
	fromWorkItem                    // work-item ids
	fromLaunch                      // launch sizes
	fromMemory                      // loaded values
	fromAssumed                     // assumed or given trip counts and branches
)

func (o origin) String() string {
	switch {
	case o == 0:
		return "constant"
	case o&fromMemory != 0:
		return "memory"
	case o&fromAssumed != 0:
		return "assumed"
	case o&fromWorkItem != 0:
		return "work-item ids"
	case o&fromArgs != 0:
		return "arguments"
	}
	return "launch sizes"
}

// value is what one register holds at one moment: the lanes' contents as far
// as they are known, the trace nodes that produce it, and its symbolic form.
// Values are immutable once another value or register refers to them, except
// for deps, which a lazy value gets when it is first needed.
type value struct {
	id    valueID
	level int32          // rolled-loop nesting in which the value varies; 0 = invariant everywhere
	root  lower.ObjectID // pointers, and integers made of them: the object pointed into; 0 = not known
	typ   lower.Type
	index lower.Type // pointers: type of the subscripts added so far (decides the width of address arithmetic)
	from  origin
	konst bool // known to the compiler: the same constant u in every lane
	// shared: a constant that the compiler knows to be the same as any other such
	// of its type and contents.
	shared bool
	lazy   bool // an integer whose instructions are emitted when it is used (its form says how)
	// computed: lanes and known have been evaluated. Sums that address arithmetic
	// needs on the way are not.
	computed bool

	// same: the contents are not known, but the same in all lanes.
	same bool

	known laneMask // lanes whose contents are known to us (konst: all)
	u     uint64   // contents of every known lane when lanes is nil
	lanes []uint64 // contents by lane

	deps   []trace.NodeID // producers; nil for constants, arguments and lazy values
	pieces []piece        // where lanes have different ones: deps is what all of these are; nil = they have not
	form   linear         // integers and pointers: its symbolic form
	own    [1]term        // the terms of symbol(v)
	// A symbol that is the product of a loop counter and an invariant value.
	factors *[2]*value

	bits  *bitField // which bits of another value it is; nil = it is none
	drift *drift    // while a proof follows contents
}

// producer is the instruction that computes a value in all lanes, 0 if it is not one.
func (v *value) producer() trace.NodeID {
	if v.lazy || v.pieces != nil || len(v.deps) != 1 {
		return 0
	}
	return v.deps[0]
}

// same reports whether a compiler knows that two values are equal.
func same(a, b *value) bool {
	return a == b || a != nil && b != nil && a.shared && b.shared && a.typ == b.typ && a.u == b.u
}

// appendKey appends what tells the value from others: its number, or, of a
// constant, its type and contents.
func (v *value) appendKey(k []byte) []byte {
	if !v.shared {
		return enc.AppendUvarint(k, uint64(v.id))
	}
	return enc.AppendUvarint(append(k, 0, byte(v.typ)), v.u)
}

// at returns the contents of a lane.
func (v *value) at(lane int) uint64 {
	if v.lanes == nil {
		return v.u
	}
	return v.lanes[lane]
}

// isKnown reports whether every lane of m is known.
func (v *value) isKnown(m laneMask) bool { return m&^v.known == 0 }

// uniform returns the common contents of the lanes of m.
func (v *value) uniform(m laneMask) (uint64, bool) {
	if m == 0 || !v.isKnown(m) {
		return 0, false
	}
	if v.lanes == nil {
		return v.u, true
	}
	x := v.lanes[bits.TrailingZeros64(uint64(m))]
	for r := m; r != 0; r &= r - 1 {
		if v.lanes[bits.TrailingZeros64(uint64(r))] != x {
			return 0, false
		}
	}
	return x, true
}

// trueLanes returns the lanes of m in which a known condition holds, and those
// in which it is not known.
func (v *value) trueLanes(m laneMask) (yes, unknown laneMask) {
	unknown = m &^ v.known
	m &= v.known
	if v.lanes == nil {
		if v.u != 0 {
			yes = m
		}
		return yes, unknown
	}
	for r := m; r != 0; r &= r - 1 {
		l := bits.TrailingZeros64(uint64(r))
		if v.lanes[l] != 0 {
			yes |= 1 << l
		}
	}
	return yes, unknown
}

// isExact reports whether an integer equals its symbolic form without
// wrap-around in every lane where both are known.
func (v *value) isExact() bool {
	if v.form.isSymbol() && v.form.terms[0].sym == v || v.konst {
		return true
	}
	m := v.known
	for _, t := range v.form.terms {
		m &= t.sym.known
	}
	uniform := v.lanes == nil
	for ; m != 0; m &= m - 1 {
		l := bits.TrailingZeros64(uint64(m))
		sum := v.form.c
		for _, t := range v.form.terms {
			sum += t.coef * int64(t.sym.at(l))
			uniform = uniform && t.sym.lanes == nil
		}
		if sum != int64(v.at(l)) {
			return false
		}
		if uniform {
			break
		}
	}
	return true
}
