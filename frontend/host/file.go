package host

import "gpupipe/frontend/ctypes"

// fileScope evaluates the constants and variables that are declared outside of functions.
func (r *interpreter) fileScope() {
	for _, item := range r.Items {
		i, end := item.Start, item.End
		for end > i && (r.is(end-1, ";") || r.is(end-1, "}") && r.closing(end-1) < 0) {
			end--
		}
		switch {
		case r.is(i, "template"), r.is(i, "typedef"), r.is(i, "using"):
		case r.is(i, "enum"):
			r.enumerators(i, end)
		case r.isDeclaration(i, end) && !item.Function:
			r.declaration(i, end)
		}
		r.globalize()
	}
}

// globalize makes the variables declared last global ones. A name that namespaces give
// different values is not known.
func (r *interpreter) globalize() {
	for _, v := range r.env.vars {
		if old := r.globals[v.name]; old != nil && !old.value.equal(v.value) {
			v.value = unknownf("%s is declared more than once", v.name)
		}
		r.globals[v.name] = &v
	}
	r.env.vars = r.env.vars[:0]
}

// enumerators declares the constants of the enum of tokens i to j.
func (r *interpreter) enumerators(i, j int) {
	open := r.find(i, j, "{")
	closing := r.closing(open)
	if open >= j || closing < 0 {
		return
	}
	value := number(ctypes.IntValue(ctypes.Int, -1))
	for _, part := range r.split(open+1, closing, false) {
		if r.kindOf(part[0]) != Word {
			continue
		}
		if eq := part[0] + 1; eq < part[1] && r.is(eq, "=") {
			value = r.eval(eq+1, part[1])
		} else {
			value = compute(ctypes.Add, value, number(ctypes.IntValue(ctypes.Int, 1)))
		}
		r.env.declare(variable{name: r.at(part[0]), constant: true, typ: variableType{auto: true}, value: value})
	}
}
