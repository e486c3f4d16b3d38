package finding

import (
	"fmt"

	"gpupipe/idg"
	"gpupipe/simulate/remedy"
)

// spills: the registers' accesses are removed.
func spills(r *Run) ([]trial, error) {
	var first *idg.Instr
	n, most := int64(0), int64(0)
	for i := range r.Result.Classes {
		c := &r.Result.Classes[i]
		if !r.isSpill(c.Instr) {
			continue
		}
		if n += c.Issued; c.Issued > most {
			first, most = c.Instr, c.Issued
		}
	}
	if first == nil {
		return nil, nil
	}
	return r.remedied(nil, Finding{
		Pos:  first.Pos,
		What: "registers are spilled to memory",
		Proof: fmt.Sprintf("%d bytes per work item; %.2g%% of all instructions store or load them",
			r.Graph.Resources.SpilledBytes, 100*float64(n)/float64(r.Result.Issued)),
		Remedy: "use fewer variables at once, a smaller unroll factor, or allow more registers (__launch_bounds__, " +
			"-maxrregcount)",
	}, remedy.Change{Kind: remedy.Removed, Pick: r.isSpill})
}

func (r *Run) isSpill(in *idg.Instr) bool {
	a := r.Graph.Access(in.Access)
	return a != nil && a.Buffer == idg.SpillBuffer
}
