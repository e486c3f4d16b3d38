package frontend

// Expr is a typed expression. Every implicit conversion is explicit, names are
// resolved, macros are expanded, sizeof and enumeration constants are literals.
type Expr interface {
	Type() *Type
	Pos() Pos
	expr()
}

// typed is the part that all expressions share.
type typed struct {
	T *Type
	P Pos
}

func (e *typed) Type() *Type { return e.T }
func (e *typed) Pos() Pos    { return e.P }
func (e *typed) expr()       {}

// Literal is a scalar constant of the source or a folded constant expression.
type Literal struct {
	typed
	Value Value
}

// VarRef names an object. An array object has array type: it decays to a
// pointer only inside an explicit Decay.
type VarRef struct {
	typed
	Obj *Object
}

// Decay converts an array lvalue to a pointer to its first element.
type Decay struct {
	typed
	X Expr
}

// Unary is Neg, BitNot or Not.
type Unary struct {
	typed
	Op Op
	X  Expr
}

// Binary is an arithmetic, bitwise, comparison or logical operation. Arithmetic
// operands have the same (converted) type, which for comparisons is not the
// result's; a shift has the left operand's type, and its count is converted to
// that too. The operands of a scalar && or || keep their types: each is
// compared with zero. A vector comparison gives an integer vector. Pointer operands occur in comparisons and Sub (ptrdiff) only;
// pointer plus integer is PtrAdd.
type Binary struct {
	typed
	Op   Op
	X, Y Expr
}

// PtrAdd is pointer + integer elements (negated when Sub).
type PtrAdd struct {
	typed
	X     Expr // pointer
	Index Expr // integer, in elements
	Sub   bool
}

// Convert is an implicit or explicit conversion between arithmetic types,
// pointers, or a scalar widened to a vector (each lane the same; the scalar has
// the lanes' type already). To void it only evaluates X.
type Convert struct {
	typed
	X        Expr
	Explicit bool   // written in the source (cast, convert_T)
	Saturate bool   // convert_T_sat
	Rounding string // "", "rte", "rtz", "rtp", "rtn"
}

// Bitcast reinterprets the bits (as_T, __float_as_int); sizes are equal.
type Bitcast struct {
	typed
	X Expr
}

// Assign is lvalue = value, or lvalue op= value when Op is set. For op=, Y is
// converted to Common, the operation is done in Common and the result is
// converted to the lvalue's type. A pointer's += has Op Add or Sub, Common nil
// and an integer Y.
type Assign struct {
	typed
	Op     Op
	X, Y   Expr
	Common *Type
}

// IncDec is ++ or --, before or after.
type IncDec struct {
	typed
	X    Expr
	Dec  bool
	Post bool
}

// Cond is c ? x : y. A vector condition selects per lane.
type Cond struct {
	typed
	C, X, Y Expr
}

// Comma is x, y.
type Comma struct {
	typed
	X, Y Expr
}

// Index is x[i]: X is a pointer (arrays are decayed) or a vector (some OpenCL
// compilers allow it; a constant i is a Swizzle).
type Index struct {
	typed
	X, I Expr
}

// Deref is *x.
type Deref struct {
	typed
	X Expr
}

// AddrOf is &x of an lvalue.
type AddrOf struct {
	typed
	X Expr
}

// Member is x.field of a struct or union; x->field is Member of Deref.
type Member struct {
	typed
	X     Expr
	Field int // index into the struct's Fields
}

// Swizzle selects vector lanes: v.x (scalar type), v.s0123, v.hi. It is an
// lvalue when X is one and no lane repeats.
type Swizzle struct {
	typed
	X     Expr
	Lanes []int
}

// VectorLit is (float4)(a, b.xy, c) or make_float4(...): Elems are scalars or
// vectors whose lanes, in order, make up the vector; a single scalar is a
// Convert instead.
type VectorLit struct {
	typed
	Elems []Expr
}

// InitList is a braced initialiser of an array, struct or vector, elements in
// order; missing ones are zero. Index[i] is where Elems[i] goes (field or
// element).
type InitList struct {
	typed
	Elems []Expr
	Index []int64
}

// Call calls a function of the unit. Arguments are converted to the parameters'
// types.
type Call struct {
	typed
	Fn   *Function
	Args []Expr
}

// BuiltinCall calls a function of the language, named canonically (OpenCL's
// name where there is one: __syncthreads is "barrier", __cosf is "native_cos",
// cosf is "cos", threadIdx.x is get_local_id(0)). Arguments are converted to
// the chosen overload's types.
type BuiltinCall struct {
	typed
	Builtin *Builtin
	Args    []Expr
}

// StmtExpr is the statement expression ({ ... X; }) of GNU C, and an array that a
// compound literal makes: the statements are executed, then X is the value. X is
// nil if there is none (type void).
type StmtExpr struct {
	typed
	Stmts []Stmt
	X     Expr
}

// Stmt is a statement.
type Stmt interface {
	Pos() Pos
	stmt()
}

type positioned struct{ P Pos }

func (s *positioned) Pos() Pos { return s.P }
func (s *positioned) stmt()    {}

// Block is { ... }.
type Block struct {
	positioned
	Stmts []Stmt
}

// Decl declares an object, Init nil if it has no initialiser.
type Decl struct {
	positioned
	Obj  *Object
	Init Expr
}

// ExprStmt is an expression for its effects.
type ExprStmt struct {
	positioned
	X Expr
}

// If is if or if/else.
type If struct {
	positioned
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
	positioned // of the keyword
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
	Pos    Pos
	Kind   PragmaKind
	Factor int64  // UnrollFactor: N ≥ 2
	Text   string // as written, e.g. "#pragma unroll 4"
}

// Switch is a switch over an integer. Cases are in source order; control falls
// from one to the next.
type Switch struct {
	positioned
	X     Expr
	Cases []Case
}

// Case is one group of case labels and the statements up to the next label.
type Case struct {
	Pos     Pos
	Values  []int64
	Default bool
	Body    []Stmt
}

// Labelled is statements that end at a label: a Goto in them goes to their end.
type Labelled struct {
	positioned
	Name  string // of the label
	Stmts []Stmt
}

// Goto leaves Target, around it, by its end.
type Goto struct {
	positioned
	Name   string // of the label
	Target *Labelled
}

// Break leaves the innermost loop or switch.
type Break struct{ positioned }

// Continue starts the next iteration of the innermost loop.
type Continue struct{ positioned }

// Return leaves the function; X is nil for void.
type Return struct {
	positioned
	X Expr
}
