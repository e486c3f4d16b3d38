package pass

import (
	"fmt"

	"gpupipe/lower"
)

// choose decides about a loop: the user, its pragma, or the profile's rule.
func (u *unroller) choose(l *counted, depth int) plan {
	if l.loop.Loop.Decision != "" {
		return plan{rule: "unrolled before"}
	}
	if len(l.continues) == 0 {
		return plan{rule: "executed once"}
	}
	if n, ok := u.c.Unroll[l.loop.Source]; ok {
		return u.asked(l, int64(n), "--unroll")
	}
	if p := l.loop.Loop.Pragma; p != nil {
		switch p.Kind {
		case lower.NoUnroll:
			return plan{rule: "pragma"}
		case lower.UnrollFactor:
			return u.asked(l, p.Factor, "pragma")
		case lower.UnrollFull:
			return u.full(l, "pragma")
		}
	}
	return plan{rule: "no pragma"}
}

// exact is the exit with the smallest constant trip count, nil where none has one.
func (l *counted) exact() *exit {
	var best *exit
	for _, e := range l.exits {
		if e.trips.kind == tripsConstant && (best == nil || e.trips.n < best.trips.n) {
			best = e
		}
	}
	return best
}

// bounded is the exit with the smallest upper bound, nil where none has one.
func (l *counted) bounded() *exit {
	var best *exit
	for _, e := range l.exits {
		if e.trips.most >= 0 && (best == nil || e.trips.most < best.trips.most) {
			best = e
		}
	}
	return best
}

// asked unrolls by a factor.
func (u *unroller) asked(l *counted, factor int64, rule string) plan {
	if factor <= 1 {
		return plan{rule: rule}
	}
	if e := l.exact(); e != nil {
		if n := l.times(e); factor >= n {
			if factor > n {
				rule = fmt.Sprintf("%s: %d covers all %d iterations", rule, factor, n)
			}
			return plan{shape: whole, copies: e.trips.n + 1, exit: e, rule: rule}
		}
		return plan{shape: byFactor, copies: factor, rule: rule}
	}
	if u.countable(l) && l.latch().trips.multiple()%factor != 0 {
		return plan{shape: byRuntime, copies: factor, rule: rule}
	}
	return plan{shape: byFactor, copies: factor, rule: rule}
}

// full unrolls whole, if the number of iterations is known.
func (u *unroller) full(l *counted, rule string) plan {
	if e := l.exact(); e != nil {
		return plan{shape: whole, copies: e.trips.n + 1, exit: e, rule: rule}
	}
	if e := l.bounded(); e != nil {
		return plan{shape: whole, copies: e.trips.most + 1, exit: e, rule: rule + ": an upper bound"}
	}
	return plan{rule: rule + ": the number of iterations is not known"}
}

// countable reports whether a loop can be unrolled with a loop for the iterations left over.
func (u *unroller) countable(l *counted) bool {
	e := l.latch()
	ok, _ := l.computable(e)
	return ok && len(l.leaves) == 1 && len(l.exits) == 1 && len(l.continues) == 1 &&
		len(e.at.Blocks[e.side].Instrs) == 1
}
