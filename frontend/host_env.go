package frontend

import "slices"

// hostVar is a variable of host code, or a name of a type.
type hostVar struct {
	name     string
	typ      hostType
	isType   bool
	words    []string // of the type that a template's parameter stands for
	value    hostValue
	constant bool
	forever  bool // its address is known elsewhere
}

// hostEnv holds the variables in scope, the innermost last; those before base are of other
// functions.
type hostEnv struct {
	vars []hostVar
	base int
}

// find is the variable called name of the function, or nil.
func (e *hostEnv) find(name string) *hostVar {
	for i := len(e.vars) - 1; i >= e.base; i-- {
		if e.vars[i].name == name {
			return &e.vars[i]
		}
	}
	return nil
}

func (e *hostEnv) declare(v hostVar) { e.vars = append(e.vars, v) }

// set assigns to a variable.
func (e *hostEnv) set(name string, v hostValue) {
	x := e.find(name)
	if x == nil || x.isType || x.constant && x.value.known() {
		return
	}
	if v = v.as(x.typ); !x.forever {
		x.value = v
	}
}

// forget makes the value of a variable unknown.
func (e *hostEnv) forget(name, why string, forever bool) {
	if x := e.find(name); x != nil && !x.isType && !x.constant {
		x.value = hostValue{why: why}
		x.forever = x.forever || forever
	}
}

func (e *hostEnv) snapshot() []hostVar { return slices.Clone(e.vars) }

// restore brings a snapshot back.
func (e *hostEnv) restore(s []hostVar) { e.vars = append(e.vars[:0], s...) }

// merge keeps what the present state and another one, of as many variables or less, agree on.
func (e *hostEnv) merge(other []hostVar, why string) {
	for i := range min(len(e.vars), len(other)) {
		v, w := &e.vars[i], &other[i]
		if !v.value.equal(w.value) {
			v.value = hostValue{why: "the value of " + v.name + " " + why}
		}
		v.forever = v.forever || w.forever
	}
}
