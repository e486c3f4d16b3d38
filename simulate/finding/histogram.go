package finding

import (
	"fmt"
	"strings"

	"gpupipe/idg"
	"gpupipe/idg/isa"
	"gpupipe/simulate/remedy"
)

// mostBins is how many bytes of bins a group can have of its own: what all devices have of local memory.
const mostBins = 16 << 10

// histogram: atomics on a part of global memory that fits in local memory, as an index of unsigned char reaches 256
// bins. Each group counts for itself, and adds its bins to the others' at its end (CUDA Samples, histogram256).
func histogram(r *Run) (out []trial, err error) {
	seen := map[string]bool{}
	for _, i := range r.executed() {
		in := &r.Graph.Instrs()[i]
		a := r.Graph.Access(in.Access)
		if !isBins(in, a) || seen[a.Buffer] {
			continue
		}
		seen[a.Buffer] = true
		pick := func(x *idg.Instr) bool {
			b := r.Graph.Access(x.Access)
			return isBins(x, b) && b.Buffer == a.Buffer
		}
		spared, _, _ := r.spared()
		// of all bins of a group: at its end each is added to the others'
		perBin := max(1, float64(coarsening*r.Graph.Launch.WorkItems()*int64(a.Width))/float64(a.Within))
		out, err = r.remedied(out, Finding{
			Pos: in.Pos,
			What: fmt.Sprintf("histogram in global memory: the atomics of all groups meet on %d words of %s",
				a.Within/int64(max(1, a.Width)), a.Buffer),
			Proof: fmt.Sprintf("the subscript reaches %d bytes, which fit in local memory", a.Within),
			Remedy: fmt.Sprintf("count in an array of the group in local memory, and add it to global memory once at "+
				"its end; let each work item go through several elements, so that this is rare (simulated for %d)",
				coarsening),
		}, remedy.Change{Kind: remedy.Removed, Pick: func(x *idg.Instr) bool { return spared[*x] }},
			remedy.Change{Kind: remedy.Hidden, Pick: func(x *idg.Instr) bool {
				b := r.Graph.Access(x.Access)
				return b != nil && b.Space == idg.SpaceGlobal && x.Operation().Verb == isa.Load
			}}, remedy.Change{Kind: remedy.Tiled, Times: perBin, Pick: pick, As: inLocalMemory})
		if err != nil {
			return nil, err
		}
	}
	return out, nil
}

// isBins reports whether an instruction is an atomic on a few words of global memory.
func isBins(in *idg.Instr, a *idg.Access) bool {
	return a != nil && a.Space == idg.SpaceGlobal && in.Operation().Verb == isa.Atomic && a.Within > 0 &&
		a.Within <= mostBins && !a.Same
}

// inLocalMemory is an access to global memory as one to local memory.
func inLocalMemory(in idg.Instr, a *idg.Access) (idg.Instr, *idg.Access) {
	own := *a
	own.Space = idg.SpaceLocal
	in.Op = strings.Replace(in.Op, ".global", ".local", 1)
	return in, &own
}
