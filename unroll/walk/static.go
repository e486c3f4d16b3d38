package walk

import (
	"slices"
	"strconv"

	"gpupipe/idg"
	"gpupipe/internal/diag"
	"gpupipe/lower"
	"gpupipe/lower/ir"
	"gpupipe/lower/machine"
)

// static is what all warps have in common: code, numbered.
type static struct {
	code        *machine.Code
	ids         map[*machine.Instr]int32 // of instructions, in program order
	instrs      []*machine.Instr         // by id
	loops       map[*machine.Loop]*loop
	inside      map[*machine.Block][]*ir.Instr // what loopsIn found
	behindLoops int32                          // the first instruction behind all loops
	several     bool                           // some instruction is recorded as several
	loopOf      []int32                        // by value ID: the number of the innermost loop that defines it, from 1
	roots       []int32                        // by value ID: what root found, plus 1
	numbered    int                            // loops
	written     map[ir.ObjectID]bool
	base        []int32 // by register: the first place of its words
	places      int
	sites       sites
	sources     int      // the largest LoopID
	spare       []held   // values of a warp that is done
	clock       uint64   // the last stamp of them
	writers     []writer // of a recorder that is done
	// loops of the source of which the compiler knows the number of iterations
	constant  map[int]int64
	loopPos   map[int]lower.Pos
	kernel    *lower.Kernel // that the code is of; nil: nobody asks what was decided
	notes     diag.List
	said      map[assumption]bool
	noted     map[noted]bool
	faults    diag.List                 // of the kernel, as far as execution shows them
	lines     []string                  // of the source
	advice    map[lower.Pos][]string    // by line: how to say what it depends on
	lacking   []string                  // arguments without a value; nil: not asked for yet
	continues map[*ir.Instr][]*ir.Instr // by loop
	// what barriers invalidate, by instruction: objects that others may have written to
	meetings map[int32][]ir.ObjectID
	contents contentReads
	spent    int64        // steps of all warps, and what their accesses count
	accesses idg.AccessID // the last one that was interned
	// blocks are copied for barriers that count bytes
	transactions bool
	// a barrier waits for those who have not returned only
	waitsForPresent bool
	tensors         []*tensor
}

// loop is a loop of the code.
type loop struct {
	number       int32 // of its IR
	from, behind int32 // its instructions
	// its sites
	sitesFrom, sitesBehind int32
	leaves                 bool // some jump leaves it for what is behind it
	deep                   bool // all that do are on a side of a branch, that one aside which is about leaving
	// the conditions of the jumps that leave it, other than by break or return: those that follow from what is known
	// when an iteration begins
	exits []*ir.Value
}

func newStatic(c *machine.Code) *static {
	s := &static{code: c, ids: map[*machine.Instr]int32{}, loops: map[*machine.Loop]*loop{},
		inside: map[*machine.Block][]*ir.Instr{}, advice: map[lower.Pos][]string{},
		loopOf: make([]int32, c.Func.NumValues()), roots: make([]int32, c.Func.NumValues()),
		written: map[ir.ObjectID]bool{}, sites: newSites(), loopPos: map[int]lower.Pos{}, said: map[assumption]bool{},
		noted: map[noted]bool{}, contents: contentReads{}, constant: map[int]int64{},
		continues: map[*ir.Instr][]*ir.Instr{}}
	s.constants()
	c.Func.Body.Walk(func(in *ir.Instr) {
		if in.Op == lower.OpContinue {
			s.continues[in.Target] = append(s.continues[in.Target], in)
		}
	})
	numbers := map[*ir.Instr]int32{}
	s.values(c.Func.Body, 0, numbers)
	s.block(c.Body, numbers)
	s.numbered = len(numbers)
	s.base = make([]int32, len(c.Regs))
	for i := range c.Regs {
		s.base[i] = int32(s.places)
		s.places += max(1, c.Regs[i].Words)
	}
	s.stores(c.Func)
	s.findMeetings()
	s.endLoops()
	return s
}

// endLoops finds where the last loop ends, and whether instructions are recorded as several.
func (s *static) endLoops() {
	for _, l := range s.loops {
		s.behindLoops = max(s.behindLoops, l.behind)
	}
	s.code.Func.Body.Walk(func(in *ir.Instr) {
		switch in.Op {
		case lower.Copy, lower.CopyGroup, lower.BulkCopy, lower.GroupMatMul:
			s.several = true
		}
	})
}

// constants finds the loops of the source of which the compiler knows the number of iterations. Decisions about one are
// of the whole loop, then of what others left of it; or of copies in a loop around it, which may have more.
func (s *static) constants() {
	varies, partly := map[int]bool{}, map[int]bool{}
	for _, x := range s.code.Func.Choices {
		n, err := strconv.ParseInt(x.Trips, 10, 64)
		if err != nil {
			continue
		}
		before, ok := s.constant[x.Source]
		if ok && (n > before || n < before && !partly[x.Source]) { // copies of it in a loop around
			varies[x.Source] = true
		}
		s.constant[x.Source] = max(n, before)
		partly[x.Source] = partly[x.Source] || !x.Whole && x.Copies > 1
	}
	for source := range varies {
		delete(s.constant, source)
	}
}

// values says in which loops values are defined.
func (s *static) values(b *ir.Block, loop int32, numbers map[*ir.Instr]int32) {
	for _, p := range b.Params {
		s.loopOf[p.ID] = loop
	}
	for _, in := range b.Instrs {
		for _, r := range in.Results {
			s.loopOf[r.ID] = loop
		}
		inner := loop
		if in.Op == lower.OpLoop || in.Op == lower.OpIf {
			for _, id := range [...]int{in.Part.Loop, sourceLoop(in)} {
				if s.sources = max(s.sources, id); id != 0 {
					s.loopPos[id] = in.Pos
				}
			}
		}
		if in.Op == lower.OpLoop {
			inner = int32(len(numbers)) + 1
			numbers[in] = inner
		}
		for _, i := range in.Blocks {
			s.values(i, inner, numbers)
		}
	}
}

// sourceLoop is the loop of the source that one of the IR is of, 0: none.
func sourceLoop(in *ir.Instr) int {
	if in.Op != lower.OpLoop {
		return 0
	}
	return in.Source
}

func (s *static) add(in *machine.Instr) {
	if in != nil {
		s.ids[in] = int32(len(s.instrs))
		s.instrs = append(s.instrs, in)
	}
}

// block numbers instructions.
func (s *static) block(b *machine.Block, numbers map[*ir.Instr]int32) {
	for _, n := range b.Nodes {
		switch n := n.(type) {
		case *machine.Instr:
			s.add(n)
			s.sites.instr(n)
		case *machine.If:
			s.add(n.Enter)
			s.add(n.Branch)
			s.sites.branch(n)
			s.block(n.Then, numbers)
			s.add(n.Skip)
			s.block(n.Else, numbers)
			s.add(n.Leave)
		case *machine.Loop:
			s.add(n.Enter)
			l := &loop{from: int32(len(s.instrs)), sitesFrom: int32(len(s.sites.branches))}
			if l.number = numbers[n.From]; l.number == 0 { // of a sequence
				numbers[n.From] = int32(len(numbers)) + 1
				l.number = numbers[n.From]
			}
			s.block(n.Body, numbers)
			l.sitesBehind = int32(len(s.sites.branches))
			l.deep = true
			s.exits(l, n.From, n.Body, nil, 0)
			l.deep = l.deep && l.leaves
			l.behind = int32(len(s.instrs))
			s.loops[n] = l
			s.add(n.Leave)
		case *machine.Region:
			s.add(n.Enter)
			s.block(n.Body, numbers)
			s.add(n.Leave)
		case *machine.Jump:
			s.add(n.Branch)
			s.sites.jump(n)
		}
	}
}

// exits finds what leaves a loop, inside so many branches.
func (s *static) exits(l *loop, in *ir.Instr, b *machine.Block, around *ir.Value, depth int) {
	for _, n := range b.Nodes {
		switch n := n.(type) {
		case *machine.If:
			s.exits(l, in, n.Then, n.Cond.Value, depth+1)
			s.exits(l, in, n.Else, n.Cond.Value, depth+1)
		case *machine.Region:
			s.exits(l, in, n.Body, around, depth)
		case *machine.Loop:
			s.exits(l, in, n.Body, nil, depth)
		case *machine.Jump:
			if n.Target != in {
				continue
			}
			if !n.Continue {
				l.leaves = true
				l.deep = l.deep && (depth > 1 || depth == 1 && n.Guard.Value != nil)
			}
			cond := n.Guard.Value
			if cond == nil {
				cond = around
			}
			if cond != nil && (n.From == nil || n.From.Kind != "break" && n.From.Kind != "return") &&
				s.loopOf[cond.ID] == l.number && s.plain(cond, 64) {
				l.exits = append(l.exits, cond)
			}
		}
	}
}

// plain reports whether a value follows from others by operations alone: it can be computed whenever somebody asks.
func (s *static) plain(v *ir.Value, depth int) bool {
	if v.Kind != ir.Result {
		return true
	}
	if depth == 0 || len(v.Def.Blocks) > 0 || v.Def.Op == lower.Load || v.Def.Op == lower.SubGroup {
		return false
	}
	for _, a := range v.Def.Args {
		if !s.plain(a, depth-1) {
			return false
		}
	}
	return true
}

// decided reports whether something that is known in each iteration ends a loop.
func (l *loop) decided(w *warp) bool {
	for _, v := range l.exits {
		if c := w.value(v); w.mask&^c.known == 0 {
			return true
		}
	}
	return false
}

// stores finds the objects that the kernel may write to: all that are not read only, once it stores through a
// pointer of which the object is not known.
func (s *static) stores(f *ir.Func) {
	all := false
	f.Body.Walk(func(in *ir.Instr) {
		s.transactions = s.transactions || in.Op == lower.BulkCopy && in.Fn == "load"
		switch in.Op {
		case lower.Store, lower.Atomic, lower.Copy, lower.BulkCopy:
			if id := s.root(in.Args[0]); id != 0 {
				s.written[id] = true
			} else {
				all = true
			}
		}
	})
	if all {
		for i := range f.Objects {
			if !f.Objects[i].ReadOnly {
				s.written[ir.ObjectID(i+1)] = true
			}
		}
	}
}

// root is the object that a pointer leads into whatever way was taken, 0: not known from how it is computed.
func (s *static) root(p *ir.Value) ir.ObjectID {
	known := &s.roots[p.ID]
	if *known == 0 {
		r := roots{s: s, steps: 64}
		if !r.visit(p) {
			r.id = 0
		}
		*known = int32(r.id) + 1
	}
	return ir.ObjectID(*known - 1)
}

// roots finds where a pointer comes from.
type roots struct {
	s     *static
	id    ir.ObjectID
	steps int
	seen  []*ir.Value // parameters of loops
}

// visit reports whether all that a pointer may come from are one object so far.
func (r *roots) visit(p *ir.Value) bool {
	for ; r.steps > 0; r.steps-- {
		switch op := p.DefOp(); {
		case p.Kind == ir.Address || p.Kind == ir.KernelArg:
			if p.Object == 0 || r.id != 0 && r.id != p.Object {
				return false
			}
			r.id = p.Object
			return true
		case p.Kind == ir.BlockArg:
			if slices.Contains(r.seen, p) {
				return true
			}
			r.seen = append(r.seen, p)
			for _, c := range r.s.continues[p.Def] {
				if !r.visit(c.Args[p.Index]) {
					return false
				}
			}
			p = p.Def.Args[p.Index]
		case op == lower.PtrAdd || op == lower.Mov || op == lower.Bitcast || op == lower.Convert:
			p = p.Def.Args[0]
		case op == lower.Add || op == lower.Fma: // of an address as an integer
			last := p.Def.Args[len(p.Def.Args)-1]
			if other := *r; op == lower.Add && other.visit(p.Def.Args[0]) {
				*r = other
				return true
			}
			p = last
		case op == lower.Select:
			if !r.visit(p.Def.Args[1]) {
				return false
			}
			p = p.Def.Args[2]
		case op == lower.OpIf:
			for _, b := range p.Def.Blocks {
				last := b.Last()
				if last == nil || last.Op != lower.OpYield {
					continue
				}
				if p.Index >= len(last.Args) || !r.visit(last.Args[p.Index]) {
					return false
				}
			}
			return true
		default:
			return false
		}
	}
	return false
}
