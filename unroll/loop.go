package unroll

import (
	"fmt"
	"slices"

	"gpupipe/idg"
	"gpupipe/internal/diag"
	"gpupipe/lower"
	"gpupipe/unroll/structure"
	"gpupipe/unroll/trace"
)

// activeLoop is a loop that is being executed.
type activeLoop struct {
	l      *lower.Loop
	plan   plan
	rolled bool // inside the part that keeps its loop instruction
	// lastPass: the iterations left over by the factor, which begin at a known
	// value of the counter.
	lastPass bool
	length   int64 // iterations of the pass that is being executed, factor where it is what is left over
	level    int32 // rolled loops around and including this one

	// Strength reduction: the current symbols of the loop's counters, their
	// values at entry, and the address streams found so far.
	symbols     map[valueID]lower.Reg
	current     map[lower.Reg]*value
	previous    map[lower.Reg]*value // of the iteration before
	first       map[lower.Reg]*value
	streams     []stream
	streamIndex map[string]int
	wide        bool // streams in global memory are reduced
	wide64      bool // those with a 64-bit index
	narrow      bool // streams in on-chip and private memory are reduced

	mayExit       bool         // a break or return whose condition is not known may leave it
	step          *lower.Instr // at -O0: the body's step of the counter, part of the loop instruction
	back          trace.NodeID // what incremented the counter last
	storesPrivate bool         // the loop writes private arrays
	changes       int64        // stores that changed what followed private arrays hold
	writesMark    int          // their elements written in this iteration, in memory.writes
	watch         *watch       // of the passes of the rolled part
	earlier       recurrence   // state that the loop may come back to
	kept          []*kept      // places of memory that the loop has in registers
	carries       []*kept      // those that it accesses, of loops around it, too
	apart         apartLanes   // lanes with fewer whole passes than others
}

// newLoop returns a loop to be executed, in the place of one that has ended.
func (r *resolver) newLoop(l *lower.Loop) *activeLoop {
	n := len(r.ended)
	if n == 0 {
		return &activeLoop{l: l}
	}
	a := r.ended[n-1]
	r.ended = r.ended[:n-1]
	*a = activeLoop{l: l}
	return a
}

// loop executes a loop for the lanes of m and returns those that reach its end.
func (r *resolver) loop(l *lower.Loop, m laneMask) laneMask {
	r.spend(loopWork)
	r.enterLabel(l.Label)
	r.enter(r.st.Block(l, structure.Head), m)
	a := r.newLoop(l)
	active, guard := m, lower.Operand{}
	if l.Kind != "do" {
		r.mask = m
		if l.Induction != nil {
			r.quietly(func() { r.block(l.Cond, m) })
		} else {
			r.block(l.Cond, m)
		}
		guard = l.CondValue
	}
	if r.stopped() {
		return 0
	}
	var trips []int64
	a.plan, trips = r.planLoop(l, m)
	if r.stopped() {
		return 0
	}
	r.setApart(a, trips)
	p := &a.plan
	r.keepPlaces(a)
	r.loops = append(r.loops, a)
	defer func() {
		r.endWatch(a)
		r.loops = r.loops[:len(r.loops)-1]
		r.storeKept(a.kept)
		r.ended = append(r.ended, a)
	}()
	meetings := r.loopMeetings(l, p)
	r.converge(l.Pos, m, min(meetings, 1))
	if !p.full {
		r.startRolled(a)
	}
	if guard.Kind != 0 {
		r.guardLoop(a, guard)
		active = r.goesOn(a, m, 0)
		if active == 0 && !r.operand(guard).konst {
			r.usedElsewhere(l.Body)
			r.passOver(r.st.Effects(l, structure.Head))
		}
		if active == 0 && r.opt.SASS() {
			meetings = min(meetings, 1)
		} else {
			r.guardPasses(a, guard)
		}
	}
	r.converge(l.Pos, m, meetings-1)
	if p.counted && !p.full && r.opt.Level == O0 {
		a.step = stepInBody(l)
	}
	body := r.st.Block(l, structure.Body)
	active, last := r.park(a, active, -1)
	i := last + 1
	r.trace.Mark(trace.LoopBegins)
	for ; active != 0 && !r.stopped(); i++ {
		r.spend(operationWork)
		if r.refuseRecurrence(a, active, i); r.stopped() {
			return 0
		}
		if i > 0 && a.rolled && p.startsGroup(i) && !p.peels(i) && !(p.constant && i == p.main()) {
			if i = r.beginPass(a, active, i); r.stopped() {
				return 0
			}
		}
		if i > 0 && (!a.rolled || p.startsGroup(i)) {
			r.trace.Mark(trace.IterationBegins)
		}
		if a.rolled && p.startsGroup(i) {
			a.lastPass = p.constant && i == p.main()
			if a.length = p.factor; i < p.main() {
				_, a.length = p.pass(i)
			}
			if p.peels(i) {
				r.endRolled(a)
			} else {
				r.symbolise(a)
			}
		}
		stretch := r.stretch
		r.enter(body, active)
		active = r.block(l.Body, active)
		active |= r.continued[l.Label]
		r.continued[l.Label] = 0
		if !l.HasBreak {
			r.stretch = stretch
		}
		r.passOver(r.st.ContinueEffects(l))
		if a.rolled && r.opt.Compiler == Clang && r.opt.Level != O3 {
			r.closeGaps()
		}
		if active == 0 && a.apart.parked == 0 {
			i++
			break
		}
		if active == 0 {
			active, i = r.park(a, 0, i)
			continue
		}
		r.mask = active
		if p.counted && a.rolled {
			r.quietly(func() { r.block(l.Post, active) })
		} else {
			r.block(l.Post, active)
		}
		ends := a.rolled && p.counted && p.endsGroup(i)
		if ends && r.opt.Level != O0 {
			r.backEdge(a, false)
		}
		next := r.evaluateCondition(a, active, i+1)
		switch {
		case ends && r.opt.Level == O0: // as the source says: it waits for what the condition loads
			r.backEdge(a, false)
		case a.rolled && p.counted && next == 0 && !ends:
			r.backEdge(a, true)
		}
		active, i = r.park(a, next, i)
	}
	if r.stopped() {
		return 0
	}
	r.trace.Mark(trace.LoopEnds)
	if a.rolled {
		r.endRolled(a)
	}
	if p.assumed && p.exited != 0 {
		p.trips = min(p.trips, i) // the known part of the condition may end it earlier
	}
	r.passOver(r.st.LeaveEffects(l))
	if !p.full && i > 0 {
		r.closeGaps()
	}
	r.converge(l.Pos, m, meetings)
	r.decisions.loop(l.ID).record(p, i)
	return active | r.left[l.Label] | r.exited(a, m)
}

// stepInBody returns the instruction that steps a counter at the end of the body
// (while loops), which the loop instruction stands for.
func stepInBody(l *lower.Loop) *lower.Instr {
	if n := len(l.Body); n > 0 {
		if in, ok := l.Body[n-1].(*lower.Instr); ok && len(in.Dsts) == 1 && in.Dsts[0] == l.Induction.Var {
			return in
		}
	}
	return nil
}

// exited returns the lanes that left through the loop's own condition.
func (r *resolver) exited(a *activeLoop, m laneMask) laneMask { return a.plan.exited & m }

// quietly executes code whose bookkeeping the loop instruction stands for: at
// -O0 it records its accesses of memory alone, at -O2 the sweep removes what is not needed.
func (r *resolver) quietly(f func()) {
	if r.opt.Level == O0 {
		defer func(before bool) { r.quiet = before }(r.quiet)
		r.quiet = r.silent == 0
	}
	r.ahead(f)
}

// ahead executes code only for its values, which is executed again: at -O0 it records nothing.
func (r *resolver) ahead(f func()) {
	if r.opt.Level == O0 {
		r.silent++
		defer func() { r.silent-- }()
	}
	f()
}

// evaluateCondition executes the condition before iteration i and returns the lanes that
// go on.
func (r *resolver) evaluateCondition(a *activeLoop, active laneMask, i int64) laneMask {
	l := a.l
	r.mask = active
	if a.plan.counted && !a.plan.full {
		r.quietly(func() { r.block(l.Cond, active) })
	} else {
		r.block(l.Cond, active)
	}
	if r.stopped() {
		return 0
	}
	next := r.goesOn(a, active, i)
	if a.plan.counted || r.silent > 0 {
		return next
	}
	// The test of an uncounted loop is a branch of its own.
	if l.CondValue.Kind == 0 {
		if !a.plan.full && a.plan.endsGroup(i-1) {
			r.record(trace.Node{Op: "branch", Pos: l.Pos, Flags: trace.Root | trace.Gate}, nil, nil)
		}
	} else if c := r.operand(l.CondValue); !c.konst {
		r.record(trace.Node{Op: "branch", Pos: l.Pos, Flags: trace.Root | trace.Gate}, r.depsOf(c), nil)
	}
	return next
}

// goesOn returns the lanes for which iteration i is executed, after the
// condition has been evaluated.
func (r *resolver) goesOn(a *activeLoop, active laneMask, i int64) laneMask {
	p := &a.plan
	next := active
	if a.mayExit && !p.counted && !p.endless && !p.given && !p.assumed && r.alwaysTrue(a.l, active) {
		p.endless = true
	}
	if a.mayExit && p.endless && !p.assumed && !p.given {
		r.assumeTrips(a)
	}
	switch {
	case p.given:
		if i >= p.trips {
			next = 0
		}
	case p.endless:
		if i >= p.trips && p.assumed {
			next = 0
		}
	default:
		yes, unknown := r.trueLanes(r.operand(a.l.CondValue), active)
		next = yes
		if i < p.trips || !p.assumed {
			next |= unknown
		}
		if unknown != 0 && !p.assumed {
			// The condition became unknown on the way (a value loaded in the body).
			r.assumeTrips(a)
			if i >= p.trips {
				next = yes
			}
		}
	}
	p.exited |= active &^ next
	return next
}

// alwaysTrue reports whether a loop's condition holds in all lanes and cannot
// change: it reads no memory and no variable that the loop assigns. Such a loop is
// left from inside, like while (1).
func (r *resolver) alwaysTrue(l *lower.Loop, active laneMask) bool {
	if l.CondValue.Kind == 0 {
		return false
	}
	if yes, unknown := r.trueLanes(r.operand(l.CondValue), active); unknown != 0 || yes != active {
		return false
	}
	assigned := r.st.AssignedIn(l)
	fixed := func(o lower.Operand) bool {
		_, found := slices.BinarySearch(assigned, o.Reg)
		return o.Kind != lower.OperandReg || !found
	}
	for _, st := range l.Cond {
		in, ok := st.(*lower.Instr)
		if !ok || in.Op == lower.Load || in.Op == lower.Atomic || in.Op == lower.ImageLoad ||
			slices.ContainsFunc(in.Args, func(o lower.Operand) bool { return !fixed(o) }) {
			return false
		}
	}
	return fixed(l.CondValue)
}

// assumeTrips gives a loop whose condition is not known its assumed count.
func (r *resolver) assumeTrips(a *activeLoop) {
	p := &a.plan
	p.trips, p.assumed, p.origin = r.opt.AssumeTrips, true, "assumed"
	r.noteAssumed(a.l, p)
}

func (r *resolver) noteAssumed(l *lower.Loop, p *plan) {
	if !r.decisions.news(assumption{at: l, trips: p.trips}) {
		return
	}
	on := ""
	if l.BoundText != "" {
		on = " (" + l.BoundText + ")"
	}
	r.decisions.assumed(diag.Notef(l.Pos, "ASSUMED-TRIPS",
		"the trip count of this loop is not known%s: %d iterations assumed", on, p.trips).
		WithNote("%s", oneOf(append([]string{fmt.Sprintf("--trip %d=N", l.Pos.Line)},
			r.adviseValues(l.BoundText)...)...)))
}

// guardLoop records the test that skips a loop which may have no iteration.
func (r *resolver) guardLoop(a *activeLoop, cond lower.Operand) {
	c := r.operand(cond)
	if r.opt.Level == O0 && a.plan.counted || c.konst || r.silent > 0 {
		return
	}
	r.record(trace.Node{Op: "branch", Pos: a.l.Pos, Flags: trace.Root | trace.Gate}, r.depsOf(c), nil)
}

// guardPasses records the tests behind that one, of what a loop is unrolled into.
func (r *resolver) guardPasses(a *activeLoop, cond lower.Operand) {
	c := r.operand(cond)
	if r.opt.Level == O0 || c.konst || r.silent > 0 {
		return
	}
	if a.plan.factor > 1 && !a.plan.full && a.plan.counted && !a.plan.constant {
		// The remainder loop of a run-time trip count has a test of its own, and in machine code the
		// whole passes another. So have passes that are made one: whether there are any, so many,
		// half as many, and others left.
		tests := 1
		if r.opt.SASS() {
			tests++
		}
		if a.plan.joinsPasses() {
			tests += 4
		}
		for range tests {
			t := r.record(trace.Node{Op: "setp.s32", Pos: a.l.Pos}, r.depsOf(c), nil)
			r.record(trace.Node{Op: "branch", Pos: a.l.Pos, Flags: trace.Root | trace.Gate}, []trace.NodeID{t}, nil)
		}
	}
}

// startRolled enters the part of a loop that keeps its loop instruction.
func (r *resolver) startRolled(a *activeLoop) {
	r.level++
	a.rolled, a.level = true, r.level
	a.first, a.symbols = map[lower.Reg]*value{}, map[valueID]lower.Reg{}
	a.current, a.previous = map[lower.Reg]*value{}, map[lower.Reg]*value{}
	a.streamIndex = map[string]int{}
	if r.opt.Optimises() && a.plan.counted {
		a.narrow, a.wide = r.unroller.Reduces(a.l, a.plan.constant, a.plan.factor)
		a.wide64 = a.narrow && r.opt.Compiler == Clang
	}
	a.storesPrivate = structure.AnyInstr(a.l, func(in *lower.Instr) bool {
		return in.Op == lower.Store && in.Space != idg.SpaceGlobal && in.Space != idg.SpaceLocal
	})
	if a.storesPrivate {
		r.opaqueAllCells()
	}
	a.writesMark = r.memory.mark()
}

func (r *resolver) opaqueAllCells() {
	mark := r.memory.mark()
	for c := range r.memory.cells {
		r.memory.writes = append(r.memory.writes, c)
	}
	r.opaqueCells(mark)
}

// symbolise starts an iteration of the rolled part: what the loop carries
// around is not a constant for the compiler and differs from the previous
// iteration's.
func (r *resolver) symbolise(a *activeLoop) {
	l := a.l
	r.numbering.forget(a.level)
	r.closeGaps()
	previous := a.current
	a.current, a.previous = a.previous, previous
	clear(a.symbols)
	clear(a.current)
	var steps map[lower.Reg]*lower.Instr
	if r.opt.Optimises() {
		steps = r.st.StepsOf(l)
	}
	for _, reg := range r.st.Carried(l) {
		v := r.regs[reg-1]
		if v == nil {
			continue
		}
		step, isStep := steps[reg]
		primary := a.plan.counted && l.Induction.Var == reg
		var next *value
		switch {
		case a.back != 0 && primary:
			next = r.carry(v, []trace.NodeID{a.back}, a.level)
		case a.back != 0 && isStep:
			next = r.carry(v, r.increment(previous[reg], v, step), a.level)
		default:
			next = r.opaque(v, a.level)
		}
		if a.back == 0 {
			a.first[reg] = v
		}
		if primary || isStep {
			a.symbols[next.id], a.current[reg] = reg, next
		}
		r.regs[reg-1] = next
	}
	for _, k := range a.carries {
		r.opaqueKept(k, a.level)
	}
	r.opaqueCells(a.writesMark)
}

// carry is opaque with given producers.
func (r *resolver) carry(v *value, deps []trace.NodeID, level int32) *value {
	w := *v
	w.lazy, w.deps, w.pieces = false, deps, nil
	out := r.opaque(&w, level)
	out.level = level
	return out
}

// increment records the step of a secondary induction variable, whose symbol was
// prev, to its value v: one addition for all copies of an unrolled body.
func (r *resolver) increment(prev, v *value, step *lower.Instr) []trace.NodeID {
	if prev == nil {
		return r.depsOf(v)
	}
	rest, _ := v.form.add(symbol(prev), -1).offset()
	deps := r.depsOf(prev)
	if !rest.isConst() && step.Op != lower.PtrAdd {
		if !rest.invariantAt(prev.level) {
			return r.depsOf(v)
		}
		deps = trace.Union(deps, r.depsOf(r.sum(rest, v.typ, step.Pos)))
	}
	op := "add.s32"
	if v.typ.Size() == 8 {
		op = "add.s64"
	}
	return r.produce(trace.Node{Op: op, Pos: step.Pos}, deps, nil)
}

// endRolled leaves the rolled part: its variables are ordinary values of the
// code around it.
func (r *resolver) endRolled(a *activeLoop) {
	r.handOn(a)
	r.numbering.forget(a.level)
	r.level--
	a.rolled = false
	for _, reg := range r.st.Carried(a.l) {
		v := r.regs[reg-1]
		if v == nil || v.konst {
			continue
		}
		if ind := a.l.Induction; ind != nil && ind.Var == reg && a.plan.constant {
			r.decided(v)
			if u, ok := v.uniform(r.mask); ok {
				r.regs[reg-1] = r.konst(v.typ, u)
				continue
			}
		}
		out := r.opaque(v, r.level)
		out.level = r.level
		r.regs[reg-1] = out
	}
	for _, k := range a.carries {
		r.opaqueKept(k, r.level)
	}
	if a.storesPrivate {
		r.opaqueAllCells()
	}
}
