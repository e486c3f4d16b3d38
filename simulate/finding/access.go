package finding

import (
	"fmt"
	"slices"

	"gpupipe/idg"
	"gpupipe/idg/isa"
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
	switch {
	case s.in.Operation().Verb == isa.Atomic:
		return "update"
	case s.in.IsStore():
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

// remedied adds a trial of remedies, if they change anything.
func (r *Run) remedied(into []trial, f Finding, changes ...remedy.Change) ([]trial, error) {
	t := r.trialOf(f, func(in *idg.Instr) bool {
		return slices.ContainsFunc(changes, func(c remedy.Change) bool { return c.Pick(in) })
	})
	if t.idle {
		return append(into, t), nil
	}
	m, changed, err := r.Changed(changes...)
	if err != nil || !changed {
		return into, err
	}
	t.Remedied, t.changes = m, changes
	return append(into, t), nil
}

// trialOf is the run as it is, to be changed where instructions are that it may spend time on.
func (r *Run) trialOf(f Finding, about func(*idg.Instr) bool) trial {
	t := r.trial(f)
	t.about, t.spent = about, r.spent(about)
	t.idle = t.spent < Least
	return t
}

// grouped are sites by what they have in common, in the order of the first of each.
func grouped(sites []site, cause func(*site) string) (groups [][]site) {
	at := map[string]int{}
	for _, s := range sites {
		key := cause(&s)
		i, ok := at[key]
		if !ok {
			i = len(groups)
			at[key], groups = i, append(groups, nil)
		}
		groups[i] = append(groups[i], s)
	}
	return groups
}

// described are sites of one cause: the one that keeps the busiest resource busy for longest, what all do, and where.
func (r *Run) described(sites []site) (top *site, does string, at []idg.Pos) {
	var all []string
	top = &sites[0]
	for i := range sites {
		s := &sites[i]
		if r.loadAt(s) > r.loadAt(top) {
			top = s
		}
		if text := s.verb() + " " + s.access.Buffer; !slices.Contains(all, text) {
			all = append(all, text)
		}
		at = append(at, s.in.Pos)
	}
	return top, and(all), at
}

// any picks the accesses of sites.
func (r *Run) any(sites []site) func(*idg.Instr) bool {
	return func(in *idg.Instr) bool {
		return slices.ContainsFunc(sites, func(s site) bool { return s.all(r)(in) })
	}
}
