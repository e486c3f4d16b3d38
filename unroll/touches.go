package unroll

import (
	"math"

	"gpupipe/idg"
	"gpupipe/unroll/locality"
	"gpupipe/unroll/trace"
)

// maxSkippedBarriers bounds the barriers of iterations that are skipped.
const maxSkippedBarriers = 1 << 20

// skip takes notice of accesses that are skipped: those since a state, so many
// times more.
func (a *addresses) skip(s *trace.Skip, from *snapshot, p *proof) {
	if a == nil {
		return
	}
	s.Touch, s.Moves = from.touches, p.moves
	if s.Within == 0 {
		return // none is listed
	}
	if n := int64(len(a.touches)-from.touches) + a.skipped - from.far; n > 0 {
		a.skipped += n * min(s.Copies, math.MaxInt32) // far beyond the limit
		a.skipped = min(a.skipped, math.MaxInt32)
	}
}

// touched lists the accesses of the instructions that stay, and their names; class
// gives their classes.
func (r *resolver) touched(live []bool, class func(i int) idg.InstrID) (locality.Warp, []trace.TouchID) {
	t := toucher{r: r, live: live, class: class, w: locality.Warp{Number: r.warp, Cut: r.addresses.cut}}
	t.nodes(0, r.trace.Nodes(), 0, len(r.trace.Skips))
	return t.w, t.named
}

// toucher lists the accesses of a warp.
type toucher struct {
	r        *resolver
	live     []bool
	class    func(i int) idg.InstrID
	w        locality.Warp
	named    []trace.TouchID // of w's accesses
	at       int64           // the next instruction
	accesses int64           // before it, live or not
	barriers int64           // of iterations that are skipped
	moves    []movement      // of the repetitions it is in
}

// movement is where the accesses of a repetition of a skip are.
type movement struct {
	s     *trace.Skip
	times int64 // how often they have moved
}

// nodes adds the nodes between two indices, with what is skipped between them, from
// one skip to another. It reports false if no more fits.
func (t *toucher) nodes(i, end, next, last int) bool {
	skips := t.r.trace.Skips
	for ; i < end; i++ {
		if next < last && skips[next].At == i {
			if !t.skipped(next) {
				return false
			}
			next++
		}
		t.node(i)
	}
	return true
}

// node adds the node at an index.
func (t *toucher) node(i int) {
	touch := t.r.trace.Touch(i)
	if touch != 0 {
		t.accesses++
	}
	if !t.live[i] {
		return
	}
	a := t.r.addresses
	if touch != 0 {
		if t.accesses > int64(a.limit) {
			t.w.Cut = true
		} else {
			x := a.touches[touch-1]
			x.At, x.Instr = t.at, t.class(i)
			for _, m := range t.moves {
				x.Start += m.times * m.s.Moves[int(touch)-1-m.s.Touch]
			}
			t.w.Touches, t.named = append(t.w.Touches, x), append(t.named, touch)
		}
	}
	if t.r.trace.IsBarrier(i) {
		t.w.Barriers = append(t.w.Barriers, t.at)
		if len(t.moves) > 0 {
			t.barriers++
		}
	}
	t.at += t.r.trace.Instructions(i)
}

// skipped adds what is skipped. It reports false if no more fits.
func (t *toucher) skipped(k int) bool {
	s := &t.r.trace.Skips[k]
	if s.Within == 0 {
		return t.repeated(s)
	}
	level := len(t.moves)
	t.moves = append(t.moves, movement{s: s})
	for n := int64(1); n <= s.Copies; n++ {
		t.moves[level].times = n
		at, accesses, barriers := t.at, t.accesses, t.barriers
		if !t.nodes(s.From(), s.At, k-s.Within, k) {
			return false
		}
		if length := t.at - at; t.accesses == accesses && t.barriers == barriers {
			t.at += (s.Copies - n) * length // nothing to be noted
			n = s.Copies
		}
		if t.accesses > int64(t.r.addresses.limit) || t.barriers > maxSkippedBarriers {
			t.w.Cut = true
			return false
		}
	}
	t.moves = t.moves[:level]
	return true
}

// repeated adds what is skipped as a repeat of the repetition that has just been
// added. It reports false if it goes too far.
func (t *toucher) repeated(s *trace.Skip) bool {
	x := locality.Repeat{At: t.at, Copies: s.Copies, TouchesEnd: len(t.w.Touches), BarriersEnd: len(t.w.Barriers)}
	for i := s.From(); i < s.At; i++ {
		if !t.live[i] {
			continue
		}
		x.Length += t.r.trace.Instructions(i)
		if t.r.trace.IsBarrier(i) {
			x.BarriersEnd--
		}
		touch := t.r.trace.Touch(i)
		if touch == 0 {
			continue
		}
		move := s.Moves[int(touch)-1-s.Touch]
		if max(move, -move) > farthestByte/s.Copies {
			t.w.Cut = true
			return false
		}
		x.Drifts = append(x.Drifts, move)
	}
	x.TouchesFrom = x.TouchesEnd - len(x.Drifts)
	x.BarriersFrom, x.BarriersEnd = x.BarriersEnd, len(t.w.Barriers)
	if x.TouchesFrom < 0 || t.w.Cut && len(x.Drifts) > 0 {
		return false // some were not listed
	}
	t.at += s.Copies * x.Length
	if len(x.Drifts) > 0 || x.BarriersFrom < x.BarriersEnd {
		t.w.Repeats = append(t.w.Repeats, x)
	}
	return true
}
