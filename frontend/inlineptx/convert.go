package inlineptx

import (
	"strings"

	"gpupipe/frontend/ast"
	"gpupipe/frontend/builtins"
	"gpupipe/frontend/ctypes"
)

// move is mov: of a register, or of the parts of one.
func (s *statement) move(in *Instruction) bool {
	t := in.Type(0)
	if t == nil || len(in.Operands) < 2 {
		return false
	}
	dsts, srcs := Elements(in.Operands[0]), Elements(in.Operands[1])
	if len(dsts) == 1 && len(srcs) == 1 {
		x := s.raw(in, srcs[0])
		if x.Type().Kind != ctypes.Pointer {
			x = s.castTo(x, t)
		}
		s.set(in, dsts[0], x)
		return true
	}
	n := int64(max(len(dsts), len(srcs)))
	if len(dsts) == 0 || len(srcs) == 0 || len(dsts) > 1 && len(srcs) > 1 || n != 2 && n != 4 || t.Size()/n < 2 ||
		t.Kind == ctypes.Vector {
		return false
	}
	parts := ctypes.CUDAVectorOf(ctypes.UnsignedOf(t.Size()/n), n)
	if len(dsts) > 1 {
		s.setAll(in, dsts, s.castTo(s.value(in, srcs[0], t), parts))
		return true
	}
	elems := s.values(in, srcs, parts.Elem)
	s.set(in, dsts[0], s.castTo(&ast.VectorLit{Typed: ast.Of(parts, s.pos), Elems: elems}, t))
	return true
}

// roundings are the rounding modes of cvt as OpenCL's.
var roundings = map[string]string{"rn": "rte", "rna": "rte", "rni": "rte", "rz": "rtz", "rzi": "rtz", "rp": "rtp",
	"rpi": "rtp", "rm": "rtn", "rmi": "rtn"}

// integral are the functions that round to an integer, by these modes.
var integral = map[string]string{"rte": "rint", "rtz": "trunc", "rtp": "ceil", "rtn": "floor"}

// conversion is cvt.mode.to.from.
func (s *statement) conversion(in *Instruction) bool {
	if e := s.fp8(in); e != nil {
		s.set(in, in.Operands[0], e)
		return true
	}
	from, to := in.Type(0), in.Type(1)
	if from == nil || to == nil || from.Kind == ctypes.Bool || to.Kind == ctypes.Bool || len(in.Operands) < 2 {
		return false
	}
	if to.Kind == ctypes.Vector { // of two floats, the first of which is the upper half
		if len(in.Operands) != 3 {
			return false
		}
		x := s.values(in, in.Operands[1:], from)
		halves := []ast.Expr{s.converted(in, x[1], from, to.Elem), s.converted(in, x[0], from, to.Elem)}
		s.set(in, in.Operands[0], &ast.VectorLit{Typed: ast.Of(to, s.pos), Elems: halves})
		return true
	}
	x := s.raw(in, in.Operands[1])
	if x.Type().Kind == ctypes.Pointer && to.Size() == 4 { // an address of local memory
		x = s.castTo(x, ctypes.Scalar(ctypes.ULong))
	}
	x = s.castTo(x, from)
	s.set(in, in.Operands[0], s.converted(in, x, from, to))
	return true
}

// converted is the value of a conversion of one number.
func (s *statement) converted(in *Instruction, x ast.Expr, from, to *ctypes.Type) ast.Expr {
	if in.Last(1) == "tf32" {
		return s.toTF32(x)
	}
	conv := &ast.Convert{Typed: ast.Of(to, s.pos), X: x, Explicit: true, Saturate: in.Has("sat") && to.IsInteger()}
	if !to.IsInteger() || !from.IsInteger() {
		conv.Rounding = in.rounding()
	}
	var e ast.Expr = conv
	switch {
	case from == to && to.IsFloat() && conv.Rounding != "": // cvt.rni.f32.f32 rounds to an integer
		e = s.call(builtins.Math, integral[conv.Rounding], to, x)
	case from.Equal(to):
		e = x
	// what a conversion of C does
	case conv.Rounding == "rte" && to.IsFloat(), conv.Rounding == "rtz" && to.IsInteger():
		conv.Rounding = ""
	}
	if to.IsFloat() {
		return s.limited(in, e)
	}
	return e
}

// fp8Conversions are the conversions of two numbers of 8 bits, by their types, and how many operands they have.
var fp8Conversions = map[string]int{"e4m3x2.f32": 2, "e5m2x2.f32": 2, "e4m3x2.f16x2": 1, "e5m2x2.f16x2": 1,
	"f16x2.e4m3x2": 1, "f16x2.e5m2x2": 1}

// fp8 is the value of a conversion from or to numbers of 8 bits, nil of any other.
func (s *statement) fp8(in *Instruction) ast.Expr {
	name := in.Last(1) + "." + in.Last(0)
	if n := fp8Conversions[name]; n == 0 || n != len(in.Operands)-1 || in.Has("relu") {
		return nil
	}
	from, to := ctypes.Scalar(ctypes.UInt), ctypes.Scalar(ctypes.UShort)
	switch in.Last(0) {
	case "f32":
		from = ctypes.Scalar(ctypes.Float)
	case "e4m3x2", "e5m2x2":
		from, to = to, from
	}
	return s.call(builtins.Math, "cvt_"+strings.ReplaceAll(name, ".", "_"), to, s.values(in, in.Operands[1:], from)...)
}

// toTF32 rounds as __float_to_tf32 does.
func (s *statement) toTF32(x ast.Expr) ast.Expr {
	float, uint := ctypes.Scalar(ctypes.Float), ctypes.Scalar(ctypes.UInt)
	v := s.register("tf32", float, x)
	word := s.castTo(v, uint)
	up := s.binary(ctypes.Add, word, s.number(ctypes.UInt, 0x1000))
	finite := s.binary(ctypes.Lt, s.call(builtins.Math, "fabs", float, v),
		s.castTo(s.number(ctypes.UInt, 0x7f800000), float))
	bits := s.binary(ctypes.And, &ast.Cond{Typed: ast.Of(uint, s.pos), C: finite, X: up, Y: word},
		s.number(ctypes.UInt, 0xffffe000))
	return s.castTo(bits, float)
}

// comparisons are those of setp.
var comparisons = map[string]ctypes.Op{
	"eq": ctypes.Eq, "ne": ctypes.Ne, "lt": ctypes.Lt, "le": ctypes.Le, "gt": ctypes.Gt, "ge": ctypes.Ge,
	"lo": ctypes.Lt, "ls": ctypes.Le, "hi": ctypes.Gt, "hs": ctypes.Ge, "neu": ctypes.Ne,
}

// opposites are the comparisons that do not hold where these do, which hold for a NaN.
var opposites = map[string]ctypes.Op{"ltu": ctypes.Ge, "leu": ctypes.Gt, "gtu": ctypes.Le, "geu": ctypes.Lt}

// compared compares two numbers by the name of a comparison, nil if it is not known.
func (s *statement) compared(name string, t *ctypes.Type, x []ast.Expr) ast.Expr {
	apart := func() ast.Expr {
		return s.binary(ctypes.LogOr, s.binary(ctypes.Lt, x[0], x[1]), s.binary(ctypes.Gt, x[0], x[1]))
	}
	switch {
	case name == "ne" && t.IsFloat():
		return apart()
	case name == "equ":
		return s.unary(ctypes.Not, apart())
	case opposites[name] != 0:
		return s.unary(ctypes.Not, s.binary(opposites[name], x[0], x[1]))
	case comparisons[name] != 0:
		return s.binary(comparisons[name], x[0], x[1])
	}
	return nil
}

// comparison is setp.cmp.type p|q, a, b, with .and.type and a further predicate behind it.
func (s *statement) comparison(in *Instruction) bool {
	t := in.Type(0)
	if t == nil || t.Kind == ctypes.Vector || len(in.Operands) < 3 {
		return false
	}
	e := s.compared(in.Words[1], t, s.values(in, in.Operands[1:3], t))
	if e == nil {
		return false
	}
	if len(in.Operands) == 4 {
		join := map[string]ctypes.Op{"and": ctypes.LogAnd, "or": ctypes.LogOr, "xor": ctypes.Ne}[in.Last(1)]
		if join == 0 {
			return false
		}
		e = s.binary(join, e, s.value(in, in.Operands[3], ctypes.Scalar(ctypes.Bool)))
	}
	yes, no, both := strings.Cut(in.Operands[0], "|")
	truth := ctypes.Scalar(ctypes.Bool)
	holds := s.register("condition", truth, s.convert(e, truth, false))
	s.set(in, strings.TrimSpace(yes), holds)
	if both {
		s.set(in, strings.TrimSpace(no), s.convert(s.unary(ctypes.Not, holds), truth, false))
	}
	return true
}
