package finding

import (
	"fmt"
	"strings"

	"gpupipe/idg"
	"gpupipe/idg/isa"
)

// histogram: atomics on a part of global memory that fits in local memory, as an index of unsigned char reaches 256
// bins. Each group counts for itself, and adds its bins to the others' at its end (CUDA Samples, histogram256).
func histogram(r *Run) (out []trial, err error) {
	for _, i := range r.executed() {
		in := &r.Graph.Instrs()[i]
		a, own := r.Graph.Access(in.Access), r.Graph.VariantOf(idg.OwnBins)
		if own != nil && isBins(in, a) {
			return r.compiled(nil, idg.OwnBins, Finding{
				Pos: in.Pos,
				What: fmt.Sprintf("histogram in global memory: the atomics of all groups meet on %d words of %s",
					a.Within/int64(max(1, a.Width)), a.Buffer),
				Proof: fmt.Sprintf("the subscript reaches %d bytes, which fit in local memory", a.Within),
				Remedy: fmt.Sprintf("count in an array of the group in local memory, and add it to global memory "+
					"once at its end; let each work item go through several elements, so that this is rare "+
					"(simulated for %d groups)", own.Launch.TotalGroups()),
			}, func(in *idg.Instr) bool { return isBins(in, r.Graph.Access(in.Access)) })
		}
	}
	return nil, nil
}

// isBins reports whether an instruction is an atomic on a few words of global memory.
func isBins(in *idg.Instr, a *idg.Access) bool {
	return a != nil && a.IsBins() && in.Operation().Verb == isa.Atomic
}

// inLocalMemory is an access to global memory as one to local memory.
func inLocalMemory(in idg.Instr, a *idg.Access) (idg.Instr, *idg.Access) {
	own := *a
	own.Space = idg.SpaceLocal
	in.Op = strings.Replace(in.Op, ".global", ".local", 1)
	return in, &own
}
