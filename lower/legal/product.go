package legal

import (
	"gpupipe/lower"
	"gpupipe/lower/ir"
)

// wholeProducts computes both words of a product at once where a block needs the upper and the lower one, as ptxas does
// (11.8: IMAD.WIDE for mul.hi and mul.lo of the same operands). A lower word that only a sum reads stays where it
// is: the multiplication adds.
func wholeProducts(f *ir.Func) {
	uses, added, upper := f.Uses(), make([]bool, f.NumValues()), false
	f.Body.Walk(func(in *ir.Instr) {
		upper = upper || in.Op == lower.MulHi
		if in.Op == lower.Add || in.Op == lower.Sub {
			for _, a := range in.Args {
				added[a.ID] = uses[a.ID] == 1
			}
		}
	})
	if upper {
		multiplyWhole(f, f.Body, added)
	}
}

// multiplyWhole does so in a block; added says of each value whether a sum alone reads it.
func multiplyWhole(f *ir.Func, b *ir.Block, added []bool) {
	upper := map[factors]*ir.Instr{}
	lowerWord := map[factors]*ir.Instr{}
	for _, in := range b.Instrs {
		for _, inner := range in.Blocks {
			multiplyWhole(f, inner, added)
		}
		switch {
		case in.Op == lower.MulHi && in.Type.Size() == 4:
			upper[factorsOf(in)] = in
		case in.Op == lower.Mul && in.Type.IsInteger() && in.Type.Size() == 4 && !added[in.Result().ID]:
			lowerWord[factorsOf(in)] = in
		}
	}
	var out []*ir.Instr
	whole := map[factors]*ir.Value{}
	for _, in := range b.Instrs {
		var k factors
		if in.Op == lower.Mul || in.Op == lower.MulHi {
			k = factorsOf(in)
		}
		hi, lo := upper[k], lowerWord[k]
		if hi == nil || lo == nil || in != hi && in != lo {
			out = append(out, in)
			continue
		}
		add := func(op lower.Op, t, from ir.Type, args ...*ir.Value) *ir.Value {
			n := &ir.Instr{Op: op, Type: t, From: from, Args: args, Pos: in.Pos}
			out = append(out, n)
			return f.AddResult(n, t, "")
		}
		wide := ir.Type(lower.U64)
		if hi.Type.IsSigned() {
			wide = lower.S64
		}
		if whole[k] == nil {
			x, y := hi.Args[0], hi.Args[1]
			whole[k] = add(lower.Mul, wide, wide, add(lower.Convert, wide, hi.Type, x),
				add(lower.Convert, wide, hi.Type, y))
		}
		v := whole[k]
		if in == hi {
			v = add(lower.Shr, wide, wide, v, f.Int(lower.U32, 32))
		}
		in.Op, in.From, in.Args = lower.Convert, wide, []*ir.Value{v}
		out = append(out, in)
	}
	b.Instrs = out
}

// factors are the operands of a product in any order.
type factors [2]factor

type factor struct {
	v    *ir.Value // nil: a constant
	bits uint32
}

func factorsOf(in *ir.Instr) factors {
	var f factors
	for i, a := range in.Args[:2] {
		f[i] = factor{v: a}
		if a.IsConst() {
			f[i] = factor{bits: uint32(a.Bits)}
		}
	}
	if x, y := f[0].v, f[1].v; y != nil && (x == nil || y.ID < x.ID) {
		f[0], f[1] = f[1], f[0]
	}
	return f
}
