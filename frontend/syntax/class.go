package syntax

import "gpupipe/internal/diag"

func syntaxError(at Pos, format string, args ...any) *diag.Error {
	return diag.Errorf(at, "SYNTAX", format, args...)
}

// classSpec reads a class, or a mention of one.
func (p *parser) classSpec() TypeSpec {
	c := &Class{Pos: p.pos(), Key: p.peek().Text, Pack: int64(p.peek().Pack)}
	p.i++
	for p.attributes(&c.Attrs) {
	}
	for p.isAttributeWord(p.peek().Text) {
		p.attributeWord(&c.Attrs)
	}
	if p.isName(0) || p.is("::") {
		c.Name = p.name()
	}
	c.Final = p.take("final")
	for p.attributes(&c.Attrs) {
	}
	defines := p.is("{") || p.is(":") && p.Language == CUDA && p.opensClass()
	if !defines {
		if c.Name == nil {
			p.fail(p.pos(), "the name or the members of a %s are expected, not %s", c.Key, p.spelled())
		}
		if p.is(";") {
			p.declareClass(c.Name, nil)
			return c
		}
		if len(c.Name.Parts) == 1 && p.kindOf(c.Name).kind == unknownName {
			p.declareClass(c.Name, nil)
		}
		return &NamedType{Name: c.Name, Tag: c.Key}
	}
	p.classBody(c)
	return c
}

// opensClass reports whether the colon here begins a list of bases, and not the width of a bit-field.
func (p *parser) opensClass() bool {
	for n := 1; ; n++ {
		switch t := p.at(n); {
		case t.Is("{"):
			return true
		case t.Is("(") && p.match[p.i+n] > 0:
			n = int(p.match[p.i+n]) - p.i
		case t.Is(";") || t.Is(")") || t.Kind == 0 || p.i+n >= len(p.tokens)-1:
			return false
		}
	}
}

// declareClass makes the name of a class known.
func (p *parser) declareClass(n *Name, s *scope) {
	if n == nil || len(n.Parts) != 1 {
		return
	}
	k := symbol{kind: typeName, template: p.templated, scope: s}
	if n.Parts[0].HasArgs { // a specialisation: the members are those of the primary template, or its own
		k.template = true
		if old, ok := p.scope.find(n.Parts[0].Ident); ok && old.scope != nil && s != nil {
			old.scope.more = append(old.scope.more, s)
			return
		}
	}
	if p.Language == OpenCL { // a tag is not a type by itself; IsType and typedefs are
		k.kind = unknownName
		if old, ok := p.scope.names[n.Parts[0].Ident]; ok {
			k.kind = old.kind
		}
	}
	p.scope.declare(n.Parts[0].Ident, k)
}

// classBody reads the bases and members.
func (p *parser) classBody(c *Class) {
	c.Define = true
	inside := newScope(p.scope)
	name := ""
	if c.Name != nil {
		name = c.Name.Last().Ident
		p.declareClass(c.Name, inside)
		if p.Language == CUDA {
			inside.declare(name, symbol{kind: typeName, template: p.templated || c.Name.Parts[0].HasArgs,
				scope: inside})
		}
		if len(c.Name.Parts) > 1 { // defined outside of what it is a member of
			outer := &Name{Parts: c.Name.Parts[:len(c.Name.Parts)-1]}
			if k := p.kindOf(outer); k.scope != nil {
				inside.more = append(inside.more, k.scope)
			}
		}
	}
	if p.take(":") {
		for {
			b := BaseSpec{Pos: p.pos()}
			for p.is("public") || p.is("private") || p.is("protected") || p.is("virtual") {
				if p.is("virtual") {
					b.Virtual = true
				} else {
					b.Access = p.peek().Text
				}
				p.i++
			}
			b.Type = p.typeID()
			b.Pack = p.take("...")
			if s := p.scopeOf(b.Type.Specs); s != nil {
				inside.more = append(inside.more, s)
			}
			c.Bases = append(c.Bases, b)
			if !p.take(",") {
				break
			}
		}
	}
	open := p.i
	p.expect("{", "in front of the members")
	end := p.closing(open)
	class, templated := p.class, p.templated
	p.class, p.templated = name, false
	p.within(inside, func() {
		for p.i < end {
			c.Body = append(c.Body, p.guarded(placeClass)...)
		}
	})
	p.class, p.templated = class, templated
	p.i = end + 1
	for p.attributes(&c.Attrs) {
	}
	if c.Name == nil && p.is(";") { // members of one without a name are those of what it stands in
		p.scope.more = append(p.scope.more, inside)
	}
}

// enumSpec reads an enumeration, or a mention of one.
func (p *parser) enumSpec() TypeSpec {
	e := &Enum{Pos: p.pos()}
	p.i++
	if p.Language == CUDA {
		e.Scoped = p.take("class") || p.take("struct")
	}
	var attrs []Attr
	for p.attributes(&attrs) {
	}
	if p.isName(0) || p.is("::") {
		e.Name = p.name()
	}
	if p.is(":") && p.Language == CUDA && !p.at(1).Is(":") {
		p.i++
		e.Base = &TypeID{Specs: p.specifiers(inType)}
		e.Base.Decl = &Declarator{Pos: p.pos()}
	}
	inside := newScope(p.scope)
	if e.Name != nil && len(e.Name.Parts) == 1 && (p.is("{") || e.Base != nil || e.Scoped) {
		k := symbol{kind: typeName, scope: inside}
		if p.Language == OpenCL {
			k.kind = unknownName
		}
		p.scope.declare(e.Name.Parts[0].Ident, k)
	}
	if !p.is("{") {
		if e.Name == nil {
			p.fail(p.pos(), "the name or the values of an enumeration are expected, not %s", p.spelled())
		}
		if e.Base != nil || e.Scoped {
			return e
		}
		return &NamedType{Name: e.Name, Tag: "enum"}
	}
	e.Define = true
	p.i++
	p.separated("}", func() {
		v := Enumerator{}
		v.Ident, v.Pos = p.ident("an enumerator")
		for p.attributes(&attrs) {
		}
		inside.declare(v.Ident, symbol{kind: valueName})
		if !e.Scoped {
			p.scope.declare(v.Ident, symbol{kind: valueName})
		}
		if p.take("=") {
			v.Value = p.conditional()
		}
		e.Values = append(e.Values, v)
	})
	p.expect("}", "behind the values")
	return e
}
