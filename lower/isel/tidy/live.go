package tidy

import (
	"slices"
)

// cells number the words of registers: the unit in which selection knows what is live.
type cells struct {
	base []int // by Reg - 1
	n    int
}

func newCells(c *Code) cells {
	w := cells{base: make([]int, len(c.Regs))}
	for i, r := range c.Regs {
		w.base[i] = w.n
		w.n += r.Words
	}
	return w
}

// flat is a kernel as a graph of basic blocks over a list of nodes.
type flat struct {
	nodes  []Node
	blocks []flatBlock
	cells
	c     *Code
	sides map[*If][2]int // the first nodes of both sides of branches
	loop  int            // the head of the outermost loop that is being walked, -1: none
}

type flatBlock struct {
	start, end int
	preds      []int
	// first is the first block that may come before this one and after it: the head of the outermost loop around it
	first int
}

// flatten makes the graph of basic blocks.
func flatten(c *Code) *flat {
	nodes, blocks := c.Body.Size()
	f := &flat{c: c, cells: newCells(c), sides: map[*If][2]int{}, loop: -1, nodes: make([]Node, 0, nodes),
		blocks: make([]flatBlock, 0, blocks)}
	f.start()
	f.walk(c.Body, map[any]*exits{}, 0)
	f.blocks[len(f.blocks)-1].end = len(f.nodes)
	return f
}

// exits are the blocks from which a loop or region is left or continued.
type exits struct {
	head         int
	leave, again []int
}

// start begins a basic block.
func (f *flat) start(preds ...int) int {
	if n := len(f.blocks); n > 0 {
		f.blocks[n-1].end = len(f.nodes)
	}
	f.blocks = append(f.blocks, flatBlock{start: len(f.nodes), preds: preds, first: len(f.blocks)})
	if b := f.now(); f.loop >= 0 {
		f.blocks[b].first = f.loop
	}
	return f.now()
}

func (f *flat) now() int { return len(f.blocks) - 1 }

// walk appends a block; it reports whether its end is reached.
func (f *flat) walk(b *Block, targets map[any]*exits, loops int) bool {
	for i, n := range b.Nodes {
		switch n := n.(type) {
		case *Moves:
			n.at, n.loop = len(f.nodes), loops
			f.nodes = append(f.nodes, n)
		case *Instr:
			f.nodes = append(f.nodes, n)
		case *If:
			f.nodes = append(f.nodes, n)
			if !f.branch(n, targets, loops) {
				return false
			}
		case *Loop:
			e := &exits{}
			targets[n.From] = e
			e.head = f.start(f.now())
			outer := f.loop < 0
			if outer {
				f.loop = e.head
			}
			f.walk(n.Body, targets, loops+1)
			if outer {
				f.loop = -1
			}
			f.blocks[e.head].preds = append(f.blocks[e.head].preds, e.again...)
			f.start(e.leave...)
			if len(e.leave) == 0 {
				return false
			}
		case *Region:
			e := &exits{}
			targets[n.From] = e
			if f.walk(n.Body, targets, loops) {
				e.leave = append(e.leave, f.now())
			}
			f.start(e.leave...)
			if len(e.leave) == 0 {
				return false
			}
		case *Jump:
			f.nodes = append(f.nodes, n)
			e := targets[n.Target]
			if n.Continue {
				e.again = append(e.again, f.now())
			} else {
				e.leave = append(e.leave, f.now())
			}
			if n.Guard.Reg == 0 {
				return false
			}
			if i < len(b.Nodes)-1 {
				f.start(f.now())
			}
		}
	}
	return true
}

func (f *flat) branch(n *If, targets map[any]*exits, loops int) bool {
	top := f.now()
	var ends []int
	var at [2]int
	for i, side := range [...]*Block{n.Then, n.Else} {
		at[i] = f.blocks[f.start(top)].start
		if f.walk(side, targets, loops) {
			ends = append(ends, f.now())
		}
	}
	f.sides[n] = at
	f.start(ends...)
	return len(ends) > 0
}

// visit calls use and def for the cells that a node reads and writes. A write under a condition is a read too.
func (f *flat) visit(n Node, use, def func(cell int)) {
	reg := func(r Reg, word, span int, do func(int)) {
		if word < 0 {
			word, span = 0, f.c.Reg(r).Words
		}
		for k := range max(1, span) {
			do(f.base[r-1] + word + k)
		}
	}
	guard := func(g Guard) {
		if g.Reg != 0 {
			use(f.base[g.Reg-1])
		}
	}
	switch n := n.(type) {
	case *Instr:
		for _, o := range n.Uses {
			if o.Kind == InReg {
				reg(o.Reg, o.Word, o.Span, use)
			}
		}
		guard(n.Guard)
		for i, d := range n.Defs {
			word, span := 0, f.c.Reg(d).Words
			if i == 0 && n.Part > 0 {
				word, span = n.Part-1, max(1, n.Span)
			}
			if n.Guard.Reg != 0 {
				reg(d, word, span, use)
			}
			reg(d, word, span, def)
		}
	case *Moves:
		for _, m := range n.List {
			if m.From.Kind == InReg {
				span := m.Span
				if m.From.Word < 0 {
					span = 0
				}
				reg(m.From.Reg, m.From.Word, span, use)
			}
			reg(m.To, m.Word, m.Span, def)
		}
	case *If:
		guard(n.Cond)
	case *Jump:
		guard(n.Guard)
	}
}

// liveness finds where each cell is live: from each read that no write of its block comes before, backwards
// to the writes (Boissinot et al., Computing Liveness Sets for SSA-Form Programs, 2011, by use).
func (f *flat) liveness() [][]span {
	in, out := f.liveBlocks()
	spans := make([][]span, f.n)
	open := make([]int, f.n) // where the span that is open ends
	var room []span
	for b := len(f.blocks) - 1; b >= 0; b-- {
		block := &f.blocks[b]
		for _, cell := range out[b] {
			open[cell] = 4 * block.end
		}
		for i := block.end - 1; i >= block.start; i-- {
			f.visit(f.nodes[i], func(int) {}, func(cell int) {
				end := open[cell]
				open[cell] = 0
				spans[cell] = join(spans[cell], 4*i+2, max(end, 4*i+3), &room)
			})
			f.visit(f.nodes[i], func(cell int) {
				if open[cell] == 0 {
					open[cell] = 4*i + 1
				}
			}, func(int) {})
		}
		for _, cell := range in[b] {
			spans[cell] = join(spans[cell], 4*block.start, open[cell], &room)
			open[cell] = 0
		}
	}
	for _, list := range spans {
		slices.Reverse(list)
	}
	return spans
}

// join puts a span in front of those behind it.
func join(list []span, from, to int, room *[]span) []span {
	if n := len(list); n > 0 && list[n-1].from <= to {
		list[n-1].from = from
		return list
	}
	return more(list, span{from: from, to: to}, room)
}

// more appends to a list. The first of it comes out of a chunk: most lists stay so short.
func more[T any](list []T, x T, room *[]T) []T {
	if list == nil {
		if len(*room) == 0 {
			*room = make([]T, 256)
		}
		list, *room = (*room)[:0:1], (*room)[1:]
	}
	return append(list, x)
}

// liveBlocks lists the cells that are live at the beginning and the end of each block. Nothing lives in front of the
// first write that can come before it: a write under a condition reads what nobody wrote else, back to the beginning.
func (f *flat) liveBlocks() (in, out [][]int) {
	uses, defs := make([][]int, f.n), make([][]int, f.n) // blocks
	seen := make([]int, f.n)
	var room []int
	for b := range f.blocks {
		for _, n := range f.nodes[f.blocks[b].start:f.blocks[b].end] {
			f.visit(n, func(cell int) {
				if l := defs[cell]; len(l) > 0 && l[len(l)-1] == b || seen[cell] == b+1 {
					return
				}
				seen[cell] = b + 1
				uses[cell] = more(uses[cell], b, &room)
			}, func(cell int) {
				if l := defs[cell]; len(l) == 0 || l[len(l)-1] != b {
					defs[cell] = more(defs[cell], b, &room)
				}
			})
		}
	}
	in, out = make([][]int, len(f.blocks)), make([][]int, len(f.blocks))
	defined, entered, left := make([]int, len(f.blocks)), make([]int, len(f.blocks)), make([]int, len(f.blocks))
	var work []int
	for cell := range f.n {
		for _, b := range defs[cell] {
			defined[b] = cell + 1
		}
		work = append(work[:0], uses[cell]...)
		for _, b := range work {
			entered[b] = cell + 1
			in[b] = append(in[b], cell)
		}
		first := 0
		if len(defs[cell]) > 0 {
			first = f.blocks[defs[cell][0]].first
		}
		for len(work) > 0 {
			b := work[len(work)-1]
			work = work[:len(work)-1]
			for _, p := range f.blocks[b].preds {
				if left[p] == cell+1 || p < first {
					continue
				}
				left[p] = cell + 1
				out[p] = append(out[p], cell)
				if defined[p] != cell+1 && entered[p] != cell+1 {
					entered[p] = cell + 1
					in[p] = append(in[p], cell)
					work = append(work, p)
				}
			}
		}
	}
	return in, out
}
