package resolve

import (
	"gpupipe/frontend/ast"
	"gpupipe/frontend/ctypes"
	"gpupipe/frontend/syntax"
)

// enumSpecifier declares an enumeration with its constants in the current scope.
func (c *checker) enumSpecifier(n *syntax.Enum) *ctypes.Type {
	if t := c.scope.defined[n]; t != nil {
		return t
	}
	in := c.scope.outsideTemplate()
	name := ""
	if n.Name != nil {
		name = n.Name.Last().Ident
		if old := in.tags[name]; old != nil && c.enums[old.typ.Type] != nil && !n.Define {
			return old.typ.Type
		}
	}
	t := ctypes.Scalar(ctypes.Int)
	if n.Base != nil {
		if b := c.typeID(n.Base); b.IsInteger() {
			t = b.Type
		}
	}
	e := &enum{name: name, in: in, scoped: n.Scoped, fixed: n.Base != nil,
		scope: &scope{kind: blockScope, up: in}}
	e.typ = &ctypes.Type{Kind: t.Kind, Name: name}
	if old := in.tags[name]; name != "" && old != nil && c.enums[old.typ.Type] != nil {
		e = c.enums[old.typ.Type] // declared before
	}
	if c.cfg.Dialect == ast.OpenCL {
		e.typ = t
	} else {
		c.enums[e.typ] = e
	}
	if name != "" {
		in.declareTag(&symbol{kind: symType, name: name, pos: n.Pos, seq: c.seq, in: in, typ: plain(e.typ),
			cTag: c.cfg.Dialect == ast.OpenCL})
	}
	c.scope.define(n, e.typ)
	c.enumerators(n, e, in, n.Base != nil)
	return e.typ
}

// enumerators declares the constants of an enumeration: in its own scope too, which :: looks in.
func (c *checker) enumerators(n *syntax.Enum, e *enum, in *scope, fixed bool) {
	var next int64
	kind := e.typ.Kind
	outer := c.scope
	if e.scoped {
		c.scope = e.scope
	}
	for _, x := range n.Values {
		if x.Value != nil {
			if v, ok := c.constantBits(x.Value, "the value of an enumerator"); ok {
				next = v
			}
		}
		v := ctypes.IntValue(kind, next)
		v.Type = e.typ
		if v.Int != next && !fixed {
			v = ctypes.IntValue(ctypes.Long, next)
			if c.cfg.Dialect == ast.CUDA && next >= 0 && next <= 0xffffffff {
				v = ctypes.IntValue(ctypes.UInt, next)
			}
		}
		sym := &symbol{kind: symValue, name: x.Ident, pos: x.Pos, seq: c.seq, in: in, value: &v}
		e.scope.declare(sym)
		if !e.scoped {
			in.declare(sym)
		}
		next++
	}
	c.scope = outer
}

// usingEnum declares the constants of an enumeration in a scope (C++20 [enum.udecl]).
func (c *checker) usingEnum(n *syntax.Name, in *scope) {
	f := c.find(n, false, "type")
	if f == nil {
		return
	}
	e := c.enums[f.sym.typ.Type]
	if e == nil {
		c.errorf(n.Pos, codeType, "%s is not an enumeration", f.name)
		return
	}
	for _, sym := range e.scope.order {
		own := *sym
		own.seq, own.in = c.seq, in
		in.declare(&own)
	}
}

// isScoped reports whether values of a type do not become numbers by themselves: those of an enum class and pointers to
// members.
func (c *checker) isScoped(t *ctypes.Type) bool {
	e := c.enums[t]
	return e != nil && e.scoped || c.memberPointers[t] != nil
}

// enumBraces makes the number in E{1} one of the enumeration, whose underlying type is known ([dcl.init.list]).
func (c *checker) enumBraces(b *braceList, t qtype) *braceList {
	e := c.enums[t.Type]
	if e == nil || !e.scoped && !e.fixed || len(b.elems) != 1 {
		return b
	}
	one := b.elems[0]
	if x := one.value(c); x.Type().IsArith() && c.enums[x.Type()] == nil {
		one.typed = c.retyped(c.withoutNarrowing(x, ctypes.Scalar(t.Kind)), t.Type)
	}
	return b
}
