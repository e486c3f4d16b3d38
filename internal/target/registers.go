package target

import (
	"fmt"

	"gpupipe/frontend"
	"gpupipe/idg"
	"gpupipe/internal/diag"
	"gpupipe/latencies"
	"gpupipe/unroll"
)

// sharedOutRegisters are the 32-bit registers of a compute unit that a launch bound
// shares out: those of every NVIDIA device from compute capability 3.0 on (CUDA C++
// Programming Guide, Technical Specifications).
const sharedOutRegisters = 65536

// Limit is how many registers a work item has at most in compiled code.
type Limit struct {
	Registers int
	why       string // what leaves it those
	launched  int    // how many it has at most when the kernel begins, where that is less; else 0
}

// Grow is the limit where a kernel has its warps take up to n registers (setmaxnreg) that others have given
// back: what limits the groups at once is what they are launched with.
func (l Limit) Grow(n int) Limit {
	if n <= l.Registers || n > idg.RegisterCap {
		return l
	}
	return Limit{Registers: n, why: "setmaxnreg leaves", launched: l.Registers}
}

// LimitOf is the limit for a kernel that is launched in groups of so many work items: by
// clang for AMD's devices what one group of the largest size may have, else what
// __launch_bounds__ leaves. The device may be nil.
func LimitOf(d *latencies.Device, compiler unroll.Compiler, fn *frontend.Function, dialect frontend.Dialect, items int64) Limit {
	if d != nil && compiler == unroll.Clang {
		largest := max(fn.ClangGroup(dialect), items)
		return Limit{Registers: int(d.CompiledRegisters(largest)), why: fmt.Sprintf("a work item can have in groups of up to %d", largest)}
	}
	if bound := fn.MaxWorkItems; bound > 0 && sharedOutRegisters/bound < int64(idg.RegisterCap) {
		return Limit{Registers: int(sharedOutRegisters / bound), why: "__launch_bounds__ leaves"}
	}
	return Limit{Registers: idg.RegisterCap, why: "a work item can have"}
}

// Registers gives a graph the registers that its compiler is estimated to use for a work
// item, within a limit, and the accesses of what is spilled. That, or why there is no
// estimate, is a note at the kernel's position.
func Registers(g *idg.Graph, kernel diag.Pos, uniform idg.UniformValues, limit Limit) (*idg.Graph, *diag.Error) {
	g, n := g.WithEstimate(uniform, limit.Registers)
	if limit.launched > 0 && n > limit.launched {
		g = g.WithRegisters(limit.launched, true)
	}
	switch {
	case n == 0:
		return g, diag.Notef(kernel, "REGISTERS", "the kernel is too long for an estimate of its registers, which limit no occupancy then").WithNote("give their number with --registers")
	case n > limit.Registers:
		needs := fmt.Sprintf("the kernel needs about %d registers of the %d that %s", n, limit.Registers, limit.why)
		s := g.Spills()
		if s.Loads == 0 {
			return g, diag.Notef(kernel, "REGISTERS", "%s; the others are spilled to private memory, which is not in the graph", needs)
		}
		return g, diag.Notef(kernel, "REGISTERS", "%s; the others are spilled: %d bytes of private memory per work item, %d stores and %d loads of a group's warps", needs, s.Bytes, s.Stores, s.Loads).
			WithNote("at %s", s.At())
	}
	return g, nil
}
