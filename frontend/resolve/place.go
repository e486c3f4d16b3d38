package resolve

import (
	"slices"

	"gpupipe/frontend/ast"
	"gpupipe/frontend/ctypes"
	"gpupipe/idg"
	"gpupipe/internal/diag"
)

// Objects that their constructors make where they are to be. A constructor returns the object, which is stored in its
// place; one that leaves the object's address somewhere takes the address of that place instead, and so does a function
// that returns an object of such a class. Which ones do is seen when all bodies are known.

// initialises assigns to an object what it begins with.
func (c *checker) initialises(to, e ast.Expr, pos diag.Pos) ast.Stmt {
	a := &ast.Assign{Typed: ast.Of(to.Type(), pos), X: to, Y: e}
	c.initial[a] = true
	return ast.Do(a, pos)
}

// placing is what is known of the functions that kernels need.
type placing struct {
	*checker
	list    []*function
	made    map[*ast.Function]*ast.Object          // by constructors
	slots   map[*ast.Function]map[*ast.Object]bool // variables of others that are made where the result is
	kept    map[*ast.Object]bool                   // those whose address, and parameters whose value, a function stores
	this    map[*ast.Function]*ast.Object          // the new parameter of those that get a place
	classes map[*ctypes.Type]bool                  // with a constructor that does so
	placed  map[*ast.Call]bool                     // that have got the place
}

// makeInPlace gives constructors that leave their object's address somewhere the place of the object.
func (c *checker) makeInPlace() {
	defer func(outer *diag.List) { c.errs = outer }(c.errs)
	p := &placing{checker: c, made: map[*ast.Function]*ast.Object{}, kept: map[*ast.Object]bool{},
		slots: map[*ast.Function]map[*ast.Object]bool{}, this: map[*ast.Function]*ast.Object{},
		classes: map[*ctypes.Type]bool{}, placed: map[*ast.Call]bool{}}
	seen := map[*function]bool{}
	for _, f := range c.kernels {
		p.collect(f, seen)
	}
	if len(p.made) == 0 && len(c.selfNamed) == 0 {
		return
	}
	for again := true; again; {
		again = false
		for _, f := range p.list {
			again = p.findKept(f.fn) || again
		}
	}
	for fn, o := range p.made {
		if p.kept[o] {
			p.addPlace(fn, o.Type)
		}
	}
	for _, obj := range c.selfNamed {
		p.classes[obj.Type] = true
	}
	if len(p.classes) == 0 {
		return
	}
	for _, f := range p.list {
		if f.kind != constructor && p.keepsAddress(f.fn.Result) {
			p.addPlace(f.fn, f.fn.Result)
			p.slots[f.fn] = p.slotsOf(f)
		}
	}
	for _, f := range p.list {
		p.errs = &f.bodyErrs
		p.toResult(f.fn)
		ast.RewriteLists(f.fn.Body, p.inPlaceOf)
	}
	for _, f := range p.list {
		p.errs = &f.bodyErrs
		p.copyBits(f.fn)
		p.refuseValues(f)
	}
	for _, f := range p.list {
		if p.this[f.fn] != nil {
			p.takePlace(f.fn)
		}
	}
}

// keepsAddress reports whether objects of a type, or parts of them, keep their own address.
func (p *placing) keepsAddress(t *ctypes.Type) bool {
	return p.classes[t] || t.Kind == ctypes.Array && p.keepsAddress(t.Elem) || t.Kind == ctypes.Struct &&
		slices.ContainsFunc(t.Fields, func(f ctypes.Field) bool { return p.keepsAddress(f.Type) })
}

func (p *placing) addPlace(fn *ast.Function, t *ctypes.Type) {
	p.this[fn] = &ast.Object{Name: "this", Type: ctypes.PointerTo(t, 0), Space: idg.SpacePrivate, Pos: fn.Pos,
		Param: true, Const: true}
}

// slotsOf are the variables of a function that are made where its result is ([class.copy.elision]).
func (p *placing) slotsOf(f *function) map[*ast.Object]bool {
	slots := map[*ast.Object]bool{}
	is := func(e ast.Expr, pos diag.Pos) {
		if p.isLocalObject(e) && e.Type() == f.fn.Result {
			if obj := e.(*ast.VarRef).Obj; obj.Pos == pos || f.returnsOne() { // the return statement's own, or the one
				slots[obj] = true
			}
		}
	}
	ast.WalkBody(f.fn.Body, func(s ast.Stmt) {
		if r, ok := s.(*ast.Return); ok && r.X != nil {
			is(r.X, r.P)
		}
	}, func(ast.Expr) {})
	ast.WalkBody(f.fn.Body, func(s ast.Stmt) {
		if d, ok := s.(*ast.Decl); ok && d.Init != nil && slots[d.Obj] && f.returnsOne() {
			is(d.Init, d.P)
		}
	}, func(ast.Expr) {})
	return slots
}

// toResult makes return statements of a function with a place initialise it.
func (p *placing) toResult(fn *ast.Function) {
	if p.slots[fn] == nil {
		return
	}
	ast.RewriteLists(fn.Body, func(list []ast.Stmt) (out []ast.Stmt) {
		for _, s := range list {
			if r, ok := s.(*ast.Return); ok && r.X != nil {
				if ref, ok := r.X.(*ast.VarRef); !ok || !p.slots[fn][ref.Obj] {
					out = append(out, p.initialises(p.deref(ast.RefTo(p.this[fn], r.P), r.P), r.X, r.P))
				}
				r.X = nil
			}
			out = append(out, s)
		}
		return out
	})
}

// collect lists a function and those that it calls.
func (p *placing) collect(f *function, seen map[*function]bool) {
	if seen[f] || f.fn == nil || f.fn.Body == nil {
		return
	}
	seen[f] = true
	p.list = append(p.list, f)
	if ref, ok := f.this.(*ast.VarRef); ok && f.kind == constructor {
		p.made[f.fn] = ref.Obj
	}
	for _, call := range f.calls {
		p.collect(call.fn, seen)
	}
}

// findKept looks for what a function stores; it reports whether that is more than was known.
func (p *placing) findKept(fn *ast.Function) (more bool) {
	objects := slices.DeleteFunc(slices.Clone(fn.Params), func(o *ast.Object) bool {
		return o.Type.Kind != ctypes.Pointer
	})
	if o := p.made[fn]; o != nil {
		objects = append(objects, o)
	}
	for _, o := range objects {
		if !p.kept[o] && p.keeps(fn.Body, o) {
			p.kept[o], more = true, true
			p.classes[o.Type] = p.classes[o.Type] || o == p.made[fn]
		}
	}
	return more
}

// keeps reports whether a body stores the address of an object, or the value of a pointer, elsewhere than in variables
// of its own.
func (p *placing) keeps(body ast.Stmt, o *ast.Object) (kept bool) {
	same := map[*ast.Object]bool{o: true} // it, and pointers to it
	leads := func(e ast.Expr) bool {
		return e != nil && e.Type().Kind == ctypes.Pointer && same[pointedAt(e)]
	}
	for known := 0; known < len(same) && !kept; {
		known = len(same)
		ast.WalkBody(body, func(s ast.Stmt) {
			if d, ok := s.(*ast.Decl); ok && leads(d.Init) {
				same[d.Obj] = true
			}
		}, func(e ast.Expr) {
			switch x := e.(type) {
			case *ast.Assign:
				if call, ok := x.Y.(*ast.Call); ok && p.initial[x] && p.keepsAddress(call.T) && same[designated(x.X)] {
					kept = true // a part of it is made in place
				}
				if ref, ok := x.X.(*ast.VarRef); ok && leads(x.Y) {
					same[ref.Obj] = true
				} else {
					kept = kept || leads(x.Y)
				}
			case *ast.Call:
				for i, a := range x.Args {
					kept = kept || i < len(x.Fn.Params) && p.kept[x.Fn.Params[i]] && leads(a)
				}
			}
		})
	}
	return kept
}

// noteNamed notes an object that is made without a constructor if members' initialisers keep its address.
func (c *checker) noteNamed(made *ast.StmtExpr, obj *ast.Object) {
	if p := (&placing{checker: c}); p.keeps(&ast.Block{Stmts: made.Stmts}, obj) {
		c.selfNamed[made] = obj
	}
}

// pointedAt is the object whose address a pointer is, or the variable that it is the value of; nil of others.
func pointedAt(e ast.Expr) *ast.Object {
	switch x := e.(type) {
	case *ast.Convert:
		return pointedAt(x.X)
	case *ast.PtrAdd:
		return pointedAt(x.X)
	case *ast.Comma:
		return pointedAt(x.Y)
	case *ast.StmtExpr:
		return pointedAt(x.X)
	case *ast.AddrOf:
		return designated(x.X)
	case *ast.Decay:
		return designated(x.X)
	case *ast.VarRef:
		return x.Obj
	}
	return nil
}

// designated is the object that an lvalue is, or a part of; of what a pointer leads to, pointedAt.
func designated(e ast.Expr) *ast.Object {
	switch x := e.(type) {
	case *ast.Member:
		return designated(x.X)
	case *ast.Swizzle:
		return designated(x.X)
	case *ast.Index:
		return pointedAt(x.X)
	case *ast.Deref:
		return pointedAt(x.X)
	case *ast.VarRef:
		return x.Obj
	}
	return nil
}

// inPlaceOf calls the constructors among statements with the places of the objects that they initialise.
func (p *placing) inPlaceOf(list []ast.Stmt) (out []ast.Stmt) {
	for _, s := range list {
		switch s := s.(type) {
		case *ast.Decl:
			if made := p.makeAt(s.Init, ast.RefTo(s.Obj, s.P)); made != nil {
				s.Init, s.Obj.Const = nil, false
				out = append(append(out, s), made...)
				continue
			}
			if made, ok := s.Init.(*ast.StmtExpr); ok && p.selfNamed[made] != nil {
				out = append(out, p.named(s, made)...)
				continue
			}
		case *ast.ExprStmt:
			if a, ok := s.X.(*ast.Assign); ok && p.initial[a] {
				if made := p.makeAt(a.Y, a.X); made != nil {
					out = append(out, made...)
					continue
				}
			}
			if call := p.toPlace(s.X); call != nil {
				obj := &ast.Object{Name: "temporary", Type: call.T, Space: idg.SpacePrivate, Pos: s.P}
				out = append(out, &ast.Decl{Positioned: s.Positioned, Obj: obj}, p.at(call, ast.RefTo(obj, s.P)))
				continue
			}
		}
		out = append(out, s)
	}
	return out
}

// makeAt calls the constructors that an expression makes an object by with its place; nil where there is none.
func (p *placing) makeAt(e, to ast.Expr) []ast.Stmt {
	switch x := e.(type) {
	case *ast.Call:
		if p.toPlace(x) != nil {
			return []ast.Stmt{p.at(x, to)}
		}
	case *ast.StmtExpr:
		if made := p.makeAt(x.X, to); made != nil && p.selfNamed[x] == nil {
			return append(x.Stmts, made...)
		}
	case *ast.InitList:
		if made := p.elements(x, to); made != nil {
			return append([]ast.Stmt{p.initialises(to, x, x.P)}, made...)
		}
	case *ast.Cond:
		then, otherwise := p.makeAt(x.X, to), p.makeAt(x.Y, to)
		if then == nil && otherwise == nil {
			return nil
		}
		side := func(made []ast.Stmt, e ast.Expr) ast.Stmt {
			if made == nil {
				made = []ast.Stmt{p.initialises(to, e, x.P)}
			}
			return &ast.Block{Positioned: ast.At(x.P), Stmts: made}
		}
		return []ast.Stmt{&ast.If{Positioned: ast.At(x.P), Cond: x.C, Then: side(then, x.X),
			Else: side(otherwise, x.Y)}}
	}
	return nil
}

// named makes an object of members' initialisers that name it.
func (p *placing) named(d *ast.Decl, made *ast.StmtExpr) []ast.Stmt {
	first := made.Stmts[0].(*ast.Decl)
	ast.WalkBody(&ast.Block{Stmts: made.Stmts}, func(ast.Stmt) {}, func(e ast.Expr) {
		if ref, ok := e.(*ast.VarRef); ok && ref.Obj == first.Obj {
			ref.Obj = d.Obj
		}
	})
	d.Init, d.Obj.Const, d.Obj.AddressTaken = first.Init, false, true
	return append([]ast.Stmt{d}, p.inPlaceOf(made.Stmts[1:])...)
}

// elements calls the constructors in a list behind it, where the other elements have no effects.
func (p *placing) elements(list *ast.InitList, to ast.Expr) (out []ast.Stmt) {
	rest := ast.InitList{Typed: list.Typed}
	for i, e := range list.Elems {
		at := ast.Expr(&ast.Member{Typed: ast.Of(e.Type(), e.Pos()), X: to, Field: int(list.Index[i])})
		if list.T.Kind == ctypes.Array {
			at = p.index(p.rvalue(to), number(ctypes.Int, list.Index[i], e.Pos()), e.Pos())
		}
		call := p.toPlace(e)
		switch inner, ok := e.(*ast.InitList); {
		case call != nil:
			out = append(out, p.at(call, at))
			continue
		case ok:
			out = append(out, p.elements(inner, at)...)
		case len(out) > 0 && p.hasEffects(e):
			p.unsupported(e.Pos(), "a list of objects that keep their own address and of calls is",
				"store the calls' results")
		}
		rest.Add(list.Index[i], e)
	}
	*list = rest
	return out
}

// toPlace is a call of a constructor that needs the place of the object, and has none; nil of others.
func (p *placing) toPlace(e ast.Expr) *ast.Call {
	if call, ok := e.(*ast.Call); ok && p.this[call.Fn] != nil && !p.placed[call] {
		return call
	}
	return nil
}

func (p *placing) at(call *ast.Call, to ast.Expr) ast.Stmt {
	place := p.asPointer(p.addressOf(to, call.P), p.this[call.Fn].Type, "this")
	call.Args = append([]ast.Expr{place}, call.Args...)
	call.T, p.placed[call] = ctypes.Scalar(ctypes.Void), true
	return ast.Do(call, call.P)
}

// copyBits makes objects that are values in variables of their own, where compilers pass and return the bytes of such
// ([class.temporary]).
func (p *placing) copyBits(fn *ast.Function) {
	made := map[*ast.Call]ast.Expr{}
	ast.Rewrite(fn, func(e ast.Expr) ast.Expr {
		if call := p.toPlace(e); call != nil && p.copiesBits(call.T) {
			decl, ref := ownVariable("temporary", call, call.P)
			decl.Init = nil
			made[call] = &ast.StmtExpr{Typed: ref.Typed, Stmts: []ast.Stmt{decl, p.at(call, ref)}, X: ref}
		}
		if call, ok := e.(*ast.Call); ok && made[call] != nil {
			return made[call]
		}
		return e
	})
}

// refuseValues refuses objects that have an address of their own where they are values: they would lie elsewhere then.
func (p *placing) refuseValues(f *function) {
	refuse := func(pos diag.Pos) {
		p.unsupported(pos, "an object that keeps its own address and is a value here is",
			"set the pointer after the object has been made")
	}
	ast.WalkBody(f.fn.Body, func(ast.Stmt) {}, func(e ast.Expr) {
		made, _ := e.(*ast.StmtExpr)
		if p.toPlace(e) != nil || made != nil && p.selfNamed[made] != nil {
			refuse(e.Pos())
		}
	})
}

// takePlace makes a function that returns its object one that is given the place.
func (p *placing) takePlace(fn *ast.Function) {
	slots, this := p.slots[fn], p.this[fn]
	if slots == nil { // a constructor
		slots = map[*ast.Object]bool{p.made[fn]: true}
	}
	fn.Params, fn.Result = append([]*ast.Object{this}, fn.Params...), ctypes.Scalar(ctypes.Void)
	ast.RewriteLists(fn.Body, func(list []ast.Stmt) (out []ast.Stmt) {
		for _, s := range list {
			if d, ok := s.(*ast.Decl); ok && slots[d.Obj] {
				if ref, again := d.Init.(*ast.VarRef); d.Init == nil || again && slots[ref.Obj] {
					continue
				}
				s = p.initialises(ast.RefTo(d.Obj, d.P), d.Init, d.P)
			}
			out = append(out, s)
		}
		return out
	})
	ast.WalkBody(fn.Body, func(s ast.Stmt) {
		if r, ok := s.(*ast.Return); ok {
			r.X = nil
		}
	}, func(ast.Expr) {})
	own := map[ast.Expr]bool{}
	ast.Rewrite(fn, func(e ast.Expr) ast.Expr {
		switch x := e.(type) {
		case *ast.VarRef:
			if slots[x.Obj] {
				d := &ast.Deref{Typed: x.Typed, X: ast.RefTo(this, x.P)}
				own[d] = true
				return d
			}
		case *ast.AddrOf:
			if own[x.X] {
				return p.asPointer(x.X.(*ast.Deref).X, x.T, "this")
			}
		}
		return e
	})
}
