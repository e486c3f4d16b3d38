package frontend

import (
	"gpupipe/frontend/ast"
)

// The nodes of the tree are package ast's, under this package's names too: whoever reads a tree imports one package.
type (
	Expr = ast.Expr
	Stmt = ast.Stmt
)

// The expressions.
type (
	Literal     = ast.Literal
	VarRef      = ast.VarRef
	Decay       = ast.Decay
	Unary       = ast.Unary
	Binary      = ast.Binary
	PtrAdd      = ast.PtrAdd
	Convert     = ast.Convert
	Bitcast     = ast.Bitcast
	Assign      = ast.Assign
	IncDec      = ast.IncDec
	Cond        = ast.Cond
	Comma       = ast.Comma
	Index       = ast.Index
	Deref       = ast.Deref
	AddrOf      = ast.AddrOf
	Member      = ast.Member
	Swizzle     = ast.Swizzle
	VectorLit   = ast.VectorLit
	InitList    = ast.InitList
	Call        = ast.Call
	BuiltinCall = ast.BuiltinCall
	StmtExpr    = ast.StmtExpr
)

// The statements, and the cases of a switch.
type (
	Block    = ast.Block
	Decl     = ast.Decl
	ExprStmt = ast.ExprStmt
	If       = ast.If
	Loop     = ast.Loop
	Switch   = ast.Switch
	Case     = ast.Case
	Labelled = ast.Labelled
	Goto     = ast.Goto
	Break    = ast.Break
	Continue = ast.Continue
	Return   = ast.Return
)

// What is said of a loop.
type (
	LoopKind   = ast.LoopKind
	PragmaKind = ast.PragmaKind
	Pragma     = ast.Pragma
)

// The unit and what it consists of.
type (
	Unit            = ast.Unit
	Broken          = ast.Broken
	Function        = ast.Function
	LaunchDirective = ast.LaunchDirective
	DirectiveArg    = ast.DirectiveArg
	HostLaunch      = ast.HostLaunch
	Object          = ast.Object
)

// The kinds of loops.
const (
	ForLoop   = ast.ForLoop
	WhileLoop = ast.WhileLoop
	DoLoop    = ast.DoLoop
)

// The kinds of unroll requests.
const (
	UnrollFull   = ast.UnrollFull
	UnrollFactor = ast.UnrollFactor
	NoUnroll     = ast.NoUnroll
)
