package resolve

import (
	"gpupipe/frontend/ast"
	"gpupipe/frontend/ctypes"
	"gpupipe/frontend/syntax"
	"gpupipe/idg"
	"gpupipe/internal/diag"
)

// String literals.

func isString(n syntax.Expr) bool {
	p, ok := n.(*syntax.Lit)
	return ok && p.Kind == syntax.StringLit
}

// stringInit initialises a character array with a string literal.
func (c *checker) stringInit(x syntax.Expr, t *ctypes.Type, pos diag.Pos) (ast.Expr, int64) {
	p, ok := x.(*syntax.Lit)
	if !ok || p.Kind != syntax.StringLit || t.Elem.Kind != ctypes.Char && t.Elem.Kind != ctypes.UChar {
		e := c.expr(x)
		if !isInvalid(e) {
			c.errorf(pos, codeType, "an array is initialised by a single value").WithNote("write { ... }")
		}
		return invalidAt(pos), 0
	}
	bytes, problem := ctypes.Unquote(p.Text)
	if problem != "" {
		c.errorf(pos, codeConstant, "%s", problem)
		return invalidAt(pos), 0
	}
	bytes = append(bytes, 0)
	if t.Len < 0 {
		t = ctypes.ArrayOf(t.Elem, int64(len(bytes)))
	}
	return byteList(bytes, t, pos), t.Len
}

// byteList is an initialiser of an array of characters, as far as bytes fill it.
func byteList(bytes []byte, t *ctypes.Type, pos diag.Pos) *ast.InitList {
	list := &ast.InitList{Typed: ast.Of(t, pos)}
	for i, b := range bytes[:min(int64(len(bytes)), t.Len)] {
		list.Add(int64(i), number(t.Elem.Kind, int64(b), pos))
	}
	return list
}

// stringName is the name of the objects of string literals.
const stringName = "string"

// stringLiteral is an array of characters in constant memory.
func (c *checker) stringLiteral(text string, pos diag.Pos) ast.Expr {
	bytes, problem := ctypes.Unquote(text)
	if problem != "" {
		c.errorf(pos, codeConstant, "%s", problem)
		return invalidAt(pos)
	}
	bytes = append(bytes, 0)
	t := ctypes.ArrayOf(ctypes.Scalar(ctypes.Char), int64(len(bytes)))
	obj := &ast.Object{Name: stringName, Type: t, Space: idg.SpaceConstant, Pos: pos, Const: true,
		Init: byteList(bytes, t, pos)}
	return &ast.VarRef{Typed: ast.Of(t, pos), Obj: obj}
}
