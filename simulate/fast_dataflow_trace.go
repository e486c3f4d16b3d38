package simulate

import (
	"gpupipe/idg"
	"gpupipe/internal/diag"
)

// tracedBlock is a block while its program is translated.
type tracedBlock struct {
	class  []uint32 // by node
	words  []uint8  // by node, if the registers' ports are limited
	off    []uint32 // the dependences of node v on nodes of the block are inner[off[v]:off[v+1]]
	inner  []uint32 // 2·node, and 1 for order dependences
	outer  []tracedNeed
	enters []tracedEntry
	last   uint32 // stored instruction
}

// tracedNeed is a dependence on an instruction before the block.
type tracedNeed struct {
	node  uint32
	back  int64  // so far before the first instruction of the block, or of the loop
	loop  uint32 // that it is held over, 0 = none
	order bool
}

// tracedEntry is a repetition that begins at a node of the block.
type tracedEntry struct {
	loop uint32
	at   int64
}

func (b *tracedBlock) len() int { return len(b.class) }

// tracer follows the ways from the end of one block to that of the next.
type tracer struct {
	layout
	src   code
	words []uint8 // by stored instruction: see program.wordsOf
	first classID
	ends  []bool // by stored instruction: it is the last of a block
	real  []bool // by repetition: blocks end in it, so that it is not expanded

	expect  int   // instructions of a block, if that is known
	most    int64 // that it may have
	b       tracedBlock
	total   int64   // instructions of all blocks
	left    []int64 // by repetition: executions of the body to come, the current one included
	entered []int64 // by repetition: the node of the block that it begins with, or -1
	fresh   []uint32
}

// newTracer returns a tracer of a program's code. Ends says
// which stored instructions end a block, which has so many at most.
func newTracer(p *program, src code, most int64, ends []bool) (*tracer, error) {
	t := &tracer{layout: newLayout(src), src: src, words: p.wordsOf(src), first: p.first, most: most, ends: ends}
	t.real, t.left, t.entered = make([]bool, len(t.loops)), make([]int64, len(t.loops)), make([]int64, len(t.loops))
	for i := range t.entered {
		t.entered[i] = -1
	}
	if len(t.loops) == 0 {
		t.expect = len(t.ends)
	}
	for s := range t.ends {
		if !t.ends[s] {
			continue
		}
		t.expect = 0
		for r := t.innermost(uint32(s)); r != 0 && !t.real[r-1]; r = t.loops[r-1].parent {
			t.real[r-1] = true
		}
	}
	for i, l := range t.loops {
		if !t.real[i] && t.number(l.end)-t.number(l.first) > most {
			return nil, t.tooLarge()
		}
	}
	return t, nil
}

func (t *tracer) tooLarge() error {
	return diag.Errorf(diag.Pos{}, idg.CodeTooLarge, "the basic blocks of a program, with the repetitions in which "+
		"no block ends expanded, have more instructions than can be simulated: %d each, %d in all", t.most,
		int64(idg.MaxExpanded)).
		WithNote("with --issue in-order repetitions are simulated as they are stored; fewer groups at once " +
			"(--concurrent) may have longer blocks")
}

func (t *tracer) class(s uint32) classID {
	return t.first + classID(t.src.StaticInstr(idg.StaticID(s))-1)
}

// trace follows the way from a stored instruction on, up to the end of a block
// or of the program. Behind says that the one before it has just been
// executed. Where the body of a repetition in which blocks end is over, the n-th time
// (from 0) it is executed again, before that it has ended. It returns the
// repetition that is executed again, 0 if there were not so many.
func (t *tracer) trace(from uint32, behind bool, n int) (block tracedBlock, again uint32, err error) {
	t.b = tracedBlock{off: make([]uint32, 1, t.expect+1), class: make([]uint32, 0, t.expect)}
	for _, r := range t.fresh {
		t.entered[r-1] = -1
	}
	t.fresh = t.fresh[:0]
	end := uint32(len(t.ends))
	for s := from; ; {
		turned := uint32(0)
		if behind {
			for r := t.innermost(s - 1); r != 0 && t.loops[r-1].end == s; r = t.loops[r-1].parent {
				if !t.turns(r, &n) {
					continue
				}
				turned = r
				if t.real[r-1] {
					again = r
				}
				break
			}
		}
		behind = true
		if turned != 0 {
			s = t.loops[turned-1].first
			t.enter(turned+1, s)
		} else if t.opens != nil {
			t.enter(t.opens[s], s)
		}
		if s == end {
			return t.b, again, nil
		}
		if err := t.add(s); err != nil {
			return t.b, again, err
		}
		if t.ends[s] {
			return t.b, again, nil
		}
		s++
	}
}

// turns reports whether the body of a repetition, which is over, is executed
// again.
func (t *tracer) turns(r uint32, n *int) bool {
	if !t.real[r-1] {
		t.left[r-1]--
		return t.left[r-1] > 0
	}
	*n--
	return *n == -1
}

// enter begins a repetition, if it is one that begins at s, and those in it
// that begin there.
func (t *tracer) enter(r, s uint32) {
	for ; r != 0 && int(r) <= len(t.loops) && t.loops[r-1].first == s; r++ {
		t.left[r-1] = t.loops[r-1].count
		t.entered[r-1] = int64(t.b.len())
		t.fresh = append(t.fresh, r)
		if t.real[r-1] {
			t.b.enters = append(t.b.enters, tracedEntry{r, int64(t.b.len())})
		}
	}
}

// add appends a stored instruction to the block.
func (t *tracer) add(s uint32) error {
	b, node := &t.b, int64(t.b.len())
	if t.total++; t.total > idg.MaxExpanded || node >= t.most {
		return t.tooLarge()
	}
	for _, d := range t.src.StaticPreds(idg.StaticID(s)) {
		order, bit := d.Kind == idg.Order, uint32(0)
		if order {
			bit = 1
		}
		at, loop := int64(0), uint32(0)
		if d.Base == 0 || t.innermost(s) == 0 {
			at = node - t.firstDistance(s, d)
		} else {
			loop = t.enclosing(s, d.Base)
			dist, err := t.beforeLoop(s, loop, d)
			if err != nil {
				return err
			}
			at = -dist
			if from := t.entered[loop-1]; from >= 0 {
				at += from
				loop = 0
			}
		}
		if at >= 0 {
			b.inner = append(b.inner, uint32(at)<<1|bit)
		} else {
			b.outer = append(b.outer, tracedNeed{uint32(node), -at, loop, order})
		}
	}
	b.class = append(b.class, uint32(t.class(s)))
	if t.words != nil {
		b.words = append(b.words, t.words[s])
	}
	b.off = append(b.off, uint32(len(b.inner)))
	b.last = s
	return nil
}
