package resolve

import (
	"gpupipe/frontend/ast"
	"gpupipe/frontend/ctypes"
	"gpupipe/frontend/inlineptx"
	"gpupipe/frontend/syntax"
	"gpupipe/internal/diag"
)

// symbolKind is what a name stands for.
type symbolKind uint8

const (
	symObject symbolKind = iota + 1
	symType
	symValue    // an enumerator, or a parameter of a template with a value
	symFunction // functions of one name, templates among them
	symTemplate // of classes, aliases or variables
	symNamespace
	symField // a data member that is not static
	symPack  // a parameter pack of a template, or of a function
	symBinding
)

// symbol is a declared name.
type symbol struct {
	kind symbolKind
	name string
	pos  diag.Pos
	seq  int // of the declaration at namespace scope
	in   *scope
	cTag bool // a tag in C, which only "struct NAME" finds

	typ   qtype         // symType, symField
	obj   *ast.Object   // symObject
	ref   reference     // symObject, symField: a pointer stands for it, and every use dereferences that
	value *ctypes.Value // symValue
	funcs []*function
	tmpl  *template
	space *scope // symNamespace
	class *class // symField: that has it
	field int    // symField: the index in the type
	bits  *field // symField: of a bit-field
	pack  []*symbol
	expr  ast.Expr // symBinding: what the name stands for

	// resolve reads a declaration when it is first used; nil once it has been read.
	resolve func()
	reading bool        // while resolve runs
	special []*function // explicit specialisations
	// specialised is set for a static member of which an explicit specialisation says what it is.
	specialised bool
	owner       *function // of a local variable
	// inPlace is set for a parameter that is an object of the caller's: its address is passed.
	inPlace bool
	// usable is set for a local variable usable in constant expressions ([expr.const]).
	usable bool
	// unevaluated is set for a parameter's name in the types of its own function.
	unevaluated bool
	errs        diag.List // of the declaration
	builtin     bool      // declared by the language
	earlier     *symbol   // declared before this in the same scope
	language    bool      // symFunction: functions of the language too
	access      accessKind
	ambiguous   []*symbol // what the name may stand for, where that is not clear
}

// enum is an enumeration.
type enum struct {
	typ    *ctypes.Type
	name   string
	in     *scope
	scoped bool
	fixed  bool   // its underlying type is written
	scope  *scope // of a scoped one's enumerators, and behind ::
}

// classState is how much of a class has been read.
type classState uint8

const (
	declared classState = iota
	completing
	complete
)

// class is a class, struct or union.
type class struct {
	name     string // as declared, without template arguments
	typ      *ctypes.Type
	symbol   *symbol // the injected name
	scope    *scope
	node     *syntax.Class // the definition, nil where there is none
	state    classState
	seq      int
	bases    []base
	fields   []*field
	ctors    []*function
	dtor     *function
	convs    []*function
	tmpl     *template    // whose instance this is
	args     templateArgs // of the instance
	errs     diag.List
	local    *function  // that a local class is in
	closure  *closure   // of a lambda
	implicit *function  // destructor
	assigns  bool       // the implicit operator= is declared, or there is none
	access   accessKind // of the members that are being read
	friends  map[string]bool
	inherits []*class     // whose constructors are its own too
	empty    bool         // it has no data: the type has one byte
	bound    templateArgs // of the parameters of the template or specialisation that the instance is made of
	partial  *partial
	units    []*bitUnit // integers of bit-fields
	run      []*field   // bit-fields that have no place yet
	align    int64      // that bit-fields need
	empties  []emptyAt  // in an object, perhaps itself
	// copiesParts is what is known of copies of objects with certain qualifiers.
	copiesParts map[qualifiers]bool
}

// base is a direct base of a class; its data are the field, -1 where it has none.
type base struct {
	class  *class
	field  int
	access accessKind
	// dependent is set where a parameter of the template around says what the base is: only a member's qualified name
	// finds those of the base.
	dependent bool
}

// field is a data member that is not static.
type field struct {
	name    string
	typ     qtype
	index   int
	init    *syntax.Init
	mutable bool
	pos     diag.Pos
	bits    int  // of a bit-field, else 0
	signed  bool // its value has a sign
	shift   int  // its lowest bit in the integer
	at      int  // its lowest bit in the unit
	// word and offset are the integer around a bit-field in bytes and where it begins in the object; nil of others.
	word   *ctypes.Type
	offset int64
}

// field is the member with an index in the type, nil of a base and of the integer of bit-fields.
func (cl *class) field(index int) *field {
	for _, f := range cl.fields {
		if f.index == index && f.bits == 0 {
			return f
		}
	}
	return nil
}

// functionKind is what a member function is for.
type functionKind uint8

const (
	ordinary functionKind = iota
	constructor
	destructor
	conversion
)

// function is one function, or one template of functions.
type function struct {
	name   string
	pos    diag.Pos
	seq    int
	kind   functionKind
	in     *scope // that it is declared in
	class  *class // whose member it is
	static bool
	access accessKind
	isConst,
	isVolatile,
	isKernel,
	isExplicit,
	isConstexpr,
	isDeleted,
	isDefaulted,
	isGuide bool // a deduction guide that the program writes
	refQualifier reference
	overloadable bool

	decl   *syntax.Function // its signature
	body   *syntax.Function // its definition, nil: only declared
	params *templateParams  // of a template
	sig    *signature
	state  signatureState
	errs   diag.List

	// of an instance
	tmpl *function
	args templateArgs

	instances     map[string]*function
	fn            *ast.Function
	checked       bodyState
	calls         []callSite
	names         map[string]bool // undeclared names that have been reported
	bodyErrs      diag.List
	closure       *closure
	carry         inlineptx.Carry    // of its inline assembly
	extra         []*syntax.Function // other declarations
	defSeq        int                // of the definition
	twice         bool               // defined
	friend        bool
	written       []syntax.TemplateArg // of an explicit specialisation
	isWritten     bool
	bodyDecl      *syntax.Function // the definition outside of the class, whose parameters have other names
	bodyScope     *scope
	this          ast.Expr             // the object in the body
	bound         map[int]*overloads   // parameters that are functions
	known         map[int]*class       // of the objects that parameters refer to; -1: this
	copies        map[string]*function // for the functions that it is given
	inheritedFrom *function
	returned      string        // the variable that all return statements name, * where they do not; "": not asked for
	canonical     **ctypes.Type // see checker.canonical; nil: not asked for
	sources       *string       // see paramSources; nil: not asked for
	recursive     *bool         // see recurs; nil: not asked for
	passes        *overloads    // the function that it returns a reference to, and does nothing else
}

type signatureState uint8

const (
	unread signatureState = iota
	reading
	read
	failed
)

type bodyState uint8

const (
	unchecked bodyState = iota
	checking
	checked
)

// callSite is a call of a function.
type callSite struct {
	fn  *function
	pos diag.Pos
}

// signature is what a declaration of a function says.
type signature struct {
	params   []param
	result   qtype
	written  qtype // the result as declared
	auto     bool  // its type comes from the body
	exact    bool  // of decltype(auto)
	variadic bool
	packs    []packParam
}

// param is a parameter of a function.
type param struct {
	name string
	pos  diag.Pos
	typ  qtype
	init *syntax.Init // the default argument
	pack int          // number of the pack that this is an element of, from 1; 0: of none
}
