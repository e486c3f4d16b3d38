// Package compile turns one typed kernel into machine code: the stages of the compiler in order. Compile is a
// pure function of the program and the target: it cannot see launch sizes, values of arguments, contents of
// buffers or warps.
package compile

import (
	"cmp"

	"gpupipe/lower"
	"gpupipe/lower/arrange"
	"gpupipe/lower/build"
	"gpupipe/lower/flow"
	"gpupipe/lower/ir"
	"gpupipe/lower/isel"
	"gpupipe/lower/machine"
	"gpupipe/lower/pass"
	"gpupipe/lower/profile"
)

// Options is what a compiler is told.
type Options struct {
	Target  *machine.Target
	Profile *profile.Profile
	Level   int // 0 or 2
	Unroll  map[int]int
	Machine machine.Options
	// Selected is asked whether to go on with selected instructions, which have no registers yet: its error, wrapped in
	// Stopped, ends the work. nil: go on.
	Selected func(*machine.Code) error
	Known    *arrange.Forms // of codes that were compiled before; nil: none are kept
}

// Stopped is the error of Options.Selected.
type Stopped struct{ error }

func (s Stopped) Unwrap() error { return s.error }

// IR compiles a kernel as far as a pass; "": all passes.
func IR(k *lower.Kernel, o *Options, after string) (*ir.Func, error) {
	f := build.Build(k)
	if after == "build" {
		return f, nil
	}
	c := &profile.Context{Profile: o.Profile, Unroll: o.Unroll, Source: o.Level == 0}
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
	return o.generate(f)
}

// Generate makes machine code of optimised IR: it selects instructions, schedules them, allocates registers
// and spills, and counts the resources. f is changed. Where registers keep warps from being resident, code that has
// all it can in registers of the warp is made as well, and taken where more warps are, or as many with less that is
// spilled: ptxas does so (nvcc 11.8, a
// loop with a counter that subscripts a constant table, and 4 to 40 sums: the counter is in a register of the warp
// from the number of sums on with which it has 40 registers instead of 32).
func Generate(f *ir.Func, t *machine.Target, o *machine.Options) (*machine.Code, error) {
	return (&Options{Target: t, Machine: *o}).generate(f)
}

func (o *Options) generate(f *ir.Func) (*machine.Code, error) {
	c, err := o.arranged(f, &o.Machine)
	if err != nil || !o.Target.Has("uniform") || !c.Bound(&o.Machine) && c.Resources.SpillBytes == 0 ||
		!flow.Analyse(f, o.Target).Relievable() { // the same would be selected
		return c, err
	}
	relieved := o.Machine
	relieved.Relieve = true
	r, err := o.arranged(f, &relieved)
	if err == nil && cmp.Or(cmp.Compare(r.Warps(&o.Machine), c.Warps(&o.Machine)),
		cmp.Compare(c.Resources.SpillBytes, r.Resources.SpillBytes)) > 0 {
		return r, nil
	}
	return c, err
}

func (o *Options) arranged(f *ir.Func, m *machine.Options) (*machine.Code, error) {
	c, err := isel.Select(f, o.Target, m)
	if err != nil {
		return nil, err
	}
	if o.Selected != nil {
		if err := o.Selected(c); err != nil {
			return nil, Stopped{err}
		}
	}
	if err := arrange.Code(c, m, o.Known); err != nil {
		return nil, err
	}
	return c, nil
}
