package finding

import (
	"fmt"

	"gpupipe/idg"
	"gpupipe/idg/isa"
	"gpupipe/simulate/cause"
	"gpupipe/simulate/remedy"
)

// coarsening is how many elements a work item does for which address arithmetic is done once.
const coarsening = 4

// issueBound: instructions take all issue slots, and many of them compute indices. With several
// elements for each work item they are executed once for all of them: of the instructions that compute
// integers, all but every fourth are removed.
func issueBound(r *Run) ([]trial, error) {
	if r.Causes.Busiest.Kind != cause.Issue || r.storesIntegers() {
		return nil, nil
	}
	removed, all, top := r.spared()
	if 2*all < r.Result.Issued || len(removed) == 0 {
		return nil, nil
	}
	return r.remedied(nil, Finding{
		symptom: true, Pos: top,
		What: "the issue limit is reached, mostly with instructions that compute indices",
		Proof: fmt.Sprintf("%.0f%% of all instructions; %.0f%% of the issue slots are used",
			100*float64(all)/float64(r.Result.Issued), 100*r.Result.IssueUtilization),
		Remedy: fmt.Sprintf("several elements for each work item, whose indices differ by a constant (simulated "+
			"for %d)", coarsening),
	}, remedy.Change{Kind: remedy.Removed, Pick: func(in *idg.Instr) bool { return removed[*in] }})
}

// spared are the instructions that compute indices without which several elements of a work item would do, how many
// there are with the others, and where most of them stand.
func (r *Run) spared() (removed map[idg.Instr]bool, all int64, top idg.Pos) {
	removed = map[idg.Instr]bool{}
	kept := int64(0)
	byLine := map[idg.Pos]int64{}
	for i := range r.Result.Classes {
		c := &r.Result.Classes[i]
		if c.Issued == 0 || !isIndexing(c.Instr) {
			continue
		}
		all += c.Issued
		line := c.Instr.Pos
		if byLine[line] += c.Issued; byLine[line] > byLine[top] {
			top = line
		}
		if kept+c.Issued > (all+coarsening-1)/coarsening {
			removed[*c.Instr] = true
		} else {
			kept += c.Issued
		}
	}
	return removed, all, top
}

// isIndexing reports whether an instruction computes integers or asks for the work item's number.
func isIndexing(in *idg.Instr) bool {
	switch in.Operation().Class() {
	case isa.Integer, isa.IndexClass:
		return in.Access == 0
	}
	return false
}

// storesIntegers reports whether a kernel stores integers that it computes.
func (r *Run) storesIntegers() bool {
	for _, i := range r.executed() {
		in := &r.Graph.Instrs()[i]
		a := r.Graph.Access(in.Access)
		if in.IsStore() && a != nil && a.Buffer != idg.SpillBuffer && in.Type != "" && in.Type[0] != 'f' {
			return true
		}
	}
	return false
}
