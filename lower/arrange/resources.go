package arrange

import (
	"slices"
	"strings"

	"gpupipe/lower/machine"
)

// count fills what the compiler's report says.
func (a *allocation) count() {
	r := &a.l.code.Resources
	r.MaxLive = slices.Max(append(a.l.pressure(a.live, machine.Vector), 0))
	r.Registers = a.files[machine.Vector].used + a.l.code.Target.Counted
	r.UniformRegisters = a.files[machine.Uniform].used
	if a.vcc != nil {
		r.UniformRegisters = max(r.UniformRegisters, a.l.given()) + a.vcc.used
	}
	r.Predicates = a.files[machine.Predicate].used
	r.SpillStores, r.SpillLoads, r.UniformSpills = 0, 0, 0
	for i := range a.l.steps {
		switch in := a.l.steps[i].instr; {
		case in != nil && in.Op == "v_writelane_b32":
			r.UniformSpills++
		case in == nil || !in.Spill || in.Mem == nil:
		case in.Mem.Store:
			r.SpillStores++
		default:
			r.SpillLoads++
		}
	}
}

// given is how many scalar registers AMD's packet processor fills before a kernel starts: the descriptor of private
// memory, pointers to the dispatch packet and to the arguments, and the numbers of the group (LLVM, AMDGPUUsage:
// Initial Kernel Execution State).
func (l *linear) given() int {
	const descriptor, pointer = 4, 2
	n, dispatch, arguments := descriptor, 0, 0
	for i := range l.code.Regs {
		if r := &l.code.Regs[i]; r.Given && r.Class == machine.Uniform {
			n++
		}
	}
	for i := range l.steps {
		in := l.steps[i].instr
		if in == nil {
			continue
		}
		for k := range in.Uses {
			switch o := &in.Uses[k]; {
			case o.Kind == machine.Bank:
				arguments = pointer
			case o.Kind == machine.Special && strings.HasPrefix(o.Name, "dispatch"):
				dispatch = pointer
			}
		}
	}
	return n + dispatch + arguments
}

// fixed is where a register lies that is filled before a kernel starts: the numbers of work items in the first vector
// registers, those of the group in the last scalar ones.
func (l *linear) fixed(r *machine.RegInfo) int {
	if r.Class == machine.Vector {
		return max(0, strings.Index("012", r.Name[len(r.Name)-1:]))
	}
	at := l.given()
	for i := range l.code.Regs {
		if o := &l.code.Regs[i]; o.Given && o.Class == machine.Uniform && o.Name >= r.Name {
			at--
		}
	}
	return at
}
