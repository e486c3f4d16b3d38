package legal

import (
	"gpupipe/lower"
	"gpupipe/lower/ir"
	"gpupipe/lower/machine"
)

// bfloats writes out operations on bfloat16 that a target has no instruction for: in single precision and rounded, as
// cuda_bf16.hpp and hip_bf16.h do. Sums, products and extremes are instructions from compute capability 8.0 on,
// comparisons from 9.0 on (nvcc 11.8: HFMA2.BF16_V2, HMNMX2.BF16_V2; HSETP2.BF16_V2).
func bfloats(f *ir.Func, t *machine.Target) {
	e := bfloatExpander{f: f, native: t.ISA == "sass" && t.Has("async copies"), compares: t.Has("clusters")}
	f.Body.Rewrite(func(out *ir.Block, in *ir.Instr) *ir.Instr {
		e.out, e.in = out, in
		return e.expand()
	})
}

// approximate are the functions that cuda_bf16.hpp takes of the special function unit.
var approximate = map[string]bool{"exp": true, "exp2": true, "exp10": true, "log": true, "log2": true, "log10": true,
	"sqrt": true, "rsqrt": true}

type bfloatExpander struct {
	f                *ir.Func
	out              *ir.Block
	in               *ir.Instr
	native, compares bool
}

// expand gives the instruction that has the result of the present one.
func (e *bfloatExpander) expand() *ir.Instr {
	in := e.in
	switch op := in.Op; {
	case op == lower.Convert && in.From == lower.BF16 && in.Type != lower.BF16:
		x := e.wide(in.Args[0])
		if in.Type == lower.F32 {
			in.Op, in.From, in.Args = lower.Bitcast, lower.F32, []*ir.Value{x}
			return in
		}
		in.From, in.Args = lower.F32, []*ir.Value{x}
	case op == lower.Convert && in.Type == lower.BF16:
		x := in.Args[0]
		if in.From != lower.F32 {
			x = e.emit(lower.Convert, lower.F32, in.From, x)
		}
		return e.round(x)
	case in.Type != lower.BF16:
	case op.IsComparison() && !(e.native && e.compares):
		in.Type, in.Args = lower.F32, e.allWide()
	case op == lower.Div, op == lower.Call, !e.native && e.arithmetic():
		fn := in.Fn
		if e.native && approximate[fn] {
			fn = "native_" + fn
		}
		return e.round(e.f.Emit(e.out, &ir.Instr{Op: op, Fn: fn, Type: lower.F32, Args: e.allWide(), Pos: in.Pos,
			Component: in.Component}))
	}
	return in
}

// arithmetic reports whether the operation computes a number.
func (e *bfloatExpander) arithmetic() bool {
	switch e.in.Op {
	case lower.Add, lower.Sub, lower.Mul, lower.Fma, lower.Min, lower.Max, lower.Neg, lower.Abs:
		return true
	}
	return false
}

func (e *bfloatExpander) emit(op lower.Op, t, from ir.Type, args ...*ir.Value) *ir.Value {
	return e.f.Emit(e.out, &ir.Instr{Op: op, Type: t, From: from, Args: args, Pos: e.in.Pos, Component: e.in.Component})
}

// wide is a bfloat16 in single precision: its bits are the upper ones.
func (e *bfloatExpander) wide(v *ir.Value) *ir.Value {
	if v.IsConst() {
		return e.f.Constant(lower.F32, v.Bits<<16)
	}
	x := e.emit(lower.Convert, lower.U32, lower.U16, e.emit(lower.Bitcast, lower.U16, lower.BF16, v))
	x = e.emit(lower.Shl, lower.U32, 0, x, e.f.Int(lower.U32, 16))
	return e.emit(lower.Bitcast, lower.F32, lower.U32, x)
}

func (e *bfloatExpander) allWide() []*ir.Value {
	var list []*ir.Value
	for _, a := range e.in.Args {
		if a.Type == lower.BF16 {
			a = e.wide(a)
		}
		list = append(list, a)
	}
	return list
}

// round makes the present instruction the one that rounds a number of single precision: a conversion, or the half of
// the last place that is kept added to the bits, and less of it before an even one; a NaN is another one.
func (e *bfloatExpander) round(x *ir.Value) *ir.Instr {
	in := e.in
	if e.native {
		in.Op, in.Type, in.From, in.Args = lower.Convert, lower.BF16, lower.F32, []*ir.Value{x}
		if in.Fn != "rtz" {
			in.Fn = ""
		}
		return in
	}
	word := e.emit(lower.Bitcast, lower.U32, lower.F32, x)
	sixteen := e.f.Int(lower.U32, 16)
	odd := e.emit(lower.And, lower.U32, 0, e.emit(lower.Shr, lower.U32, 0, word, sixteen), e.f.Int(lower.U32, 1))
	sum := e.emit(lower.Add, lower.U32, 0, e.emit(lower.Add, lower.U32, 0, odd, word), e.f.Int(lower.U32, 0x7fff))
	unordered := e.emit(lower.Ne, lower.F32, 0, x, x)
	sum = e.emit(lower.Select, lower.U32, 0, unordered, e.f.Int(lower.U32, 0x7fff0000), sum)
	low := e.emit(lower.Convert, lower.U16, lower.U32, e.emit(lower.Shr, lower.U32, 0, sum, sixteen))
	in.Op, in.Fn, in.Type, in.From, in.Args = lower.Bitcast, "", lower.BF16, lower.U16, []*ir.Value{low}
	return in
}
