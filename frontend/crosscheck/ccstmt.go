package crosscheck

import (
	"strings"

	"gpupipe/internal/diag"

	"modernc.org/cc/v4"
)

func (r *reader) block(c *cc.CompoundStatement) {
	r.line(r.at(c), "{")
	r.inside(func() { r.items(c.BlockItemList) })
}

func (r *reader) items(l *cc.BlockItemList) {
	for ; l != nil; l = l.BlockItemList {
		switch i := l.BlockItem; i.Case {
		case cc.BlockItemDecl:
			r.declaration(i.Declaration)
		case cc.BlockItemStmt:
			r.stmt(i.Statement)
		case cc.BlockItemFuncDef:
			_, n := r.declared(r.specs(i.DeclarationSpecifiers), i.Declarator)
			r.line(r.at(i), n.text)
			r.block(i.CompoundStatement)
		default:
			r.line(r.at(i), "another statement")
		}
	}
}

func (r *reader) below(s *cc.Statement) { r.inside(func() { r.stmt(s) }) }

func (r *reader) stmt(s *cc.Statement) {
	switch s.Case {
	case cc.StatementLabeled:
		r.label(s.LabeledStatement)
	case cc.StatementCompound:
		r.block(s.CompoundStatement)
	case cc.StatementExpr:
		text := r.text(s.ExpressionStatement.ExpressionList)
		if text == "" {
			text = ";"
		}
		if text != wordNothing {
			r.line(r.at(s), text)
		}
	case cc.StatementSelection:
		r.selection(s.SelectionStatement)
	case cc.StatementIteration:
		r.loop(s.IterationStatement)
	case cc.StatementJump:
		r.jump(s.JumpStatement)
	case cc.StatementAsm:
		r.line(r.at(s), "asm")
	}
}

func (r *reader) selection(s *cc.SelectionStatement) {
	word := "if "
	if s.Case == cc.SelectionStatementSwitch {
		word = "switch "
	}
	r.line(r.at(s), word, r.text(s.ExpressionList))
	r.below(s.Statement)
	if s.Case == cc.SelectionStatementIfElse {
		r.line(r.at(s), "else")
		r.below(s.Statement2)
	}
}

func (r *reader) loop(s *cc.IterationStatement) {
	switch s.Case {
	case cc.IterationStatementWhile:
		r.line(r.at(s), "while ", r.text(s.ExpressionList))
		r.below(s.Statement)
	case cc.IterationStatementDo:
		r.line(r.at(s), "do")
		r.below(s.Statement)
		r.line(r.at(s), "while ", r.text(s.ExpressionList))
	case cc.IterationStatementFor:
		r.line(r.at(s), "for")
		r.inside(func() {
			if init := r.text(s.ExpressionList); init != "" {
				r.line(r.at(s.ExpressionList), init)
			}
			r.header(s, s.ExpressionList2, s.ExpressionList3)
		})
	case cc.IterationStatementForDecl:
		r.line(r.at(s), "for")
		r.inside(func() {
			r.declaration(s.Declaration)
			r.header(s, s.ExpressionList, s.ExpressionList2)
		})
	}
}

// header writes the condition and the step of a for, and its body.
func (r *reader) header(s *cc.IterationStatement, cond, post cc.ExpressionNode) {
	r.line(r.at(s), "until ", r.text(cond), "; then ", r.text(post))
	r.stmt(s.Statement)
}

func (r *reader) jump(s *cc.JumpStatement) {
	at := r.at(s)
	switch s.Case {
	case cc.JumpStatementGoto:
		r.line(at, "goto ", s.Token2.SrcStr())
	case cc.JumpStatementContinue:
		r.line(at, "continue")
	case cc.JumpStatementBreak:
		r.line(at, "break")
	case cc.JumpStatementReturn:
		r.line(at, strings.TrimSpace("return "+r.text(s.ExpressionList)))
	default:
		r.line(at, "another statement")
	}
}

// label writes labels, and those that stand for pragmas as such.
func (r *reader) label(s *cc.LabeledStatement) {
	at := r.at(s)
	switch s.Case {
	case cc.LabeledStatementLabel:
		r.line(at, "label ", s.Token.SrcStr())
	case cc.LabeledStatementCaseLabel:
		r.caseLabel(at, s)
	case cc.LabeledStatementRange:
		r.line(at, "case ", r.text(s.ConstantExpression), " ... ", r.text(s.ConstantExpression2))
	case cc.LabeledStatementDefault:
		r.line(at, "default")
	}
	if s.Statement.Case != cc.StatementExpr || !absent(s.Statement.ExpressionStatement.ExpressionList) {
		r.stmt(s.Statement)
	}
}

func (r *reader) caseLabel(at diag.Pos, s *cc.LabeledStatement) {
	text := r.text(s.ConstantExpression)
	if strings.HasPrefix(text, wordNoUnroll+"(") {
		r.line(at, "pragma nounroll")
		return
	}
	if factor, ok := strings.CutPrefix(text, wordUnroll+"("); ok {
		r.line(at, strings.TrimSpace("pragma unroll "+strings.TrimSuffix(factor, ")")))
		return
	}
	r.constant(r.at(s.ConstantExpression), "", text)
	r.line(at, "case ", text)
}
