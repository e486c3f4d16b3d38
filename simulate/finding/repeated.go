package finding

import (
	"fmt"
	"maps"

	"gpupipe/idg"
	"gpupipe/idg/isa"
	"gpupipe/simulate/remedy"
)

// repeatedLoads: a warp loads bytes again that it had in registers, as another work item may have changed them
// before a barrier.
func repeatedLoads(r *Run) ([]trial, error) {
	return r.again(true, func(buffer string, share float64) Finding {
		return Finding{
			What:  fmt.Sprintf("the same values of %s are loaded again and again", buffer),
			Proof: fmt.Sprintf("%.0f%% of the sectors were loaded by the same warp before", 100*share),
			Remedy: "load them once, before the loop, into variables; behind a barrier the compiler may not keep " +
				"what it has loaded",
		}
	})
}

// restrict: likewise, as a store through another pointer may have changed them.
func restrict(r *Run) ([]trial, error) {
	return r.again(false, func(buffer string, share float64) Finding {
		return Finding{
			What: fmt.Sprintf("the compiler loads %s again, since a store through another pointer may have "+
				"changed it", buffer),
			Proof:  fmt.Sprintf("%.0f%% of the sectors were loaded by the same warp before", 100*share),
			Remedy: "declare the pointers restrict (__restrict__), or load into a variable before the loop",
		}
	})
}

// again has a trial for each buffer of which a warp loads more of the same sectors than it does where it walks through
// neighbouring elements, in kernels with barriers or without them.
func (r *Run) again(behindBarriers bool, describe func(buffer string, share float64) Finding) (out []trial, err error) {
	barriers, stores := r.perWarp((*idg.Instr).IsBarrier), r.perWarp(func(in *idg.Instr) bool {
		a := r.Graph.Access(in.Access)
		return a != nil && a.Space == idg.SpaceGlobal && in.IsStore()
	})
	type site struct {
		buffer string
		line   idg.Pos
	}
	at := map[site]idg.Pos{}
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
		s.line.Column = 0
		if classes[s] == nil {
			classes[s] = map[idg.Instr]bool{}
			at[s] = in.Pos
			order = append(order, s)
		}
		classes[s][*in] = true
		sectors[s] += l.Sectors
		for _, x := range l.Warp {
			again[s] += x.Sectors
		}
	}
	reason, other := barriers, stores
	if !behindBarriers {
		reason, other = stores, barriers
	}
	picked, loaded, known := map[string]map[idg.Instr]bool{}, map[string]int64{}, map[string]int64{}
	var buffers []string
	first := map[string]idg.Pos{}
	for _, s := range order {
		width := 0
		for in := range classes[s] {
			width = max(width, int(r.Graph.Access(in.Access).Width))
		}
		share := float64(again[s]) / float64(sectors[s])
		if walk := 1 - float64(width)/float64(r.Graph.SectorBytes()); share <= walk {
			continue
		}
		between := 1/(1-share+1e-9) - 1.5 // one of what is between two loads, and a half for rounding
		if reason < between || !behindBarriers && other >= between {
			continue
		}
		if picked[s.buffer] == nil {
			picked[s.buffer], first[s.buffer] = map[idg.Instr]bool{}, at[s]
			buffers = append(buffers, s.buffer)
		}
		maps.Copy(picked[s.buffer], classes[s])
		loaded[s.buffer] += sectors[s]
		known[s.buffer] += again[s]
	}
	for _, name := range buffers {
		f := describe(name, float64(known[name])/float64(loaded[name]))
		f.Pos = first[name]
		pick := func(in *idg.Instr) bool { return picked[name][*in] }
		if out, err = r.remedied(out, f, remedy.Change{Kind: remedy.Once, Pick: pick}); err != nil {
			return nil, err
		}
	}
	return out, nil
}

// perWarp is how many of the picked instructions a warp executes.
func (r *Run) perWarp(pick func(*idg.Instr) bool) float64 {
	n := int64(0)
	for i := range r.Result.Classes {
		if c := &r.Result.Classes[i]; pick(c.Instr) {
			n += c.Issued
		}
	}
	return float64(n) / float64(r.Result.Groups*r.Result.WarpsPerGroup)
}
