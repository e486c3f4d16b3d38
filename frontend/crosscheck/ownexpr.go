package crosscheck

import (
	"strings"

	"gpupipe/frontend/syntax"
)

// text is an expression with all its parentheses; empty of nil.
func (o *own) text(x syntax.Expr) string {
	if x == nil {
		return ""
	}
	var b strings.Builder
	o.expr(&b, x)
	return b.String()
}

func (o *own) expr(b *strings.Builder, x syntax.Expr) {
	switch x := syntax.Bare(x).(type) {
	case *syntax.Lit:
		if x.Kind == syntax.StringLit {
			b.WriteString("string")
			return
		}
		b.WriteString(x.Text)
	case *syntax.Ident:
		b.WriteString(x.Name.Simple())
	case *syntax.Unary:
		o.join(b, "(", x.Op, x.X, ")")
	case *syntax.Postfix:
		o.join(b, "(", x.X, x.Op, ")")
	case *syntax.Binary:
		if x.Op == "," {
			o.join(b, "(", x.X, ", ", x.Y, ")")
			return
		}
		o.join(b, "(", x.X, " ", x.Op, " ", x.Y, ")")
	case *syntax.Cond:
		o.join(b, "(", x.C, " ? ", x.X, " : ", x.Y, ")")
	case *syntax.CallExpr:
		o.expr(b, x.Fn)
		o.arguments(b, x.Args)
	case *syntax.IndexExpr:
		o.join(b, x.X, "[", x.I, "]")
	case *syntax.MemberExpr:
		op := "."
		if x.Arrow {
			op = "->"
		}
		o.join(b, x.X, op, x.Name.Simple())
	case *syntax.CastExpr:
		o.join(b, "(cast <", o.typeName(x.Type), "> ", x.X, ")")
	case *syntax.SizeOf:
		word := "sizeof"
		if x.Align {
			word = "alignof"
		}
		o.join(b, word, "(", o.typeOrExpr(x.Type, x.X), ")")
	case *syntax.List:
		o.braces(b, x)
	default:
		o.special(b, x)
	}
}

func (o *own) special(b *strings.Builder, x syntax.Expr) {
	switch x := x.(type) {
	case *syntax.Construct:
		o.join(b, "(literal <", o.typeName(x.Type), "> ")
		if x.List != nil {
			o.braces(b, x.List)
		} else {
			o.arguments(b, x.Args)
		}
		b.WriteString(")")
	case *syntax.StmtExpr:
		inner := &own{writer{out: o.out}}
		inner.list(x.Body)
		writeStatements(b, inner.lines)
	case *syntax.OffsetOf:
		o.join(b, "offsetof(", o.typeName(x.Type), ", ", x.Member, ")")
	default:
		b.WriteString("another expression")
	}
}

// writeStatements writes the statements of an expression in one line.
func writeStatements(b *strings.Builder, lines []line) {
	b.WriteString("({")
	for _, l := range lines {
		b.WriteString(strings.Repeat(">", l.depth) + l.text + "; ")
	}
	b.WriteString("})")
}

// join writes words and expressions.
func (o *own) join(b *strings.Builder, parts ...any) {
	for _, p := range parts {
		if s, ok := p.(string); ok {
			b.WriteString(s)
			continue
		}
		if x, ok := p.(syntax.Expr); ok && x != nil {
			o.expr(b, x)
		}
	}
}

func (o *own) arguments(b *strings.Builder, args []syntax.Expr) {
	b.WriteString("(")
	for i, a := range args {
		if i > 0 {
			b.WriteString(", ")
		}
		o.expr(b, a)
	}
	b.WriteString(")")
}

func (o *own) braces(b *strings.Builder, l *syntax.List) {
	b.WriteString("{")
	for i, e := range l.Elems {
		if i > 0 {
			b.WriteString(", ")
		}
		for _, d := range e.Designators {
			if d.Field != "" {
				b.WriteString("." + d.Field)
				continue
			}
			o.join(b, "[", d.Index, "]")
		}
		if len(e.Designators) > 0 {
			b.WriteString(" = ")
		}
		o.expr(b, e.X)
	}
	b.WriteString("}")
}
