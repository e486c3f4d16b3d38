package pass

import (
	"math/bits"

	"gpupipe/lower"
	"gpupipe/lower/ir"
)

// objectAlignment is that of an object which the compiler places itself.
const objectAlignment = 256

// alignment is a power of two that an address is certain to be a multiple of, as LLVM's getKnownAlignment has
// it: of objects, and of the factors of what is added. A buffer's is that of its elements.
func alignment(f *ir.Func, p *ir.Value) int64 {
	align := int64(objectAlignment)
	for p.DefOp() == lower.PtrAdd {
		align = min(align, factor(p.Def.Args[1], 0)*(p.Def.Scale&-p.Def.Scale))
		p = p.Def.Args[0]
	}
	switch p.Kind {
	case ir.Address:
		return align
	case ir.BlockArg:
		return min(align, incremented(f, p))
	case ir.KernelArg:
		if o := p.Object; o != 0 && f.Object(o).Elem != 0 {
			return min(align, f.Object(o).Elem.Size())
		}
	}
	return 1
}

// incremented is the alignment of a pointer that a loop increments: that of the first one, and the factors of the
// increments.
func incremented(f *ir.Func, p *ir.Value) int64 {
	loop := p.Def
	if loop.Op != lower.OpLoop || p.Index >= len(loop.Args) {
		return 1
	}
	_, continues := loop.Exits()
	align := int64(objectAlignment)
	for _, c := range continues {
		v := c.Args[p.Index]
		for v != p && v.DefOp() == lower.PtrAdd {
			align = min(align, factor(v.Def.Args[1], 0)*(v.Def.Scale&-v.Def.Scale))
			v = v.Def.Args[0]
		}
		if v != p {
			return 1
		}
	}
	if entry := loop.Args[p.Index]; align > 1 && entry.Kind != ir.BlockArg {
		return min(align, alignment(f, entry))
	}
	return 1
}

// maxFactorDepth bounds how far operands are followed (LLVM: MaxAnalysisRecursionDepth).
const maxFactorDepth = 6

// factor is a power of two that an integer is certain to be a multiple of (LLVM: computeKnownBits).
func factor(v *ir.Value, depth int) int64 {
	const most = 1 << 20
	switch {
	case v.IsConst() && v.Bits == 0:
		return most
	case v.IsConst():
		return min(most, int64(1)<<bits.TrailingZeros64(v.Bits))
	case v.Kind != ir.Result || depth == maxFactorDepth:
		return 1
	}
	in := v.Def
	arg := func(i int) int64 { return factor(in.Args[i], depth+1) }
	switch in.Op {
	case lower.Add, lower.Sub, lower.Or, lower.Xor:
		return min(arg(0), arg(1))
	case lower.And:
		return max(arg(0), arg(1))
	case lower.Mul:
		return min(most, arg(0)*arg(1))
	case lower.Shl:
		if c := in.Args[1]; c.IsConst() && c.Bits < 20 {
			return min(most, arg(0)<<c.Bits)
		}
		return arg(0)
	case lower.Convert, lower.Bitcast:
		if in.Type.IsInteger() && in.From.IsInteger() {
			return arg(0)
		}
	case lower.Select:
		return min(arg(1), arg(2))
	}
	return 1
}
