package launches

import (
	"slices"

	"gpupipe/frontend/ctypes"
	"gpupipe/frontend/syntax"
)

// variable is a variable of host code, or a parameter of a template.
type variable struct {
	Local
	value    Value
	constant bool
	forever  bool // its address is known elsewhere
	lambda   *syntax.Lambda
}

// environment holds the variables in scope, the innermost last; those before base are of other
// functions.
type environment struct {
	vars []variable
	base int
}

// find is the variable called name of the function, or nil.
func (e *environment) find(name string) *variable {
	for i := len(e.vars) - 1; i >= e.base; i-- {
		if e.vars[i].Name == name {
			return &e.vars[i]
		}
	}
	return nil
}

func (e *environment) declare(v variable) { e.vars = append(e.vars, v) }

// locals are the variables in scope.
func (e *environment) locals() (list []Local) {
	for _, v := range e.vars[e.base:] {
		if v.constant && v.value.IsScalar() {
			v.Value = &v.value.Scalar
		}
		list = append(list, v.Local)
	}
	return list
}

// set assigns to a variable.
func (e *environment) set(name string, v Value) {
	x := e.find(name)
	if x == nil || x.isParameter() || x.constant && x.value.Known() {
		return
	}
	if v = v.as(x.Type); !x.forever {
		x.value = v
	}
}

// forget makes the value of a variable unknown.
func (e *environment) forget(name, why string, forever bool) {
	if x := e.find(name); x != nil && !x.isParameter() && !x.constant {
		x.value = Value{Why: why}
		x.forever = x.forever || forever
	}
}

func (e *environment) snapshot() []variable { return slices.Clone(e.vars) }

// restore brings a snapshot back.
func (e *environment) restore(s []variable) { e.vars = append(e.vars[:0], s...) }

// leave removes the variables behind the first n.
func (e *environment) leave(n int) { e.vars = e.vars[:min(n, len(e.vars))] }

// merge keeps what the present state and another one, of as many variables or less, agree on.
func (e *environment) merge(other []variable, why string) {
	for i := range min(len(e.vars), len(other)) {
		v, w := &e.vars[i], &other[i]
		if !v.value.equal(w.value) {
			v.value = Value{Why: "the value of " + v.Name + " " + why}
		}
		v.forever = v.forever || w.forever
	}
}

// Place is where host code stands: what names mean in it.
type Place struct {
	Space  []string // the namespaces and classes around it
	Locals []Local  // from the outside in
}

// Local is a variable of a function, or a parameter of a template or a name of a type in it.
type Local struct {
	Name string
	Type *ctypes.Type // of a variable; nil: it is not understood
	// Arg is what a parameter of a template stands for, as Names gave it; nil: it is not known.
	Arg   any
	Param bool // it is a parameter of a template or a name of a type
	// Value is that of a constant, where it is known.
	Value *ctypes.Value
	// Using is the namespace of a using-directive, which has no name itself.
	Using *syntax.Name
}

func (l *Local) isParameter() bool { return l.Param }

// Names says what the names of host code mean. What it does not understand is nil.
type Names interface {
	// Type is the type of a variable that specifiers and a declarator declare; the declarator may be nil.
	Type(at Place, s *syntax.Specifiers, d *syntax.Declarator) *ctypes.Type
	// TypeOf is the type of an expression.
	TypeOf(at Place, x syntax.Expr) *ctypes.Type
	// Argument is an argument of a template.
	Argument(at Place, a *syntax.TemplateArg) any
	// TypeArgument and Number are a type and a number as arguments of a template.
	TypeArgument(t *ctypes.Type) any
	Number(v ctypes.Value) any
	// Value is the number that an argument of a template is.
	Value(arg any) (ctypes.Value, bool)
	// Deduce are the arguments of the template of a function for a call with arguments, the given ones first; nil
	// are those that these do not say.
	Deduce(at Place, params []*syntax.TemplateParam, of []*syntax.Param, given []any, args []syntax.Expr) []any
	// Constant is the value of a constant expression.
	Constant(at Place, x syntax.Expr) (ctypes.Value, bool)
}
