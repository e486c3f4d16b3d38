package trace

import "gpupipe/idg"

// iterationMark says what a loop of the source did between two recorded nodes. The
// graph's builder folds loops while their iterations are added to it.
type iterationMark struct {
	at   uint32 // before the node at this index of the trace
	what MarkKind
}

// MarkKind is what a loop did.
type MarkKind uint8

const (
	LoopBegins MarkKind = iota + 1
	IterationBegins
	LoopEnds
)

// Mark notes what a loop does here. Iterations in which nothing is recorded are
// not told apart.
func (t *Trace) Mark(what MarkKind) {
	here := iterationMark{uint32(t.length), what}
	if n := len(t.marks); n > 0 && what == IterationBegins && t.marks[n-1] == here {
		return
	}
	t.marks = append(t.marks, here)
}

// announce tells the builder what loops did before the node at index i, and
// returns the marks behind.
func announce(b *idg.Builder, marks []iterationMark, i int) []iterationMark {
	for len(marks) > 0 && int(marks[0].at) <= i {
		switch marks[0].what {
		case LoopBegins:
			b.BeginLoop()
		case IterationBegins:
			b.NextIteration()
		case LoopEnds:
			b.EndLoop()
		}
		marks = marks[1:]
	}
	return marks
}
