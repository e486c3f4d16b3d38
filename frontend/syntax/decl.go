package syntax

import (
	"slices"
	"strings"

	"gpupipe/frontend/preprocess"
)

// place is where declarations stand.
type place uint8

const (
	placeFile place = iota + 1 // or a namespace
	placeClass
	placeBlock
)

// declarations reads those of a file, up to a closing brace or the end.
func (p *parser) declarations(where place) (list []Decl) {
	for p.peek().Kind != preprocess.EOF && !p.is("}") {
		list = append(list, p.guarded(where)...)
	}
	if p.is("}") && p.scope.outer == nil {
		at := p.pos()
		p.i++
		list = append(list, &BadDecl{Pos: at, Err: syntaxError(at, "} closes nothing")})
		list = append(list, p.declarations(where)...)
	}
	return list
}

// guarded reads a declaration; what does not parse is skipped and becomes a BadDecl.
func (p *parser) guarded(where place) (list []Decl) {
	from := p.i
	scope, class, depth, templated := p.scope, p.class, p.depth, p.templated
	defer func() {
		x := recover()
		if x == nil {
			return
		}
		b, mine := x.(bail)
		if !mine {
			panic(x)
		}
		p.scope, p.class, p.depth, p.templated = scope, class, depth, templated
		p.noGreater, p.directive = false, nil
		bad := &BadDecl{Pos: p.tokens[from].Pos, Err: b.err}
		p.i = from
		p.skipDeclaration(bad)
		list = []Decl{bad}
	}()
	return p.declaration(where)
}

// skipDeclaration steps to the end of what does not parse, and finds what it would have declared.
func (p *parser) skipDeclaration(bad *BadDecl) {
	for p.peek().Kind != preprocess.EOF {
		t := p.peek()
		switch {
		case t.Is("__global__") || t.Is("__kernel") || t.Is("kernel") && p.Language == OpenCL:
			bad.Kernel = true
		case t.Is("__device__"):
			bad.Device = true
		case p.isName(0) && p.at(1).Is("(") && !attributeWords[t.Text] && !t.Is("__attribute__"):
			if bad.Ident == "" || !bad.Kernel {
				bad.Ident = t.Text
			}
		case t.Is(";"):
			p.i++
			return
		case t.Is("}"):
			return
		case t.Is("{") && p.match[p.i] >= 0:
			p.i = int(p.match[p.i]) + 1
			if bad.Ident != "" {
				p.scope.declare(bad.Ident, symbol{kind: valueName})
			}
			if !p.is(";") && !p.is(",") && !p.is("=") && !p.is(")") {
				return
			}
			continue
		case (t.Is("(") || t.Is("[")) && p.match[p.i] >= 0:
			p.i = int(p.match[p.i])
		}
		p.i++
	}
}

// declaration reads one, of which an extern "C" may hold several.
func (p *parser) declaration(where place) []Decl {
	defer p.deeper()()
	t := p.peek()
	switch {
	case t.Kind == preprocess.Pragma:
		p.i++
		return nil
	case t.Kind == preprocess.Directive:
		p.launchDirective(t)
		return nil
	case p.take(";"):
		return nil
	case t.Is("extern") && p.at(1).Kind == preprocess.String:
		p.i += 2
		if !p.is("{") {
			return p.declaration(where)
		}
		end := p.closing(p.i)
		p.i++
		var list []Decl
		for p.i < end {
			list = append(list, p.guarded(where)...)
		}
		p.i = end + 1
		return list
	case (t.Is("asm") || t.Is("__asm__")) && p.at(1).Is("("):
		p.i = p.closing(p.i+1) + 1
		return nil
	case t.Is("_Static_assert") || t.Is("static_assert") && p.Language == CUDA:
		return []Decl{p.staticAssert()}
	}
	if p.Language == CUDA {
		if list, ok := p.cxxDeclaration(where); ok {
			return list
		}
	}
	d := p.simple(where)
	if d == nil {
		return nil
	}
	return []Decl{d}
}

// cxxDeclaration reads what C has not.
func (p *parser) cxxDeclaration(where place) (list []Decl, ok bool) {
	t := p.peek()
	switch {
	case t.Is("namespace") || t.Is("inline") && p.at(1).Is("namespace"):
		return []Decl{p.namespace()}, true
	case t.Is("using"):
		return []Decl{p.using()}, true
	case t.Is("template"):
		return []Decl{p.template(where)}, true
	case t.Is("concept") && p.isName(1) && p.at(2).Is("="):
		return []Decl{p.concept()}, true
	case t.Is("extern") && p.at(1).Is("template"):
		p.i++
		return []Decl{p.template(where)}, true
	case where == placeClass && (t.Is("public") || t.Is("private") || t.Is("protected")) && p.at(1).Is(":"):
		p.i += 2
		return []Decl{&Access{t.Pos, t.Text}}, true
	}
	return nil, false
}

// simple reads variables, types and functions.
func (p *parser) simple(where place) Decl {
	from := p.i
	s := p.specifiers(inDecl)
	if p.take(";") { // a class or enumeration alone, or nothing
		if s.Type == nil {
			return nil
		}
		return &Vars{Specs: s}
	}
	if p.i == from {
		if !p.isName(0) && !p.is("~") && !p.is("operator") && !p.is("::") {
			p.fail(p.pos(), "a declaration is expected, not %s", p.spelled())
		}
	}
	if p.is("[") && isAuto(s.Type) || (p.is("&") || p.is("&&")) && p.at(1).Is("[") && isAuto(s.Type) {
		return p.binding(s)
	}
	vars := &Vars{Specs: s}
	auto := &Template{Pos: s.Pos, abbreviated: true}
	for {
		if where == placeClass && p.is(":") { // a bit-field without a name
			p.i++
			vars.Decls = append(vars.Decls, &Var{Decl: &Declarator{Pos: p.pos(), Bits: p.conditional()}})
		} else {
			d := p.declarator(named)
			if fn := d.Func(); fn != nil && len(vars.Decls) == 0 && !s.Typedef {
				auto.Params = fn.autoParams()
				if f, ok := p.functionDecl(s, d); ok {
					return auto.around(f)
				}
			}
			p.declareVar(s, d)
			v := &Var{Decl: d}
			if where == placeClass && p.take(":") {
				d.Bits = p.conditional()
			}
			v.Init = p.initialiser()
			vars.Decls = append(vars.Decls, v)
		}
		if !p.take(",") {
			break
		}
	}
	p.expect(";", "behind the declaration")
	return auto.around(vars)
}

// around is the template with a declaration, or that alone where the template has no parameters.
func (t *Template) around(d Decl) Decl {
	if t.Decl = d; len(t.Params) == 0 {
		return d
	}
	return t
}

func isAuto(t TypeSpec) bool {
	_, ok := t.(*Auto)
	return ok
}

// declareVar makes the name of a variable or typedef known.
func (p *parser) declareVar(s *Specifiers, d *Declarator) {
	if d.Name == nil || len(d.Name.Parts) != 1 || p.hidesNothing(d, s) {
		return
	}
	n := symbol{kind: valueName, template: p.templated}
	if s.Typedef {
		n = symbol{kind: typeName, scope: p.scopeOf(s)}
	}
	p.scope.declare(d.Name.Parts[0].Ident, n)
}

// scopeOf is the scope of the type that specifiers name, if it is known.
func (p *parser) scopeOf(s *Specifiers) *scope {
	switch t := s.Type.(type) {
	case *NamedType:
		return p.kindOf(t.Name).scope
	case *Class:
		if t.Name != nil {
			return p.kindOf(t.Name).scope
		}
	}
	return nil
}

// functionDecl reads what follows the declarator of a function: a body, or what makes a declaration a special one; ok
// is false if it is a declaration as others.
func (p *parser) functionDecl(s *Specifiers, d *Declarator) (Decl, bool) {
	f := &Function{Specs: s, Decl: d}
	p.declareFunction(d, s)
	switch {
	case p.is("{") || p.is(":") && p.Language == CUDA || p.is("try"):
		if isKernel(s) {
			f.Launches, p.directive = p.directive, nil
		}
		if p.is("try") {
			p.unsupported(p.pos(), "a function with a handler of exceptions is", "remove try and catch")
		}
		scope := p.functionScope(d)
		if p.take(":") {
			p.within(scope, func() { f.Inits = p.memberInits() })
		}
		f.Body = p.lazyBody(scope)
		return f, true
	case p.is("=") && (p.at(1).Is("default") || p.at(1).Is("delete")):
		f.Default, f.Deleted = p.at(1).Is("default"), p.at(1).Is("delete")
		p.i += 2
	case p.is("=") && p.at(1).Text == "0" && s.Virtual:
		f.Pure = true
		p.i += 2
	default:
		return nil, false
	}
	p.expect(";", "behind the declaration")
	return f, true
}

// isKernel reports whether specifiers are those of a kernel.
func isKernel(s *Specifiers) bool {
	return slices.ContainsFunc(s.Attrs, func(a Attr) bool {
		name := strings.Trim(a.Name, "_")
		return name == "kernel" || name == "global"
	})
}

// declareFunction makes the name of a function known in the scope that it belongs to.
func (p *parser) declareFunction(d *Declarator, s *Specifiers) {
	if s.Friend || len(d.Name.Parts) != 1 || p.hidesNothing(d, s) {
		return
	}
	p.scope.declare(d.Name.Parts[0].Ident, symbol{kind: valueName, template: p.templated})
}

// hidesNothing reports whether a declarator is that of a constructor or a deduction guide, whose name stays the
// class's.
func (p *parser) hidesNothing(d *Declarator, s *Specifiers) bool {
	return d.Name.Parts[0].Ident == p.class || s.Type == nil && p.Language == CUDA
}

// functionScope is the scope of a function's body: its parameters, in its class or namespace.
func (p *parser) functionScope(d *Declarator) *scope {
	outer := p.scope
	if n := len(d.Name.Parts); n > 1 || d.Name.Global {
		if n > 1 {
			if k := p.kindOf(d.Name.Qualifier()); k.scope != nil {
				// Names of the class are found, and the parameters of its template, which stand around the definition.
				outer = newScope(p.scope)
				outer.more = append(outer.more, k.scope)
				for up := k.scope.outer; up != nil && up.outer != nil; up = up.outer {
					outer.more = append(outer.more, up)
				}
			}
		}
	}
	s := newScope(outer)
	if f := d.Func(); f != nil {
		s.declareParams(f.Params)
	}
	return s
}

// memberInits reads those of a constructor, from behind the colon.
func (p *parser) memberInits() (list []MemberInit) {
	for {
		m := MemberInit{Pos: p.pos(), Name: p.name()}
		m.Init = p.initialiser()
		if !m.Init.IsSet() {
			p.fail(p.pos(), "an initialiser is expected, not %s", p.spelled())
		}
		m.Pack = p.take("...")
		list = append(list, m)
		if !p.take(",") {
			return list
		}
	}
}

// binding reads a structured binding.
func (p *parser) binding(s *Specifiers) Decl {
	v := &Var{Decl: &Declarator{Pos: p.pos(), Ops: p.pointers()}}
	p.expect("[", "in front of the names")
	p.separated("]", func() {
		name, at := p.ident("a binding")
		p.scope.declare(name, symbol{kind: valueName})
		v.Names = append(v.Names, Part{Pos: at, Ident: name})
	})
	p.expect("]", "behind the names")
	if p.is(":") { // of a range-for, which reads it
		return &Vars{Specs: s, Decls: []*Var{v}}
	}
	v.Init = p.initialiser()
	p.expect(";", "behind the declaration")
	return &Vars{Specs: s, Decls: []*Var{v}}
}

func (p *parser) staticAssert() *StaticAssert {
	a := &StaticAssert{Pos: p.pos()}
	p.i++
	p.expect("(", "behind static_assert")
	a.X = p.assignment()
	if p.take(",") {
		if p.peek().Kind == preprocess.String {
			a.Text = p.stringLiteral().Text
		} else {
			p.assignment()
		}
	}
	p.expect(")", "behind the condition")
	p.take(";")
	return a
}

// namespace reads a namespace or an alias of one.
func (p *parser) namespace() Decl {
	n := &Namespace{Pos: p.pos(), Inline: p.take("inline")}
	p.i++
	var attrs []Attr
	for p.attributes(&attrs) {
	}
	inside := p.scope
	for p.isName(0) {
		name, at := p.ident("a namespace")
		if p.is("=") {
			p.i++
			a := &Alias{Pos: at, Ident: name, Namespace: p.name()}
			p.scope.declare(name, symbol{kind: namespaceName, scope: p.kindOf(a.Namespace).scope})
			p.expect(";", "behind the alias")
			return a
		}
		n.Names = append(n.Names, name)
		inside = p.enterNamespace(inside, name, n.Inline)
		if !p.take("::") {
			break
		}
		n.Inline = p.take("inline") || n.Inline
	}
	if len(n.Names) == 0 {
		inside = p.enterNamespace(inside, "", true)
	}
	for p.attributes(&attrs) {
	}
	open := p.i
	p.expect("{", "behind the namespace")
	p.closing(open)
	p.within(inside, func() { n.Decls = p.declarations(placeFile) })
	p.expect("}", "behind the namespace")
	return n
}

// enterNamespace is the scope of a namespace in another one.
func (p *parser) enterNamespace(outer *scope, name string, inline bool) *scope {
	if n, ok := outer.names[name]; ok && n.kind == namespaceName && n.scope != nil {
		return n.scope
	}
	s := newScope(outer)
	outer.names[name] = symbol{kind: namespaceName, scope: s}
	if inline {
		outer.more = append(outer.more, s)
	}
	return s
}

// using reads a directive, a declaration or an alias.
func (p *parser) using() Decl {
	at := p.pos()
	p.i++
	if p.take("namespace") {
		u := &Using{Pos: at, Namespace: true, Names: []*Name{p.name()}}
		if k := p.kindOf(u.Names[0]); k.scope != nil {
			p.scope.more = append(p.scope.more, k.scope)
		}
		p.expect(";", "behind the directive")
		return u
	}
	if p.take("enum") {
		u := &Using{Pos: at, Enum: true, Names: []*Name{p.name()}}
		p.expect(";", "behind the declaration")
		return u
	}
	if p.isName(0) && (p.at(1).Is("=") || p.at(1).Is("[") && p.at(2).Is("[") || p.at(1).Is("__attribute__")) {
		a := &Alias{Pos: at}
		a.Ident, _ = p.ident("an alias")
		var attrs []Attr
		for p.attributes(&attrs) {
		}
		p.expect("=", "in the alias")
		a.Type = p.typeID()
		p.scope.declare(a.Ident, symbol{kind: typeName, template: p.templated, scope: p.scopeOf(a.Type.Specs)})
		p.expect(";", "behind the alias")
		return a
	}
	u := &Using{Pos: at}
	for {
		typename := p.take("typename")
		n := p.name()
		u.Names = append(u.Names, n)
		k := p.kindOf(n)
		if typename {
			k.kind = typeName
		}
		if last := n.Last(); last.Ident != "" {
			p.scope.declare(last.Ident, k)
		}
		u.Pack = p.take("...") || u.Pack
		if !p.take(",") {
			break
		}
	}
	p.expect(";", "behind the declaration")
	return u
}

// launchDirective keeps "local=8,8 groups=4" for the kernel behind it.
func (p *parser) launchDirective(t *preprocess.Token) {
	p.i++
	sub := newParser(append(slices.Clone(t.Args), preprocess.Token{Kind: preprocess.EOF, Pos: t.Pos}), 0, p.Options)
	sub.scope = p.scope
	for sub.peek().Kind != preprocess.EOF {
		d := Directive{Pos: sub.pos(), Key: sub.peek().Text}
		sub.i++
		sub.expect("=", "behind "+d.Key+" in the comment on the launch")
		d.Values = append(d.Values, sub.conditional())
		for sub.take(",") {
			d.Values = append(d.Values, sub.conditional())
		}
		p.directive = append(p.directive, d)
	}
}
