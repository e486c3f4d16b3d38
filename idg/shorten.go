package idg

import "slices"

// WithTrips returns the graph with other numbers of iterations: trips gives for the count of a repetition the one
// that it has instead, from 2 up to that. A dependence on one of the last iterations stays one on that, as counted
// from the end, others are counted from the beginning. Everything else is shared with g.
func (g *Graph) WithTrips(trips func(count int64) int64) *Graph {
	h := *g
	h.programs = withTrips(g.programs, trips)
	h.kinds = slices.Clone(g.kinds)
	for i := range h.kinds {
		h.kinds[i].programs = withTrips(h.kinds[i].programs, trips)
	}
	return &h
}

func withTrips(all []*Program, trips func(int64) int64) []*Program {
	out := make([]*Program, len(all))
	for i, p := range all {
		out[i] = p.withTrips(trips)
	}
	return out
}

// numbering says when the stored instructions of a program are executed first, if its repetitions have some counts.
type numbering struct {
	counts, bodies []int64    // by repetition
	first          []Executed // by stored instruction, and behind the last one
}

// numbered makes a numbering; inner is the innermost repetition around each stored instruction.
func (p *Program) numbered(inner []RepeatID, counts []int64) numbering {
	n := numbering{counts, make([]int64, len(counts)), make([]Executed, len(p.code)+1)}
	at := Executed(0)
	for s := range p.code {
		n.first[s] = at
		at++
		for r := inner[s]; r != 0 && int(p.repeats[r-1].End) == s+1; r = p.repeats[r-1].Parent {
			body := at - n.first[p.repeats[r-1].First]
			n.bodies[r-1] = int64(body)
			at += Executed(counts[r-1]-1) * body
		}
	}
	n.first[len(p.code)] = at
	return n
}

// withTrips is a program with other numbers of iterations.
func (p *Program) withTrips(trips func(int64) int64) *Program {
	if len(p.repeats) == 0 {
		return p
	}
	q := &Program{Warps: p.Warps, repeats: slices.Clone(p.repeats)}
	inner := make([]RepeatID, len(p.code))
	var before, after []int64
	for i, r := range p.repeats { // inner ones come later
		for s := r.First; s < r.End; s++ {
			inner[s] = RepeatID(i + 1)
		}
		q.repeats[i].Count = trips(r.Count)
		before, after = append(before, r.Count), append(after, q.repeats[i].Count)
	}
	s := shortening{p, inner, p.numbered(inner, before), p.numbered(inner, after)}
	times := make([]int64, len(q.repeats)+1) // by id; 0 = the program
	times[0] = 1
	for i, r := range q.repeats {
		times[i+1] = r.Count * times[r.Parent]
	}
	var row []Producer
	for w := p.walkOnce(); w.more(); w.next() {
		row = row[:0]
		for _, d := range w.preds() {
			to := s.moved(w.producer(&d))
			switch d.Base {
			case 0:
				d.Distance = int64(s.after.first[w.static] - to)
			case Absolute:
				d.Distance = int64(to)
			default:
				body := p.repeats[w.open[len(w.open)-int(d.Base)].index].First
				d.Distance = int64(s.after.first[body] - to)
			}
			row = append(row, d)
		}
		q.append(p.StaticInstr(w.static), row, times[inner[w.static]])
	}
	q.seal()
	return q
}

// shortening is a program before and after its repetitions got other counts.
type shortening struct {
	p             *Program
	inner         []RepeatID
	before, after numbering
}

// moved is the number that an executed instruction gets.
func (s *shortening) moved(v Executed) Executed {
	to := Executed(0)
	for {
		k, found := slices.BinarySearch(s.before.first[:len(s.inner)], v)
		if found {
			return to + s.after.first[k]
		}
		// It is of a later iteration of a repetition that ends behind the instruction before.
		k--
		r := s.inner[k] - 1
		for v >= s.begins(r)+Executed(s.before.counts[r]*s.before.bodies[r]) {
			r = s.p.repeats[r].Parent - 1
		}
		body := Executed(s.before.bodies[r])
		turn := int64((v - s.begins(r)) / body)
		to += Executed(s.turn(r, turn) * s.after.bodies[r])
		v -= Executed(turn) * body
	}
}

// begins is when a repetition is executed first.
func (s *shortening) begins(r RepeatID) Executed { return s.before.first[s.p.repeats[r].First] }

// turn is which iteration one becomes: as far from the beginning, in the later half as far from the end.
func (s *shortening) turn(r RepeatID, turn int64) int64 {
	count, left := s.before.counts[r], s.after.counts[r]
	if turn < count/2 {
		return min(turn, left/2)
	}
	return max(turn-(count-left), left/2)
}
