package trace

import "gpupipe/idg/isa"

// From compute capability 7.0 on integers are multiplied where single precision is, and added,
// compared and shifted by units of their own, each of which takes an instruction of a warp every
// second cycle (CUDA C++ Programming Guide, Throughput of Native Arithmetic Instructions: 64 of
// both per compute unit). What the latter would do, the former can do as well: a sum is
// x*1 + y, a shift to the left a product, a negation a difference (IMAD.IADD, IMAD.SHL,
// IMAD.MOV). ptxas 11.8 writes them so in code that has more for the integer units than for the
// others, and hardly anywhere else (docs/evidence/fidelity.md, Two kinds of units): those with two
// registers for operands, of 32 bits, that stand for nothing else.

// units is which units execute a kind of instruction.
type units uint8

const (
	noUnits        units = iota
	integerUnits         // alone
	multiplyUnits        // single precision, and products of integers
	eitherUnits          // the integer units, as a multiply-add the others
	integerTwice         // two instructions
	multiplyTwice        // a result of 64 bits
	integerAndLoop       // increment, compare and branch
)

// unitsOf tells the units by the op.
func unitsOf(op isa.Op, c Contraction) units {
	switch {
	case op.Verb == isa.Loop:
		return integerAndLoop
	case op.RolledLoop():
		return noUnits
	case op.Verb == isa.Branch, op.Verb == isa.Compare:
		return integerUnits
	case op == wideMultiplyAdd, op == multiplyIndex:
		return multiplyTwice
	case op.Simple(isa.F32):
		switch op.Verb {
		case isa.Add, isa.Sub, isa.Mul, isa.Fma:
			return multiplyUnits
		case isa.Min, isa.Max, isa.Select:
			return integerUnits
		}
		return noUnits
	case op == longSum:
		return integerTwice
	case !op.Simple(isa.S32) && !op.Simple(isa.U32):
		return noUnits
	}
	switch op.Verb {
	case isa.Mul, isa.Mad, isa.MulHi:
		return multiplyUnits
	case isa.Add, isa.Sub, isa.Neg, isa.Mov:
		return eitherUnits
	case isa.Shl:
		if c == IsShift {
			return eitherUnits
		}
		return integerUnits
	case isa.Shr, isa.And, isa.Or, isa.Xor, isa.Not, isa.Min, isa.Max, isa.Select, isa.Abs, isa.Rotate, isa.Index:
		return integerUnits
	}
	return noUnits
}

// balance makes integer instructions multiply-adds in basic blocks that have more of them than
// of what the multiply-add units do.
func balance(t *Trace, live []bool) {
	if !t.SASS() {
		return
	}
	var movable []int
	integers, others := 0, 0
	flush := func() {
		n := min(len(movable), max(0, (integers-others)/2))
		for k := range n {
			i := movable[k*len(movable)/n]
			m := t.at(i)
			kind := t.kinds.renamed(m.kind, isa.Of(isa.Mad, t.kinds.of(m.kind).is.Type))
			t.change(m, func(c *content) { c.kind, c.x, c.y = kind, 0, 0 })
		}
		movable, integers, others = movable[:0], 0, 0
	}
	for i := range t.length {
		if !live[i] {
			continue
		}
		n := t.at(i)
		switch u := t.kinds.of(n.kind).units; u {
		case integerUnits:
			integers++
		case integerTwice, integerAndLoop:
			integers += 2
		case multiplyUnits:
			others++
		case multiplyTwice:
			others += 2
		case eitherUnits:
			integers++
			if t.twoRegisters(n) {
				movable = append(movable, i)
			}
		}
		if n.flags&Gate != 0 {
			flush()
		}
	}
	flush()
}

// twoRegisters reports whether an instruction of either units is one of a multiply-add's form:
// a sum of two registers, or a negation, a move or a shift of one. What a move under a predicate
// depends on besides, the predicate and what it leaves, is no operand of it.
func (t *Trace) twoRegisters(n recorded) bool {
	k := t.kinds.of(n.kind)
	operands := len(t.operands(n))
	switch {
	case k.is.Verb == isa.Mov:
		return operands > 0
	case k.contraction == IsStep:
		return k.is.Verb != isa.Add // which add a constant
	case k.is.Verb == isa.Add, k.is.Verb == isa.Sub:
		return operands == 2 && k.contraction != NotContractible
	}
	return operands == 1
}
