package translate

import (
	"strings"

	"gpupipe/frontend/ast"
	"gpupipe/frontend/ctypes"
	"gpupipe/lower"
)

// convert lowers an implicit or explicit conversion.
func (l *lowerer) convert(e *ast.Convert) value {
	if c, ok := constant(e); ok {
		return l.scalar(e, c)
	}
	from, to := e.X.Type(), e.T
	switch {
	case to.Kind == ctypes.Void:
		l.effect(e.X)
		return value{typ: to}
	case to.Kind == ctypes.Bool:
		return l.scalar(e, l.cond(e.X))
	case to.Kind == ctypes.Pointer:
		return l.scalar(e, l.toPointer(e))
	case from.Kind == ctypes.Pointer:
		bits := l.bits(l.expr(e.X).one(), lower.U64, e.Pos())
		return l.scalar(e, l.convertOperand(bits, lower.IrType(to), "", e.Pos()))
	case to.Kind == ctypes.Struct || to.Kind == ctypes.Union:
		return l.expr(e.X)
	case lower.IrType(to) == 0 || lower.IrType(from) == 0:
		l.unsupported(e.Pos(), "conversion of %v to %v", from, to)
		return l.poison(to)
	case boolean(e.X) && to.Lanes() == 1:
		return l.scalar(e, l.choose(l.cond(e.X), lower.IrType(to), 1, e.Pos()))
	}
	mods := e.Rounding
	if e.Saturate {
		mods = "sat"
		if e.Rounding != "" {
			mods += "." + e.Rounding
		}
	}
	x := l.expr(e.X)
	v := value{typ: to}
	if from.Lanes() == 1 { // the same in every lane
		c := l.convertOperand(x.one(), lower.IrType(to), mods, e.Pos())
		for range to.Lanes() {
			v.ops = append(v.ops, c)
		}
		return v
	}
	for i := range to.Lanes() {
		v.ops = append(v.ops, l.convertOperand(x.lane(i), lower.IrType(to), mods, e.Pos()))
	}
	return v
}

// toPointer converts to a pointer: another pointer as it is, an integer as an
// address.
func (l *lowerer) toPointer(e *ast.Convert) Operand {
	x := l.expr(e.X).one()
	switch {
	case x.Type == lower.Ptr:
		return x
	case x.Type == lower.Pred || x.Type.IsFloat():
		l.unsupported(e.Pos(), "conversion of %v to a pointer", e.X.Type())
		return lower.Zero(lower.Ptr)
	case x.Type.IsSigned():
		x = l.convertOperand(x, lower.S64, "", e.Pos())
	}
	return l.bits(l.convertOperand(x, lower.U64, "", e.Pos()), lower.Ptr, e.Pos())
}

// convertOperand converts one scalar between number types. Constants are
// converted at once, integers of one size change their name only.
func (l *lowerer) convertOperand(x Operand, to Type, mods string, pos Pos) Operand {
	if x.Type == to {
		return x
	}
	if x.Type.IsInteger() && to.IsInteger() {
		mods = saturation(x.Type, to, mods)
	}
	if mods == "" {
		if c, ok := foldConvert(x, to); ok {
			return c
		}
	}
	switch {
	case x.Type == lower.Pred:
		return l.choose(x, to, 1, pos)
	case to == lower.Pred:
		return l.op(lower.Ne, x.Type, pos, x, lower.Zero(x.Type))
	case mods == "" && x.Type.IsInteger() && to.IsInteger() && x.Type.Size() == to.Size():
		return l.bits(x, to, pos)
	}
	dst := l.temp(to)
	l.emit(&Instr{Op: lower.Convert, Type: to, From: x.Type, Fn: mods, Dsts: []Reg{dst.Reg}, Args: []Operand{x},
		Pos: pos})
	return dst
}

// saturation is what is left of the modifiers of a conversion between integers: nothing is
// rounded, and what the result's type holds is not saturated.
func saturation(from, to Type, mods string) string {
	lo, hi := intRange(from)
	least, end := intRange(to)
	if !strings.HasPrefix(mods, "sat") || least <= lo && hi <= end {
		return ""
	}
	return "sat"
}

// choose is c ? yes : 0 in type t: what a condition is as a number.
func (l *lowerer) choose(c Operand, t Type, yes float64, pos Pos) Operand {
	return l.op(lower.Select, t, pos, c, number(t, yes), lower.Zero(t))
}

// bits reinterprets an operand as another type of the same size.
func (l *lowerer) bits(x Operand, to Type, pos Pos) Operand {
	if x.Type == to {
		return x
	}
	if x.Kind == OperandConst {
		return Operand{Kind: OperandConst, Type: to, Bits: lower.WrapBits(to, x.Bits)}
	}
	dst := l.temp(to)
	l.emit(&Instr{Op: lower.Bitcast, Type: to, From: x.Type, Dsts: []Reg{dst.Reg}, Args: []Operand{x}, Pos: pos})
	l.comes(dst.Reg, l.origin(x))
	return dst
}

// bitcast lowers as_T. Where the lanes differ in size the value goes through
// memory.
func (l *lowerer) bitcast(e *ast.Bitcast) value {
	from, to := e.X.Type(), e.T
	x := l.expr(e.X)
	ft, tt := lower.IrType(from), lower.IrType(to)
	if ft == 0 || tt == 0 || ft == lower.Pred || tt == lower.Pred || from.Size() != to.Size() {
		l.unsupported(e.Pos(), "reinterpretation of %v as %v", from, to)
		return l.poison(to)
	}
	if ft.Size() != tt.Size() {
		p := l.spill(x, e.Pos())
		p.typ = to
		return l.load(p, e.Pos())
	}
	v := value{typ: to}
	for i := range to.Lanes() {
		if i < len(x.ops) {
			v.ops = append(v.ops, l.bits(x.ops[i], tt, e.Pos()))
		} else { // as_float4 of a float3: the fourth lane is undefined
			v.ops = append(v.ops, lower.Zero(tt))
		}
	}
	return v
}
