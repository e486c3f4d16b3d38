package translate

import (
	"strings"

	"gpupipe/frontend/ast"
	"gpupipe/frontend/ctypes"
	"gpupipe/idg"
	"gpupipe/lower"
)

// subGroup lowers the functions of the work items of one warp, component by
// component.
func (l *lowerer) subGroup(e *ast.BuiltinCall) value {
	pos := e.Pos()
	fn := strings.TrimPrefix(e.Builtin.Name, "sub_group_")
	call := func(t Type, args ...Operand) Operand {
		dst := l.temp(t)
		l.add(&Instr{Op: lower.SubGroup, Type: t, Fn: fn, Dsts: []Reg{dst.Reg}, Args: args, Pos: pos}, pos)
		return dst
	}
	if fn == "all" || fn == "any" {
		return l.scalar(e, l.choose(call(lower.Pred, l.cond(e.Args[0])), lower.IrType(e.T), 1, pos))
	}
	if fn == "ballot" {
		return l.scalar(e, call(lower.U32, l.cond(e.Args[0])))
	}
	x := l.expr(e.Args[0])
	var lane []Operand
	if len(e.Args) > 1 {
		lane = append(lane, l.expr(e.Args[1]).one())
	}
	v := value{typ: e.T}
	for i := range e.T.Lanes() {
		v.ops = append(v.ops, call(lower.IrType(e.T), append([]Operand{x.lane(i)}, lane...)...))
	}
	return v
}

// vectorShuffle lowers shuffle(x, mask) and shuffle2(x, y, mask). Where the mask
// is not constant the components go through memory.
func (l *lowerer) vectorShuffle(e *ast.BuiltinCall) value {
	pos := e.Pos()
	n := len(e.Args) - 1
	var from []Operand
	for _, a := range e.Args[:n] {
		x := l.expr(a)
		from = append(from, x.ops...)
		if e.Args[0].Type().Len == 3 { // indices count four components
			from = append(from, lower.Zero(lower.IrType(e.T)))
		}
	}
	mask := l.expr(e.Args[n])
	v := value{typ: e.T}
	var spilled place
	for i := range e.T.Lanes() {
		m := mask.lane(i)
		if m.Kind == OperandConst {
			v.ops = append(v.ops, from[int(m.Bits)&(len(from)-1)])
			continue
		}
		if !spilled.mem {
			spilled = l.spill(value{typ: ctypes.ArrayOf(e.T.Elem, int64(len(from))), ops: from}, pos)
			spilled.typ = e.T.Elem
		}
		p := spilled
		low := l.op(lower.And, m.Type, pos, m, lower.ConstInt(m.Type, int64(len(from)-1)))
		p.base = l.ptrAdd(p.base, low, e.T.Elem.Size(), "", pos)
		v.ops = append(v.ops, l.load(p, pos).one())
	}
	return v
}

// asyncCopy lowers async_work_group_copy and its strided forms to what compilers
// make of them: a loop in which each work item of the group copies every n-th
// element. The stride applies to the global side.
func (l *lowerer) asyncCopy(e *ast.BuiltinCall) value {
	pos := e.Pos()
	dst, src := l.pointerArg(e.Args[0]), l.pointerArg(e.Args[1])
	n := l.expr(e.Args[2]).one()
	var stride Operand
	if len(e.Args) > 3 {
		stride = l.expr(e.Args[3]).one()
	}
	l.everyWord(n, e.Builtin.Name+" of "+exprText(e.Args[2]), pos, func(i Operand) {
		l.store(l.copied(dst, i, stride, pos), l.load(l.copied(src, i, stride, pos), pos).ops, pos)
	})
	return l.scalar(e, lower.Zero(lower.IrType(e.T)))
}

// copied is element i of one side of an asynchronous copy.
func (l *lowerer) copied(p place, i, stride Operand, pos Pos) place {
	if stride.Kind != 0 && p.space == idg.SpaceGlobal {
		i = l.op(lower.Mul, lower.U64, pos, i, stride)
	}
	p.base = l.ptrAdd(p.base, i, p.typ.Size(), "", pos)
	return p
}

// workItemIndex emits a work-item function.
func (l *lowerer) workItemIndex(fn string, dim int, pos Pos) Operand {
	dst := l.temp(lower.U64)
	l.emit(&Instr{Op: lower.Index, Type: lower.U64, Fn: fn, Dim: dim, Dsts: []Reg{dst.Reg}, Pos: pos})
	return dst
}

// atomicAccess lowers the atomic functions of OpenCL C 2.0 that are not single
// read-modify-write: loads and stores, which are accesses that nothing may
// merge, and compare_exchange, which goes through a pointer of its own. false
// means that e is none of them.
func (l *lowerer) atomicAccess(e *ast.BuiltinCall, p place) (value, bool) {
	pos := e.Pos()
	p.volatile = true
	switch e.Builtin.Name {
	case "atomic_load":
		return l.load(p, pos), true
	case "atomic_store":
		l.store(p, l.expr(e.Args[1]).ops, pos)
		return value{typ: e.T}, true
	case "atomic_flag_clear":
		l.store(p, []Operand{lower.Zero(lower.IrType(p.typ))}, pos)
		return value{typ: e.T}, true
	case "atomic_flag_test_and_set":
		old := l.exchange("xchg", p, pos, number(lower.IrType(p.typ), 1))
		return l.scalar(e, l.choose(l.nonzero(old, pos), lower.IrType(e.T), 1, pos)), true
	case "atomic_compare_exchange_strong":
		expected := l.pointerArg(e.Args[1])
		want := l.load(expected, pos).one()
		old := l.exchange("cmpxchg", p, pos, want, l.expr(e.Args[2]).one())
		l.store(expected, []Operand{old}, pos)
		return l.scalar(e, l.choose(l.op(lower.Eq, old.Type, pos, old, want), lower.IrType(e.T), 1, pos)), true
	}
	return value{}, false
}

// exchange emits an atomic operation and returns the old value.
func (l *lowerer) exchange(fn string, p place, pos Pos, args ...Operand) Operand {
	t := lower.IrType(p.typ)
	dst := l.temp(t)
	l.add(&Instr{Op: lower.Atomic, Type: t, Fn: fn, Dsts: []Reg{dst.Reg}, Args: append([]Operand{p.base}, args...),
		Space: l.spaceOf(p, pos), Align: t.Size(), Volatile: p.volatile, Pos: pos}, pos)
	return dst
}
