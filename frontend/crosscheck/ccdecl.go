package crosscheck

import (
	"slices"
	"strings"

	"gpupipe/internal/diag"

	"modernc.org/cc/v4"
)

func (r *reader) structure(s *specs, t *cc.StructOrUnionSpecifier) {
	s.named = strings.TrimSpace(t.StructOrUnion.Token.SrcStr() + " " + t.Token.SrcStr())
	if t.Case == cc.StructOrUnionSpecifierTag {
		return
	}
	s.named = t.StructOrUnion.Token.SrcStr()
	if t.Token.SrcStr() != "{" {
		s.named = strings.TrimSpace(s.named + " " + t.Token.SrcStr())
	}
	r.line(r.at(t), s.named, " {")
	r.inside(func() {
		for l := t.StructDeclarationList; l != nil; l = l.StructDeclarationList {
			r.member(l.StructDeclaration)
		}
	})
}

func (r *reader) member(d *cc.StructDeclaration) {
	if d.Case == cc.StructDeclarationAssert {
		r.line(r.at(d), "static_assert ", r.text(d.StaticAssertDeclaration.ConstantExpression))
		return
	}
	s := r.memberSpecs(d.SpecifierQualifierList)
	for l := d.StructDeclaratorList; l != nil; l = l.StructDeclaratorList {
		pos, n := r.at(d), named{text: " : " + s.String()}
		if l.StructDeclarator.Declarator != nil {
			pos, n = r.declared(s, l.StructDeclarator.Declarator)
		}
		if l.StructDeclarator.Case == cc.StructDeclaratorBitField {
			n.text += " : " + r.text(l.StructDeclarator.ConstantExpression)
		}
		r.line(pos, n.text)
	}
}

func (r *reader) enum(s *specs, t *cc.EnumSpecifier) {
	s.named = "enum"
	if name := t.Token2.SrcStr(); name != "" && name != "{" {
		s.named += " " + name
	}
	if t.Case == cc.EnumSpecifierTag {
		return
	}
	r.line(r.at(t), s.named, " {")
	r.inside(func() {
		next := "0"
		for l := t.EnumeratorList; l != nil; l = l.EnumeratorList {
			e := l.Enumerator
			name, value := e.Token.SrcStr(), ""
			if e.Case == cc.EnumeratorExpr {
				value = r.text(e.ConstantExpression)
				r.constant(r.at(e.ConstantExpression), name, value)
				r.line(r.at(e), name, " = ", value)
				next = name + " + 1"
				continue
			}
			r.constant(diag.Pos{}, name, next)
			r.line(r.at(e), name)
			next = name + " + 1"
		}
	})
}

// declared is a declarator as own.declared writes it.
func (r *reader) declared(s *specs, d *cc.Declarator) (diag.Pos, named) {
	var b strings.Builder
	b.WriteString(d.Name())
	r.declarator(&b, d)
	b.WriteString(" : " + s.String())
	pos := r.at(d)
	if name := d.NameTok(); name.SrcStr() != "" {
		pos = r.feed.place(name.Position().Offset)
	}
	return pos, named{s.storage, b.String()}
}

// declarator writes the operators of a declarator, the one nearest to its name first.
func (r *reader) declarator(b *strings.Builder, d *cc.Declarator) {
	r.direct(b, d.DirectDeclarator)
	r.pointers(b, d.Pointer)
}

func (r *reader) direct(b *strings.Builder, d *cc.DirectDeclarator) {
	if d == nil {
		return
	}
	if d.Case == cc.DirectDeclaratorDecl {
		r.declarator(b, d.Declarator)
		return
	}
	r.direct(b, d.DirectDeclarator)
	switch d.Case {
	case cc.DirectDeclaratorArr, cc.DirectDeclaratorStaticArr, cc.DirectDeclaratorArrStatic:
		r.array(b, d.AssignmentExpression)
	case cc.DirectDeclaratorStar:
		b.WriteString(" [*]")
	case cc.DirectDeclaratorFuncParam:
		r.parameters(b, d.ParameterTypeList)
	case cc.DirectDeclaratorFuncIdent:
		b.WriteString(" (")
		for l := d.IdentifierList; l != nil; l = l.IdentifierList {
			b.WriteString("?")
		}
		b.WriteString(")")
	}
}

func (r *reader) array(b *strings.Builder, size cc.ExpressionNode) {
	text := r.text(size)
	if text != "" {
		r.constant(r.at(size), "", text)
	}
	b.WriteString(" [" + text + "]")
}

// pointers writes those in front of a name: the last one is the nearest.
func (r *reader) pointers(b *strings.Builder, p *cc.Pointer) {
	var all []string
	for ; p != nil; p = p.Pointer {
		var q quals
		nonnull := 0
		for l := p.TypeQualifiers; l != nil; l = l.TypeQualifiers {
			if l.TypeQualifier != nil {
				q.add(l.TypeQualifier, &nonnull)
			}
		}
		q.finish(nonnull)
		all = append(all, " "+p.Token.SrcStr()+q.String())
	}
	for _, text := range slices.Backward(all) {
		b.WriteString(text)
	}
}

func (r *reader) parameters(b *strings.Builder, l *cc.ParameterTypeList) {
	var list []string
	if l != nil {
		for p := l.ParameterList; p != nil; p = p.ParameterList {
			list = append(list, r.parameter(p.ParameterDeclaration))
		}
		if l.Case == cc.ParameterTypeListVar {
			list = append(list, "...")
		}
	}
	if len(list) == 1 && list[0] == " : void" {
		list = nil
	}
	b.WriteString(" (" + strings.Join(list, ", ") + ")")
}

func (r *reader) parameter(p *cc.ParameterDeclaration) string {
	s := r.specs(p.DeclarationSpecifiers)
	if p.Case == cc.ParameterDeclarationDecl {
		_, n := r.declared(s, p.Declarator)
		return n.text
	}
	return r.abstract(s, p.AbstractDeclarator)
}

func (r *reader) typeName(t *cc.TypeName) string {
	return r.abstract(r.memberSpecs(t.SpecifierQualifierList), t.AbstractDeclarator)
}

func (r *reader) abstract(s *specs, d *cc.AbstractDeclarator) string {
	var b strings.Builder
	r.abstractDeclarator(&b, d)
	return b.String() + " : " + s.String()
}

func (r *reader) abstractDeclarator(b *strings.Builder, d *cc.AbstractDeclarator) {
	if d == nil {
		return
	}
	r.directAbstract(b, d.DirectAbstractDeclarator)
	r.pointers(b, d.Pointer)
}

func (r *reader) directAbstract(b *strings.Builder, d *cc.DirectAbstractDeclarator) {
	if d == nil {
		return
	}
	if d.Case == cc.DirectAbstractDeclaratorDecl {
		r.abstractDeclarator(b, d.AbstractDeclarator)
		return
	}
	r.directAbstract(b, d.DirectAbstractDeclarator)
	switch d.Case {
	case cc.DirectAbstractDeclaratorArr, cc.DirectAbstractDeclaratorStaticArr, cc.DirectAbstractDeclaratorArrStatic:
		r.array(b, d.AssignmentExpression)
	case cc.DirectAbstractDeclaratorArrStar:
		b.WriteString(" [*]")
	case cc.DirectAbstractDeclaratorFunc:
		r.parameters(b, d.ParameterTypeList)
	}
}
