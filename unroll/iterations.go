package unroll

import "gpupipe/idg"

// iterationMark says what a loop of the source did between two recorded nodes. The
// graph's builder folds loops while their iterations are added to it.
type iterationMark struct {
	at   uint32 // before the node at this index of the trace
	what markKind
}

type markKind uint8

const (
	loopBegins markKind = iota + 1
	iterationBegins
	loopEnds
)

// mark notes what a loop does here. Iterations in which nothing is recorded are
// not told apart.
func (t *trace) mark(what markKind) {
	here := iterationMark{uint32(t.length), what}
	if n := len(t.marks); n > 0 && what == iterationBegins && t.marks[n-1] == here {
		return
	}
	t.marks = append(t.marks, here)
}

// announce tells the builder what loops did before the node at index i, and
// returns the marks behind.
func announce(b *idg.Builder, marks []iterationMark, i int) []iterationMark {
	for len(marks) > 0 && int(marks[0].at) <= i {
		switch marks[0].what {
		case loopBegins:
			b.BeginLoop()
		case iterationBegins:
			b.NextIteration()
		case loopEnds:
			b.EndLoop()
		}
		marks = marks[1:]
	}
	return marks
}
