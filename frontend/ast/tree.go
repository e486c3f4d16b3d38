package ast

import (
	"gpupipe/frontend/builtins"
	"gpupipe/frontend/ctypes"
	"gpupipe/internal/diag"
)

// Expr is a typed expression. Every implicit conversion is explicit, names are
// resolved, macros are expanded, sizeof and enumeration constants are literals.
type Expr interface {
	Type() *ctypes.Type
	Pos() diag.Pos
	expr()
}

// Typed is the part that all expressions share.
type Typed struct {
	T *ctypes.Type
	P diag.Pos
}

// Of is the part of an expression of type t at p.
func Of(t *ctypes.Type, p diag.Pos) Typed { return Typed{T: t, P: p} }

// Type is the type of the expression.
func (e *Typed) Type() *ctypes.Type { return e.T }

// Pos is where the expression stands in the user's text.
func (e *Typed) Pos() diag.Pos { return e.P }

func (e *Typed) expr() {}

// Literal is a scalar constant of the source or a folded constant expression.
type Literal struct {
	Typed
	Value ctypes.Value
}

// LiteralOf is a constant that stands at p.
func LiteralOf(v ctypes.Value, p diag.Pos) *Literal { return &Literal{Of(v.Type, p), v} }

// VarRef names an object. An array object has array type: it decays to a
// pointer only inside an explicit Decay.
type VarRef struct {
	Typed
	Obj *Object
}

// RefTo names an object at p.
func RefTo(o *Object, p diag.Pos) *VarRef { return &VarRef{Of(o.Type, p), o} }

// Decay converts an array lvalue to a pointer to its first element.
type Decay struct {
	Typed
	X Expr
}

// Unary is Neg, BitNot or Not.
type Unary struct {
	Typed
	Op ctypes.Op
	X  Expr
}

// Binary is an arithmetic, bitwise, comparison or logical operation. Arithmetic
// operands have the same (converted) type, which for comparisons is not the
// result's; a shift has the left operand's type, and its count is converted to
// that too. The operands of a scalar && or || keep their types: each is
// compared with zero. A vector comparison gives an integer vector. Pointer operands occur in comparisons and Sub
// (ptrdiff) only; pointer plus integer is PtrAdd.
type Binary struct {
	Typed
	Op   ctypes.Op
	X, Y Expr
}

// PtrAdd is pointer + integer elements (negated when Sub).
type PtrAdd struct {
	Typed
	X     Expr // pointer
	Index Expr // integer, in elements
	Sub   bool
}

// Convert is an implicit or explicit conversion between arithmetic types,
// pointers, or a scalar widened to a vector (each lane the same; the scalar has
// the lanes' type already). To void it only evaluates X.
type Convert struct {
	Typed
	X        Expr
	Explicit bool   // written in the source (cast, convert_T)
	Saturate bool   // convert_T_sat
	Rounding string // "", "rte", "rtz", "rtp", "rtn"
}

// Bitcast reinterprets the bits (as_T, __float_as_int); sizes are equal.
type Bitcast struct {
	Typed
	X Expr
}

// Assign is lvalue = value, or lvalue op= value when Op is set. For op=, Y is
// converted to Common, the operation is done in Common and the result is
// converted to the lvalue's type. A pointer's += has Op Add or Sub, Common nil
// and an integer Y.
type Assign struct {
	Typed
	Op     ctypes.Op
	X, Y   Expr
	Common *ctypes.Type
}

// IncDec is ++ or --, before or after.
type IncDec struct {
	Typed
	X    Expr
	Dec  bool
	Post bool
}

// Cond is c ? x : y. A vector condition selects per lane.
type Cond struct {
	Typed
	C, X, Y Expr
}

// Comma is x, y.
type Comma struct {
	Typed
	X, Y Expr
}

// Index is x[i]: X is a pointer (arrays are decayed) or a vector (some OpenCL
// compilers allow it; a constant i is a Swizzle).
type Index struct {
	Typed
	X, I Expr
}

// Deref is *x.
type Deref struct {
	Typed
	X Expr
}

// AddrOf is &x of an lvalue.
type AddrOf struct {
	Typed
	X Expr
}

// Member is x.field of a struct or union; x->field is Member of Deref.
type Member struct {
	Typed
	X     Expr
	Field int // index into the struct's Fields
}

// Swizzle selects vector lanes: v.x (scalar type), v.s0123, v.hi. It is an
// lvalue when X is one and no lane repeats.
type Swizzle struct {
	Typed
	X     Expr
	Lanes []int
}

// VectorLit is (float4)(a, b.xy, c) or make_float4(...): Elems are scalars or
// vectors whose lanes, in order, make up the vector; a single scalar is a
// Convert instead.
type VectorLit struct {
	Typed
	Elems []Expr
}

// InitList is a braced initialiser of an array, struct or vector, elements in
// order; missing ones are zero. Index[i] is where Elems[i] goes (field or
// element).
type InitList struct {
	Typed
	Elems []Expr
	Index []int64
}

// Add appends what goes to index i.
func (x *InitList) Add(i int64, e Expr) { x.Elems, x.Index = append(x.Elems, e), append(x.Index, i) }

// Call calls a function of the unit. Arguments are converted to the parameters'
// types.
type Call struct {
	Typed
	Fn   *Function
	Args []Expr
}

// BuiltinCall calls a function of the language, named canonically (OpenCL's
// name where there is one: __syncthreads is "barrier", __cosf is "native_cos",
// cosf is "cos", threadIdx.x is get_local_id(0)). Arguments are converted to
// the chosen overload's types.
type BuiltinCall struct {
	Typed
	Builtin *builtins.Function
	Args    []Expr
}

// StmtExpr is the statement expression ({ ... X; }) of GNU C, and an array that a
// compound literal makes: the statements are executed, then X is the value. X is
// nil if there is none (type void).
type StmtExpr struct {
	Typed
	Stmts []Stmt
	X     Expr
}

// Stmt is a statement.
type Stmt interface {
	Pos() diag.Pos
	stmt()
}

// Positioned is the part that all statements share.
type Positioned struct{ P diag.Pos }

// At is the part of a statement at p.
func At(p diag.Pos) Positioned { return Positioned{P: p} }

// Pos is where the statement begins in the user's text.
func (s *Positioned) Pos() diag.Pos { return s.P }
func (s *Positioned) stmt()         {}

// Block is { ... }.
type Block struct {
	Positioned
	Stmts []Stmt
}

// Decl declares an object, Init nil if it has no initialiser.
type Decl struct {
	Positioned
	Obj  *Object
	Init Expr
}

// ExprStmt is an expression for its effects.
type ExprStmt struct {
	Positioned
	X Expr
}

// Do is the statement that evaluates e.
func Do(e Expr, p diag.Pos) *ExprStmt { return &ExprStmt{At(p), e} }

// If is if or if/else.
type If struct {
	Positioned
	Cond Expr // scalar
	Then Stmt
	Else Stmt // nil if none
}

// LoopKind is the keyword of a loop.
type LoopKind uint8

// The loop kinds. The zero value is invalid.
const (
	ForLoop LoopKind = iota + 1
	WhileLoop
	DoLoop
)

func (k LoopKind) String() string {
	switch k {
	case ForLoop:
		return "for"
	case WhileLoop:
		return "while"
	case DoLoop:
		return "do"
	}
	return "invalid loop"
}

// Loop is for, while or do-while.
type Loop struct {
	Positioned // of the keyword
	Kind       LoopKind
	Init       []Stmt // for: Decl or ExprStmt
	Cond       Expr   // nil = forever
	Post       Expr   // nil if none
	Body       Stmt
	Pragma     *Pragma // nil = none
}

// PragmaKind is what an unroll pragma asks for.
type PragmaKind uint8

// The pragma kinds. The zero value is invalid.
const (
	UnrollFull   PragmaKind = iota + 1 // unroll without a number, clang's full, opencl_unroll_hint without one
	UnrollFactor                       // unroll N
	NoUnroll                           // nounroll, unroll(disable), unroll 1, GCC unroll 0
)

// Pragma is an unroll request tied to a loop.
type Pragma struct {
	Pos    diag.Pos
	Kind   PragmaKind
	Factor int64  // UnrollFactor: N ≥ 2
	Text   string // as written, e.g. "#pragma unroll 4"
}

// Switch is a switch over an integer. Cases are in source order; control falls
// from one to the next.
type Switch struct {
	Positioned
	X     Expr
	Cases []Case
}

// Case is one group of case labels and the statements up to the next label.
type Case struct {
	Pos     diag.Pos
	Values  []int64
	Default bool
	Body    []Stmt
}

// Labelled is statements that end at a label: a Goto in them goes to their end.
type Labelled struct {
	Positioned
	Name  string // of the label
	Stmts []Stmt
}

// Goto leaves Target, around it, by its end.
type Goto struct {
	Positioned
	Name   string // of the label
	Target *Labelled
}

// Break leaves the innermost loop or switch.
type Break struct{ Positioned }

// Continue starts the next iteration of the innermost loop.
type Continue struct{ Positioned }

// Return leaves the function; X is nil for void.
type Return struct {
	Positioned
	X Expr
}

// Label stands for a label in a list of statements that is still being built; a finished tree has none.
type Label struct {
	Positioned
	Name string
}
