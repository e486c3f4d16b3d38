package simulate

import (
	"errors"
	"math"
	"slices"

	"gpupipe/idg"
	"gpupipe/internal/diag"
)

// Walking loops by dataflow
//
// With dataflow issue any ready instruction of a warp may issue, however far it is
// from those that have not. So a warp is at no one place of a loop: it has a window of
// instructions, from the first one that has not ended to the last one of which
// something may depend on what has. The window is extended by a block at a time: an execution of a
// loop's body, or what lies between two of them, as with basic blocks (tracer), but here they
// end with the bodies of long loops. All that is the same in each execution is stored
// once; an instruction in a window is a counter of dependences, the number of its
// node, and a bit for each subsystem.
//
// A block is added when the first event occurs after which one of its instructions
// could be ready. Each instruction waits for one of its block, or for one of
// before (that is what a program must have to be walked, else its loops are
// expanded); so these events are the ends of the nearest instructions on which those
// depend that wait for no one of their block (flowBlock.opens).

// flowOpener is an instruction at whose end a block must be there.
type flowOpener struct {
	back  uint32 // so far before the block's first instruction
	order bool   // not its completion, but the end of its λ
}

// walkedFrom is how many instructions a loop must execute to be walked. A
// shorter one is expanded: instructions of one graph for all warps take less time, and
// warps of few instructions little memory.
const walkedFrom = 1 << 15

// maxOpeners bounds those of all blocks.
const maxOpeners = 1 << 12

// maxWindows is how many instructions the windows of all warps may have if loops
// cannot be expanded: a GiB, with bodies of three instructions.
const maxWindows = 1 << 25

// errWindow ends a run in which windows have become so large that loops are better
// expanded: where the instructions that count iterations run ahead of the others, all
// iterations get into the window.
var errWindow = errors.New("simulate: internal error: loops should have been expanded; please report this")

// leastWindows is what a warp's window may have in any case.
const leastWindows = 1 << 16

// windowLimit is how many instructions a warp's window may have, m groups being there at
// once, and what an error it is to exceed that. If loops can be expanded, that is tried in little
// memory, and one warp may have its whole program, which takes less than expanding it.
func (w *workload) windowLimit(p *program, m int64) (int64, error) {
	if n := p.source.Len(); n <= idg.MaxExpanded && w.checkResident(m, false) == nil {
		if w.places(m) > 1 {
			n /= 8 * w.places(m)
		}
		return max(leastWindows, n), errWindow
	}
	most := maxWindows / w.places(m)
	return most, diag.Errorf(diag.Pos{}, idg.CodeTooLarge, "more than %d instructions of a warp's loops are under "+
		"way: iterations begin long before earlier ones have ended", most).
		WithNote("with --issue in-order or blocks they cannot; fewer groups at once (--concurrent) may have more")
}

// walked translates a program so that its loops of at least so many instructions are
// walked, for m groups at once and with blocks of so many instructions at most. It
// returns nil if there are no such loops, or they must be expanded.
func (w *workload) walked(p *program, atLeast, m, most int64) (*flowProgram, error) {
	l := newLayout(p.source)
	ends := make([]bool, p.source.StaticLen())
	long := false
	for _, r := range l.loops {
		if l.number(r.end)-l.number(r.first) >= atLeast {
			ends[r.end-1], long = true, true
		}
	}
	if !long {
		return nil, nil
	}
	t, err := w.newFlowTranslator(p, p.source, most, ends)
	if err != nil {
		return nil, err
	}
	limit, overflow := w.windowLimit(p, m)
	limit = max(limit, 2*int64(t.p.most))
	t.limit, t.walks = limit, true
	opens := t.openers()
	if opens == nil {
		return nil, nil
	}
	q, err := t.program()
	if err != nil {
		return nil, err
	}
	q.window, q.overflow = limit, overflow
	for i := range q.blocks {
		q.blocks[i].opens = opens[i]
	}
	q.join()
	return q, nil
}

// openers finds the openers of the blocks; nil if there are none of an
// instruction, or too many.
func (t *flowTranslator) openers() [][]flowOpener {
	opens := make([][]flowOpener, len(t.traced))
	type found struct {
		block uint32
		flowOpener
	}
	var todo []found
	add := func(block uint32, o flowOpener) {
		if block > 0 && !slices.Contains(opens[block], o) {
			opens[block] = append(opens[block], o)
			todo = append(todo, found{block, o})
		}
	}
	for i := 1; i < len(t.traced); i++ {
		if !t.traced[i].nearest(t.limit, func(o flowOpener) { add(uint32(i), o) }) {
			return nil
		}
	}
	// What opens a block opens those before it, as far as it lies before them.
	before := t.before()
	for n := 0; len(todo) > 0; n++ {
		if n == maxOpeners {
			return nil
		}
		f := todo[len(todo)-1]
		todo = todo[:len(todo)-1]
		for _, id := range before[f.block] {
			if size := uint32(t.traced[id].len()); f.back > size {
				add(id, flowOpener{f.back - size, f.order})
			}
		}
	}
	return opens
}

// nearest visits, for every instruction that depends on none of the block, the
// nearest one of before on which it does. False if there is none.
func (b *tracedBlock) nearest(limit int64, visit func(flowOpener)) bool {
	next := 0
	for v := range b.len() {
		o := flowOpener{back: math.MaxUint32}
		for ; next < len(b.outer) && int(b.outer[next].node) == v; next++ {
			if d := &b.outer[next]; d.loop == 0 && d.back < min(limit, int64(o.back)) {
				o = flowOpener{uint32(d.back), d.order}
			}
		}
		if b.off[v] < b.off[v+1] {
			continue
		}
		if o.back == math.MaxUint32 {
			return false
		}
		visit(o)
	}
	return true
}

// join puts the nodes of all blocks into one array, so that a number names one.
func (p *flowProgram) join() {
	c := &flowBlock{after: noNode}
	for i := range p.blocks {
		b := &p.blocks[i]
		b.first = uint32(len(c.nodes))
		c.nodes = append(c.nodes, b.nodes...)
		c.words = append(c.words, b.words...)
		for _, from := range b.lists[:2*len(b.nodes)] {
			c.lists = append(c.lists, from+uint32(len(c.ends)))
		}
		for _, end := range b.ends {
			end.node += b.first
			c.ends = append(c.ends, end)
		}
		b.lists, b.ends = nil, nil
	}
	c.lists = append(c.lists, uint32(len(c.ends)))
	for i := range p.blocks {
		b := &p.blocks[i]
		b.nodes = c.nodes[b.first:][:len(b.preds)]
	}
	p.joined = c
}
