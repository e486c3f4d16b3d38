package main

import (
	"gpupipe/internal/diag"
	"gpupipe/lower"
)

// launchDimensions are those of a launch that a kernel asks about: one more than the highest
// dimension of its ids.
type launchDimensions struct {
	items  int // of the work items of a group
	groups int // of the groups, which may have more: blockIdx.y without threadIdx.y
}

// dimensionsOf finds the dimensions of the ids that a kernel reads. A rank in the group
// says nothing about them: it is computed from the ids of all dimensions in groups of any.
func dimensionsOf(k *lower.Kernel) launchDimensions {
	d := launchDimensions{items: 1, groups: 1}
	var ranks rankReads
	lower.Walk(k.Body, func(s lower.Stmt) {
		if in, ok := s.(*lower.Instr); ok && in.Op == lower.Index {
			ranks.add(in)
		}
	})
	lower.Walk(k.Body, func(s lower.Stmt) {
		in, ok := s.(*lower.Instr)
		if !ok || in.Op != lower.Index || ranks.complete(in.Pos) {
			return
		}
		n := min(in.Dim, 2) + 1
		switch in.Fn {
		case "get_local_id":
			d.items = max(d.items, n)
		case "get_global_id":
			d.items = max(d.items, n)
			d.groups = max(d.groups, n)
		case "get_group_id":
			d.groups = max(d.groups, n)
		}
	})
	d.groups = max(d.groups, d.items)
	return d
}

// rankReads collects, by position, what the rank in a group is computed from: one call
// (thread_rank, get_local_linear_id) that reads the ids and the sizes of all dimensions.
type rankReads map[diag.Pos]uint8

// rankComplete are the bits of local ids 0, 1 and 2 and of local sizes 0 and 1.
const rankComplete = 7 | 3<<3

func (r *rankReads) add(in *lower.Instr) {
	if *r == nil {
		*r = rankReads{}
	}
	switch in.Fn {
	case "get_local_id":
		(*r)[in.Pos] |= 1 << min(in.Dim, 2)
	case "get_local_size":
		(*r)[in.Pos] |= 1 << (3 + min(in.Dim, 2))
	}
}

func (r *rankReads) complete(pos diag.Pos) bool { return (*r)[pos]&rankComplete == rankComplete }
