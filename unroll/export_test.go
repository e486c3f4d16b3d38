package unroll

import (
	"gpupipe/idg"
	"gpupipe/lower"
	"gpupipe/unroll/locality"
)

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
		if _, err := resolveWarp(analyse(k), opt, b, w, homes{}, nil); err != nil {
			return nil, err
		}
	}
	return b.Build(idg.Header{Launch: idg.Launch{Local: opt.Local, Groups: opt.Groups, WarpSize: opt.WarpSize}})
}

// InMemory has every store of a loop executed.
func (o Options) InMemory() Options {
	o.inMemory = true
	return o
}

// Skipped is how many instructions of warp 0 are counted without being executed.
func Skipped(k *lower.Kernel, opt Options) (int64, error) {
	opt, err := opt.forKernel(k)
	if err != nil {
		return 0, err
	}
	b := idg.NewBuilder()
	r, err := resolveWarp(analyse(k), opt, b, 0, homes{}, nil)
	if err != nil {
		return 0, err
	}
	return r.trace.Skipped, nil
}

// Neighbours lists what warps of other groups touch, as proved while a group was
// resolved, and as found by resolving them.
func Neighbours(k *lower.Kernel, opt Options) (proved, resolved []locality.Warp, err error) {
	if opt, err = opt.forKernel(k); err != nil {
		return nil, nil, err
	}
	st, b, homes := analyse(k), idg.NewBuilder(), homes{}
	u := newReuse(st, opt, homes)
	warps, _ := warpsToResolve(opt)
	for _, w := range warps {
		if _, err := resolveWarp(st, opt, b, w, homes, u); err != nil {
			return nil, nil, err
		}
	}
	for at, p := range u.proved {
		w, err := u.resolve(at.group, at.warp)
		if err != nil {
			return nil, nil, err
		}
		proved, resolved = append(proved, p.warp()), append(resolved, w)
	}
	return proved, resolved, nil
}
