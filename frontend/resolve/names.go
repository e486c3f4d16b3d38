package resolve

import (
	"gpupipe/frontend/ast"
	"gpupipe/frontend/ctypes"
	"gpupipe/internal/diag"
)

// The tree that this package makes is packages ast's and ctypes'; it writes their nodes, kinds and operators in
// almost every line, hence under these names.
type (
	Pos   = diag.Pos
	Space = ctypes.Space
	Kind  = ctypes.Kind
	Type  = ctypes.Type
	Field = ctypes.Field
	Value = ctypes.Value
	Op    = ctypes.Op

	Expr        = ast.Expr
	Stmt        = ast.Stmt
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

	Block      = ast.Block
	Decl       = ast.Decl
	ExprStmt   = ast.ExprStmt
	If         = ast.If
	Loop       = ast.Loop
	Switch     = ast.Switch
	Case       = ast.Case
	Labelled   = ast.Labelled
	Goto       = ast.Goto
	Break      = ast.Break
	Continue   = ast.Continue
	Return     = ast.Return
	Pragma     = ast.Pragma
	PragmaKind = ast.PragmaKind

	Unit     = ast.Unit
	Broken   = ast.Broken
	Function = ast.Function
	Object   = ast.Object
	Dialect  = ast.Dialect
)

// The dialects.
const (
	OpenCL = ast.OpenCL
	CUDA   = ast.CUDA
)

// The kinds of types.
const (
	Void    = ctypes.Void
	Bool    = ctypes.Bool
	Char    = ctypes.Char
	UChar   = ctypes.UChar
	Short   = ctypes.Short
	UShort  = ctypes.UShort
	Int     = ctypes.Int
	UInt    = ctypes.UInt
	Long    = ctypes.Long
	ULong   = ctypes.ULong
	Half    = ctypes.Half
	Float   = ctypes.Float
	Double  = ctypes.Double
	Vector  = ctypes.Vector
	Pointer = ctypes.Pointer
	Array   = ctypes.Array
	Struct  = ctypes.Struct
	Union   = ctypes.Union
	Opaque  = ctypes.Opaque
)

// The operators.
const (
	Neg    = ctypes.Neg
	BitNot = ctypes.BitNot
	Not    = ctypes.Not
	Add    = ctypes.Add
	Sub    = ctypes.Sub
	Mul    = ctypes.Mul
	Div    = ctypes.Div
	Rem    = ctypes.Rem
	And    = ctypes.And
	Or     = ctypes.Or
	Xor    = ctypes.Xor
	Shl    = ctypes.Shl
	Shr    = ctypes.Shr
	Eq     = ctypes.Eq
	Ne     = ctypes.Ne
	Lt     = ctypes.Lt
	Le     = ctypes.Le
	Gt     = ctypes.Gt
	Ge     = ctypes.Ge
	LogAnd = ctypes.LogAnd
	LogOr  = ctypes.LogOr
)

// The kinds of loops and of unroll requests.
const (
	ForLoop      = ast.ForLoop
	WhileLoop    = ast.WhileLoop
	DoLoop       = ast.DoLoop
	UnrollFull   = ast.UnrollFull
	UnrollFactor = ast.UnrollFactor
	NoUnroll     = ast.NoUnroll
)

// Scalar is [ctypes.Scalar].
func Scalar(k Kind) *Type { return ctypes.Scalar(k) }

// VectorOf is [ctypes.VectorOf].
func VectorOf(k Kind, n int64) *Type { return ctypes.VectorOf(k, n) }

// PointerTo is [ctypes.PointerTo].
func PointerTo(elem *Type, s Space) *Type { return ctypes.PointerTo(elem, s) }

// ArrayOf is [ctypes.ArrayOf].
func ArrayOf(elem *Type, n int64) *Type { return ctypes.ArrayOf(elem, n) }
