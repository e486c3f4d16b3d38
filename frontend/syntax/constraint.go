package syntax

import (
	"slices"
	"strconv"
)

// Constraints ([temp.constr]): a concept is a variable template of bool, and what constrains a template is an
// expression that holds for its arguments.

// stdConcepts are those of <concepts> that the library here has, of which the parser sees no declaration.
var stdConcepts = words(`same_as derived_from convertible_to integral signed_integral unsigned_integral floating_point
	assignable_from constructible_from default_initializable move_constructible
	copy_constructible equality_comparable totally_ordered movable copyable semiregular regular
	invocable predicate`)

// concept reads concept C = x.
func (p *parser) concept() Decl {
	p.i++
	name, at := p.ident("a concept")
	p.scope.declare(name, symbol{kind: valueName, template: true, concept: true})
	p.expect("=", "in the concept")
	v := &Var{Decl: &Declarator{Pos: at, Name: &Name{Pos: at, Parts: []Part{{Pos: at, Ident: name}}}},
		Init: Init{Pos: p.pos(), Assign: true, Expr: p.conditional()}}
	p.expect(";", "behind the concept")
	return &Vars{Decls: []*Var{v}, Specs: &Specifiers{Pos: at, Constexpr: true, Concept: true,
		Type: &Builtin{Pos: at, Words: []string{"bool"}}}}
}

// constraint reads the name of a concept, if one stands here.
func (p *parser) constraint() (n *Name) {
	if p.Language == CUDA && p.isName(0) {
		p.try(func() bool {
			n = p.name()
			if k := p.kindOf(n); !(k.concept || len(n.Parts) > 1 && stdConcepts[n.Last().Ident] && k.kind == 0) {
				n = nil
			}
			return n != nil
		})
	}
	return n
}

// constrained is the concept for an argument in front of those that are written.
func constrained(n *Name, arg TemplateArg) Expr {
	own := *n
	own.Parts = slices.Clone(n.Parts)
	last := own.Last()
	last.Args, last.HasArgs = append([]TemplateArg{arg}, last.Args...), true
	return &Ident{&own}
}

// constrainedType is the concept for a parameter of a template, or for each element of a pack.
func constrainedType(n *Name, x *TemplateParam) Expr {
	c := constrained(n, TemplateArg{Pos: x.Pos, Type: typeNamed(x.Ident, x.Pos)})
	if x.Pack {
		return &Fold{Pos: x.Pos, Op: "&&", Pack: c}
	}
	return c
}

// typeNamed is a type by its name alone.
func typeNamed(ident string, at Pos) *TypeID {
	return &TypeID{Decl: &Declarator{Pos: at}, Specs: &Specifiers{Pos: at,
		Type: &NamedType{Name: &Name{Pos: at, Parts: []Part{{Pos: at, Ident: ident}}}}}}
}

// both is x && y, of which x may be nil.
func both(x, y Expr) Expr {
	if x == nil {
		return y
	}
	return &Binary{From: x.ExprPos(), Pos: y.ExprPos(), Op: "&&", X: x, Y: y}
}

// requiresClause reads the constraint behind requires, if that stands here.
func (p *parser) requiresClause(before Expr) Expr {
	if p.Language != CUDA || !p.take("requires") {
		return before
	}
	return both(before, p.joined("||", func() Expr {
		return p.joined("&&", func() Expr {
			if p.isName(0) || p.is("::") {
				return &Ident{p.name()}
			}
			return p.primary()
		})
	}))
}

// joined reads what an operator stands between.
func (p *parser) joined(op string, one func() Expr) Expr {
	x := one()
	for p.is(op) {
		at := p.pos()
		p.i++
		x = &Binary{From: x.ExprPos(), Pos: at, Op: op, X: x, Y: one()}
	}
	return x
}

// startsRequires reports whether the token n from here begins a requires-expression.
func (p *parser) startsRequires(n int) bool {
	if !p.at(n).Is("requires") || p.Language != CUDA {
		return false
	}
	if p.at(n+1).Is("(") && p.match[p.i+n+1] > 0 {
		n = int(p.match[p.i+n+1]) - p.i
	}
	return p.at(n + 1).Is("{")
}

// requires reads requires (params) { requirements }.
func (p *parser) requires() Expr {
	r := &Requires{Pos: p.pos()}
	p.i++
	defer p.inAngles(false)()
	inside := newScope(p.scope)
	p.within(inside, func() {
		if p.is("(") {
			r.Params = p.function().Params
			inside.declareParams(r.Params)
		}
		p.expect("{", "behind requires")
		for !p.is("}") {
			p.requirement(r)
			p.expect(";", "behind the requirement")
		}
		p.i++
	})
	return r
}

func (p *parser) requirement(r *Requires) {
	switch {
	case p.is("typename"):
		r.Types = append(r.Types, p.typeID())
	case p.is("requires") && !p.startsRequires(0):
		p.i++
		r.Holds = append(r.Holds, p.conditional())
	case p.take("{"):
		x := p.expression()
		p.expect("}", "behind the expression")
		r.Valid = append(r.Valid, x)
		if at := p.pos(); p.take("noexcept") {
			r.Holds = append(r.Holds, &Noexcept{Pos: at, X: x})
		}
		if at := p.pos(); p.take("->") {
			r.Holds = append(r.Holds, constrained(p.name(), TemplateArg{Pos: at, Type: &TypeID{
				Specs: &Specifiers{Pos: at, Type: &Decltype{Pos: at, X: &Paren{at, x}}}, Decl: &Declarator{Pos: at}}}))
		}
	default:
		r.Valid = append(r.Valid, p.expression())
	}
}

// autoParams makes parameters of a template of a function's that are declared auto ([dcl.fct]/22).
func (f *FuncOp) autoParams() (list []*TemplateParam) {
	for i, x := range f.Params {
		auto, ok := x.Specs.Type.(*Auto)
		if !ok || auto.Decltype {
			continue
		}
		t := &TemplateParam{Pos: x.Specs.Pos, Ident: "auto " + strconv.Itoa(i+1), Type: true, Pack: x.Decl.Pack}
		specs := *x.Specs
		specs.Type = typeNamed(t.Ident, t.Pos).Specs.Type
		if auto.Concept != nil {
			t.Constraint = constrainedType(auto.Concept, t)
		}
		f.Params[i] = &Param{Specs: &specs, Decl: x.Decl, Default: x.Default}
		list = append(list, t)
	}
	return list
}
