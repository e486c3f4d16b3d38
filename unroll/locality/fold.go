package locality

import "slices"

// folded is the same warp, its classes aside, with every repeat as short and as long as
// can be: of the shortest period, with the repetitions that are listed before and behind
// it. So warps that touch the same are folded alike, wherever a resolver has found
// repetitions.
func (w *Warp) folded() Warp {
	if len(w.Repeats) == 0 {
		return *w
	}
	f := folder{in: w, out: &Warp{Number: w.Number, Cut: w.Cut}}
	for i := range w.Repeats {
		r := w.Repeats[i]
		if r.empty() {
			continue
		}
		f.list(r.TouchesEnd, r.BarriersEnd)
		r.TouchesEnd, r.BarriersEnd = len(f.out.Touches), len(f.out.Barriers)
		r.TouchesFrom, r.BarriersFrom = r.TouchesEnd-len(r.Drifts),
			r.BarriersEnd-(w.Repeats[i].BarriersEnd-w.Repeats[i].BarriersFrom)
		f.out.shorten(&r)
		f.out.extend(&r, f.end)
		if !f.join(&r) {
			f.out.Repeats = append(f.out.Repeats, r)
		}
		f.end = r.At + r.Copies*r.Length
		next := Repeat{At: never, TouchesFrom: len(w.Touches), BarriersFrom: len(w.Barriers)}
		for k := i + 1; k < len(w.Repeats); k++ {
			if !w.Repeats[k].empty() {
				next = w.Repeats[k]
				break
			}
		}
		f.absorb(&next)
	}
	f.list(len(w.Touches), len(w.Barriers))
	return *f.out
}

// folder folds a warp anew.
type folder struct {
	in, out           *Warp
	touches, barriers int   // of in: how many have been dealt with
	end               int64 // of the last repeat, the place behind it
}

// list takes over touches and barriers.
func (f *folder) list(touches, barriers int) {
	for _, x := range f.in.Touches[f.touches:touches] {
		x.Instr = 0
		f.out.Touches = append(f.out.Touches, x)
	}
	f.out.Barriers = append(f.out.Barriers, f.in.Barriers[f.barriers:barriers]...)
	f.touches, f.barriers = touches, barriers
}

// shorten makes the period of a repeat, the last of what is listed, as short as can be.
func (w *Warp) shorten(r *Repeat) {
	all := gcd(gcd(int64(len(r.Drifts)), int64(r.BarriersEnd-r.BarriersFrom)), r.Length)
	for _, d := range r.Drifts {
		all = gcd(all, d)
	}
	for m := all; m > 1; m-- {
		if all%m != 0 {
			continue
		}
		s := *r
		s.Length, s.Copies = r.Length/m, r.Copies*m
		s.TouchesFrom = r.TouchesEnd - len(r.Drifts)/int(m)
		s.BarriersFrom = r.BarriersEnd - (r.BarriersEnd-r.BarriersFrom)/int(m)
		s.Drifts = make([]int64, len(r.Drifts)/int(m))
		n := len(s.Drifts)
		alike := true
		for i, d := range r.Drifts {
			alike = alike && d == r.Drifts[i%n]
			s.Drifts[i%n] = d / m
		}
		for k := int64(1); alike && k < m; k++ {
			alike = w.repeats(&s, -k, r.TouchesEnd-int(k)*n, r.BarriersEnd-int(k)*(s.BarriersEnd-s.BarriersFrom))
		}
		if alike {
			*r = s
			return
		}
	}
}

// repeats reports whether the touches and barriers before some of the list are what a
// repeat touches a number of repetitions later, or earlier.
func (w *Warp) repeats(r *Repeat, later int64, touches, barriers int) bool {
	for i, d := range r.Drifts {
		x, y := w.Touches[r.TouchesFrom+i], w.Touches[touches-len(r.Drifts)+i]
		if x.At += later * r.Length; x.At != y.At || x.Shape != y.Shape || x.Start+later*d != y.Start {
			return false
		}
	}
	n := r.BarriersEnd - r.BarriersFrom
	for i := range n {
		if w.Barriers[r.BarriersFrom+i]+later*r.Length != w.Barriers[barriers-n+i] {
			return false
		}
	}
	return true
}

// extend takes the repetitions that are listed before a repeat, from a place on, for
// a part of it.
func (w *Warp) extend(r *Repeat, from int64) {
	touches, barriers := r.TouchesEnd-r.TouchesFrom, r.BarriersEnd-r.BarriersFrom
	for {
		at := r.from() - r.Length
		if at < from || r.TouchesFrom < touches || r.BarriersFrom < barriers ||
			r.TouchesFrom > touches && w.Touches[r.TouchesFrom-touches-1].At >= at ||
			r.BarriersFrom > barriers && w.Barriers[r.BarriersFrom-barriers-1] >= at ||
			!w.repeats(r, -1, r.TouchesFrom, r.BarriersFrom) {
			break
		}
		r.At -= r.Length
		r.Copies++
		r.TouchesFrom, r.TouchesEnd = r.TouchesFrom-touches, r.TouchesEnd-touches
		r.BarriersFrom, r.BarriersEnd = r.BarriersFrom-barriers, r.BarriersEnd-barriers
	}
	w.Touches, w.Barriers = w.Touches[:r.TouchesEnd], w.Barriers[:r.BarriersEnd]
}

// join makes a repeat a part of the last one, if it goes on with that.
func (f *folder) join(r *Repeat) bool {
	n := len(f.out.Repeats)
	if n == 0 {
		return false
	}
	l := &f.out.Repeats[n-1]
	if l.Length != r.Length || r.from() != f.end || !slices.Equal(l.Drifts, r.Drifts) ||
		l.BarriersEnd-l.BarriersFrom != r.BarriersEnd-r.BarriersFrom ||
		l.TouchesEnd != r.TouchesFrom || l.BarriersEnd != r.BarriersFrom ||
		!f.out.repeats(l, l.Copies+1, r.TouchesEnd, r.BarriersEnd) {
		return false
	}
	l.Copies += r.Copies + 1
	f.out.Touches, f.out.Barriers = f.out.Touches[:l.TouchesEnd], f.out.Barriers[:l.BarriersEnd]
	return true
}

// absorb takes the repetitions that are listed behind the last repeat, up to the next
// one, for a part of it.
func (f *folder) absorb(next *Repeat) {
	r := &f.out.Repeats[len(f.out.Repeats)-1]
	touches, barriers := len(r.Drifts), r.BarriersEnd-r.BarriersFrom
	for f.end+r.Length <= next.from() && f.touches+touches <= next.TouchesFrom &&
		f.barriers+barriers <= next.BarriersFrom {
		t, b := f.in.Touches[f.touches:f.touches+touches], f.in.Barriers[f.barriers:f.barriers+barriers]
		// Nothing else may be there.
		if f.touches+touches < len(f.in.Touches) && f.in.Touches[f.touches+touches].At < f.end+r.Length ||
			f.barriers+barriers < len(f.in.Barriers) && f.in.Barriers[f.barriers+barriers] < f.end+r.Length {
			return
		}
		for i, x := range t {
			y := f.out.Touches[r.TouchesFrom+i]
			if k := r.Copies + 1; y.At+k*r.Length != x.At || y.Shape != x.Shape || y.Start+k*r.Drifts[i] != x.Start {
				return
			}
		}
		for i, x := range b {
			if f.out.Barriers[r.BarriersFrom+i]+(r.Copies+1)*r.Length != x {
				return
			}
		}
		r.Copies++
		f.end += r.Length
		f.touches, f.barriers = f.touches+touches, f.barriers+barriers
	}
}

func gcd(a, b int64) int64 {
	for b != 0 {
		a, b = b, a%b
	}
	return max(a, -a)
}
