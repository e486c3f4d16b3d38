package unroll

import (
	"math/bits"

	"gpupipe/lower"
)

var opNames = map[lower.Op]string{
	lower.Add: "add", lower.Sub: "sub", lower.Mul: "mul", lower.Div: "div", lower.Rem: "rem", lower.Neg: "neg",
	lower.And: "and", lower.Or: "or", lower.Xor: "xor", lower.Not: "not", lower.Shl: "shl", lower.Shr: "shr",
	lower.Min: "min", lower.Max: "max", lower.Abs: "abs", lower.MulHi: "mulhi", lower.Select: "select",
	lower.Eq: "setp", lower.Ne: "setp", lower.Lt: "setp", lower.Le: "setp", lower.Gt: "setp", lower.Ge: "setp",
	lower.PtrDiff: "sub",
}

// opName is the graph's name of an operation.
func opName(in *lower.Instr) string {
	typ := in.Type
	if typ == lower.Ptr {
		typ = lower.U64
	}
	switch in.Op {
	case lower.Convert:
		return "cvt." + typ.String() + "." + in.From.String()
	case lower.Call:
		return in.Fn + "." + typ.String()
	case lower.Fma:
		return multiplyAdd(typ.String())
	case lower.PtrDiff:
		return "sub.s64"
	case lower.Bitcast:
		return "mov." + typ.String()
	}
	return plainNames[in.Op][typ]
}

// plainNames are the names of the operations in opNames on operands of each
// type.
var plainNames = func() (names [64][lower.Ptr + 1]string) {
	for op, verb := range opNames {
		for t := lower.Type(0); t <= lower.Ptr; t++ {
			names[op][t] = verb + "." + t.String()
		}
	}
	return names
}()

// describe returns the node of an operation, ready for contraction.
func (r *resolver) describe(in *lower.Instr, args []*value) node {
	n := node{op: opName(in), pos: in.Pos}
	single := func(v *value) nodeID {
		if len(v.deps) == 1 && !v.lazy {
			return v.deps[0]
		}
		return 0
	}
	if r.opt.Level == O0 && !in.Type.IsFloat() {
		return n // P19 counts a floating multiply-add as one operation, no other
	}
	switch in.Op {
	case lower.Mul:
		n.contraction = isMul
	case lower.Shl, lower.Shr:
		if args[1].konst && (in.Op == lower.Shl || !in.Type.IsSigned()) {
			n.contraction = isShift
		}
	case lower.Add, lower.Sub:
		n.contraction = isAddSub
		n.x, n.y = single(args[0]), single(args[1])
		if n.x == n.y {
			n.x, n.y = 0, 0
		}
	}
	return n
}

// expand records the instructions of an operation that is not one instruction
// in optimised code: divisions by constants. It returns the producers of the result.
func (r *resolver) expand(in *lower.Instr, args []*value) []nodeID {
	deps := r.depsOfAll(args)
	if len(args) == 2 && args[1].konst {
		switch {
		case (in.Op == lower.Div || in.Op == lower.Rem) && in.Type.IsInteger():
			return r.divideByConstant(in, deps, int64(args[1].u))
		case in.Op == lower.Div && in.Type.IsFloat() && isPowerOfTwo(toFloat(in.Type, args[1].u)):
			return r.produce(node{op: "mul." + in.Type.String(), pos: in.Pos, contraction: isMul}, deps, nil)
		}
	}
	return r.produce(r.describe(in, args), deps, nil)
}

func isPowerOfTwo(f float64) bool {
	u := uint64(f)
	return f >= 1 && float64(u) == f && u&(u-1) == 0
}

// divideByConstant records the usual sequences: shifts and masks for powers of
// two, otherwise the high half of a product with a magic number, shifted, plus
// the sign's correction; a remainder multiplies back and subtracts.
func (r *resolver) divideByConstant(in *lower.Instr, deps []nodeID, by int64) []nodeID {
	t := "." + in.Type.String()
	abs := uint64(by)
	if in.Type.IsSigned() && by < 0 {
		abs = uint64(-by)
	}
	power := bits.OnesCount64(abs) == 1
	chain := func(ops ...string) []nodeID {
		d := deps
		for i, op := range ops {
			n := node{op: op + t, pos: in.Pos}
			if i == 1 && power {
				n.contraction = isShift // the sign's bits, which are added
			}
			d = r.produce(n, d, nil)
		}
		return d
	}
	switch {
	case power && !in.Type.IsSigned() && in.Op == lower.Div:
		return chain("shr")
	case power && !in.Type.IsSigned():
		return chain("and")
	case power && in.Op == lower.Div:
		return chain("shr", "shr", "add", "shr")
	case power:
		return chain("shr", "shr", "add", "and", "sub")
	}
	q := []string{"mulhi", "shr"}
	if in.Type.IsSigned() {
		q = []string{"mulhi", "shr", "shr", "add"}
	}
	if in.Op == lower.Rem {
		q = append(q, "mad")
	}
	return chain(q...)
}
