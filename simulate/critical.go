package simulate

import "gpupipe/idg"

// criticalPath is the longest chain of dependences of a warp that runs alone on
// pipelines that are never busy.
type criticalPath struct {
	length  Tick
	unknown bool   // a program is too long to look
	byClass []Tick // what passes in the instructions of each class; sums to length
}

// maxCritical is how many instructions a program with repetitions may execute if
// its critical path is to be looked for, which expands it. (What is stored without
// repetitions is no longer than what was read.) A longer one has no bound by
// dependences, and Result.Notes says so.
const maxCritical = 1 << 13

// criticalPath returns the longest path over all programs of a kind of group: a
// lower bound of the time that a group takes.
func (w *workload) criticalPath(i int) *criticalPath {
	k := &w.kinds[i]
	if k.critical == nil {
		k.critical = &criticalPath{byClass: make([]Tick, len(w.classes))}
		for _, p := range k.programs {
			limit := int64(maxCritical)
			if p.flatProgram != nil || len(p.source.Repeats()) == 0 {
				limit = idg.MaxExpanded
			}
			flat, err := p.source.Expanded(limit)
			if err != nil {
				k.critical.unknown = true
				continue
			}
			if c := w.criticalPathOf(p, flat); c.length > k.critical.length {
				k.critical.length, k.critical.byClass = c.length, c.byClass
			}
		}
	}
	return k.critical
}

func (w *workload) criticalPathOf(p *program, flat *idg.Flat) criticalPath {
	n := idg.NodeID(flat.Len())
	issue := make([]Tick, n) // earliest
	via := make([]idg.NodeID, n)
	class := func(v idg.NodeID) classID { return p.first + classID(flat.Instr(v)-1) }
	cp := criticalPath{byClass: make([]Tick, len(w.classes))}
	end := idg.NodeID(0)
	for v := range n {
		via[v] = v
		from, kind := flat.Preds(v)
		for i, u := range from {
			if t := issue[u] + w.classes[class(u)].releases(kind[i]); t > issue[v] {
				issue[v], via[v] = t, u
			}
		}
		if t := issue[v] + w.classes[class(v)].lifetime(); t > cp.length {
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

// releases is the time from issue until a dependence of kind k is satisfied.
func (c *class) releases(k idg.EdgeKind) Tick {
	if k == idg.Order {
		return c.hold
	}
	return c.latency
}
