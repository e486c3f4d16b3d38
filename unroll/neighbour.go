package unroll

import (
	"slices"

	"gpupipe/idg"
	"gpupipe/unroll/locality"
	"gpupipe/unroll/trace"
)

// neighbour is another group of the launch. While a warp is resolved it is proved, where it
// is so, that the same warp of the neighbour does the same with accesses that are
// moved by constants: the step from group to group is a period of a proof, the outermost
// one, that is followed for the whole kernel. Most kernels compute little from group
// ids, so that this costs far less than resolving that warp, too.
type neighbour struct {
	group [3]int64
	proof *proof
}

// compare begins the proofs for some groups, before anything is executed.
func (r *resolver) compare(groups [][3]int64) {
	for _, g := range groups {
		r.neighbours = append(r.neighbours, neighbour{g, &proof{lanes: r.warpMask, limit: unlimited, elsewhere: true}})
	}
	r.listen()
}

// differs follows the result of a work-item function, which is another in other groups.
func (r *resolver) differs(v *value, fn string, dim int) {
	for _, n := range r.neighbours {
		var by [maxLanes]int64
		v.known.each(func(l int) { by[l] = int64(r.laneID(n.group, fn, dim, l) - r.laneID(r.opt.group, fn, dim, l)) })
		n.proof.set(v, &by)
	}
}

// place names a warp of the launch.
type place struct {
	group [3]int64
	warp  uint32
}

// proved is a resolved warp, and by how many bytes the accesses of the warp of another
// group have moved that does the same.
type proved struct {
	own   *locality.Warp
	moves []int64
}

// neighboursOf notes the warps of other groups that do the same as a resolved one; named are the
// names of its accesses.
func (u *reuse) neighboursOf(r *resolver, own *locality.Warp, named []trace.TouchID) {
	for _, n := range r.neighbours {
		if n.proof.lost() {
			continue
		}
		p := proved{own, make([]int64, len(named))}
		for i, t := range named {
			p.moves[i] = n.proof.moves[t-1]
		}
		u.proved[place{n.group, r.warp}] = p
	}
}

// fewWarps is up to how many warps of a group all are compared with other groups. Of
// more the analysis asks for few, as long as accesses move by constants.
const fewWarps = 4

// next chooses the groups with which the i-th of n warps is compared: those that the
// first one has led to, unless nobody is likely to ask.
func (u *reuse) next(i, n int) {
	if u == nil || i == 0 {
		return
	}
	all := comparedGroups(u.opt)
	u.compared = slices.DeleteFunc(slices.Clone(all), func(g [3]int64) bool {
		_, ok := u.proved[place{g, u.warps[0].Number}]
		return !ok
	})
	if n > fewWarps && i < n-1 && len(u.compared) == len(all) {
		u.compared = nil
	}
}

// warp is the warp of the other group.
func (p proved) warp() locality.Warp {
	w := *p.own
	w.Touches = make([]locality.Touch, len(p.moves))
	for i, t := range p.own.Touches {
		w.Touches[i] = locality.Touch{At: t.At, Shape: t.Shape, Start: t.Start + p.moves[i]}
	}
	return w
}

// comparedGroups lists the groups that resolved warps are compared with.
func comparedGroups(opt Options) [][3]int64 {
	if opt.Locality != LaunchLocality {
		return nil
	}
	return locality.Compared(idg.Launch{Local: opt.Local, Groups: opt.Groups, WarpSize: opt.WarpSize}, opt.group)
}
