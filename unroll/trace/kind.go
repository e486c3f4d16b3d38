package trace

import (
	"gpupipe/idg"
	"gpupipe/idg/isa"
	"gpupipe/lower"
)

// kindID names a kind of a trace, from 1.
type kindID uint32

// kind is what the recorded instructions of one place in the source have in
// common.
type kind struct {
	op          string
	typ         string // memory accesses: element type
	pos         lower.Pos
	loop        lower.LoopID // innermost loop it was executed in
	contraction Contraction
}

// Contraction says what part a node can play when instructions become one: a
// multiply-add, or an operation of machine code (combine.go).
type Contraction uint8

const (
	NotContractible Contraction = iota
	IsMul
	IsAddSub
	IsShift // by a constant, to the right without sign
	IsStep  // of a routine, combined with nothing
)

// kindFacts is a kind with what the passes ask about it.
type kindFacts struct {
	kind
	is        isa.Op // op, taken apart
	narrow    kindID // the kind with 32-bit arithmetic instead of 64-bit; 0 = none
	role      role   // in the combinations of machine code
	units     units  // that execute it
	pairable  bool   // can be one of a pair that is issued at once
	needsWide bool   // may use the high half of a 64-bit operand
	fused     kindID // the kind with the multiply-add instead of the sum; 0 = not asked for yet

	// The class of the last instruction that was written to the graph.
	access idg.AccessID
	lanes  uint8
	class  idg.InstrID
}

// kinds interns the kinds of a trace.
type kinds struct {
	list  []kindFacts // by kindID - 1
	index map[kind]kindID
	// recent holds kinds by a cheap hash of their position and operation: most
	// instructions are those of the iteration before.
	recent [256]kindID
}

func (k *kinds) of(id kindID) *kindFacts { return &k.list[id-1] }

func (k *kinds) intern(x kind) kindID {
	h := uint(x.pos.Line)*31 + uint(x.pos.Column)*7 + uint(x.loop)
	for i := range len(x.op) {
		h = h*3 + uint(x.op[i])
	}
	slot := &k.recent[h%uint(len(k.recent))]
	if *slot != 0 && k.of(*slot).kind == x {
		return *slot
	}
	id, ok := k.index[x]
	if !ok {
		id = k.add(x)
	}
	*slot = id
	return id
}

func (k *kinds) add(x kind) kindID {
	if k.index == nil {
		k.index = map[kind]kindID{}
	}
	op := isa.Parse(x.op)
	k.list = append(k.list, kindFacts{
		kind: x, is: op, role: roleOf(op, x.contraction), units: unitsOf(op, x.contraction),
		pairable: x.contraction != IsStep && op.Pairs(), needsWide: needsWide(op, x.typ),
	})
	id := kindID(len(k.list))
	k.index[x] = id
	if (op.Simple(isa.S64) || op.Simple(isa.U64)) && op.LowBitsSuffice() {
		x.op = op.Typed(op.Type.Narrow()).String()
		narrow := k.intern(x)
		k.of(id).narrow = narrow
	}
	return id
}

// fused returns the kind of a sum that has become a multiply-add.
func (k *kinds) fused(sum kindID) kindID {
	if id := k.of(sum).fused; id != 0 {
		return id
	}
	x := k.of(sum).kind
	x.op, x.contraction = isa.MultiplyAdd(k.of(sum).is.Type).String(), NotContractible
	id := k.intern(x)
	k.of(sum).fused = id
	return id
}

// renamed returns a kind with another op, which takes no part in contraction.
func (k *kinds) renamed(id kindID, op isa.Op) kindID {
	x := k.of(id).kind
	x.op, x.contraction = op.String(), NotContractible
	return k.intern(x)
}

// needsWide reports whether an instruction may use the high half of a 64-bit
// operand: addresses but those of local memory, 64-bit values, conversions from 64
// bits, loop counters.
func needsWide(op isa.Op, element string) bool {
	switch {
	case op.Memory():
		return op.Space != isa.Local || op.Has(isa.Async) || isa.TypeNamed(element).Wide()
	case op.Verb == isa.Loop:
		return true
	}
	return op.Operand().Wide() && op.Operand() != isa.Ptr
}
