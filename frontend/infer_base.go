package frontend

import (
	"strings"

	"gpupipe/frontend/ast"
	"gpupipe/frontend/cxx"
)

// Classes that are derived from others: package cxx has made the data of a base a member, and a base without data nothing.

// baseOf is the direct base of a class that has what found asks for, itself or by inheritance; nil if none has.
func (c *checker) baseOf(t *Type, found func(*Type) bool) *Type {
	if t.Kind != Struct || c.cfg.Dialect != CUDA {
		return nil
	}
	m := c.p.Program.Templates.Structs[t.Name]
	if m == nil {
		return nil
	}
	for _, name := range m.Bases {
		base := c.lookupTag(name)
		if base != nil && (found(base) || c.baseOf(base, found) != nil) {
			return base
		}
	}
	return nil
}

// inherits is the direct base through which a class has a member function; nil if there is none.
func (c *checker) inherits(t *Type, method string) *Type {
	return c.baseOf(t, func(base *Type) bool { return c.ownsMethod(base, method) })
}

// isBase reports whether a class is derived from another one.
func (c *checker) isBase(base, t *Type) bool {
	return base.Kind == Struct && t.Kind == Struct && !t.Equal(base) && c.baseOf(t, base.Equal) != nil
}

// asBase is the part of an object that is of a class that it is derived from.
func (c *checker) asBase(obj Expr, base *Type) Expr {
	for t := obj.Type(); !t.Equal(base); t = obj.Type() {
		direct := c.baseOf(t, base.Equal)
		if direct == nil {
			return c.fail(obj.Pos(), "%v is not derived from %v", t, base)
		}
		if findField(t, cxx.BaseMark+direct.Name) == nil { // without data
			return &InitList{Typed: ast.Of(base, obj.Pos())}
		}
		obj = c.member(obj, cxx.BaseMark+direct.Name, obj.Pos())
	}
	return obj
}

// derivedFrom reports whether a type, or what it points to, has the other one's data as that of a base.
func derivedFrom(t, base *Type) bool {
	if t.Kind == Pointer && base.Kind == Pointer {
		return derivedFrom(t.Elem, base.Elem)
	}
	if t.Kind != Struct || base.Kind != Struct {
		return false
	}
	for _, f := range t.Fields {
		if strings.HasPrefix(f.Name, cxx.BaseMark) && (f.Type.Equal(base) || derivedFrom(f.Type, base)) {
			return true
		}
	}
	return false
}
