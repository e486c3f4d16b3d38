package finding

import (
	"fmt"
	"slices"

	"gpupipe/idg"
	"gpupipe/simulate/remedy"
)

// bankConflicts: V16 2.6. In constant memory different words are in each other's way (CUDA C++ Programming Guide
// 5.3.2). Those of one buffer have one cause.
func bankConflicts(r *Run) (out []trial, err error) {
	sites := slices.DeleteFunc(r.sites(remedy.ConflictFree), func(s site) bool { return r.isIndirect(s.in) })
	for _, sites := range grouped(sites, func(s *site) string { return s.access.Buffer }) {
		top, does, at := r.described(sites)
		f := r.conflict(top, does)
		f.Pos, f.Proof = top.in.Pos, several(f.Proof, at)
		if out, err = r.remedied(out, f, remedy.Change{Kind: remedy.ConflictFree, Pick: r.any(sites)}); err != nil {
			return nil, err
		}
	}
	return out, nil
}

// conflict describes one site of several that do something.
func (r *Run) conflict(s *site, does string) Finding {
	switch {
	case s.access.Space == idg.SpaceConstant:
		return Finding{
			What: fmt.Sprintf("constant memory by lane: the lanes of a warp read %d different words of %s",
				s.entry.Transactions, s.access.Buffer),
			Proof: fmt.Sprintf("%d reads of the constant cache instead of 1", s.entry.Transactions),
			Remedy: fmt.Sprintf("keep %s in global or local memory, or subscript it by what is the same for "+
				"all lanes", s.access.Buffer),
		}
	case r.Mapping.Device.Memory.Banks().Misaligned(s.access):
		return Finding{
			What: fmt.Sprintf("misaligned access: the lanes of a warp %s, %d bytes each, at addresses that "+
				"are no multiple of 8", does, s.access.Width),
			Proof: fmt.Sprintf("%d passes, one or two for each lane, instead of %d", s.entry.Transactions,
				s.entry.Least),
			Remedy: "compile with clang 15 or later, which accesses neighbours word by word (--compiler " +
				"clang-15), or have each work item begin at a multiple of 8 bytes",
		}
	}
	degree := (s.entry.Transactions + s.entry.Least - 1) / s.entry.Least
	return Finding{
		What:  fmt.Sprintf("%d-way bank conflict: the lanes of a warp %s%s", degree, does, s.apart()),
		Proof: fmt.Sprintf("%d passes over the banks instead of %d", s.entry.Transactions, s.entry.Least),
		Remedy: fmt.Sprintf("pad the rows of %s (by one element where lanes read a column), or let neighbouring "+
			"work items access neighbouring elements", s.access.Buffer),
	}
}
