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

// Condensed is the DAG of a program of which rolled loops, repetitions told by RepeatID - 1
// (Rolled), are executed as often as LeftOut leaves. A
// dependence on an iteration that is left out is one on the last of the first. nil: it has more than
// limit instructions.
func (p *Program) Condensed(limit int, rolled []bool) *Flat {
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

// Rolled tells the repetitions that execute an instruction of given classes (told by InstrID - 1)
// outside of inner repetitions, by RepeatID - 1: with the classes that end an iteration of a
// loop, those that execute a loop instruction of their own, as unrolled code does not.
func (p *Program) Rolled(class []bool) []bool {
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

// LeftOut is how many executions of a body, of which so many are done and so many left, a condensed
// program leaves out now: those between the first three and the last two.
func LeftOut(done, left int64) int64 {
	if done != condensedFirst {
		return 0
	}
	return max(0, left-condensedLast)
}

// Gap is an interval of executed instructions that is left out: executions of a body.
type Gap struct {
	From, To Executed
	Body     Executed // instructions of one execution
	total    Executed // instructions left out by it and the gaps before it
}

// condensedNumber is the number among those not left out of an executed instruction, or of
// the one that stands for it.
func condensedNumber(gaps []Gap, n Executed) NodeID {
	for {
		i := sort.Search(len(gaps), func(i int) bool { return gaps[i].From > n }) - 1
		switch {
		case i < 0:
			return NodeID(n)
		case n >= gaps[i].To:
			return NodeID(n - gaps[i].total)
		}
		n = gaps[i].From - gaps[i].Body + (n-gaps[i].From)%gaps[i].Body
	}
}
