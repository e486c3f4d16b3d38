package finding

import (
	"fmt"

	"gpupipe/idg"
	"gpupipe/simulate"
	"gpupipe/simulate/remedy"
)

// privateArrays: arrays of a work item whose subscripts the compiler does not know are in memory (CUDA C++ Programming
// Guide, local memory). They would be in registers.
func privateArrays(r *Run) ([]trial, error) {
	arrays := r.partOf(func(c *simulate.ClassUse) bool { return r.isPrivateArray(c.Instr) })
	if arrays.top == nil {
		return nil, nil
	}
	return r.remedied(nil, Finding{
		Pos: arrays.top.Pos,
		What: fmt.Sprintf("%s of each work item is in memory, as its subscripts are not known at compile time",
			and(arrays.buffers)),
		Proof: fmt.Sprintf("%.2g%% of all instructions load or store it: %d bytes of private memory",
			100*float64(arrays.issued)/float64(r.Result.Issued), r.Graph.Resources.PrivateBytes),
		Remedy: "subscripts that are constants once loops are unrolled (constant trip counts, #pragma unroll), so " +
			"that registers hold it, or a local array with an element for each work item",
	}, remedy.Change{Kind: remedy.Removed, Pick: r.isPrivateArray})
}

func (r *Run) isPrivateArray(in *idg.Instr) bool {
	a := r.Graph.Access(in.Access)
	return a != nil && a.Space == idg.SpacePrivate && a.Buffer != idg.SpillBuffer
}
