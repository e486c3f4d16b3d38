package host

import "slices"

// variable is a variable of host code, or a name of a type.
type variable struct {
	name     string
	typ      variableType
	isType   bool
	words    []string // of the type that a template's parameter stands for
	value    Value
	constant bool
	forever  bool // its address is known elsewhere
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
		if e.vars[i].name == name {
			return &e.vars[i]
		}
	}
	return nil
}

func (e *environment) declare(v variable) { e.vars = append(e.vars, v) }

// set assigns to a variable.
func (e *environment) set(name string, v Value) {
	x := e.find(name)
	if x == nil || x.isType || x.constant && x.value.Known() {
		return
	}
	if v = v.as(x.typ); !x.forever {
		x.value = v
	}
}

// forget makes the value of a variable unknown.
func (e *environment) forget(name, why string, forever bool) {
	if x := e.find(name); x != nil && !x.isType && !x.constant {
		x.value = Value{Why: why}
		x.forever = x.forever || forever
	}
}

func (e *environment) snapshot() []variable { return slices.Clone(e.vars) }

// restore brings a snapshot back.
func (e *environment) restore(s []variable) { e.vars = append(e.vars[:0], s...) }

// merge keeps what the present state and another one, of as many variables or less, agree on.
func (e *environment) merge(other []variable, why string) {
	for i := range min(len(e.vars), len(other)) {
		v, w := &e.vars[i], &other[i]
		if !v.value.equal(w.value) {
			v.value = Value{Why: "the value of " + v.name + " " + why}
		}
		v.forever = v.forever || w.forever
	}
}
