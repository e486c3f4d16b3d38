package simulate

import "gpupipe/idg"

// criticalPath is the longest chain of dependences of a warp that runs alone on
// pipelines that are never busy.
type criticalPath struct {
	length  Tick
	byClass []Tick // what passes in the instructions of each class; sums to length
}

// criticalPath returns the longest path over all programs of a group: a lower
// bound of the time that a group takes.
func (w *workload) criticalPath() *criticalPath {
	if w.critical == nil {
		w.critical = &criticalPath{byClass: make([]Tick, len(w.classes))}
		for _, p := range w.programs {
			if c := w.criticalPathOf(p); c.length > w.critical.length {
				*w.critical = c
			}
		}
	}
	return w.critical
}

func (w *workload) criticalPathOf(p *program) criticalPath {
	issue := make([]Tick, p.len()) // earliest
	via := make([]idg.NodeID, p.len())
	cp := criticalPath{byClass: make([]Tick, len(w.classes))}
	end := idg.NodeID(0)
	for v := range idg.NodeID(p.len()) {
		via[v] = v
		from, kind := p.source.Preds(v)
		for i, u := range from {
			if t := issue[u] + w.classes[p.class[u]].releases(kind[i]); t > issue[v] {
				issue[v], via[v] = t, u
			}
		}
		if t := issue[v] + w.classes[p.class[v]].lifetime(); t > cp.length {
			cp.length, end = t, v
		}
	}
	if p.len() == 0 {
		return cp
	}
	cp.byClass[p.class[end]] = w.classes[p.class[end]].lifetime()
	for v := end; via[v] != v; v = via[v] {
		u := via[v]
		cp.byClass[p.class[u]] += issue[v] - issue[u]
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
