package resolve

import (
	"slices"
	"strings"

	"gpupipe/frontend/ast"
	"gpupipe/frontend/builtins"
	"gpupipe/frontend/ctypes"
	"gpupipe/frontend/inlineptx"
)

// ptxOperators are the instructions of two operands that are an operator of C.
var ptxOperators = map[string]ctypes.Op{"add": ctypes.Add, "sub": ctypes.Sub, "and": ctypes.And, "or": ctypes.Or,
	"xor": ctypes.Xor, "shl": ctypes.Shl, "shr": ctypes.Shr, "rem": ctypes.Rem}

// ptxFunctions are instructions of which each is a function of the language, by the number of operands.
// Those with .approx or .full are the hardware's approximations.
var ptxFunctions = map[string]struct {
	exact, approximate string
	operands           int
}{
	"sqrt": {"sqrt", "native_sqrt", 1}, "rsqrt": {"rsqrt", "rsqrt", 1}, "ex2": {"native_exp2", "native_exp2", 1},
	"lg2": {"native_log2", "native_log2", 1},
	"sin": {"native_sin", "native_sin", 1}, "cos": {"native_cos", "native_cos", 1},
	"tanh": {"native_tanh", "native_tanh", 1},
	"popc": {"popcount", "popcount", 1}, "clz": {"clz", "clz", 1}, "brev": {"bit_reverse", "bit_reverse", 1},
	"copysign": {"copysign", "copysign", 2}, "sad": {"sad", "sad", 3}, "dp4a": {"dp4a", "dp4a", 3},
	"prmt": {"byte_perm", "byte_perm", 3},
}

// ptxArithmetic are the other instructions of arithmetic.
var ptxArithmetic = []string{"mov", "cvt", "setp", "selp", "mul", "mad", "fma", "div", "rcp", "min", "max", "neg",
	"abs", "not", "lop3", "bfe", "bfi", "bfind", "shf"}

// ptxComparisons are the comparisons of setp and set; those with a u behind hold for a NaN too.
var ptxComparisons = map[string]ctypes.Op{
	"eq": ctypes.Eq, "ne": ctypes.Ne, "lt": ctypes.Lt, "le": ctypes.Le, "gt": ctypes.Gt, "ge": ctypes.Ge,
	"lo": ctypes.Lt, "ls": ctypes.Le, "hi": ctypes.Gt, "hs": ctypes.Ge,
	"equ": ctypes.Eq, "neu": ctypes.Ne, "ltu": ctypes.Lt, "leu": ctypes.Le, "gtu": ctypes.Gt, "geu": ctypes.Ge,
}

// arithmetic executes what computes a value from others.
func (a *asmStatement) arithmetic(in *inlineptx.Instruction) bool {
	t, name := in.Type(0), in.Words[0]
	if e := a.fp8(in); e != nil {
		a.set(in, in.Operands[0], e)
		return true
	}
	known := ptxOperators[name] != 0 || ptxFunctions[name].operands > 0 || slices.Contains(ptxArithmetic, name)
	if !known || t == nil || len(in.Operands) < 2 || in.Has("cc", "f4e", "b4e", "rc8", "ecl", "ecr", "rc16") {
		return false
	}
	switch name {
	case "mov":
		return a.move(in, t)
	case "cvt":
		return a.conversion(in, t)
	case "setp":
		return a.comparison(in, t)
	}
	args, e := in.Operands[1:], ast.Expr(nil)
	if name == "shl" || name == "shr" { // the distance is a word
		if len(args) != 2 {
			return false
		}
		e = a.binary(ptxOperators[name], a.value(in, args[0], t), a.value(in, args[1], ctypes.Scalar(ctypes.UInt)),
			a.pos)
	} else if e = a.computed(in, t, args); e == nil {
		return false
	}
	if !isInvalid(e) && e.Type().IsScalar() && t.IsScalar() && !in.Has("wide") {
		e = a.convertScalar(e, t, true) // what C has promoted
	}
	a.set(in, in.Operands[0], e)
	return true
}

// computed is the value of an instruction in type t, nil if the instruction is not known.
func (a *asmStatement) computed(in *inlineptx.Instruction, t *ctypes.Type, args []string) ast.Expr {
	name := in.Words[0]
	if name == "selp" {
		if len(args) != 3 {
			return nil
		}
		x := a.values(in, args[:2], t)
		p := a.value(in, args[2], ctypes.Scalar(ctypes.Bool))
		return &ast.Cond{Typed: of(t, a.pos, p, x[0], x[1]), C: p, X: x[0], Y: x[1]}
	}
	if name == "bfe" || name == "bfi" {
		return a.bitField(in, t, args)
	}
	x := a.values(in, args, t)
	if isInvalid(x...) {
		return invalidAt(a.pos)
	}
	call := func(fn string, x ...ast.Expr) ast.Expr {
		return builtin(builtins.Math, fn, t, a.pos, x...)
	}
	approximate := in.Has("approx", "full")
	switch f := ptxFunctions[name]; {
	case f.operands == len(x) && f.operands > 0 && approximate:
		return call(f.approximate, x...)
	case f.operands == len(x) && f.operands > 0:
		return call(f.exact, x...)
	}
	switch op := ptxOperators[name]; {
	case op != 0 && len(x) == 2:
		return a.binary(op, x[0], x[1], a.pos)
	case (name == "mul" || name == "mad") && in.Has("wide"):
		return a.wideProduct(in, t, args)
	case name == "mul" && in.Has("hi") && len(x) == 2:
		return call("mul_hi", x...)
	case name == "mul" && len(x) == 2:
		return a.binary(ctypes.Mul, x[0], x[1], a.pos)
	case name == "mad" && in.Has("hi") && len(x) == 3:
		return a.binary(ctypes.Add, call("mul_hi", x[0], x[1]), x[2], a.pos)
	case (name == "mad" || name == "fma") && len(x) == 3 && (t.Base().IsFloat()):
		return call("fma", x...)
	case name == "mad" && len(x) == 3:
		return a.binary(ctypes.Add, a.binary(ctypes.Mul, x[0], x[1], a.pos), x[2], a.pos)
	case name == "div" && approximate && len(x) == 2:
		return call("native_divide", x...)
	case name == "div" && len(x) == 2:
		return a.binary(ctypes.Div, x[0], x[1], a.pos)
	case name == "rcp" && approximate && len(x) == 1 && t.Kind == ctypes.Float:
		return call("native_recip", x...)
	case name == "rcp" && len(x) == 1 && t.IsFloat():
		return a.binary(ctypes.Div, ast.LiteralOf(ctypes.FloatValue(t.Kind, 1), a.pos), x[0], a.pos)
	case (name == "min" || name == "max") && len(x) == 2 && t.Base().IsFloat():
		return call("f"+name, x...)
	case (name == "min" || name == "max") && len(x) == 2:
		return call(name, x...)
	case name == "neg" && len(x) == 1:
		return a.unary(ctypes.Neg, x[0], a.pos)
	case name == "abs" && len(x) == 1 && t.Base().IsFloat():
		return call("fabs", x...)
	case name == "abs" && len(x) == 1:
		return call("abs", x...)
	case name == "not" && t.Kind == ctypes.Bool && len(x) == 1:
		return a.unary(ctypes.Not, x[0], a.pos)
	case name == "not" && len(x) == 1:
		return a.unary(ctypes.BitNot, x[0], a.pos)
	case name == "lop3" && len(args) == 4:
		return a.logic(x)
	case name == "bfind" && len(x) == 1 && t.Kind == ctypes.UInt && !in.Has("shiftamt"): // the highest bit that is set
		return a.binary(ctypes.Sub, number(ctypes.UInt, 31, a.pos), call("clz", x...), a.pos)
	case name == "shf" && len(x) == 3 && in.Has("l"):
		return call("funnelshift_l", x...)
	case name == "shf" && len(x) == 3 && in.Has("r"):
		return call("funnelshift_r", x...)
	}
	return nil
}

// logic is lop3: any function of three words, which the last operand tells. Where it has a name in C it
// is that.
func (a *asmStatement) logic(x []ast.Expr) ast.Expr {
	table, ok := x[3].(*ast.Literal)
	if !ok {
		return nil
	}
	const p, q, r = 0xf0, 0xcc, 0xaa // of the operands (PTX ISA, lop3)
	and := func(x, y ast.Expr) ast.Expr { return a.binary(ctypes.And, x, y, a.pos) }
	or := func(x, y ast.Expr) ast.Expr { return a.binary(ctypes.Or, x, y, a.pos) }
	xor := func(x, y ast.Expr) ast.Expr { return a.binary(ctypes.Xor, x, y, a.pos) }
	switch table.Value.Int & 0xff {
	case p & q:
		return and(x[0], x[1])
	case p | q:
		return or(x[0], x[1])
	case p ^ q:
		return xor(x[0], x[1])
	}
	return builtin(builtins.Math, "lop3", ctypes.Scalar(ctypes.UInt), a.pos, x...)
}

// bitField is bfe or bfi, whose last two operands are the field's place and length, words of which
// the lower 8 bits count (PTX ISA, bfe and bfi). An extraction from a constant place is a shift and a mask.
func (a *asmStatement) bitField(in *inlineptx.Instruction, t *ctypes.Type, args []string) ast.Expr {
	name, n := in.Words[0], len(args)-2
	if n != map[string]int{"bfe": 1, "bfi": 2}[name] || !t.IsInteger() || t.Size() < 4 {
		return nil
	}
	x := append(a.values(in, args[:n], t), a.values(in, args[n:], ctypes.Scalar(ctypes.UInt))...)
	from, ok := x[n].(*ast.Literal)
	bits, ok2 := x[n+1].(*ast.Literal)
	width := 8 * t.Size()
	if name == "bfi" || !ok || !ok2 || bits.Value.Int <= 0 || bits.Value.Int > width || from.Value.Int < 0 ||
		from.Value.Int+bits.Value.Int > width {
		return builtin(builtins.Math, name, t, a.pos, x...)
	}
	if t.IsUnsigned() {
		mask := number(t.Kind, int64(^uint64(0)>>(64-bits.Value.Int)), a.pos)
		return a.binary(ctypes.And, a.binary(ctypes.Shr, x[0], from, a.pos), mask, a.pos)
	}
	up := a.binary(ctypes.Shl, x[0], number(ctypes.UInt, width-from.Value.Int-bits.Value.Int, a.pos), a.pos)
	return a.binary(ctypes.Shr, up, number(ctypes.UInt, width-bits.Value.Int, a.pos), a.pos)
}

// wideProduct is mul.wide or mad.wide: a product of twice the width.
func (a *asmStatement) wideProduct(in *inlineptx.Instruction, t *ctypes.Type, args []string) ast.Expr {
	wide := map[ctypes.Kind]*ctypes.Type{ctypes.Int: ctypes.Scalar(ctypes.Long),
		ctypes.UInt: ctypes.Scalar(ctypes.ULong), ctypes.Short: ctypes.Scalar(ctypes.Int),
		ctypes.UShort: ctypes.Scalar(ctypes.UInt)}[t.Kind]
	if wide == nil || len(args) < 2 {
		return nil
	}
	x := a.values(in, args[:2], t)
	e := a.binary(ctypes.Mul, a.convertScalar(x[0], wide, true), a.convertScalar(x[1], wide, true), a.pos)
	if len(args) == 3 {
		e = a.binary(ctypes.Add, e, a.value(in, args[2], wide), a.pos)
	}
	return e
}

// move is mov: of a register, or of the parts of one.
func (a *asmStatement) move(in *inlineptx.Instruction, t *ctypes.Type) bool {
	dsts, srcs := inlineptx.Elements(in.Operands[0]), inlineptx.Elements(in.Operands[1])
	if len(dsts) == 1 && len(srcs) == 1 {
		x := a.raw(in, srcs[0])
		if x.Type().Kind != ctypes.Pointer {
			x = a.castTo(x, t)
		}
		a.set(in, dsts[0], x)
		return true
	}
	n := int64(max(len(dsts), len(srcs)))
	if len(dsts) == 0 || len(srcs) == 0 || len(dsts) > 1 && len(srcs) > 1 || n != 2 && n != 4 || t.Size()/n < 2 ||
		t.Kind == ctypes.Vector {
		return false
	}
	parts := ctypes.CUDAVectorOf(ctypes.UnsignedOf(t.Size()/n), n)
	if len(dsts) > 1 {
		a.setAll(in, dsts, a.castTo(a.value(in, srcs[0], t), parts))
		return true
	}
	elems := a.values(in, srcs, parts.Elem)
	a.set(in, dsts[0], a.castTo(&ast.VectorLit{Typed: of(parts, a.pos, elems...), Elems: elems}, t))
	return true
}

// ptxRoundings are the rounding modes of cvt as OpenCL's.
var ptxRoundings = map[string]string{"rn": "rte", "rna": "rte", "rni": "rte", "rz": "rtz", "rzi": "rtz", "rp": "rtp",
	"rpi": "rtp", "rm": "rtn", "rmi": "rtn"}

// conversion is cvt.mode.to.from.
func (a *asmStatement) conversion(in *inlineptx.Instruction, from *ctypes.Type) bool {
	to := in.Type(1)
	if to == nil || from.Kind == ctypes.Bool || to.Kind == ctypes.Bool {
		return false
	}
	if to.Kind == ctypes.Vector { // of two floats, the first of which is the upper half
		if len(in.Operands) != 3 {
			return false
		}
		x := a.values(in, in.Operands[1:], from)
		halves := []ast.Expr{a.convertScalar(x[1], to.Elem, true), a.convertScalar(x[0], to.Elem, true)}
		a.set(in, in.Operands[0], &ast.VectorLit{Typed: of(to, a.pos, halves...), Elems: halves})
		return true
	}
	x := a.raw(in, in.Operands[1])
	if x.Type().Kind == ctypes.Pointer && to.Size() == 4 { // an address of local memory
		x = a.castValue(x, ctypes.Scalar(ctypes.ULong), a.pos)
	}
	x = a.castTo(x, from)
	if in.Last(1) == "tf32" {
		a.set(in, in.Operands[0], a.toTF32(x))
		return true
	}
	conv := &ast.Convert{Typed: of(to, a.pos, x), X: x, Explicit: true, Saturate: in.Has("sat") && to.IsInteger()}
	if !to.IsInteger() || !from.IsInteger() {
		for _, w := range in.Words[1:] {
			if mode := ptxRoundings[w]; mode != "" {
				conv.Rounding = mode
			}
		}
	}
	switch {
	// what a conversion of C does
	case conv.Rounding == "rte" && to.IsFloat(), conv.Rounding == "rtz" && to.IsInteger():
		conv.Rounding = ""
	case from == to && to.IsFloat() && conv.Rounding != "": // cvt.rni.f32.f32 rounds to an integer
		fn := map[string]string{"rte": "rint", "rtz": "trunc", "rtp": "ceil", "rtn": "floor"}[conv.Rounding]
		a.set(in, in.Operands[0], builtin(builtins.Math, fn, to, a.pos, x))
		return true
	}
	if from.Equal(to) {
		a.set(in, in.Operands[0], x)
		return true
	}
	a.set(in, in.Operands[0], conv)
	return true
}

// fp8Conversions are the conversions of two numbers of 8 bits, by their types, and how many operands they have.
var fp8Conversions = map[string]int{"e4m3x2.f32": 2, "e5m2x2.f32": 2, "e4m3x2.f16x2": 1, "e5m2x2.f16x2": 1,
	"f16x2.e4m3x2": 1, "f16x2.e5m2x2": 1}

// fp8 is the value of a conversion from or to numbers of 8 bits, nil of any other.
func (a *asmStatement) fp8(in *inlineptx.Instruction) ast.Expr {
	name := in.Last(1) + "." + in.Last(0)
	if n := fp8Conversions[name]; in.Words[0] != "cvt" || n == 0 || n != len(in.Operands)-1 || in.Has("relu") {
		return nil
	}
	from, to := ctypes.Scalar(ctypes.UInt), ctypes.Scalar(ctypes.UShort)
	switch in.Last(0) {
	case "f32":
		from = ctypes.Scalar(ctypes.Float)
	case "e4m3x2", "e5m2x2":
		from, to = to, from
	}
	return builtin(builtins.Math, "cvt_"+strings.ReplaceAll(name, ".", "_"), to, a.pos,
		a.values(in, in.Operands[1:], from)...)
}

// toTF32 rounds as __float_to_tf32 does.
func (a *asmStatement) toTF32(x ast.Expr) ast.Expr {
	v := a.register("tf32", ctypes.Scalar(ctypes.Float), x)
	word := a.castTo(v, ctypes.Scalar(ctypes.UInt))
	up := a.binary(ctypes.Add, word, number(ctypes.UInt, 0x1000, a.pos), a.pos)
	size := builtin(builtins.Math, "fabs", ctypes.Scalar(ctypes.Float), a.pos, v)
	finite := a.binary(ctypes.Lt, size, a.castTo(number(ctypes.UInt, 0x7f800000, a.pos), ctypes.Scalar(ctypes.Float)),
		a.pos)
	bits := a.binary(ctypes.And, &ast.Cond{Typed: ast.Of(ctypes.Scalar(ctypes.UInt), a.pos), C: finite, X: up, Y: word},
		number(ctypes.UInt, 0xffffe000, a.pos), a.pos)
	return a.castTo(bits, ctypes.Scalar(ctypes.Float))
}

// comparison is setp.cmp.type p|q, a, b, with .and.type and a further predicate behind it.
func (a *asmStatement) comparison(in *inlineptx.Instruction, t *ctypes.Type) bool {
	op := ptxComparisons[in.Words[1]]
	if op == 0 || len(in.Operands) < 3 {
		return false
	}
	x := a.values(in, in.Operands[1:3], t)
	e := a.binary(op, x[0], x[1], a.pos)
	if len(in.Operands) == 4 {
		join := map[string]ctypes.Op{"and": ctypes.LogAnd, "or": ctypes.LogOr, "xor": ctypes.Ne}[in.Last(1)]
		if join == 0 {
			return false
		}
		e = a.binary(join, e, a.value(in, in.Operands[3], ctypes.Scalar(ctypes.Bool)), a.pos)
	}
	yes, no, both := strings.Cut(in.Operands[0], "|")
	holds := a.register("condition", ctypes.Scalar(ctypes.Bool), a.convertTruth(e))
	a.set(in, strings.TrimSpace(yes), holds)
	if both {
		a.set(in, strings.TrimSpace(no), a.convertTruth(a.unary(ctypes.Not, holds, a.pos)))
	}
	return true
}

// convertTruth makes a predicate of what C computes for one.
func (a *asmStatement) convertTruth(e ast.Expr) ast.Expr {
	if isInvalid(e) {
		a.failed = true
		return e
	}
	return a.convertScalar(e, ctypes.Scalar(ctypes.Bool), false)
}
