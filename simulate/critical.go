package simulate

import "gpupipe/idg"

// criticalPath is the longest chain of dependences of a warp that runs alone on
// pipelines that are never busy.
type criticalPath struct {
	length  Tick
	unknown bool   // a program is too long to look: there may be a longer one
	byClass []Tick // what passes in the instructions of each class; sums to length, or is 0 where that is not known
}

// maxCritical is how many instructions a program with repetitions may execute
// if it is to be expanded to see which ones are on its critical path. Of a longer one
// only the length of the path is found.
const maxCritical = 1 << 15

// criticalPath returns the longest path over all programs of a kind of group: a
// lower bound of the time that a group takes.
func (w *workload) criticalPath(i int) *criticalPath {
	k := &w.kinds[i]
	if k.critical != nil {
		return k.critical
	}
	k.critical = &criticalPath{byClass: make([]Tick, len(w.classes))}
	for _, p := range k.programs {
		c := criticalPath{byClass: make([]Tick, len(w.classes))}
		limit := int64(maxCritical)
		if len(p.source.Repeats()) == 0 {
			limit = idg.MaxExpanded
		}
		if flat, err := p.source.Expanded(limit); err == nil {
			c = w.criticalPathOf(p, flat)
			w.looked += int64(flat.Len())
		} else if c.length, err = w.chainTime(p); err != nil {
			k.critical.unknown = true
		}
		if c.length > k.critical.length {
			k.critical.length, k.critical.byClass = c.length, c.byClass
		}
	}
	return k.critical
}

// chainTime is the length of a program's critical path. Data dependences on stores
// are counted with their λ, as idg does, which can only make it shorter.
func (w *workload) chainTime(p *program) (Tick, error) {
	class := func(id idg.InstrID) *class { return &w.classes[p.first+classID(id-1)] }
	t, looked, err := idg.ChainTime(p.source, idg.Costs{
		Completion: func(id idg.InstrID) int64 { return int64(min(class(id).latency, class(id).lifetime())) },
		Issue:      func(id idg.InstrID) int64 { return int64(class(id).hold) },
	})
	w.looked += looked
	return Tick(t), err
}

func (w *workload) criticalPathOf(p *program, flat *idg.Flat) criticalPath {
	n := idg.NodeID(flat.Len())
	issue := make([]Tick, n) // earliest
	via := make([]idg.NodeID, n)
	class := func(v idg.NodeID) classID { return p.first + classID(flat.Instr(v)-1) }
	costs := w.chainCosts(p)
	cp := criticalPath{byClass: make([]Tick, len(w.classes))}
	end := idg.NodeID(0)
	for v := range n {
		first, after := Tick(0), v
		from, kind := flat.Preds(v)
		for i, u := range from {
			c := &costs[flat.Instr(u)-1]
			t := issue[u] + c.latency
			if kind[i] == idg.Order {
				t = issue[u] + c.hold
			}
			if t > first {
				first, after = t, u
			}
		}
		issue[v], via[v] = first, after
		if t := first + costs[flat.Instr(v)-1].lifetime; t > cp.length {
			cp.length, end = t, v
		}
	}
	if n == 0 {
		return cp
	}
	cp.byClass[class(end)] = w.classes[class(end)].lifetime()
	for v := end; via[v] != v; v = via[v] {
		u := via[v]
		cp.byClass[class(u)] += issue[v] - issue[u]
	}
	return cp
}

// chainCost is what an instruction of a class adds to a chain of dependences: by data
// or control, by an order dependence, and at its end.
type chainCost struct{ latency, hold, lifetime Tick }

// chainCosts are those of the classes of a program's graph.
func (w *workload) chainCosts(p *program) []chainCost {
	costs := make([]chainCost, len(p.tally))
	for i := range costs {
		c := &w.classes[int(p.first)+i]
		costs[i] = chainCost{c.latency, c.hold, c.lifetime()}
	}
	return costs
}
