package unroll

import (
	"slices"
	"strings"

	"gpupipe/internal/diag"
	"gpupipe/internal/target"
	"gpupipe/lower"
	"gpupipe/unroll/arithmetic"
	"gpupipe/unroll/trace"
)

// workItem returns a work-item id or launch size.
func (r *resolver) workItem(in *lower.Instr) *value {
	d := in.Dim
	if d < 0 || d > 2 {
		d = 2
	}
	var u uint64
	switch in.Fn {
	case "get_local_size":
		u = uint64(r.opt.Local[d])
		if r.opt.LocalKnown {
			return r.konst(in.Type, arithmetic.Canon(in.Type, u))
		}
		return r.launchValue(in, u)
	case "get_num_groups":
		return r.launchValue(in, uint64(r.opt.Groups[d]))
	case "get_global_size":
		return r.launchValue(in, uint64(r.opt.Groups[d]*r.opt.Local[d]))
	case "get_global_offset":
		return r.konst(in.Type, 0)
	case "get_work_dim":
		for i := range 3 {
			if r.opt.Local[i]*r.opt.Groups[i] > 1 {
				u = uint64(i)
			}
		}
		return r.launchValue(in, u+1)
	case "get_sub_group_size":
		return r.konst(in.Type, uint64(r.opt.WarpSize))
	case "get_num_sub_groups":
		items, warp := r.opt.Local[0]*r.opt.Local[1]*r.opt.Local[2], int64(r.opt.WarpSize)
		return r.launchValue(in, uint64((items+warp-1)/warp))
	}
	if strings.HasPrefix(in.Fn, "get_special_") {
		return r.specialRegister(in)
	}
	key := r.operationKey(in, nil)
	if r.opt.Optimises() {
		if e, ok := r.numbering.find(key); ok {
			return e.v
		}
	}
	v := r.workItemLanes(in, d)
	if r.silent == 0 && !(in.Fn == "get_group_id" && r.opt.Uniform == target.InScalarRegisters) {
		if in.Fn == "get_global_id" && r.opt.Optimises() {
			v.deps = r.globalID(in)
			key = r.operationKey(in, nil)
		} else {
			v.deps = r.produce(trace.Node{Op: "index.s32", Pos: in.Pos}, nil, nil)
		}
	}
	if r.opt.Optimises() {
		r.numbering.put(key, entry{v: v}, 0, r.level, true)
	}
	return v
}

// specialRegister reads a register of the machine of which nothing is known, such as a clock: anew each
// time.
func (r *resolver) specialRegister(in *lower.Instr) *value {
	v := r.newValue(in.Type)
	v.level, v.form = r.level, symbol(v)
	if in.Fn == "get_special_heap" && r.decisions.news(assumption{what: "heap"}) {
		r.decisions.assumed(diag.Notef(in.Pos, "ASSUMED-HEAP",
			"malloc and free are taken to need no time: what they take is not modelled").
			WithNote("allocate the memory before the launch and pass a buffer to have it modelled"))
	}
	if r.silent == 0 {
		v.deps = r.produce(trace.Node{Op: "index.s32", Pos: in.Pos}, nil, nil)
	}
	return v
}

// globalID records group * size + local, as compilers write a global id.
func (r *resolver) globalID(in *lower.Instr) []trace.NodeID {
	group, local := *in, *in
	group.Fn, local.Fn = "get_group_id", "get_local_id"
	size, id := r.workItem(&group).deps, r.workItem(&local).deps
	if !r.opt.ScalarUnit() {
		return r.produce(trace.Node{Op: "mad.s32", Pos: in.Pos}, trace.Union(size, id), nil)
	}
	product := r.produce(trace.Node{Op: "mul.s32", Pos: in.Pos}, size, nil)
	return r.produce(trace.Node{Op: "add.s32", Pos: in.Pos}, trace.Union(product, id), nil)
}

// workItemKey names a work-item function.
type workItemKey struct {
	fn  string
	dim int
	t   lower.Type
}

// workItemLanes returns a new value with a work-item function's results.
func (r *resolver) workItemLanes(in *lower.Instr, d int) *value {
	v := r.newValue(in.Type)
	v.from, v.known = fromWorkItem, r.warpMask
	v.form = symbol(v)
	key := workItemKey{in.Fn, d, in.Type}
	if w := r.workItems[key]; w != nil {
		v.u, v.lanes = w.u, w.lanes
		r.differs(v, in.Fn, d)
		return v
	}
	v.lanes = r.newLanes()
	for l := range v.lanes {
		v.lanes[l] = arithmetic.Canon(in.Type, r.laneID(r.opt.group, in.Fn, d, l))
	}
	r.compact(v)
	r.differs(v, in.Fn, d)
	r.workItems[key] = v
	return v
}

// launchValue returns a launch size: known to us, not to the compiler, and no
// instruction (it sits in constant memory or a special register).
func (r *resolver) launchValue(in *lower.Instr, u uint64) *value {
	key := r.operationKey(in, nil)
	if e, ok := r.numbering.find(key); ok {
		return e.v
	}
	v := r.newValue(in.Type)
	v.from, v.known, v.u = fromLaunch, r.warpMask, arithmetic.Canon(in.Type, u)
	v.form = symbol(v)
	r.numbering.put(slices.Clone(key), entry{v: v}, 0, r.level, true)
	return v
}

// laneID returns a work-item function's result for a lane of a group's warp. Work
// items are dealt to warps in order of their linear local id.
func (r *resolver) laneID(id [3]int64, fn string, d, lane int) uint64 {
	linear := int64(r.warp)*int64(r.opt.WarpSize) + int64(lane)
	l := r.opt.Local
	local := [3]int64{linear % l[0], linear / l[0] % l[1], linear / (l[0] * l[1])}
	group := id[d]
	switch fn {
	case "get_local_id":
		return uint64(local[d])
	case "get_group_id":
		return uint64(group)
	case "get_sub_group_local_id":
		return uint64(lane)
	case "get_sub_group_id":
		return uint64(r.warp)
	case "get_local_linear_id":
		return uint64(linear)
	case "get_global_linear_id":
		var global int64
		for i := 2; i >= 0; i-- {
			global = global*l[i]*r.opt.Groups[i] + id[i]*l[i] + local[i]
		}
		return uint64(global)
	}
	return uint64(group*l[d] + local[d])
}
