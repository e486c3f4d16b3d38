package walk

import (
	"gpupipe/idg"
	"gpupipe/lower"
	"gpupipe/lower/ir"
	"gpupipe/lower/machine"
	"gpupipe/unroll"
)

// warp executes one warp.
type warp struct {
	c         *static
	visits    map[visit]trail // where it was at addresses that are not known
	launch    unroll.Options
	group     [3]int64
	number    int
	lanes     int
	all       uint64 // the lanes that exist
	mask      uint64 // the active ones
	unsure    uint64 // those of which it is not known whether they execute the instruction at hand
	both      uint64 // those of which it is not known that they did not take another side of a branch before
	values    []held
	stamps    []uint64 // by loop number: of its current iteration
	first     uint64   // the stamp of what stands in no loop
	clock     uint64   // the last stamp
	memory    map[ir.ObjectID]*object
	stale     []bool               // by ObjectID: it may have been written to
	gone      map[*ir.Instr]uint64 // lanes that have left a loop or region
	again     map[*ir.Instr]uint64 // lanes that continue a loop
	next      map[*ir.Value]*assigned
	running   []*running   // the loops around, the innermost last
	targets   []*ir.Instr  // the loops and regions around
	named     []coordinate // of boxes of tensors, by the loops around
	undecided []*undecided
	chosen    map[*ir.Instr]choice
	loops     []loopCount // by LoopID
	sites     []siteCount
	counts    []int64 // by instruction: how often it was executed
	last      int32   // the instruction that was executed last
	steps     int64
	spent     int64 // with what accesses count
	stores    int64 // to private arrays
	out       *recorder
	races     *races         // nil: nobody looks for them
	barriers  int64          // passed
	returned  uint64         // lanes that will not come to barriers
	early     uint64         // those that have returned in front of the end
	jumpsBack *machine.Instr // the instruction at hand ends an iteration
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

// running is a loop that is being executed.
type running struct {
	from   *ir.Instr
	level  int    // at which its iterations are followed, -1: they are not
	moves  uint64 // by how many bytes accesses move with an iteration, or-ed
	hold   int64  // for how many iterations more what was decided in this one holds
	n      int64  // iterations done
	number int32
	of     *loop
	done   int64         // iterations of the source that this one has done where lanes leave it, -1: all
	stays  *machine.Jump // leaves the loop for what is behind others, and no lane is taken to take it
}

func newWarp(c *static, o unroll.Options, group [3]int64, number int) *warp {
	w := &warp{c: c, launch: o, group: group, number: number, lanes: o.WarpSize,
		values: c.takeValues(), stamps: make([]uint64, c.numbered+1), first: c.clock + 1, clock: c.clock + 1,
		memory: map[ir.ObjectID]*object{}, stale: make([]bool, len(c.code.Func.Objects)+1),
		gone: map[*ir.Instr]uint64{}, again: map[*ir.Instr]uint64{}, next: map[*ir.Value]*assigned{},
		chosen: map[*ir.Instr]choice{}, loops: make([]loopCount, c.sources+1),
		sites: make([]siteCount, len(c.sites.branches)), counts: make([]int64, len(c.instrs))}
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

// takeValues are values for a new warp, whose stamps are those of warps before it.
func (s *static) takeValues() []held {
	values := s.spare
	if s.spare = nil; values == nil {
		return make([]held, s.code.Func.NumValues())
	}
	return values
}

// release leaves the memory of a warp that is done to the next one.
func (w *warp) release() {
	w.c.spare, w.values = w.values, nil
	w.c.clock = max(w.c.clock, w.clock)
	if w.out != nil {
		w.c.writers, w.out.writers = w.out.writers, nil
	}
}

func (w *warp) fail(err error) {
	if w.err == nil {
		w.err = err
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
		lanes = w.guarded(in)
	}
	w.emit(in, lanes)
	w.unsure = 0
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

// region executes a region; lanes that left it go on behind it.
func (w *warp) region(n *machine.Region) {
	w.cost(n.Enter)
	w.gone[n.From] = 0
	for _, r := range n.From.Results {
		w.values[r.ID].stamp = 0
	}
	w.targets = append(w.targets, n.From)
	w.block(n.Body)
	w.targets = w.targets[:len(w.targets)-1]
	end := n.End
	if end == nil && len(n.From.Blocks) > 0 {
		if last := n.From.Blocks[0].Last(); last != nil && last.Op == lower.OpYield {
			end = last
		}
	}
	if w.mask != 0 && end != nil {
		w.assign(n.From.Results, end.Args, w.mask, len(w.running))
	}
	w.mask |= w.gone[n.From]
	w.cost(n.Leave)
}

// jump takes lanes away.
func (w *warp) jump(n *machine.Jump) {
	taken := w.mask
	if n.Guard.Reg != 0 {
		taken = w.jumping(n)
	}
	if n.Continue {
		w.jumpsBack = n.Branch
	}
	w.cost(n.Branch)
	w.jumpsBack = nil
	w.mask &^= taken
	w.leave(n, taken)
}

// leave takes lanes to the target of a jump.
func (w *warp) leave(n *machine.Jump, taken uint64) {
	if taken = w.maybe(n, taken); taken == 0 {
		return
	}
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
	w.gone[n.Target] |= taken
	if n.From != nil && n.From.Kind == "return" && n.Target == w.targets[0] {
		w.returns(taken)
	}
	if depth > 0 {
		r := w.running[depth-1]
		if k := copyOf(n.Target, n.From); k >= 0 {
			r.done = max(r.done, k)
		} else {
			r.done = copiesOf(n.Target)
		}
	}
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

// emit executes an instruction for lanes: none, if its guard is false for all.
func (w *warp) emit(in *machine.Instr, lanes uint64) {
	id := w.last + 1 // as a rule
	if int(id) >= len(w.c.instrs) || w.c.instrs[id] != in {
		id = w.c.ids[in]
	}
	w.last = id
	w.counts[id]++
	if w.spend(1); w.err != nil {
		return
	}
	if f := in.From; f != nil && in.Mem != nil && !in.Spill {
		w.access(f, in, lanes)
	}
	switch {
	case in.Class == "barrier":
		w.meets(id)
		w.arrives(in)
	case w.c.transactions && in.From != nil:
		w.sees(in.From)
	}
	if w.out != nil {
		w.out.instr(w, id, in, lanes)
	}
}

// access executes what an instruction does to memory.
func (w *warp) access(f *ir.Instr, in *machine.Instr, lanes uint64) {
	if len(f.Args) == 0 || w.isLazy(f, in) {
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
	case lanes == 0:
	case in.Mem.Store || in.Mem.Atomic && len(f.Args) > 1:
		w.overwrites(f, lanes)
		if in.Mem.Atomic {
			return
		}
		if w.c.root(f.Args[0]) == 0 || w.c.code.Func.Object(w.c.root(f.Args[0])).Space == idg.SpacePrivate {
			w.stores++
		}
		w.store(f, lanes)
	case len(f.Results) > 0 && w.values[f.Results[0].ID].stamp != w.stampOf(f.Results[0]):
		w.load(f)
	}
}

// isLazy reports whether nothing has to be done for an access: what local memory holds is not followed, so that a value
// that is loaded is the same whenever somebody asks for it, and nobody asks how addresses move outside of loops, or in
// the warps of other groups.
func (w *warp) isLazy(f *ir.Instr, in *machine.Instr) bool {
	nobody := len(w.running) == 0 || w.out != nil && w.out.brief && !w.c.several
	return nobody && w.watch == nil && in.Mem.Space == idg.SpaceLocal && f.Space == idg.SpaceLocal &&
		(f.Op == lower.Load || f.Op == lower.Store)
}

// addresses is how many of an operation's operands are addresses.
func addresses(f *ir.Instr) int {
	if f.Op == lower.Copy {
		return 2
	}
	return 1
}
