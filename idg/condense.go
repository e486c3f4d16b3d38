package idg

import (
	"slices"
	"sort"
)

// Of a repetition, these executions stand for all of them in a condensed
// program: enough that values which one execution leaves to the next live
// beside those of the one after it.
const (
	condensedFirst = 3
	condensedLast  = 2
)

// condensed is the DAG of a program of which the iterations of long loops are
// executed condensedFirst + condensedLast times: of repetitions that
// execute a loop instruction of their own, as unrolled code does not. loop
// tells the classes of those, by InstrID - 1. A dependence on an iteration that is
// left out is one on the last of the first. nil: it has more than limit instructions.
func (p *Program) condensed(limit int, loop []bool) *Flat {
	rolled := p.rolled(loop)
	if p.length > int64(limit) && !slices.Contains(rolled, true) {
		return nil
	}
	f := &Flat{off: make([]uint32, 1)}
	for w := p.walkShort(rolled); w.more(); w.next() {
		if len(f.instr) == limit {
			return nil
		}
		from, kind := w.row()
		first := len(f.from)
		for i, u := range from {
			v := condensedNumber(w.gaps, u)
			if n := len(f.from); n > first && f.from[n-1] == v {
				f.kind[n-1] = min(f.kind[n-1], kind[i]) // data before all else
				continue
			}
			f.from, f.kind = append(f.from, v), append(f.kind, kind[i])
		}
		f.instr = append(f.instr, p.StaticInstr(w.static))
		f.off = append(f.off, uint32(len(f.from)))
	}
	return f
}

// rolled tells the repetitions that execute an instruction of given classes outside of
// inner repetitions, by RepeatID - 1.
func (p *Program) rolled(class []bool) []bool {
	rolled := make([]bool, len(p.repeats))
	p.within(func(first, end StaticID, in RepeatID) {
		for s := first; s < end && in > 0; s++ {
			if class[p.StaticInstr(s)-1] {
				rolled[in-1] = true
			}
		}
	})
	return rolled
}

// gap is an interval of executed instructions that is left out: executions of a body.
type gap struct {
	from, to Executed
	body     Executed // instructions of one execution
	total    Executed // instructions left out by it and the gaps before it
}

// condensedNumber is the number among those not left out of an executed instruction, or of
// the one that stands for it.
func condensedNumber(gaps []gap, n Executed) NodeID {
	for {
		i := sort.Search(len(gaps), func(i int) bool { return gaps[i].from > n }) - 1
		switch {
		case i < 0:
			return NodeID(n)
		case n >= gaps[i].to:
			return NodeID(n - gaps[i].total)
		}
		n = gaps[i].from - gaps[i].body + (n-gaps[i].from)%gaps[i].body
	}
}
