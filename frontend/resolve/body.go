package resolve

import (
	"slices"

	"gpupipe/frontend/ast"
	"gpupipe/frontend/ctypes"
	"gpupipe/frontend/syntax"
	"gpupipe/idg"
	"gpupipe/internal/diag"
)

// Bodies of functions, read when something calls them.

// bodyOf reads the body of a function, once.
func (c *checker) bodyOf(f *function) {
	if f.checked != unchecked || f.body == nil {
		return
	}
	f.checked = checking
	saved := c.context
	depth := c.depth
	c.context = context{errs: &f.bodyErrs, fn: f, names: f.names}
	if f.tmpl != nil || f.class != nil && f.class.tmpl != nil {
		c.nesting++
		defer func() { c.nesting-- }()
	}
	c.readBody(f)
	c.context = saved
	c.depth = depth
	f.checked = checked
}

func (c *checker) readBody(f *function) {
	fn := c.represent(f)
	up := f.in
	decl := f.decl
	if f.bodyScope != nil {
		up, decl = f.bodyScope, f.bodyDecl
	}
	c.scope = &scope{kind: functionScope, up: up, limit: f.limitDef(), fn: f}
	if f.body.Body != nil {
		if f.body.Body.Parse(); f.body.Body.Err != nil {
			c.blameOne(f.body.Body.Err)
			return
		}
	}
	c.checkResult(f)
	objects := fn.Params
	if f.takesThis() {
		this := objects[0]
		objects = objects[1:]
		f.this = &ast.Deref{Typed: ast.Of(f.class.typ, f.pos), X: ast.RefTo(this, f.pos)}
	}
	c.declareParams(f, decl, objects)
	c.attributes(f)
	body := &ast.Block{Positioned: ast.At(f.pos)}
	if f.body.Body != nil {
		body.P = f.body.Body.Pos
	}
	leave := c.pushCleanups(false)
	for _, p := range objects {
		if !f.isKernel {
			c.needsDestructor(p, p.Pos)
		}
	}
	switch {
	case f.kind == constructor:
		body.Stmts = c.constructorBody(f)
	case f.isDefaulted && f.body.Body == nil:
		body.Stmts = c.defaultedBody(f)
	default:
		body.Stmts = c.blockStmts(f.body.Body.Stmts)
	}
	leave(&body.Stmts)
	if f.kind == destructor {
		c.destroyMembers(f, &body.Stmts)
	}
	fn.Body = body
	if f.sig.auto && hasAutoQ(f.sig.result) { // no return says otherwise
		f.sig.result = plain(ctypes.Scalar(ctypes.Void))
		fn.Result = ctypes.Scalar(ctypes.Void)
	}
	c.finishJumps()
	if f.isKernel {
		c.launchDirectives(f)
	}
}

// declareParams declares the parameters of a function in the scope of its body.
func (c *checker) declareParams(f *function, decl *syntax.Function, objects []*ast.Object) {
	names := make([]string, len(f.sig.params))
	for i := range f.sig.params {
		names[i] = f.sig.params[i].name
	}
	if decl != f.decl { // the definition's names count
		for i, p := range functionOp(decl.Decl).Params {
			if i < len(names) && !p.Decl.Pack {
				names[i] = p.Decl.Ident()
			}
		}
	}
	next := 0
	var symbols []*symbol
	for i, p := range f.sig.params {
		if set := f.bound[i]; set != nil {
			sym := &symbol{kind: symBinding, name: names[i], pos: p.pos, expr: set}
			symbols = append(symbols, sym)
			if names[i] != "" && p.pack == 0 {
				c.scope.declare(sym)
			}
			continue
		}
		obj := objects[next]
		next++
		if names[i] != "" {
			obj.Name = names[i]
		}
		sym := &symbol{kind: symObject, name: names[i], pos: p.pos, obj: obj, ref: p.typ.ref, owner: f, in: c.scope}
		symbols = append(symbols, sym)
		if names[i] != "" && p.pack == 0 {
			if c.scope.names[names[i]] != nil {
				c.errorf(p.pos, codeDeclare, "two parameters are called %s", names[i])
			}
			c.scope.declare(sym)
		}
	}
	for _, k := range f.sig.packs {
		if k.name != "" {
			c.scope.declare(&symbol{kind: symPack, name: k.name, pack: symbols[k.first : k.first+k.size]})
		}
	}
}

func (c *checker) checkResult(f *function) {
	t := f.fn.Result
	switch {
	case f.isKernel && t.Kind != ctypes.Void && t.Kind != 0:
		c.errorf(f.pos, codeDeclare, "kernel %s returns %v", f.name, t).WithNote("a kernel's result type is void")
	case t.Kind != ctypes.Void && t.Kind != 0 && !hasAuto(t) && !c.isComplete(t):
		c.errorf(f.pos, codeDeclare, "%s returns the incomplete type %v", f.name, t)
	}
}

// attributes reads reqd_work_group_size and launch bounds.
func (c *checker) attributes(f *function) {
	attrs := append(slices.Clone(f.decl.Specs.Attrs), f.decl.Decl.Attrs...)
	for _, d := range f.extra {
		attrs = append(append(attrs, d.Specs.Attrs...), d.Decl.Attrs...)
	}
	if a := attribute(attrs, "reqd_work_group_size"); a != nil {
		sizes := c.positiveArgs(a, 3)
		for i := range f.fn.WorkGroupSize {
			f.fn.WorkGroupSize[i] = 1
			if i < len(sizes) {
				f.fn.WorkGroupSize[i] = sizes[i]
			}
		}
	}
	if a := attribute(attrs, "launch_bounds"); a != nil {
		bounds := c.positiveArgs(a, 3)
		if len(bounds) > 0 {
			f.fn.MaxWorkItems = bounds[0]
		}
		if len(bounds) > 1 {
			f.fn.MinResident = bounds[1]
		}
	}
}

// positiveArgs evaluates the arguments of an attribute, at most limit.
func (c *checker) positiveArgs(a *syntax.Attr, limit int) (values []int64) {
	for _, x := range a.Args {
		v, ok := c.constantInt(x, "a work-group size")
		switch {
		case !ok:
			return nil
		case v <= 0:
			c.errorf(x.ExprPos(), codeConstant, "work-group size %d is not positive", v)
			return nil
		case len(values) == limit:
			c.errorf(x.ExprPos(), codeDeclare, "%s takes at most %d sizes", a.Name, limit)
			return nil
		}
		values = append(values, v)
	}
	return values
}

// returnStmt checks return; a result whose type is auto has that of the first.
func (c *checker) returnStmt(n *syntax.ReturnStmt, out *[]ast.Stmt) {
	at := ast.At(n.Pos)
	f := c.fn
	if f == nil {
		return
	}
	if f.kind == constructor {
		if n.X != nil {
			c.errorf(n.Pos, codeStatement, "a constructor returns a value")
		}
		c.unwind(unwindReturn, out, n.Pos, nil)
		*out = append(*out, &ast.Return{Positioned: at, X: c.rvalue(f.this)})
		return
	}
	var e ast.Expr
	if n.X != nil {
		e = c.argument(n.X)
		if isInvalid(e) {
			if len(*c.errs) == 0 { // no statement may be left out in silence
				c.errorf(n.Pos, codeType, "what is returned has no value")
			}
			if f.sig.auto && hasAutoQ(f.sig.result) {
				f.sig.result, f.fn.Result = invalid, invalidType
			}
			return
		}
	}
	if f.sig.auto && hasAutoQ(f.sig.result) {
		c.deduceResult(f, e, n.Pos)
	}
	var kept *ast.Object
	want, from := f.fn.Result, len(*out)
	s := &ast.Return{Positioned: at}
	switch {
	case e == nil:
		if want.Kind != ctypes.Void && want.Kind != 0 {
			c.errorf(n.Pos, codeStatement, "return without a value in a function that returns %v", want)
		}
	case want.Kind == ctypes.Void:
		e = c.rvalue(e)
		if !isInvalid(e) && e.Type().Kind != ctypes.Void {
			c.errorf(n.Pos, codeStatement, "return with a value in a function that returns nothing")
		}
		*out = append(*out, &ast.ExprStmt{Positioned: at, X: e}) // return f(); of a void f
	case f.sig.result.ref != noRef:
		s.X = c.asPointer(c.bindReference(e, f.sig.result, "return value"), want, "return value")
	default:
		if c.isLocalObject(e) && e.Type() == want {
			s.X, kept = e, e.(*ast.VarRef).Obj // it is made where the result is ([class.copy.elision])
		} else {
			s.X = c.convert(e, want, "return value")
		}
	}
	if s.X != nil && (c.hasCleanups(unwindReturn) || len(c.temporaries) > 0) && !isInvalid(s.X) { // the value before the destructors
		decl, ref := ownVariable("result", s.X, n.Pos)
		decl.Obj.Type, ref.T, s.X = want, want, ref
		*out = append(*out, decl)
	}
	c.endFullExpression(out, from, n.Pos)
	c.unwind(unwindReturn, out, n.Pos, kept)
	*out = append(*out, s)
}

// isLocalObject reports whether an expression is a variable of the function that is being read, and no parameter of it.
func (c *checker) isLocalObject(e ast.Expr) bool {
	ref, ok := e.(*ast.VarRef)
	return ok && isClass(e.Type()) && !ref.Obj.Param && ref.Obj.Space == idg.SpacePrivate
}

// deduceResult gives a function declared auto the type of what it returns.
func (c *checker) deduceResult(f *function, e ast.Expr, pos diag.Pos) {
	t := f.sig.result
	switch x := e.(type) {
	case nil:
		t = plain(ctypes.Scalar(ctypes.Void))
	case *braceList:
		c.errorf(pos, codeType, "the type of a list in braces is not known")
		t = invalid
	case *overloads:
		c.stray(x)
		t = invalid
	default:
		if e.Type().Kind == ctypes.Void {
			t = plain(ctypes.Scalar(ctypes.Void))
			break
		}
		t = c.deduceAuto(t, e)
	}
	f.sig.result = t
	f.fn.Result = c.represented(t)
}

// constructorBody makes the object, initialises its bases and members, executes the body and returns the object.
func (c *checker) constructorBody(f *function) []ast.Stmt {
	cl := f.class
	pos := f.pos
	obj := &ast.Object{Name: "this", Type: cl.typ, Space: idg.SpacePrivate, Pos: pos}
	ref := &ast.VarRef{Typed: ast.Of(cl.typ, pos), Obj: obj}
	out := []ast.Stmt{&ast.Decl{Positioned: ast.At(pos), Obj: obj}}
	f.this = ref
	if f.inheritedFrom != nil {
		return c.inheritedBody(f, ref, out)
	}
	given := map[int]*memberInit{}
	var delegated *syntax.MemberInit
	for i := range f.body.Inits {
		in := &f.body.Inits[i]
		one := func() {
			if index, self := c.memberIndex(cl, in); self {
				delegated = in
			} else {
				given[index] = &memberInit{in, c.scope}
			}
		}
		if in.Pack {
			c.expand(in, one)
			continue
		}
		one()
	}
	if delegated != nil {
		e := c.initialised(&delegated.Init, plain(cl.typ), "initialisation")
		if !isInvalid(e) {
			out = append(out, ast.Do(&ast.Assign{Typed: ast.Of(cl.typ, pos), X: ref, Y: e}, pos))
		}
	} else {
		for i, b := range cl.bases {
			if b.field < 0 {
				c.initEmptyBase(b.class, given[emptyBase(i)], pos, &out)
			} else {
				c.initMember(cl, b.field, given[b.field], ref, pos, &out)
			}
		}
		for i := range cl.typ.Fields {
			if !c.isBaseField(cl, i) {
				c.initMember(cl, i, given[i], ref, pos, &out)
			}
		}
		c.initBits(cl, given, ref, pos, &out)
	}
	if f.body.Body != nil {
		out = append(out, &ast.Block{Positioned: ast.At(f.body.Body.Pos), Stmts: c.blockStmts(f.body.Body.Stmts)})
	}
	c.keepsAddress(f, obj, out)
	return append(out, &ast.Return{Positioned: ast.At(pos), X: ref})
}

// inheritedBody makes an object of a class by the constructor of a base.
func (c *checker) inheritedBody(f *function, ref *ast.VarRef, out []ast.Stmt) []ast.Stmt {
	cl, pos := f.class, f.pos
	from := f.inheritedFrom
	var args []ast.Expr
	for i, p := range f.fn.Params {
		e := ast.Expr(ast.RefTo(p, pos))
		if f.sig.params[i].typ.ref != noRef {
			e = c.deref(e, pos)
			if f.sig.params[i].typ.ref == rvalue {
				e = &xvalue{ast.Of(e.Type(), pos), e}
			}
		}
		args = append(args, e)
	}
	made := c.callConstructor(from, args, pos)
	if isInvalid(made) {
		return out
	}
	for i := range cl.typ.Fields {
		if cl.typ.Fields[i].Type == from.class.typ && c.isBaseField(cl, i) {
			to := &ast.Member{Typed: ast.Of(from.class.typ, pos), X: ref, Field: i}
			out = append(out, ast.Do(&ast.Assign{Typed: ast.Of(to.T, pos), X: to, Y: made}, pos))
			continue
		}
		c.initMember(cl, i, nil, ref, pos, &out)
	}
	return append(out, &ast.Return{Positioned: ast.At(pos), X: ref})
}

// emptyBase stands for a base without data where a field's index would: i is its number among the bases.
func emptyBase(i int) int { return -2 - i }

// memberInit is an initialiser of a constructor; of an expansion, its scope has the elements of the packs.
type memberInit struct {
	*syntax.MemberInit
	scope *scope
}

// value reads an initialiser in its scope.
func (in *memberInit) value(c *checker, read func(*syntax.Init) ast.Expr) ast.Expr {
	defer c.inside(in.scope)()
	return read(&in.Init)
}

// initEmptyBase calls the constructor of a base without data, for what it does.
func (c *checker) initEmptyBase(cl *class, in *memberInit, pos diag.Pos, out *[]ast.Stmt) {
	var e ast.Expr
	switch {
	case in != nil:
		pos = in.Pos
		e = in.value(c, func(i *syntax.Init) ast.Expr { return c.initialised(i, plain(cl.typ), "initialisation") })
	case c.needsInit(cl):
		e = c.constructClass(cl.typ, nil, false, pos)
	}
	if e != nil && !isInvalid(e) && c.hasEffects(e) {
		*out = append(*out, ast.Do(e, pos))
		c.endFullExpression(out, len(*out)-1, pos)
	}
}

// initBits initialises the bit-fields of an object; those of member initialisers stand behind the fields.
func (c *checker) initBits(cl *class, given map[int]*memberInit, ref *ast.VarRef, pos diag.Pos, out *[]ast.Stmt) {
	for _, u := range cl.units {
		unit := &ast.Member{Typed: ast.Of(u.of, pos), X: ref, Field: u.index}
		zero := c.assign(unit, number(ctypes.Int, 0, pos), pos)
		*out = append(*out, ast.Do(zero, pos))
	}
	for i, f := range cl.fields {
		init := f.init
		if in := given[len(cl.typ.Fields)+i]; in != nil {
			init = &in.Init
		}
		if f.bits == 0 || init == nil {
			continue
		}
		unit := &ast.Member{Typed: ast.Of(cl.typ.Fields[f.index].Type, pos), X: ref, Field: f.index}
		set := c.setBits(&bitField{ast.Of(f.typ.Type, pos), unit, f}, c.initialised(init, plain(f.typ.Type), "initialisation of "+f.name), pos)
		if !isInvalid(set) {
			*out = append(*out, ast.Do(set, pos))
		}
	}
}

// memberIndex is the field that a member initialiser is for, or emptyBase; -1 where there is none. self is set for the
// class itself.
func (c *checker) memberIndex(cl *class, in *syntax.MemberInit) (index int, self bool) {
	if len(in.Name.Parts) == 1 && !in.Name.Parts[0].HasArgs {
		ident := in.Name.Parts[0].Ident
		for i, f := range cl.fields {
			switch {
			case f.name != ident:
			case f.bits > 0:
				return len(cl.typ.Fields) + i, false
			default:
				return f.index, false
			}
		}
		if ident == cl.name {
			return -1, true
		}
	}
	if sym := cl.scope.own(in.Name.Parts[0].Ident, 0, false); sym != nil && sym.kind == symField && sym.class != cl {
		c.unsupported(in.Pos, "initialising a member of an anonymous member is", "assign it in the body")
		return -1, false
	}
	f := c.find(in.Name, false, "name")
	if f == nil {
		return -1, false
	}
	if f.sym.kind == symType {
		if f.sym.typ.Type == cl.typ {
			return -1, true
		}
		for i, b := range cl.bases {
			switch {
			case b.class.typ != f.sym.typ.Type:
			case b.field < 0:
				return emptyBase(i), false
			default:
				return b.field, false
			}
		}
	}
	c.errorf(in.Pos, codeUndeclared, "%v has no member %s", cl.typ, spelled(in.Name))
	return -1, false
}

// initMember initialises one member.
func (c *checker) initMember(cl *class, i int, in *memberInit, ref *ast.VarRef, pos diag.Pos, out *[]ast.Stmt) {
	t := cl.typ.Fields[i].Type
	f := cl.field(i)
	var e ast.Expr
	switch {
	case in != nil && f != nil:
		e = in.value(c, func(i *syntax.Init) ast.Expr { return c.memberValue(i, f) })
	case in != nil:
		e = in.value(c, func(i *syntax.Init) ast.Expr { return c.initialised(i, plain(t), "initialisation") })
	case f != nil && f.init != nil:
		leave := c.inside(&scope{kind: functionScope, up: cl.scope, fn: c.fn})
		e = c.memberValue(f.init, f)
		leave()
	default:
		e = c.memberDefault(cl, i, pos)
		if e == nil && f != nil && (f.typ.isConst || f.typ.ref != noRef) {
			c.errorf(pos, codeDeclare, "the constructor gives the constant member %s no value", f.name)
		}
	}
	if e == nil || isInvalid(e) {
		return
	}
	to := &ast.Member{Typed: ast.Of(t, pos), X: ref, Field: i}
	if in != nil {
		pos = in.Pos
	}
	from := len(*out)
	c.assignParts(to, e, pos, out)
	c.endFullExpression(out, from, pos)
}

// memberValue is the value of a member's initialiser.
func (c *checker) memberValue(in *syntax.Init, f *field) ast.Expr {
	if f.typ.Kind == ctypes.Array && f.typ.ref == noRef {
		obj := &ast.Object{Name: f.name, Type: f.typ.Type, Pos: in.Pos}
		return c.initialiser(in, obj, f.typ)
	}
	e := c.initialised(in, f.typ, "initialisation of "+f.name)
	if f.typ.ref != noRef && !isInvalid(e) {
		return c.asPointer(e, c.represented(f.typ), "initialisation of "+f.name)
	}
	return e
}

// assignParts assigns a value to a member; a list to an array element by element.
func (c *checker) assignParts(to ast.Expr, e ast.Expr, pos diag.Pos, out *[]ast.Stmt) {
	list, ok := e.(*ast.InitList)
	if !ok || to.Type().Kind != ctypes.Array {
		*out = append(*out, ast.Do(&ast.Assign{Typed: ast.Of(to.Type(), pos), X: to, Y: e}, pos))
		return
	}
	t := to.Type()
	value := map[int64]ast.Expr{}
	for i, x := range list.Elems {
		value[list.Index[i]] = x
	}
	for i := range t.Len {
		at := c.index(c.rvalue(to), number(ctypes.Int, i, pos), pos)
		x := value[i]
		if x == nil {
			x = c.zeroValue(t.Elem, pos)
		}
		c.assignParts(at, x, pos, out)
	}
}

// defaultedBody is the body of what a compiler makes by itself.
func (c *checker) defaultedBody(f *function) []ast.Stmt {
	if f.name == "operator=" && len(f.fn.Params) == 2 {
		pos := f.pos
		from := ast.Expr(ast.RefTo(f.fn.Params[1], pos))
		if from.Type().Kind == ctypes.Pointer {
			from = c.deref(from, pos)
		}
		assign := &ast.Assign{Typed: ast.Of(f.class.typ, pos), X: f.this, Y: from}
		out := []ast.Stmt{ast.Do(assign, pos)}
		if f.fn.Result.Kind == ctypes.Pointer {
			out = append(out, &ast.Return{Positioned: ast.At(pos), X: c.asPointer(f.this.(*ast.Deref).X, f.fn.Result, "return value")})
		}
		return out
	}
	if f.kind != destructor {
		c.unsupported(f.pos, "this defaulted function is", "write it out")
	}
	return nil
}

// keepsAddress refuses a constructor whose object's own address is kept: the object is made in one place and stored in
// another.
func (c *checker) keepsAddress(f *function, obj *ast.Object, list []ast.Stmt) {
	kept := false
	check := func(e ast.Expr) bool {
		assign, ok := e.(*ast.Assign)
		if !ok {
			return true
		}
		y := assign.Y
		for {
			if v, is := y.(*ast.Convert); is {
				y = v.X
				continue
			}
			if p, is := y.(*ast.PtrAdd); is {
				y = p.X
				continue
			}
			break
		}
		switch y := y.(type) {
		case *ast.AddrOf:
			kept = kept || ast.RootObject(y.X) == obj
		case *ast.Decay:
			kept = kept || ast.RootObject(y.X) == obj
		}
		return true
	}
	for _, s := range list {
		ast.WalkStmt(s, func(s ast.Stmt) {
			if x, ok := s.(*ast.ExprStmt); ok {
				ast.WalkExpr(x.X, check)
			}
		})
	}
	if kept {
		c.unsupported(f.pos, "a constructor that keeps the address of its object is", "set the pointer after the object has been made")
	}
}
