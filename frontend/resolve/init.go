package resolve

import (
	"gpupipe/frontend/ast"
	"gpupipe/frontend/ctypes"
	"gpupipe/frontend/syntax"
	"gpupipe/idg"
	"gpupipe/internal/diag"
)

// Initialisers: of C's aggregates with designators and without inner braces, and of C++.

// isAggregate reports whether braces initialise the members of a class.
func (c *checker) isAggregate(cl *class) bool {
	c.complete(cl)
	for _, f := range cl.ctors {
		if !f.isDefaulted && !f.isDeleted {
			return false
		}
	}
	return len(cl.inherits) == 0 && !cl.isPolymorphic()
}

// fromBraces makes a value of a list in braces.
func (c *checker) fromBraces(b *braceList, t qtype) ast.Expr {
	if tmpl := c.holders[t.Type]; tmpl != nil {
		var args []ast.Expr
		for _, e := range b.elems {
			args = append(args, e.value(c))
		}
		if isInvalid(args...) {
			return invalidAt(b.P)
		}
		deduced := c.deduceClass(tmpl, args, b.P)
		if deduced == nil {
			return invalidAt(b.P)
		}
		t.Type = deduced
	}
	e, _ := c.braced(b, t.Type)
	return e
}

// initCursor walks the elements of a list.
type initCursor struct{ elems []*braceElem }

func (i *initCursor) done() bool               { return len(i.elems) == 0 }
func (i *initCursor) next()                    { i.elems = i.elems[1:] }
func (i *initCursor) list() *syntax.List       { l, _ := i.elems[0].x.(*syntax.List); return l }
func (i *initCursor) isList() bool             { return i.list() != nil }
func (i *initCursor) designated() bool         { return len(i.elems[0].designators) > 0 }
func (i *initCursor) expr(c *checker) ast.Expr { return i.elems[0].value(c) }

// braced types a list for a type; length is how many elements an array needs.
func (c *checker) braced(b *braceList, t *ctypes.Type) (e ast.Expr, length int64) {
	cur := &initCursor{b.elems}
	pos := b.P
	if t.Kind == 0 {
		return invalidAt(pos), 0
	}
	if cl := c.classes[t]; cl != nil {
		if made, ok := c.bracedClass(cl, b); ok {
			return made, 0
		}
	}
	if len(b.elems) == 1 && isStringOf(b.elems[0].x, t) {
		return c.stringInit(b.elems[0].x, t, pos)
	}
	switch t.Kind {
	case ctypes.Array, ctypes.Struct, ctypes.Union:
		e, length = c.aggregate(cur, t, pos, true)
	case ctypes.Vector:
		var elems []ast.Expr
		for ; !cur.done(); cur.next() {
			if cur.isList() || cur.designated() {
				c.unsupported(pos, "braces and designators inside a vector are",
					"write the components one after another")
				return invalidAt(pos), 0
			}
			elems = append(elems, c.rvalue(cur.expr(c)))
		}
		return c.makeVector(elems, t, true, pos), 0
	default:
		if cur.done() && c.cfg.Dialect == ast.CUDA {
			return c.zeroValue(t, pos), 0
		}
		if len(b.elems) != 1 || cur.designated() {
			return c.fail(pos, "%v takes exactly one value", t), 0
		}
		return c.withoutNarrowing(cur.expr(c), t), 0
	}
	if !cur.done() && !isInvalid(e) {
		c.errorf(cur.elems[0].pos, codeType, "more values than %v has elements", t)
	}
	return e, length
}

// bracedClass makes an object of a class by a constructor or a copy; false where braces initialise its members.
func (c *checker) bracedClass(cl *class, b *braceList) (ast.Expr, bool) {
	c.complete(cl)
	if len(cl.errs) > 0 {
		c.blame(cl.errs)
		return invalidAt(b.P), true
	}
	if cl.state != complete {
		return c.incomplete(cl.typ, "an object of the incomplete type %v", b.P), true
	}
	if c.cfg.Dialect == ast.OpenCL {
		return nil, false
	}
	if len(b.elems) == 1 && len(b.elems[0].designators) == 0 {
		if _, list := b.elems[0].x.(*syntax.List); !list {
			if e := b.elems[0].value(c); isInvalid(e) {
				return e, true
			} else if e.Type() == cl.typ {
				return c.constructClass(cl.typ, []ast.Expr{e}, true, b.P), true
			}
		}
	}
	if elem := c.listElement(cl.typ); elem != nil {
		return c.listOf(b, cl.typ, elem), true
	}
	if c.isAggregate(cl) {
		return nil, false
	}
	if list := c.listConstructors(cl, b); len(list) > 0 {
		best, why := c.selectFunction(list, nil, []ast.Expr{b}, nil, b.P)
		if best == nil {
			return c.report(c.spell(cl.typ), why, b.P), true
		}
		return c.callConstructor(best, []ast.Expr{b}, b.P), true
	}
	var args []ast.Expr
	for _, e := range b.elems {
		if len(e.designators) > 0 {
			return c.fail(b.P, "%v has constructors: its members cannot be designated", cl.typ), true
		}
		args = append(args, e.value(c))
	}
	if isInvalid(args...) {
		return invalidAt(b.P), true
	}
	return c.constructClass(cl.typ, args, true, b.P), true
}

// aggregate types the elements of an array, struct or union from the cursor.
// Without own braces it takes only as many values as it needs (brace elision).
func (c *checker) aggregate(cur *initCursor, t *ctypes.Type, pos diag.Pos, own bool) (ast.Expr, int64) {
	list := &ast.InitList{Typed: ast.Of(t, pos)}
	if cl := c.classes[t]; cl != nil && len(cl.units) > 0 {
		return c.bitAggregate(cl, cur, list), 0
	}
	var at, length int64
	var skipped []int // members without a designator whose initialisers name members
	limit := t.Len
	if t.Kind != ctypes.Array {
		limit = int64(len(t.Fields))
		if t.Kind == ctypes.Union {
			limit = min(limit, 1)
		}
	}
	cl := c.classes[t]
	taken := map[*class]bool{} // bases without data that a list in braces has initialised
	for own && cl != nil && cl.empty && !cur.done() && c.takesEmptyBase(cl, cur, 0, taken) {
	}
	if cl != nil && cl.empty {
		limit = 0
	}
	for !cur.done() && (limit < 0 || at < limit || own && cur.designated()) {
		if cur.designated() {
			if !own {
				break // it designates an element of the enclosing braces
			}
			ds := cur.elems[0].designators
			i, ok := c.designatedElement(&ds[0], t)
			if !ok {
				return invalidAt(pos), 0
			}
			if len(ds) > 1 {
				c.unsupported(cur.elems[0].pos, "designators with more than one step are", "nest braces")
				return invalidAt(pos), 0
			}
			for ; cl != nil && at < i; at++ {
				if f := cl.field(int(at)); c.fn != nil && f != nil && c.namesMembers(cl, f) {
					skipped = append(skipped, int(at))
				} else if e := c.memberDefault(cl, int(at), pos); e != nil {
					list.Add(at, e)
				}
			}
			at = i
		}
		if own && c.takesEmptyBase(cl, cur, int(at), taken) {
			continue
		}
		var e ast.Expr
		if f := fieldOf(cl, int(at)); f != nil && f.typ.ref != noRef {
			e = c.bindReference(cur.expr(c), f.typ, "initialisation of "+f.name)
			cur.next()
		} else {
			e = c.element(cur, t.Element(at))
		}
		if isInvalid(e) {
			return invalidAt(pos), 0
		}
		list.Add(at, e)
		at++
		length = max(length, at)
	}
	if cl != nil && c.cfg.Dialect == ast.CUDA {
		return c.withDefaults(cl, list, skipped, int(at), pos), length
	} else if t.Kind == ctypes.Array && t.Len > at && c.cfg.Dialect == ast.CUDA {
		for sub := c.classes[t.Elem]; sub != nil && at < t.Len && c.needsInit(sub); at++ {
			list.Add(at, c.constructClass(t.Elem, nil, false, pos))
		}
	}
	if isInvalid(list.Elems...) {
		return invalidAt(pos), 0
	}
	return list, length
}

// takesEmptyBase steps over the initialiser of a base without data in front of field at, if that is what comes next.
func (c *checker) takesEmptyBase(cl *class, cur *initCursor, at int, taken map[*class]bool) bool {
	if cl == nil || cur.designated() {
		return false
	}
	for _, b := range cl.bases {
		if b.field >= at && b.field >= 0 {
			return false
		}
		if b.field < 0 && !taken[b.class] {
			if l := cur.list(); l != nil && len(l.Elems) > 0 || l == nil && cur.expr(c).Type() != b.class.typ {
				return false
			}
			taken[b.class] = true
			cur.next()
			return true
		}
	}
	return false
}

func fieldOf(cl *class, i int) *field {
	if cl == nil {
		return nil
	}
	return cl.field(i)
}

// element types one element of an aggregate and moves the cursor past it.
func (c *checker) element(cur *initCursor, t *ctypes.Type) ast.Expr {
	pos := cur.elems[0].pos
	if cur.isList() {
		outer := c.scope
		if s := cur.elems[0].scope; s != nil {
			c.scope = s
		}
		e, _ := c.braced(c.braces(cur.list()), t)
		c.scope = outer
		cur.next()
		return e
	}
	if isStringOf(cur.elems[0].x, t) {
		e, _ := c.stringInit(cur.elems[0].x, t, pos)
		cur.next()
		return e
	}
	if t.Kind == ctypes.Struct || t.Kind == ctypes.Union {
		// A struct value initialises the whole element; anything else is the first
		// value of an element without braces of its own.
		e := cur.expr(c)
		if isInvalid(e) {
			cur.next()
			return e
		}
		cl := c.classes[t]
		if e.Type().Equal(t) || cl != nil && !c.isAggregate(cl) ||
			cl != nil && isClass(e.Type()) && c.sequenceTo(e, plain(t), true).rank != rankNone {
			cur.next()
			return c.convert(e, t, "initialisation")
		}
	}
	switch {
	case t.Kind == ctypes.Array || t.Kind == ctypes.Struct || t.Kind == ctypes.Union:
		e, _ := c.aggregate(cur, t, pos, false)
		return e
	case t.Kind == ctypes.Vector && !cur.expr(c).Type().Equal(t) && !isClass(cur.expr(c).Type()):
		return c.elidedVector(cur, t, pos)
	}
	e := c.withoutNarrowing(cur.expr(c), t)
	cur.next()
	return e
}

// elidedVector takes as many values as a vector has components.
func (c *checker) elidedVector(cur *initCursor, t *ctypes.Type, pos diag.Pos) ast.Expr {
	var elems []ast.Expr
	for lanes := 0; lanes < t.Lanes() && !cur.done() && !cur.isList() && !cur.designated(); cur.next() {
		e := c.rvalue(cur.expr(c))
		elems = append(elems, e)
		lanes += e.Type().Lanes()
	}
	return c.makeVector(elems, t, true, pos)
}

// designatedElement is the element that a designator names.
func (c *checker) designatedElement(d *syntax.Designator, t *ctypes.Type) (int64, bool) {
	if d.Index != nil {
		i, ok := c.constantInt(d.Index, "a designator")
		if ok && (t.Kind != ctypes.Array || i < 0 || t.Len >= 0 && i >= t.Len ||
			i > maxObjectSize/max(1, t.Elem.Size())) {
			c.errorf(d.Pos, codeType, "%v has no element %d", t, i)
			ok = false
		}
		return i, ok
	}
	if path := findField(t, d.Field); len(path) == 1 {
		return int64(path[0]), true
	}
	c.errorf(d.Pos, codeUndeclared, "%v has no member %s", t, d.Field)
	return 0, false
}

// initialised is the value that an initialiser gives an object of a type: of a reference, its address.
func (c *checker) initialised(in *syntax.Init, t qtype, what string) ast.Expr {
	if t.ref != noRef {
		switch {
		case in.Parens != nil && len(*in.Parens) == 1:
			return c.bindReference(c.argument((*in.Parens)[0]), t, what)
		case in.List != nil:
			if len(in.List.Elems) == 1 { // of a related type it is bound itself ([dcl.init.list] 3.9)
				e := c.argument(in.List.Elems[0].X)
				if to := t.Type; isInvalid(e) || hasAutoQ(t) || same(e.Type(), to) || c.derives(e.Type(), to) {
					return c.bindReference(e, t, what)
				}
			}
			return c.bindReference(c.braces(in.List), t, what)
		case in.Expr != nil:
			return c.bindReference(c.argument(in.Expr), t, what)
		}
		return c.fail(in.Pos, "%s: a reference needs an object", what)
	}
	switch {
	case in.List != nil && in.Assign:
		return c.fromBraces(c.braces(in.List), t)
	case in.List != nil:
		return c.fromBraces(c.enumBraces(c.braces(in.List), t), t)
	case in.Parens != nil:
		args, ok := c.arguments(*in.Parens)
		if !ok {
			return invalidAt(in.Pos)
		}
		if isClass(t.Type) || c.holders[t.Type] != nil || len(args) != 1 {
			return c.construct(t, args, in.Pos)
		}
		return c.convert(c.builtinOperandFor(args[0], t), t.Type, what)
	}
	if isStringOf(in.Expr, t.Type) { // of a member
		e, _ := c.stringInit(in.Expr, t.Type, in.Expr.ExprPos())
		return e
	}
	e := c.argument(in.Expr)
	if isInvalid(e) {
		return e
	}
	if tmpl := c.holders[t.Type]; tmpl != nil && !hasNodes(e) {
		if t.Type = c.deduceClass(tmpl, []ast.Expr{e}, e.Pos()); t.Type == nil {
			return invalidAt(e.Pos())
		}
	}
	if isClass(t.Type) && e.Type() == t.Type {
		if _, list := e.(*braceList); !list {
			return c.constructClass(t.Type, []ast.Expr{e}, false, e.Pos())
		}
	}
	return c.convert(e, t.Type, what)
}

func (c *checker) builtinOperandFor(e ast.Expr, t qtype) ast.Expr {
	if isClass(e.Type()) && !isClass(t.Type) {
		f, _, ok := c.chooseConversion(e, plain(t.Type), true)
		if f != nil && ok && f.kind == conversion {
			return c.callFunction(f, e, nil, e.Pos())
		}
	}
	return e
}

// arrayLiteral types (int[]){1, 2}: an array without a name, in C as the pointer to
// its first element that it decays to.
func (c *checker) arrayLiteral(l *syntax.List, t *ctypes.Type, pos diag.Pos) ast.Expr {
	if c.fn == nil {
		return c.refuse(pos, "compound literals of arrays outside of a function are", "declare a variable")
	}
	init, length := c.braced(c.braces(l), t)
	if isInvalid(init) {
		return init
	}
	if t.Len < 0 {
		if length == 0 {
			return c.fail(pos, "an array of 0 elements")
		}
		t = ctypes.ArrayOf(t.Elem, length)
		if list, ok := init.(*ast.InitList); ok {
			list.T = t
		}
	}
	obj := &ast.Object{Name: "literal", Pos: pos, Type: t, Space: idg.SpacePrivate}
	decl, ref := &ast.Decl{Positioned: ast.At(pos), Obj: obj, Init: init}, ast.RefTo(obj, pos)
	if c.cfg.Dialect == ast.CUDA {
		p := c.addressOf(ref, pos)
		made := &ast.StmtExpr{Typed: ast.Of(p.Type(), pos), Stmts: []ast.Stmt{decl}, X: p}
		return &xvalue{ref.Typed, c.deref(made, pos)}
	}
	p := ast.Of(ctypes.PointerTo(t.Elem, idg.SpacePrivate), pos)
	return &ast.StmtExpr{Typed: p, Stmts: []ast.Stmt{decl}, X: &ast.Decay{Typed: p, X: ref}}
}
