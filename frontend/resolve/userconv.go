package resolve

import (
	"slices"

	"gpupipe/frontend/ast"
	"gpupipe/frontend/ctypes"
	"gpupipe/frontend/syntax"
	"gpupipe/internal/diag"
)

// Conversions that the program defines: constructors of one argument and conversion functions.

// conversionsOf are the conversion functions of a class and its bases.
func (c *checker) conversionsOf(cl *class) (all []*function) {
	c.complete(cl)
	all = append(all, cl.convs...)
	own := len(all)
	for _, b := range cl.bases {
		for _, f := range c.conversionsOf(b.class) {
			if f.params != nil || !slices.ContainsFunc(all[:own], func(g *function) bool {
				return c.hidesConversion(g, f)
			}) {
				all = append(all, f)
			}
		}
	}
	return all
}

// hidesConversion reports whether a conversion function of a class hides that of a base ([class.conv.fct]).
func (c *checker) hidesConversion(own, f *function) bool {
	if own.params != nil {
		return false
	}
	x, y := c.signatureOf(own), c.signatureOf(f)
	return x != nil && y != nil && sameQual(x.result, y.result)
}

// conversionsTo are the conversion functions to a type.
func (c *checker) conversionsTo(cl *class, t qtype) (all []*function) {
	for _, f := range c.conversionsOf(cl) {
		if f = c.conversionFor(f, t); f == nil {
			continue
		}
		if sig := c.signatureOf(f); sig != nil && same(sig.result.Type, t.Type) {
			all = append(all, f)
		}
	}
	return all
}

// conversionFor is a conversion function, or the instance of a template of them that a type asks for; nil of none.
func (c *checker) conversionFor(f *function, t qtype) *function {
	if f.params == nil {
		return f
	}
	d := c.newDeduction(f.params)
	if !d.converted(f, t.value()) || d.finish() != "" {
		return nil
	}
	g, _ := c.functionInstance(f, d.args)
	return g
}

// userSequence is a conversion by a function of the program.
func (c *checker) userSequence(arg ast.Expr, to qtype) sequence {
	f, second, ok := c.chooseConversion(arg, to, false)
	if f == nil || !ok {
		return none
	}
	return sequence{rank: rankUser, second: second}
}

// chooseConversion is the constructor or conversion function that makes a type of an argument, and the rank of what
// follows it; ok is false where two are equally good.
func (c *checker) chooseConversion(arg ast.Expr, to qtype, explicit bool) (best *function, second rank, ok bool) {
	ok = true
	second = rankNone
	var bestSeq sequence
	consider := func(f *function, s sequence, r rank) {
		switch d := better(s, bestSeq); {
		case best == nil || r < second || r == second && d > 0:
			best, bestSeq, second, ok = f, s, r, true
		case r == second && d == 0:
			switch own := ownConstructor(best, f, 1); {
			case own > 0:
			case own < 0:
				best, bestSeq = f, s
			case best.kind == f.kind && best.tmpl == nil && f.tmpl != nil:
			case best.tmpl != nil && f.tmpl == nil:
				best, bestSeq = f, s
			case best.kind == conversion && f.kind == conversion && c.convertsMoreSpecially(best, f):
			case best.kind == conversion && f.kind == conversion && c.convertsMoreSpecially(f, best):
				best, bestSeq, ok = f, s, true
			default:
				ok = false
			}
		}
	}
	if from := c.classes[arg.Type()]; from != nil {
		for _, f := range c.conversionsOf(from) {
			g := c.conversionFor(f, to)
			if g == nil {
				continue
			}
			sig := c.signatureOf(g)
			if sig == nil || g.isExplicit && !explicit || !c.meetsOwn(g) {
				continue
			}
			s := c.objectSequence(g, arg)
			if s.rank == rankNone {
				continue
			}
			probe := c.probe(sig.result)
			after := c.sequenceTo(probe, qtype{Type: to.Type}, false)
			if to.ref == lvalue && !to.isConst {
				after = c.sequenceTo(probe, to, false)
			}
			if after.rank > rankUser || after.rank == rankUser && !(explicit && to.IsHalf()) {
				continue
			}
			consider(g, s, after.rank)
		}
	}
	if into := c.classes[to.Type]; into != nil {
		for _, f := range c.constructorsOf(into) {
			if f.isDeleted {
				continue
			}
			g := f
			if f.params != nil {
				var made *function
				c.quietly(func() { made, _ = c.deduce(f, []ast.Expr{arg}, nil, arg.Pos()) })
				if g = made; g == nil {
					continue
				}
			}
			sig := c.signatureOf(g)
			if sig == nil || len(sig.params) == 0 || !sig.optionalFrom(1) || g.isExplicit && !explicit ||
				!c.meetsOwn(g) {
				continue
			}
			s := c.sequenceTo(arg, sig.params[0].typ, false)
			if s.rank >= rankUser {
				continue
			}
			consider(g, s, rankExact)
		}
	}
	return best, second, ok
}

// converted matches what a conversion function converts to, or refers to, with a type ([temp.deduct.conv]).
func (d *deduction) converted(f *function, to qtype) bool {
	w := f.decl.Decl.Name.Last().Convert
	if w.Decl == nil {
		return d.typ(nil, w.Specs, to)
	}
	ops := w.Decl.Ops
	if len(ops) > 0 {
		if _, ref := ops[0].(*syntax.RefOp); ref {
			ops = ops[1:]
		}
	}
	return d.typ(ops, w.Specs, to)
}

// convertsMoreSpecially is moreSpecialised of conversion functions, by what they convert to ([temp.func.order]/3).
func (c *checker) convertsMoreSpecially(a, b *function) bool {
	fits := func(a, b *function) bool {
		var t qtype
		errs := c.quietlyIn(c.bind(a.params, c.invented(a.params, 1), a.params.in, 0), func() {
			t = c.typeID(a.decl.Decl.Name.Last().Convert)
		})
		return len(errs) == 0 && c.newDeduction(b.params).converted(b, t)
	}
	a, b = a.tmpl, b.tmpl
	return a != nil && b != nil && fits(a, b) && !fits(b, a)
}

// probe is an expression of a type that stands for the result of a function.
func (c *checker) probe(t qtype) ast.Expr {
	e := ast.Expr(&ast.VarRef{Typed: ast.Of(t.Type, diag.Pos{}),
		Obj: &ast.Object{Name: "result", Type: t.Type, Const: t.isConst}})
	switch t.ref {
	case lvalue:
		return e
	case rvalue:
		return &xvalue{ast.Of(t.Type, diag.Pos{}), e}
	}
	return &ast.Convert{Typed: ast.Of(t.Type, diag.Pos{}), X: e}
}

// optionalFrom reports whether parameter n and those behind it have defaults.
func (s *signature) optionalFrom(n int) bool {
	return len(s.params) <= n || s.params[n].init != nil
}

// conversionFunctionSequence binds a reference to what a conversion function returns.
func (c *checker) conversionFunctionSequence(arg ast.Expr, to qtype) sequence {
	f, second, ok := c.chooseConversion(arg, to, false)
	if f == nil || !ok || f.kind != conversion {
		return none
	}
	return sequence{rank: rankUser, second: second, isRef: true}
}

// userConversion converts to or from a class by a function of the program; nil where there is none.
func (c *checker) userConversion(e ast.Expr, t *ctypes.Type) ast.Expr {
	if c.cfg.Dialect != ast.CUDA {
		return nil
	}
	if isClass(t) && c.classes[t] != nil {
		if from := e.Type(); from == t || c.derives(from, t) {
			return nil
		}
	}
	f, _, ok := c.chooseConversion(e, plain(t), false)
	if f == nil {
		return nil
	}
	if !ok {
		return c.fail(e.Pos(), "the conversion of %v to %v is ambiguous", e.Type(), t)
	}
	if f.kind == constructor {
		return c.callConstructor(f, []ast.Expr{e}, e.Pos())
	}
	return c.convert(c.callFunction(f, e, nil, e.Pos()), t, "conversion")
}

// userConversionRef is what a conversion function to a reference returns.
func (c *checker) userConversionRef(e ast.Expr, t qtype) ast.Expr {
	f, _, ok := c.chooseConversion(e, t, false)
	if f == nil || !ok || f.kind != conversion {
		return nil
	}
	return c.callFunction(f, e, nil, e.Pos())
}

// converted is an object of a class as the number or pointer that it converts to; nil where it has no or several such
// functions.
func (c *checker) converted(e ast.Expr) ast.Expr {
	cl := c.classes[e.Type()]
	if cl == nil {
		return nil
	}
	var found *function
	for _, f := range c.conversionsOf(cl) {
		if f.params != nil || c.objectSequence(f, e).rank == rankNone {
			continue
		}
		sig := c.signatureOf(f)
		if sig == nil || f.isExplicit || isClass(sig.result.Type) {
			continue
		}
		if found != nil && !(found.isConst != f.isConst && sameButConst(found.sig.result.Type, sig.result.Type)) {
			return nil
		}
		if found == nil || !f.isConst {
			found = f
		}
	}
	if found == nil {
		return nil
	}
	return c.rvalue(c.callFunction(found, e, nil, e.Pos()))
}

// sameButConst reports whether types are the same, or pointers to the same of which one leads to const.
func sameButConst(a, b *ctypes.Type) bool {
	return same(a, b) || a.Kind == ctypes.Pointer && b.Kind == ctypes.Pointer && same(a.Elem, b.Elem)
}

// assignable is the number or pointer that an object of a class converts to as an lvalue ([over.built]); other
// expressions, and objects of classes without such a function, are themselves.
func (c *checker) assignable(e ast.Expr) ast.Expr {
	cl := c.classes[e.Type()]
	if cl == nil {
		return e
	}
	for _, f := range c.conversionsOf(cl) {
		if f.params != nil || c.objectSequence(f, e).rank == rankNone {
			continue
		}
		if sig := c.signatureOf(f); sig != nil && !f.isExplicit && sig.result.ref == lvalue && !sig.result.isConst &&
			!isClass(sig.result.Type) {
			return c.callFunction(f, e, nil, e.Pos())
		}
	}
	return e
}

// callConstructor makes an object by a constructor.
func (c *checker) callConstructor(f *function, args []ast.Expr, pos diag.Pos) ast.Expr {
	return c.callFunction(f, nil, args, pos)
}

// constructorsOf are the constructors of a class, those that it inherits too.
func (c *checker) constructorsOf(cl *class) []*function {
	c.complete(cl)
	all := slices.Clone(cl.ctors)
	for _, b := range cl.inherits {
		for _, f := range c.constructorsOf(b) {
			all = append(all, c.inherited(cl, f))
		}
	}
	return all
}

// inherited is a constructor of a base as one of the class.
func (c *checker) inherited(cl *class, f *function) *function {
	key := [2]any{cl, f}
	if g := c.inheritedCtors[key]; g != nil {
		return g
	}
	g := *f
	g.class, g.inheritedFrom, g.fn, g.instances, g.checked = cl, f, nil, nil, unchecked
	g.calls, g.bodyErrs = nil, nil
	if f.sig != nil {
		sig := *f.sig
		sig.result = plain(cl.typ)
		g.sig = &sig
	}
	if c.inheritedCtors == nil {
		c.inheritedCtors = map[[2]any]*function{}
	}
	c.inheritedCtors[key] = &g
	return &g
}

// constructClass makes an object of a class of arguments: by a constructor, as a copy, or member by member.
func (c *checker) constructClass(t *ctypes.Type, args []ast.Expr, braces bool, pos diag.Pos) ast.Expr {
	cl := c.classes[t]
	if cl == nil { // a struct of the language
		if len(args) == 0 {
			return &ast.InitList{Typed: ast.Of(t, pos)}
		}
		return c.convert(args[0], t, "initialisation")
	}
	c.complete(cl)
	if len(cl.errs) > 0 {
		c.blame(cl.errs)
		return invalidAt(pos)
	}
	if cl.state != complete {
		return c.incomplete(t, "an object of the incomplete type %v", pos)
	}
	if len(args) == 1 && (args[0].Type() == t || c.derives(args[0].Type(), t)) && !c.hasOwnCopy(cl, args[0]) {
		return c.convert(args[0], t, "initialisation")
	}
	ctors := c.constructorsOf(cl)
	if len(ctors) == 0 {
		switch {
		case len(args) == 0:
			return c.defaultObject(cl, pos)
		case len(args) == 1 && isClass(args[0].Type()):
			if e := c.userConversion(args[0], t); e != nil {
				return e
			}
		}
		if c.quiet == 0 && c.isAggregate(cl) && len(cl.units) == 0 { // C++17, which SFINAE asks, has none
			return c.parenthesised(cl, args, pos)
		}
		return c.fail(pos, "%v has no constructor of %s", t, countOf(len(args), "argument"))
	}
	if len(args) == 0 {
		for _, f := range ctors {
			if f.isDefaulted && f.params == nil && f.tmpl == nil && len(functionOp(f.decl.Decl).Params) == 0 &&
				f.body != nil && f.body.Body == nil {
				return c.defaultObject(cl, pos)
			}
		}
	}
	best, why := c.selectFunction(ctors, nil, args, nil, pos)
	if best == nil {
		if len(args) == 1 && isClass(args[0].Type()) {
			var made ast.Expr
			if errs := c.quietly(func() { made = c.userConversion(args[0], t) }); made != nil && len(errs) == 0 {
				return c.userConversion(args[0], t)
			}
		}
		return c.report(c.spell(t), why, pos)
	}
	if len(args) == 1 && isClass(args[0].Type()) && args[0].Type() != t && best.sig != nil &&
		best.sig.params[0].typ.Type == t { // copies what a conversion function makes, which is the object then
		if f, _, ok := c.chooseConversion(args[0], plain(t), true); f != nil && ok && f.kind == conversion &&
			f.sig.result.ref == noRef {
			return c.callFunction(f, args[0], nil, pos)
		}
	}
	if braces && best.sig != nil {
		for i, p := range best.sig.params {
			if i < len(args) && p.typ.ref != lvalue {
				c.checkNarrowing(args[i], p.typ.Type)
			}
		}
	}
	return c.callConstructor(best, args, pos)
}

// parenthesised makes an aggregate of values in parentheses, which may narrow (C++20 [dcl.init]/17.6.2.2).
func (c *checker) parenthesised(cl *class, args []ast.Expr, pos diag.Pos) ast.Expr {
	list := &braceList{Typed: ast.Of(cl.typ, pos)}
	for i, a := range args {
		if i < len(cl.typ.Fields) && cl.typ.Fields[i].Type.IsScalar() {
			a = c.convert(a, cl.typ.Fields[i].Type, "initialisation")
		}
		list.elems = append(list.elems, &braceElem{typed: a, pos: a.Pos()})
	}
	e, _ := c.braced(list, cl.typ)
	return e
}

// hasOwnCopy reports whether a class says itself how objects are copied.
func (c *checker) hasOwnCopy(cl *class, arg ast.Expr) bool {
	for _, f := range cl.ctors {
		op := functionOp(f.decl.Decl)
		if f.params != nil || len(op.Params) != 1 || f.isDefaulted && !f.isDeleted {
			continue
		}
		sig := c.signatureOf(f)
		if sig == nil || sig.params[0].typ.Type != cl.typ {
			continue
		}
		if category(arg) == noRef && arg.Type() == cl.typ {
			continue // elided
		}
		if s := c.sequenceTo(arg, sig.params[0].typ, false); s.rank != rankNone {
			return true
		}
	}
	return false
}

// defaultObject is an object whose members have their initialisers, nil where it needs none.
func (c *checker) defaultObject(cl *class, pos diag.Pos) ast.Expr {
	return c.withDefaults(cl, &ast.InitList{Typed: ast.Of(cl.typ, pos)}, nil, 0, pos)
}

// withDefaults is a list with the initialisers of the members skipped and from index on. Where one of these names
// members, they are read for an object that the list has initialised.
func (c *checker) withDefaults(cl *class, list *ast.InitList, skipped []int, from int, pos diag.Pos) ast.Expr {
	names := slices.ContainsFunc(cl.fields, func(f *field) bool { return f.index >= from && c.namesMembers(cl, f) })
	if c.fn == nil || len(skipped) == 0 && !names && !cl.isPolymorphic() {
		c.memberDefaults(cl, list, from, pos)
		if isInvalid(list.Elems...) {
			return invalidAt(pos)
		}
		return list
	}
	decl, ref := ownVariable("object", list, pos)
	made := &ast.StmtExpr{Typed: ast.Of(cl.typ, pos), Stmts: []ast.Stmt{decl}, X: ref}
	outer, around := c.fn.this, c.temporaries
	c.fn.this = ref
	for i := range cl.typ.Fields {
		if c.temporaries = nil; i >= from || slices.Contains(skipped, i) {
			c.initMember(cl, i, nil, ref, pos, &made.Stmts)
		}
	}
	c.setTables(cl, ref, pos, &made.Stmts)
	c.fn.this, c.temporaries = outer, around
	c.noteNamed(made, decl.Obj)
	return made
}

// namesMembers reports whether the initialiser of a member names members.
func (c *checker) namesMembers(cl *class, f *field) (found bool) {
	if f.init == nil {
		return false
	}
	syntax.Visit(f.init, func(n any) bool {
		switch n := n.(type) {
		case *syntax.This:
			found = true
		case *syntax.Name:
			sym := cl.scope.own(n.Parts[0].Ident, 0, false)
			found = found || sym != nil && (sym.kind == symField || sym.kind == symFunction)
		}
		return !found
	})
	return found
}

// memberDefaults adds the initialisers of the members from index on to a list.
func (c *checker) memberDefaults(cl *class, list *ast.InitList, from int, pos diag.Pos) {
	for i := from; i < len(cl.typ.Fields); i++ {
		if cl.typ.Kind == ctypes.Union && len(list.Elems) > 0 {
			return
		}
		if e := c.memberDefault(cl, i, pos); e != nil {
			list.Add(int64(i), e)
		}
	}
}

// memberDefault is the initial value of a member that none is given for; nil where it has none.
func (c *checker) memberDefault(cl *class, i int, pos diag.Pos) ast.Expr {
	f := cl.field(i)
	switch {
	case f == nil: // a base
		return c.defaultInit(cl.typ.Fields[i].Type, pos)
	case f.init != nil:
		outer, fn := c.scope, c.fn
		c.scope = cl.scope
		e := c.initialised(f.init, f.typ, "initialisation of "+f.name)
		c.scope, c.fn = outer, fn
		return e
	case f.typ.ref != noRef:
		return nil
	}
	return c.defaultInit(f.typ.Type, pos)
}

// defaultInit is the value of an object of a class, or of an array of one, that none is given for; nil where it has
// none.
func (c *checker) defaultInit(t *ctypes.Type, pos diag.Pos) ast.Expr {
	cl := c.classes[innermost(t)]
	switch {
	case cl == nil || !c.needsInit(cl):
		return nil
	case t.Kind != ctypes.Array:
		return c.constructClass(t, nil, false, pos)
	}
	list := &ast.InitList{Typed: ast.Of(t, pos)}
	for i := range t.Len {
		e := c.defaultInit(t.Elem, pos)
		if isInvalid(e) {
			return e
		}
		list.Add(i, e)
	}
	return list
}

// needsInit reports whether an object of a class is initialised where none is given: by a constructor, or by a member's
// initialiser.
func (c *checker) needsInit(cl *class) bool {
	c.complete(cl)
	for _, f := range cl.ctors {
		if !f.isDefaulted && !f.isDeleted {
			return true
		}
	}
	if len(cl.inherits) > 0 || cl.isPolymorphic() {
		return true
	}
	for i := range cl.typ.Fields {
		f := cl.field(i)
		if f != nil && f.init != nil {
			return true
		}
		sub := c.classes[innermost(cl.typ.Fields[i].Type)]
		if (f == nil || f.typ.ref == noRef) && sub != nil && cl.typ.Kind != ctypes.Union && c.needsInit(sub) {
			return true
		}
	}
	return false
}
