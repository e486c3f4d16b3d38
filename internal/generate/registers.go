package generate

import (
	"fmt"

	"gpupipe/frontend/ast"
	"gpupipe/idg"
	"gpupipe/internal/diag"
	"gpupipe/internal/target"
	"gpupipe/latencies"
	"gpupipe/lower/machine"
	"gpupipe/unroll"
)

// Limit is how many registers a work item has at most in compiled code.
type Limit struct {
	Registers int
	why       string // what leaves it those
	launched  int    // how many it has at most when the kernel begins, where that is less; else 0
}

// Grow is the limit where a kernel has its warps take up to n registers (setmaxnreg) that others have given
// back: what limits the groups at once is what they are launched with.
func (l Limit) Grow(n int) Limit {
	if n <= l.Registers || n > target.RegisterCap {
		return l
	}
	return Limit{Registers: n, why: "setmaxnreg leaves", launched: l.Registers}
}

// LimitOf is the limit for a kernel that is launched in groups of so many work items: by
// clang for AMD's devices what one group of the largest size may have, else what
// __launch_bounds__ leaves. The device may be nil.
func LimitOf(d *latencies.Device, compiler unroll.Compiler, fn *ast.Function, dialect ast.Dialect, items int64) Limit {
	if d != nil && compiler == unroll.Clang {
		largest := max(fn.ClangGroup(dialect), items)
		if resident := residentItems(d, fn); resident > largest {
			return Limit{Registers: int(d.CompiledRegisters(resident)), why: launchBoundsLeave}
		}
		return Limit{Registers: int(d.CompiledRegisters(largest)),
			why: fmt.Sprintf("a work item can have in groups of up to %d", largest)}
	}
	most := target.RegisterCap
	if d == nil {
		d = &commonDevice
	} else if n := d.Limits.RegistersPerItem; n > 0 {
		most = min(most, int(n))
	}
	if bound := fn.MaxWorkItems; bound > 0 {
		if n := int(d.CompiledRegisters(bound * residentGroups(d, fn))); n < most {
			return Limit{Registers: n, why: launchBoundsLeave}
		}
	}
	return Limit{Registers: most, why: "a work item can have"}
}

const launchBoundsLeave = "__launch_bounds__ leaves"

// commonDevice has what launch bounds share out on every NVIDIA device from compute capability
// 3.5 on, but for those of which a compute unit holds fewer warps (CUDA C++ Programming Guide,
// Technical Specifications; registers are handed out to warps in units of 256).
var commonDevice = latencies.Device{WarpSize: 32, Limits: latencies.Limits{Warps: 64, Registers: 65536,
	RegistersPerItem: 255, RegisterUnit: 256}}

// residentItems is how many work items the wavefronts have that the SIMDs of which a group
// has the registers are to have room for by HIP's __launch_bounds__ (HIP programming guide: its
// second argument is amdgpu_waves_per_eu).
func residentItems(d *latencies.Device, fn *ast.Function) int64 {
	simds := int64(max(d.Partitions, 1))
	if l := &d.Limits; l.RegistersPerGroup > l.Registers && l.Registers > 0 { // both compute units of a WGP
		simds *= l.RegistersPerGroup / l.Registers
	}
	return fn.MinResident * simds * int64(d.WarpSize)
}

// CheckLaunchBounds tells of launch bounds that the compiler (0 = nvcc) ignores, as a compute
// unit holds fewer warps than they ask for; nil if there is nothing to say. The device may be nil.
func CheckLaunchBounds(d *latencies.Device, compiler unroll.Compiler, fn *ast.Function) *diag.Error {
	if d == nil {
		d = &commonDevice
	}
	if compiler != 0 && compiler != unroll.NVCC || fn.MinResident <= 1 || residentGroups(d, fn) > 1 {
		return nil
	}
	return diag.Warningf(fn.Pos, "LAUNCH", "__launch_bounds__ asks for %d groups of %d work items on a compute unit, "+
		"which holds %d warps: nvcc ignores their number",
		fn.MinResident, fn.MaxWorkItems, d.Limits.Warps)
}

// residentGroups is how many groups of the largest size nvcc leaves registers for: one, or
// as many as the second argument of __launch_bounds__ says, which it ignores if a compute unit
// does not hold so many warps (CUDA C++ Programming Guide, Launch Bounds; PTX ISA, .minnctapersm).
func residentGroups(d *latencies.Device, fn *ast.Function) int64 {
	warp := int64(max(d.WarpSize, 1))
	warps := (fn.MaxWorkItems + warp - 1) / warp
	if n := fn.MinResident; n > 0 && (d.Limits.Warps == 0 || n <= d.Limits.Warps/warps) {
		return n
	}
	return 1
}

// checkSpills tells of registers that compiled code has no room for, nil: all fit. The graph is that of the code.
func checkSpills(c *machine.Code, g *idg.Graph, limit Limit) *diag.Error {
	r := &c.Resources
	if r.SpillBytes == 0 {
		return nil
	}
	s := g.Spills()
	e := diag.Notef(c.Pos, "REGISTERS", "the %d registers that %s do not hold all values; the others are spilled: %d "+
		"bytes of private memory per work item, %d stores and %d loads of a group's warps", r.Registers, limit.why,
		s.Bytes, s.Stores, s.Loads)
	if s.Stores+s.Loads > 0 {
		return e.WithNote("at %s", s.At())
	}
	return e
}
