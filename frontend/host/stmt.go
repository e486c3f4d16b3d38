package host

import (
	"slices"

	"gpupipe/frontend/ctypes"
)

// simple executes the declaration or expression of tokens i to j.
func (r *interpreter) simple(i, j int) {
	if i >= j {
		return
	}
	switch {
	case r.is(i, "typedef"), r.is(i, "using"):
		types := cloneTypes(r.types)
		r.alias(i, types)
		for name, t := range types {
			if old, ok := r.types[name]; !ok || old != t {
				r.env.declare(variable{name: name, isType: true, typ: t})
			}
		}
	case r.is(i, "enum"):
		r.enumerators(i, j)
	case r.isDeclaration(i, j):
		before := len(r.env.vars)
		r.declaration(i, j)
		r.effectsBut(i, j, before)
	case !r.assignment(i, j):
		r.effects(i, j)
	}
}

// isDeclaration reports whether tokens i to j declare variables: a type stands in front of a name
// that is followed by what a declarator is followed by.
func (r *interpreter) isDeclaration(i, j int) bool {
	if r.kindOf(i) != Word {
		return false
	}
	switch r.at(i) {
	case "return", "delete", "new", "throw", "else", "case", "goto", "sizeof", "co_return", "operator":
		return false
	}
	t, k := r.typeAt(i, r.typesHere())
	if k == i {
		return false
	}
	for r.is(k, "*") || r.is(k, "&") || r.is(k, "&&") || r.is(k, "const") || r.is(k, "__restrict__") {
		k++
	}
	if k >= j {
		return false
	}
	if r.is(k, "[") && t.auto { // auto [a, b] = ...
		return true
	}
	if r.kindOf(k) != Word || k == i {
		return false
	}
	if k+1 == j {
		return true
	}
	switch r.at(k + 1) {
	case "=", ",", "(", "{", "[", ":":
		return true
	}
	return false
}

// declaration declares the variables of tokens i to j.
func (r *interpreter) declaration(i, j int) {
	t, k := r.typeAt(i, r.typesHere())
	constant := r.has(i, k, "const", "constexpr")
	static := r.has(i, k, "static") && !constant && r.fn != nil
	if r.is(k, "[") {
		for ; k < j && !r.is(k, "]"); k++ {
			if r.kindOf(k) == Word {
				r.env.declare(variable{name: r.at(k), value: unknownf("%s is not understood (%s)", r.at(k), r.line(k))})
			}
		}
		return
	}
	for _, d := range r.argumentTokens(k, j) {
		r.declarator(d[0], d[1], t, constant, static)
	}
}

// declarator declares the variable of tokens i to j, with a type.
func (r *interpreter) declarator(i, j int, t variableType, constant, static bool) {
	k := i
	for k < j && (r.is(k, "*") || r.is(k, "&") || r.is(k, "&&") || r.is(k, "const") || r.is(k, "__restrict__")) {
		k++
	}
	if k >= j || r.kindOf(k) != Word {
		return
	}
	v := variable{name: r.at(k), typ: t, constant: constant}
	init := k + 1
	switch {
	case k > i:
		v.typ, v.constant = variableType{}, false
		v.value = unknownf("%s is a pointer or reference (%s)", v.name, r.line(k))
		if r.has(i, k, "&") && r.is(init, "=") && r.is(init+2, ";") { // it may be changed by another name
			r.env.forget(r.at(init+1), "the value of "+r.at(init+1)+" may be changed as "+v.name, true)
		}
	case r.is(init, "["):
		v.typ = variableType{}
		v.value = unknownf("%s is an array (%s)", v.name, r.line(k))
	case static:
		v.value = unknownf("%s keeps its value from call to call (%s)", v.name, r.line(k))
	default:
		v.value = r.initial(t, init, j)
		if v.typ.auto && v.value.Extents != nil {
			v.typ = variableType{isDim3: true}
		} else if v.typ.auto && v.value.IsScalar() {
			v.typ = variableType{kind: v.value.Scalar.Type.Kind}
		}
	}
	r.env.declare(v)
}

// initial is the first value of a variable of type t whose initialiser is tokens i to j.
func (r *interpreter) initial(t variableType, i, j int) Value {
	var v Value
	switch {
	case i >= j && t.isDim3:
		return dim3Of(nil)
	case i >= j:
		return unknownf("%s has no value yet (%s)", r.at(i-1), r.line(i-1))
	case r.is(i, "="):
		v = r.eval(i+1, j)
	case (r.is(i, "(") || r.is(i, "{")) && r.closing(i) == j-1:
		switch args := r.arguments(i); {
		case t.isDim3:
			v = dim3Of(args)
		case len(args) == 0:
			v = number(ctypes.IntValue(ctypes.Int, 0))
		case len(args) == 1:
			v = args[0]
		default:
			return unknownf("%s is not understood (%s)", r.quote(i-1, j), r.line(i))
		}
	default:
		return unknownf("%s is not understood (%s)", r.quote(i-1, j), r.line(i))
	}
	if v.Known() && t == (variableType{}) {
		return unknownf("the type of %s is not understood (%s)", r.at(i-1), r.line(i))
	}
	return v.as(t)
}

// assignment executes x = e, x += e, x.y = e, ++x and x++, where that is all of tokens i to j.
func (r *interpreter) assignment(i, j int) bool {
	name, op := i, i+1
	if r.is(i, "++") || r.is(i, "--") {
		name, op = i+1, i
	}
	if r.kindOf(name) != Word {
		return false
	}
	target := r.at(name)
	x := r.env.find(target)
	if x == nil {
		return false
	}
	member := ""
	if r.is(op, ".") && r.kindOf(op+1) == Word {
		member, op = r.at(op+1), op+2
	}
	old := x.value
	if member != "" {
		old = old.member(member)
	}
	var v Value
	switch s := r.at(op); {
	case s == "=" && op+1 < j && !r.has(op+1, j, assignments...):
		v = r.eval(op+1, j)
	case (s == "++" || s == "--") && (op+1 == j || name+1 == j):
		v = compute(ctypes.BinaryOp(s[:1]), old, number(ctypes.IntValue(ctypes.Int, 1)))
	case len(s) > 1 && slices.Contains(assignments, s) && op+1 < j:
		v = compute(ctypes.BinaryOp(s[:len(s)-1]), old, r.eval(op+1, j))
	default:
		return false
	}
	r.effects(op, j)
	if member != "" {
		x = r.env.find(target)
		v = x.value.withMember(member, v)
	}
	r.env.set(target, v)
	return true
}
