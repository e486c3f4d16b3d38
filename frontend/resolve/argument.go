package resolve

import (
	"slices"
	"strconv"

	"gpupipe/frontend/ast"
	"gpupipe/frontend/ctypes"
	"gpupipe/frontend/syntax"
	"gpupipe/internal/diag"
)

// Arguments of calls, and how they become parameters.

// misfit reports the first argument that is none for the parameter of a function, and whether there is one.
func (c *checker) misfit(f *function, args []ast.Expr) bool {
	if f.params != nil && f.tmpl == nil || f.state != read {
		return false
	}
	for i, p := range f.sig.params[:min(len(f.sig.params), len(args))] {
		if c.sequenceTo(args[i], p.typ, true).rank == rankNone {
			before := len(*c.errs)
			c.passed(args[i], p.typ, "argument "+strconv.Itoa(i+1)+" of "+c.display(f))
			return len(*c.errs) > before
		}
	}
	return false
}

// arguments types a call's arguments; they stay lvalues, for references.
func (c *checker) arguments(list []syntax.Expr) (args []ast.Expr, ok bool) {
	for _, a := range list {
		if p, is := a.(*syntax.PackExpansion); is {
			c.expand(p.X, func() { args = append(args, c.argument(p.X)) })
			continue
		}
		args = append(args, c.argument(a))
	}
	return args, !isInvalid(args...)
}

// argument types one argument, which may be a list in braces or a function.
func (c *checker) argument(a syntax.Expr) ast.Expr {
	if l, ok := a.(*syntax.List); ok {
		return c.braces(l)
	}
	return c.referred(a)
}

// defaultValue evaluates a default argument where the function is declared.
func (c *checker) defaultValue(f *function, p *param) ast.Expr {
	if p.init == nil {
		return c.fail(f.pos, "an argument is missing")
	}
	defer c.inside(&scope{kind: functionScope, up: f.in.upTo(f.seq)})()
	c.declareSignature(f.sig)
	return c.initValue(p.init)
}

// initValue is the expression of an initialiser that is one value or a list.
func (c *checker) initValue(i *syntax.Init) ast.Expr {
	switch {
	case i.List != nil:
		return c.braces(i.List)
	case i.Expr != nil:
		return c.argument(i.Expr)
	case i.Parens != nil && len(*i.Parens) == 1:
		return c.argument((*i.Parens)[0])
	}
	return c.fail(i.Pos, "one value is needed here")
}

// objectAddress is the address of the object that a member function is called for.
func (c *checker) objectAddress(object ast.Expr, t *ctypes.Type, pos diag.Pos) ast.Expr {
	object = c.lvalueOf(object)
	switch {
	case object.Type() == t:
	case c.derives(object.Type(), t):
		object = c.asBase(object, t)
	case c.derives(t, object.Type()): // the function of its own class
		object = c.deref(c.downcast(c.pointerTo(plain(t), false), c.addressOf(object, pos), pos), pos)
	}
	return c.addressOf(object, pos)
}

// passed is an argument as a parameter of a type takes it: a reference gets an address.
func (c *checker) passed(arg ast.Expr, t qtype, what string) ast.Expr {
	switch {
	case t.ref != noRef:
		return c.bindReference(arg, t, what)
	case c.inPlace(t):
		e := c.convert(arg, t.Type, what)
		if isInvalid(e) {
			return e
		}
		return c.addressOf(c.temporary("argument", e), e.Pos())
	}
	return c.convert(arg, c.represented(t), what)
}

// inPlace reports whether a parameter is an object that the caller makes, and destroys at the end of the full
// expression, as the Itanium C++ ABI has it (3.1.2.3).
func (c *checker) inPlace(t qtype) bool {
	cl := c.classes[t.Type]
	return t.ref == noRef && cl != nil && (c.destructor(cl) != nil || c.holdsPointer(cl) && !c.copiesBits(cl.typ))
}

// holdsPointer reports whether an object of a class may keep its own address.
func (c *checker) holdsPointer(cl *class) bool {
	return slices.ContainsFunc(cl.typ.Fields, func(f ctypes.Field) bool {
		t := innermost(f.Type)
		return t.Kind == ctypes.Pointer || c.classes[t] != nil && c.holdsPointer(c.classes[t])
	})
}

// bindReference is the address of what a reference refers to.
func (c *checker) bindReference(arg ast.Expr, t qtype, what string) ast.Expr {
	pos := arg.Pos()
	if isInvalid(arg) || t.Kind == 0 {
		return invalidAt(pos)
	}
	s := c.sequenceTo(arg, t, true)
	if s.rank == rankNone {
		return c.fail(pos, "%s: a reference of type %s is needed, this is %s", what, c.spellQual(t),
			c.spellArgument(arg))
	}
	if set, ok := arg.(*overloads); ok {
		if p := c.functionAddress(set, ctypes.PointerTo(t.Type, 0), pos); p != nil {
			return p
		}
		return c.stray(set)
	}
	direct := false
	if _, list := arg.(*braceList); !list {
		from := c.typeOf(arg)
		direct = c.derives(from.Type, t.Type) || from.ref != noRef &&
			(same(from.Type, t.Type) || from.Kind == ctypes.Array && t.Kind == ctypes.Array)
		if !direct && from.ref != noRef && isClass(from.Type) && t.ref == lvalue && !t.isConst {
			if own := c.userConversionRef(arg, t); own != nil {
				arg, direct = own, true
			}
		}
	}
	var target ast.Expr
	if direct {
		if target = stripped(arg); !t.isConst || isClass(t.Type) {
			target = c.place(arg) // of a constant number, the value is enough
		}
		if c.derives(target.Type(), t.Type) {
			target = c.asBase(c.lvalueOf(target), t.Type)
		}
	} else {
		target = c.lvalueOf(c.convert(arg, t.Type, what))
	}
	if isInvalid(target) {
		return target
	}
	if _, lanes := target.(*ast.Swizzle); !lanes && !ast.IsLvalue(target) {
		target = c.lvalueOf(target)
	}
	p := c.addressOf(target, pos)
	if isInvalid(p) {
		return p
	}
	want := c.represented(t)
	if p.Type().Equal(want) {
		return p
	}
	if want.Elem.Kind == ctypes.Array && p.Type().Elem.Kind == ctypes.Array {
		return &ast.Convert{Typed: ast.Of(want, pos), X: p}
	}
	return c.asPointer(p, want, what)
}
