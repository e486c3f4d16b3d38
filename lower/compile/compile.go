// Package compile turns one typed kernel into machine code: the stages of the compiler in order. Compile is a
// pure function of the program and the target: it cannot see launch sizes, values of arguments, contents of
// buffers or warps.
package compile

import (
	"cmp"

	"gpupipe/lower"
	"gpupipe/lower/build"
	"gpupipe/lower/ir"
	"gpupipe/lower/isel"
	"gpupipe/lower/machine"
	"gpupipe/lower/pass"
)

// Options is what a compiler is told.
type Options struct {
	Target  *machine.Target
	Profile *pass.Profile
	Level   int // 0 or 2
	Unroll  map[int]int
	Machine machine.Options
}

// IR compiles a kernel as far as a pass; "": all passes.
func IR(k *lower.Kernel, o *Options, after string) (*ir.Func, error) {
	f := build.Build(k)
	if after == "build" {
		return f, nil
	}
	c := &pass.Context{Profile: o.Profile, Unroll: o.Unroll, Source: o.Level == 0,
		Virtual: o.Target != nil && o.Target.ISA == "ptx"}
	return f, pass.Run(f, c, after, nil)
}

// Compile compiles a kernel. Where nothing is compiled again nobody holds the tree while the passes run: of a long
// kernel it takes as much memory as the IR.
func Compile(k *lower.Kernel, o *Options) (*machine.Code, error) {
	if o.Machine.MinGroups <= 1 {
		return once(k, o)
	}
	c, err := once(k, o)
	if err == nil && c.Resources.SpillBytes > 0 {
		free := *o
		free.Machine.MinGroups = 0
		var unbound *machine.Code
		if unbound, err = once(k, &free); err == nil && unbound.Resources.SpillBytes < c.Resources.SpillBytes {
			c.Resources.Unbounded = unbound.Resources.Registers
		}
	}
	return c, err
}

func once(k *lower.Kernel, o *Options) (*machine.Code, error) {
	f, err := IR(k, o, "")
	if err != nil {
		return nil, err
	}
	return Generate(f, o.Target, &o.Machine)
}

// Generate makes machine code of optimised IR: it selects instructions, schedules them, allocates registers
// and spills, and counts the resources. f is changed. Where registers keep warps from being resident, code that has
// all it can in registers of the warp is made as well, and taken where more warps are, or as many with less that is
// spilled: ptxas does so (nvcc 11.8, a
// loop with a counter that subscripts a constant table, and 4 to 40 sums: the counter is in a register of the warp
// from the number of sums on with which it has 40 registers instead of 32).
func Generate(f *ir.Func, t *machine.Target, o *machine.Options) (*machine.Code, error) {
	c, err := generate(f, t, o)
	if err != nil || !t.Has("uniform") || !c.Bound(o) && c.Resources.SpillBytes == 0 {
		return c, err
	}
	relieved := *o
	relieved.Relieve = true
	r, err := generate(f, t, &relieved)
	if err == nil && cmp.Or(cmp.Compare(r.Warps(o), c.Warps(o)),
		cmp.Compare(c.Resources.SpillBytes, r.Resources.SpillBytes)) > 0 {
		return r, nil
	}
	return c, err
}

func generate(f *ir.Func, t *machine.Target, o *machine.Options) (*machine.Code, error) {
	c, err := isel.Select(f, t, o)
	if err != nil {
		return nil, err
	}
	if err := machine.Arrange(c, o); err != nil {
		return nil, err
	}
	return c, nil
}
