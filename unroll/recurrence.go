package unroll

import (
	"gpupipe/internal/diag"
	"gpupipe/lower"
	"gpupipe/unroll/structure"
)

// A loop that reads no memory and comes back to a state it was in before never ends. The state is
// compared with one that becomes a power of two iterations old, so that a cycle of any length is
// found (R. Brent, An improved Monte Carlo factorization algorithm, BIT 20, 1980).

// recurrence is the state of a loop before an earlier iteration: its variables and active lanes.
type recurrence struct {
	at     int64 // iteration; 0 = none yet, -1 = the loop reads memory
	mask   laneMask
	values []*value
}

// firstRecurrence is the iteration from which a loop is looked at: most end before.
const firstRecurrence = 1 << 10

// refuseRecurrence refuses a loop whose condition is known and which has come back to a state it
// was in before.
func (r *resolver) refuseRecurrence(a *activeLoop, active laneMask, i int64) {
	p, e := &a.plan, &a.earlier
	if i < firstRecurrence || p.counted || p.given || p.assumed || a.mayExit || active == 0 {
		return
	}
	if e.at == 0 && structure.AnyInstr(a.l, readsMemory) {
		e.at = -1
	}
	if e.at < 0 {
		return
	}
	carried := r.st.Carried(a.l)
	if e.at > 0 && e.mask == active && r.unchanged(carried, e.values, active) {
		r.fail(diag.Errorf(a.l.Pos, "ENDLESS",
			"this loop never ends: after %d iterations its variables are as they were after %d", i, e.at).
			WithNote("if that is intended, give the number of iterations with --trip %d=N", a.l.Pos.Line))
		return
	}
	if i >= 2*e.at {
		e.at, e.mask, e.values = i, active, e.values[:0]
		for _, reg := range carried {
			e.values = append(e.values, r.regs[reg-1])
		}
	}
}

// unchanged reports whether registers are known to hold the given values in the lanes of m.
func (r *resolver) unchanged(regs []lower.Reg, values []*value, m laneMask) bool {
	for k, reg := range regs {
		if !sameContents(r.regs[reg-1], values[k], m) {
			return false
		}
	}
	return true
}

// sameContents reports whether two values are known to be the same in the lanes of m.
func sameContents(a, b *value, m laneMask) bool {
	switch {
	case a == b:
		return true
	case a == nil || b == nil || a.typ == lower.Ptr && a.root != b.root || !a.isKnown(m) || !b.isKnown(m):
		return false
	case a.lanes == nil && b.lanes == nil:
		return a.u == b.u
	}
	for lane := range maxLanes {
		if m>>lane&1 != 0 && a.at(lane) != b.at(lane) {
			return false
		}
	}
	return true
}

func readsMemory(in *lower.Instr) bool {
	return in.Op == lower.Load || in.Op == lower.Atomic || in.Op == lower.ImageLoad
}
