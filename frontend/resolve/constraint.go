package resolve

import (
	"slices"

	"gpupipe/frontend/ast"
	"gpupipe/frontend/ctypes"
	"gpupipe/frontend/syntax"
)

// Constraints ([temp.constr]) of templates and functions. A concept is a variable template of bool.

// conceptInstance is a concept for arguments: whether it holds, and the scope of its parameters.
func (c *checker) conceptInstance(t *template, args templateArgs, key string) *symbol {
	in := c.bind(t.params, args, t.in, t.seq)
	v := ctypes.IntValue(ctypes.Bool, 0)
	sym := &symbol{kind: symValue, name: t.name, pos: t.pos, tmpl: t, space: in, value: &v}
	if c.holdsIn(t.vars.Decls[0].Init.Expr, in) {
		v.Int = 1
	}
	t.instances[key] = sym
	return sym
}

// meets reports whether the arguments that a scope binds meet the constraints of a template.
func (c *checker) meets(p *templateParams, in *scope) bool {
	for _, q := range p.list {
		if q.Constraint != nil && !c.holdsIn(q.Constraint, in) {
			return false
		}
	}
	return p.requires == nil || c.holdsIn(p.requires, in)
}

func (c *checker) holdsIn(x syntax.Expr, in *scope) bool {
	defer c.enterDeclaration()()
	c.scope = in
	return c.holds(x)
}

// holds reports whether a constraint does; an atomic one that has no meaning does not.
func (c *checker) holds(x syntax.Expr) bool {
	x = syntax.Bare(x)
	if b, ok := x.(*syntax.Binary); ok && (b.Op == "&&" || b.Op == "||") {
		if left := c.holds(b.X); left == (b.Op == "||") {
			return left
		}
		return c.holds(b.Y)
	}
	var e ast.Expr
	errs := c.quietly(func() { e = c.evaluated(c.truth(c.constantExpr(x))) })
	lit, ok := e.(*ast.Literal)
	return ok && len(errs) == 0 && lit.Value.IsTrue()
}

// meetsOwn reports whether a function meets the constraint behind its parameters.
func (c *checker) meetsOwn(f *function) bool {
	x := functionOp(f.decl.Decl).Requires
	if x == nil {
		return true
	}
	defer c.insideSignature(f)()
	return c.holds(x)
}

// requires types a requires-expression ([expr.prim.req]).
func (c *checker) requires(n *syntax.Requires) ast.Expr {
	defer c.inside(&scope{kind: functionScope, up: c.scope})()
	ok := true
	errs := c.quietly(func() {
		sig := &signature{}
		c.readParams(n.Params, sig)
		ok = !slices.ContainsFunc(sig.params, func(p param) bool { return p.typ.Kind == 0 })
		for _, t := range n.Types {
			ok = ok && c.typeID(t).Kind != 0
		}
		for _, x := range n.Valid {
			if e := c.unevaluated(x); isInvalid(e) {
				ok = false
			}
		}
		ok = ok && !slices.ContainsFunc(n.Holds, func(x syntax.Expr) bool { return !c.holds(x) })
	})
	v := int64(0)
	if ok && len(errs) == 0 {
		v = 1
	}
	return number(ctypes.Bool, v, n.Pos)
}

// atom is an atomic constraint: an expression, for arguments of the concept that it is part of.
type atom struct {
	x  syntax.Expr
	of *symbol // nil: of no concept
}

// atoms adds those of a conjunction ([temp.constr.normal]).
func (c *checker) atoms(x syntax.Expr, of *symbol, all map[atom]bool) {
	x = syntax.Bare(x)
	switch n := x.(type) {
	case nil:
		return
	case *syntax.Binary:
		if n.Op == "&&" {
			c.atoms(n.X, of, all)
			c.atoms(n.Y, of, all)
			return
		}
	case *syntax.Ident:
		if f := c.find(n.Name, false, "name"); f != nil && f.sym.kind == symValue && f.sym.tmpl != nil {
			defer c.inside(f.sym.space)()
			c.atoms(f.sym.tmpl.vars.Decls[0].Init.Expr, f.sym, all)
			return
		}
	}
	all[atom{x, of}] = true
}

// atomsOf are those of a template's constraints, for the arguments that a scope binds, and of one more.
func (c *checker) atomsOf(p *templateParams, more syntax.Expr, in *scope) map[atom]bool {
	all := map[atom]bool{}
	c.quietlyIn(in, func() {
		if p != nil {
			for _, q := range p.list {
				c.atoms(q.Constraint, nil, all)
			}
			c.atoms(p.requires, nil, all)
		}
		c.atoms(more, nil, all)
	})
	return all
}

// subsumes compares atomic constraints ([temp.constr.order]): 1 where a are those of b and more, -1 the other way
// round, else 0.
func subsumes(a, b map[atom]bool) int {
	has := func(a, b map[atom]bool) bool {
		for x := range b {
			if !a[x] {
				return false
			}
		}
		return true
	}
	switch ab, ba := has(a, b), has(b, a); {
	case ab && !ba:
		return 1
	case ba && !ab:
		return -1
	}
	return 0
}

// moreConstrained compares two functions that fit the same arguments.
func (c *checker) moreConstrained(a, b *function) int {
	of := func(f *function) map[atom]bool { return c.atomsOf(f.params, functionOp(f.decl.Decl).Requires, f.in) }
	return subsumes(of(a), of(b))
}
