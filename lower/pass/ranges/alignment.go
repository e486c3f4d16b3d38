package ranges

import (
	"math/bits"

	"gpupipe/lower"
	"gpupipe/lower/ir"
)

// objectAlignment is that of an object which the compiler places itself.
const objectAlignment = 256

// Alignments are powers of two that addresses are certain to be a multiple of, as LLVM's getKnownAlignment has them:
// those of objects, of the factors of what is added, and of the steps of pointers and counters that a loop moves
// (computeKnownBitsFromOperator of LLVM's ValueTracking.cpp, simple recurrences). A buffer's is that of its elements.
type Alignments struct {
	F        *ir.Func
	Jumps    *ir.Jumps
	Known    map[*ir.Value]int64 // of parameters of loops
	Elements map[ir.Space]bool   // where objects are aligned as their elements are
}

func NewAlignments(f *ir.Func) *Alignments {
	return &Alignments{f, ir.JumpsOf(f), map[*ir.Value]int64{}, map[ir.Space]bool{}}
}

func (a *Alignments) Of(p *ir.Value) int64 { return a.pointer(p, 0) }

func (a *Alignments) pointer(p *ir.Value, depth int) int64 {
	align := int64(objectAlignment)
	for p.DefOp() == lower.PtrAdd {
		align = min(align, a.Factor(p.Def.Args[1], depth)*(p.Def.Scale&-p.Def.Scale))
		p = p.Def.Args[0]
	}
	switch p.Kind {
	case ir.Address:
		if o := a.F.Object(p.Object); a.Elements[o.Space] && o.Elem != 0 {
			return min(align, o.Elem.Size())
		}
		return align
	case ir.BlockArg:
		return min(align, a.recurrence(p, depth, a.pointer))
	case ir.Result:
		if p.Def.Nests() {
			return min(align, a.chosen(p, depth))
		}
	case ir.KernelArg:
		if o := p.Object; o != 0 && a.F.Object(o).Elem != 0 {
			return min(align, a.F.Object(o).Elem.Size())
		}
	}
	return 1
}

// recurrence is the factor of a loop's parameter: those of its first value and of what each iteration adds.
func (a *Alignments) recurrence(p *ir.Value, depth int, of func(*ir.Value, int) int64) int64 {
	if n, ok := a.Known[p]; ok || depth == maxFactorDepth {
		return max(n, 1)
	}
	if p.Index >= len(p.Def.Args) { // of a loop that simplify has just replaced
		return 1
	}
	a.Known[p] = 1 // while it is looked for
	n := a.moved(p, depth, of)
	a.Known[p] = n
	return n
}

// chosen is the factor of a pointer that is the result of a control operation: that of all that it may be.
func (a *Alignments) chosen(p *ir.Value, depth int) int64 {
	if n, ok := a.Known[p]; ok || depth == maxFactorDepth {
		return max(n, 1)
	}
	a.Known[p] = 1 // while it is looked for
	n := int64(objectAlignment)
	for _, e := range a.Jumps.Exits(p.Def) {
		n = min(n, a.pointer(e.Args[p.Index], depth+1))
	}
	a.Known[p] = n
	return n
}

func (a *Alignments) moved(p *ir.Value, depth int, of func(*ir.Value, int) int64) int64 {
	out := of(p.Def.Args[p.Index], depth+1)
	for _, c := range a.Jumps.Continues[p.Def] {
		v := c.Args[p.Index]
		for v != p && out > 1 {
			scale := int64(1)
			switch {
			case v.DefOp() == lower.PtrAdd:
				scale = v.Def.Scale & -v.Def.Scale
			case v.DefOp() != lower.Add:
				return 1
			}
			out = min(out, a.Factor(v.Def.Args[1], depth+1)*scale)
			v = v.Def.Args[0]
		}
	}
	return out
}

// maxFactorDepth bounds how far operands are followed (LLVM: MaxAnalysisRecursionDepth).
const maxFactorDepth = 6

// Factor is a power of two that an integer is certain to be a multiple of (LLVM: computeKnownBits).
func (a *Alignments) Factor(v *ir.Value, depth int) int64 {
	const most = 1 << 20
	switch {
	case v.IsConst() && v.Bits == 0:
		return most
	case v.IsConst():
		return min(most, int64(1)<<bits.TrailingZeros64(v.Bits))
	case v.Kind == ir.BlockArg:
		return a.recurrence(v, depth, a.Factor)
	case v.Kind != ir.Result || depth == maxFactorDepth:
		return 1
	}
	in := v.Def
	arg := func(i int) int64 { return a.Factor(in.Args[i], depth+1) }
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
