package generate

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

// dimensionsOf finds the dimensions of the ids that a kernel uses. A rank in the group
// says nothing about them: it is computed from the ids of all dimensions in groups of any. Nor does
// block.thread_index().x, which reads all ids.
func dimensionsOf(k *lower.Kernel) launchDimensions {
	d := launchDimensions{items: 1, groups: 1}
	var ranks rankReads
	used := usedRegisters(k)
	lower.Walk(k.Body, func(s lower.Stmt) {
		if in, ok := s.(*lower.Instr); ok && in.Op == lower.Index {
			ranks.add(in)
		}
	})
	lower.Walk(k.Body, func(s lower.Stmt) {
		in, ok := s.(*lower.Instr)
		if !ok || in.Op != lower.Index || ranks.complete(in.Pos) || !used[in.Dsts[0]] {
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

// usedRegisters are those that anything but a copy, to a register that is not used, reads.
func usedRegisters(k *lower.Kernel) []bool {
	used := make([]bool, len(k.Regs)+1)
	copies := map[lower.Reg][]lower.Reg{} // by where to
	var use func(r lower.Reg)
	use = func(r lower.Reg) {
		if r == 0 || used[r] {
			return
		}
		used[r] = true
		for _, from := range copies[r] {
			use(from)
		}
	}
	lower.Walk(k.Body, func(s lower.Stmt) {
		if in, ok := s.(*lower.Instr); ok && isCopy(in) && in.Args[0].Reg != 0 {
			copies[in.Dsts[0]] = append(copies[in.Dsts[0]], in.Args[0].Reg)
		}
	})
	lower.Walk(k.Body, func(s lower.Stmt) {
		switch s := s.(type) {
		case *lower.Instr:
			if !isCopy(s) {
				for _, a := range s.Args {
					use(a.Reg)
				}
			}
		case *lower.If:
			use(s.Cond.Reg)
		case *lower.Loop:
			use(s.CondValue.Reg)
		case *lower.Switch:
			use(s.Value.Reg)
		}
	})
	return used
}

func isCopy(in *lower.Instr) bool {
	return (in.Op == lower.Mov || in.Op == lower.Convert || in.Op == lower.Bitcast) && len(in.Dsts) == 1 && len(
		in.Args) == 1
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
