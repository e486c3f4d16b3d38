package crosscheck

import (
	"strings"

	"gpupipe/frontend/syntax"
)

func (o *own) block(b *syntax.Body) {
	o.line(b.Pos, "{")
	o.inside(func() { o.list(b) })
}

func (o *own) list(b *syntax.Body) {
	for _, s := range b.Stmts {
		o.stmt(s)
	}
}

// below writes a statement under a heading.
func (o *own) below(s syntax.Stmt) { o.inside(func() { o.stmt(s) }) }

func (o *own) stmt(s syntax.Stmt) {
	switch s := s.(type) {
	case *syntax.Block:
		o.block(s.Body)
	case *syntax.DeclStmt:
		o.declaration(s.Decl)
	case *syntax.ExprStmt:
		if s.X == nil {
			o.line(s.Pos, ";")
			return
		}
		o.line(s.Pos, o.text(s.X))
	case *syntax.IfStmt:
		o.line(s.Pos, "if ", o.text(s.Cond))
		o.below(s.Then)
		if s.Else != nil {
			o.line(s.Pos, "else")
			o.below(s.Else)
		}
	case *syntax.SwitchStmt:
		o.line(s.Pos, "switch ", o.text(s.Cond))
		o.below(s.Body)
	case *syntax.WhileStmt:
		o.line(s.Pos, "while ", o.text(s.Cond))
		o.below(s.Body)
	case *syntax.DoStmt:
		o.line(s.Pos, "do")
		o.below(s.Body)
		o.line(s.Pos, "while ", o.text(s.Cond))
	case *syntax.ForStmt:
		o.forStmt(s)
	default:
		o.labelOrJump(s)
	}
}

func (o *own) forStmt(s *syntax.ForStmt) {
	o.line(s.Pos, "for")
	o.inside(func() {
		if s.Init != nil {
			o.stmt(s.Init)
		}
		o.line(s.Pos, "until ", o.text(s.Cond), "; then ", o.text(s.Post))
		o.stmt(s.Body)
	})
}

// labelOrJump writes labels and pragmas beside the statements that they stand before.
func (o *own) labelOrJump(s syntax.Stmt) {
	switch s := s.(type) {
	case *syntax.CaseStmt:
		text := "default"
		if s.Lo != nil {
			text = "case " + o.text(s.Lo)
		}
		if s.Hi != nil {
			text += " ... " + o.text(s.Hi)
		}
		o.line(s.Pos, text)
		o.labelled(s.Body)
	case *syntax.LabelStmt:
		o.line(s.Pos, "label ", s.Ident)
		o.labelled(s.Body)
	case *syntax.PragmaStmt:
		if s.Kind != "" {
			o.line(s.Pos, strings.TrimSpace("pragma "+s.Kind+" "+o.text(s.Factor)))
		}
		o.labelled(s.Body)
	case *syntax.JumpStmt:
		o.line(s.Pos, s.Word)
	case *syntax.GotoStmt:
		o.line(s.Pos, "goto ", s.Ident)
	case *syntax.ReturnStmt:
		o.line(s.Pos, strings.TrimSpace("return "+o.text(s.X)))
	case *syntax.AsmStmt:
		o.line(s.Pos, "asm")
	default:
		o.line(s.StmtPos(), "another statement")
	}
}

// labelled writes the statement behind a label, unless it is empty: cc has an empty one where a declaration or the end
// of the block follows.
func (o *own) labelled(s syntax.Stmt) {
	if x, ok := s.(*syntax.ExprStmt); !ok || x.X != nil {
		o.stmt(s)
	}
}
