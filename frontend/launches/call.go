package launches

import (
	"slices"

	"gpupipe/frontend/syntax"
)

// callee is the function of the file that a call of n arguments enters, nil where there is none or several may
// be meant.
func (r *interpreter) callee(name string, n int) *function {
	var found *function
	for _, f := range r.funcs[name] {
		params := f.params()
		least := len(params)
		pack := least > 0 && params[least-1].Decl.Pack
		for least > 0 && (params[least-1].Default.IsSet() || params[least-1].Decl.Pack) {
			least--
		}
		// A member of the same class is called for this object.
		own := r.fn != nil && r.fn.member && slices.Equal(f.space, r.fn.space) && !f.decl.Specs.Virtual
		if f.member && !own || n < least || n > len(params) && !pack {
			continue
		}
		if found != nil {
			return nil
		}
		found = f
	}
	return found
}

// result is what a function of the file returns for a call.
func (r *interpreter) result(f *function, x *syntax.CallExpr, args []Value) Value {
	unknown := unknownf("what %s() gives is not known (%s)", f.name, r.line(x.ExprPos()))
	if r.depth >= maxDepth {
		return unknown
	}
	quiet, returned := r.quiet, r.returned
	r.quiet, r.returned = true, nil
	r.enter(f, args, x, func() { r.convertReturned(f) })
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
	if _, auto := f.decl.Specs.Type.(*syntax.Auto); auto && f.op.Result == nil {
		return
	}
	specs, decl := f.decl.Specs, &syntax.Declarator{Pos: f.decl.Decl.Pos, Ops: f.decl.Decl.Ops[1:]}
	if f.op.Result != nil {
		specs, decl = f.op.Result.Specs, f.op.Result.Decl
	}
	t := r.names.Type(r.place(), specs, decl)
	for i, v := range r.returned {
		if v.Known() {
			r.returned[i] = v.as(t)
		}
	}
}

// enter executes a function with arguments; what is missing is not known, and where args is nil nothing of its call, x,
// is, defaults included. behind is called, if it is not nil, before the function's names go out of scope.
func (r *interpreter) enter(f *function, args []Value, x *syntax.CallExpr, behind func()) {
	deduced := r.deduced(f, x)
	saved, base, fn := len(r.env.vars), r.env.base, r.fn
	r.depth++
	if !r.quiet {
		r.visited[f] = true
	}
	r.env.base, r.fn = saved, f
	for i, p := range f.template {
		r.env.declare(r.templateParameter(f, p, deduced, i, args != nil))
	}
	for i, p := range f.params() {
		if p.Decl.Name == nil {
			continue
		}
		name := last(p.Decl.Name)
		v := variable{Local: Local{Name: name, Type: r.names.Type(r.place(), p.Specs, p.Decl)},
			value: unknownf("%s is an argument of %s() (%s)", name, f.name, r.line(p.Decl.Pos))}
		_, auto := p.Specs.Type.(*syntax.Auto)
		switch {
		case i < len(args) && args[i].texts != nil:
			v.value = args[i]
		case len(p.Decl.Ops) > 0 && !syntax.Has[*syntax.RefOp](p.Decl):
		case i < len(args) && auto:
			v.value = args[i]
		case i < len(args):
			v.value = args[i].as(v.Type)
		case p.Default.IsSet() && args != nil:
			v.value = r.initial(v.Type, auto, name, &p.Default, r.line(p.Decl.Pos))
		}
		if auto && v.value.IsScalar() {
			v.Type = v.value.Scalar.Type
		}
		r.env.declare(v)
	}
	r.block(f.decl.Body.Stmts)
	if behind != nil {
		behind()
	}
	r.env.leave(saved)
	r.env.base, r.fn = base, fn
	r.depth--
}

// deduced are the arguments of a function's template that a call gives or lets deduce.
func (r *interpreter) deduced(f *function, x *syntax.CallExpr) []any {
	if len(f.template) == 0 || x == nil {
		return nil
	}
	var given []any
	if id, ok := x.Fn.(*syntax.Ident); ok {
		for _, part := range id.Name.Parts {
			for i := range part.Args {
				given = append(given, r.templateArgument(&part.Args[i]))
			}
		}
	}
	return r.names.Deduce(r.place(), f.template, f.params(), given, x.Args)
}

// templateArgument is an argument of a template as Names gives it.
func (r *interpreter) templateArgument(a *syntax.TemplateArg) any {
	if a.Expr != nil {
		if v := r.eval(a.Expr); v.IsScalar() && v.Scalar.Type.IsInteger() {
			return r.names.Number(v.Scalar)
		}
	}
	return r.names.Argument(r.place(), a)
}

// templateParameter is a template parameter of a function with its argument or its default. Nothing is
// known of one that neither decides: what the function is called with may deduce it, or the call is not seen.
func (r *interpreter) templateParameter(f *function, p *syntax.TemplateParam, deduced []any, i int,
	called bool) variable {
	v := variable{Local: Local{Name: p.Ident, Param: true}, constant: true,
		value: unknownf("%s is an argument of a template", p.Ident)}
	switch {
	case i < len(deduced) && deduced[i] != nil:
		v.Arg = deduced[i]
	case p.Default != nil && called && !r.deduces(f, p.Ident):
		v.Arg = r.templateArgument(p.Default)
	}
	if n, ok := r.names.Value(v.Arg); ok {
		v.value, v.Type = number(n), n.Type
	}
	return v
}

// deduces reports whether the parameters of a function mention a parameter of its template.
func (r *interpreter) deduces(f *function, name string) (found bool) {
	syntax.Visit(f.params(), func(n any) bool {
		if n, ok := n.(*syntax.Name); ok && n.Parts[0].Ident == name {
			found = true
		}
		return !found
	})
	return found
}

// effectsOf is effects for an initialiser.
func (r *interpreter) effectsOf(i *syntax.Init) {
	switch {
	case i.Expr != nil:
		r.effects(i.Expr)
	case i.List != nil:
		r.effects(i.List)
	case i.Parens != nil:
		for _, x := range *i.Parens {
			r.effects(x)
		}
	}
}

// effects does what an expression does besides having a value: it launches
// kernels, enters functions that do, and changes variables.
func (r *interpreter) effects(x syntax.Expr) {
	syntax.Visit(x, func(n any) bool {
		if !r.spend(0) {
			return false
		}
		switch n := n.(type) {
		case *syntax.Lambda:
			r.lambda(n)
			return false
		case *syntax.LaunchExpr:
			r.chevrons(n)
		case *syntax.Ident:
			r.mention(n.Name)
			r.visitNamed(n)
		case *syntax.CallExpr:
			id, ok := n.Fn.(*syntax.Ident)
			if !ok {
				break
			}
			r.taken[id.Name] = true
			if name := last(id.Name); slices.Contains(launchers, name) {
				r.launchCall(name, n)
			} else if !r.quiet {
				r.visit(name, n)
			}
		}
		return true
	})
	r.assigned(x, func(name string, at syntax.Pos, forever bool) {
		r.env.forget(name, "the value of "+name+" may be changed ("+r.line(at)+")", forever)
	})
}

// visit enters the function that a call calls if it launches kernels.
func (r *interpreter) visit(name string, x *syntax.CallExpr) {
	list := r.funcs[name]
	if v := r.env.find(name); v != nil && v.lambda != nil && r.depth < maxDepth {
		r.depth++
		r.callLambda(v.lambda, x.Args)
		r.depth--
		return
	}
	if r.env.find(name) != nil || !slices.ContainsFunc(list, func(f *function) bool { return f.launches }) ||
		r.depth >= maxDepth {
		return
	}
	f := r.callee(name, len(x.Args))
	if f == nil {
		return // visited as one that nothing is known about
	}
	returned := r.returned
	r.enter(f, r.values(x.Args), x, nil)
	r.returned = returned
}

// visitNamed enters an instance of a template of the host's that is named as a value: something calls it later.
func (r *interpreter) visitNamed(x *syntax.Ident) {
	n := x.Name
	if r.quiet || r.taken[n] || !n.Last().HasArgs || r.depth >= maxDepth {
		return
	}
	for _, f := range r.funcs[last(n)] {
		if f.launches && len(f.template) > 0 {
			returned := r.returned
			r.enter(f, nil, &syntax.CallExpr{Pos: n.Pos, Fn: x}, nil)
			r.returned = returned
		}
	}
}

// enterAsked enters the instances of the host's templates that the file instantiates, and the members of class
// templates for each instance that the file names: what they are called for is not known.
func (r *interpreter) enterAsked() {
	defer func(fn *function) { r.fn = fn }(r.fn)
	for _, f := range r.inOrder {
		if !f.launches || len(f.template) == 0 || len(f.space) == 0 || r.special[f.space[len(f.space)-1]] {
			continue
		}
		classes, own := r.named[f.space[len(f.space)-1]], r.named[f.name]
		if len(own) == 0 || len(classes) > 1 && len(own) > 1 { // of several classes it is not clear whose member
			own = []mention{{part: syntax.Part{Ident: f.name}}}
		}
		for _, m := range classes {
			for _, member := range own { // rk.update<4>()
				if r.fn = m.at; member.at != nil {
					r.fn = member.at
				}
				name := &syntax.Name{Pos: m.part.Pos, Parts: []syntax.Part{m.part, member.part}}
				r.enter(f, nil, &syntax.CallExpr{Pos: m.part.Pos, Fn: &syntax.Ident{Name: name}}, nil)
			}
		}
	}
	for _, asked := range r.asked {
		d := asked.decl
		r.fn = asked.at
		op := d.Func()
		if op == nil {
			continue
		}
		x := &syntax.CallExpr{Pos: d.Pos, Fn: &syntax.Ident{Name: d.Name}}
		for _, p := range params(op) { // of arguments the types count
			x.Args = append(x.Args, &syntax.CastExpr{Pos: d.Pos, Type: &syntax.TypeID{Specs: p.Specs, Decl: p.Decl}})
		}
		for _, f := range r.funcs[last(d.Name)] {
			if f.launches && len(f.template) > 0 && len(f.params()) == len(x.Args) {
				r.enter(f, nil, x, nil)
			}
		}
	}
}

// lambda executes the body of a lambda, which may run at any time:
// what the function around it changes anywhere is not known in it.
func (r *interpreter) lambda(x *syntax.Lambda) {
	r.callLambda(x, nil)
}

// callLambda executes the body of a lambda for the arguments of a call; nothing is known of those that are missing.
func (r *interpreter) callLambda(x *syntax.Lambda, args []syntax.Expr) {
	if r.quiet || !r.launchesIn(x.Body) {
		return
	}
	values := r.values(args)
	saved := r.env.snapshot()
	if r.fn != nil {
		r.forgetChanged(r.fn.decl.Body, "is changed in "+r.fn.name+"()")
	}
	if x.Decl != nil {
		for i, p := range x.Decl.Params {
			if p.Decl.Name == nil {
				continue
			}
			name := last(p.Decl.Name)
			v := variable{Local: Local{Name: name, Type: r.names.Type(r.place(), p.Specs, p.Decl)},
				value: unknownf("%s is an argument of a lambda (%s)", name, r.line(p.Decl.Pos))}
			if i < len(args) && v.Type == nil {
				v.Type = r.names.TypeOf(r.place(), args[i])
			}
			if i < len(args) && (len(p.Decl.Ops) == 0 || syntax.Has[*syntax.RefOp](p.Decl)) {
				v.value = values[i].as(v.Type)
			}
			r.env.declare(v)
		}
	}
	returned := r.returned
	r.block(x.Body.Stmts)
	r.returned = returned
	r.env.restore(saved)
}
