package unroll

import (
	"slices"

	"gpupipe/lower"
	"gpupipe/unroll/structure"
	"gpupipe/unroll/trace"
)

// snapshot is the state of a resolver where a pass of a rolled loop begins: all
// that passes hand on to each other. Values are immutable, so that it holds what
// they were.
type snapshot struct {
	trace.Bookmark         // in the trace
	id             valueID // the last one
	touches        int     // accesses of which the addresses are recorded
	far            int64   // and those of iterations that are skipped

	active, mask    laneMask
	guards          []trace.NodeID
	regs            []*value
	masks           [4][]laneMask
	cells           map[cell]*value
	writes          []cell
	classes         []aliasClass
	copies          copies
	kept            []kept // of all loops that are executed
	plan            plan
	back            trace.NodeID
	counters        [2]map[lower.Reg]*value
	streams         []stream
	puts            []loggedPut // since the snapshot before
	matched         []matchedLoad
	touched         bool
	items, journal  int
	tables, invents int // look-up tables of the resolver: sizes
	decisions       counts
}

func (r *resolver) snapshot(a *activeLoop, active laneMask) *snapshot {
	r.numbering.trim(a.level)
	s := &snapshot{
		Bookmark: r.trace.Here(), id: r.nextID,
		active: active, mask: r.mask, guards: slices.Clone(r.guards), regs: slices.Clone(r.regs),
		masks: [4][]laneMask{slices.Clone(r.scopeMask), slices.Clone(r.objMask), slices.Clone(r.left),
			slices.Clone(r.continued)},
		cells: copyOf(r.memory.cells), writes: slices.Clone(r.memory.writes), plan: a.plan, back: a.back,
		copies:   r.copies.clone(),
		counters: [2]map[lower.Reg]*value{copyOf(a.current), copyOf(a.first)},
		streams:  slices.Clone(a.streams), items: r.numbering.items(a.level), journal: len(r.numbering.journal),
		tables:    len(r.workItems) + r.unroller.Predictions() + len(r.homes) + len(a.streamIndex),
		decisions: r.decisions.counts(),
	}
	for _, around := range r.loops {
		for _, k := range around.kept {
			s.kept = append(s.kept, k.clone())
		}
	}
	if w := a.watch; w.log != nil {
		s.puts, s.matched, s.touched = w.log.puts, w.matched, w.touched
	}
	if r.addresses != nil {
		s.touches, s.far = len(r.addresses.touches), r.addresses.skipped
	}
	for _, v := range r.objects {
		if v != nil {
			s.invents++
		}
	}
	for _, c := range r.memory.classes {
		c.stores, c.loads.list = slices.Clone(c.stores), slices.Clone(c.loads.list)
		s.classes = append(s.classes, c)
	}
	return s
}

// matcher compares two states, one period apart. They match if the one becomes the
// other when every node and value that is younger than a period is replaced by the
// one that was made a period later, and all others stay: then what the resolver
// does from there on is the same too, up to that replacement.
type matcher struct {
	r        *resolver
	a        *activeLoop
	from, to *snapshot
	proof    *proof

	nodes  trace.NodeID // by how many nodes the younger ones move
	ids    valueID      // by how many ids
	exact  bool         // contents of what is visited must drift
	pairs  map[*value]*value
	moving []movingValue
	inside []*value // variables that begin anew in each pass
	stays  map[*value]bool
	stayed trace.NodeID // the youngest node that stays
	moved  trace.NodeID // the oldest that moves
}

// movingValue is a value and the one that takes its place a period later.
type movingValue struct {
	before, after *value
	exact         bool // somebody may ask for its contents
}

func (m *matcher) match() bool {
	s, e, a := m.from, m.to, m.a
	m.nodes, m.ids = trace.NodeID(e.Node-s.Node), e.id-s.id
	m.pairs, m.stays = map[*value]*value{}, map[*value]bool{}
	m.stayed, m.moved = 0, ^trace.NodeID(0)
	if m.nodes == 0 || s.active != e.active || s.mask != e.mask || s.plan != e.plan || s.items != e.items ||
		s.journal != e.journal ||
		s.tables != e.tables || s.invents != e.invents || e.touched || len(s.streams) != len(e.streams) ||
		!slices.Equal(s.guards, e.guards) || !slices.Equal(s.writes, e.writes) || !m.node(s.back, e.back) ||
		!m.copies(&s.copies, &e.copies) {
		return false
	}
	for i := range s.masks {
		if !slices.Equal(s.masks[i], e.masks[i]) {
			return false
		}
	}
	for i := range s.streams {
		if !m.nodeSet(s.streams[i].deps, e.streams[i].deps) {
			return false
		}
	}
	// What the code behind this pass may look at.
	m.exact = true
	block := m.r.st.Block(a.l, structure.Head)
	inside := func(reg int) bool { return m.r.st.Encloses(block, m.r.st.ScopeOf(lower.Reg(reg+1))) }
	for reg := range s.regs {
		if !inside(reg) && !m.value(s.regs[reg], e.regs[reg]) {
			return false
		}
	}
	if len(s.cells) != len(e.cells) {
		return false
	}
	for c, v := range s.cells {
		if !m.value(v, e.cells[c]) {
			return false
		}
	}
	for i := range s.counters {
		if len(s.counters[i]) != len(e.counters[i]) {
			return false
		}
		for reg, v := range s.counters[i] {
			if !m.value(v, e.counters[i][reg]) {
				return false
			}
		}
	}
	if !m.puts() || !slices.EqualFunc(s.kept, e.kept, m.kept) {
		return false
	}
	// What is overwritten before it is used: nobody may ask for its contents.
	m.exact = false
	for reg := range s.regs {
		if inside(reg) {
			if !m.value(s.regs[reg], e.regs[reg]) {
				return false
			}
			m.inside = append(m.inside, e.regs[reg])
		}
	}
	for i := range s.classes {
		if !m.class(&s.classes[i], &e.classes[i]) {
			return false
		}
	}
	return m.loads() && m.stayed < m.moved
}

// node reports whether y is x a period later. Nodes that move are at most two
// periods old, those that stay are older: so the trace tells them apart.
func (m *matcher) node(x, y trace.NodeID) bool {
	old := m.from.Node - int(m.nodes)
	by := y - x // as much if both are marked
	if x, y = x.Node(), y.Node(); by == 0 {
		m.stayed = max(m.stayed, x)
		return x == 0 || int(x)-1 < old
	}
	m.moved = min(m.moved, x)
	return by == m.nodes && int(y)-1 >= old
}

func (m *matcher) nodeSet(x, y []trace.NodeID) bool { return slices.EqualFunc(x, y, m.node) }

func (m *matcher) pieces(x, y []piece) bool {
	return slices.EqualFunc(x, y, func(x, y piece) bool { return x.lanes == y.lanes && m.nodeSet(x.deps, y.deps) })
}

// value reports whether y is x a period later, but for its contents.
func (m *matcher) value(x, y *value) bool {
	if x == y {
		return m.staying(x)
	}
	if x == nil || y == nil {
		return false
	}
	if before, seen := m.pairs[y]; seen {
		return before == x
	}
	if x.shared || y.shared {
		return same(x, y) // it has no number of its own
	}
	m.pairs[y] = x
	m.moving = append(m.moving, movingValue{x, y, m.exact})
	if y.id-x.id != m.ids || x.level != y.level || x.root != y.root || x.typ != y.typ || x.index != y.index ||
		x.from != y.from ||
		x.konst != y.konst || x.lazy != y.lazy || x.computed != y.computed || x.same != y.same ||
		x.konst && x.u != y.u || x.known != y.known && m.exact {
		return false
	}
	if m.r.opt.Optimises() && x.level < m.a.level {
		return false // the tables of levels before the loop's may have its number
	}
	if !m.nodeSet(x.deps, y.deps) || !m.pieces(x.pieces, y.pieces) {
		return false
	}
	if x.form.c != y.form.c || !m.terms(x.form.terms, y.form.terms) || (x.factors == nil) != (y.factors == nil) {
		return false
	}
	return x.factors == nil || m.value(x.factors[0], y.factors[0]) && m.value(x.factors[1], y.factors[1])
}

func (m *matcher) terms(x, y []term) bool {
	return slices.EqualFunc(x, y, func(x, y term) bool { return x.coef == y.coef && m.value(x.sym, y.sym) })
}

// staying reports whether a value that stays waits for nothing that the trace
// would take for something that moves.
func (m *matcher) staying(v *value) bool {
	if v == nil || m.stays[v] {
		return true
	}
	m.stays[v] = true
	if !m.nodeSet(v.deps, v.deps) {
		return false
	}
	for _, t := range v.form.terms {
		if !m.staying(t.sym) {
			return false
		}
	}
	return v.factors == nil || m.staying(v.factors[0]) && m.staying(v.factors[1])
}

// puts compares what the passes have put into tables that live on.
func (m *matcher) puts() bool {
	return slices.EqualFunc(m.from.puts, m.to.puts, func(x, y loggedPut) bool {
		return x.key == y.key && x.mask == y.mask && m.value(x.v, y.v) && slices.EqualFunc(x.more, y.more, m.value)
	})
}

// loads compares the loads that were found again: those of a class with stores
// must be ever newer ones, or a time comes when they are too old.
func (m *matcher) loads() bool {
	return slices.EqualFunc(m.from.matched, m.to.matched, func(x, y matchedLoad) bool {
		return x.class == y.class && y.seq-x.seq == m.to.classes[x.class].sequence()-m.from.classes[x.class].sequence()
	})
}

func (m *matcher) class(x, y *aliasClass) bool {
	return x.written == y.written && slices.EqualFunc(x.stores, y.stores, m.record) &&
		(y.loads.unasked(&x.loads) || slices.EqualFunc(x.loads.list, y.loads.list, m.record))
}

func (m *matcher) record(x, y accessRecord) bool {
	return m.node(x.node, y.node) && x.root == y.root && x.c == y.c && x.size == y.size && x.after == y.after &&
		x.before == y.before && m.terms(x.where, y.where)
}

// assume gives the values at the beginning of a proof the drift that they had in
// the period before.
func (m *matcher) assume() {
	for _, v := range m.moving {
		if !v.exact {
			m.proof.drifts(v.after, &drift{erratic: true, stale: true})
			continue
		}
		var by [maxLanes]int64
		erratic := false
		v.after.known.each(func(l int) {
			if v.after.konst {
				return
			}
			by[l] = int64(v.after.at(l)) - int64(v.before.at(l))
			erratic = erratic || by[l] != 0 && !v.after.typ.IsInteger() && v.after.typ != lower.Ptr
		})
		if erratic {
			m.proof.erratic(v.after)
		} else {
			m.proof.set(v.after, &by)
		}
	}
}

// keeps reports whether the contents have drifted as was assumed when the proof
// began.
func (m *matcher) keeps() bool {
	for _, v := range m.moving {
		if !v.exact || v.after.konst {
			continue
		}
		x, y := m.proof.drift(v.before), m.proof.drift(v.after)
		if x != nil && x.erratic || y != nil && y.erratic {
			return false
		}
		ok := true
		v.after.known.each(func(l int) {
			d := int64(v.after.at(l)) - int64(v.before.at(l))
			ok = ok && d == x.at(l) && d == y.at(l)
		})
		if !ok {
			return false
		}
	}
	for _, v := range m.inside {
		if v == nil {
			continue
		}
		if d := m.proof.drift(v); d != nil && d.stale {
			return false // it was not overwritten, or by what depends on itself
		}
	}
	return true
}

// behind is how many periods must be executed behind those that are skipped: until
// nothing refers to them any more.
func (m *matcher) behind() int64 {
	n := int64(trace.SteadyPeriods + 1)
	for i := range m.to.classes {
		if x, y := &m.from.classes[i].loads, &m.to.classes[i].loads; y.unasked(x) {
			n = max(n, maxRecords/(y.count-x.count)+2)
		}
	}
	return n
}

// advance brings the state to what it is so many periods later: contents of values,
// and how many loads are remembered.
func (m *matcher) advance(periods int64) {
	for i := range m.to.classes {
		if x, y := &m.from.classes[i].loads, &m.to.classes[i].loads; y.unasked(x) {
			m.r.memory.classes[i].loads.skip(periods * (y.count - x.count))
		}
	}
	for _, v := range m.moving {
		if v.exact && !v.after.konst {
			m.outer(v)
		}
		d := m.proof.drift(v.after)
		if d == nil || d.erratic {
			continue
		}
		lanes := m.r.newLanes()
		for l := range lanes {
			lanes[l] = v.after.at(l)
			if v.after.known>>l&1 != 0 {
				lanes[l] += uint64(periods * d.at(l))
			}
		}
		v.after.lanes = lanes
		m.proof.drifts(v.after, nil)
		m.r.compact(v.after)
	}
}

// outer tells the proofs of loops around, which do not see the periods that are
// skipped, of contents that the loop carries: these drift in a period of the outer
// loop by the same behind as before, or they are erratic.
func (m *matcher) outer(v movingValue) {
	inner := m.proof.drift(v.after)
	m.proof.drifts(v.after, nil)
	var after []*drift
	for _, p := range m.r.proofs {
		if p != m.proof {
			x, y := p.drift(v.before), p.drift(v.after)
			if y == nil && x == nil {
				continue
			}
			after = append(after, p.steadyDrift(v.after.known, x, y))
		}
	}
	v.after.drift = nil
	for _, d := range after {
		d.of.drifts(v.after, d)
	}
	if inner != nil {
		m.proof.drifts(v.after, &drift{erratic: inner.erratic, stale: inner.stale, by: inner.by})
	}
}

// steadyDrift is a copy of the drift of contents that drift by x and y in a period
// before and behind.
func (p *proof) steadyDrift(known laneMask, x, y *drift) *drift {
	d := &drift{of: p, erratic: x != nil && x.erratic || y != nil && y.erratic}
	known.each(func(l int) {
		d.by[l] = y.at(l)
		d.erratic = d.erratic || x.at(l) != y.at(l)
	})
	return d
}
