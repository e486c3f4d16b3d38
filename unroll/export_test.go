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

// Skipped is how many instructions of warp 0 are counted without being executed.
func Skipped(k *lower.Kernel, opt Options) (int64, error) {
	opt, err := opt.forKernel(k)
	if err != nil {
		return 0, err
	}
	b := idg.NewBuilder()
	r, err := resolveWarp(analyse(k), opt, b, 0, map[lower.ObjectID]bool{}, nil)
	if err != nil {
		return 0, err
	}
	return r.trace.skipped, nil
}
