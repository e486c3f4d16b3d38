package host

import "slices"

// callee is the function of the file that a call enters, nil where there is none or several may
// be meant. Its arguments open at token open.
func (r *interpreter) callee(name string, open int) *function {
	n := len(r.argumentTokens(open+1, r.closing(open)))
	var found *function
	for _, f := range r.funcs[name] {
		least := len(f.params)
		for least > 0 && f.params[least-1].preset > 0 {
			least--
		}
		if f.member || n < least || n > len(f.params) {
			continue
		}
		if found != nil {
			return nil
		}
		found = f
	}
	return found
}

// result is what a function of the file returns for a call, whose name stands at token at and
// whose arguments open at token open.
func (r *interpreter) result(f *function, at, open int, args []Value) Value {
	unknown := unknownf("what %s() gives is not known (%s)", f.name, r.line(at))
	if r.depth >= maxDepth {
		return unknown
	}
	quiet, returned := r.quiet, r.returned
	r.quiet, r.returned = true, nil
	r.enter(f, args, r.templateArguments(at, open), func() { r.convertReturned(f) })
	values := r.returned
	r.quiet, r.returned = quiet, returned
	if len(values) == 0 {
		return unknown
	}
	for _, w := range values[1:] {
		if !w.equal(values[0]) {
			return unknown
		}
	}
	return values[0]
}

// convertReturned converts what a function returns to the type of its result.
func (r *interpreter) convertReturned(f *function) {
	t, k := r.typeAt(f.result, r.typesHere())
	if r.is(k, "*") || r.is(k, "&") {
		t = variableType{}
	}
	for i, v := range r.returned {
		if v.Known() {
			r.returned[i] = v.as(t)
		}
	}
}

// Argument is an argument of a template: its words, with those that parameters stand for, and
// its value if it is a number. It is Open where it is made of a type that is not known, a parameter
// of the function around it.
type Argument struct {
	Words []string
	Value Value
	Open  bool
}

// templateArguments are those of the call whose name stands at token at and whose arguments open
// at token open.
func (r *interpreter) templateArguments(at, open int) []Argument {
	if lt := at + 1; r.is(lt, "<") && lt < open {
		return r.templateList(lt+1, open-1)
	}
	return nil
}

// templateList reads the template arguments of tokens i to j.
func (r *interpreter) templateList(i, j int) (list []Argument) {
	for _, part := range r.split(i, j, true) {
		a := Argument{Value: r.eval(part[0], part[1])}
		for _, w := range r.argumentWords(part[0], part[1]) {
			v := r.env.find(w)
			switch {
			case v != nil && v.isType && v.words != nil:
				a.Words = append(a.Words, v.words...)
				continue
			case v != nil && v.isType && v.typ.auto:
				a.Open = true
			}
			a.Words = append(a.Words, w)
		}
		list = append(list, a)
	}
	return list
}

// enter executes a function with arguments; what is missing is not known, and where args is nil
// nothing of its call is, defaults included. behind is called, if
// it is not nil, before the function's names go out of scope.
func (r *interpreter) enter(f *function, args []Value, template []Argument, behind func()) {
	saved, base, fn := len(r.env.vars), r.env.base, r.fn
	r.depth++
	if !r.quiet {
		r.visited[f] = true
	}
	r.env.base, r.fn = saved, f
	for i := range f.template {
		r.env.declare(r.templateParameter(f, i, template, args != nil))
	}
	for i, p := range f.params {
		t, k := r.typeAt(p.from, r.typesHere())
		v := variable{name: p.name, typ: t, value: unknownf("%s is an argument of %s() (%s)", p.name, f.name, r.line(p.from))}
		switch {
		case r.has(k, p.to, "*") || r.has(k, p.to, "["):
			v.typ = variableType{}
		case i < len(args):
			v.value = args[i].as(t)
		case p.preset > 0 && args != nil:
			v.value = r.eval(p.preset, p.to).as(t)
		}
		if v.typ.auto && v.value.IsScalar() {
			v.typ = variableType{kind: v.value.Scalar.Type.Kind}
		}
		r.env.declare(v)
	}
	r.block(f.open+1, f.close)
	if behind != nil {
		behind()
	}
	r.env.vars = r.env.vars[:saved]
	r.env.base, r.fn = base, fn
	r.depth--
}

// templateParameter is the i-th template parameter of a function with its argument or its default. Nothing is
// known of one that neither decides: what the function is called with may deduce it, or the call is not seen.
func (r *interpreter) templateParameter(f *function, i int, template []Argument, called bool) variable {
	p := f.template[i]
	if i >= len(template) && (!called || r.deduces(f, p.name)) {
		p.preset = p.to
	}
	v := variable{name: p.name, isType: p.isType, constant: true, typ: variableType{auto: true}}
	words := r.argumentWords(p.preset, p.to)
	if i < len(template) {
		words = template[i].Words
	}
	switch {
	case p.isType && len(words) > 0:
		v.words, v.typ = words, namedType(words, r.types)
	case p.isType:
	case i < len(template):
		v.value = template[i].Value
	default:
		if v.value = r.eval(p.preset, p.to); p.preset == p.to || !v.value.Known() {
			v.value = unknownf("%s is an argument of a template", p.name)
		}
	}
	return v
}

// deduces reports whether the parameters of a function mention a parameter of its template.
func (r *interpreter) deduces(f *function, name string) bool {
	return slices.ContainsFunc(f.params, func(p parameter) bool { return r.has(p.from, p.to, name) })
}

// effects does what the expression of tokens i to j does besides having a value: it launches
// kernels, enters functions that do, and changes variables.
func (r *interpreter) effects(i, j int) { r.effectsBut(i, j, len(r.env.vars)) }

// effectsBut is effects for a declaration of the variables from number declared on, which it does
// not change.
func (r *interpreter) effectsBut(i, j, declared int) {
	for k := i; k < j && r.spend(0); k++ {
		switch {
		case r.is(k, "{") && r.opensLambda(k) && r.closing(k) > k:
			r.lambda(k)
			k = r.closing(k)
		case r.is(k, "<<<"):
			r.chevrons(k)
		case r.kindOf(k) == Word && slices.Contains(launchers, r.at(k)) && r.is(k+1, "("):
			r.launchCall(k)
		case r.kindOf(k) == Word && !r.quiet && !r.is(k-1, ".") && !r.is(k-1, "->"):
			r.visit(k, j)
		}
	}
	r.assigned(i, j, func(name string, at int, forever bool) {
		for n := declared; n < len(r.env.vars); n++ {
			if r.env.vars[n].name == name {
				return
			}
		}
		r.env.forget(name, "the value of "+name+" may be changed ("+r.line(at)+")", forever || r.inLambda(at, i))
	})
}

// inLambda reports whether token k stands in the body of a lambda that opens behind token i of an
// expression: it may run at any time.
func (r *interpreter) inLambda(k, i int) bool {
	for p := r.outer(k); p >= i; p = r.outer(p) {
		if r.is(p, "{") && r.opensLambda(p) {
			return true
		}
	}
	return false
}

// visit enters the function called at token k if it launches kernels.
func (r *interpreter) visit(k, end int) {
	list := r.funcs[r.at(k)]
	if r.env.find(r.at(k)) != nil || !slices.ContainsFunc(list, func(f *function) bool { return f.launches }) || r.depth >= maxDepth {
		return
	}
	open := k + 1
	if r.is(open, "<") {
		closing := r.closingAngle(open)
		if closing < 0 {
			return
		}
		open = closing + 1
	}
	if !r.is(open, "(") || open >= end || r.closing(open) < 0 {
		return
	}
	f := r.callee(r.at(k), open)
	if f == nil {
		return // visited as one that nothing is known about
	}
	returned := r.returned
	r.enter(f, r.arguments(open), r.templateArguments(k, open), nil)
	r.returned = returned
}

// opensLambda reports whether the brace at token k opens the body of a lambda.
func (r *interpreter) opensLambda(k int) bool {
	p := k - 1
	return r.is(p, ")") || r.is(p, "]") || r.is(p, "mutable") || r.is(p, "noexcept")
}

// lambda executes the body of the lambda whose brace opens at token k, which may run at any time:
// what the function around it changes anywhere is not known in it.
func (r *interpreter) lambda(k int) {
	if r.quiet || !r.hasLaunch(k, r.closing(k)) && !r.callsLauncher(k, r.closing(k)) {
		return
	}
	saved := r.env.snapshot()
	if r.fn != nil {
		r.forgetChanged(r.fn.open, r.fn.close, "is changed in "+r.fn.name+"()")
	}
	if p := k - 1; r.is(p, ")") && r.closing(p) >= 0 {
		for _, part := range r.split(r.closing(p)+1, p, true) {
			if last := part[1] - 1; r.kindOf(last) == Word {
				r.env.declare(variable{name: r.at(last), value: unknownf("%s is an argument of a lambda (%s)", r.at(last), r.line(last))})
			}
		}
	}
	returned := r.returned
	r.block(k+1, r.closing(k))
	r.returned = returned
	r.env.restore(saved)
}

// callsLauncher reports whether tokens i to j call a function of the file that launches kernels.
func (r *interpreter) callsLauncher(i, j int) bool {
	for k := i; k < j; k++ {
		if r.kindOf(k) == Word && slices.ContainsFunc(r.funcs[r.at(k)], func(f *function) bool { return f.launches }) {
			return true
		}
	}
	return false
}
