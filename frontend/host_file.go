package frontend

// fileScope evaluates the constants and variables that are declared outside of functions.
func (r *hostRun) fileScope() {
	r.eachItem(func(i, end int, _ string) {
		for end > i && (r.is(end-1, ";") || r.is(end-1, "}") && r.shape.closing(end-1) < 0) {
			end--
		}
		switch {
		case r.is(i, "template"), r.is(i, "typedef"), r.is(i, "using"):
		case r.is(i, "enum"):
			r.enumerators(i, end)
		case r.isDeclaration(i, end) && !r.head(i, end).isFunctionBody(end):
			r.declaration(i, end)
		}
		r.globalize()
	})
}

// isFunctionBody reports whether an item that ends at token end is a function with a body.
func (h itemHead) isFunctionBody(end int) bool { return h.isFunction && h.body < end }

// globalize makes the variables declared last global ones. A name that namespaces give
// different values is not known.
func (r *hostRun) globalize() {
	for _, v := range r.env.vars {
		if old := r.globals[v.name]; old != nil && !old.value.equal(v.value) {
			v.value = unknownf("%s is declared more than once", v.name)
		}
		r.globals[v.name] = &v
	}
	r.env.vars = r.env.vars[:0]
}

// enumerators declares the constants of the enum of tokens i to j.
func (r *hostRun) enumerators(i, j int) {
	open := r.find(i, j, "{")
	closing := r.shape.closing(open)
	if open >= j || closing < 0 {
		return
	}
	value := scalarValue(intValue(Int, -1))
	for _, part := range r.split(open+1, closing, false) {
		if r.kindOf(part[0]) != tokIdent {
			continue
		}
		if eq := part[0] + 1; eq < part[1] && r.is(eq, "=") {
			value = r.eval(eq+1, part[1])
		} else {
			value = hostBinary("+", value, scalarValue(intValue(Int, 1)))
		}
		r.env.declare(hostVar{name: r.at(part[0]), constant: true, typ: hostType{auto: true}, value: value})
	}
}
