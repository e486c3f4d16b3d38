package resolve

import (
	"slices"

	"gpupipe/frontend/ast"
	"gpupipe/frontend/ctypes"
	"gpupipe/frontend/syntax"
	"gpupipe/internal/diag"
	"gpupipe/internal/spelling"
)

// Members of objects: x.name, x->name, this, and names that stand for members of this.

// memberExpr types x.name and x->name.
func (c *checker) memberExpr(n *syntax.MemberExpr) ast.Expr {
	pos := n.Pos
	if e := c.cudaIndexMember(n); e != nil {
		return e
	}
	x := c.materialized(c.expr(n.X))
	if isInvalid(x) {
		return x
	}
	if t, ok := x.(*typeOperand); ok {
		return c.fail(pos, "%s is a type, not a value", c.spellQual(t.t))
	}
	if n.Arrow {
		for i := 0; isClass(x.Type()) && i < maxDepth; i++ {
			own := c.callMember(x, "operator->", nil, pos)
			if own == nil {
				return c.fail(pos, "%v is not a pointer", x.Type())
			}
			x = own
		}
		if x = c.deref(c.rvalue(x), pos); isInvalid(x) {
			return x
		}
	}
	part := n.Name.Last()
	if part.Destroys {
		return &overloads{Typed: ast.Of(overloadType, pos), name: "~" + part.Ident, object: x,
			funcs: c.destructorOf(x.Type())}
	}
	if cl := c.classes[x.Type()]; cl != nil {
		return c.classMember(x, cl, n.Name, pos)
	}
	return c.member(x, part.Ident, pos)
}

func (c *checker) destructorOf(t *ctypes.Type) []*function {
	if cl := c.classes[t]; cl != nil {
		if f := c.destructor(cl); f != nil {
			return []*function{f}
		}
	}
	return nil
}

// classMember is a member of an object of a class.
func (c *checker) classMember(x ast.Expr, cl *class, n *syntax.Name, pos diag.Pos) ast.Expr {
	c.complete(cl)
	part := n.Last()
	if len(cl.errs) > 0 {
		c.blame(cl.errs)
	}
	if c.isDefinedLater(cl) {
		return c.incomplete(cl.typ, "the type %v is incomplete here", pos)
	}
	var sym *symbol
	in := cl
	if len(n.Parts) > 1 { // x.Base::f()
		leave := c.inside(&scope{kind: classScope, class: cl, up: c.scope}) // members hide other names
		f := c.find(n.Qualifier(), false, "name")
		leave()
		if f == nil {
			return invalidAt(pos)
		}
		base := c.classes[f.sym.typ.Type]
		if f.sym.kind != symType || base == nil || base != cl && !c.derives(cl.typ, base.typ) {
			return c.fail(pos, "%s is not a base of %v", f.name, cl.typ)
		}
		if base != cl {
			x = c.asBase(x, base.typ)
		}
		in = base
	}
	if part.Convert != nil {
		t := c.typeID(part.Convert)
		return &overloads{Typed: ast.Of(overloadType, pos), name: "operator " + c.spellQual(t), object: x,
			funcs: c.conversionsTo(in, t)}
	}
	if sym = c.memberOf(in, part.Ident); sym == nil {
		if in.state != complete && in.state != completing {
			return c.incomplete(in.typ, "the type %v is incomplete", pos)
		}
		return c.noField(in.typ, part.Ident, pos)
	}
	if c.isAmbiguous(sym, pos) {
		return invalidAt(pos)
	}
	c.checkAccess(sym, in, pos)
	c.use(sym)
	switch sym.kind {
	case symField:
		return c.fieldOf(x, sym, pos)
	case symObject:
		return c.variableExpr(sym, pos)
	case symValue:
		v := *sym.value
		return ast.LiteralOf(v, pos)
	case symFunction:
		set := &overloads{Typed: ast.Of(overloadType, pos), name: part.Ident, funcs: sym.funcs, object: x,
			qualified: len(n.Parts) > 1}
		if part.HasArgs {
			args, ok := c.templateArguments(part.Args)
			if !ok {
				return invalidAt(pos)
			}
			set.explicit = &args
		}
		return set
	case symTemplate:
		if part.HasArgs {
			if args, ok := c.templateArguments(part.Args); ok {
				if one := c.instanceOf(sym.tmpl, args, pos); one != nil {
					c.use(one)
					return c.variableExpr(one, pos)
				}
			}
			return invalidAt(pos)
		}
	}
	return c.fail(pos, "%s is not a member that has a value", part.Ident)
}

// isDefinedLater reports whether a class is only declared where the function stands that is being read. In a template
// the place of its instance counts, in a class its end.
func (c *checker) isDefinedLater(cl *class) bool {
	f := c.fn
	return f != nil && f.tmpl == nil && f.class == nil && !f.friend && f.closure == nil && cl.tmpl == nil &&
		cl.local == nil && cl.scope.up.isNamespace() && f.limitDef() > 0 && cl.seq > f.limitDef()
}

// noField reports that a type has no member of a name. What stands for a library's class may lack some.
func (c *checker) noField(t *ctypes.Type, name string, pos diag.Pos) ast.Expr {
	if cl := c.classes[t]; cl != nil && len(cl.errs) > 0 { // the member may be what could not be read
		c.blame(cl.errs)
		return invalidAt(pos)
	}
	if cl := c.classes[t]; cl != nil && cl.symbol != nil && c.isLibrary(cl.symbol.pos) {
		return c.refuse(pos, "member "+name+" of "+c.spell(t)+" is", "")
	}
	e := c.errorf(pos, codeUndeclared, "%v has no member %s", t, name)
	var names []string
	for _, f := range t.Fields {
		names = append(names, f.Name)
	}
	if near := spelling.DidYouMean(name, names); near != "" {
		_ = e.WithNote("%s", near)
	}
	return invalidAt(pos)
}

// fieldOf is a data member of an object, which may lie in a base or in an anonymous member.
func (c *checker) fieldOf(x ast.Expr, sym *symbol, pos diag.Pos) ast.Expr {
	moved := category(x) == rvalue
	x = c.place(x)
	if sym.class.typ != x.Type() {
		if c.derives(x.Type(), sym.class.typ) {
			x = c.asBase(x, sym.class.typ)
		} else if in := c.anonymousIn(x, sym.class, pos); in != nil {
			x = in
		} else {
			return c.fail(pos, "%v has no member %s", x.Type(), sym.name)
		}
	}
	if isInvalid(x) {
		return x
	}
	if x.Type().Kind == ctypes.Vector {
		return c.member(x, sym.name, pos)
	}
	if sym.field >= len(x.Type().Fields) {
		return c.incomplete(x.Type(), "the type %v is incomplete", pos)
	}
	e := ast.Expr(&ast.Member{Typed: ast.Of(x.Type().Fields[sym.field].Type, pos), X: x, Field: sym.field})
	if sym.ref != noRef {
		return &ast.Deref{Typed: ast.Of(e.Type().Elem, pos), X: e}
	}
	if sym.bits != nil {
		return c.bitsOf(x, e, sym.bits, pos)
	}
	if moved {
		return &xvalue{ast.Of(e.Type(), pos), e}
	}
	return e
}

// anonymousIn is the anonymous member of an object that has the type of a class; nil if there is none.
func (c *checker) anonymousIn(x ast.Expr, cl *class, pos diag.Pos) ast.Expr {
	of := c.classes[x.Type()]
	if of == nil {
		return nil
	}
	for i, f := range x.Type().Fields {
		if !isClass(f.Type) {
			continue
		}
		in := &ast.Member{Typed: ast.Of(f.Type, pos), X: x, Field: i}
		if f.Type == cl.typ {
			return in
		}
		if f.Name == "" || c.isBaseField(of, i) {
			if found := c.anonymousIn(in, cl, pos); found != nil {
				return found
			}
		}
	}
	return nil
}

func (c *checker) isBaseField(cl *class, i int) bool {
	return slices.ContainsFunc(cl.bases, func(b base) bool { return b.field == i })
}

// thisObject is the object that this points to in the body that is being read; nil where there is none.
func (c *checker) thisObject() ast.Expr {
	switch f := c.fn; {
	case f == nil:
		return nil
	case f.closure == nil:
		return f.this
	case f.closure.this != nil && f.this != nil:
		return c.capturedThis()
	case c.dead > 0: // the type counts, and nothing is captured
		for f != nil && f.closure != nil {
			f = f.class.local
		}
		if f != nil {
			return f.this
		}
	}
	return nil
}

// thisPointer types this.
func (c *checker) thisPointer(pos diag.Pos) ast.Expr {
	if obj := c.thisObject(); obj != nil {
		if d, ok := obj.(*ast.Deref); ok {
			return d.X
		}
		return c.addressOf(obj, pos)
	}
	if n := len(c.sigThis); n > 0 {
		f := c.sigThis[n-1]
		p := ctypes.PointerTo(f.class.typ, 0)
		p.Const, p.Volatile = f.isConst, f.isVolatile
		return &ast.VarRef{Typed: ast.Of(p, pos), Obj: &ast.Object{Name: "this", Type: p}}
	}
	return c.fail(pos, "this outside of a member function")
}

// thisFor is the object as one of a class that it is or is derived from; nil where there is none.
func (c *checker) thisFor(cl *class) ast.Expr {
	obj := c.thisObject()
	if obj == nil {
		if n := len(c.sigThis); n > 0 && (c.sigThis[n-1].class == cl || c.derives(c.sigThis[n-1].class.typ, cl.typ)) {
			return c.deref(c.thisPointer(diag.Pos{}), diag.Pos{})
		}
		return nil
	}
	if obj.Type() == cl.typ || c.derives(obj.Type(), cl.typ) {
		return obj
	}
	return nil
}

// partNamed is an object as the class in front of a name's ::, where that inherits the member: the object may have
// several parts of the member's class.
func (c *checker) partNamed(obj ast.Expr, in, member *class) ast.Expr {
	if in != nil && in != member && c.derives(obj.Type(), in.typ) {
		return c.asBase(obj, in.typ)
	}
	return obj
}

// ownField is a name that stands for a data member of this; in is the class in front of its ::, nil of none.
func (c *checker) ownField(sym *symbol, in *class, pos diag.Pos) ast.Expr {
	obj := c.thisObject()
	if sym.class.closure != nil && c.fn != nil && c.fn.closure != nil { // of this lambda, or captured from one around
		if e := c.captureIn(c.fn.closure, c.fn.this, sym, pos); e != nil {
			return e
		}
		obj = c.fn.this
	}
	if obj != nil {
		if obj.Type() == sym.class.typ || c.derives(obj.Type(), sym.class.typ) {
			return c.fieldOf(c.partNamed(obj, in, sym.class), sym, pos)
		}
		if in := c.anonymousIn(obj, sym.class, pos); in != nil {
			return c.fieldOf(in, sym, pos)
		}
	}
	if n := len(c.sigThis); n > 0 && c.fn == nil {
		return c.fieldOf(c.deref(c.thisPointer(pos), pos), sym, pos)
	}
	if c.dead > 0 { // sizeof(S::member)
		t := sym.class.typ.Fields[sym.field].Type
		return &ast.VarRef{Typed: ast.Of(t, pos), Obj: &ast.Object{Name: sym.name, Type: t}}
	}
	return c.fail(pos, "the member %s is named without an object", sym.name)
}

// member types x.name of what is not a class of the program: a vector's components.
func (c *checker) member(x ast.Expr, name string, pos diag.Pos) ast.Expr {
	t := x.Type()
	switch t.Kind {
	case 0:
		return invalidAt(pos)
	case ctypes.Vector:
		moved := category(x) == rvalue
		e := c.swizzle(stripped(x), name, pos)
		if moved && !isInvalid(e) {
			return &xvalue{ast.Of(e.Type(), pos), e}
		}
		return e
	case ctypes.Struct, ctypes.Union:
	case ctypes.Pointer:
		e := c.errorf(pos, codeType, "%v is a pointer: it has no member %s", t, name)
		_ = e.WithNote("write -> instead of .")
		return invalidAt(pos)
	default:
		return c.fail(pos, "%v has no members", t)
	}
	x = stripped(x)
	path := findField(t, name)
	if path == nil {
		return c.noField(t, name, pos)
	}
	for _, i := range path {
		x = &ast.Member{Typed: ast.Of(t.Fields[i].Type, pos), X: x, Field: i}
		t = t.Fields[i].Type
	}
	return x
}

// findField finds a member, looking into anonymous members too. The result is
// the path of field indices.
func findField(t *ctypes.Type, name string) []int {
	for i, f := range t.Fields {
		if f.Name == name {
			return []int{i}
		}
		if f.Name == "" {
			if path := findField(f.Type, name); path != nil {
				return append([]int{i}, path...)
			}
		}
	}
	return nil
}

// offsetOf types offsetof.
func (c *checker) offsetOf(x *syntax.OffsetOf) ast.Expr {
	t := c.typeID(x.Type)
	id, ok := x.Member.(*syntax.Ident)
	if t.Kind == 0 || !ok || !c.isComplete(t.Type) {
		return c.refuse(x.Pos, "this offsetof is", "name a member of a struct")
	}
	n := int64(0)
	path := findField(t.Type, id.Name.String())
	if path == nil {
		return c.noField(t.Type, id.Name.String(), x.Pos)
	}
	at := t.Type
	for _, i := range path {
		n += at.Fields[i].Offset
		at = at.Fields[i].Type
	}
	v := ctypes.IntValue(ctypes.ULong, n)
	return ast.LiteralOf(v, x.Pos)
}
