package latencies

import (
	"slices"

	"gpupipe/idg"
)

// chosen is the rule that gives each parameter, nil for none.
type chosen struct {
	cpi, latency, subsystem, addresses, within, issue, reissue, ratio, conflicts *Rule

	scattered, coalesced bool // as of Options
}

// module is the R or D that is given and not overruled by λ and Λ.
func (c *chosen) module() (m Module) {
	if c.cpi != nil && c.latency != nil {
		return m
	}
	if c.ratio != nil {
		m.Ratio = c.ratio.Module.Ratio
	}
	if c.conflicts != nil {
		m.Conflicts = c.conflicts.Module.Conflicts
	}
	return m
}

// patternOf is what the addresses of an access, if they are not known, are taken to be.
func (c *chosen) patternOf(a *idg.Access) Addresses {
	switch {
	case c.addresses != nil:
		return c.addresses.Addresses
	case a != nil && a.Same:
		return Same
	case a == nil || a.Known() || a.Space == idg.SpacePrivate || a.Reserved() || c.coalesced:
	case c.scattered || a.Places > 1:
		return Scattered
	}
	return 0
}

// reach is what an access is taken to touch, within the bytes that a rule gives, or else places.
func (c *chosen) reach(a *idg.Access, bounded elementPerItem) reached {
	r := reached{c.patternOf(a), a}
	if a == nil || c.within == nil && !(r.as == Scattered && bounded.holds(a)) {
		return r
	}
	told := *a
	if r.a = &told; c.within != nil {
		told.Within = c.within.Within
		return r
	}
	told.Within = mulCapped(bounded.items, int64(a.Width))
	told.Assumed += ", taken to reach one element per work item as trip counts are assumed"
	return r
}

// elementPerItem bounds what scattered accesses reach of which nothing is known, in a launch with loops of which the
// trip count is assumed: such a loop does not make an object larger, unless it walks through a list of each lane.
type elementPerItem struct {
	items int64 // of the launch; 0 = no trip count is assumed
	lists map[string]bool
}

func newElementPerItem(g *idg.Graph, accesses []*idg.Access) (b elementPerItem) {
	if !slices.ContainsFunc(g.Loops, func(l idg.Loop) bool { return l.Origin == "assumed" }) {
		return b
	}
	b.items, b.lists = mulCapped(g.Launch.TotalGroups(), g.Launch.WorkItems()), map[string]bool{}
	for _, a := range accesses {
		if a != nil && a.Near > 0 {
			b.lists[a.Buffer] = true
		}
	}
	return b
}

func (b elementPerItem) holds(a *idg.Access) bool {
	return b.items > 0 && !a.Known() && a.Within == 0 && !b.lists[a.Buffer]
}

func (m *mapping) rulesFor(in *idg.Instr, a *idg.Access) chosen {
	var c chosen
	var best [9]specificity
	unknown := in.Operation().Memory() && (a == nil || !a.Known())
	isRatio, isConflicts := takes(in, a)
	for i := range m.rules {
		r := &m.rules[i]
		sp, ok := r.Selector.match(in, a)
		if !ok {
			continue
		}
		m.used[i] = m.used[i] || unknown || r.Addresses == 0 && r.Within == 0
		for j, p := range []struct {
			given bool
			into  **Rule
		}{{!r.CPI.IsZero(), &c.cpi}, {!r.Latency.IsZero(), &c.latency}, {r.Subsystem != "", &c.subsystem},
			{r.Addresses != 0 && unknown, &c.addresses}, {r.Within != 0 && unknown, &c.within},
			{r.Issue.Given, &c.issue}, {r.Reissue.Given, &c.reissue},
			{r.Module.Ratio.Known && isRatio, &c.ratio}, {r.Module.Conflicts.Known && isConflicts, &c.conflicts}} {
			if p.given && (*p.into == nil || !sp.less(best[j])) {
				*p.into, best[j] = r, sp
			}
		}
	}
	return c
}
