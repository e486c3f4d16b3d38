package inlineptx

import (
	"math"
	"strconv"
	"strings"

	"gpupipe/frontend/ast"
	"gpupipe/frontend/ctypes"
)

// named finds a register or an operand by what the template calls it, nil if there is none.
func (s *statement) named(in *Instruction, name string) ast.Expr {
	if number, ok := strings.CutPrefix(name, "%"); ok {
		i, known := s.names[strings.Trim(number, "[]")]
		if n, err := strconv.Atoi(number); err == nil {
			i, known = n, true
		}
		if known {
			if i < 0 || i >= len(s.operands) {
				return nil
			}
			return s.operands[i]
		}
	}
	for scope := in.Scope; ; scope = s.template.Parents[scope] {
		if obj := s.scopes[scope][name]; obj != nil {
			return ast.RefTo(obj, s.pos)
		}
		if scope == 0 {
			return nil
		}
	}
}

// raw is an operand in its own type: a register, a number, or a special register.
func (s *statement) raw(in *Instruction, text string) ast.Expr {
	if e := s.named(in, text); e != nil {
		return e
	}
	if v, ok := constant(text); ok {
		return ast.LiteralOf(v, s.pos)
	}
	if e := s.special(text); e != nil {
		return e
	}
	return s.reject("the operand " + text + " of " + in.Op + " is")
}

// value is an operand as a value of type t.
func (s *statement) value(in *Instruction, text string, t *ctypes.Type) ast.Expr {
	if name, not := strings.CutPrefix(text, "!"); not && t.Kind == ctypes.Bool {
		return s.unary(ctypes.Not, s.raw(in, name))
	}
	return s.castTo(s.raw(in, text), t)
}

// values are several operands of one type.
func (s *statement) values(in *Instruction, texts []string, t *ctypes.Type) []ast.Expr {
	list := make([]ast.Expr, len(texts))
	for i, text := range texts {
		list[i] = s.value(in, text, t)
	}
	return list
}

// castTo is the content of a register taken as a value of type t: registers of one size have no type of
// their own, and of a wider one the low bits are taken.
func (s *statement) castTo(e ast.Expr, t *ctypes.Type) ast.Expr {
	from := e.Type()
	switch {
	case s.err != nil || from.Equal(t):
		return e
	case from.Kind == ctypes.Pointer && t.Kind == ctypes.Pointer:
		u := *t
		if u.Space == 0 { // a cast says what is pointed to, not where
			u.Space = from.Space
		}
		return &ast.Convert{Typed: ast.Of(&u, s.pos), X: e, Explicit: true}
	case from.Kind == ctypes.Pointer && t.IsInteger(), from.IsInteger() && t.Kind == ctypes.Pointer:
		return &ast.Convert{Typed: ast.Of(t, s.pos), X: e, Explicit: true}
	case from.IsInteger() && t.IsInteger():
		return s.convert(e, t, true)
	case from.IsInteger() && from.Size() > t.Size():
		return s.castTo(s.convert(e, ctypes.Scalar(ctypes.UnsignedOf(t.Size())), true), t)
	case from.Size() < t.Size() && t.IsInteger() && (from.IsFloat() || from.Kind == ctypes.Vector):
		return s.convert(s.castTo(e, ctypes.Scalar(ctypes.UnsignedOf(from.Size()))), t, true)
	case from.Size() == t.Size() && from.IsArith() && t.IsArith():
		return &ast.Bitcast{Typed: ast.Of(t, s.pos), X: e}
	}
	return s.reject("a " + from.String() + " as a " + t.String() + " of inline PTX is")
}

// convert converts between scalars.
func (s *statement) convert(e ast.Expr, t *ctypes.Type, explicit bool) ast.Expr {
	if lit, ok := e.(*ast.Literal); ok {
		return &ast.Literal{Typed: ast.Of(t, e.Pos()), Value: ctypes.Convert(lit.Value, t)}
	}
	if e.Type() == t {
		return e
	}
	return &ast.Convert{Typed: ast.Of(t, e.Pos()), X: e, Explicit: explicit}
}

// promoted is an operand in the type that C computes in.
func (s *statement) promoted(e ast.Expr) ast.Expr {
	return s.convert(e, ctypes.Promoted(e.Type()), false)
}

// unary is an operation of C on a number, whose result is promoted.
func (s *statement) unary(op ctypes.Op, x ast.Expr) ast.Expr {
	t := ctypes.Scalar(ctypes.Int)
	if op != ctypes.Not {
		x = s.promoted(x)
		t = x.Type()
	}
	if lit, ok := x.(*ast.Literal); ok {
		if v, ok := ctypes.EvalUnary(op, lit.Value); ok {
			return ast.LiteralOf(v, s.pos)
		}
	}
	return &ast.Unary{Typed: ast.Of(t, s.pos), Op: op, X: x}
}

// binary is an operation of C on numbers of one type, whose result is promoted, or the truth as an int.
func (s *statement) binary(op ctypes.Op, x, y ast.Expr) ast.Expr {
	if s.err != nil {
		return x
	}
	logical := op == ctypes.LogAnd || op == ctypes.LogOr
	if !logical {
		x, y = s.promoted(x), s.promoted(y)
	}
	if op == ctypes.Shl || op == ctypes.Shr {
		y = s.convert(y, x.Type(), false)
	}
	t := x.Type()
	switch op {
	case ctypes.Rem, ctypes.And, ctypes.Or, ctypes.Xor, ctypes.Shl, ctypes.Shr:
		if !t.IsInteger() {
			return s.reject("operator " + op.String() + " of a " + t.String() + " in inline PTX is")
		}
	}
	if op.IsComparison() || logical {
		t = ctypes.Scalar(ctypes.Int)
	}
	a, known := x.(*ast.Literal)
	b, both := y.(*ast.Literal)
	if known && both && !ctypes.Overflows(op, a.Value, b.Value) {
		if v, ok, err := ctypes.EvalBinary(op, a.Value, b.Value); ok && err == nil {
			return ast.LiteralOf(v, s.pos)
		}
	}
	return &ast.Binary{Typed: ast.Of(t, s.pos), Op: op, X: x, Y: y}
}

// number is an integer.
func (s *statement) number(k ctypes.Kind, v int64) ast.Expr {
	return ast.LiteralOf(ctypes.IntValue(k, v), s.pos)
}

// set assigns a value to the register that an instruction writes; _ takes none.
func (s *statement) set(in *Instruction, dst string, e ast.Expr) {
	if s.err != nil {
		return
	}
	if dst == "_" {
		s.do(e)
		return
	}
	to, ok := s.named(in, dst).(*ast.VarRef)
	if !ok {
		s.reject("the result " + dst + " of " + in.Op + " is")
		return
	}
	x := s.castTo(e, to.T)
	s.do(&ast.Assign{Typed: ast.Of(to.T, s.pos), X: to, Y: x})
}

// setAll assigns the lanes of a vector to registers; a scalar goes to the only one.
func (s *statement) setAll(in *Instruction, dsts []string, e ast.Expr) {
	if len(dsts) == 1 || s.err != nil {
		s.set(in, dsts[0], e)
		return
	}
	all := s.register("vector", e.Type(), e)
	for i, dst := range dsts {
		s.set(in, dst, &ast.Swizzle{Typed: ast.Of(e.Type().Elem, s.pos), X: all, Lanes: []int{i}})
	}
}

// constant reads a constant (PTX ISA, Constants): integers, 0f and 0d with the bits of a float, and
// decimal floats.
func constant(text string) (ctypes.Value, bool) {
	if len(text) == 10 && (strings.HasPrefix(text, "0f") || strings.HasPrefix(text, "0F")) {
		if bits, err := strconv.ParseUint(text[2:], 16, 32); err == nil {
			return ctypes.FloatValue(ctypes.Float, float64(math.Float32frombits(uint32(bits)))), true
		}
	}
	if len(text) == 18 && (strings.HasPrefix(text, "0d") || strings.HasPrefix(text, "0D")) {
		if bits, err := strconv.ParseUint(text[2:], 16, 64); err == nil {
			return ctypes.FloatValue(ctypes.Double, math.Float64frombits(bits)), true
		}
	}
	if n, err := strconv.ParseInt(strings.TrimRight(text, "U"), 0, 64); err == nil {
		return ctypes.IntValue(ctypes.Long, n), true
	}
	if n, err := strconv.ParseUint(strings.TrimRight(text, "U"), 0, 64); err == nil {
		return ctypes.IntValue(ctypes.ULong, int64(n)), true
	}
	if f, err := strconv.ParseFloat(text, 64); err == nil && strings.Contains(text, ".") {
		return ctypes.FloatValue(ctypes.Float, f), true
	}
	return ctypes.Value{}, false
}
