package machine

import "slices"

// count fills what the compiler's report says.
func (a *allocation) count() {
	r := &a.l.code.Resources
	r.MaxLive = slices.Max(append(a.l.pressure(a.live, Vector), 0))
	r.Registers = a.files[Vector].used + a.l.code.Target.Counted
	r.UniformRegisters = a.files[Uniform].used
	r.Predicates = a.files[Predicate].used
	r.SpillStores, r.SpillLoads = 0, 0
	for i := range a.l.steps {
		switch in := a.l.steps[i].instr; {
		case in == nil || !in.Spill || in.Mem == nil:
		case in.Mem.Store:
			r.SpillStores++
		default:
			r.SpillLoads++
		}
	}
}
