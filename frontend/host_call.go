package frontend

import "slices"

// callee is the function of the file that a call enters, nil where there is none or several may
// be meant. Its arguments open at token open.
func (r *hostRun) callee(name string, open int) *hostFunc {
	n := len(r.argumentTokens(open+1, r.shape.closing(open)))
	var found *hostFunc
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
func (r *hostRun) result(f *hostFunc, at, open int, args []hostValue) hostValue {
	unknown := unknownf("what %s() gives is not known (%s)", f.name, r.line(at))
	if r.depth >= maxHostDepth {
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
func (r *hostRun) convertReturned(f *hostFunc) {
	t, k := r.typeAt(f.result, r.typesHere())
	if r.is(k, "*") || r.is(k, "&") {
		t = hostType{}
	}
	for i, v := range r.returned {
		if v.known() {
			r.returned[i] = v.as(t)
		}
	}
}

// hostArgument is an argument of a template: its words, with those that parameters stand for, and
// its value if it is a number. It is open where it is made of a type that is not known, a parameter
// of the function around it.
type hostArgument struct {
	words []string
	value hostValue
	open  bool
}

// templateArguments are those of the call whose name stands at token at and whose arguments open
// at token open.
func (r *hostRun) templateArguments(at, open int) []hostArgument {
	if lt := r.next(at); r.is(lt, "<") && lt < open {
		return r.templateList(lt+1, r.prev(open))
	}
	return nil
}

// templateList reads the template arguments of tokens i to j.
func (r *hostRun) templateList(i, j int) (list []hostArgument) {
	for _, part := range r.split(i, j, true) {
		a := hostArgument{value: r.eval(part[0], part[1])}
		for _, w := range r.words(part[0], part[1]) {
			v := r.env.find(w)
			switch {
			case v != nil && v.isType && v.words != nil:
				a.words = append(a.words, v.words...)
				continue
			case v != nil && v.isType && v.typ.auto:
				a.open = true
			}
			a.words = append(a.words, w)
		}
		list = append(list, a)
	}
	return list
}

// enter executes a function with arguments; what is missing is not known. behind is called, if
// it is not nil, before the function's names go out of scope.
func (r *hostRun) enter(f *hostFunc, args []hostValue, template []hostArgument, behind func()) {
	saved, base, fn := len(r.env.vars), r.env.base, r.fn
	r.depth++
	if !r.quiet {
		r.visited[f] = true
	}
	r.env.base, r.fn = saved, f
	for i, p := range f.template {
		r.env.declare(r.templateParameter(p, i, template))
	}
	for i, p := range f.params {
		t, k := r.typeAt(p.from, r.typesHere())
		v := hostVar{name: p.name, typ: t, value: unknownf("%s is an argument of %s() (%s)", p.name, f.name, r.line(p.from))}
		switch {
		case r.has(k, p.to, "*") || r.has(k, p.to, "["):
			v.typ = hostType{}
		case i < len(args):
			v.value = args[i].as(t)
		case p.preset > 0 && args != nil:
			v.value = r.eval(p.preset, p.to).as(t)
		}
		if v.typ.auto && v.value.isScalar() {
			v.typ = hostType{kind: v.value.scalar.Type.Kind}
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

// templateParameter is the i-th parameter of a template with its argument, its default or nothing.
func (r *hostRun) templateParameter(p templateParam, i int, template []hostArgument) hostVar {
	v := hostVar{name: p.name, isType: p.isType, constant: true, typ: hostType{auto: true}}
	words := p.preset
	if i < len(template) {
		words = template[i].words
	}
	switch {
	case p.isType && words != nil:
		v.words = words
		name := typeText(words)
		if t, ok := hostTypeNames[name]; ok {
			v.typ = t
		} else if t, ok := r.types[name]; ok {
			v.typ = t
		} else {
			v.typ = hostType{}
			if slices.Contains(arithmeticWords, words[0]) && len(words) == 1 {
				v.typ = hostType{kind: arithmeticKind(words)}
			}
		}
	case p.isType:
	case i < len(template):
		v.value = template[i].value
	default:
		v.value = unknownf("%s is an argument of a template", p.name)
		if n, ok := evalWords(p.preset, func(string) ([]string, bool) { return nil, false }, 0); ok {
			v.value = scalarValue(intValue(Int, n))
		}
	}
	return v
}

// effects does what the expression of tokens i to j does besides having a value: it launches
// kernels, enters functions that do, and changes variables.
func (r *hostRun) effects(i, j int) { r.effectsBut(i, j, len(r.env.vars)) }

// effectsBut is effects for a declaration of the variables from number declared on, which it does
// not change.
func (r *hostRun) effectsBut(i, j, declared int) {
	for k := i; k < j && r.spend(0); k++ {
		switch {
		case r.is(k, "{") && r.opensLambda(k) && r.shape.closing(k) > k:
			r.lambda(k)
			k = r.shape.closing(k)
		case r.is(k, "<<<"):
			r.chevrons(k)
		case r.kindOf(k) == tokIdent && slices.Contains(launchers, r.at(k)) && r.is(k+1, "("):
			r.launchCall(k)
		case r.kindOf(k) == tokIdent && !r.quiet && !r.is(r.prev(k), ".") && !r.is(r.prev(k), "->"):
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
func (r *hostRun) inLambda(k, i int) bool {
	for p := int(r.shape.parent[k]); p >= i; p = int(r.shape.parent[p]) {
		if r.is(p, "{") && r.opensLambda(p) {
			return true
		}
	}
	return false
}

// visit enters the function called at token k if it launches kernels.
func (r *hostRun) visit(k, end int) {
	list := r.funcs[r.at(k)]
	if r.env.find(r.at(k)) != nil || !slices.ContainsFunc(list, func(f *hostFunc) bool { return f.launches }) || r.depth >= maxHostDepth {
		return
	}
	open := r.next(k)
	if r.is(open, "<") {
		_, closing, rest, ok := r.angleWords(open)
		if !ok || rest > 0 {
			return
		}
		open = r.next(closing)
	}
	if !r.is(open, "(") || open >= end || r.shape.closing(open) < 0 {
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
func (r *hostRun) opensLambda(k int) bool {
	p := r.prev(k)
	return r.is(p, ")") || r.is(p, "]") || r.is(p, "mutable") || r.is(p, "noexcept")
}

// lambda executes the body of the lambda whose brace opens at token k, which may run at any time:
// what the function around it changes anywhere is not known in it.
func (r *hostRun) lambda(k int) {
	if r.quiet || !r.hasLaunch(k, r.shape.closing(k)) && !r.callsLauncher(k, r.shape.closing(k)) {
		return
	}
	saved := r.env.snapshot()
	if r.fn != nil {
		r.forgetChanged(r.fn.open, r.fn.close, "is changed in "+r.fn.name+"()")
	}
	if p := r.prev(k); r.is(p, ")") && r.shape.closing(p) >= 0 {
		for _, part := range r.split(r.shape.closing(p)+1, p, true) {
			if last := r.prev(part[1]); r.kindOf(last) == tokIdent {
				r.env.declare(hostVar{name: r.at(last), value: unknownf("%s is an argument of a lambda (%s)", r.at(last), r.line(last))})
			}
		}
	}
	returned := r.returned
	r.block(k+1, r.shape.closing(k))
	r.returned = returned
	r.env.restore(saved)
}

// callsLauncher reports whether tokens i to j call a function of the file that launches kernels.
func (r *hostRun) callsLauncher(i, j int) bool {
	for k := i; k < j; k++ {
		if r.kindOf(k) == tokIdent && slices.ContainsFunc(r.funcs[r.at(k)], func(f *hostFunc) bool { return f.launches }) {
			return true
		}
	}
	return false
}
