package translate

import (
	"strings"

	"gpupipe/frontend/ast"
	"gpupipe/frontend/builtins"
	"gpupipe/frontend/ctypes"
	"gpupipe/lower"
)

// builtin lowers a call of a function of the language.
func (l *lowerer) builtin(e *ast.BuiltinCall) value {
	switch e.Builtin.Class {
	case builtins.WorkItem:
		return l.workItem(e)
	case builtins.Math:
		return l.math(e)
	case builtins.MathOut:
		return l.mathOut(e)
	case builtins.Relational, builtins.AnyAll:
		return l.truth(e)
	case builtins.Select:
		return l.selection(e)
	case builtins.Geometric:
		return l.geometric(e)
	case builtins.Barrier:
		in := &Instr{Op: lower.Barrier, Pos: e.Pos()}
		if e.Builtin.Name == builtins.PartBarrier {
			in.Fn = e.Builtin.Name
		}
		l.add(in, e.Pos())
		return value{typ: e.T}
	case builtins.Fence:
		l.add(&Instr{Op: lower.Fence, Fn: e.Builtin.Name, Pos: e.Pos()}, e.Pos())
		return value{typ: e.T}
	case builtins.Atomic:
		return l.atomic(e)
	case builtins.VLoad:
		return l.vload(e)
	case builtins.VStore:
		return l.vstore(e)
	case builtins.Ignored: // the frontend has said so
		return l.poison(e.T)
	case builtins.ImageRead:
		return l.imageRead(e)
	case builtins.ImageWrite:
		return l.imageWrite(e)
	case builtins.ImageQuery:
		return l.imageQuery(e)
	case builtins.SubGroup:
		return l.subGroup(e)
	case builtins.VectorShuffle:
		return l.vectorShuffle(e)
	case builtins.AsyncCopy:
		return l.asyncCopy(e)
	case builtins.Pipeline:
		return l.pipeline(e)
	case builtins.Tensor:
		return l.tensor(e)
	case builtins.WaitEvents:
		l.add(&Instr{Op: lower.Barrier, Pos: e.Pos()}, e.Pos())
		return value{typ: e.T}
	}
	l.unsupported(e.Pos(), "function %s", e.Builtin.Name)
	return l.poison(e.T)
}

// workItem lowers get_local_id and its like. Dimensions above 2 have one work
// item (OpenCL C 1.2, 6.12.1).
func (l *lowerer) workItem(e *ast.BuiltinCall) value {
	t := lower.IrType(e.T)
	dim := 0
	if len(e.Args) > 0 {
		c := l.expr(e.Args[0]).one()
		if c.Kind != OperandConst {
			l.unsupported(e.Pos(), "%s of a dimension that is not a constant", e.Builtin.Name)
			return l.poison(e.T)
		}
		if c.Bits > 2 {
			if strings.Contains(e.Builtin.Name, "size") || strings.Contains(e.Builtin.Name, "num") {
				return l.scalar(e, lower.ConstInt(t, 1))
			}
			return l.scalar(e, lower.ConstInt(t, 0))
		}
		dim = int(c.Bits)
	}
	dst := l.temp(t)
	l.emit(&Instr{Op: lower.Index, Type: t, Fn: e.Builtin.Name, Dim: dim, Dsts: []Reg{dst.Reg}, Pos: e.Pos()})
	return l.scalar(e, dst)
}

// selection lowers select (the sign bit of a vector's lanes, != 0 of a scalar)
// and bitselect.
func (l *lowerer) selection(e *ast.BuiltinCall) value {
	pos := e.Pos()
	if len(e.Args) != 3 {
		l.unsupported(pos, "%s with %d arguments", e.Builtin.Name, len(e.Args))
		return l.poison(e.T)
	}
	a, b := l.expr(e.Args[0]), l.expr(e.Args[1])
	t := lower.IrType(e.T)
	v := value{typ: e.T}
	if e.Builtin.Name == "bitselect" {
		c := l.expr(e.Args[2])
		u := t.Unsigned()
		for i := range e.T.Lanes() {
			x, y, m := l.bits(a.lane(i), u, pos), l.bits(b.lane(i), u, pos), l.bits(c.lane(i), u, pos)
			x = l.op(lower.And, u, pos, x, l.op(lower.Not, u, pos, m))
			y = l.op(lower.And, u, pos, y, m)
			v.ops = append(v.ops, l.bits(l.op(lower.Or, u, pos, x, y), t, pos))
		}
		return v
	}
	var cs []Operand
	if e.T.Lanes() > 1 {
		cs = l.laneConds(e.Args[2])
	} else {
		cs = []Operand{l.cond(e.Args[2])}
	}
	for i, c := range cs {
		v.ops = append(v.ops, l.op(lower.Select, t, pos, c, b.lane(i), a.lane(i)))
	}
	return v
}

// pointerArg lowers a pointer argument that a function of the language
// accesses: its arithmetic is part of that access.
func (l *lowerer) pointerArg(e ast.Expr) place {
	sub, kept := l.subscript, l.kept
	l.subscript, l.kept = true, false
	p := place{mem: true, base: l.expr(e).one()}
	l.subscript, l.kept = sub, kept
	if t := e.Type(); t.Kind == ctypes.Pointer {
		p.typ, p.space, p.volatile = t.Elem, t.Space, t.Volatile
	} else {
		p.typ = ctypes.Scalar(ctypes.Char)
	}
	return p
}

// atomic lowers atomic_f(p, ...). Fn is the name without its prefix; inc and
// dec with an operand are CUDA's, which wrap at it.
func (l *lowerer) atomic(e *ast.BuiltinCall) value {
	pos := e.Pos()
	if len(e.Args) == 0 || e.Args[0].Type().Kind != ctypes.Pointer {
		l.unsupported(pos, "%s without a pointer", e.Builtin.Name)
		return l.poison(e.T)
	}
	p := l.pointerArg(e.Args[0])
	t := lower.IrType(p.typ)
	if v, ok := l.atomicAccess(e, p); ok {
		return v
	}
	if t == 0 || t == lower.Pred || p.typ.Lanes() != 1 {
		l.unsupported(pos, "%s on %v", e.Builtin.Name, p.typ)
		return l.poison(e.T)
	}
	args := []Operand{p.base}
	for _, a := range e.Args[1:] {
		args = append(args, l.convertOperand(l.expr(a).one(), t, "", pos))
	}
	fn := strings.TrimPrefix(strings.TrimPrefix(e.Builtin.Name, "atomic_"), "atom_")
	dst := l.temp(t)
	l.add(&Instr{Op: lower.Atomic, Type: t, Fn: fn, Dsts: []Reg{dst.Reg}, Args: args, Space: l.spaceOf(p, pos),
		Align: t.Size(), Volatile: p.volatile, Pos: pos}, pos)
	if e.T.Kind == ctypes.Void {
		return value{typ: e.T}
	}
	return l.scalar(e, l.convertOperand(dst, lower.IrType(e.T), "", pos))
}

// vload lowers vloadN(offset, p): N lanes at the alignment of one.
func (l *lowerer) vload(e *ast.BuiltinCall) value {
	if len(e.Args) != 2 {
		l.unsupported(e.Pos(), "%s with %d arguments", e.Builtin.Name, len(e.Args))
		return l.poison(e.T)
	}
	p, r := l.vectorPlace(e.Args[1], e.Args[0], e.T, e.Pos())
	return value{typ: e.T, ops: l.loadRun(p, r, e.Pos())}
}

// vstore lowers vstoreN(v, offset, p).
func (l *lowerer) vstore(e *ast.BuiltinCall) value {
	if len(e.Args) != 3 {
		l.unsupported(e.Pos(), "%s with %d arguments", e.Builtin.Name, len(e.Args))
		return value{typ: e.T}
	}
	x := l.expr(e.Args[0])
	p, r := l.vectorPlace(e.Args[2], e.Args[1], e.Args[0].Type(), e.Pos())
	l.storeRun(p, r, x.ops, e.Pos())
	return value{typ: e.T}
}

// vectorPlace is the access to a vector of type t that lies offset vectors after
// ptr, which points to scalars.
func (l *lowerer) vectorPlace(ptr, offset ast.Expr, t *ctypes.Type, pos Pos) (place, run) {
	p := l.pointerArg(ptr)
	r := run{n: t.Lanes(), typ: lower.IrType(t), align: lower.IrType(t).Size()}
	stride := int64(r.n) * lower.IrType(t).Size()
	if c, ok := constant(offset); ok {
		p.off = int64(c.Bits) * stride
		return p, r
	}
	idx := l.index(offset)
	kept := l.kept
	l.kept = false
	p.base = l.ptrAdd(p.base, idx, stride, "", pos)
	l.kept = kept
	return p, r
}

// mathOut lowers a math function with a second result: one Call with both, then
// the assignment through the pointer. A variable passed as &x is assigned
// directly.
func (l *lowerer) mathOut(e *ast.BuiltinCall) value {
	pos := e.Pos()
	outs := 1
	if e.T.Kind == ctypes.Void {
		outs = 2 // CUDA's sincosf(x, &s, &c)
	}
	n := len(e.Args) - outs
	if n < 1 {
		l.unsupported(pos, "%s with %d arguments", e.Builtin.Name, len(e.Args))
		return l.poison(e.T)
	}
	var args []value
	for _, a := range e.Args[:n] {
		args = append(args, l.expr(a))
	}
	var dsts []place
	for _, a := range e.Args[n:] {
		dsts = append(dsts, l.outPlace(e, a))
	}
	rt := e.T
	if outs == 2 {
		rt = e.Args[0].Type()
	}
	results := []value{{typ: rt}, {typ: dsts[outs-1].typ}}
	for i := range rt.Lanes() {
		in := &Instr{Op: lower.Call, Type: lower.IrType(rt), Fn: e.Builtin.Name, Pos: pos}
		for _, a := range args {
			in.Args = append(in.Args, a.lane(i))
		}
		for j := range results {
			r := l.temp(lower.IrType(results[j].typ))
			in.Dsts = append(in.Dsts, r.Reg)
			results[j].ops = append(results[j].ops, r)
		}
		l.emit(in)
	}
	if outs == 2 {
		l.assign(dsts[0], results[0].ops, pos)
		l.assign(dsts[1], results[1].ops, pos)
		return value{typ: e.T}
	}
	l.assign(dsts[0], results[1].ops, pos)
	return results[0]
}

// outPlace is what an output argument points to.
func (l *lowerer) outPlace(e *ast.BuiltinCall, arg ast.Expr) place {
	if x, ok := outVariable(e, arg); ok {
		return l.lhs(x)
	}
	return l.pointerArg(arg)
}
