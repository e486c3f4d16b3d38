package lower

import (
	"gpupipe/frontend"
)

// loop lowers for, while and do. Its condition is lowered into a block of its
// own that runs before (do: after) each iteration.
func (l *lowerer) loop(s *frontend.Loop) {
	for _, i := range s.Init {
		l.stmt(i)
	}
	if s.Kind == frontend.DoLoop && isFalse(s.Cond) {
		l.once(s)
		return
	}
	l.depth++
	lp := &Loop{Label: l.newLabel(), Kind: s.Kind.String(), Depth: l.depth, Pos: s.Pos()}
	lp.Pragma = s.Pragma
	l.add(lp, s.Pos())
	if s.Cond != nil {
		lp.BoundText = exprText(s.Cond)
		l.in(&lp.Cond, func() { lp.CondValue = l.cond(s.Cond) })
		if c := lp.CondValue; c.Kind == OperandConst && c.Bits != 0 {
			lp.CondValue = Operand{} // while (1)
		}
	}
	l.frame.targets = append(l.frame.targets, target{label: lp.Label, loop: true})
	l.in(&lp.Body, func() { l.stmts([]frontend.Stmt{s.Body}) })
	l.popTarget()
	if s.Post != nil {
		l.in(&lp.Post, func() { l.effect(s.Post) })
	}
	l.depth--
}

// isFalse reports whether a condition is the literal 0.
func isFalse(e frontend.Expr) bool {
	if e == nil {
		return false
	}
	c, ok := constant(e)
	return ok && c.Bits == 0
}

// once lowers do { } while (0), the idiom of macros: no loop. Break and
// continue leave it.
func (l *lowerer) once(s *frontend.Loop) {
	r := &Region{Label: l.newLabel(), Name: "do", Pos: s.Pos()}
	l.frame.targets = append(l.frame.targets, target{label: r.Label, leaveAll: true})
	l.in(&r.Body, func() { l.stmts([]frontend.Stmt{s.Body}) })
	l.popTarget()
	l.addRegion(r)
}
