package syntax

import (
	"slices"
	"sync"

	"gpupipe/internal/diag"
)

// Pos is a position in the user's source text.
type Pos = diag.Pos

// File is a parsed translation unit.
type File struct {
	Decls    []Decl
	Launches []Directive // that no kernel follows
}

// Name is a name as written, qualified or not: ::A<int>::f.
type Name struct {
	Pos    Pos
	Global bool // begins with ::
	Parts  []Part
}

// Last is the last part of a name.
func (n *Name) Last() *Part { return &n.Parts[len(n.Parts)-1] }

// Simple is the identifier that is all of a name, else empty.
func (n *Name) Simple() string {
	if n.Global || len(n.Parts) != 1 || n.Parts[0].HasArgs || n.Parts[0].Destroys {
		return ""
	}
	return n.Parts[0].Ident
}

// Qualifier is a name without its last part.
func (n *Name) Qualifier() *Name {
	return &Name{Pos: n.Pos, Global: n.Global, Parts: n.Parts[:len(n.Parts)-1]}
}

// Part is one identifier of a name.
type Part struct {
	Pos      Pos
	Ident    string // "operator+", "operator()"; empty of a conversion function
	Args     []TemplateArg
	HasArgs  bool    // <> was written
	Convert  *TypeID // of operator T
	Destroys bool    // ~Ident
	Decltype Expr    // decltype(x)::
}

// TemplateArg is a type, an expression, or what may be either: a name is parsed as a type and as an expression.
type TemplateArg struct {
	Pos  Pos
	Type *TypeID
	Expr Expr
	Pack bool // followed by ...
}

// TypeID is a type without a declared name: of a cast, a template argument.
type TypeID struct {
	Specs *Specifiers
	Decl  *Declarator // without a name
}

// Named is the name that is all of a type, else nil.
func (t *TypeID) Named() *Name {
	n, ok := t.Specs.Type.(*NamedType)
	if !ok || len(t.Decl.Ops) > 0 {
		return nil
	}
	return n.Name
}

// Specifiers are what stands before the declarators.
type Specifiers struct {
	Pos                                                                            Pos
	Typedef, Extern, Static, Inline, Constexpr, Friend, Explicit, Virtual, Mutable bool
	Quals                                                                          Quals
	Type                                                                           TypeSpec // nil of a constructor
	Attrs                                                                          []Attr
	// Unknown are names that are not types: of macros.
	Unknown []Part
	// Concept is set of a concept, a variable of bool.
	Concept bool
	// ExplicitIf is the x of explicit(x).
	ExplicitIf Expr
}

// Quals are qualifiers of a type.
type Quals struct {
	Const, Volatile, Restrict bool
	Space                     string // "global", "local", "constant", "private", "generic", of CUDA too
	Access                    string // "read_only", ...
}

// TypeSpec is the type of specifiers.
type TypeSpec interface{ typeSpec() }

type (
	// Builtin is a type of keywords.
	Builtin struct {
		Pos   Pos
		Words []string
	}
	// NamedType is a type by name.
	NamedType struct {
		Name *Name
		Tag  string // struct, class, union, enum or empty
	}
	// Auto is auto, decltype(auto), or "C auto" of a concept C.
	Auto struct {
		Pos      Pos
		Decltype bool
		Concept  *Name
	}
	// Decltype is decltype(x) or typeof(x).
	Decltype struct {
		Pos  Pos
		X    Expr
		Type *TypeID // typeof(type)
		Of   bool    // typeof
		// Underlying is set of __underlying_type(type), an enumeration's.
		Underlying bool
	}
)

func (*Builtin) typeSpec()   {}
func (*NamedType) typeSpec() {}
func (*Auto) typeSpec()      {}
func (*Decltype) typeSpec()  {}
func (*Class) typeSpec()     {}
func (*Enum) typeSpec()      {}

// Declarator is a name with what makes its type of that of the specifiers.
type Declarator struct {
	Pos   Pos
	Name  *Name    // nil of an abstract one
	Ops   []DeclOp // from the name outwards: of int *a[3] the array, then the pointer
	Pack  bool
	Attrs []Attr
	Bits  Expr
}

// Ident is the identifier that a declarator declares, empty of an abstract one.
func (d *Declarator) Ident() string {
	if d.Name == nil {
		return ""
	}
	return d.Name.Last().Ident
}

// Func is the parameters of a function's declarator, nil of another one.
func (d *Declarator) Func() *FuncOp {
	if len(d.Ops) == 0 {
		return nil
	}
	f, _ := d.Ops[0].(*FuncOp)
	return f
}

// Has reports whether a declarator has an operator of a kind.
func Has[T DeclOp](d *Declarator) bool {
	return slices.ContainsFunc(d.Ops, func(op DeclOp) bool { _, ok := op.(T); return ok })
}

// DeclOp is a pointer, reference, array or function of a declarator.
type DeclOp interface{ declOp() }

type (
	PointerOp struct{ Quals Quals }
	// MemberPtrOp is the pointer to a member, C::*.
	MemberPtrOp struct{ Class *Name }
	RefOp       struct{ Rvalue bool }
	ArrayOp     struct {
		Pos  Pos
		Size Expr // nil of []
	}
	FuncOp struct {
		Params   []*Param
		Variadic bool
		Const    bool
		Volatile bool
		Override bool
		Final    bool
		Ref      int // 1 &, 2 &&
		Result   *TypeID
		NoThrow  Expr // the condition of noexcept, true where none is written; nil: the function may throw
		Requires Expr // nil: no constraint
	}
)

func (*PointerOp) declOp()   {}
func (*MemberPtrOp) declOp() {}
func (*RefOp) declOp()       {}
func (*ArrayOp) declOp()     {}
func (*FuncOp) declOp()      {}

// Param is a parameter of a function.
type Param struct {
	Specs   *Specifiers
	Decl    *Declarator
	Default Init
}

// IsVoid reports whether a parameter is the void of (void).
func (p *Param) IsVoid() bool {
	b, ok := p.Specs.Type.(*Builtin)
	return ok && len(b.Words) == 1 && b.Words[0] == "void" && p.Decl.Name == nil && len(p.Decl.Ops) == 0
}

// Attr is an attribute.
type Attr struct {
	Pos  Pos
	Name string
	Args []Expr
}

// Decl is a declaration.
type Decl interface {
	DeclPos() Pos
}

type (
	// Vars declares variables, types by typedef, or functions without a body.
	Vars struct {
		Specs *Specifiers
		Decls []*Var
	}
	// Var is one declarator with its initialiser.
	Var struct {
		Decl *Declarator
		Init Init
		// Names are those of a structured binding: auto [a, b] = x.
		Names []Part
	}
	// Function is a definition of a function.
	Function struct {
		Specs    *Specifiers
		Decl     *Declarator
		Inits    []MemberInit // of a constructor
		Body     *Body        // nil of a declaration
		Deleted  bool
		Default  bool
		Pure     bool        // = 0
		Launches []Directive // comments in front of a kernel
	}
	// Template is what a template declares.
	Template struct {
		Pos      Pos
		Params   []*TemplateParam
		Explicit bool // template <> : an explicit specialisation
		Requires Expr // nil: no constraint beside those of Params
		Decl     Decl
		// abbreviated: no template is written, parameters of a function are declared auto.
		abbreviated bool
	}
	// Instantiation is "template T f<int>(int);".
	Instantiation struct {
		Pos  Pos
		Decl Decl
	}
	// Namespace is a namespace with its declarations.
	Namespace struct {
		Pos    Pos
		Inline bool
		Names  []string
		Decls  []Decl
	}
	// Using is a using-declaration or, with Namespace, a using-directive.
	Using struct {
		Pos       Pos
		Namespace bool
		Enum      bool // using enum E
		Names     []*Name
		Pack      bool // followed by ...
	}
	// Alias is "using T = int;" or, with Namespace set, "namespace a = b;".
	Alias struct {
		Pos       Pos
		Ident     string
		Type      *TypeID
		Namespace *Name
	}
	// StaticAssert is static_assert(x, "why").
	StaticAssert struct {
		Pos  Pos
		X    Expr
		Text string
	}
	// Access is "public:".
	Access struct {
		Pos  Pos
		Kind string
	}
	// BadDecl did not parse.
	BadDecl struct {
		Pos    Pos
		Ident  string // of a function, where it could be told
		Kernel bool
		Device bool // a function of the device
		Err    *diag.Error
	}
)

// MemberInit is "a(1)" of a constructor.
type MemberInit struct {
	Pos  Pos
	Name *Name
	Init Init
	Pack bool
}

// TemplateParam is a parameter of a template.
type TemplateParam struct {
	Pos        Pos
	Ident      string
	Type       bool             // typename T
	Template   []*TemplateParam // template <...> class T; not nil of one
	Specs      *Specifiers      // of a value
	Decl       *Declarator
	Default    *TemplateArg
	Pack       bool
	Constraint Expr // C<T>; nil: none
}

// Class is a class, struct or union: its definition or a mention.
type Class struct {
	Pos    Pos
	Key    string
	Name   *Name // nil of one without a name
	Bases  []BaseSpec
	Body   []Decl
	Define bool
	Final  bool
	Pack   int64 // the alignment that #pragma pack allows members, 0 = all
	Attrs  []Attr
}

// BaseSpec is a base of a class.
type BaseSpec struct {
	Pos     Pos
	Type    *TypeID
	Virtual bool
	Access  string // public, protected, private; empty where none is written
	Pack    bool
}

// Enum is an enumeration.
type Enum struct {
	Pos    Pos
	Name   *Name
	Scoped bool
	Base   *TypeID
	Values []Enumerator
	Define bool
}

// Enumerator is one value of an enumeration.
type Enumerator struct {
	Pos   Pos
	Ident string
	Value Expr
}

// Init is an initialiser: an expression after =, a list in braces or arguments in parentheses.
type Init struct {
	Pos    Pos
	Expr   Expr    // = x
	List   *List   // {...} or = {...}
	Parens *[]Expr // (...)
	Assign bool    // = was written
}

// IsSet reports whether there is an initialiser.
func (i *Init) IsSet() bool { return i.Expr != nil || i.List != nil || i.Parens != nil }

// Directive is a comment "// idgen: local=8" in front of a kernel.
type Directive struct {
	Pos    Pos
	Key    string
	Values []Expr
}

// Body is the statements of a function, there after Parse.
type Body struct {
	Pos   Pos
	Stmts []Stmt
	Err   *diag.Error // what did not parse

	parse  func()      // nil when it was
	shared *sync.Mutex // of a Prefix
}

// DeclPos is where the declaration begins.
func (d *Vars) DeclPos() Pos          { return d.Specs.Pos }
func (d *Function) DeclPos() Pos      { return d.Decl.Pos }
func (d *Template) DeclPos() Pos      { return d.Pos }
func (d *Instantiation) DeclPos() Pos { return d.Pos }
func (d *Namespace) DeclPos() Pos     { return d.Pos }
func (d *Using) DeclPos() Pos         { return d.Pos }
func (d *Alias) DeclPos() Pos         { return d.Pos }
func (d *StaticAssert) DeclPos() Pos  { return d.Pos }
func (d *Access) DeclPos() Pos        { return d.Pos }
func (d *BadDecl) DeclPos() Pos       { return d.Pos }
