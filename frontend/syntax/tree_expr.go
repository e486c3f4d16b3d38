package syntax

// Expr is an expression.
type Expr interface{ ExprPos() Pos }

// Bare is an expression without the parentheses around it.
func Bare(x Expr) Expr {
	for {
		p, ok := x.(*Paren)
		if !ok {
			return x
		}
		x = p.X
	}
}

type (
	// Lit is a literal as written.
	Lit struct {
		Pos  Pos
		Kind LitKind
		Text string // of strings that stand side by side, all of them joined as one
	}
	// Ident is a name.
	Ident struct{ Name *Name }
	// This is this.
	This struct{ Pos Pos }
	// Paren is (x).
	Paren struct {
		Pos Pos
		X   Expr
	}
	// Unary is a prefix operator: - + ! ~ * & ++ --.
	Unary struct {
		Pos Pos
		Op  string
		X   Expr
	}
	// Postfix is x++ or x--.
	Postfix struct {
		Pos Pos
		Op  string
		X   Expr
	}
	// Binary is an operator between two operands, assignments and the comma among them.
	Binary struct {
		From Pos // where X begins
		Pos  Pos // of the operator
		Op   string
		X, Y Expr
	}
	// Cond is c ? x : y.
	Cond struct {
		Pos     Pos // of the ?
		C, X, Y Expr
	}
	// CallExpr is f(args).
	CallExpr struct {
		Pos  Pos // of the parenthesis
		Fn   Expr
		Args []Expr
	}
	// LaunchExpr is f<<<config>>>(args).
	LaunchExpr struct {
		Pos    Pos
		Fn     Expr
		Config []Expr
		Args   []Expr
	}
	// IndexExpr is x[i].
	IndexExpr struct {
		Pos  Pos // of the bracket
		X, I Expr
	}
	// MemberExpr is x.name or x->name.
	MemberExpr struct {
		Pos   Pos // of the name
		X     Expr
		Arrow bool
		Name  *Name
	}
	// CastExpr is (T)x.
	CastExpr struct {
		Pos  Pos
		Type *TypeID
		X    Expr
	}
	// NamedCast is static_cast<T>(x) and its like.
	NamedCast struct {
		Pos  Pos
		Kind string
		Type *TypeID
		X    Expr
	}
	// Construct is T(args) or T{list}, and in C the compound literal (T){list}.
	Construct struct {
		Pos  Pos
		Type *TypeID
		Args []Expr
		List *List
	}
	// SizeOf is sizeof or alignof, of a type or an expression; sizeof...(pack).
	SizeOf struct {
		Pos   Pos
		Align bool
		Type  *TypeID
		X     Expr
		Pack  string
	}
	// Noexcept is noexcept(x).
	Noexcept struct {
		Pos Pos
		X   Expr
	}
	// Requires is requires (Params) { ... }: Valid and Types have a meaning, and Holds hold.
	Requires struct {
		Pos    Pos
		Params []*Param
		Valid  []Expr
		Types  []*TypeID
		Holds  []Expr
	}
	// New is a new-expression, Delete a delete-expression.
	New struct {
		Pos   Pos
		Place []Expr // where the object is made; nil: in new memory
		Type  *TypeID
		Array bool
		Count Expr       // of the elements of an array
		Init  *Construct // nil: without one
	}
	Delete struct {
		Pos   Pos
		Array bool
		X     Expr
	}
	// Throw is a throw-expression.
	Throw struct{ Pos Pos }
	// Lambda is a lambda.
	Lambda struct {
		Pos      Pos
		Default  string // "=", "&" or empty
		Captures []Capture
		Params   []*TemplateParam
		Decl     *FuncOp
		Mutable  bool
		Body     *Body
	}
	// Fold is a fold-expression; Init is nil of a unary one.
	Fold struct {
		Pos  Pos
		Op   string
		Pack Expr
		Init Expr
		Left bool // (... op pack)
	}
	// PackExpansion is x... in a list.
	PackExpansion struct {
		Pos Pos
		X   Expr
	}
	// List is {a, b}.
	List struct {
		Pos   Pos
		Elems []Elem
	}
	// StmtExpr is ({ ... }).
	StmtExpr struct {
		Pos  Pos
		Body *Body
	}
	// OffsetOf is offsetof(T, member).
	OffsetOf struct {
		Pos    Pos
		Type   *TypeID
		Member Expr
	}
	// TypeTrait is a builtin that takes types: __is_same(T, U).
	TypeTrait struct {
		Pos  Pos
		Name string
		Args []TemplateArg
	}
)

// Elem is an element of a list, with its designators.
type Elem struct {
	Designators []Designator
	X           Expr // a *List where it is in braces
}

// Designator is .name or [index].
type Designator struct {
	Pos   Pos
	Field string
	Index Expr
}

// Capture is a capture of a lambda.
type Capture struct {
	Pos   Pos
	Ident string
	Ref   bool
	This  bool
	Copy  bool // *this
	Init  *Init
	Pack  bool
}

// LitKind is the kind of a literal.
type LitKind uint8

// The kinds.
const (
	IntLit LitKind = iota + 1
	FloatLit
	CharLit
	StringLit
	BoolLit
	NullLit
)

func (e *Lit) ExprPos() Pos           { return e.Pos }
func (e *Ident) ExprPos() Pos         { return e.Name.Pos }
func (e *This) ExprPos() Pos          { return e.Pos }
func (e *Paren) ExprPos() Pos         { return e.Pos }
func (e *Unary) ExprPos() Pos         { return e.Pos }
func (e *Postfix) ExprPos() Pos       { return e.X.ExprPos() }
func (e *Binary) ExprPos() Pos        { return e.From }
func (e *Cond) ExprPos() Pos          { return e.C.ExprPos() }
func (e *CallExpr) ExprPos() Pos      { return e.Fn.ExprPos() }
func (e *LaunchExpr) ExprPos() Pos    { return e.Fn.ExprPos() }
func (e *IndexExpr) ExprPos() Pos     { return e.X.ExprPos() }
func (e *MemberExpr) ExprPos() Pos    { return e.X.ExprPos() }
func (e *CastExpr) ExprPos() Pos      { return e.Pos }
func (e *NamedCast) ExprPos() Pos     { return e.Pos }
func (e *Construct) ExprPos() Pos     { return e.Pos }
func (e *SizeOf) ExprPos() Pos        { return e.Pos }
func (e *Noexcept) ExprPos() Pos      { return e.Pos }
func (e *Requires) ExprPos() Pos      { return e.Pos }
func (e *New) ExprPos() Pos           { return e.Pos }
func (e *Delete) ExprPos() Pos        { return e.Pos }
func (e *Throw) ExprPos() Pos         { return e.Pos }
func (e *Lambda) ExprPos() Pos        { return e.Pos }
func (e *Fold) ExprPos() Pos          { return e.Pos }
func (e *PackExpansion) ExprPos() Pos { return e.X.ExprPos() }
func (e *List) ExprPos() Pos          { return e.Pos }
func (e *StmtExpr) ExprPos() Pos      { return e.Pos }
func (e *OffsetOf) ExprPos() Pos      { return e.Pos }
func (e *TypeTrait) ExprPos() Pos     { return e.Pos }
