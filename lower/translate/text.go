package translate

import (
	"fmt"
	"strconv"
	"strings"

	"gpupipe/frontend/ast"
	"gpupipe/frontend/ctypes"
)

// exprText prints an expression as C, without implicit conversions, for
// reports.
func exprText(e ast.Expr) string {
	switch e := e.(type) {
	case *ast.Literal:
		return literalText(e)
	case *ast.VarRef:
		return e.Obj.Name
	case *ast.Decay:
		return exprText(e.X)
	case *ast.Unary:
		return e.Op.String() + operandText(e.X)
	case *ast.Binary:
		return operandText(e.X) + " " + e.Op.String() + " " + operandText(e.Y)
	case *ast.PtrAdd:
		op := " + "
		if e.Sub {
			op = " - "
		}
		return operandText(e.X) + op + operandText(e.Index)
	case *ast.Convert:
		if e.Explicit {
			return fmt.Sprintf("(%v)%s", e.T, operandText(e.X))
		}
		return exprText(e.X)
	case *ast.Bitcast:
		return fmt.Sprintf("as_%v(%s)", e.T, exprText(e.X))
	case *ast.Assign:
		op := "="
		if e.Op != 0 {
			op = e.Op.String() + "="
		}
		return operandText(e.X) + " " + op + " " + exprText(e.Y)
	case *ast.IncDec:
		op := "++"
		if e.Dec {
			op = "--"
		}
		if e.Post {
			return operandText(e.X) + op
		}
		return op + operandText(e.X)
	case *ast.Cond:
		return operandText(e.C) + " ? " + operandText(e.X) + " : " + operandText(e.Y)
	case *ast.Comma:
		return exprText(e.X) + ", " + exprText(e.Y)
	case *ast.Index:
		return operandText(e.X) + "[" + exprText(e.I) + "]"
	case *ast.Deref:
		return "*" + operandText(e.X)
	case *ast.AddrOf:
		return "&" + operandText(e.X)
	case *ast.Member:
		return operandText(e.X) + "." + e.X.Type().Fields[e.Field].Name
	case *ast.Swizzle:
		var b strings.Builder
		for _, n := range e.Lanes {
			name := ctypes.LaneName(n, e.X.Type().Lanes())
			if b.Len() > 0 && e.X.Type().Lanes() > 4 {
				name = name[2:] // .s0 .s1 make .s01
			} else if b.Len() > 0 {
				name = name[1:]
			}
			b.WriteString(name)
		}
		return operandText(e.X) + b.String()
	case *ast.VectorLit:
		return fmt.Sprintf("(%v)(%s)", e.T, listText(e.Elems))
	case *ast.InitList:
		return "{" + listText(e.Elems) + "}"
	case *ast.Call:
		return e.Fn.Name + "(" + listText(e.Args) + ")"
	case *ast.BuiltinCall:
		return e.Builtin.Name + "(" + listText(e.Args) + ")"
	}
	return "?"
}

// operandText puts parentheses around what binds less than a postfix operator.
func operandText(e ast.Expr) string {
	switch x := e.(type) {
	case *ast.Binary, *ast.PtrAdd, *ast.Assign, *ast.Cond, *ast.Comma:
		return "(" + exprText(e) + ")"
	case *ast.Convert:
		if !x.Explicit {
			return operandText(x.X)
		}
	}
	return exprText(e)
}

func listText(es []ast.Expr) string {
	parts := make([]string, len(es))
	for i, e := range es {
		parts[i] = exprText(e)
	}
	return strings.Join(parts, ", ")
}

func literalText(e *ast.Literal) string {
	if e.T.IsFloat() {
		return strconv.FormatFloat(e.Value.Float, 'g', -1, 64)
	}
	if e.T.Kind == ctypes.ULong {
		return strconv.FormatUint(uint64(e.Value.Int), 10)
	}
	return strconv.FormatInt(e.Value.Int, 10)
}
