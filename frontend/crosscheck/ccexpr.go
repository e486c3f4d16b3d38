package crosscheck

import (
	"reflect"
	"strings"

	"modernc.org/cc/v4"
)

// text is an expression with all its parentheses; empty of none.
func (r *reader) text(x cc.ExpressionNode) string {
	if absent(x) {
		return ""
	}
	var b strings.Builder
	r.expr(&b, x)
	return b.String()
}

// absent tells the expression that is missing from one: cc has typed pointers that are nil.
func absent(x cc.ExpressionNode) bool { return x == nil || reflect.ValueOf(x).IsNil() }

func (r *reader) expr(b *strings.Builder, x cc.ExpressionNode) {
	switch x := x.(type) {
	case *cc.ExpressionList:
		r.commas(b, x)
	case *cc.ConstantExpression:
		r.expr(b, x.ConditionalExpression)
	case *cc.PrimaryExpression:
		r.primary(b, x)
	case *cc.PostfixExpression:
		r.postfix(b, x)
	case *cc.UnaryExpression:
		r.unary(b, x)
	case *cc.CastExpression:
		r.join(b, "(cast <", r.typeName(x.TypeName), "> ", x.CastExpression, ")")
	case *cc.ConditionalExpression:
		middle := x.ExpressionList
		if absent(middle) {
			middle = x.LogicalOrExpression
		}
		r.join(b, "(", x.LogicalOrExpression, " ? ", middle, " : ", x.ConditionalExpression, ")")
	case *cc.AssignmentExpression:
		r.join(b, "(", x.UnaryExpression, " ", x.Token.SrcStr(), " ", x.AssignmentExpression, ")")
	default:
		r.binary(b, x)
	}
}

func (r *reader) binary(b *strings.Builder, x cc.ExpressionNode) {
	two := func(left cc.ExpressionNode, op cc.Token, right cc.ExpressionNode) {
		r.join(b, "(", left, " ", op.SrcStr(), " ", right, ")")
	}
	switch x := x.(type) {
	case *cc.MultiplicativeExpression:
		two(x.MultiplicativeExpression, x.Token, x.CastExpression)
	case *cc.AdditiveExpression:
		two(x.AdditiveExpression, x.Token, x.MultiplicativeExpression)
	case *cc.ShiftExpression:
		two(x.ShiftExpression, x.Token, x.AdditiveExpression)
	case *cc.RelationalExpression:
		two(x.RelationalExpression, x.Token, x.ShiftExpression)
	case *cc.EqualityExpression:
		two(x.EqualityExpression, x.Token, x.RelationalExpression)
	case *cc.AndExpression:
		two(x.AndExpression, x.Token, x.EqualityExpression)
	case *cc.ExclusiveOrExpression:
		two(x.ExclusiveOrExpression, x.Token, x.AndExpression)
	case *cc.InclusiveOrExpression:
		two(x.InclusiveOrExpression, x.Token, x.ExclusiveOrExpression)
	case *cc.LogicalAndExpression:
		two(x.LogicalAndExpression, x.Token, x.InclusiveOrExpression)
	case *cc.LogicalOrExpression:
		two(x.LogicalOrExpression, x.Token, x.LogicalAndExpression)
	default:
		b.WriteString("another expression")
	}
}

// commas writes a list from the left: ((a, b), c).
func (r *reader) commas(b *strings.Builder, l *cc.ExpressionList) {
	n := 0
	for m := l.ExpressionList; m != nil; m = m.ExpressionList {
		n++
	}
	b.WriteString(strings.Repeat("(", n))
	r.expr(b, l.AssignmentExpression)
	for m := l.ExpressionList; m != nil; m = m.ExpressionList {
		r.join(b, ", ", m.AssignmentExpression, ")")
	}
}

func (r *reader) primary(b *strings.Builder, x *cc.PrimaryExpression) {
	switch x.Case {
	case cc.PrimaryExpressionExpr:
		r.expr(b, x.ExpressionList)
	case cc.PrimaryExpressionStmt:
		inner := &reader{writer{out: r.out}, r.feed}
		inner.items(x.CompoundStatement.BlockItemList)
		writeStatements(b, inner.lines)
	case cc.PrimaryExpressionString, cc.PrimaryExpressionLString:
		b.WriteString("string")
	case cc.PrimaryExpressionGeneric:
		b.WriteString("another expression")
	default:
		b.WriteString(x.Token.SrcStr())
	}
}

func (r *reader) postfix(b *strings.Builder, x *cc.PostfixExpression) {
	switch x.Case {
	case cc.PostfixExpressionPrimary:
		r.expr(b, x.PrimaryExpression)
	case cc.PostfixExpressionIndex:
		r.join(b, x.PostfixExpression, "[", x.ExpressionList, "]")
	case cc.PostfixExpressionCall:
		r.expr(b, x.PostfixExpression)
		b.WriteString("(")
		for l := x.ArgumentExpressionList; l != nil; l = l.ArgumentExpressionList {
			r.expr(b, l.AssignmentExpression)
			if l.ArgumentExpressionList != nil {
				b.WriteString(", ")
			}
		}
		b.WriteString(")")
	case cc.PostfixExpressionSelect:
		r.join(b, x.PostfixExpression, ".", x.Token2.SrcStr())
	case cc.PostfixExpressionPSelect:
		r.join(b, x.PostfixExpression, "->", x.Token2.SrcStr())
	case cc.PostfixExpressionInc, cc.PostfixExpressionDec:
		r.join(b, "(", x.PostfixExpression, x.Token.SrcStr(), ")")
	case cc.PostfixExpressionComplit:
		r.join(b, "(literal <", r.typeName(x.TypeName), "> ")
		r.braces(b, x.InitializerList)
		b.WriteString(")")
	}
}

func (r *reader) unary(b *strings.Builder, x *cc.UnaryExpression) {
	switch x.Case {
	case cc.UnaryExpressionPostfix:
		r.expr(b, x.PostfixExpression)
	case cc.UnaryExpressionInc, cc.UnaryExpressionDec:
		r.join(b, "(", x.Token.SrcStr(), x.UnaryExpression, ")")
	case cc.UnaryExpressionSizeofExpr:
		r.join(b, "sizeof(", x.UnaryExpression, ")")
	case cc.UnaryExpressionSizeofType:
		r.join(b, "sizeof(", r.typeName(x.TypeName), ")")
	case cc.UnaryExpressionAlignofExpr:
		r.join(b, "alignof(", x.UnaryExpression, ")")
	case cc.UnaryExpressionAlignofType:
		r.join(b, "alignof(", r.typeName(x.TypeName), ")")
	case cc.UnaryExpressionLabelAddr, cc.UnaryExpressionImag, cc.UnaryExpressionReal:
		b.WriteString("another expression")
	default:
		r.join(b, "(", x.Token.SrcStr(), x.CastExpression, ")")
	}
}

// join writes words and expressions.
func (r *reader) join(b *strings.Builder, parts ...any) {
	for _, p := range parts {
		switch p := p.(type) {
		case string:
			b.WriteString(p)
		case cc.ExpressionNode:
			r.expr(b, p)
		}
	}
}

func (r *reader) initialiser(b *strings.Builder, i *cc.Initializer) {
	if i.Case == cc.InitializerExpr {
		r.expr(b, i.AssignmentExpression)
		return
	}
	r.braces(b, i.InitializerList)
}

func (r *reader) braces(b *strings.Builder, l *cc.InitializerList) {
	b.WriteString("{")
	for first := true; l != nil; l = l.InitializerList {
		if !first {
			b.WriteString(", ")
		}
		first = false
		if l.Designation != nil {
			for d := l.Designation.DesignatorList; d != nil; d = d.DesignatorList {
				r.designator(b, d.Designator)
			}
			b.WriteString(" = ")
		}
		r.initialiser(b, l.Initializer)
	}
	b.WriteString("}")
}

func (r *reader) designator(b *strings.Builder, d *cc.Designator) {
	switch d.Case {
	case cc.DesignatorField:
		b.WriteString("." + d.Token2.SrcStr())
	case cc.DesignatorField2:
		b.WriteString("." + d.Token.SrcStr())
	case cc.DesignatorIndex:
		r.join(b, "[", d.ConstantExpression, "]")
	default:
		b.WriteString("[another]")
	}
}
