package resolve

import (
	"math"
	"slices"

	"gpupipe/frontend/ast"
	"gpupipe/frontend/ctypes"
	"gpupipe/frontend/syntax"
	"gpupipe/internal/diag"
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

// enumerators declares the constants of an enumeration: in its own scope too, which :: looks in. Up to the closing
// brace they have the type of their values, or the underlying one where that is written ([dcl.enum]/5).
func (c *checker) enumerators(n *syntax.Enum, e *enum, in *scope, fixed bool) {
	fixed = fixed || e.scoped
	next := ctypes.IntValue(e.typ.Kind, 0)
	var errs diag.List // of the last value that is written
	outer := c.scope
	if e.scoped {
		c.scope = e.scope
	}
	for _, x := range n.Values {
		if x.Value != nil {
			before := len(*c.errs)
			if v, ok := c.enumeratorValue(x.Value); ok {
				next = v
			}
			errs = slices.Clone((*c.errs)[before:]) // told where a constant is used
		}
		if fixed || c.cfg.Dialect == ast.OpenCL && int64(int32(next.Int)) == next.Int {
			next = ctypes.IntValue(e.typ.Kind, next.Int)
		}
		v := next
		sym := &symbol{kind: symValue, name: x.Ident, pos: x.Pos, seq: c.seq, in: in, value: &v, errs: errs}
		e.scope.declare(sym)
		if !e.scoped {
			in.declare(sym)
		}
		if next.Int++; !fixed && next.Type.Kind == ctypes.Int && next.Int > math.MaxInt32 {
			next.Type = ctypes.Scalar(ctypes.Long)
		}
	}
	c.scope = outer
	if c.cfg.Dialect == ast.OpenCL {
		return
	}
	if !fixed {
		e.typ.Kind = kindOfAll(e.scope.order)
	}
	for _, sym := range e.scope.order {
		sym.value.Type = e.typ
	}
}

// enumeratorValue is the value that an enumerator is given.
func (c *checker) enumeratorValue(x syntax.Expr) (ctypes.Value, bool) {
	v, ok := c.integer(c.constantExpr(x), "the value of an enumerator")
	c.computed(x, v)
	if ok && v.Type.Kind < ctypes.Int || c.enums[v.Type] != nil {
		v.Type = ctypes.Scalar(ctypes.Promoted(v.Type).Kind)
	}
	return v, ok
}

// kindOfAll is the first type that all enumerators fit in, as gcc and clang choose; unsigned where int does not hold
// what is not negative.
func kindOfAll(list []*symbol) ctypes.Kind {
	var low int64
	var high uint64
	for _, sym := range list {
		if v := sym.value; v.Int < 0 && v.Type.Kind != ctypes.ULong {
			low = min(low, v.Int)
		} else {
			high = max(high, uint64(v.Int))
		}
	}
	switch {
	case low >= math.MinInt32 && high <= math.MaxInt32:
		return ctypes.Int
	case low == 0 && high <= math.MaxUint32:
		return ctypes.UInt
	case high <= math.MaxInt64:
		return ctypes.Long
	}
	return ctypes.ULong
}

// underlying is the integer behind an enumeration: where the program does not say, gcc's and clang's without a sign
// where no enumerator is negative. Kind is what values are promoted to ([conv.prom]/3).
func (c *checker) underlying(t *ctypes.Type) ctypes.Kind {
	e := c.enums[t]
	if e == nil || e.fixed || e.scoped || t.IsUnsigned() ||
		slices.ContainsFunc(e.scope.order, func(sym *symbol) bool { return sym.value.Int < 0 }) {
		return t.Kind
	}
	return ctypes.UnsignedOf(t.Size())
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
