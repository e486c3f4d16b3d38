package trace

import (
	"math"
	"slices"

	"gpupipe/idg/isa"
)

// The stage that turns PTX into machine code also combines integer instructions, since
// NVIDIA's have up to three operands. nvcc's stage is modelled (Options.Machine) for
// compute capability 7.0 and later, as kernels compiled for the purpose show it
// (TestMachineCode of internal/evidence/fidelity):
//
//   - An address base + index*size is one wide multiply-add (IMAD.WIDE), also where several
//     buffers have the same index.
//   - A 64-bit sum is two additions with a carry; extending a 32-bit index takes none in
//     addition (IADD3.X with 0, LEA.HI.X.SX32), and neither does shifting a 64-bit one
//     (LEA, LEA.HI.X).
//   - A sum of three, or of a shifted value and another, is one instruction (IADD3,
//     LEA, LEA.HI), where nobody else uses the inner result. So is a logical function of
//     three (LOP3).
//     Nothing is summed with a shift of bits that were shifted before (extracts).
//   - A comparison combines its result with another predicate (ISETP.AND, ISETP.OR).
//   - Accesses of local memory scale a 32-bit index by 4, 8 or 16 (see scaledAddress).
//
// What it combines is in one basic block, but for addresses. Logic that two instructions need
// may be in both.

// role is what an instruction can be in a combination.
type role uint8

const (
	noRole      role = iota
	wideProduct      // 32-bit operands, 64-bit result
	wideIndex        // an extension to 64 bits, or a shift of 64 bits by a constant
	wideSum          // a 64-bit addition
	sum              // an addition or subtraction of 32 bits
	shifted          // a shift of 32 bits by a constant, to the right without sign
	logical          // bits of 32
	comparison       // a predicate from two operands
	connective       // a predicate from two
)

// roleOf tells the role by the op.
func roleOf(op isa.Op, c Contraction) role {
	narrow := op.Simple(isa.S32) || op.Simple(isa.U32)
	switch {
	case c == IsStep:
	case op == multiplyIndex:
		return wideProduct
	case op == extendIndex || op.Plain(isa.Shl, isa.S64) && c == IsShift:
		return wideIndex
	case op == longSum:
		return wideSum
	case op.Verb == isa.Compare:
		return comparison
	case op.Simple(isa.Pred) && (op.Verb == isa.And || op.Verb == isa.Or || op.Verb == isa.Xor):
		return connective
	case narrow && (op.Verb == isa.Add || op.Verb == isa.Sub):
		return sum
	case narrow && c == IsShift:
		return shifted
	case narrow && (op.Verb == isa.And || op.Verb == isa.Or || op.Verb == isa.Xor || op.Verb == isa.Not):
		return logical
	}
	return noRole
}

// mostOperands is how many registers a machine instruction reads.
const mostOperands = 3

// combine makes machine instructions out of integer ones.
func combine(t *Trace, live []bool) {
	if !t.SASS() {
		return
	}
	c := combiner{t: t, live: live, uses: make([]uint32, t.length), combined: make([]bool, t.length),
		constants: make([]uint8, t.length)}
	for i := range t.length {
		if live[i] {
			for _, d := range t.deps(t.at(i)) {
				c.uses[d-1]++
			}
		}
	}
	for i := range t.length {
		if !live[i] {
			continue
		}
		c.node(i)
		if t.at(i).flags&Gate != 0 {
			c.block = i + 1
		}
	}
}

type combiner struct {
	t         *Trace
	live      []bool
	uses      []uint32 // data dependences on each node
	combined  []bool   // nodes that have become a combination
	constants []uint8  // operands of logical nodes that are not nodes
	block     int      // index at which the current basic block begins
}

// node combines an instruction with those that produce its operands.
func (c *combiner) node(i int) {
	n := c.t.at(i)
	k := c.t.kinds.of(n.kind)
	switch k.role {
	case wideSum:
		for _, d := range slices.Clone(c.t.operands(n)) {
			switch r := c.role(d); {
			case r == wideProduct && !c.combined[i]:
				c.absorb(i, d, c.t.kinds.renamed(n.kind, wideMultiplyAdd))
				return
			case r == wideIndex && !c.combined[i]:
				c.index(i, d)
				return
			}
		}
	case sum:
		if slices.ContainsFunc(c.t.operands(n), c.extracts) {
			return // a subscript in bytes: what is added to them is scaled, which takes the second operand
		}
		c.first(i, func(d NodeID) bool {
			switch r := c.role(d); r {
			case shifted:
				return true
			case sum:
				return !c.combined[d-1] && c.operands(i, d) > 1
			}
			return false
		}, c.t.kinds.renamed(n.kind, k.is), 1)
	case logical:
		c.constants[i] = c.ownConstants(n)
		for c.first(i, func(d NodeID) bool {
			if c.role(d) != logical || c.operands(i, d)+int(c.constants[i]+c.constants[d-1]) > mostOperands {
				return false
			}
			c.constants[i] += c.constants[d-1]
			return true
		}, n.kind, anyUses) {
		}
	case connective:
		c.first(i, func(d NodeID) bool { return c.role(d) == comparison && !c.combined[d-1] }, 0, 1)
	}
}

// index adds an index that is extended, shifted, or both, which is a product.
func (c *combiner) index(i int, d NodeID) {
	kind := c.t.at(i).kind
	inner := NodeID(0)
	if deps := c.t.deps(c.t.node(d)); len(deps) == 1 && c.op(d) != extendIndex && c.op(deps[0]) == extendIndex {
		inner, kind = deps[0], c.t.kinds.renamed(kind, wideMultiplyAdd)
	}
	c.absorb(i, d, kind)
	if inner != 0 {
		c.absorb(i, inner, kind)
	}
}

func (c *combiner) role(d NodeID) role { return c.t.kinds.of(c.t.node(d).kind).role }
func (c *combiner) op(d NodeID) isa.Op { return c.t.kinds.of(c.t.node(d).kind).is }

// extracts reports whether a shift to the left moves bits that have been shifted to the right,
// or masked, for it alone: to the compiler that is one shift, and a mask behind it.
func (c *combiner) extracts(d NodeID) bool {
	deps := c.t.deps(c.t.node(d))
	if len(deps) != 1 || c.op(d).Verb != isa.Shl || c.uses[deps[0]-1] != 1 || len(c.t.deps(c.t.node(deps[0]))) != 1 {
		return false
	}
	inner := c.op(deps[0]).Verb
	return inner == isa.Shr || inner == isa.And
}

// ownConstants counts the operands of a logical instruction that no other instruction produces.
func (c *combiner) ownConstants(n recorded) uint8 {
	operands := 2
	if c.t.kinds.of(n.kind).is.Verb == isa.Not {
		operands = 1
	}
	return uint8(max(operands-len(c.t.operands(n)), 0))
}

// anyUses lets an operand be absorbed that others use, too.
const anyUses = math.MaxUint32

// first absorbs the first operand of a node that fits, that is used at most so often and is
// of the same basic block, if there is one. What comes out is of a kind, or that of the
// operand if it is 0.
func (c *combiner) first(i int, fits func(NodeID) bool, kind kindID, uses uint32) bool {
	n := c.t.at(i)
	set := slices.Clone(c.t.dataSet(n))
	if slices.ContainsFunc(set, NodeID.isEarlier) {
		return false // no single instruction produces the operand
	}
	for _, d := range set {
		m := c.t.node(d)
		if c.uses[d-1] > uses || m.flags&Root != 0 || int(d-1) < c.block ||
			c.operands(i, d) > mostOperands || !fits(d) {
			continue
		}
		if kind == 0 {
			kind = m.kind
		}
		c.absorb(i, d, kind)
		return true
	}
	return false
}

// together is what a node depends on when it has absorbed one of its operands.
func (c *combiner) together(i int, d NodeID) []NodeID {
	rest := slices.DeleteFunc(slices.Clone(c.t.dataSet(c.t.at(i))), func(e NodeID) bool { return e == d })
	return Union(rest, c.t.dataSet(c.t.node(d)))
}

// operands is how many operands a node has then.
func (c *combiner) operands(i int, d NodeID) (n int) {
	for _, e := range c.together(i, d) {
		if !e.isEarlier() {
			n++
		}
	}
	return n
}

// absorb makes a node compute what one of its operands has computed so far. The
// operand stays if others use it.
func (c *combiner) absorb(i int, d NodeID, kind kindID) {
	for _, e := range c.t.deps(c.t.at(i)) {
		c.uses[e-1]--
	}
	deps := slices.Clone(c.together(i, d))
	c.t.change(c.t.at(i), func(x *content) { x.kind, x.deps, x.x, x.y = kind, deps, 0, 0 })
	for _, e := range deps {
		c.uses[e.Node()-1]++
	}
	c.combined[i] = true
	if c.uses[d-1] > 0 || c.t.node(d).flags&Root != 0 {
		return
	}
	c.live[d-1] = false
	for _, e := range c.t.deps(c.t.node(d)) {
		c.uses[e-1]--
	}
}
