package finding

import (
	"fmt"
	"strings"

	"gpupipe/idg"
	"gpupipe/latencies"
	"gpupipe/simulate/remedy"
)

// wordBytes is the size of a factor; narrower ones are loaded as one, too.
const wordBytes = 4

// localTraffic: both factors of multiply-adds, which are more loads than sums, are loaded from local memory, as where
// each work item computes one result of a product of matrices. A block of 2x2 results needs half of the loads, and half
// of the stores that fill the larger tile (Volkov, Better Performance at Lower Occupancy, GTC 2010).
func localTraffic(r *Run) ([]trial, error) { return r.factorTraffic(idg.SpaceLocal) }

// l1Traffic: likewise of global memory, where L1 serves the loads, as those of a filter.
func l1Traffic(r *Run) ([]trial, error) { return r.factorTraffic(idg.SpaceGlobal) }

// factorTraffic has the trial for factors in an address space: of global memory, those in L1.
func (r *Run) factorTraffic(space idg.Space) ([]trial, error) {
	var local []*idg.Instr
	words, products, sums, most := int64(0), int64(0), int64(0), int64(0)
	var pos idg.Pos
	for i := range r.Result.Classes {
		c := &r.Result.Classes[i]
		a := r.Graph.Access(c.Instr.Access)
		switch {
		case strings.HasPrefix(c.Instr.Op, "fma."):
			products, sums = products+c.Issued, sums+c.Issued
		case strings.HasPrefix(c.Instr.Op, "add.f"):
			sums += c.Issued
		case a == nil || a.Space != space || c.Issued == 0 || space == idg.SpaceGlobal && !inL1(c.Entry):
		case strings.HasPrefix(c.Instr.Op, "st."):
			local = append(local, c.Instr)
		case strings.HasPrefix(c.Instr.Op, "ld."):
			local, words = append(local, c.Instr), words+c.Issued*int64(max(a.Width, wordBytes)/wordBytes)
			if c.Issued > most {
				most, pos = c.Issued, c.Instr.Pos
			}
		}
	}
	if products == 0 || words*2 < sums*3 {
		return nil, nil
	}
	half := map[idg.Instr]bool{}
	for _, stores := range []bool{false, true} {
		drop := false
		for _, in := range local {
			if in.IsStore() == stores {
				half[*in] = drop
				drop = !drop
			}
		}
	}
	f := Finding{
		Pos:    pos,
		What:   "each value that is loaded from local memory is used for one result alone",
		Proof:  fmt.Sprintf("%.2g words of local memory for each multiply-add", float64(words)/float64(sums)),
		Remedy: "let each work item compute several results, such as 2x2, with what it has in registers",
	}
	if space == idg.SpaceGlobal {
		f.What = "each value that is loaded from global memory is used for one result alone"
		f.Proof = fmt.Sprintf("%.2g words from L1 for each multiply-add", float64(words)/float64(sums))
		f.Remedy += "; what all work items read at once can be in constant memory"
		f.after, f.symptom, f.floor = "tile", true, r.trafficSeconds()
	}
	return r.remedied(nil, f, remedy.Change{Kind: remedy.Removed,
		Pick: func(in *idg.Instr) bool { return half[*in] }})
}

// inL1 reports whether L1 serves most of an access, which takes no more transactions than it must.
func inL1(e *latencies.Entry) bool {
	return e.Served.L1 > e.Served.Total()/2 && (e.Least == 0 || e.Transactions <= 2*e.Least)
}
