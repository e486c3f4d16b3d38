package walk

import (
	"math/bits"
	"slices"

	"gpupipe/lower/ir"
	"gpupipe/lower/machine"
	"gpupipe/unroll"
)

// branch executes both sides for the lanes that take them.
func (w *warp) branch(n *machine.If) {
	w.cost(n.Enter)
	active := w.mask
	then, other, open := w.sides(n)
	w.cost(n.Branch)
	p := &ir.Part{}
	if n.From != nil {
		p = &n.From.Part
	}
	if p.Straight && then != 0 {
		w.executes(p.Loop, p.Copies)
	}
	if open != 0 {
		w.bothSides(n, active, then, other, open)
		w.cost(n.Leave)
		return
	}
	returned := w.returned
	if n.From != nil && n.From.Kind == "return" { // nothing is left for those who have
		switch 0 {
		case len(n.Then.Nodes):
			w.returns(then)
		case len(n.Else.Nodes):
			w.returns(other)
		}
	}
	w.mask = then
	if then != 0 {
		w.block(n.Then)
		w.cost(n.Skip)
	}
	rest := w.mask
	w.mask = other
	if other != 0 {
		w.block(n.Else)
	}
	w.mask |= rest
	w.returned = returned | w.returned&^w.mask
	w.cost(n.Leave)
}

// undecided is a branch of which both sides are executed by lanes whose way is not known.
type undecided struct {
	targets int    // loops and regions around
	open    uint64 // those lanes
	jumps   []taken
}

// taken is a jump out of such a side.
type taken struct {
	jump  *machine.Jump
	lanes uint64
}

// bothSides executes both sides for open lanes. These are taken to leave a loop or region around the branch only
// where both sides do.
func (w *warp) bothSides(n *machine.If, active, then, other, open uint64) {
	side := func(b *machine.Block, lanes uint64, skip *machine.Instr) (end uint64, jumps []taken) {
		if lanes == 0 {
			return 0, nil
		}
		u := &undecided{targets: len(w.targets), open: open}
		w.undecided = append(w.undecided, u)
		w.mask = lanes
		w.block(b)
		w.cost(skip)
		w.undecided = w.undecided[:len(w.undecided)-1]
		return w.mask, u.jumps
	}
	endThen, jumpsThen := side(n.Then, then, n.Skip)
	outer := w.both
	w.both |= then & other
	endElse, jumpsElse := side(n.Else, other, nil)
	w.both = outer
	var leftThen, leftElse uint64
	for _, j := range jumpsThen {
		leftThen |= j.lanes
	}
	for _, j := range jumpsElse {
		leftElse |= j.lanes
	}
	both := leftThen & leftElse &^ (endThen | endElse)
	over := uint64(0)
	for _, j := range append(jumpsThen, jumpsElse...) {
		if w.over(j.jump) {
			over |= j.lanes
			w.leave(j.jump, j.lanes)
		}
	}
	both &^= over
	for _, j := range append(jumpsThen, jumpsElse...) {
		w.leave(j.jump, j.lanes&both)
		if j.lanes&^both != 0 {
			w.stays(j.jump)
		}
	}
	w.mask = (endThen | endElse) &^ (both | over) & active
	if w.asked(n.From) != 0 {
		return
	}
	w.assumesBranch(n.From, leftThen|leftElse != 0 && both == 0 || returns(n.From))
}

// over reports whether a jump out of a side ends a loop that has all iterations that it is taken to have, and that
// only such jumps end.
func (w *warp) over(j *machine.Jump) bool {
	for _, r := range w.running {
		if r.from == j.Target {
			return !j.Continue && r.of.deep && w.ends(r, j.From)
		}
	}
	return false
}

// returns reports whether one side of a branch is where the source returns early.
func returns(in *ir.Instr) bool {
	return in.Kind == "return" && (len(in.Blocks[0].Instrs) == 1 || len(in.Blocks[1].Instrs) == 1)
}

// maybe keeps the jumps of lanes out of the sides of branches of which it is not known whether they take them, and
// returns the lanes that jump.
func (w *warp) maybe(n *machine.Jump, lanes uint64) uint64 {
	if len(w.undecided) == 0 || lanes == 0 {
		return lanes
	}
	u := w.undecided[len(w.undecided)-1]
	for _, t := range w.targets[u.targets:] {
		if t == n.Target {
			return lanes
		}
	}
	if open := lanes & u.open; open != 0 {
		u.jumps = append(u.jumps, taken{n, open})
	}
	return lanes &^ u.open
}

// choice is a branch's condition where lanes take a side of which that is not known.
type choice struct {
	stamp uint64
	cond  value
}

// chooses notes the lanes for which the condition of a branch holds, or is taken to.
func (w *warp) chooses(in *ir.Instr, holds uint64) {
	v := value{known: w.mask, until: steady, bits: make([]uint64, w.lanes)}
	for m := holds; m != 0; m &= m - 1 {
		v.bits[trailing(m)] = 1
	}
	if holds == w.mask || holds == 0 {
		v = uniformOf(uint64(min(holds, 1)), w.all)
	}
	v.from = fromAssumed
	w.chosen[in] = choice{w.iteration(), v}
}

// asked is the side that the user gives a branch of the source (--branch), in the sense of its condition now, 0: none.
func (w *warp) asked(in *ir.Instr) unroll.BranchSide {
	if in == nil || in.Source == 0 || len(w.launch.Branches) == 0 {
		return 0
	}
	for _, b := range w.launch.Branches {
		if b.At.Matches(in.Pos) {
			if in.Opposite && b.Side != unroll.BothSides {
				return unroll.TakeBranch + unroll.SkipBranch - b.Side
			}
			return b.Side
		}
	}
	return 0
}

// sides are the lanes that take the sides of a branch, and those that take both. Lanes of which the way is not known
// take what the user says (--branch), else go on with a loop until its iterations are over, else take both.
func (w *warp) sides(n *machine.If) (then, other, open uint64) {
	if n.Cond.Value == nil || n.From == nil {
		if n.Rare {
			return 0, w.mask, 0
		}
		return w.mask, 0, 0
	}
	c := w.value(n.Cond.Value)
	holds, known := w.truth(n.Cond.Value) // in the sense of the source
	constant := known == w.mask && c.from == 0
	asked := w.asked(n.From)
	first := n.From.Part.Loop != 0 && !n.From.Part.More
	if first {
		w.enters(n.From.Part.Loop).from |= c.from
	}
	loop, _, _ := w.leaving(n)
	if !constant && asked != 0 || w.givenTrips(n, loop) {
		holds, known = 0, 0
	}
	if loop != nil && known == w.mask {
		w.decidedBy(loop, c)
	}
	side := asked
	if known != w.mask && asked == 0 {
		side = w.chooseSide(n)
	}
	open = w.mask &^ known
	switch side {
	case unroll.TakeBranch:
		holds |= open
	case unroll.SkipBranch:
	default:
		then, other = holds|open, known&^holds|open
		delete(w.chosen, n.From)
		w.count(n, c, holds, known, asked != 0)
		if n.Cond.Opposite {
			then, other = other, then
		}
		if open == 0 {
			w.skips(n, then, c)
		}
		return then, other, open
	}
	if open != 0 {
		w.chooses(n.From, holds)
		known = w.mask
	}
	w.count(n, c, holds, known, asked != 0)
	then, other = holds, w.mask&^holds
	if n.Cond.Opposite {
		then, other = other, then
	}
	w.skips(n, then, c)
	return then, other, 0
}

// count notes which way lanes go at a branch.
func (w *warp) count(n *machine.If, c *value, holds, known uint64, asked bool) {
	if holds != 0 && holds != known && known == w.mask {
		if p := n.From.Part; p.Loop != 0 {
			w.loops[p.Loop].parted = true
		}
	}
	if at, ok := w.c.sites.ifs[n]; ok {
		w.goes(at, c, holds, known, asked)
	}
}

// truth are the active lanes for which a condition holds, and those of which that is known.
func (w *warp) truth(v *ir.Value) (holds, known uint64) {
	c := w.value(v)
	w.depends(c)
	known = c.known & w.mask
	if c.uniform && known != 0 {
		if c.bits[0] != 0 {
			holds = known
		}
		return holds, known
	}
	for m := known; m != 0; m &= m - 1 {
		if c.bits[bits.TrailingZeros64(m)] != 0 {
			holds |= m & -m
		}
	}
	return holds, known
}

// side is the choice in the sense of a branch's condition: take the side that its machine code has first.
func side(n *machine.If, first bool) unroll.BranchSide {
	if first != n.Cond.Opposite {
		return unroll.TakeBranch
	}
	return unroll.SkipBranch
}

// chooseSide is the side that lanes take of which that is not known, BothSides: none.
func (w *warp) chooseSide(n *machine.If) unroll.BranchSide {
	if loop, jump, out := w.leaving(n); loop != nil {
		ends := w.ends(loop, jump.From)
		if !ends && n.From.Source != 0 && loop.of.decided(w) {
			w.assumesBranch(n.From, true)
			loop.stays = jump
		}
		return side(n, ends == (out == n.Then))
	}
	if p := n.From.Part; p.Loop != 0 { // of a loop that was unrolled
		runs := w.left(p.Loop, p, 0) > 0
		w.assumesPart(p)
		if runs {
			return unroll.TakeBranch
		}
		return unroll.SkipBranch
	}
	if n.From.Source == 0 { // the compiler's guard of a loop
		if then, other := w.c.loopsIn(n.Then), w.c.loopsIn(n.Else); (then == nil) != (other == nil) {
			runs := false
			for _, l := range slices.Concat(then, other) {
				if n, given := w.trips(l.Source); n > 0 {
					runs = true
					if !given && l.Source != 0 {
						w.assumesTrips(l.Source, n)
					}
				}
			}
			return side(n, runs == (then != nil))
		}
	}
	return unroll.BothSides
}

// assumesPart says that a choice about a part of a loop is another one in the next iteration of one that executes parts
// of the same.
func (w *warp) assumesPart(p ir.Part) {
	for _, r := range w.running {
		if r.level >= 0 && r.from.Source == p.Loop {
			r.hold = 0
		}
	}
}

// givenTrips reports whether the user gives the number of iterations that a branch decides about.
func (w *warp) givenTrips(n *machine.If, loop *running) bool {
	if len(w.launch.Trips) == 0 {
		return false
	}
	given := func(source int) bool {
		_, ok := w.trips(source)
		return ok
	}
	switch {
	case loop != nil:
		return given(loop.from.Source) && n.From.Source == 0
	case n.From.Part.Loop != 0:
		return given(n.From.Part.Loop)
	case n.From.Source == 0:
		list := slices.Concat(w.c.loopsIn(n.Then), w.c.loopsIn(n.Else))
		return len(list) > 0 && given(list[0].Source)
	}
	return false
}

// skips notes loops that are passed over: they have no iterations.
func (w *warp) skips(n *machine.If, then uint64, c *value) {
	if n.From.Source != 0 || n.From.Part.Loop != 0 {
		return
	}
	b := n.Then
	if then != 0 {
		if b = n.Else; then != w.mask {
			return
		}
	}
	for _, l := range w.c.loopsIn(b) {
		if l.Source != 0 && !l.Part.More {
			w.enters(l.Source).from |= c.from
		}
	}
}

// loopsIn lists the loops of a side, without those in others. It remembers them: branches in branches ask again.
func (s *static) loopsIn(b *machine.Block) []*ir.Instr {
	if len(s.loops) == 0 {
		return nil
	}
	list, known := s.inside[b]
	if known {
		return list
	}
	for _, n := range b.Nodes {
		switch n := n.(type) {
		case *machine.Loop:
			list = append(list, n.From)
		case *machine.If:
			list = append(append(list, s.loopsIn(n.Then)...), s.loopsIn(n.Else)...)
		case *machine.Region:
			list = append(list, s.loopsIn(n.Body)...)
		}
	}
	s.inside[b] = list
	return list
}

// leaving is the loop that one side of a branch ends by leaving, nil if none does: out is that side. A loop that
// nothing else leaves ends where a region around it is left.
func (w *warp) leaving(n *machine.If) (loop *running, jump *machine.Jump, out *machine.Block) {
	for _, b := range [...]*machine.Block{n.Then, n.Else} {
		if len(b.Nodes) == 0 {
			continue
		}
		j, ok := b.Nodes[len(b.Nodes)-1].(*machine.Jump)
		if !ok || j.Guard.Reg != 0 || j.Continue || j.From == nil {
			continue
		}
		if r := w.leaves(j); r != nil {
			return r, j, b
		}
	}
	return nil, nil, nil
}

// leaves is the loop that a jump ends, nil: none.
func (w *warp) leaves(j *machine.Jump) *running {
	for _, r := range w.running {
		if r.from == j.Target {
			return r
		}
	}
	if n := len(w.running); n > 0 && !w.running[n-1].of.leaves && w.running[n-1].from.Source != 0 {
		return w.running[n-1]
	}
	return nil
}

// guarded are the lanes that execute an instruction under a condition.
func (w *warp) guarded(in *machine.Instr) uint64 {
	from := branchAround(in.From)
	holds, known := w.truth(in.Guard.Value)
	if from == nil || from.Args[0] != in.Guard.Value { // of a branch that is none of the source's
		w.unsure = w.mask &^ known
		if known != w.mask {
			return w.mask
		}
		return w.lanesOf(in.Guard, holds)
	}
	site, first := w.c.sites.instrs[in]
	c := w.value(in.Guard.Value)
	asked := w.asked(from)
	if asked != 0 && (known != w.mask || c.from != 0) {
		known = 0
		if asked != unroll.BothSides {
			holds, known = 0, w.mask
			if asked == unroll.TakeBranch {
				holds = w.mask
			}
			w.chooses(from, holds)
		}
	}
	if first {
		w.goes(site, c, holds, known, asked != 0)
		if known != w.mask && asked == 0 {
			w.assumesBranch(from, false)
		}
	}
	w.unsure = w.mask &^ known
	if known != w.mask {
		return w.mask
	}
	return w.lanesOf(in.Guard, holds)
}

// lanesOf are the active lanes for which a guard is true.
func (w *warp) lanesOf(g machine.Guard, holds uint64) uint64 {
	if g.Opposite {
		return w.mask &^ holds
	}
	return w.mask & holds
}

// jumping are the lanes that take a jump under a condition.
func (w *warp) jumping(n *machine.Jump) uint64 {
	if n.Guard.Value == nil { // the loop of a sequence: once
		if n.Continue {
			return 0
		}
		return w.mask
	}
	holds, known := w.truth(n.Guard.Value)
	c := w.value(n.Guard.Value)
	from, site := branchAround(n.From), int32(-1)
	if at, ok := w.c.sites.jumps[n]; ok {
		site = at
	}
	asked := unroll.BranchSide(0)
	r := w.leaves(n)
	switch {
	case site >= 0 && known == w.mask && c.from == 0:
	case site >= 0 && w.asked(from) != 0:
		if asked = w.asked(from); asked != unroll.BothSides {
			holds, known = 0, w.mask
			if asked == unroll.TakeBranch {
				holds = w.mask
			}
		}
	case r != nil && r.from.Source != 0 && (from == nil || from.Source == 0) && len(w.launch.Trips) > 0:
		if _, given := w.trips(r.from.Source); given {
			holds, known = 0, 0
		}
	}
	if site >= 0 {
		w.goes(site, c, holds, known, asked != 0)
	}
	if r != nil && known == w.mask {
		w.decidedBy(r, c)
	}
	if known == w.mask {
		return w.lanesOf(n.Guard, holds)
	}
	out := w.lanesOf(n.Guard, holds) & known
	open := w.mask &^ known
	switch {
	case r == nil:
		w.assumesBranch(from, true)
		w.stays(n)
	case w.ends(r, n.From) != n.Continue:
		out |= open
	case !n.Continue:
		r.stays = n
	}
	return out
}
