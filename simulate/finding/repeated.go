package finding

import (
	"fmt"

	"gpupipe/idg"
	"gpupipe/idg/isa"
	"gpupipe/simulate/remedy"
)

// repeatedLoads: a warp loads bytes again that it had in registers, as another work item may have changed them
// before a barrier.
func repeatedLoads(r *Run) ([]trial, error) {
	return r.again(true, func(buffer string, share float64) Finding {
		return Finding{
			What:   fmt.Sprintf("the same values of %s are loaded again and again", buffer),
			Proof:  fmt.Sprintf("%.0f%% of the sectors were loaded by the same warp before", 100*share),
			Remedy: "load them once, before the loop, into variables; behind a barrier the compiler may not keep what it has loaded",
		}
	})
}

// restrict: likewise, as a store through another pointer may have changed them.
func restrict(r *Run) ([]trial, error) {
	return r.again(false, func(buffer string, share float64) Finding {
		return Finding{
			What:   fmt.Sprintf("the compiler loads %s again, since a store through another pointer may have changed it", buffer),
			Proof:  fmt.Sprintf("%.0f%% of the sectors were loaded by the same warp before", 100*share),
			Remedy: "declare the pointers restrict (__restrict__), or load into a variable before the loop",
		}
	})
}

// again has a trial for each buffer of which a warp loads more of the same sectors than it does where it walks through
// neighbouring elements, in kernels with barriers or without them.
func (r *Run) again(behindBarriers bool, describe func(buffer string, share float64) Finding) (out []trial, err error) {
	if r.hasBarriers() != behindBarriers || !behindBarriers && !r.storesGlobally() {
		return nil, nil
	}
	type site struct {
		buffer string
		pos    idg.Pos
	}
	classes := map[site]map[idg.Instr]bool{}
	sectors, again := map[site]int64{}, map[site]int64{}
	var order []site
	for i := range r.Graph.Locality {
		l := &r.Graph.Locality[i]
		in := r.Graph.Instr(l.Instr)
		a := r.Graph.Access(in.Access)
		if a == nil || a.Space != idg.SpaceGlobal || in.Operation().Verb != isa.Load {
			continue
		}
		s := site{a.Buffer, in.Pos}
		if classes[s] == nil {
			classes[s] = map[idg.Instr]bool{}
			order = append(order, s)
		}
		classes[s][*in] = true
		sectors[s] += l.Sectors
		for _, x := range l.Warp {
			again[s] += x.Sectors
		}
	}
	for _, s := range order {
		width := 0
		for in := range classes[s] {
			width = max(width, int(r.Graph.Access(in.Access).Width))
		}
		share := float64(again[s]) / float64(sectors[s])
		if walk := 1 - float64(width)/float64(r.Graph.SectorBytes()); share <= walk {
			continue
		}
		f := describe(s.buffer, share)
		f.Pos = s.pos
		pick := func(in *idg.Instr) bool { return classes[s][*in] }
		if out, err = r.remedied(out, f, remedy.Change{Kind: remedy.Removed, Pick: pick}); err != nil {
			return nil, err
		}
	}
	return out, nil
}

func (r *Run) hasBarriers() bool {
	for _, i := range r.executed() {
		if r.Graph.Instrs()[i].IsBarrier() {
			return true
		}
	}
	return false
}

func (r *Run) storesGlobally() bool {
	for _, i := range r.executed() {
		in := &r.Graph.Instrs()[i]
		if a := r.Graph.Access(in.Access); a != nil && a.Space == idg.SpaceGlobal && in.IsStore() {
			return true
		}
	}
	return false
}
