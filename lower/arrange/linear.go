package arrange

import (
	"gpupipe/lower/ir"
	"gpupipe/lower/machine"
)

// linear is a Code with its steps in one row, cut into basic blocks, and its registers as words. Liveness,
// allocation and spilling work on it; what it says of registers stays true as long as no node is moved.
type linear struct {
	code   *machine.Code
	steps  []step
	blocks []basicBlock
	// accesses lists what steps read and write; of step i those from first[i] to first[i+1], reads before writes.
	accesses []access
	first    []int32
	// base is the number of the first word of each register, by Reg-1; words count on through all registers.
	base  []int32
	owner []machine.Reg // the register of each word
	loops []loopSteps   // inner ones first
}

// step is a node that reads or writes registers: an instruction, or what decides a branch.
type step struct {
	instr *machine.Instr // nil: only guard is read
	guard machine.Guard  // of the instruction, of a branch or a jump
	node  machine.Node
	slot  *machine.Node // where an instruction stands that is a node itself
	depth int           // loops around it
}

// access is one word of a register that a step reads or writes.
type access struct {
	word  int32
	write bool
}

// basicBlock is a straight run of steps.
type basicBlock struct {
	start, end int
	preds      []int
	// warp lists blocks that the warp, but no lane, comes from: those of the other side of a branch on which
	// lanes differ. Registers that all lanes share have to live through them (LLVM's linear predecessors).
	warp []int
}

// linearise lays a Code out.
func linearise(c *machine.Code) *linear {
	nodes, blocks := c.Body.Size()
	l := &linear{code: c, base: make([]int32, len(c.Regs)), owner: make([]machine.Reg, 0, 2*len(c.Regs)),
		steps: make([]step, 0, nodes+blocks), blocks: make([]basicBlock, 0, blocks)}
	for i, r := range c.Regs {
		l.base[i] = int32(len(l.owner))
		for range r.Words {
			l.owner = append(l.owner, machine.Reg(i+1))
		}
	}
	w := layout{l: l, targets: map[*ir.Instr]*jumps{}}
	w.open()
	w.block(c.Body)
	w.close()
	l.first = make([]int32, 0, len(l.steps)+1)
	l.accesses = make([]access, 0, 4*len(l.steps))
	for i := range l.steps {
		l.first = append(l.first, int32(len(l.accesses)))
		l.collect(&l.steps[i])
	}
	l.first = append(l.first, int32(len(l.accesses)))
	return l
}

// of lists what a step reads and writes.
func (l *linear) of(step int) []access { return l.accesses[l.first[step]:l.first[step+1]] }

// collect lists the words that a step reads, then those that it writes.
func (l *linear) collect(s *step) {
	add := func(r machine.Reg, word, span int, write bool) {
		for k := range span {
			l.accesses = append(l.accesses, access{l.base[r-1] + int32(word+k), write})
		}
	}
	if s.guard.Reg != 0 {
		add(s.guard.Reg, 0, l.code.Reg(s.guard.Reg).Words, false)
	}
	if s.instr == nil {
		return
	}
	for i := range s.instr.Uses {
		o := &s.instr.Uses[i]
		if o.Kind != machine.InReg {
			continue
		}
		word, span := wordsRead(o, l.code)
		add(o.Reg, word, span, false)
	}
	for i, d := range s.instr.Defs {
		word, span := wordsWritten(s.instr, l.code, i)
		add(d, word, span, true)
	}
}

// words says which words of its register an operand reads.
func wordsRead(o *machine.Operand, c *machine.Code) (word, span int) {
	if o.Word < 0 {
		return 0, c.Reg(o.Reg).Words
	}
	return o.Word, max(1, o.Span)
}

// written says which words of a result an instruction writes.
func wordsWritten(in *machine.Instr, c *machine.Code, result int) (word, span int) {
	if result == 0 && in.Part > 0 {
		return in.Part - 1, max(1, in.Span)
	}
	return 0, c.Reg(in.Defs[result]).Words
}

// jumps are the blocks that jump out of a loop or region, or back to its beginning.
type jumps struct {
	leave, again []int
	lanes        bool // some leave where others go on
}

// layout makes the blocks of a linear.
type layout struct {
	l       *linear
	targets map[*ir.Instr]*jumps
	depth   int
	live    bool // the block at hand can be reached
}

// open begins a block behind those given.
func (w *layout) open(preds ...int) int {
	w.l.blocks = append(w.l.blocks, basicBlock{start: len(w.l.steps), preds: preds})
	w.live = len(w.l.blocks) == 1 || len(preds) > 0
	return len(w.l.blocks) - 1
}

// close ends the block at hand, and says which it is.
func (w *layout) close() int {
	b := len(w.l.blocks) - 1
	w.l.blocks[b].end = len(w.l.steps)
	return b
}

func (w *layout) instr(in *machine.Instr, node machine.Node) {
	if in != nil {
		w.l.steps = append(w.l.steps, step{instr: in, guard: in.Guard, node: node, depth: w.depth})
	}
}

// decide adds what a branch reads: its own instruction, and the guard where that does not read it.
func (w *layout) decide(g machine.Guard, branch *machine.Instr, node machine.Node) {
	w.instr(branch, node)
	if g.Reg != 0 && (branch == nil || branch.Guard.Reg != g.Reg) {
		w.l.steps = append(w.l.steps, step{guard: g, node: node, depth: w.depth})
	}
}

// block lays out nodes behind the block at hand.
func (w *layout) block(b *machine.Block) {
	if b == nil {
		return
	}
	for i, n := range b.Nodes {
		switch n := n.(type) {
		case *machine.Instr:
			w.instr(n, n)
			w.l.steps[len(w.l.steps)-1].slot = &b.Nodes[i]
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

// reached is the block at hand where control gets to its end.
func (w *layout) reached() []int {
	live := w.live
	b := w.close()
	if !live {
		return nil
	}
	return []int{b}
}

func (w *layout) branch(n *machine.If) {
	w.instr(n.Enter, n)
	w.decide(n.Cond, n.Branch, n)
	top := w.reached()
	w.open(top...)
	w.block(n.Then)
	w.instr(n.Skip, n)
	then := w.reached()
	other := w.open(top...)
	if w.lanes(n.Cond) {
		w.l.blocks[other].warp = then
	}
	w.block(n.Else)
	w.open(append(then, w.reached()...)...)
	w.instr(n.Leave, n)
}

// lanes reports whether lanes may differ in a condition.
func (w *layout) lanes(g machine.Guard) bool {
	return g.Reg != 0 && w.l.code.Reg(g.Reg).Class == machine.Predicate
}

func (w *layout) loop(n *machine.Loop) {
	w.instr(n.Enter, n)
	j := &jumps{}
	w.targets[n.From] = j
	top := w.reached()
	w.depth++
	head := w.open(top...)
	w.block(n.Body)
	again := append(j.again, w.reached()...)
	w.l.blocks[head].preds = append(w.l.blocks[head].preds, again...)
	w.depth--
	behind := w.open(j.leave...)
	w.l.loops = append(w.l.loops, loopSteps{n, int32(w.l.blocks[head].start), int32(w.l.blocks[behind].start)})
	if j.lanes {
		w.l.blocks[behind].warp = again
	}
	w.instr(n.Leave, n)
}

func (w *layout) region(n *machine.Region) {
	w.instr(n.Enter, n)
	j := &jumps{}
	w.targets[n.From] = j
	w.block(n.Body)
	w.open(append(j.leave, w.reached()...)...)
	w.instr(n.Leave, n)
}

func (w *layout) jump(n *machine.Jump) {
	w.decide(n.Guard, n.Branch, n)
	from := w.reached()
	if j := w.targets[n.Target]; j != nil {
		if n.Continue {
			j.again = append(j.again, from...)
		} else {
			j.leave = append(j.leave, from...)
			j.lanes = j.lanes || w.lanes(n.Guard)
		}
	}
	if n.Guard.Reg == 0 {
		from = nil
	}
	w.open(from...)
}
