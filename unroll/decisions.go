package unroll

import (
	"slices"

	"gpupipe/idg"
	"gpupipe/internal/diag"
	"gpupipe/lower"
	"gpupipe/unroll/trace"
)

// decisions collects what was decided about the loops and branches of a kernel,
// and what had to be assumed.
type decisions struct {
	k           *lower.Kernel
	loops       []loopDecision   // by LoopID - 1
	branches    []branchDecision // by BranchID - 1
	diagnostics diag.List
	used        map[Location]bool  // choices of the user that matched something
	said        map[statement]bool // of the diagnostics
	noted       map[assumption]bool
	contents    map[string]contentReads // by the buffer that is loaded from
}

// assumption is something that was assumed about a statement, or about what is named.
type assumption struct {
	at    lower.Stmt
	what  string
	trips int64 // loops
}

// loopDecision is what happened to one loop over all its executions.
type loopDecision struct {
	idg.Loop
	plans        int    // executions
	constant     bool   // the last execution's trip count is known to the compiler
	warn         string // why the pragma had no or less effect
	instructions int64  // recorded in the loop, inner loops not included
	loopInstrs   int64  // loop instructions recorded
	iterations   int64  // over all executions
}

// branchDecision is what happened to one branch over all its executions.
type branchDecision struct {
	executed               int64
	decision, origin, last string
	divergence             idg.Divergence
}

func newDecisions(k *lower.Kernel) *decisions {
	d := &decisions{k: k, loops: make([]loopDecision, len(k.Loops)), branches: make([]branchDecision, len(k.Branches)),
		used: map[Location]bool{}, said: map[statement]bool{}}
	for i, l := range k.Loops {
		d.loops[i].Loop = idg.Loop{Pos: l.Pos, Kind: l.Kind, Depth: l.Depth, Trips: -1, Factor: 1}
		if l.Pragma != nil {
			d.loops[i].Pragma = l.Pragma.Text
		}
	}
	return d
}

func (d *decisions) loop(id lower.LoopID) *loopDecision       { return &d.loops[id-1] }
func (d *decisions) branch(id lower.BranchID) *branchDecision { return &d.branches[id-1] }

// assumed notes something that the result depends on.
func (d *decisions) assumed(e *diag.Error) {
	if s := (statement{e.Pos, e.Code, e.Message}); !d.said[s] {
		d.said[s] = true
		d.diagnostics.Add(e)
	}
}

// statement tells a diagnostic from others.
type statement struct {
	pos           diag.Pos
	code, message string
}

// news reports whether an assumption is made for the first time: putting one in
// words takes longer than executing a statement.
func (d *decisions) news(a assumption) bool {
	if d.noted[a] {
		return false
	}
	if d.noted == nil {
		d.noted = map[assumption]bool{}
	}
	d.noted[a] = true
	return true
}

// record adds one execution of a loop, whose body was executed so many times.
func (l *loopDecision) record(p *plan, iterations int64) {
	l.plans++
	l.Executed++
	trips, origin := p.trips, p.origin
	if trips < 0 { // found out by executing it
		trips, origin = iterations, "evaluated"
	}
	if p.varies {
		origin += ", differs between lanes"
	}
	if l.plans > 1 && (trips != l.Trips || l.Factor != p.factor || l.Full != p.full) {
		l.Trips, l.Origin = -1, "varies"
	} else {
		l.Trips, l.Origin = trips, origin
	}
	l.constant = p.constant
	l.Factor, l.Full, l.Reason = p.factor, p.full, p.reason
	if l.Factor > 1 && !l.Full && trips >= 0 {
		l.Remainder = trips % l.Factor
	} else {
		l.Remainder = 0
	}
	l.iterations += iterations
}

// note adds one execution of a branch.
func (b *branchDecision) note(decision, origin string) {
	if decision == "folded" || decision == "select" {
		// The way it was compiled says more than the side it went to.
		b.decision, b.origin, b.last = decision, origin, decision
		return
	}
	if b.last != "" && b.last != decision {
		b.decision, b.origin = "varies", origin
	} else {
		b.decision, b.origin = decision, origin
	}
	b.last = decision
}

// diverge adds an execution by some lanes, of which some go the one way and others
// the other.
func (b *branchDecision) diverge(lanes, yes laneMask) {
	d := &b.divergence
	d.Warps = 1
	d.Executions++
	d.Lanes += int64(lanes.count())
	if yes != 0 && yes != lanes {
		d.DivergedWarps = 1
		d.Diverged++
	}
}

// count attributes the instructions that stay to loops, and returns how many are
// executed.
func (d *decisions) count(t *trace.Trace, live []bool) (executed int64) {
	var more []int64 // how often a node is repeated
	if len(t.Skips) > 0 {
		more = make([]int64, t.Nodes())
	}
	for k := range t.Skips { // outer ones behind those within
		copies := t.Skips[k].Copies
		for i := t.Skips[k].From(); i < t.Skips[k].At; i++ {
			more[i] += (1 + more[i]) * copies
		}
	}
	for i := range t.Nodes() {
		if !live[i] {
			continue
		}
		n := t.Instructions(i)
		if more != nil {
			n += n * more[i]
		}
		executed += n
		if op, loop := t.KindAt(i); loop != 0 {
			l := d.loop(loop)
			l.instructions += n
			if op.RolledLoop() {
				l.loopInstrs += n
			}
		}
	}
	return executed
}

// merge adds the decisions of another warp.
func (d *decisions) merge(o *decisions) {
	for i := range d.loops {
		a, b := &d.loops[i], &o.loops[i]
		switch {
		case b.plans == 0:
		case a.plans == 0:
			*a = *b
		case a.Trips != b.Trips:
			a.Trips, a.Origin = -1, "differs between warps"
		}
	}
	for i := range d.branches {
		a, b := &d.branches[i], &o.branches[i]
		both := a.divergence
		both.Warps += b.divergence.Warps
		both.DivergedWarps += b.divergence.DivergedWarps
		both.Executions += b.divergence.Executions
		both.Diverged += b.divergence.Diverged
		both.Lanes += b.divergence.Lanes
		switch {
		case b.executed == 0:
		case a.executed == 0:
			*a = *b
		case a.decision != b.decision:
			a.decision = "varies"
		}
		a.divergence = both
	}
	for _, e := range o.diagnostics {
		d.assumed(e)
	}
	for l := range o.used {
		d.used[l] = true
	}
	d.mergeContents(o)
}

func (d *decisions) loopList() []idg.Loop {
	out := make([]idg.Loop, 0, len(d.loops))
	for i := range d.loops {
		l := d.loops[i].Loop
		if d.loops[i].plans == 0 {
			l.Origin = "not reached"
		}
		out = append(out, l)
		if w := d.loops[i].warn; w != "" && l.Pragma != "" {
			d.assumed(diag.Warningf(l.Pos, "PRAGMA", "%s: %s", l.Pragma, w))
		}
	}
	return out
}

func (d *decisions) branchList() []idg.Branch {
	out := make([]idg.Branch, 0, len(d.branches))
	for i, s := range d.k.Branches {
		b := &d.branches[i]
		decision := b.decision
		if b.executed == 0 {
			decision = "not-reached"
		}
		branch := idg.Branch{Pos: s.Pos, Kind: s.Kind, Decision: decision, Origin: b.origin, Executed: b.executed}
		if v := b.divergence; v.Executions > 0 {
			branch.Divergence = &v
		}
		out = append(out, branch)
	}
	return out
}

// tripChoice finds the --trip of a loop.
func (d *decisions) tripChoice(pos lower.Pos, list []TripChoice) (int64, bool) {
	for _, c := range list {
		if c.At.matches(pos) {
			d.used[c.At] = true
			return c.Trips, true
		}
	}
	return 0, false
}

// unrollChoice finds the --unroll of a loop, which is followed.
func (d *decisions) unrollChoice(pos lower.Pos, list []UnrollChoice) {
	for _, c := range list {
		if c.At.matches(pos) {
			d.used[c.At] = true
			return
		}
	}
}

// unrollAt finds the --unroll of a loop.
func unrollAt(pos lower.Pos, list []UnrollChoice) (int64, bool) {
	for _, c := range list {
		if c.At.matches(pos) {
			return c.Factor, true
		}
	}
	return 0, false
}

// branchChoice finds the --branch of a branch.
func (d *decisions) branchChoice(pos lower.Pos, list []BranchChoice) (BranchSide, bool) {
	for _, c := range list {
		if c.At.matches(pos) {
			d.used[c.At] = true
			return c.Side, true
		}
	}
	return 0, false
}

// checkChoices warns about locations that named nothing, and contents that decide nothing.
func (d *decisions) checkChoices(opt Options) {
	var loopAt, branchAt []lower.Pos
	for _, l := range d.k.Loops {
		loopAt = append(loopAt, l.Pos)
	}
	for _, b := range d.k.Branches {
		branchAt = append(branchAt, b.Pos)
	}
	check := func(flag, what string, at Location, positions []lower.Pos) {
		if d.used[at] || slices.ContainsFunc(positions, at.matches) {
			return
		}
		e := diag.Warningf(d.k.Pos, "LOCATION", "--%s %v: kernel %s has no %s there", flag, at, d.k.Name, what)
		for _, p := range positions {
			e.WithNote("there is one at %v", p)
		}
		d.diagnostics.Add(e)
	}
	for _, c := range opt.Trips {
		check("trip", "loop", c.At, loopAt)
	}
	for _, c := range opt.Unrolls {
		check("unroll", "loop", c.At, loopAt)
	}
	for _, c := range opt.Branches {
		check("branch", "branch", c.At, branchAt)
	}
	d.checkContents(opt)
}
