package idg

// walk visits what a program executes, one instruction after the other, in the
// memory of its repetitions.
//
//	for w := p.walk(); w.more(); w.next() { ... w.static, w.number, w.row() ... }
type walk struct {
	p       *Program
	mode    walkMode
	static  StaticID
	number  Executed
	open    []openRepeat // outermost first
	repeat  int          // the next repetition that begins, in p.repeats
	from    []Executed   // of row
	kind    []EdgeKind
	closing StaticID // the innermost open body ends here
	opening StaticID // the next repetition begins here
	short   []bool   // walkShort: the repetitions to shorten, by RepeatID - 1
	gaps    []Gap    // what was left out of them, ascending
}

// walkMode says what of its repetitions a walk visits.
type walkMode uint8

const (
	walkAll   walkMode = iota
	walkFirst          // every stored instruction once, as it is executed first
	walkSome           // some of them as LeftOut says
)

// openRepeat is a repetition that is being executed.
type openRepeat struct {
	index int      // in Program.repeats
	start Executed // its first instruction
	left  int64    // executions of the body after the current one
}

// none is behind every stored instruction.
const none = ^StaticID(0)

func (p *Program) walk() *walk { return p.walkIn(walkAll) }

// walkOnce visits every stored instruction as it is executed first.
func (p *Program) walkOnce() *walk { return p.walkIn(walkFirst) }

// walkShort visits some repetitions, told by RepeatID - 1, as LeftOut says, and the others as
// they are.
func (p *Program) walkShort(short []bool) *walk {
	w := p.walkIn(walkSome)
	w.short = short
	return w
}

func (p *Program) walkIn(mode walkMode) *walk {
	w := &walk{p: p, mode: mode, closing: none}
	w.seek(0)
	w.enter()
	return w
}

// seek sets which repetition begins next.
func (w *walk) seek(repeat int) {
	w.repeat, w.opening = repeat, none
	if repeat < len(w.p.repeats) {
		w.opening = w.p.repeats[repeat].First
	}
}

// enter begins the repetitions that begin here.
func (w *walk) enter() {
	for w.opening == w.static {
		r := &w.p.repeats[w.repeat]
		w.open = append(w.open, openRepeat{w.repeat, w.number, r.Count - 1})
		w.closing = r.End
		w.seek(w.repeat + 1)
	}
}

func (w *walk) more() bool { return int(w.static) < len(w.p.code) }

// next goes on to the next executed instruction.
func (w *walk) next() {
	w.static++
	w.number++
	if w.static == w.closing {
		w.leave()
	}
	if w.static == w.opening {
		w.enter()
	}
}

// leave ends bodies: they are executed again, or the code behind them is.
func (w *walk) leave() {
	for w.static == w.closing {
		last := &w.open[len(w.open)-1]
		switch w.mode {
		case walkFirst:
			w.number += Executed(last.left) * (w.number - last.start)
			last.left = 0
		case walkSome:
			if w.short[last.index] {
				w.leaveOut(last, LeftOut(w.done(last), last.left))
			}
		}
		if last.left > 0 {
			last.left--
			w.static = w.p.repeats[last.index].First
			w.seek(last.index + 1)
			return
		}
		w.open = w.open[:len(w.open)-1]
		w.closing = none
		if n := len(w.open); n > 0 {
			w.closing = w.p.repeats[w.open[n-1].index].End
		}
	}
}

// done is how many executions of a body have ended or been left out.
func (w *walk) done(r *openRepeat) int64 { return w.p.repeats[r.index].Count - r.left }

// leaveOut leaves out so many executions of a body, if any.
func (w *walk) leaveOut(r *openRepeat, out int64) {
	if out <= 0 {
		return
	}
	g := Gap{From: w.number, Body: (w.number - r.start) / Executed(w.done(r))}
	g.To = g.From + Executed(out)*g.Body
	if n := len(w.gaps); n > 0 {
		g.total = w.gaps[n-1].total
	}
	g.total += g.To - g.From
	w.gaps = append(w.gaps, g)
	w.number = g.To
	r.left -= out
}

// producer resolves a dependence of the current instruction.
func (w *walk) producer(d *Producer) Executed {
	switch d.Base {
	case 0:
		return w.number - Executed(d.Distance)
	case Absolute:
		return Executed(d.Distance)
	}
	return w.open[len(w.open)-int(d.Base)].start - Executed(d.Distance)
}

// preds returns the dependences of the current instruction as they are stored.
func (w *walk) preds() []Producer { return w.p.StaticPreds(w.static) }

// row returns the producers of the current instruction, ascending, and the kind
// of each dependence. The slices are valid until the next call.
func (w *walk) row() ([]Executed, []EdgeKind) {
	w.from, w.kind = w.from[:0], w.kind[:0]
	row := w.preds()
	for i := range row {
		w.from = append(w.from, w.producer(&row[i]))
		w.kind = append(w.kind, row[i].Kind)
	}
	sortRow(w.from, w.kind)
	return w.from, w.kind
}

// Walk calls visit for each instruction that is executed, one after the other, with its producers, ascending, and the
// kind of each dependence, until it returns false. The slices are valid until then.
func (p *Program) Walk(visit func(s StaticID, v Executed, from []Executed, kind []EdgeKind) bool) {
	for w := p.walk(); w.more(); w.next() {
		if from, kind := w.row(); !visit(w.static, w.number, from, kind) {
			return
		}
	}
}
