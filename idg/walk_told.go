package idg

// Walk visits what a program executes, one instruction after the other, in the memory of its
// repetitions: all of it, or as far as a Teller wants it executed.
//
//	for w := p.Walk(nil); w.More(); w.Next() { ... w.Static(), w.Number() ... }
type Walk struct{ walk }

// Teller is told of the repetitions of a walk, and decides how often their bodies are
// executed. Repetitions are told by RepeatID - 1.
type Teller interface {
	// Enter is called when the first execution of a body begins.
	Enter(repeat int)
	// Ended is called when an execution has ended and so many are left, and returns how
	// many of these are left out now. If others remain, the next one begins.
	Ended(repeat int, left int64) (out int64)
	// Leave is called when the last execution has ended.
	Leave(repeat int)
}

// Walk visits what a teller wants to be executed; nil: everything.
func (p *Program) Walk(t Teller) *Walk {
	w := &Walk{walk{p: p, mode: walkAll, closing: none, teller: t}}
	if t != nil {
		w.mode = walkTold
	}
	w.seek(0)
	w.enter()
	return w
}

// More reports whether there is a current instruction.
func (w *Walk) More() bool { return w.more() }

// Next goes on to the next executed instruction.
func (w *Walk) Next() { w.next() }

// Program is the program that is walked.
func (w *Walk) Program() *Program { return w.p }

// Static is the current instruction as it is stored.
func (w *Walk) Static() StaticID { return w.static }

// Number is the current instruction's number among all that the program executes, those that are
// left out included.
func (w *Walk) Number() Executed { return w.number }

// StaticPreds returns the dependences of the current instruction as they are stored.
// The slice must not be modified.
func (w *Walk) StaticPreds() []Producer { return w.preds() }

// Producer resolves a dependence of the current instruction.
func (w *Walk) Producer(d *Producer) Executed { return w.producer(d) }

// Preds returns the producers of the current instruction, ascending, and the kind of each
// dependence. The slices are valid until the next call.
func (w *Walk) Preds() ([]Executed, []EdgeKind) { return w.row() }

// Gaps are what has been left out so far, ascending. The slice must not be modified.
func (w *Walk) Gaps() []Gap { return w.gaps }

// Visited is which of the instructions that were visited an executed one is, from 0, or of one that
// was left out, which stands for it: the same one of the last execution that was not.
func (w *Walk) Visited(v Executed) NodeID { return condensedNumber(w.gaps, v) }
