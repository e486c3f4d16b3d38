package resolve

import (
	"slices"

	"gpupipe/frontend/ast"
	"gpupipe/frontend/ctypes"
	"gpupipe/frontend/syntax"
	"gpupipe/idg"
	"gpupipe/internal/diag"
)

// Functions: what declares them, what their signatures say, and the instances of their templates.

// newFunction makes what a declaration says, without reading its types.
func (c *checker) newFunction(d *syntax.Function, params *templateParams, in *scope) *function {
	part := d.Decl.Name.Last()
	op := functionOp(d.Decl)
	f := &function{name: part.Ident, pos: d.Decl.Pos, seq: c.seq, in: in, decl: d, params: params,
		static:  d.Specs.Static,
		isConst: op.Const, isVolatile: op.Volatile, isExplicit: d.Specs.Explicit, isConstexpr: d.Specs.Constexpr,
		isDeleted:   d.Deleted,
		isDefaulted: d.Default}
	f.isKernel = attribute(d.Specs.Attrs, "kernel") != nil || attribute(d.Specs.Attrs, "global") != nil
	f.overloadable = attribute(d.Specs.Attrs, "overloadable") != nil || attribute(d.Decl.Attrs, "overloadable") != nil
	switch op.Ref {
	case 1:
		f.refQualifier = lvalue
	case 2:
		f.refQualifier = rvalue
	}
	switch {
	case part.Destroys:
		f.kind, f.name = destructor, "~"+part.Ident
	case part.Convert != nil:
		f.kind, f.name = conversion, "operator T"
	}
	if d.Body != nil || d.Default {
		f.body = d
	}
	return f
}

// declareFunction enters a function at namespace scope.
func (c *checker) declareFunction(d *syntax.Function, params *templateParams, in *scope) {
	name := d.Decl.Name
	if name == nil {
		return
	}
	if len(name.Parts) > 1 {
		c.outsideMember(d, name, params, nil, in)
		return
	}
	if name.Parts[0].HasArgs && params == nil {
		c.specialFunction(d, in, c.seq)
		return
	}
	f := c.newFunction(d, params, in)
	if sym := in.names[f.name]; d.Specs.Type == nil && functionOp(d.Decl).Result != nil && sym != nil &&
		sym.tmpl != nil {
		f.isGuide = true
		sym.tmpl.written = append(sym.tmpl.written, f)
		return
	}
	c.addFunction(in, f)
}

// specialFunction enters an explicit specialisation of a function template.
func (c *checker) specialFunction(d *syntax.Function, in *scope, seq int) {
	part := d.Decl.Name.Last()
	f := c.newFunction(d, nil, in)
	sym := in.names[part.Ident]
	if sym == nil || sym.kind != symFunction {
		return
	}
	if in.kind == classScope {
		f.class = in.class
	}
	f.seq, f.written, f.isWritten = seq, part.Args, part.HasArgs
	sym.special = append(sym.special, f)
}

// signatureOf reads a function's types; nil where they have an error.
func (c *checker) signatureOf(f *function) *signature {
	switch f.state {
	case read:
		return f.sig
	case failed:
		c.blame(f.errs)
		return nil
	case reading:
		c.errorf(f.pos, codeType, "the type of %s depends on itself", f.name)
		return nil
	}
	f.state = reading
	done := c.enterDeclaration()
	outer := c.errs
	var errs diag.List
	f.names = map[string]bool{}
	c.errs, c.names = &errs, f.names
	c.scope = &scope{kind: functionScope, up: f.in, limit: f.limitOf()}
	f.sig = c.readSignature(f)
	c.errs = outer
	done()
	if errs.HasErrors() {
		f.state, f.errs = failed, errs
		c.blame(errs)
		return nil
	}
	f.state = read
	return f.sig
}

// limitOf is the last declaration at namespace scope that a function's declaration sees; a member sees what its class
// does.
func (f *function) limitOf() int {
	if f.in.isNamespace() {
		return f.seq
	}
	return 0
}

func (c *checker) readSignature(f *function) *signature {
	op := functionOp(f.decl.Decl)
	sig := &signature{variadic: op.Variadic}
	c.readParams(op.Params, sig)
	for _, d := range f.extra { // default arguments of other declarations
		for i, p := range functionOp(d.Decl).Params {
			switch {
			case i >= len(sig.params) || !p.Default.IsSet() || sig.params[i].init == &p.Default:
			case sig.params[i].init == nil:
				sig.params[i].init = &p.Default
			default:
				c.errorf(p.Decl.Pos, codeDeclare, "parameter %d of %s has a default argument twice", i+1, f.name)
			}
		}
	}
	for i := 1; i < len(sig.params); i++ {
		if p := &sig.params[i]; p.init == nil && p.pack == 0 && sig.params[i-1].init != nil {
			c.errorf(p.pos, codeDeclare, "parameter %d has no default argument, and the one before it has", i+1)
		}
	}
	if x := f.decl.Specs.ExplicitIf; x != nil {
		f.isExplicit = c.holds(x)
	}
	if f.class != nil {
		c.sigThis = append(c.sigThis, f)
		defer func() { c.sigThis = c.sigThis[:len(c.sigThis)-1] }()
	}
	c.readResult(f, sig, op)
	return sig
}

// readParams reads and declares parameters.
func (c *checker) readParams(list []*syntax.Param, sig *signature) {
	for _, p := range list {
		if len(list) == 1 && p.IsVoid() {
			break
		}
		if p.Decl.Pack {
			n := 0
			c.expand(p, func() { n++; sig.params = append(sig.params, c.readParam(p, n)) })
			sig.packs = append(sig.packs, packParam{p.Decl.Ident(), len(sig.params) - n, n})
			for i := range n {
				c.declareUnevaluated(&sig.params[len(sig.params)-n+i])
			}
			c.declarePack(sig, sig.packs[len(sig.packs)-1])
			continue
		}
		sig.params = append(sig.params, c.readParam(p, 0))
		c.declareUnevaluated(&sig.params[len(sig.params)-1])
	}
}

// packParam is a function parameter pack: its name and which parameters are its elements.
type packParam struct {
	name        string
	first, size int
}

// declarePack declares the name of a function parameter pack for the parameters that have been declared.
func (c *checker) declarePack(sig *signature, k packParam) {
	if k.name == "" {
		return
	}
	pack := &symbol{kind: symPack, name: k.name}
	for i := k.first; i < k.first+k.size; i++ {
		p := sig.params[i]
		pack.pack = append(pack.pack, &symbol{kind: symObject, name: k.name,
			obj: &ast.Object{Name: p.name, Type: c.represented(p.typ)}, ref: p.typ.ref, unevaluated: true})
	}
	c.scope.declare(pack)
}

func (c *checker) readParam(p *syntax.Param, pack int) param {
	out := param{name: p.Decl.Ident(), pos: p.Specs.Pos, pack: pack}
	if p.Decl.Name != nil {
		out.pos = p.Decl.Pos
	}
	out.typ = c.parameterType(p)
	if p.Default.IsSet() {
		out.init = &p.Default
	}
	if out.typ.Type == autoType {
		c.unsupported(out.pos, "a parameter declared auto here is", "make the function a template")
		out.typ = invalid
	}
	return out
}

func (c *checker) readResult(f *function, sig *signature, op *syntax.FuncOp) {
	switch f.kind {
	case constructor:
		sig.result = plain(f.class.typ)
		return
	case destructor:
		sig.result = plain(ctypes.Scalar(ctypes.Void))
		return
	case conversion:
		part := f.decl.Decl.Name.Last()
		sig.result = c.typeID(part.Convert)
		return
	}
	specs := f.decl.Specs
	if op.Result != nil {
		specs = op.Result.Specs
		sig.result = c.typeID(op.Result)
	} else {
		sig.result = c.specified(f.decl.Specs)
		if len(f.decl.Decl.Ops) > 0 {
			sig.result = c.declared(f.decl.Decl.Ops[1:], sig.result, f.decl.Decl.Pos)
		}
	}
	sig.written, sig.auto = sig.result, hasAutoQ(sig.result)
	if a, ok := specs.Type.(*syntax.Auto); ok {
		sig.exact = a.Decltype
	}
}

// functionInstance is the instance of a function template for arguments; nil where its signature has no meaning, and
// why.
func (c *checker) functionInstance(f *function, args templateArgs) (*function, string) {
	key := c.argKey(args)
	if g := f.instances[key]; g != nil {
		if g.state == failed {
			return nil, g.why()
		}
		return g, ""
	}
	if why := c.oneTooMany(f.name, args); why != "" {
		return nil, why
	}
	g := *f
	g.tmpl, g.args, g.instances, g.extra = f, args, nil, f.extra
	g.in = c.bind(f.params, args, f.in, f.limitDef())
	if f.instances == nil {
		f.instances = map[string]*function{}
	}
	f.instances[key] = &g
	g.state, g.sig, g.errs = unread, nil, nil
	if !c.meets(f.params, g.in) {
		g.state, g.errs = failed, diag.List{diag.Errorf(f.pos, codeType, "the arguments do not meet its constraints")}
		return nil, g.why()
	}
	c.quietly(func() { c.signatureOf(&g) })
	if g.state == failed {
		return nil, g.why()
	}
	c.specialise(f, &g)
	return &g, ""
}

// limitDef is the last declaration at namespace scope that a function's definition sees.
func (f *function) limitDef() int {
	if f.defSeq > 0 {
		return f.defSeq
	}
	if f.in.isNamespace() {
		return f.seq
	}
	return f.defSeq
}

// why is the first error of a signature.
func (f *function) why() string {
	if len(f.errs) == 0 {
		return "its declaration has an error"
	}
	return f.errs[0].Message
}

// specialise gives an instance the body of an explicit specialisation, if there is one for its arguments.
func (c *checker) specialise(f, g *function) {
	sym := f.in.names[f.name]
	if sym == nil {
		return
	}
	for _, s := range sym.special {
		if c.sameSpecial(g, s) {
			g.isConstexpr = s.isConstexpr
			g.body, g.decl, g.extra, g.pos, g.defSeq = s.body, s.decl,
				append(append([]*syntax.Function{}, f.extra...), f.decl), s.pos, s.seq
			g.in, g.seq = s.in, s.seq
			g.state, g.sig = unread, nil
			c.signatureOf(g)
			return
		}
	}
}

// sameSpecial reports whether an explicit specialisation is that of an instance.
func (c *checker) sameSpecial(g, s *function) bool {
	var sig *signature
	errs := c.quietly(func() { sig = c.signatureOf(s) })
	if len(errs) > 0 || sig == nil || !sig.sameParams(g.sig) {
		return false
	}
	if !s.isWritten {
		return same(sig.result.Type, g.sig.result.Type)
	}
	var args templateArgs
	ok := false
	errs = c.quietlyIn(s.in, func() { args, ok = c.templateArguments(s.written) })
	if !ok || len(errs) > 0 {
		return false
	}
	all := flat(g.args)
	return len(args) <= len(all) && slices.EqualFunc(args, all[:len(args)], c.sameArg)
}

// display is a function as the user writes it, with its class and template arguments.
func (c *checker) display(f *function) string {
	name := f.name
	if f.kind == constructor {
		name = f.class.name
	}
	if f.kind == conversion && f.sig != nil {
		name = "operator " + c.spellQual(f.sig.result)
	}
	if f.args != nil {
		name += c.spellArgs(f.args)
	}
	switch {
	case f.kind == constructor:
		return f.class.typ.Name
	case f.class != nil:
		return join(f.class.typ.Name, name)
	}
	return join(f.in.outsideTemplate().path(), name)
}

// represent makes the function of the tree that a function is.
func (c *checker) represent(f *function) *ast.Function {
	if f.fn != nil {
		return f.fn
	}
	sig := f.sig
	f.fn = &ast.Function{Name: c.display(f), Pos: f.pos, Kernel: f.isKernel}
	if f.isConstexpr || f.closure != nil || f.class != nil && f.class.closure != nil || f.isDefaulted {
		c.constexprs[f.fn] = f
	}
	if f.isKernel && f.args == nil {
		f.fn.Name = f.name
	}
	if f.takesThis() {
		p := ctypes.PointerTo(f.class.typ, c.homeOf(f.class.typ))
		p.Const, p.Volatile = f.isConst, f.isVolatile
		f.fn.Params = append(f.fn.Params, &ast.Object{Name: "this", Type: p, Space: idg.SpacePrivate, Pos: f.pos,
			Param: true, Const: true})
	}
	for i := range sig.params {
		if f.bound[i] != nil {
			continue
		}
		f.fn.Params = append(f.fn.Params, c.parameter(&sig.params[i], f.isKernel))
	}
	f.fn.Result = c.represented(sig.result)
	if sig.result.isConst && sig.result.ref == noRef {
		c.constResults[f.fn] = isClass(sig.result.Type)
	}
	return f.fn
}

// takesThis reports whether a function has an object.
func (f *function) takesThis() bool { return f.class != nil && !f.static && f.kind != constructor }

// parameter makes the object of a parameter.
func (c *checker) parameter(p *param, kernel bool) *ast.Object {
	t := p.typ
	obj := &ast.Object{Name: p.name, Pos: p.pos, Space: idg.SpacePrivate, Param: true, Const: t.isConst ||
		t.ref != noRef}
	if p.name == "" {
		obj.Name = "_"
	}
	typ := t.Type
	switch {
	case t.Kind == 0 || t.ref != noRef:
	case t.Kind == ctypes.Opaque && t.space == idg.SpaceImage, t.space == 0, t.space == idg.SpacePrivate:
	default:
		c.errorf(p.pos, codeSpace, "parameter %s itself cannot be __%v", p.name,
			t.space).WithNote("did you mean a pointer to __%v memory?", t.space)
	}
	switch {
	case t.Kind == 0:
	case !kernel && c.inPlace(t):
		t.ref = lvalue
		typ, c.callers[obj], obj.Const = c.represented(t), true, true
	case t.ref != noRef:
		typ = c.represented(t)
		if kernel { // nvcc passes a pointer, which the host must have to memory that both see
			typ = fillSpaces(typ, idg.SpaceGlobal)
		}
	case t.Kind == ctypes.Opaque && (!t.IsImage() && t.Name != typeSampler && (kernel || t.Name != typeEvent)) &&
		c.funcTypes[t.Type] == nil:
		c.opaque(p.pos, t.Type)
		typ = invalidType
	case !c.isComplete(t.Type):
		c.errorf(p.pos, codeDeclare, "parameter %s has the incomplete type %v", p.name, t.Type)
		typ = invalidType
	case kernel && c.cfg.Dialect == ast.CUDA:
		typ = fillSpaces(t.Type, idg.SpaceGlobal)
	case kernel && t.Kind == ctypes.Pointer && (t.Space == 0 || t.Space == idg.SpacePrivate):
		c.errorf(p.pos, codeSpace, "kernel argument %s points to no address space that the host can fill", p.name).
			WithNote("write __global, __local or __constant before its type")
	}
	obj.Type = c.declaredType(typ)
	return obj
}

// opaque reports an object of a type that stands for something beside the
// memory and that cannot be where it is declared.
func (c *checker) opaque(pos diag.Pos, t *ctypes.Type) {
	advice := "use __global buffers with computed subscripts"
	switch {
	case t.IsImage():
		advice = "images are parameters"
	case c.cfg.Dialect == ast.OpenCL && t.Name != typeEvent:
		advice = "enqueue from the host"
	}
	c.unsupported(pos, "objects of type "+t.Name+" are", advice)
}

// isLibrary reports whether a position lies in text that stands for a library.
func (c *checker) isLibrary(pos diag.Pos) bool { return diag.IsLibrary(pos.File) }
