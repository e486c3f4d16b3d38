package resolve

import (
	"strings"

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

// encodings are the types of the characters behind prefixes ([lex.ccon]).
var encodings = map[string]*ctypes.Type{"L": wideChar, "u": char16, "U": char32, "": ctypes.Scalar(ctypes.Char),
	"u8": ctypes.Scalar(ctypes.Char)}

// characters are the elements of a string literal with the zero at its end, and their type.
func characters(text string) (values []int64, t *ctypes.Type, problem string) {
	prefix, _, _ := strings.Cut(text, `"`)
	t = encodings[prefix]
	values, problem = ctypes.Unquote(text[len(prefix):], t.Size())
	return append(values, 0), t, problem
}

// isStringOf reports whether an expression is a string literal that initialises an array of a type.
func isStringOf(x syntax.Expr, t *ctypes.Type) bool {
	if !isString(x) || t.Kind != ctypes.Array {
		return false
	}
	_, elem, _ := characters(x.(*syntax.Lit).Text)
	return elem == t.Elem || elem.Kind == ctypes.Char && (t.Elem.Kind == ctypes.Char || t.Elem.Kind == ctypes.UChar)
}

// stringInit initialises a character array with a string literal.
func (c *checker) stringInit(x syntax.Expr, t *ctypes.Type, pos diag.Pos) (ast.Expr, int64) {
	if !isStringOf(x, t) {
		e := c.expr(x)
		if !isInvalid(e) {
			c.errorf(pos, codeType, "an array is initialised by a single value").WithNote("write { ... }")
		}
		return invalidAt(pos), 0
	}
	values, _, problem := characters(x.(*syntax.Lit).Text)
	if problem != "" {
		c.errorf(pos, codeConstant, "%s", problem)
		return invalidAt(pos), 0
	}
	if t.Len < 0 {
		t = ctypes.ArrayOf(t.Elem, int64(len(values)))
	}
	return characterList(values, t, pos), t.Len
}

// characterList is an initialiser of an array of characters, as far as they fill it.
func characterList(values []int64, t *ctypes.Type, pos diag.Pos) *ast.InitList {
	list := &ast.InitList{Typed: ast.Of(t, pos)}
	for i, v := range values[:min(int64(len(values)), t.Len)] {
		list.Add(int64(i), number(t.Elem.Kind, v, pos))
	}
	return list
}

// stringName is the name of the objects of string literals.
const stringName = "string"

// stringLiteral is an array of characters in constant memory.
func (c *checker) stringLiteral(text string, pos diag.Pos) ast.Expr {
	values, elem, problem := characters(text)
	if problem != "" {
		c.errorf(pos, codeConstant, "%s", problem)
		return invalidAt(pos)
	}
	t := ctypes.ArrayOf(elem, int64(len(values)))
	obj := &ast.Object{Name: stringName, Type: t, Space: idg.SpaceConstant, Pos: pos, Const: true,
		Init: characterList(values, t, pos)}
	return &ast.VarRef{Typed: ast.Of(t, pos), Obj: obj}
}
