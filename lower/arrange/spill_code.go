package arrange

import (
	"cmp"
	"slices"
	"strings"

	"gpupipe/lower/machine"
)

// rewriter puts the code of spilled registers into a kernel.
type rewriter struct {
	*spiller
	steps  map[*machine.Instr]int32
	end    []int32 // by step: the end of its basic block
	copies []copied
	before []machine.Node // of the node at hand
	after  []machine.Node
	words  map[machine.Reg]machine.Reg // of a register of another file: the vector register that keeps it
}

// copied is a register that holds what words of a spilled one have, up to a step that reads it.
type copied struct {
	reg        machine.Reg
	word, span int
	temp       machine.Reg
	until      int32
	loaded     bool // from memory, else it was stored
}

// rewrite puts the code of all chosen registers in.
func (p *spiller) rewrite() {
	w := rewriter{spiller: p, steps: map[*machine.Instr]int32{}, end: make([]int32, len(p.l.steps)),
		words: map[machine.Reg]machine.Reg{}}
	for i := range p.l.steps {
		if in := p.l.steps[i].instr; in != nil {
			w.steps[in] = int32(i)
		}
	}
	for _, b := range p.l.blocks {
		for i := b.start; i < b.end; i++ {
			w.end[i] = int32(b.end)
		}
	}
	w.block(p.l.code.Body)
}

func (w *rewriter) block(b *machine.Block) {
	if b == nil {
		return
	}
	out := make([]machine.Node, 0, len(b.Nodes))
	for _, n := range b.Nodes {
		w.before, w.after = w.before[:0], w.after[:0]
		drop := false
		switch n := n.(type) {
		case *machine.Instr:
			if drop = w.dropped(n) || w.zero(n); !drop {
				w.instr(n)
			}
		case *machine.If:
			w.branch(&n.Cond, n.Enter, n.Branch)
		case *machine.Loop:
			w.branch(nil, n.Enter)
			w.loop(n)
		case *machine.Region:
			w.branch(nil, n.Enter)
		case *machine.Jump:
			w.branch(&n.Guard, n.Branch)
		}
		out = append(out, w.before...)
		if !drop {
			out = append(out, n)
		}
		out = append(out, w.after...)
		w.inside(n)
	}
	b.Nodes = out
}

// inside goes into the blocks of a node; what was copied holds in none of them.
func (w *rewriter) inside(n machine.Node) {
	switch n := n.(type) {
	case *machine.Instr:
		return
	case *machine.If:
		w.copies = w.copies[:0]
		w.block(n.Then)
		w.copies = w.copies[:0]
		w.block(n.Else)
	case *machine.Loop:
		w.copies = w.copies[:0]
		w.block(n.Body)
	case *machine.Region:
		w.copies = w.copies[:0]
		w.block(n.Body)
	}
	w.copies = w.copies[:0]
}

// dropped reports whether an instruction is made again wherever its result is read.
func (w *rewriter) dropped(in *machine.Instr) bool {
	if len(in.Defs) != 1 {
		return false
	}
	v := &w.regs[in.Defs[0]-1]
	return v.chosen && v.remake == in
}

// zero stores a zero from the register that is always zero, where there is one, instead of a copy of it.
func (w *rewriter) zero(in *machine.Instr) bool {
	if !w.l.code.Target.Spills.Zero || !remakes(in) || !strings.HasPrefix(in.Class, "mov.") ||
		w.class != machine.Vector ||
		!w.regs[in.Defs[0]-1].chosen || w.l.code.Reg(in.Defs[0]).Words > 1 ||
		slices.ContainsFunc(in.Uses, func(o machine.Operand) bool {
			return o.Kind != machine.Immediate || o.Bits != 0
		}) {
		return false
	}
	store := w.memory(true, 0, in.Defs[0], 0, 1)
	store.Uses, store.Pos = in.Uses[:1], in.Pos
	w.after = append(w.after, store)
	w.forget(in.Defs[0], 0, 1)
	return true
}

// branch loads what instructions of control flow, and their guard, read.
func (w *rewriter) branch(g *machine.Guard, list ...*machine.Instr) {
	for _, in := range list {
		if in != nil {
			w.instr(in)
		}
	}
	if g != nil && g.Reg != 0 && w.regs[g.Reg-1].chosen {
		for _, in := range list {
			if in != nil && in.Guard.Reg != 0 {
				g.Reg = in.Guard.Reg
				return
			}
		}
		g.Reg = w.read(g.Reg, 0, 1, -1, nil).temp
	}
}

// instr loads what an instruction reads and stores what it writes.
func (w *rewriter) instr(in *machine.Instr) {
	step := w.steps[in]
	original := in.Guard
	if g := &in.Guard; g.Reg != 0 && w.regs[g.Reg-1].chosen {
		g.Reg = w.read(g.Reg, 0, 1, step, in).temp
	}
	for i := range in.Uses {
		o := &in.Uses[i]
		if o.Kind != machine.InReg || !w.regs[o.Reg-1].chosen {
			continue
		}
		word, span := wordsRead(o, w.l.code)
		if w.regs[o.Reg-1].remake != nil {
			o.Reg = w.read(o.Reg, 0, w.l.code.Reg(o.Reg).Words, step, in).temp
			continue
		}
		c := w.read(o.Reg, word, span, step, in)
		o.Reg, o.Word, o.Span = c.temp, -1, 0
		if c.span > span {
			o.Word, o.Span = word-c.word, span
		}
	}
	for i, r := range in.Defs {
		if !w.regs[r-1].chosen {
			continue
		}
		word, span := wordsWritten(in, w.l.code, i)
		if i == 0 {
			in.Part, in.Span = 0, 0
		}
		temp := w.temp(r, span)
		in.Defs[i] = temp
		store := w.store(temp, r, word, span, in)
		store.Guard = in.Guard
		w.after = append(w.after, store)
		w.forget(r, word, span)
		if original.Reg == 0 {
			w.keep(copied{r, word, span, temp, step, false})
		}
	}
	w.again(step, in)
}

// again stores what was loaded and is given up at a step once more.
func (w *rewriter) again(step int32, in *machine.Instr) {
	for _, c := range w.copies {
		if c.until == step && w.stored(c, step) {
			w.after = append(w.after, w.store(c.temp, c.reg, c.word, c.span, in))
		}
	}
}

// stored reports whether a copy that is given up at a step is stored: where a slot is read once only, if the block
// reads it again. What a loop does not write stays in memory.
func (w *rewriter) stored(c copied, step int32) bool {
	return w.l.code.Target.Spills.Once && w.class == machine.Vector && c.loaded && w.regs[c.reg-1].remake == nil &&
		w.next(step, c) >= 0 && w.changes(c.reg, step)
}

// changes reports whether the innermost loop around a step writes a register, or there is none.
func (w *rewriter) changes(r machine.Reg, step int32) bool {
	for k := range w.l.loops { // inner ones first
		if g := &w.l.loops[k]; g.from <= step && step < g.to {
			return w.writtenIn(r, g)
		}
	}
	return true
}

// writtenIn reports whether a loop writes a register.
func (w *rewriter) writtenIn(r machine.Reg, g *loopSteps) bool {
	for _, i := range w.regs[r-1].accesses {
		if i >= g.from && i < g.to {
			for _, a := range w.l.of(int(i)) {
				if a.write && w.l.owner[a.word] == r {
					return true
				}
			}
		}
	}
	return false
}

// register makes one, which is not spilled.
func (w *rewriter) register(info machine.RegInfo) machine.Reg {
	w.regs = append(w.regs, spillable{})
	return w.l.code.NewReg(info)
}

// temp is a register for words of a spilled one.
func (w *rewriter) temp(r machine.Reg, words int) machine.Reg {
	info := w.l.code.Reg(r)
	t := w.register(machine.RegInfo{Class: info.Class, Words: words, Name: info.Name})
	w.short[t] = true
	return t
}

// read is a copy that has words of a spilled register, and maybe others, at a step; -1: at the end of a block.
func (w *rewriter) read(r machine.Reg, word, span int, step int32, in *machine.Instr) copied {
	for i, c := range w.copies {
		if c.reg == r && c.word <= word && word+span <= c.word+c.span && c.until >= step && step >= 0 {
			if c.until == step {
				w.copies = append(w.copies[:i], w.copies[i+1:]...)
				w.keep(c)
			}
			return c
		}
	}
	c := copied{r, word, span, w.temp(r, span), step, true}
	if step >= 0 {
		w.keep(c)
	}
	w.before = append(w.before, w.load(c.temp, r, word, span, in))
	return c
}

// load makes what gives words of a spilled register.
func (w *rewriter) load(temp, r machine.Reg, word, span int, in *machine.Instr) *machine.Instr {
	if m := w.regs[r-1].remake; m != nil {
		again := *m
		again.Defs = []machine.Reg{temp}
		again.Uses = append([]machine.Operand(nil), m.Uses...)
		return &again
	}
	if w.class != machine.Vector {
		return w.keeper(1, temp, machine.Operand{Kind: machine.InReg, Reg: w.word(r), Word: word, Span: span}, in)
	}
	load := w.memory(false, temp, r, word, span)
	if in != nil {
		load.Pos = in.Pos
	}
	return load
}

// store makes what keeps words of a spilled register.
func (w *rewriter) store(temp, r machine.Reg, word, span int, in *machine.Instr) *machine.Instr {
	if w.class != machine.Vector {
		k := w.keeper(0, w.word(r), machine.Operand{Kind: machine.InReg, Reg: temp, Word: -1}, in)
		k.Part, k.Span = word+1, span
		return k
	}
	s := w.memory(true, temp, r, word, span)
	s.Pos = in.Pos
	return s
}

// keeper makes what moves a register of another file into a vector register (0) or back (1).
func (w *rewriter) keeper(way int, to machine.Reg, from machine.Operand, in *machine.Instr) *machine.Instr {
	k := &machine.Instr{Op: w.l.code.Target.Spills.Keep[w.class][way], Class: "mov.s32", Pipe: "alu",
		Defs: []machine.Reg{to},
		Uses: []machine.Operand{from}, Spill: true}
	if in != nil {
		k.Pos = in.Pos
	}
	return k
}

// word is the vector register that keeps a spilled one of another file.
func (w *rewriter) word(r machine.Reg) machine.Reg {
	if w.words[r] == 0 {
		info := w.l.code.Reg(r)
		w.words[r] = w.register(machine.RegInfo{Class: machine.Vector, Words: info.Words, Name: info.Name})
	}
	return w.words[r]
}

// forget drops what was copied of words that are written.
func (w *rewriter) forget(r machine.Reg, word, span int) {
	out := w.copies[:0]
	for _, c := range w.copies {
		if c.reg != r || c.word >= word+span || word >= c.word+c.span {
			out = append(out, c)
		}
	}
	w.copies = out
}

// farthest is how many steps a copy is kept at the most: what it costs to look at the pressure of those between.
const farthest = 512

// keep notes a copy that holds up to a step; it is kept up to the next one that reads it where there are registers
// enough up to there, or others are read later (Belady).
func (w *rewriter) keep(c copied) {
	from := c.until
	if next := w.next(from, c); next >= 0 && next-from <= farthest && w.hold(from, next, c.span) {
		c.until = next
	}
	w.copies = append(w.copies, c)
}

// hold takes registers between two steps, and reports whether there are enough.
func (w *rewriter) hold(from, next int32, words int) bool {
	missing, later := 0, 0
	if from+1 < next {
		missing = words + slices.Max(w.pressure[from+1:next]) - w.limit
	}
	for _, c := range w.copies {
		if c.until > next {
			later += c.span
		}
	}
	if missing > later {
		return false
	}
	for missing > 0 {
		k := 0
		for i, c := range w.copies {
			if c.until > w.copies[k].until {
				k = i
			}
		}
		missing -= w.copies[k].span
		w.evict(k, from)
	}
	for i := from + 1; i < next; i++ {
		w.pressure[i] += words
	}
	return true
}

// evict gives up a copy at a step.
func (w *rewriter) evict(k int, step int32) {
	c := w.copies[k]
	for i := step + 1; i < c.until; i++ {
		w.pressure[i] -= c.span
	}
	if w.stored(c, step) {
		w.before = append(w.before, w.store(c.temp, c.reg, c.word, c.span, &machine.Instr{}))
	}
	w.copies = slices.Delete(w.copies, k, k+1)
}

// next is the first step of a block behind one that reads a copy, -1: none, or what was copied is written before.
func (w *rewriter) next(from int32, c copied) int32 {
	r := cmp.Or(w.regs[c.reg-1].whole, c.reg)
	list := w.regs[c.reg-1].accesses
	at, _ := slices.BinarySearch(list, from+1)
	for _, i := range list[at:] {
		if i >= w.end[from] {
			break
		}
		for _, a := range w.l.of(int(i)) { // reads before writes
			if at := int(a.word - w.l.base[r-1]); at >= c.word && at < c.word+c.span {
				if a.write {
					return -1
				}
				return i
			}
		}
	}
	return -1
}
