package unroll

import (
	"gpupipe/idg/isa"
	"gpupipe/lower"
	"gpupipe/unroll/arithmetic"
	"gpupipe/unroll/trace"
)

var verbs = map[lower.Op]isa.Verb{
	lower.Add: isa.Add, lower.Sub: isa.Sub, lower.Mul: isa.Mul, lower.Div: isa.Div, lower.Rem: isa.Rem,
	lower.Neg: isa.Neg,
	lower.And: isa.And, lower.Or: isa.Or, lower.Xor: isa.Xor, lower.Not: isa.Not, lower.Shl: isa.Shl,
	lower.Shr: isa.Shr,
	lower.Min: isa.Min, lower.Max: isa.Max, lower.Abs: isa.Abs, lower.MulHi: isa.MulHi, lower.Select: isa.Select,
	lower.Eq: isa.Compare, lower.Ne: isa.Compare, lower.Lt: isa.Compare, lower.Le: isa.Compare, lower.Gt: isa.Compare,
	lower.Ge:      isa.Compare,
	lower.PtrDiff: isa.Sub, lower.Bitcast: isa.Mov,
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
	case lower.PtrDiff:
		return "sub.s64"
	}
	return plainNames[in.Op][typ]
}

// plainNames are the names of the operations in verbs, and of multiply-adds, on operands of each
// type.
var plainNames = func() (names [64][lower.Ptr + 1]string) {
	for t := lower.Type(0); t <= lower.Ptr; t++ {
		for op, verb := range verbs {
			names[op][t] = verb.String() + "." + t.String()
		}
		names[lower.Fma][t] = isa.MultiplyAdd(isa.TypeNamed(t.String())).String()
	}
	return names
}()

// describe returns the node of an operation, ready for contraction.
func (r *resolver) describe(in *lower.Instr, args []*value) trace.Node {
	n := trace.Node{Op: opName(in), Pos: in.Pos}
	if r.opt.Level == O0 && !in.Type.IsFloat() {
		return n // P19 counts a floating multiply-add as one operation, no other
	}
	switch in.Op {
	case lower.Mul:
		n.Contraction = trace.IsMul
	case lower.Shl, lower.Shr:
		if args[1].konst && (in.Op == lower.Shl || !in.Type.IsSigned()) {
			n.Contraction = trace.IsShift
		}
	case lower.Add, lower.Sub:
		n.Contraction = trace.IsAddSub
		n.X, n.Y = args[0].producer(), args[1].producer()
		if n.X == n.Y {
			n.X, n.Y = 0, 0
		}
	}
	return n
}

// expand records the instructions of an operation that is not one instruction
// in optimised code: divisions (divide.go), in machine code functions too (package routine). It
// returns the producers of the result.
func (r *resolver) expand(in *lower.Instr, args []*value) []trace.NodeID {
	if in.Op == lower.Div || in.Op == lower.Rem {
		switch {
		case in.Type.IsInteger():
			if v := r.divideIntegers(in, args[0], args[1]); v != nil {
				return r.depsOf(v)
			}
		case in.Op == lower.Div && args[1].konst && isPowerOfTwo(arithmetic.ToFloat(in.Type, args[1].u)):
			return r.produce(trace.Node{Op: "mul." + in.Type.String(), Pos: in.Pos, Contraction: trace.IsMul},
				r.depsOfAll(args), nil)
		}
	}
	if d := r.expandFunction(in, args); d != nil {
		return d
	}
	if d := r.packed(in, args); d != nil {
		return d
	}
	d := r.produce(r.describe(in, args), r.depsOfAll(args), nil)
	r.noteComponent(in, d)
	return d
}

// part records an instruction of what stands for one operation of the source, unless it has
// been recorded for these operands. Nobody asks for the contents of its result. Routines are
// written when loops have been left alone, so that their steps stay in every iteration.
func (r *resolver) part(op string, c trace.Contraction, pos lower.Pos, t lower.Type, args ...*value) *value {
	key := func() []byte {
		k := append(append(append(r.numbering.key[:0], 's', byte(c)), op...), 0)
		for _, a := range args {
			k = a.appendKey(k)
		}
		r.numbering.key = k
		return k
	}
	if e, ok := r.numbering.find(key()); ok {
		return e.v
	}
	v := r.newValue(t)
	for _, a := range args {
		v.level = max(v.level, a.level)
		v.from |= a.from
	}
	if c == trace.IsStep {
		v.level = r.level
	}
	v.deps = r.produce(trace.Node{Op: op, Pos: pos, Contraction: c}, r.depsOfAll(args), nil)
	v.form = symbol(v)
	r.numbering.put(key(), entry{v: v}, v.level, r.level, true)
	return v
}

func isPowerOfTwo(f float64) bool {
	u := uint64(f)
	return f >= 1 && float64(u) == f && u&(u-1) == 0
}
