package executed

import (
	"slices"
	"strings"

	"gpupipe/idg"
	"gpupipe/lower"
	"gpupipe/unroll"
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
		Local: c.local, Groups: c.groups, LocalKnown: c.fn.WorkGroupSize[0] > 0,
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
	res, err := unroll.Resolve(c.lowered, opt)
	if err != nil {
		return n, err
	}
	for _, kind := range res.Graph.GroupKinds() {
		for id, times := range kind.Graph.GroupTally() {
			n.addInstr(res.Graph, &res.Graph.Instrs()[id], times*kind.Groups)
		}
	}
	return n, nil
}

var spaces = map[idg.Space]string{idg.SpaceGlobal: "global", idg.SpaceLocal: "local", idg.SpaceConstant: "constant",
	idg.SpacePrivate: "private"}

// addInstr adds a warp instruction that is executed so many times.
func (n *counts) addInstr(g *idg.Graph, in *idg.Instr, times int64) {
	items := times * int64(in.Lanes)
	name, rest, _ := strings.Cut(in.Op, ".")
	if a := g.Access(in.Access); a != nil {
		of := loadsOf
		switch {
		case name == "atomic":
			of = atomicsOf
		case a.Store:
			of = storesOf
		}
		n[of[spaces[a.Space]]] += items * int64(a.Width)
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
