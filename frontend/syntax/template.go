package syntax

import (
	"slices"
	"strconv"
)

// template reads a template, a specialisation, or an explicit instantiation.
func (p *parser) template(where place) Decl {
	at := p.pos()
	p.expect("template", "here")
	if !p.is("<") {
		templated := p.templated
		p.templated = true // the name is one of a template
		d := p.simple(where)
		p.templated = templated
		return &Instantiation{Pos: at, Decl: d}
	}
	t := &Template{Pos: at}
	inside := newScope(p.scope)
	p.within(inside, func() { t.Params = p.templateParams() })
	t.Explicit = len(t.Params) == 0
	p.within(inside, func() { t.Requires = p.requiresClause(nil) })
	templated := p.templated
	p.templated = true
	defer func() { p.templated = templated }()
	// What the template declares belongs to the scope outside; its parameters are seen from inside.
	p.within(inside, func() {
		if p.is("template") {
			t.Decl = p.template(where)
			return
		}
		list := p.declaration(where)
		if len(list) != 1 {
			p.fail(at, "the template declares nothing")
		}
		t.Decl = list[0]
		if a, ok := t.Decl.(*Template); ok && a.abbreviated && !t.Explicit {
			t.Params, t.Decl = append(t.Params, a.Params...), a.Decl
		}
	})
	if inside.outer != nil {
		for name, n := range inside.names {
			if !slices.ContainsFunc(t.Params, func(x *TemplateParam) bool { return x.Ident == name }) {
				inside.outer.declare(name, n)
			}
		}
	}
	return t
}

// templateParams reads <class T, int N = 4, template <...> class C, typename... Ts>.
func (p *parser) templateParams() (list []*TemplateParam) {
	p.expect("<", "behind template")
	defer p.inAngles(true)()
	p.separated(">", func() { list = append(list, p.templateParam()) })
	p.expect(">", "behind the parameters of the template")
	return list
}

func (p *parser) templateParam() *TemplateParam {
	x := &TemplateParam{Pos: p.pos()}
	isTemplate := p.is("template")
	if isTemplate {
		p.i++
		p.within(newScope(p.scope), func() { x.Template = p.templateParams() })
		if x.Template == nil {
			x.Template = []*TemplateParam{}
		}
	}
	var concept *Name
	if !isTemplate && !p.is("class") {
		concept = p.constraint()
	}
	plain := concept != nil && !p.is("auto") || (p.is("class") || p.is("typename")) && (isTemplate ||
		p.at(1).Is("...") || p.at(1).Is(",") ||
		p.at(1).Is(">") || p.at(1).Is("=") ||
		p.isName(1) && (p.at(2).Is(",") || p.at(2).Is(">") || p.at(2).Is("=")))
	if !plain {
		if isTemplate {
			p.fail(p.pos(), "class is expected behind the parameters of a template parameter, not %s", p.spelled())
		}
		x.Specs = p.specifiers(inParam)
		if x.Specs.Type == nil {
			p.fail(p.pos(), "a parameter of the template is expected, not %s", p.spelled())
		}
		x.Decl = p.declarator(either)
		x.Pack = x.Decl.Pack
		if x.Decl.Name != nil {
			x.Ident = x.Decl.Name.Parts[0].Ident
		}
		p.scope.declare(x.Ident, symbol{kind: valueName})
		if p.take("=") {
			a := TemplateArg{Pos: p.pos(), Expr: p.conditional()}
			x.Default = &a
		}
		return x
	}
	if concept == nil {
		p.i++
	}
	x.Type = !isTemplate
	x.Pack = p.take("...")
	if p.isName(0) {
		x.Ident, x.Pos = p.ident("a parameter")
	}
	if concept != nil {
		if x.Ident == "" {
			x.Ident = "constrained " + strconv.Itoa(p.i)
		}
		x.Constraint = constrainedType(concept, x)
	}
	p.scope.declare(x.Ident, symbol{kind: typeName, template: isTemplate})
	if p.take("=") {
		a := TemplateArg{Pos: p.pos(), Type: p.typeID()}
		if n, ok := a.Type.Specs.Type.(*NamedType); isTemplate && ok {
			a.Expr = &Ident{n.Name}
		}
		x.Default = &a
	}
	return x
}
