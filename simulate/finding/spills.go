package finding

import (
	"fmt"

	"gpupipe/idg"
	"gpupipe/simulate"
	"gpupipe/simulate/remedy"
)

// spills: the registers' accesses are removed; where a bound on the resident groups makes the compiler spill, the code
// without it is simulated.
func spills(r *Run) ([]trial, error) {
	spilled := r.partOf(func(c *simulate.ClassUse) bool { return r.isSpill(c.Instr) })
	if spilled.top == nil {
		return nil, nil
	}
	f := Finding{
		Pos:  spilled.top.Pos,
		What: "registers are spilled to memory",
		Proof: fmt.Sprintf("%d bytes per work item; %.2g%% of all instructions store or load them",
			r.Graph.Resources.SpilledBytes, 100*float64(spilled.issued)/float64(r.Result.Issued)),
		Remedy: fmt.Sprintf("use fewer variables at once, a smaller unroll factor, or allow more registers (%s)",
			r.called("smaller reqd_work_group_size, -cl-nv-maxrregcount", "__launch_bounds__, -maxrregcount")),
	}
	fit := r.Mapping.Device.GroupsByRegisters(r.Result.WarpsPerGroup, int64(r.Graph.Resources.Unbounded))
	bound := r.Graph.Resources.Unbounded > 0 && fit > 0 && fit < r.Result.ConcurrentGroups
	if bound {
		f.What = "__launch_bounds__ is met by spilling registers to memory"
		f.Remedy = fmt.Sprintf("ask for no more than %d groups of %d work items at once there, which leaves the %d "+
			"registers per work item that the code takes, or use fewer variables at once", fit,
			r.Graph.Launch.WorkItems(), r.Graph.Resources.Unbounded)
	}
	if bound && r.Graph.VariantOf(idg.Unbounded) != nil {
		return r.compiled(nil, idg.Unbounded, f, r.isSpill)
	}
	return r.remedied(nil, f, remedy.Change{Kind: remedy.Removed, Pick: r.isSpill})
}

func (r *Run) isSpill(in *idg.Instr) bool {
	a := r.Graph.Access(in.Access)
	return a != nil && a.Buffer == idg.SpillBuffer
}
