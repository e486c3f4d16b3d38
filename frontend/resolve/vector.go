package resolve

import (
	"strings"

	"gpupipe/frontend/ast"
	"gpupipe/frontend/ctypes"
	"gpupipe/internal/diag"
)

// swizzle types v.name.
func (c *checker) swizzle(x ast.Expr, name string, pos diag.Pos) ast.Expr {
	t := x.Type()
	lanes := swizzleLanes(t.Len, name)
	switch len(lanes) {
	case 0:
		return c.fail(pos, "%v has no components %s", t, name)
	case 1:
		return &ast.Swizzle{Typed: ast.Of(t.Elem, pos), X: x, Lanes: lanes}
	case 2, 3, 4, 8, 16:
		return &ast.Swizzle{Typed: ast.Of(c.vectorOf(t.Elem.Kind, int64(len(lanes))), pos), X: x, Lanes: lanes}
	}
	return c.fail(pos, "no vector has %d components", len(lanes))
}

// swizzleLanes decodes a component selection on a vector of n lanes: xyzw,
// rgba, s0..sF, lo, hi, even, odd. It is nil if name is none. Of three lanes,
// hi and odd take a fourth, undefined one (OpenCL C 1.2, 6.1.7), here the last.
func swizzleLanes(n int64, name string) []int {
	lanes := int(n)
	half := (lanes + 1) / 2
	pick := func(first, step int) (r []int) {
		for i := range half {
			r = append(r, min(first+i*step, lanes-1))
		}
		return r
	}
	if lanes > 1 {
		switch name {
		case "lo":
			return pick(0, 1)
		case "hi":
			return pick(half, 1)
		case "even":
			return pick(0, 2)
		case "odd":
			return pick(1, 2)
		}
	}
	sets := []string{"xyzw", "rgba"}
	if len(name) > 1 && (name[0] == 's' || name[0] == 'S') {
		name = strings.ToLower(name[1:])
		sets = []string{"0123456789abcdef"}
	}
	for _, set := range sets {
		if r := lanesIn(set, name, lanes); r != nil {
			return r
		}
	}
	return nil
}

// lanesIn maps each letter of name to its place in set, below n.
func lanesIn(set, name string, n int) (r []int) {
	for _, ch := range name {
		i := strings.IndexRune(set, ch)
		if i < 0 || i >= n {
			return nil
		}
		r = append(r, i)
	}
	return r
}

// makeVector builds a vector of scalars and shorter vectors. With pad, lanes
// that are missing are zero.
func (c *checker) makeVector(elems []ast.Expr, t *ctypes.Type, pad bool, pos diag.Pos) ast.Expr {
	lanes := 0
	for i, e := range elems {
		et := e.Type()
		switch {
		case et.Kind == 0:
			return invalidAt(pos)
		case !et.IsArith():
			return c.fail(e.Pos(), "a %v cannot be part of %v", et, t)
		case et.Kind == ctypes.Vector:
			if !et.Elem.Equal(t.Elem) {
				c.errorf(e.Pos(), codeType, "components of %v cannot be part of %v", et, t).
					WithNote("convert them with convert_%v%d", t.Elem, et.Len)
				return invalidAt(pos)
			}
		default:
			elems[i] = c.convert(e, t.Elem, "vector component")
		}
		lanes += et.Lanes()
	}
	if lanes == t.Lanes() && len(elems) == 1 && elems[0].Type().Equal(t) {
		return elems[0]
	}
	for ; pad && lanes < t.Lanes(); lanes++ {
		elems = append(elems, &ast.Literal{Typed: ast.Of(t.Elem, pos),
			Value: ctypes.Convert(ctypes.IntValue(ctypes.Int, 0), t.Elem)})
	}
	if lanes != t.Lanes() {
		return c.fail(pos, "%v needs %d components, these are %d", t, t.Lanes(), lanes)
	}
	return &ast.VectorLit{Typed: ast.Of(t, pos), Elems: elems}
}
