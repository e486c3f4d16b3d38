// Package walk executes compiled code: it consumes machine code (package lower/machine) and a launch, and gives what
// the lanes of one warp execute. Nothing is optimised here.
//
// The walk goes over the structure of the code with a mask of active lanes. What decides - conditions, addresses - is
// computed from the IR that the code was made of, when somebody asks for it: operations have no effects but those of
// memory. Iterations of loops that do what the one before did are counted: values know how they change with the
// iterations of the loops around them, conditions and addresses for how many iterations they stay as they are
// (follow.go).
package walk

import (
	"fmt"
	"slices"

	"gpupipe/idg"
	"gpupipe/lower"
	"gpupipe/lower/ir"
	"gpupipe/lower/machine"
	"gpupipe/unroll"
)

// warp executes one warp.
type warp struct {
	c         *static
	launch    unroll.Options
	group     [3]int64
	number    int
	lanes     int
	all       uint64 // the lanes that exist
	mask      uint64 // the active ones
	both      uint64 // those of which it is not known that they did not take another side of a branch before
	values    []held
	stamps    []uint64 // by loop number: of its current iteration
	clock     uint64
	memory    map[ir.ObjectID]*object
	left      map[*ir.Instr]uint64 // lanes that have left a loop or region
	again     map[*ir.Instr]uint64 // lanes that continue a loop
	next      map[*ir.Value]*assigned
	running   []*running // the loops around, the innermost last
	done      map[int]trips
	counts    []int64 // by instruction: how often it was executed
	steps     int64
	stores    int64 // to private arrays
	out       *recorder
	jumpsBack *machine.Instr // the instruction at hand ends an iteration
	assumed   map[string]bool
	err       error
	plain     bool // every iteration is executed
	watch     func(in *machine.Instr, lanes uint64)
	followed  int
}

// assigned is what is assigned to a loop's parameter for the next iteration.
type assigned struct {
	value value
	ok    bool
}

// trips is how many iterations of a loop of the source have been executed, in an iteration of the loops around it.
type trips struct {
	around uint64
	n      int64
}

// running is a loop that is being executed.
type running struct {
	from    *ir.Instr
	level   int    // at which its iterations are followed, -1: they are not
	moves   uint64 // by how many bytes accesses move with an iteration, or-ed
	hold    int64  // for how many iterations more what was decided in this one holds
	n       int64  // iterations done
	decided bool   // that it ends was decided by a value that is known
	number  int32
}

// maxSteps bounds what is executed of a warp.
const maxSteps = 1 << 26

func newWarp(c *static, o unroll.Options, group [3]int64, number int) *warp {
	w := &warp{c: c, launch: o, group: group, number: number, lanes: o.WarpSize,
		values: make([]held, c.code.Func.NumValues()), stamps: make([]uint64, len(c.loops)+len(c.loopOf)+2), clock: 1,
		memory: map[ir.ObjectID]*object{}, left: map[*ir.Instr]uint64{}, again: map[*ir.Instr]uint64{},
		next: map[*ir.Value]*assigned{}, done: map[int]trips{}, counts: make([]int64, len(c.instrs)),
		assumed: map[string]bool{}}
	items := o.Local[0] * o.Local[1] * o.Local[2]
	n := min(items-int64(number)*int64(w.lanes), int64(w.lanes))
	w.all = 1<<uint(n) - 1
	if n == 64 {
		w.all = ^uint64(0)
	}
	w.lanes = int(n)
	w.mask = w.all
	return w
}

func (w *warp) fail(format string, args ...any) {
	if w.err == nil {
		w.err = fmt.Errorf(format, args...)
	}
}

// block executes nodes for the active lanes until none is left.
func (w *warp) block(b *machine.Block) {
	for _, n := range b.Nodes {
		if w.mask == 0 || w.err != nil {
			return
		}
		switch n := n.(type) {
		case *machine.Instr:
			w.instr(n)
		case *machine.If:
			w.branch(n)
		case *machine.Loop:
			w.loop(n)
		case *machine.Region:
			w.region(n)
		case *machine.Jump:
			w.jump(n)
		}
	}
}

// instr executes an instruction.
func (w *warp) instr(in *machine.Instr) {
	lanes := w.mask
	if g := in.Guard; g.Reg != 0 && g.Value != nil {
		taken, known := w.holds(g)
		if known == w.mask {
			lanes = taken
		}
	}
	w.emit(in, lanes)
}

// holds are the active lanes for which a guard is true, and those for which that is known.
func (w *warp) holds(g machine.Guard) (taken, known uint64) {
	if g.Value == nil {
		return w.mask, w.mask
	}
	c := w.value(g.Value)
	w.depends(c)
	known = c.known & w.mask
	for m := known; m != 0; m &= m - 1 {
		l := trailing(m)
		if (c.at(l) != 0) != g.Opposite {
			taken |= 1 << l
		}
	}
	return taken, known
}

// depends notes that something that is executed depends on a value.
func (w *warp) depends(v *value) {
	for _, r := range w.running {
		if r.level >= 0 {
			r.hold = min(r.hold, v.until[r.level])
		}
	}
}

// cost executes an instruction of control flow, if there is one.
func (w *warp) cost(in *machine.Instr) {
	if in != nil && w.mask != 0 {
		w.emit(in, w.mask)
	}
}

// branch executes both sides for the lanes that take them.
func (w *warp) branch(n *machine.If) {
	w.cost(n.Enter)
	then, other := w.sides(n)
	w.cost(n.Branch)
	w.mask = then
	if then != 0 {
		w.block(n.Then)
		w.cost(n.Skip)
	}
	rest, outer := w.mask, w.both
	w.mask = other
	if other != 0 {
		w.both |= then & other
		w.block(n.Else)
		w.both = outer
	}
	w.mask |= rest
	w.cost(n.Leave)
}

// sides are the lanes that take the sides of a branch. Those of which that is not known take what the user says
// (--branch), else the side of a loop whose guard the compiler made, else both, but that a loop is left when its
// iterations are over.
func (w *warp) sides(n *machine.If) (then, other uint64) {
	if n.Rare || n.Cond.Value == nil {
		if n.Rare {
			return 0, w.mask
		}
		return w.mask, 0
	}
	taken, known := w.holds(n.Cond)
	if w.forced(n) {
		taken, known = 0, 0
	}
	if known == w.mask {
		return taken, w.mask &^ taken
	}
	open := w.mask &^ known
	then, other = taken, known&^taken
	switch side := w.chosen(n); side {
	case unroll.TakeBranch:
		then |= open
	case unroll.SkipBranch:
		other |= open
	default:
		then |= open
		other |= open
	}
	return then, other
}

// forced reports whether a branch leaves a loop of which the user gives the number of iterations: its condition is not
// asked.
func (w *warp) forced(n *machine.If) bool {
	for _, b := range [...]*machine.Block{n.Then, n.Else} {
		if j := leaves(b); j != nil && j.From.Kind == "" && w.givenTrips(j.Target) >= 0 {
			return true
		}
	}
	return false
}

// chosen is the side that lanes take of which that is not known.
func (w *warp) chosen(n *machine.If) unroll.BranchSide {
	opposite := func(s unroll.BranchSide, not bool) unroll.BranchSide {
		if !not {
			return s
		}
		return map[unroll.BranchSide]unroll.BranchSide{unroll.TakeBranch: unroll.SkipBranch,
			unroll.SkipBranch: unroll.TakeBranch}[s]
	}
	if n.From != nil {
		for _, b := range w.launch.Branches {
			if b.At.Matches(n.From.Pos) && n.From.Source != 0 {
				return opposite(b.Side, n.Cond.Opposite)
			}
		}
	}
	for i, b := range [...]*machine.Block{n.Then, n.Else} {
		if j := leaves(b); j != nil {
			out := w.ends(j.Target, j.From)
			return opposite(unroll.TakeBranch, out == (i == 1))
		}
	}
	if n.From == nil || n.From.Source == 0 { // the compiler's guard of loops
		if then, other := guarded(n.Then, nil), guarded(n.Else, nil); (then == nil) != (other == nil) {
			runs := slices.ContainsFunc(append(then, other...), func(l *ir.Instr) bool { return w.share(l) > 0 })
			return opposite(unroll.TakeBranch, runs != (then != nil))
		}
	}
	w.assumes("branch", n.From)
	return unroll.BothSides
}

// leaves is the jump out of a loop that ends a block, nil if none does.
func leaves(b *machine.Block) *machine.Jump {
	if len(b.Nodes) == 0 {
		return nil
	}
	j, ok := b.Nodes[len(b.Nodes)-1].(*machine.Jump)
	if !ok || j.Guard.Reg != 0 || j.Continue || j.From == nil || len(j.Target.Blocks) == 0 || j.Target.Loop == nil {
		return nil
	}
	return j
}

// guarded appends the loops of a side, without those in others.
func guarded(b *machine.Block, list []*ir.Instr) []*ir.Instr {
	for _, n := range b.Nodes {
		switch n := n.(type) {
		case *machine.Loop:
			list = append(list, n.From)
		case *machine.If:
			list = guarded(n.Else, guarded(n.Then, list))
		case *machine.Region:
			list = guarded(n.Body, list)
		}
	}
	return list
}

// region executes a region; lanes that left it go on behind it.
func (w *warp) region(n *machine.Region) {
	w.cost(n.Enter)
	w.left[n.From] = 0
	for _, r := range n.From.Results {
		w.values[r.ID].stamp = 0
	}
	w.block(n.Body)
	if w.mask != 0 && n.End != nil {
		w.assign(n.From.Results, n.End.Args, w.mask, len(w.running))
	}
	w.mask |= w.left[n.From]
	w.cost(n.Leave)
}

// jump takes lanes away.
func (w *warp) jump(n *machine.Jump) {
	taken := w.mask
	if n.Guard.Reg != 0 {
		var known uint64
		switch taken, known = w.holds(n.Guard); {
		case n.Guard.Value == nil: // the loop of a sequence: once
			if n.Continue {
				taken = 0
			}
		case known != w.mask:
			if w.takes(n) {
				taken |= w.mask &^ known
			}
		default:
			w.decides(n)
		}
	}
	if n.Continue {
		w.jumpsBack = n.Branch
	}
	w.cost(n.Branch)
	w.jumpsBack = nil
	if taken == 0 {
		return
	}
	w.mask &^= taken
	depth := len(w.running)
	for depth > 0 && w.running[depth-1].from != n.Target {
		depth--
	}
	if n.Continue {
		w.again[n.Target] |= taken
		if n.From != nil && len(n.Target.Blocks) > 0 {
			w.proceed(n.Target.Blocks[0].Params, n.From.Args, taken, depth)
		}
		return
	}
	w.left[n.Target] |= taken
	if depth == 0 { // a region: how many loops are left is not counted
		depth = w.around(n.Target)
	} else {
		depth--
	}
	for _, r := range w.running[min(depth, len(w.running)):] {
		r.hold = 0 // lanes have left it
	}
	if n.From != nil {
		w.assign(n.Target.Results, n.From.Args, taken, depth)
	}
}

// around is how many running loops are around a region.
func (w *warp) around(region *ir.Instr) int {
	for i, r := range w.running {
		for b := region.Parent; b != nil && b.Owner != nil; b = b.Owner.Parent {
			if b.Owner == r.from {
				goto next
			}
		}
		return i
	next:
	}
	return len(w.running)
}

// assumes notes what was assumed.
func (w *warp) assumes(what string, in *ir.Instr) {
	if in != nil {
		w.assumed[fmt.Sprintf("%s at %v", what, in.Pos)] = true
	}
}

// emit executes an instruction for lanes: none, if its guard is false for all.
func (w *warp) emit(in *machine.Instr, lanes uint64) {
	id := w.c.ids[in]
	w.counts[id]++
	if w.steps++; w.steps > maxSteps {
		w.fail("the warp executes more than %d instructions that do not repeat", maxSteps)
		return
	}
	if f := in.From; f != nil && in.Mem != nil && !in.Spill {
		w.access(f, in, lanes)
	}
	if w.out != nil {
		w.out.instr(w, id, in, lanes)
	}
}

// access executes what an instruction does to memory.
func (w *warp) access(f *ir.Instr, in *machine.Instr, lanes uint64) {
	if len(f.Args) == 0 {
		return
	}
	for _, a := range f.Args[:min(len(f.Args), addresses(f))] {
		p := w.value(a)
		w.depends(p)
		for _, r := range w.running {
			if r.level >= 0 {
				r.moves |= uint64(p.d[r.level])
			}
		}
	}
	if w.watch != nil {
		w.watch(in, lanes)
	}
	switch {
	case in.Mem.Store:
		if root(f.Args[0]) == 0 || w.c.code.Func.Object(root(f.Args[0])).Space == idg.SpacePrivate {
			w.stores++
		}
		w.store(f, lanes)
	case len(f.Results) > 0 && w.values[f.Results[0].ID].stamp != w.stampOf(f.Results[0]):
		w.load(f)
	}
}

// addresses is how many of an operation's operands are addresses.
func addresses(f *ir.Instr) int {
	if f.Op == lower.Copy {
		return 2
	}
	return 1
}
