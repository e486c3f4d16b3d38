package translate

import (
	"gpupipe/frontend/ast"
	"gpupipe/frontend/ctypes"
	"gpupipe/lower"
)

// loop lowers for, while and do. Its condition is lowered into a block of its
// own that runs before (do: after) each iteration.
func (l *lowerer) loop(s *ast.Loop) {
	for _, i := range s.Init {
		l.stmt(i)
	}
	if s.Kind == ast.DoLoop && isFalse(s.Cond) {
		l.once(s)
		return
	}
	l.depth++
	lp := &lower.Loop{Label: l.newLabel(), Kind: s.Kind.String(), Depth: l.depth, Pos: s.Pos()}
	lp.Pragma = s.Pragma
	l.add(lp, s.Pos())
	var cond, rest ast.Expr
	if s.Cond != nil {
		lp.BoundText = exprText(s.Cond)
		cond, rest = shortCount(s)
		l.in(&lp.Cond, func() { lp.CondValue = l.cond(cond) })
		if c := lp.CondValue; c.Kind == OperandConst && c.Bits != 0 {
			lp.CondValue = Operand{} // while (1)
		}
	}
	l.frame.targets = append(l.frame.targets, exit{label: lp.Label, loop: true})
	l.in(&lp.Body, func() {
		if rest != nil {
			l.branch("&&", rest.Pos(), l.cond(rest), func() {}, func() { l.leaveInner(false, rest.Pos()) })
		}
		l.stmts([]ast.Stmt{s.Body})
	})
	l.popTarget()
	if s.Post != nil {
		l.in(&lp.Post, func() { l.effect(s.Post) })
	}
	l.depth--
}

// shortestCount is up to how many iterations compilers unroll a loop fully of which they know
// the most iterations and not how many there are (LLVM's LoopUnroll: UnrollMaxUpperBound; nvcc
// 11.8 goes on to 20 iterations of a small body).
const shortestCount = 8

// shortCount takes the condition of a loop apart whose first part compares with a small
// constant: j < 4 && j < n is a loop of at most 4 iterations that the rest leaves. Others
// are their own condition, and rest is nil.
func shortCount(s *ast.Loop) (cond, rest ast.Expr) {
	and, ok := s.Cond.(*ast.Binary)
	if s.Kind != ast.ForLoop || !ok || and.Op != ctypes.LogAnd {
		return s.Cond, nil
	}
	compare, ok := and.X.(*ast.Binary)
	if !ok || compare.Op != ctypes.Lt && compare.Op != ctypes.Le {
		return s.Cond, nil
	}
	if bound, ok := constant(compare.Y); !ok || bound.Type.IsFloat() || int64(bound.Bits) < 1 ||
		int64(bound.Bits) > shortestCount {
		return s.Cond, nil
	}
	return and.X, and.Y
}

// isFalse reports whether a condition is the literal 0.
func isFalse(e ast.Expr) bool {
	if e == nil {
		return false
	}
	c, ok := constant(e)
	return ok && c.Bits == 0
}

// once lowers do { } while (0), the idiom of macros: no loop. Break and
// continue leave it.
func (l *lowerer) once(s *ast.Loop) {
	r := &lower.Region{Label: l.newLabel(), Name: "do", Pos: s.Pos()}
	l.frame.targets = append(l.frame.targets, exit{label: r.Label, leaveAll: true})
	l.in(&r.Body, func() { l.stmts([]ast.Stmt{s.Body}) })
	l.popTarget()
	l.addRegion(r)
}
