package translate

import (
	"gpupipe/frontend/ast"
	"gpupipe/frontend/ctypes"
	"gpupipe/internal/target"
	"gpupipe/lower"
)

// pipeline lowers CUDA's asynchronous copies and what waits for them.
func (l *lowerer) pipeline(e *ast.BuiltinCall) value {
	pos := e.Pos()
	switch fn := e.Builtin.Name; fn {
	case "copy":
		bytes := l.expr(e.Args[2]).one()
		l.copyWord(l.pointerArg(e.Args[0]), l.pointerArg(e.Args[1]), int64(bytes.Bits), pos)
	case "copy_all":
		l.copyAll(e)
	case "grow":
		if n, ok := e.Args[0].(*ast.Literal); ok {
			l.k.GrownRegisters = max(l.k.GrownRegisters, int(n.Value.Int))
		}
	case "bulk_load", "bulk_store":
		l.bulk(e)
	case "expect", "await_parity":
		l.add(&Instr{Op: lower.CopyGroup, Fn: fn, Args: []Operand{l.pointerArg(e.Args[0]).base,
			l.expr(e.Args[1]).one()},
			Pos: pos}, pos)
	case "commit", "consume", "release", "bulk_commit", "wgmma_commit", "wgmma_fence":
		l.add(&Instr{Op: lower.CopyGroup, Fn: fn, Pos: pos}, pos)
	case "prior", "bulk_prior", "wgmma_prior":
		l.add(&Instr{Op: lower.CopyGroup, Fn: fn, Args: []Operand{l.expr(e.Args[0]).one()}, Pos: pos}, pos)
	default: // of a barrier
		for _, token := range e.Args[1:] { // which may be an arrival
			l.expr(token)
		}
		l.add(&Instr{Op: lower.CopyGroup, Fn: fn, Args: []Operand{l.pointerArg(e.Args[0]).base}, Pos: pos}, pos)
	}
	if e.T.Kind == ctypes.Void {
		return value{typ: e.T}
	}
	return l.scalar(e, lower.Zero(lower.IrType(e.T)))
}

// bulk lowers the copy of a block.
func (l *lowerer) bulk(e *ast.BuiltinCall) {
	if c := l.unit.Target.TensorCores; c != 0 && c < target.Hopper {
		l.unsupported(e.Pos(), "the device has no tensor memory accelerator").WithNote(
			"choose one of compute capability %s", capabilityOf[target.Hopper])
		return
	}
	in := &Instr{Op: lower.BulkCopy, Fn: "load", Pos: e.Pos(),
		Args: []Operand{l.pointerArg(e.Args[0]).base, l.pointerArg(e.Args[1]).base}}
	rest := e.Args[2:]
	if e.Builtin.Name == "bulk_store" {
		in.Fn = "store"
	} else {
		in.Args, rest = append(in.Args, l.pointerArg(e.Args[2]).base), e.Args[3:]
	}
	for _, x := range rest {
		in.Args = append(in.Args, l.expr(x).one())
	}
	in.Align = elementBytes(e.Args[0])
	l.add(in, e.Pos())
}

// elementBytes is the size of what a pointer to bytes was a pointer to, 1 if that is not known.
func elementBytes(p ast.Expr) int64 {
	if c, ok := p.(*ast.Convert); ok && c.X.Type().Kind == ctypes.Pointer && c.X.Type().Elem.IsComplete() {
		return max(1, c.X.Type().Elem.Size())
	}
	return 1
}

// copyWord emits the copy of one word by each work item.
func (l *lowerer) copyWord(dst, src place, bytes int64, pos Pos) {
	in := &Instr{Op: lower.Copy, Type: lower.U32, Args: []Operand{dst.base, src.base}, Space: l.spaceOf(src, pos),
		Align: bytes, Pos: pos}
	for range bytes / lower.U32.Size() {
		in.Dsts = append(in.Dsts, l.temp(lower.U32).Reg)
	}
	l.add(in, pos)
}

// copyAll lowers the copy of a group: a loop in which each work item copies every n-th word.
func (l *lowerer) copyAll(e *ast.BuiltinCall) {
	pos := e.Pos()
	dst, src := l.pointerArg(e.Args[0]), l.pointerArg(e.Args[1])
	word := int64(l.expr(e.Args[3]).one().Bits)
	words := l.op(lower.Div, lower.U64, pos, l.expr(e.Args[2]).one(), lower.ConstInt(lower.U64, word))
	l.everyWord(words, "memcpy_async of "+exprText(e.Args[2])+" bytes", pos, func(i Operand) {
		to, from := dst, src
		to.base, from.base = l.ptrAdd(dst.base, i, word, "", pos), l.ptrAdd(src.base, i, word, "", pos)
		l.copyWord(to, from, word, pos)
	})
}

// everyWord emits a loop in which the work items of the group share out n elements.
func (l *lowerer) everyWord(n Operand, bound string, pos Pos, body func(i Operand)) {
	i := l.variable(lower.U64, "copy")
	l.set(i, l.workItemIndex("get_local_linear_id", 0, pos), pos)
	step := l.workItemIndex("get_local_size", 0, pos)
	for d := 1; d <= 2; d++ {
		step = l.op(lower.Mul, lower.U64, pos, step, l.workItemIndex("get_local_size", d, pos))
	}
	l.depth++
	lp := &lower.Loop{Label: l.newLabel(), Kind: "for", Depth: l.depth, Pos: pos, BoundText: bound}
	l.add(lp, pos)
	l.in(&lp.Cond, func() { lp.CondValue = l.compare(ctypes.Lt, i, n, pos) })
	l.in(&lp.Body, func() { body(i) })
	l.in(&lp.Post, func() { l.set(i, l.op(lower.Add, lower.U64, pos, i, step), pos) })
	l.depth--
}
