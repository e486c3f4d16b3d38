package finding

import (
	"fmt"

	"gpupipe/idg"
	"gpupipe/latencies"
	"gpupipe/simulate/remedy"
)

// site is the accesses of one buffer in one line: the one with the most transactions stands for them.
type site struct {
	in     *idg.Instr
	access *idg.Access
	entry  *latencies.Entry
}

// sites are the accesses that a kind of remedy improves, one for each line and buffer, in the order of the graph.
func (r *Run) sites(k remedy.Kind) []site {
	type key struct {
		file   string
		line   int
		buffer string
		store  bool
	}
	at := map[key]int{}
	var out []site
	for _, i := range r.executed() {
		in, e := &r.Graph.Instrs()[i], &r.Mapping.Entries[i]
		a := r.Graph.Access(in.Access)
		if a == nil || !k.Improves(e) {
			continue
		}
		place := key{in.Pos.File, in.Pos.Line, a.Buffer, in.IsStore()}
		n, ok := at[place]
		if !ok {
			at[place] = len(out)
			out = append(out, site{in, a, e})
			continue
		}
		if e.Transactions*out[n].entry.Least > out[n].entry.Transactions*e.Least {
			out[n] = site{in, a, e}
		}
	}
	return out
}

// all picks the accesses of the site.
func (s *site) all(r *Run) func(*idg.Instr) bool {
	return func(in *idg.Instr) bool {
		a := r.Graph.Access(in.Access)
		return a != nil && a.Buffer == s.access.Buffer && in.IsStore() == s.in.IsStore() && sameLine(in.Pos, s.in.Pos)
	}
}

func sameLine(a, b idg.Pos) bool { return a.File == b.File && a.Line == b.Line }

// verb is what the access does.
func (s *site) verb() string {
	if s.in.IsStore() {
		return "write"
	}
	return "read"
}

// apart says how far lanes are apart, "" if that differs.
func (s *site) apart() string {
	o := s.access.Offsets
	if len(o) < 2 {
		return ""
	}
	step := o[1] - o[0]
	for i := 2; i < len(o); i++ {
		if o[i]-o[i-1] != step {
			return ""
		}
	}
	return fmt.Sprintf(", %d bytes apart", max(step, -step))
}

// remedied adds a trial of a remedy for the instructions that are picked, if it changes anything.
func (r *Run) remedied(into []trial, f Finding, k remedy.Kind, pick func(*idg.Instr) bool) ([]trial, error) {
	m, changed, err := r.Changed(remedy.Change{Kind: k, Pick: pick})
	if err != nil || !changed {
		return into, err
	}
	t := r.trial(f)
	t.mapping = m
	return append(into, t), nil
}

// atSites has a trial for each site that a kind of remedy improves.
func (r *Run) atSites(k remedy.Kind, describe func(*site) Finding) (out []trial, err error) {
	for _, s := range r.sites(k) {
		f := describe(&s)
		f.Pos = s.in.Pos
		if out, err = r.remedied(out, f, k, s.all(r)); err != nil {
			return nil, err
		}
	}
	return out, nil
}

// bankConflicts: V16 2.6.
func bankConflicts(r *Run) ([]trial, error) {
	return r.atSites(remedy.ConflictFree, func(s *site) Finding {
		degree := (s.entry.Transactions + s.entry.Least - 1) / s.entry.Least
		return Finding{
			What:  fmt.Sprintf("%d-way bank conflict: the lanes of a warp %s %s%s", degree, s.verb(), s.access.Buffer, s.apart()),
			Proof: fmt.Sprintf("%d passes over the banks instead of %d", s.entry.Transactions, s.entry.Least),
			Remedy: fmt.Sprintf("pad the rows of %s by one element, or let neighbouring work items access neighbouring elements",
				s.access.Buffer),
		}
	})
}

// uncoalesced: V16 2.5.
func uncoalesced(r *Run) ([]trial, error) {
	segment := r.Mapping.Device.Memory.SegmentBytes
	return r.atSites(remedy.Coalesced, func(s *site) Finding {
		return Finding{
			What:   fmt.Sprintf("uncoalesced: the lanes of a warp %s %s%s", s.verb(), s.access.Buffer, s.apart()),
			Proof:  fmt.Sprintf("%d transactions of %d bytes instead of %d", s.entry.Transactions, segment, s.entry.Least),
			Remedy: "let neighbouring work items access neighbouring elements, or exchange them in local memory first",
		}
	})
}

// sameAddress: updates of one word wait for each other.
func sameAddress(r *Run) ([]trial, error) {
	return r.atSites(remedy.Spread, func(s *site) Finding {
		return Finding{
			What:   fmt.Sprintf("atomics on %s update one address one after the other", s.access.Buffer),
			Proof:  fmt.Sprintf("%.3g of the %.3g cycles of each", s.entry.Turns.Float(), s.entry.Timing.CPI.Float()),
			Remedy: "combine the values of a warp or work group first (shuffles, local memory), then update once",
		}
	})
}

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
		Pos:    first.Pos,
		What:   "registers are spilled to memory",
		Proof:  fmt.Sprintf("%d places in the code store or load them", n),
		Remedy: "use fewer variables at once, a smaller unroll factor, or allow more registers (__launch_bounds__, -maxrregcount)",
	}, remedy.Removed, r.isSpill)
}

func (r *Run) isSpill(in *idg.Instr) bool {
	a := r.Graph.Access(in.Access)
	return a != nil && a.Buffer == idg.SpillBuffer
}
