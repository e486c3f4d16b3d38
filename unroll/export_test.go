package unroll

import (
	"gpupipe/idg"
	"gpupipe/lower"
)

// What the tests of package unroll_test reach inside.
var (
	Binary    = binary
	Unary     = unary
	Convert   = convert
	TripCount = tripCount
	HalfBits  = halfBits
)

const Endless = endless

// ResolveOther resolves the warps of one group of the launch.
func ResolveOther(k *lower.Kernel, opt Options, group [3]int64) (*idg.Graph, error) {
	opt, err := opt.forKernel(k)
	if err != nil {
		return nil, err
	}
	opt.group = group
	b := idg.NewBuilder()
	warps, _ := warpsToResolve(opt)
	for _, w := range warps {
		if _, err := resolveWarp(analyse(k), opt, b, w, map[lower.ObjectID]bool{}, nil); err != nil {
			return nil, err
		}
	}
	return b.Build(idg.Header{Launch: idg.Launch{Local: opt.Local, Groups: opt.Groups, WarpSize: opt.WarpSize}})
}

// Skipped is how many instructions were counted without being executed.
func (r *Result) Skipped() int64 { return r.skipped }
