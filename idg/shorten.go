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

// withTrips is a program with other numbers of iterations.
func (p *Program) withTrips(trips func(int64) int64) *Program {
	if len(p.repeats) == 0 {
		return p
	}
	q := &Program{Warps: p.Warps, repeats: slices.Clone(p.repeats)}
	for i := range q.repeats {
		q.repeats[i].Count = trips(q.repeats[i].Count)
	}
	s := shortening{p.places(), (&Program{code: p.code, patterns: p.patterns, repeats: q.repeats}).places()}
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
				d.Distance = int64(s.after.number[w.static] - to)
			case Absolute:
				d.Distance = int64(to)
			default:
				body := p.repeats[w.open[len(w.open)-int(d.Base)].index].First
				d.Distance = int64(s.after.number[body] - to)
			}
			row = append(row, d)
		}
		q.append(p.StaticInstr(w.static), row, times[s.after.in[w.static]])
	}
	q.seal()
	return q
}

// shortening is a program before and after its repetitions got other counts.
type shortening struct{ before, after *places }

// moved is the number that an executed instruction gets.
func (s *shortening) moved(v Executed) Executed {
	to, repeats := Executed(0), s.before.p.repeats
	for {
		k, found := slices.BinarySearch(s.before.number, v)
		if found {
			return to + s.after.number[k]
		}
		// It is of a later iteration of a repetition that ends behind the instruction before.
		r := s.before.in[k-1] - 1
		for v >= s.begins(r)+Executed(repeats[r].Count*s.before.length[r]) {
			r = repeats[r].Parent - 1
		}
		body := Executed(s.before.length[r])
		turn := int64((v - s.begins(r)) / body)
		to += Executed(s.turn(r, turn) * s.after.length[r])
		v -= Executed(turn) * body
	}
}

// begins is when a repetition is executed first.
func (s *shortening) begins(r RepeatID) Executed { return s.before.number[s.before.p.repeats[r].First] }

// turn is which iteration one becomes: as far from the beginning, in the later half as far from the end.
func (s *shortening) turn(r RepeatID, turn int64) int64 {
	count, left := s.before.p.repeats[r].Count, s.after.p.repeats[r].Count
	if turn < count/2 {
		return min(turn, left/2)
	}
	return max(turn-(count-left), left/2)
}
