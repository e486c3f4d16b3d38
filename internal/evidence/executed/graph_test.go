package executed

import (
	"slices"
	"strings"

	"gpupipe/frontend/ctypes"
	"gpupipe/idg"
	"gpupipe/lower"
	"gpupipe/lower/compile"
	"gpupipe/lower/machine"
	"gpupipe/lower/profile"
	"gpupipe/unroll"
	"gpupipe/unroll/walk"
)

// level is that of the optimisation, on both sides.
type level uint8

const (
	O0 level = iota + 1
	O2
)

func (l level) String() string { return [...]string{O0: "-O0", O2: "-O2"}[l] }

var levels = []level{O0, O2}

// resolve returns what the graph of a launch executes: that of every warp of every group.
func (c *kernelCase) resolve(l level) (n counts, err error) {
	opt := unroll.Options{
		Target: unroll.Target{Level: unroll.O2, Compiler: unroll.Clang}, Kinds: unroll.EdgeGroups,
		Local: c.local, Groups: c.groups,
		Args: map[string]unroll.ArgValue{}, Contents: map[string][]byte{},
	}
	if l == O0 {
		opt.Level, opt.Compiler = unroll.O0, unroll.NoCompiler
	}
	for _, a := range c.args {
		switch {
		case a.buffer && !a.local:
			opt.Contents[a.name] = a.data
		case !a.buffer:
			for _, p := range c.lowered.Params {
				if v, ok := a.component(p.Name); ok && p.Type != lower.Ptr {
					opt.Args[p.Name] = v
				}
			}
		case a.local:
			opt.DynamicLocal += int64(len(a.data))
		}
	}
	g, err := c.graph(opt)
	if err != nil {
		return n, err
	}
	for _, kind := range g.GroupKinds() {
		for id, times := range kind.Graph.GroupTally() {
			n.addInstr(c, g, &g.Instrs()[id], times*kind.Groups)
		}
	}
	return n, nil
}

// graph compiles the kernel and executes the code: what the source says at -O0, at -O2 code for a virtual machine that
// has functions as instructions, as SPIR has.
func (c *kernelCase) graph(opt unroll.Options) (*idg.Graph, error) {
	o := compile.Options{Level: 2, Machine: machine.Options{Accuracy: c.lowered.Accuracy}}
	target, compiler := "source", "clang-nvptx-14"
	if opt.Level == unroll.O0 {
		o.Level, target, compiler = 0, "source", "none"
	}
	var err error
	if o.Target, err = machine.LookupTarget(target); err != nil {
		return nil, err
	}
	if o.Profile, err = profile.Lookup(compiler); err != nil {
		return nil, err
	}
	code, err := compile.Compile(c.lowered, &o)
	if err != nil {
		return nil, err
	}
	if opt, err = opt.WithDefaults(); err != nil {
		return nil, err
	}
	g, _, err := walk.Execute(c.lowered, code, opt)
	return g, err
}

var spaces = map[idg.Space]string{idg.SpaceGlobal: "global", idg.SpaceLocal: "local", idg.SpaceConstant: "constant",
	idg.SpacePrivate: "private"}

// space is the address space of an access: buffers in constant memory are loaded as any other.
func (c *kernelCase) space(a *idg.Access) idg.Space {
	for _, p := range c.fn.Params {
		if p.Name == a.Buffer && p.Type.Kind == ctypes.Pointer && p.Type.Space == idg.SpaceConstant {
			return idg.SpaceConstant
		}
	}
	return a.Space
}

// addInstr adds a warp instruction that is executed so many times.
func (n *counts) addInstr(c *kernelCase, g *idg.Graph, in *idg.Instr, times int64) {
	items := times * int64(in.Lanes)
	name, rest, _ := strings.Cut(in.Op, ".")
	if a := g.Access(in.Access); a != nil {
		if a.Space == idg.SpaceConstant && a.Buffer == "" {
			return // a parameter, which is in a register for Oclgrind
		}
		of := loadsOf
		switch {
		case name == "atomic":
			of = atomicsOf
		case a.Store:
			of = storesOf
		}
		n[of[spaces[c.space(a)]]] += items * int64(a.Width)
		return
	}
	switch floating := strings.HasPrefix(rest, "f"); {
	case name == "barrier":
		n[barriers] += items
	case floating && slices.Contains([]string{"fma", "mad"}, name):
		n[arithmetic] += 2 * items
	case floating && slices.Contains([]string{"add", "sub", "mul"}, name):
		n[arithmetic] += items
	}
}
