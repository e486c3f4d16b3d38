package locality

import (
	"math"
	"slices"

	"gpupipe/idg"
)

// Touch is one executed memory instruction of a warp whose addresses are known.
type Touch struct {
	At    int64       // its place among the warp's instructions, from 0
	Instr idg.InstrID // its class; 0 in warps of other groups
	Shape ShapeID
	Start int64 // offset of the first active lane in the buffer, bytes
}

// Warp is what one warp of a group touches, in program order.
type Warp struct {
	Number   uint32 // within the group
	Touches  []Touch
	Barriers []int64 // places of the work-group barriers among the instructions
	Repeats  []Repeat
	// Cut says that the warp touches more than was recorded.
	Cut bool
}

// Repeat says that the Length instructions before place At are executed Copies
// times more, from there on. The places of what is behind count all of these. Repeats
// ascend and do not overlap.
type Repeat struct {
	At, Length, Copies int64
	// What is repeated: Touches[TouchesFrom:TouchesEnd], each moved by so many bytes
	// with each copy, and Barriers[BarriersFrom:BarriersEnd].
	TouchesFrom, TouchesEnd   int
	Drifts                    []int64
	BarriersFrom, BarriersEnd int
}

// from is the place of the first instruction of what is repeated.
func (r *Repeat) from() int64 { return r.At - r.Length }

// empty reports whether nothing is repeated.
func (r *Repeat) empty() bool {
	return r.TouchesFrom == r.TouchesEnd && r.BarriersFrom == r.BarriersEnd
}

// never is behind every place.
const never = math.MaxInt64

// cursor goes through the touches or the barriers of a warp, repeats unfolded.
type cursor struct {
	i, n  int
	loops []loop // the first: the current or the next
	copy  int64  // of the current loop
}

// loop is a repeat as far as it concerns a cursor.
type loop struct {
	*Repeat
	first, end int
}

func (w *Warp) touches() cursor {
	return w.cursor(len(w.Touches), func(r *Repeat) (first, end int) { return r.TouchesFrom, r.TouchesEnd })
}

func (w *Warp) barriers() cursor {
	return w.cursor(len(w.Barriers), func(r *Repeat) (first, end int) { return r.BarriersFrom, r.BarriersEnd })
}

// cursor goes through a list of n, of which repeats repeat parts.
func (w *Warp) cursor(n int, part func(*Repeat) (first, end int)) cursor {
	c := cursor{n: n}
	for i := range w.Repeats {
		if first, end := part(&w.Repeats[i]); first < end {
			c.loops = append(c.loops, loop{&w.Repeats[i], first, end})
		}
	}
	return c
}

func (c *cursor) done() bool { return c.i == c.n }

// in returns the loop of what is next, nil if it is repeated by none.
func (c *cursor) in() *loop {
	if len(c.loops) > 0 && c.i >= c.loops[0].first {
		return &c.loops[0]
	}
	return nil
}

// moved is how many instructions what is next is behind the place that is stored.
func (c *cursor) moved() int64 {
	if c.copy == 0 {
		return 0
	}
	return c.copy * c.loops[0].Length
}

func (c *cursor) next() {
	c.i++
	if len(c.loops) == 0 || c.i != c.loops[0].end {
		return
	}
	if l := &c.loops[0]; c.copy < l.Copies {
		c.copy++
		c.i = l.first
		return
	}
	c.loops, c.copy = c.loops[1:], 0
}

// drift is by how much what is next moves with each copy, and how far it is from
// where it is stored to be.
func (c *cursor) drift() (drift, moved int64) {
	if l := c.in(); l != nil {
		drift = l.Drifts[c.i-l.first]
	}
	return drift, c.copy * drift
}

// touch is what is next, without its repeat.
func (c *cursor) touch(w *Warp) Touch {
	x := w.Touches[c.i]
	_, by := c.drift()
	x.At, x.Start = x.At+c.moved(), x.Start+by
	return x
}

// place is where the next touch is, never if there is none.
func (c *cursor) place(w *Warp) int64 {
	if c.done() {
		return never
	}
	return w.Touches[c.i].At + c.moved()
}

// end is the place behind the last touch.
func (w *Warp) end() int64 {
	n := len(w.Touches)
	if n == 0 {
		return 0
	}
	at := w.Touches[n-1].At
	for i := range w.Repeats {
		if r := &w.Repeats[i]; r.TouchesFrom < n && n == r.TouchesEnd {
			at += r.Copies * r.Length
		}
	}
	return at + 1
}

// count is how many accesses there are, repeats unfolded.
func (w *Warp) count() int64 {
	n := int64(len(w.Touches))
	for i := range w.Repeats {
		n += w.Repeats[i].Copies * int64(len(w.Repeats[i].Drifts))
	}
	return n
}

// foldedAs reports whether the same is repeated as in another warp, as many times.
func (w *Warp) foldedAs(v *Warp) bool {
	return slices.EqualFunc(w.Repeats, v.Repeats, func(x, y Repeat) bool {
		return x.At == y.At && x.Length == y.Length && x.Copies == y.Copies &&
			x.TouchesFrom == y.TouchesFrom && x.TouchesEnd == y.TouchesEnd && x.BarriersFrom == y.BarriersFrom &&
			x.BarriersEnd == y.BarriersEnd
	})
}

// movesAs reports whether what is repeated moves as in another warp that is folded
// as this one.
func (w *Warp) movesAs(v *Warp) bool {
	return slices.EqualFunc(w.Repeats, v.Repeats, func(x, y Repeat) bool { return slices.Equal(x.Drifts, y.Drifts) })
}

// unfolded lists up to limit touches, and barriers, of a warp without repeats.
func (w *Warp) unfolded(limit int64) Warp {
	if len(w.Repeats) == 0 {
		return *w
	}
	out := Warp{Number: w.Number, Cut: w.Cut}
	for c := w.touches(); !c.done(); c.next() {
		if int64(len(out.Touches)) == limit {
			out.Cut = true
			break
		}
		out.Touches = append(out.Touches, c.touch(w))
	}
	for c := w.barriers(); !c.done(); c.next() {
		if int64(len(out.Barriers)) == limit {
			out.Cut = true
			break
		}
		out.Barriers = append(out.Barriers, w.Barriers[c.i]+c.moved())
	}
	return out
}
