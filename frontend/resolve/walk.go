package resolve

import (
	"fmt"

	"gpupipe/frontend/syntax"
)

// visit is [syntax.Visit].
func visit(x any, f func(any) bool) { syntax.Visit(x, f) }

// mentions reports whether a name occurs below x.
func mentions(x any, ident string) (found bool) {
	visit(x, func(n any) bool {
		switch n := n.(type) {
		case *syntax.Name:
			if !n.Global && len(n.Parts) > 0 && n.Parts[0].Ident == ident {
				found = true
			}
		case *syntax.SizeOf:
			if n.Pack == ident {
				found = true
			}
		}
		return !found
	})
	return found
}

// sourceOf prints names and literals below x, which tells patterns apart.
func sourceOf(x any) string {
	s := ""
	visit(x, func(n any) bool {
		switch n := n.(type) {
		case *syntax.Name:
			s += spelled(n) + " "
		case *syntax.Lit:
			s += n.Text + " "
		case *syntax.Builtin:
			s += fmt.Sprint(n.Words)
		case *syntax.Unary:
			s += n.Op
		case *syntax.Binary:
			s += n.Op + "("
		case *syntax.MemberPtrOp:
			s += "::*"
		case *syntax.PointerOp:
			s += "*"
		case *syntax.RefOp:
			if s += "&"; n.Rvalue {
				s += "&"
			}
		case *syntax.ArrayOp:
			s += "[]"
		case *syntax.Specifiers:
			if n.Quals.Const {
				s += "const "
			}
		}
		return true
	})
	return s
}
