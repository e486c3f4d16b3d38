package resolve

import (
	"slices"

	"gpupipe/frontend/ast"
	"gpupipe/frontend/ctypes"
	"gpupipe/frontend/syntax"
	"gpupipe/internal/diag"
)

// Lists in braces.

// braceList is a list in braces: what it makes, its context says.
type braceList struct {
	ast.Typed
	elems []*braceElem
}

// braceElem is one element.
type braceElem struct {
	designators []syntax.Designator
	x           syntax.Expr
	scope       *scope // of an element of an expansion
	typed       ast.Expr
	pos         diag.Pos
}

// value types an element, once.
func (e *braceElem) value(c *checker) ast.Expr {
	if e.typed == nil {
		outer := c.scope
		if e.scope != nil {
			c.scope = e.scope
		}
		e.typed = c.argument(e.x)
		c.scope = outer
	}
	return e.typed
}

// bracesType is the type of a list in braces.
var bracesType = &ctypes.Type{Kind: ctypes.Opaque, Name: "a list in braces"}

// braces takes a list apart.
func (c *checker) braces(l *syntax.List) *braceList {
	b := &braceList{Typed: ast.Of(bracesType, l.Pos)}
	for i := range l.Elems {
		e := &l.Elems[i]
		if p, ok := e.X.(*syntax.PackExpansion); ok {
			c.expand(p.X, func() { b.elems = append(b.elems, &braceElem{x: p.X, scope: c.scope, pos: p.Pos}) })
			continue
		}
		b.elems = append(b.elems, &braceElem{designators: e.Designators, x: e.X, pos: e.X.ExprPos()})
	}
	return b
}

// sequenceOfBraces is how a list becomes a parameter.
func (c *checker) sequenceOfBraces(b *braceList, to qtype, user bool) sequence {
	t := to.Type
	if to.ref == lvalue && !to.isConst || t.Kind == 0 {
		return none
	}
	if cl := c.classes[t]; cl != nil {
		c.complete(cl)
		if len(b.elems) == 1 && len(b.elems[0].designators) == 0 {
			if e := b.elems[0].value(c); e.Type() == t || c.derives(e.Type(), t) {
				return c.sequenceTo(e, plain(t), false)
			}
		}
		if cl.state != complete {
			return none
		}
		if elem := c.listElement(t); elem != nil {
			return c.sequenceOfList(b, elem, user)
		}
		if c.isAggregate(cl) {
			if len(b.elems) > len(t.Fields) && !hasNested(t) {
				return none
			}
			for i, e := range b.elems {
				if len(e.designators) > 0 || i >= len(t.Fields) {
					break
				}
				f := cl.field(i)
				if f == nil || isClass(f.typ.Type) || f.typ.Kind == ctypes.Array {
					break
				}
				if s := c.sequenceTo(e.value(c), f.typ, user); s.rank == rankNone {
					return none
				}
			}
			return sequence{rank: rankUser, second: rankConversion}
		}
		if !user {
			return none
		}
		if c.takesList(cl, b) {
			return sequence{rank: rankUser, second: rankExact}
		}
		var args []ast.Expr
		for _, e := range b.elems {
			args = append(args, e.value(c))
		}
		var best *function
		errs := c.quietly(func() { best, _ = c.selectFunction(c.constructorsOf(cl), nil, args, nil, b.P) })
		if best == nil && len(args) > 0 || len(errs) > 0 {
			return none
		}
		return sequence{rank: rankUser, second: rankExact}
	}
	switch t.Kind {
	case ctypes.Vector:
		if len(b.elems) > t.Lanes() {
			return none
		}
		return sequence{rank: rankConversion}
	case ctypes.Array:
		if t.Len >= 0 && int64(len(b.elems)) > t.Len {
			return none
		}
		return sequence{rank: rankExact}
	}
	switch len(b.elems) {
	case 0:
		return sequence{rank: rankExact}
	case 1:
		return c.sequenceTo(b.elems[0].value(c), plain(t), user)
	}
	return none
}

func hasNested(t *ctypes.Type) bool {
	return slices.ContainsFunc(t.Fields, func(f ctypes.Field) bool {
		return isClass(f.Type) ||
			f.Type.Kind == ctypes.Array
	})
}
