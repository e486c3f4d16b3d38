package frontend

import (
	"gpupipe/frontend/encoding"
	"gpupipe/idg"
	"gpupipe/internal/diag"

	"modernc.org/cc/v4"
)

// parameter is one parameter of a function declaration.
type parameter struct {
	obj *Object
	ref bool
}

// parameters reads a parameter list.
func (c *checker) parameters(l *cc.ParameterTypeList, kernel bool) (params []parameter) {
	if l == nil {
		return nil
	}
	if l.Case == cc.ParameterTypeListVar {
		c.unsupported(c.p.Pos(l.Token2), "functions with a variable number of arguments are", "")
	}
	for pl := l.ParameterList; pl != nil; pl = pl.ParameterList {
		pd := pl.ParameterDeclaration
		base, _ := c.declSpecifiers(pd.DeclarationSpecifiers)
		dr := declarator{pos: c.p.Pos(pd), typ: base}
		switch {
		case pd.Declarator != nil && c.cfg.Dialect == CUDA && !kernel && pointsToFunction(pd.Declarator):
			dr = declarator{name: pd.Declarator.Name(), pos: c.p.Pos(pd.Declarator.NameTok()), typ: declType{Type: callableType}}
		case pd.Declarator != nil:
			dr = c.declarator(pd.Declarator, base)
		case pd.AbstractDeclarator != nil:
			dr.typ = c.abstractDeclarator(pd.AbstractDeclarator, base)
		}
		if dr.typ.Kind == Void && len(params) == 0 && pl.ParameterList == nil {
			return nil // f(void)
		}
		params = append(params, c.parameter(dr, kernel))
	}
	return params
}

func (c *checker) parameter(dr declarator, kernel bool) parameter {
	t := dr.typ
	p := parameter{obj: &Object{Name: dr.name, Pos: dr.pos, Space: idg.SpacePrivate, Param: true, Const: t.isConst}}
	switch {
	case dr.isFunc:
		c.unsupported(dr.pos, "pointers to functions are", "call the function directly")
		t.Type = invalidType
	case t.isRef && (byValueReference(t.Type) || isCallable(t.Elem)):
		t.Type = t.Elem
		p.obj.Const = true
	case t.isRef:
		p.ref, p.obj.Const = true, true
	case t.Kind == Array: // adjusted to a pointer, which may be __restrict
		elem := declType{t.Elem, t.qualifiers}
		t = declType{c.pointerTo(elem, t.isRestrict), qualifiers{}}
		p.obj.Const = false
	case t.Kind == Opaque && t.space == idg.SpaceImage, t.space == 0, t.space == idg.SpacePrivate:
	default:
		c.errorf(dr.pos, codeSpace, "parameter %s itself cannot be __%v", dr.name, t.space).WithNote("did you mean a pointer to __%v memory?", t.space)
	}
	switch {
	case t.Kind == 0:
	case isCallable(t.Type) && !kernel:
	case t.Kind == Opaque && (!t.IsImage() && t.Name != encoding.TypeSampler && (kernel || t.Name != encoding.TypeEvent)):
		c.opaque(dr.pos, t.Type)
		t.Type = invalidType
	case !t.IsComplete():
		c.errorf(dr.pos, codeDeclare, "parameter %s has the incomplete type %v", dr.name, t.Type)
		t.Type = invalidType
	case kernel && c.cfg.Dialect == CUDA:
		t.Type = fillSpaces(t.Type, idg.SpaceGlobal)
	case kernel && t.Kind == Pointer && (t.Space == 0 || t.Space == idg.SpacePrivate):
		c.errorf(dr.pos, codeSpace, "kernel argument %s points to no address space that the host can fill", dr.name).
			WithNote("write __global, __local or __constant before its type")
	}
	p.obj.Type = c.declaredType(t.Type)
	return p
}

// opaque reports an object of a type that stands for something beside the
// memory and that cannot be where it is declared.
func (c *checker) opaque(pos Pos, t *Type) {
	advice := "use __global buffers with computed subscripts"
	switch {
	case t.IsImage():
		advice = "images are parameters"
	case c.cfg.Dialect == OpenCL && t.Name != encoding.TypeEvent:
		advice = "enqueue from the host"
	}
	c.unsupported(pos, "objects of type "+t.Name+" are", advice)
}

// prototype declares a function without defining it.
func (c *checker) prototype(dr declarator, attrs []*cc.AttributeValue) {
	kernel := encoding.AttributeNamed(attrs, encoding.AttrKernel) != nil
	c.function(dr, c.parameters(dr.params, kernel), attrs)
}

// function finds or declares the function with the given parameters. CUDA and
// OpenCL's overloadable attribute allow several of one name.
func (c *checker) function(dr declarator, params []parameter, attrs []*cc.AttributeValue) *funcInfo {
	kernel := encoding.AttributeNamed(attrs, encoding.AttrKernel) != nil
	sym := c.lookup(dr.name)
	if sym == nil || sym.kind != symFunction {
		sym = c.declare(&symbol{kind: symFunction, name: dr.name})
	}
	if encoding.AttributeNamed(attrs, "overloadable") != nil {
		sym.overloadable = true
	}
	for _, f := range sym.funcs {
		if sameParams(f.Params, params) {
			return f
		}
	}
	f := &funcInfo{Function: &Function{Name: c.p.Program.Templates.Display(dr.name), Pos: dr.pos, Kernel: kernel}}
	c.setParams(f, params)
	f.result = c.declaredType(dr.typ.Type)
	if dr.typ.isRef && byValueReference(f.result) {
		f.result = f.result.Elem
	} else {
		f.returnsRef = dr.typ.isRef
	}
	f.Result = f.result
	sym.funcs = append(sym.funcs, f)
	c.funcs = append(c.funcs, f)
	return f
}

func (c *checker) setParams(f *funcInfo, params []parameter) {
	f.Params, f.refs = nil, nil
	for _, p := range params {
		f.Params = append(f.Params, p.obj)
		f.refs = append(f.refs, p.ref)
	}
}

func sameParams(objs []*Object, params []parameter) bool {
	if len(objs) != len(params) {
		return false
	}
	for i, p := range params {
		if !objs[i].Type.Equal(p.obj.Type) {
			return false
		}
	}
	return true
}

// functionDefinition checks a function.
func (c *checker) functionDefinition(fd *cc.FunctionDefinition) {
	if fd.Declarator.Name() == encoding.DirectivesFunc {
		return
	}
	var errs diag.List
	c.errs = &errs
	attrs := encoding.AttributesOf(fd.DeclarationSpecifiers, nil)
	kernel := encoding.AttributeNamed(attrs, encoding.AttrKernel) != nil
	base, _ := c.declSpecifiers(fd.DeclarationSpecifiers)
	dr := c.declarator(fd.Declarator, base)
	params := c.parameters(dr.params, kernel)
	f := c.function(dr, params, attrs)
	f.errs.Add(errs...)
	c.errs = &f.errs
	if f.def != nil {
		c.errorf(dr.pos, codeDeclare, "%s is defined twice; the first time at %v", dr.name, f.Pos)
		return
	}
	f.def, f.Pos, f.Kernel = fd, dr.pos, kernel || f.Kernel
	c.setParams(f, params) // the definition's names count
	for _, p := range f.Params {
		if p.Name == "" {
			p.Name = "_"
		}
	}
	c.checkResult(f, dr)
	c.workGroupAttributes(f, attrs)
	if f.takesCallable() { // its body is typed where it is called
		return
	}

	c.fn, c.breakOK, c.loopOK, c.dead = f, false, false, 0
	c.push()
	for i, p := range f.Params {
		if p.Name != "_" {
			c.declare(&symbol{kind: symObject, name: p.Name, obj: p, ref: f.refs[i]})
		}
	}
	f.Body = c.compound(fd.CompoundStatement)
	c.pop()
	c.finishJumps()
	c.fn = nil
	c.launchDirectives(f)
	var stray diag.List
	c.errs = &stray
}

func (c *checker) checkResult(f *funcInfo, dr declarator) {
	switch {
	case f.Kernel && f.Result.Kind != Void && f.Result.Kind != 0:
		c.errorf(dr.pos, codeDeclare, "kernel %s returns %v", f.Name, f.Result).WithNote("a kernel's result type is void")
	case f.Result.Kind != Void && f.Result.Kind != 0 && !f.Result.IsComplete():
		c.errorf(dr.pos, codeDeclare, "%s returns the incomplete type %v", f.Name, f.Result)
	}
}

// workGroupAttributes reads reqd_work_group_size and launch bounds.
func (c *checker) workGroupAttributes(f *funcInfo, attrs []*cc.AttributeValue) {
	if a := encoding.AttributeNamed(attrs, encoding.AttrReqdSize); a != nil {
		sizes := c.positiveArgs(a, 3)
		for i := range f.WorkGroupSize {
			f.WorkGroupSize[i] = 1
			if i < len(sizes) {
				f.WorkGroupSize[i] = sizes[i]
			}
		}
	}
	if a := encoding.AttributeNamed(attrs, encoding.AttrLaunchBounds); a != nil {
		bounds := c.positiveArgs(a, 3)
		if len(bounds) > 0 {
			f.MaxWorkItems = bounds[0]
		}
		if len(bounds) > 1 {
			f.MinResident = bounds[1]
		}
	}
}

// positiveArgs evaluates the arguments of an attribute, at most limit.
func (c *checker) positiveArgs(a *cc.AttributeValue, limit int) (values []int64) {
	for l := a.ArgumentExpressionList; l != nil; l = l.ArgumentExpressionList {
		v, ok := c.constantInt(l.AssignmentExpression, "a work-group size")
		switch {
		case !ok:
			return nil
		case v <= 0:
			c.errorf(c.p.Pos(l.AssignmentExpression), codeConstant, "work-group size %d is not positive", v)
			return nil
		case len(values) == limit:
			c.errorf(c.p.Pos(l.AssignmentExpression), codeDeclare, "%s takes at most %d sizes", a.Token.SrcStr(), limit)
			return nil
		}
		values = append(values, v)
	}
	return values
}
