package syntax

import (
	"gpupipe/internal/diag"
)

// Stmt is a statement.
type Stmt interface{ StmtPos() Pos }

type (
	// Block is { ... }.
	Block struct{ Body *Body }
	// DeclStmt is a declaration.
	DeclStmt struct{ Decl Decl }
	// ExprStmt is an expression; X is nil of an empty statement.
	ExprStmt struct {
		Pos Pos
		X   Expr
	}
	// IfStmt is if; Init and a declared condition stand in Init and Var.
	IfStmt struct {
		Pos       Pos
		Constexpr bool
		Init      Stmt
		Cond      Expr
		Var       *Vars // if (T x = ...)
		Then      Stmt
		Else      Stmt
	}
	// SwitchStmt is switch.
	SwitchStmt struct {
		Pos  Pos
		Init Stmt
		Cond Expr
		Var  *Vars
		Body Stmt
	}
	// WhileStmt is while.
	WhileStmt struct {
		Pos  Pos
		Cond Expr
		Var  *Vars
		Body Stmt
	}
	// DoStmt is do.
	DoStmt struct {
		Pos  Pos
		Body Stmt
		Cond Expr
	}
	// ForStmt is for.
	ForStmt struct {
		Pos  Pos
		Init Stmt
		Cond Expr
		Var  *Vars
		Post Expr
		Body Stmt
	}
	// RangeStmt is for (T x : range).
	RangeStmt struct {
		Pos   Pos
		Init  Stmt
		Var   *Vars
		Range Expr // or *List
		Body  Stmt
	}
	// CaseStmt is a case label; Hi is nil but of ranges, Lo of default.
	CaseStmt struct {
		Pos    Pos
		Lo, Hi Expr
		Body   Stmt
	}
	// LabelStmt is a label.
	LabelStmt struct {
		Pos   Pos
		Ident string
		Body  Stmt
	}
	// JumpStmt is break or continue.
	JumpStmt struct {
		Pos  Pos
		Word string
	}
	// GotoStmt is goto.
	GotoStmt struct {
		Pos   Pos
		Ident string
		Label Pos // of the label's name
	}
	// ReturnStmt is return; X is nil, an expression or a *List.
	ReturnStmt struct {
		Pos Pos
		X   Expr
	}
	// PragmaStmt is a pragma, or an attribute that says the same, in front of a statement.
	PragmaStmt struct {
		Pos    Pos
		Text   string // as written: "#pragma unroll 4"
		Kind   string // "unroll", "nounroll" or empty of others
		Factor Expr   // nil where none is given
		Note   string // what is wrong with it, behind Text
		Body   Stmt   // nil where none follows
	}
	// AsmStmt is inline assembly.
	AsmStmt struct {
		Pos      Pos
		Volatile bool
		Template string
		Outputs  []AsmOperand
		Inputs   []AsmOperand
	}
	// TryStmt is try with the bodies of its handlers, which only host code has.
	TryStmt struct {
		Pos     Pos
		Body    Stmt
		Catches []Stmt
	}
	// BadStmt did not parse; what stands behind it did.
	BadStmt struct {
		Pos Pos
		Err *diag.Error
	}
)

// AsmOperand is an operand of inline assembly.
type AsmOperand struct {
	Pos        Pos
	Name       string
	Constraint string
	X          Expr
}

func (s *Block) StmtPos() Pos      { return s.Body.Pos }
func (s *DeclStmt) StmtPos() Pos   { return s.Decl.DeclPos() }
func (s *ExprStmt) StmtPos() Pos   { return s.Pos }
func (s *IfStmt) StmtPos() Pos     { return s.Pos }
func (s *SwitchStmt) StmtPos() Pos { return s.Pos }
func (s *WhileStmt) StmtPos() Pos  { return s.Pos }
func (s *DoStmt) StmtPos() Pos     { return s.Pos }
func (s *ForStmt) StmtPos() Pos    { return s.Pos }
func (s *RangeStmt) StmtPos() Pos  { return s.Pos }
func (s *CaseStmt) StmtPos() Pos   { return s.Pos }
func (s *LabelStmt) StmtPos() Pos  { return s.Pos }
func (s *JumpStmt) StmtPos() Pos   { return s.Pos }
func (s *GotoStmt) StmtPos() Pos   { return s.Pos }
func (s *ReturnStmt) StmtPos() Pos { return s.Pos }
func (s *PragmaStmt) StmtPos() Pos { return s.Pos }
func (s *AsmStmt) StmtPos() Pos    { return s.Pos }
func (s *TryStmt) StmtPos() Pos    { return s.Pos }
func (s *BadStmt) StmtPos() Pos    { return s.Pos }
