package resolve

import (
	"gpupipe/frontend/ast"
	"gpupipe/frontend/ctypes"
	"gpupipe/frontend/syntax"
	"gpupipe/internal/diag"
)

// Expansions of parameter packs ([temp.variadic]), and folds over them.

// expand calls f once for each element of the packs that a pattern names, with the names bound to the element.
func (c *checker) expand(pattern any, f func()) {
	var packs []*symbol
	seen := map[string]bool{}
	syntax.Visit(pattern, func(n any) bool {
		switch n := n.(type) {
		case *syntax.Name:
			if n.Global || len(n.Parts) == 0 || seen[n.Parts[0].Ident] {
				return true
			}
			if sym := c.pack(n.Parts[0].Ident); sym != nil {
				seen[sym.name] = true
				bound := *sym
				bound.name = n.Parts[0].Ident
				packs = append(packs, &bound)
			}
		case *syntax.SizeOf:
			return n.Pack == ""
		case *syntax.PackExpansion:
			return false
		case *syntax.TemplateArg:
			return !n.Pack || pattern == any(n)
		case *syntax.Param:
			return !n.Decl.Pack || pattern == any(n)
		}
		return true
	})
	if len(packs) == 0 {
		c.errorf(posOf(pattern), codeType, "no pack is named in what is expanded")
		return
	}
	n := len(packs[0].pack)
	for _, p := range packs {
		if len(p.pack) != n {
			c.errorf(posOf(pattern), codeType, "the packs %s and %s have %d and %d elements", packs[0].name, p.name, n,
				len(p.pack))
			return
		}
	}
	outer := c.scope
	for i := range n {
		c.scope = &scope{kind: templateScope, up: outer, element: true}
		for _, p := range packs {
			one := *p.pack[i]
			one.name = p.name
			c.scope.declare(&one)
		}
		f()
	}
	c.scope = outer
}

// pack is the pack of a name, nil if it is none: in an expansion inside of another one that expands it too, the name
// stands for the whole pack ([temp.variadic]).
func (c *checker) pack(name string) *symbol {
	for s := c.scope; s != nil; s = s.up {
		sym := c.lookupFrom(s, name, false)
		if sym == nil || sym.kind == symPack {
			return sym
		}
		for s != nil && s.names[name] != sym {
			s = s.up
		}
		if s == nil || !s.element {
			return nil
		}
	}
	return nil
}

// expandScopes is expand for the first element only.
func (c *checker) expandScopes(pattern any, f func()) {
	done := false
	c.expand(pattern, func() {
		if !done {
			done = true
			f()
		}
	})
}

func posOf(x any) diag.Pos {
	switch x := x.(type) {
	case syntax.Expr:
		return x.ExprPos()
	case *syntax.TypeID:
		return x.Specs.Pos
	case *syntax.Param:
		return x.Specs.Pos
	case *syntax.Name:
		return x.Pos
	case *syntax.MemberInit:
		return x.Pos
	}
	return diag.Pos{}
}

// namesPack reports whether a pack is named in an expression.
func (c *checker) namesPack(x syntax.Expr) (found bool) {
	syntax.Visit(x, func(n any) bool {
		if n, ok := n.(*syntax.Name); ok && !n.Global && len(n.Parts) > 0 {
			sym := c.lookup(n.Parts[0].Ident)
			found = found || sym != nil && sym.kind == symPack
		}
		return !found
	})
	return found
}

// fold1 types a fold-expression.
func (c *checker) fold1(x *syntax.Fold) ast.Expr {
	var elems []ast.Expr
	if x.Init != nil && !c.namesPack(x.Pack) && c.namesPack(x.Init) { // (init op ... op pack)
		swapped := *x
		swapped.Pack, swapped.Init, swapped.Left = x.Init, x.Pack, true
		x = &swapped
	}
	c.expand(x.Pack, func() { elems = append(elems, c.expr(x.Pack)) })
	if isInvalid(elems...) {
		return invalidAt(x.Pos)
	}
	var init ast.Expr
	if x.Init != nil {
		if init = c.expr(x.Init); isInvalid(init) {
			return init
		}
	}
	if len(elems) == 0 {
		switch {
		case init != nil:
			return init
		case x.Op == "&&":
			return number(ctypes.Bool, 1, x.Pos)
		case x.Op == "||":
			return number(ctypes.Bool, 0, x.Pos)
		case x.Op == ",":
			return &ast.Convert{Typed: ast.Of(ctypes.Scalar(ctypes.Void), x.Pos), X: number(ctypes.Int, 0, x.Pos),
				Explicit: true}
		}
		return c.fail(x.Pos, "a fold of an empty pack over %s", x.Op)
	}
	if x.Left {
		if init != nil {
			elems = append([]ast.Expr{init}, elems...)
		}
		e := elems[0]
		for _, next := range elems[1:] {
			e = c.operate(x.Op, e, next, x.Pos)
		}
		return e
	}
	if init != nil {
		elems = append(elems, init)
	}
	e := elems[len(elems)-1]
	for i := len(elems) - 2; i >= 0; i-- {
		e = c.operate(x.Op, elems[i], e, x.Pos)
	}
	return e
}
