package translate

import (
	"gpupipe/frontend/ast"
	"gpupipe/frontend/ctypes"
	"gpupipe/idg"
	"gpupipe/internal/diag"
	"gpupipe/lower"
)

// inline lowers a call of a function of the unit to a Region with the
// function's body. Its variables are new registers at each call; the result is
// in registers of its own, or the constants that the function returns.
func (l *lowerer) inline(e *ast.Call) value {
	fn := e.Fn
	switch {
	case l.full:
		return l.poison(e.T)
	case fn.Body == nil:
		l.errs.Add(diag.Errorf(e.Pos(), "UNDEFINED", "function %s is declared but not defined", fn.Name).
			WithNote("add its definition to the source, or its file with --include"))
		return l.poison(e.T)
	case l.active(fn):
		l.errs.Add(diag.Errorf(e.Pos(), "RECURSION", "function %s calls itself", fn.Name))
		return l.poison(e.T)
	case len(e.Args) != len(fn.Params):
		l.unsupported(e.Pos(), "call of %s with %d arguments instead of %d", fn.Name, len(e.Args), len(fn.Params))
		return l.poison(e.T)
	}
	sub := l.subscript
	if !singleReturn(fn) {
		l.subscript = false
	}
	f := &frame{fn: fn, facts: l.factsOf(fn), vars: map[*ast.Object]place{}}
	for i, p := range fn.Params {
		f.vars[p] = l.argument(f, p, e.Args[i])
	}
	if fn.Result.Kind != ctypes.Void {
		f.result = l.variables(fn.Result, fn.Name)
	}
	f.label = l.newLabel()
	region := &lower.Region{Label: f.label, Name: fn.Name, Pos: e.Pos()}
	l.add(region, e.Pos())
	f.parent = l.frame
	caller := l.caller
	if !diag.IsLibrary(e.Pos().File) {
		l.caller = e.Pos()
	}
	l.frame = f
	l.body(&region.Body, fn.Body)
	l.frame, l.caller = f.parent, caller
	l.subscript = sub
	if ops, ok := constantResult(region, f.result); ok {
		*l.cur = (*l.cur)[:len(*l.cur)-1] // the region
		return value{typ: e.T, ops: ops}
	}
	return value{typ: e.T, ops: f.result}
}

// constantResult returns what a function gives that does nothing but return constants.
func constantResult(region *lower.Region, result []Operand) (ops []Operand, ok bool) {
	if len(result) == 0 || len(region.Body) != len(result)+1 {
		return nil, false
	}
	for i, r := range result {
		in, ok := region.Body[i].(*Instr)
		if !ok || in.Op != lower.Mov || in.Dsts[0] != r.Reg || in.Args[0].Kind != OperandConst {
			return nil, false
		}
		ops = append(ops, in.Args[0])
	}
	_, ok = region.Body[len(result)].(*lower.Leave)
	return ops, ok
}

// body lowers a function's body into b, as part of a subscript where the call
// is.
func (l *lowerer) body(b *Block, body *ast.Block) {
	cur, kept := l.cur, l.kept
	l.cur, l.kept = b, false
	l.stmts(body.Stmts)
	l.cur, l.kept = cur, kept
}

// active reports whether fn is being lowered.
func (l *lowerer) active(fn *ast.Function) bool {
	for f := l.frame; f != nil; f = f.parent {
		if f.fn == fn {
			return true
		}
	}
	return false
}

// singleReturn reports whether a function is "return expression;" alone.
func singleReturn(fn *ast.Function) bool {
	if len(fn.Body.Stmts) != 1 {
		return false
	}
	_, ok := fn.Body.Stmts[0].(*ast.Return)
	return ok
}

// argument binds a parameter. One that the function never assigns is the
// argument itself, which a caller cannot change while the function runs.
func (l *lowerer) argument(f *frame, p *ast.Object, arg ast.Expr) place {
	v := l.expr(arg)
	if f.facts.memory[p] || hasUnion(p.Type) {
		q := l.privateObject(p.Name, p.Type, p.Pos)
		l.store(q, v.ops, arg.Pos())
		return q
	}
	if !f.facts.assigned[p] {
		return place{typ: p.Type, ops: v.ops}
	}
	q := place{typ: p.Type, ops: l.variables(p.Type, p.Name)}
	l.moves(q.ops)
	l.setRegs(q.ops, v.ops, arg.Pos())
	return q
}

// function lowers the kernel itself: its parameters and the Region of its body.
func (l *lowerer) function(fn *ast.Function) {
	if fn.Body == nil {
		l.errs.Add(diag.Errorf(fn.Pos, "UNDEFINED", "kernel %s is declared but not defined", fn.Name))
		return
	}
	l.frame = &frame{fn: fn, facts: l.factsOf(fn), vars: map[*ast.Object]place{}, label: l.newLabel()}
	region := &lower.Region{Label: l.frame.label, Name: fn.Name, Pos: fn.Pos}
	l.cur = &l.k.Body
	l.add(region, fn.Pos)
	l.cur = &region.Body
	for _, p := range fn.Params {
		l.frame.vars[p] = l.param(p)
	}
	l.stmts(fn.Body.Stmts)
}

// param makes the registers and objects of a kernel parameter.
func (l *lowerer) param(p *ast.Object) place {
	t := p.Type
	if t.Kind == ctypes.Opaque && (!t.IsImage() && t.Name != "sampler_t") {
		l.unsupported(p.Pos, "parameter %s of type %v", p.Name, t).WithNote("pass a buffer instead")
		return l.privateObject(p.Name, t, p.Pos)
	}
	q := place{typ: t}
	if n := lower.CountLeaves(t); n > lower.MaxLeaves {
		l.unsupported(p.Pos, "parameter %s: %v has more than %d members", p.Name, t,
			lower.MaxLeaves).WithNote("pass a pointer to it")
		return l.privateObject(p.Name, t, p.Pos)
	}
	for _, f := range lower.LeavesOf(t) {
		r := l.variable(f.Typ, p.Name+f.Name)
		kp := lower.Param{Name: p.Name + f.Name, Type: f.Typ, Reg: r.Reg, Pos: p.Pos, CType: t.String(), Offset: f.Off}
		if f.Typ == lower.Ptr {
			obj := l.buffer(p, t, p.Name+f.Name)
			kp.Object = obj.Object
			from := l.origin(obj)
			from.fixed = !l.frame.facts.assigned[p]
			l.comes(r.Reg, from)
		}
		l.k.Params = append(l.k.Params, kp)
		q.ops = append(q.ops, r)
	}
	if l.frame.facts.assigned[p] {
		l.moves(q.ops)
	}
	if t.IsImage() {
		l.imageExtents(t)
	}
	if l.frame.facts.memory[p] || hasUnion(t) {
		m := l.privateObject(p.Name, t, p.Pos)
		l.store(m, q.ops, p.Pos)
		return m
	}
	return q
}

// buffer makes the object that a pointer parameter (or a pointer in a struct
// parameter, of which less is known) points to.
func (l *lowerer) buffer(p *ast.Object, t *ctypes.Type, name string) Operand {
	o := Object{Name: name, Space: idg.SpaceGlobal, Pos: p.Pos}
	if t.IsImage() {
		o.Space, o.ReadOnly = idg.SpaceImage, t.Const
	}
	if t.Kind == ctypes.Pointer {
		o.Elem = lower.Uniform(t.Elem)
		if t.Space != 0 {
			o.Space = t.Space
		}
		o.Restrict = t.Restrict
		o.ReadOnly = t.Const || t.Space == idg.SpaceConstant
		o.Dynamic = t.Space == idg.SpaceLocal
	}
	return l.newObject(o)
}
