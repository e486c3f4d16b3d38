package translate

import (
	"gpupipe/frontend/ast"
	"gpupipe/frontend/ctypes"
	"gpupipe/idg"
	"gpupipe/lower"
)

// stmts lowers statements up to the first that control cannot pass.
func (l *lowerer) stmts(list []ast.Stmt) {
	for _, s := range list {
		if l.terminated() || l.full {
			return
		}
		l.stmt(s)
	}
}

func (l *lowerer) stmt(s ast.Stmt) {
	switch s := s.(type) {
	case *ast.Block:
		l.stmts(s.Stmts)
	case *ast.Decl:
		l.decl(s)
	case *ast.ExprStmt:
		l.effect(s.X)
	case *ast.If:
		l.ifStmt(s)
	case *ast.Loop:
		l.loop(s)
	case *ast.Switch:
		l.switchStmt(s)
	case *ast.Break:
		l.leaveInner(false, s.Pos())
	case *ast.Continue:
		l.leaveInner(true, s.Pos())
	case *ast.Return:
		l.returnStmt(s)
	case *ast.Labelled:
		l.labelled(s)
	case *ast.Goto:
		l.add(&lower.Leave{Label: l.frame.labels[s.Target], Kind: "goto", Pos: s.Pos()}, s.Pos())
	default:
		l.unsupported(s.Pos(), "this statement")
	}
}

// decl makes a variable. In a loop it is the same register in each iteration.
func (l *lowerer) decl(s *ast.Decl) {
	o := s.Obj
	if o.Space != 0 && o.Space != idg.SpacePrivate {
		init := s.Init
		if init == nil {
			init = o.Init
		}
		if o.Space != idg.SpaceConstant && init != nil && !o.Const {
			l.unsupported(s.Pos(), "initialiser of %v variable %s", o.Space,
				o.Name).WithNote("assign it in one work item, then use a barrier")
		}
		l.static(o, init, s.Pos())
		return
	}
	if o.Type.IsImage() || o.Type.Kind == ctypes.Void {
		l.unsupported(s.Pos(), "variable %s of type %v", o.Name, o.Type)
		l.frame.vars[o] = place{typ: o.Type}
		return
	}
	inMemory := l.inMemory(o)
	if o.Const && s.Init != nil && !l.frame.facts.assigned[o] {
		if c, ok := constant(s.Init); ok && c.Type == lower.IrType(o.Type) && o.Type.Lanes() == 1 {
			l.frame.vars[o] = place{typ: o.Type, ops: []Operand{c}}
			return
		}
	}
	if inMemory && o.Const && s.Init != nil {
		if init := encode(o.Type, s.Init); init != nil { // a table
			p := l.privateObject(o.Name, o.Type, o.Pos)
			obj := l.k.Object(p.base.Object)
			obj.Init, obj.ReadOnly = init, true
			l.frame.vars[o] = p
			return
		}
	}
	p := place{typ: o.Type}
	if inMemory {
		p = l.privateObject(o.Name, o.Type, o.Pos)
	} else {
		p.ops = l.variables(o.Type, o.Name)
		if l.frame.facts.assigned[o] {
			l.moves(p.ops)
		}
	}
	l.frame.vars[o] = p
	if s.Init != nil {
		l.initialise(p, s.Init, s.Pos())
	}
}

// inMemory decides whether a private variable is an object or registers.
func (l *lowerer) inMemory(o *ast.Object) bool {
	t := o.Type
	return t.Kind == ctypes.Array || hasUnion(t) || l.frame.facts.memory[o] ||
		hasArray(t) && lower.CountLeaves(t) > lower.MaxRegLeaves || lower.CountLeaves(t) > lower.MaxLeaves
}

func (l *lowerer) ifStmt(s *ast.If) {
	var els func()
	if s.Else != nil {
		els = func() { l.stmt(s.Else) }
	}
	l.branch("if", s.Pos(), l.cond(s.Cond), func() { l.stmt(s.Then) }, els)
}

func (l *lowerer) switchStmt(s *ast.Switch) {
	sw := &lower.Switch{Label: l.newLabel(), Pos: s.Pos()}
	x := l.expr(s.X).one()
	if x.Type == lower.Pred {
		x = l.choose(x, lower.S32, 1, s.Pos())
	}
	sw.Value = x
	l.add(sw, s.Pos())
	l.frame.targets = append(l.frame.targets, exit{label: sw.Label})
	sw.Cases = make([]lower.Case, len(s.Cases))
	for i, c := range s.Cases {
		sw.Cases[i] = lower.Case{Values: c.Values, Default: c.Default, Pos: c.Pos}
		l.in(&sw.Cases[i].Body, func() { l.stmts(c.Body) })
	}
	l.popTarget()
}

func (l *lowerer) popTarget() {
	l.frame.targets = l.frame.targets[:len(l.frame.targets)-1]
}

// leaveInner is break, or continue of the innermost loop.
func (l *lowerer) leaveInner(cont bool, pos Pos) {
	ts := l.frame.targets
	for i := len(ts) - 1; i >= 0; i-- {
		t := ts[i]
		switch {
		case !cont || t.leaveAll:
			l.add(&lower.Leave{Label: t.label, Kind: "break", Pos: pos}, pos)
			return
		case t.loop:
			l.add(&lower.Continue{Label: t.label, Pos: pos}, pos)
			return
		}
	}
	l.unsupported(pos, "break or continue outside a loop or switch")
}

func (l *lowerer) returnStmt(s *ast.Return) {
	if s.X != nil {
		if s.X.Type().Kind == ctypes.Void {
			l.effect(s.X)
		} else {
			l.setRegs(l.frame.result, l.resultOf(s.X).ops, s.Pos())
		}
	}
	l.add(&lower.Leave{Label: l.frame.label, Kind: "return", Pos: s.Pos()}, s.Pos())
}

// resultOf lowers a returned value: a pointer's arithmetic is the source's own
// unless the call is part of a subscript.
func (l *lowerer) resultOf(e ast.Expr) value {
	if l.subscript {
		return l.expr(e)
	}
	return l.keptExpr(e)
}

// labelled lowers the statements in front of a label: its gotos leave them.
func (l *lowerer) labelled(s *ast.Labelled) {
	r := &lower.Region{Label: l.newLabel(), Name: s.Name, Pos: s.Pos()}
	if l.frame.labels == nil {
		l.frame.labels = map[*ast.Labelled]Label{}
	}
	l.frame.labels[s] = r.Label
	l.in(&r.Body, func() { l.stmts(s.Stmts) })
	l.addRegion(r)
}

// addRegion adds a region, or only its body where nothing leaves it early.
func (l *lowerer) addRegion(r *lower.Region) {
	lower.Trim(&r.Body, r.Label)
	if r.LeftEarly() {
		l.add(r, r.Pos)
		return
	}
	*l.cur = append(*l.cur, r.Body...)
}
