package finding

import (
	"fmt"

	"gpupipe/idg"
	"gpupipe/simulate/remedy"
)

// spills: the registers' accesses are removed.
func spills(r *Run) ([]trial, error) {
	var first *idg.Instr
	n := 0
	for _, i := range r.executed() {
		in := &r.Graph.Instrs()[i]
		if !r.isSpill(in) {
			continue
		}
		if first == nil {
			first = in
		}
		n++
	}
	if first == nil {
		return nil, nil
	}
	return r.remedied(nil, Finding{
		Pos:   first.Pos,
		What:  "registers are spilled to memory",
		Proof: fmt.Sprintf("%d places in the code store or load them", n),
		Remedy: "use fewer variables at once, a smaller unroll factor, or allow more registers (__launch_bounds__, " +
			"-maxrregcount)",
	}, remedy.Change{Kind: remedy.Removed, Pick: r.isSpill})
}

func (r *Run) isSpill(in *idg.Instr) bool {
	a := r.Graph.Access(in.Access)
	return a != nil && a.Buffer == idg.SpillBuffer
}
