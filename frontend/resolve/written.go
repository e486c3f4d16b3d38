package resolve

import (
	"strings"

	"gpupipe/frontend/syntax"
)

// Types as the program writes them, for messages about parameters of templates.

// writtenParam is the type of a parameter.
func writtenParam(p *syntax.Param) string { return writtenType(p.Specs, p.Decl.Ops) }

func writtenType(s *syntax.Specifiers, ops []syntax.DeclOp) string {
	t := "..."
	switch x := s.Type.(type) {
	case *syntax.Builtin:
		t = strings.Join(x.Words, " ")
	case *syntax.NamedType:
		t = writtenName(x.Name)
	case *syntax.Auto:
		t = "auto"
	}
	if s.Quals.Const {
		t = "const " + t
	}
	for i := len(ops) - 1; i >= 0; i-- {
		switch op := ops[i].(type) {
		case *syntax.PointerOp:
			t = strings.TrimSuffix(t, " ") + " *"
			if op.Quals.Const {
				t += "const "
			}
		case *syntax.RefOp:
			t += " &"
			if op.Rvalue {
				t += "&"
			}
		case *syntax.ArrayOp:
			t += "[]"
		default:
			t += " (...)"
		}
	}
	return strings.TrimSuffix(t, " ")
}

// writtenName is a name with the template arguments of its last part.
func writtenName(n *syntax.Name) string {
	last := n.Last()
	if !last.HasArgs {
		return spelled(n)
	}
	var args []string
	for _, a := range last.Args {
		one := "..."
		switch x := a.Expr.(type) {
		case *syntax.Ident:
			one = writtenName(x.Name)
		case *syntax.Lit:
			one = x.Text
		default:
			if a.Type != nil {
				one = writtenType(a.Type.Specs, a.Type.Decl.Ops)
			}
		}
		args = append(args, one)
	}
	return spelled(n) + "<" + strings.Join(args, ", ") + ">"
}
