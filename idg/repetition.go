package idg

// Limits on what one warp executes, repetitions expanded: hours on any device,
// and so low that sums over the work items of a group stay exact.
const (
	MaxExecuted      = 1 << 42 // instructions
	maxExecutedEdges = 1 << 48 // their dependences
)

// bodies returns how many instructions one execution of each repetition's body
// is, by index in p.repeats.
func (p *Program) bodies() []int64 {
	length := make([]int64, len(p.repeats))
	for i := len(p.repeats) - 1; i >= 0; i-- { // inner ones before outer ones
		r := &p.repeats[i]
		length[i] += int64(r.End - r.First)
		if r.Parent > 0 {
			length[r.Parent-1] += r.Count*length[i] - int64(r.End-r.First)
		}
	}
	return length
}

// meeting returns an executed instruction that depends twice on the same one and
// an innermost repetition around it; none if there is no such instruction. Rows
// have been checked for the first execution of each instruction: what counts from
// different places may meet in a later one.
func (p *Program) meeting() (Executed, RepeatID) {
	if len(p.repeats) == 0 {
		return 0, 0
	}
	lengths := p.bodies()
	for w := p.walkOnce(); w.more(); w.next() {
		id := p.code[w.static]
		if !p.patterns.all[id].based || len(w.open) == 0 {
			continue
		}
		row := w.preds()
		for i := range row {
			for j := range row {
				if row[i].Base >= row[j].Base {
					continue
				}
				if later, ok := w.meet(&row[i], &row[j], lengths); ok {
					return w.number + later, RepeatID(w.open[len(w.open)-1].index + 1)
				}
			}
		}
	}
	return 0, 0
}

// meet reports whether two producers of the current instruction, as it is
// executed first, are one in a later execution, so many instructions later. Over
// the repetitions that b stays in and a moves along with, a comes closer
// by a body's length each time.
func (w *walk) meet(a, b *Producer, lengths []int64) (later Executed, ok bool) {
	apart := int64(w.producer(b) - w.producer(a))
	if apart <= 0 {
		return 0, false
	}
	later = Executed(apart)
	// All iterations of a repetition are no longer than its parent's body, so
	// that from the outermost one inwards there is one way to make up a sum.
	for k := min(int(b.Base), len(w.open)); k > int(a.Base); k-- {
		r := w.open[len(w.open)-k].index
		n := apart / lengths[r]
		if n >= w.p.repeats[r].Count {
			return 0, false
		}
		apart -= n * lengths[r]
	}
	return later, apart == 0
}

// plain returns the program without repetitions of a single execution.
func (p *Program) plain() *Program {
	p.seal()
	once := false
	for i := range p.repeats {
		once = once || p.repeats[i].Count == 1
	}
	if !once {
		return p
	}
	q := &Program{Warps: p.Warps}
	ids := make([]RepeatID, len(p.repeats)+1) // in q, by id in p; 0 = none
	for i, r := range p.repeats {
		r.Parent = ids[r.Parent]
		if ids[i+1] = r.Parent; r.Count > 1 {
			q.repeats = append(q.repeats, r)
			ids[i+1] = RepeatID(len(q.repeats))
		}
	}
	var row []Producer
	for w := p.walkOnce(); w.more(); w.next() {
		times := int64(1)
		for _, o := range w.open {
			times *= p.repeats[o.index].Count
		}
		row = row[:0]
		for _, d := range w.preds() {
			row = append(row, w.rebased(d))
		}
		q.append(p.StaticInstr(w.static), row, times)
	}
	q.seal()
	return q
}

// rebased names a producer of the current instruction without regard to
// repetitions of a single execution.
func (w *walk) rebased(d Producer) Producer {
	stays := int(d.Base) // in so many of the innermost repetitions
	if d.Base == Absolute {
		stays = len(w.open)
	}
	from, base := w.number, uint8(0)
	for k := 1; k <= stays; k++ {
		if o := w.open[len(w.open)-k]; w.p.repeats[o.index].Count > 1 {
			from = o.start
			base++
		}
	}
	if d.Base == Absolute && base > 0 {
		return d
	}
	return Producer{d.Kind, base, int64(from - w.producer(&d))}
}
