package finding

import (
	"fmt"

	"gpupipe/idg"
	"gpupipe/idg/isa"
	"gpupipe/simulate/remedy"
)

// sameAddress: updates of one word wait for each other. One of a group's remains.
func sameAddress(r *Run) ([]trial, error) {
	return r.oneAddress(false, Finding{
		Remedy: "combine the values of a warp and a work group first (shuffles, local memory), then update once",
	})
}

// warpAggregation: likewise, of atomics whose result is used, as where work items reserve places in a list. One of a
// warp's remains: a lane adds what all want, and tells where their places begin (NVIDIA, CUDA Pro Tip: Optimized
// Filtering with Warp-Aggregated Atomics, 2014).
func warpAggregation(r *Run) ([]trial, error) {
	return r.oneAddress(true, Finding{
		Remedy: "let one lane of a warp update it for all: lanes that take part are counted (ballot, popcount; a " +
			"scan of other values than one), and a shuffle tells where the places of the warp begin",
	})
}

// oneAddress has a trial for each line of atomics at one address that are aggregated by warps, or by groups if their
// results are not used or the compiler aggregates warps already.
func (r *Run) oneAddress(byWarp bool, f Finding) (out []trial, err error) {
	for _, s := range r.sites(remedy.Spread) {
		combined := s.in.Operation().Has(isa.Combined)
		if byWarp != (r.used(&s) && !combined) {
			continue
		}
		of := r.Graph.Launch.WorkItems()
		switch {
		case byWarp:
			of = int64(r.Mapping.Device.WarpSize)
		case combined:
			of = r.Result.WarpsPerGroup
		}
		f.Pos = s.in.Pos
		f.What = fmt.Sprintf("atomics on %s update one address one after the other", s.access.Buffer)
		f.Proof = fmt.Sprintf("an instruction takes %.0f cycles, %.0f%% of them as updates of one address wait for "+
			"each other", s.entry.Timing.CPI.Float(), 100*s.entry.Turns.Float()/s.entry.Timing.CPI.Float())
		if v := r.Graph.VariantOf(idg.Combined); v != nil && !byWarp {
			return r.compiled(out, idg.Combined, f, s.all(r))
		}
		out, err = r.remedied(out, f, remedy.Change{Kind: remedy.Spread, Pick: s.all(r), Share: 1 / float64(of)})
		if err != nil {
			return nil, err
		}
	}
	return out, nil
}

// used reports whether something uses the result of a site's instructions.
func (r *Run) used(s *site) bool {
	f, pick := r.dataFlow(), s.all(r)
	for i := range r.Graph.Instrs() {
		if in := &r.Graph.Instrs()[i]; pick(in) && in.Access == s.in.Access && len(f.to[i]) > 0 {
			return true
		}
	}
	return false
}
