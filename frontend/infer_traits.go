package frontend

import (
	"math"
	"strings"

	"gpupipe/frontend/ast"
	"gpupipe/frontend/ctypes"
	"gpupipe/frontend/encoding"
)

// traitCall answers what the standard library says about types (package encoding): its
// arguments are pointers to them. false means that the name is none of the traits.
func (c *checker) traitCall(name string, args []Expr, pos Pos) (Expr, bool) {
	trait, ok := strings.CutPrefix(name, encoding.TraitPrefix)
	limit, isLimit := strings.CutPrefix(trait, "limit_")
	if !ok || !(isLimit && encoding.LimitNames[limit]) && encoding.TypeTraits[trait] == 0 {
		return nil, false
	}
	var types []*Type
	for _, a := range args {
		if isInvalid(a) {
			return invalidAt(pos), true
		}
		types = append(types, a.Type().Elem)
	}
	t := types[0]
	if isLimit {
		return c.limitOf(limit, t, pos), true
	}
	holds := map[string]func() bool{
		"is_same":           func() bool { return t.Equal(types[1]) },
		"is_integral":       t.IsInteger,
		"is_floating_point": func() bool { return t.Kind == Float || t.Kind == Double },
		"is_arithmetic":     func() bool { return t.IsInteger() || t.Kind == Float || t.Kind == Double },
		"is_signed":         func() bool { return t.IsInteger() && !t.IsUnsigned() || t.Kind == Float || t.Kind == Double },
		"is_unsigned":       func() bool { return t.IsUnsigned() },
		"is_pointer":        func() bool { return t.Kind == Pointer },
	}[trait]()
	if holds {
		return c.number(Bool, 1, pos), true
	}
	return c.number(Bool, 0, pos), true
}

// limitOf is a member of numeric_limits.
func (c *checker) limitOf(name string, t *Type, pos Pos) Expr {
	if t.IsInteger() && t.Kind != Bool {
		bits := 8 * t.Size()
		low, high := int64(-1)<<(bits-1), int64(1)<<(bits-1)-1
		if t.IsUnsigned() {
			low, high = 0, int64(1)<<bits-1 // of 64 bits all of them, -1
		}
		switch name {
		case "max":
			return &Literal{Typed: ast.Of(t, pos), Value: ctypes.IntValue(t.Kind, high)}
		case "min", "lowest":
			return &Literal{Typed: ast.Of(t, pos), Value: ctypes.IntValue(t.Kind, low)}
		}
		return c.number(t.Kind, 0, pos) // as the library says of what integers do not have
	}
	largest, smallest, epsilon := math.MaxFloat64, 0x1p-1022, 0x1p-52
	switch t.Kind {
	case Float:
		largest, smallest, epsilon = math.MaxFloat32, 0x1p-126, 0x1p-23
	case Half:
		largest, smallest, epsilon = 65504, 0x1p-14, 0x1p-10
	case Double:
	default:
		return c.fail(pos, "numeric_limits of %v are not known", t)
	}
	v := map[string]float64{"max": largest, "min": smallest, "lowest": -largest, "epsilon": epsilon, "infinity": math.Inf(1), "quiet_NaN": math.NaN()}[name]
	return &Literal{Typed: ast.Of(t, pos), Value: ctypes.FloatValue(t.Kind, v)}
}
