package trace

import (
	"strings"

	"gpupipe/idg"
	"gpupipe/lower"
)

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
func unitsOf(op string, c Contraction) units {
	verb, typ, _ := strings.Cut(op, ".")
	switch {
	case verb == LoopOp:
		return integerAndLoop
	case op == idg.LoopBranch:
		return noUnits
	case verb == "branch", verb == "setp":
		return integerUnits
	case op == wideMultiplyAdd, op == MultiplyIndex:
		return multiplyTwice
	case typ == lower.F32.String():
		switch verb {
		case "add", "sub", "mul", "fma":
			return multiplyUnits
		case "min", "max", "select":
			return integerUnits
		}
		return noUnits
	case typ != lower.S32.String() && typ != lower.U32.String():
		if verb == "add" && typ == lower.S64.String() {
			return integerTwice
		}
		return noUnits
	}
	switch verb {
	case "mul", "mad", "mulhi":
		return multiplyUnits
	case "add", "sub", "neg", "mov":
		return eitherUnits
	case "shl":
		if c == IsShift {
			return eitherUnits
		}
		return integerUnits
	case "shr", "and", "or", "xor", "not", "min", "max", "select", "abs", "rotate", "index":
		return integerUnits
	}
	return noUnits
}

// balance makes integer instructions multiply-adds in basic blocks that have more of them than
// of what the multiply-add units do.
func balance(t *Trace, live []bool) {
	if !t.Machine {
		return
	}
	var movable []int
	integers, others := 0, 0
	flush := func() {
		n := min(len(movable), max(0, (integers-others)/2))
		for k := range n {
			i := movable[k*len(movable)/n]
			m := t.at(i)
			_, typ, _ := strings.Cut(t.kinds.of(m.kind).op, ".")
			kind := t.kinds.renamed(m.kind, "mad."+typ)
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
	case strings.HasPrefix(k.op, "mov"):
		return operands > 0
	case k.contraction == IsStep:
		return !strings.HasPrefix(k.op, "add") // which add a constant
	case strings.HasPrefix(k.op, "add"), strings.HasPrefix(k.op, "sub"):
		return operands == 2 && k.contraction != NotContractible
	}
	return operands == 1
}
