package unroll

import "gpupipe/lower"

// compilerView is what the compiler knows of registers where a loop begins: the factor.Values of
// the resolver that executes it.
type compilerView struct{ r *resolver }

func (c compilerView) Constant(reg lower.Reg) (bits uint64, ok bool) {
	if v := c.r.regs[reg-1]; v != nil && v.konst {
		return v.u, true
	}
	return 0, false
}

func (c compilerView) Addend(reg lower.Reg) int64 {
	if v := c.r.regs[reg-1]; v != nil {
		return v.form.c
	}
	return 0
}

func (c compilerView) OfLaunch(reg lower.Reg) bool {
	v := c.r.regs[reg-1]
	return v != nil && v.from&^(fromWorkItem|fromLaunch) == 0
}
