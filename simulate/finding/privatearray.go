package finding

import (
	"fmt"

	"gpupipe/idg"
	"gpupipe/simulate/remedy"
)

// privateArrays: arrays of a work item whose subscripts the compiler does not know are in memory (CUDA C++ Programming
// Guide, local memory). They would be in registers.
func privateArrays(r *Run) ([]trial, error) {
	var first *idg.Instr
	var names []string
	n, most := int64(0), int64(0)
	seen := map[string]bool{}
	for i := range r.Result.Classes {
		c := &r.Result.Classes[i]
		if c.Issued == 0 || !r.isPrivateArray(c.Instr) {
			continue
		}
		if name := r.Graph.Access(c.Instr.Access).Buffer; !seen[name] {
			seen[name] = true
			names = append(names, name)
		}
		if n += c.Issued; c.Issued > most {
			first, most = c.Instr, c.Issued
		}
	}
	if first == nil {
		return nil, nil
	}
	return r.remedied(nil, Finding{
		Pos: first.Pos,
		What: fmt.Sprintf("%s of each work item is in memory, as its subscripts are not known at compile time",
			and(names)),
		Proof: fmt.Sprintf("%.2g%% of all instructions load or store it: %d bytes of private memory",
			100*float64(n)/float64(r.Result.Issued), r.Graph.Resources.PrivateBytes),
		Remedy: "subscripts that are constants once loops are unrolled (constant trip counts, #pragma unroll), so " +
			"that registers hold it, or a local array with an element for each work item",
	}, remedy.Change{Kind: remedy.Removed, Pick: r.isPrivateArray})
}

func (r *Run) isPrivateArray(in *idg.Instr) bool {
	a := r.Graph.Access(in.Access)
	return a != nil && a.Space == idg.SpacePrivate && a.Buffer != idg.SpillBuffer
}
