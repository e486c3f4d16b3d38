package finding

import (
	"fmt"
	"slices"

	"gpupipe/idg"
	"gpupipe/idg/isa"
	"gpupipe/simulate/remedy"
)

// repeatedLoads: a warp loads bytes again that it had in registers, as another work item may have changed them
// before a barrier.
func repeatedLoads(r *Run) ([]trial, error) {
	return r.repeated(behindBarrier, func(buffer string, share float64) Finding {
		return Finding{
			What:  fmt.Sprintf("the same values of %s are loaded again and again", buffer),
			Proof: fmt.Sprintf("%.0f%% of the sectors were loaded by the same warp before", 100*share),
			Remedy: "load them once, before the loop, into variables; behind a barrier the compiler may not keep " +
				"what it has loaded",
		}
	})
}

// restrict: likewise, as a store through another pointer may have changed them; and a value is stored again and again,
// as a load through another pointer may want it. The code with restrict is simulated, where there is some.
func restrict(r *Run) ([]trial, error) {
	const remedy = "declare the pointers restrict (__restrict__), or keep the value in a variable of its own"
	loads, err := r.repeated(behindStore, func(buffer string, share float64) Finding {
		return Finding{
			What: fmt.Sprintf("the compiler loads %s again, since a store through another pointer may have "+
				"changed it", buffer),
			Proof:  fmt.Sprintf("%.0f%% of the sectors were loaded by the same warp before", 100*share),
			Remedy: remedy,
		}
	})
	if err != nil {
		return nil, err
	}
	stores, err := r.repeated(aheadOfLoad, func(buffer string, share float64) Finding {
		return Finding{
			What: fmt.Sprintf("the compiler stores %s again and again, since a load through another pointer may "+
				"want it", buffer),
			Proof:  fmt.Sprintf("%.0f%% of the sectors were stored by the same warp before", 100*share),
			Remedy: remedy,
		}
	})
	return r.insteadOf(append(loads, stores...), idg.Restricted, err)
}

// repeated has a trial for each buffer of which a warp loads more of the same sectors than it does where it walks
// through neighbouring elements, or stores: at addresses that it has accessed before, with one reason between alone.
func (r *Run) repeated(reason reason, describe func(buffer string, share float64) Finding) (out []trial, err error) {
	reasons := r.reasons()
	picked, walks := map[string]map[idg.Instr]float64{}, map[string]float64{}
	sectors, again := map[string]int64{}, map[string]int64{}
	var buffers []string
	first := map[string]idg.Pos{}
	for i := range r.Graph.Locality {
		l := &r.Graph.Locality[i]
		why, in := reasons[l.Instr], r.Graph.Instr(l.Instr)
		a := r.Graph.Access(in.Access)
		if a == nil || a.Space != idg.SpaceGlobal {
			continue
		}
		before := int64(0)
		for _, x := range l.Warp {
			before += x.Sectors
		}
		sectors[a.Buffer] += l.Sectors
		again[a.Buffer] += before
		if why != reason {
			continue
		}
		if picked[a.Buffer] == nil {
			picked[a.Buffer], first[a.Buffer] = map[idg.Instr]float64{}, in.Pos
			buffers = append(buffers, a.Buffer)
		}
		picked[a.Buffer][*in] = float64(l.Sectors) / float64(max(1, l.Sectors-before))
		walks[a.Buffer] = max(walks[a.Buffer], 1-float64(a.Width)/float64(r.Graph.SectorBytes()))
	}
	for _, name := range buffers {
		share := float64(again[name]) / float64(sectors[name])
		if share <= walks[name] {
			continue
		}
		f := describe(name, share)
		f.Pos = first[name]
		pick := func(in *idg.Instr) bool { return picked[name][*in] > 0 }
		times := func(in *idg.Instr) float64 { return picked[name][*in] }
		if out, err = r.remedied(out, f, remedy.Change{Kind: remedy.Once, Pick: pick, Of: times}); err != nil {
			return nil, err
		}
	}
	return out, nil
}

// reason is what stands between two accesses of one address.
type reason uint8

const (
	aheadOfLoad reason = 1 << iota // of a store
	behindStore                    // of a load
	behindBarrier
)

// reasons are what stands between accesses of global memory that a warp executes again with an address of the same
// instructions.
func (r *Run) reasons() map[idg.InstrID]reason {
	if r.again == nil {
		r.again = map[idg.InstrID]reason{}
		for _, flat := range r.condensed() {
			r.addReasons(r.again, flat)
		}
	}
	return r.again
}

func (r *Run) addReasons(out map[idg.InstrID]reason, flat *idg.Flat) {
	type access struct {
		from                    []idg.NodeID // whose results the address, and of a store the value, are
		loads, stores, barriers int          // before
	}
	var now access
	last := map[idg.InstrID]access{}
	for v := range idg.NodeID(flat.Len()) {
		id := flat.Instr(v)
		in := r.Graph.Instr(id)
		a := r.Graph.Access(in.Access)
		load, store := in.Operation().Verb == isa.Load, in.IsStore()
		if in.IsBarrier() {
			now.barriers++
		}
		if a == nil || a.Space != idg.SpaceGlobal || !load && !store {
			continue
		}
		now.from = slices.Collect(dataOf(flat, v))
		was, ok := last[id]
		last[id] = now
		values := 0
		if store {
			values = 1
		}
		same := ok && len(was.from) == len(now.from) && differing(was.from, now.from) <= values
		switch {
		case !same:
		case now.barriers > was.barriers:
			out[id] |= behindBarrier
		case load && now.stores > was.stores:
			out[id] |= behindStore
		case store && now.loads > was.loads:
			out[id] |= aheadOfLoad
		}
		if load {
			now.loads++
		} else {
			now.stores++
		}
	}
}

// differing is how many of some nodes are not among others.
func differing(list, others []idg.NodeID) (n int) {
	for _, v := range list {
		if !slices.Contains(others, v) {
			n++
		}
	}
	return n
}
