package unroll

import (
	"slices"

	"gpupipe/idg"
	"gpupipe/idg/isa"
	"gpupipe/lower"
	"gpupipe/unroll/trace"
)

// Matrix instructions of warp groups (HGMMA, from compute capability 9.0 on). Each of the four warps executes one for
// its 16 rows, on the tensor core of its own sub-core. It is two nodes, since it keeps two things busy: ld.local.async,
// the warp's share of what the tensor cores read of local memory, and wgmma, which waits for it. b
// is read once for the four warps: at the published rates local memory cannot deliver it four times.
//
// Instructions that add to the same registers follow each other at the rate of the tensor core, which executes
// them in order: they wait for the one before to be issued, all others for it to complete.

const (
	wgmmaOp     = "wgmma"
	warpsShare  = 4  // warps of a warp group
	rowBytes    = 32 // of a row of a and of a column of b
	rowsPerWarp = 16
)

// groupMatMul executes a matrix instruction of a warp group.
func (r *resolver) groupMatMul(in *lower.Instr) {
	sums, factors := in.Sums()
	deps := r.depsOfAll(r.operands(factors))
	added := r.depsOfAll(r.operands(sums))
	var made []trace.NodeID
	if r.silent == 0 {
		var order []trace.NodeID
		for _, d := range added {
			if r.isGroupProduct(d) {
				order = append(order, d)
			} else {
				deps = trace.Union(deps, r.single(d))
			}
		}
		id := r.recordProduct(in, len(factors) == 2, slices.Clone(deps), order)
		r.copies.warps.open = append(r.copies.warps.open, id)
		made = []trace.NodeID{id}
	}
	for _, d := range in.Dsts {
		v := r.newValue(r.k.Reg(d).Type)
		v.level, v.deps = r.level, made
		v.form = symbol(v)
		r.set(d, v)
	}
}

// isGroupProduct reports whether a node is a matrix instruction of the warp group.
func (r *resolver) isGroupProduct(id trace.NodeID) bool {
	op, _ := r.trace.KindAt(int(id) - 1)
	return op.Verb == isa.WGMMA
}

// recordProduct records the instruction and what it reads: a is in local memory or in registers.
func (r *resolver) recordProduct(in *lower.Instr, local bool, deps, order []trace.NodeID) trace.NodeID {
	bytes := int64(in.Dim) * rowBytes / warpsShare
	if local {
		bytes += rowsPerWarp * rowBytes
	}
	mask := r.mask
	r.mask &= -r.mask // one reads for all
	a := LaneAccess{Space: idg.SpaceLocal, Width: bytes, Lanes: uint64(r.mask), Offsets: append(r.offsets[:0], 0),
		Pos: in.Pos}
	n := trace.Node{Op: loadOps[idg.SpaceLocal] + asyncSuffix, Type: lower.U8.String(), Pos: in.Pos, Flags: trace.Root,
		Access: r.context(0, a, true)}
	read := r.record(n, deps, nil)
	r.mask = mask
	n = trace.Node{Op: wgmmaOp + "." + in.Fn + "." + in.Type.String(), Pos: in.Pos, Flags: trace.Root}
	return r.record(n, trace.Union(deps, r.single(read)), order)
}

// warpGroup executes what makes groups of matrix instructions and waits for them; false: it is something else.
func (r *resolver) warpGroup(in *lower.Instr) bool {
	q := &r.copies.warps
	switch in.Fn {
	case "wgmma_fence":
		r.record(trace.Node{Op: "async.fence", Pos: in.Pos, Flags: trace.Root}, nil, nil)
	case "wgmma_commit":
		q.commit()
	case "wgmma_prior":
		r.record(trace.Node{Op: "async.wait", Pos: in.Pos, Flags: trace.Root | trace.Gate | trace.Waits},
			q.prior(r.newest(in, len(q.groups))), nil)
	default:
		return false
	}
	return true
}
