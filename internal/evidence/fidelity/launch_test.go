package fidelity

import (
	"gpupipe/frontend/ast"
	"gpupipe/lower"
	"gpupipe/unroll"
)

const warpSize = 32

// Launches of kernels that bring none, by dimension: small, so that loops over
// the whole of the data stay short.
var (
	defaultLocal  = [4][3]int64{1: {64, 1, 1}, 2: {16, 16, 1}, 3: {8, 8, 4}}
	defaultGroups = [4][3]int64{1: {4, 1, 1}, 2: {4, 4, 1}, 3: {4, 4, 4}}
)

// defaultItems is how many elements an integer argument stands for, for each
// work item of the first dimension: sizes of data are what most of them are, and
// some kernels work on two elements an item.
const defaultItems = 2

// launch is one kernel's launch, the same for both sides.
type launch struct {
	local, groups [3]int64
	known         bool             // the compiler knows the group size
	dynamic       int64            // bytes of dynamic local memory
	args          map[string]int64 // integers by parameter
}

// launchOf takes the launch from the kernel's directive, else the default.
func launchOf(fn *ast.Function, k *lower.Kernel) launch {
	dims := 1
	lower.Walk(k.Body, func(s lower.Stmt) {
		if in, ok := s.(*lower.Instr); ok && in.Op == lower.Index && in.Dim < 3 {
			dims = max(dims, in.Dim+1)
		}
	})
	l := launch{local: defaultLocal[dims], groups: defaultGroups[dims], args: map[string]int64{}}
	if fn.WorkGroupSize[0] > 0 {
		l.local, l.known = fn.WorkGroupSize, true
	}
	if d := fn.Launch; d != nil {
		for i := range 3 {
			l.local[i], l.groups[i] = at(d.Local, i), at(d.Groups, i)
			if d.Global != nil {
				l.groups[i] = at(d.Global, i) / l.local[i]
			}
		}
		l.dynamic = d.DynamicLocal
	}
	for _, p := range k.Params {
		if p.Type.IsInteger() {
			l.args[p.Name] = defaultItems * l.local[0] * l.groups[0]
		}
	}
	if d := fn.Launch; d != nil {
		for _, a := range d.Args {
			l.args[a.Name] = a.Value.Int
		}
	}
	return l
}

func at(sizes []int64, i int) int64 {
	if i < len(sizes) {
		return sizes[i]
	}
	return 1
}

// options is the launch for the resolver, as clang at -O3 compiles.
func (l launch) options(k *lower.Kernel) unroll.Options {
	opt := unroll.Options{
		Target: unroll.Target{Compiler: unroll.Clang}, Local: l.local, Groups: l.groups,
		DynamicLocal: l.dynamic,
		Warps:        unroll.FirstWarp, Args: map[string]unroll.ArgValue{},
	}
	for _, p := range k.Params {
		if v, ok := l.args[p.Name]; ok && p.Type.IsInteger() {
			opt.Args[p.Name] = unroll.ArgValue{Int: v}
		}
	}
	return opt
}
