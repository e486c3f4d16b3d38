package simulate

import (
	"fmt"
	"math"

	"gpupipe/idg"
	"gpupipe/internal/diag"
)

// code is a program as it is stored: an idg.Program, or one with its repetitions
// expanded.
type code interface {
	StaticLen() int
	StaticInstr(idg.StaticID) idg.InstrID
	StaticPreds(s idg.StaticID) []idg.Producer // valid until the next call
	Repeats() []idg.Repeat
}

// expanded is the code of an idg.Flat.
type expanded struct {
	flat *idg.Flat
	row  []idg.Producer // of StaticPreds
}

func (e *expanded) StaticLen() int                         { return e.flat.Len() }
func (e *expanded) StaticInstr(s idg.StaticID) idg.InstrID { return e.flat.Instr(idg.NodeID(s)) }
func (e *expanded) Repeats() []idg.Repeat                  { return nil }

func (e *expanded) StaticPreds(s idg.StaticID) []idg.Producer {
	e.row = e.row[:0]
	from, kind := e.flat.Preds(idg.NodeID(s))
	for i, u := range from {
		e.row = append(e.row, idg.Producer{Kind: kind[i], Distance: int64(s) - int64(u)})
	}
	return e.row
}

// layout says where the repetitions of a program are. It names them by
// idg.RepeatID, 0 = none.
type layout struct {
	loops []repetition
	// By stored instruction, if there are loops:
	numbers []int64  // see number
	inner   []uint32 // its innermost repetition
	opens   []uint32 // the first repetition that begins there
}

// repetition is an idg.Repeat.
type repetition struct {
	first, end uint32
	count      int64
	parent     uint32
}

func newLayout(src code) layout {
	n, repeats := src.StaticLen(), src.Repeats()
	if len(repeats) == 0 {
		return layout{}
	}
	l := layout{numbers: make([]int64, n+1), inner: make([]uint32, n+1), opens: make([]uint32, n+1)}
	for i, r := range repeats { // inner repetitions come later
		l.loops = append(l.loops, repetition{uint32(r.First), uint32(r.End), r.Count, uint32(r.Parent)})
		for s := r.First; s < r.End; s++ {
			l.inner[s] = uint32(i + 1)
		}
		if l.opens[r.First] == 0 {
			l.opens[r.First] = uint32(i + 1)
		}
	}
	l.addUp(l.numbers, func(uint32) int64 { return 1 })
	return l
}

// addUp sets for every stored instruction what the instructions executed before it
// come to, when it is executed first, and returns for every repetition what one
// execution of its body comes to.
func (l *layout) addUp(before []int64, weight func(s uint32) int64) []int64 {
	bodies := make([]int64, len(l.loops))
	n, at := len(before)-1, int64(0)
	for s := range n {
		before[s] = at
		at += weight(uint32(s))
		for r := l.inner[s]; r != 0 && int(l.loops[r-1].end) == s+1; r = l.loops[r-1].parent {
			bodies[r-1] = at - before[l.loops[r-1].first]
			at += (l.loops[r-1].count - 1) * bodies[r-1]
		}
	}
	before[n] = at
	return bodies
}

// number says when a stored instruction is executed first.
func (l *layout) number(s uint32) int64 {
	if l.numbers == nil {
		return int64(s)
	}
	return l.numbers[s]
}

// innermost is the innermost repetition around an instruction.
func (l *layout) innermost(s uint32) uint32 {
	if l.inner == nil {
		return 0
	}
	return l.inner[s]
}

// enclosing is the k-th repetition around an instruction, 1 = innermost; k =
// idg.Absolute is the outermost.
func (l *layout) enclosing(s uint32, k uint8) uint32 {
	r := l.innermost(s)
	for i := uint8(1); i < k && l.loops[r-1].parent != 0; i++ {
		r = l.loops[r-1].parent
	}
	return r
}

// longestRun is how many of n stored instructions follow each other at most, as they are executed, for all of
// which something holds: without bound if it does for all of a repetition.
func (l *layout) longestRun(n int, holds func(s int) bool) int64 {
	behind := make([]int64, n+1) // by instruction, the ones that follow it as they are stored
	ahead := make([]int64, n+1)  // and those before it
	longest := int64(0)
	for s := range n {
		if holds(s) {
			ahead[s+1] = ahead[s] + 1
		}
		longest = max(longest, ahead[s+1])
	}
	for s := n - 1; s >= 0; s-- {
		if ahead[s+1] > 0 {
			behind[s] = behind[s+1] + 1
		}
	}
	for _, r := range l.loops {
		if behind[r.first] >= int64(r.end-r.first) {
			return math.MaxInt64
		}
		longest = max(longest, ahead[r.end]+behind[r.first])
	}
	return longest
}

// firstDistance is how far back a producer lies when the instruction is executed
// first.
func (l *layout) firstDistance(s uint32, d idg.Producer) int64 {
	switch d.Base {
	case 0:
		return d.Distance
	case idg.Absolute:
		return l.number(s) - d.Distance
	}
	return l.number(s) - l.number(l.loops[l.enclosing(s, d.Base)-1].first) + d.Distance
}

// beforeLoop is how far before the first instruction of a repetition a producer
// lies that stays the same over it.
func (l *layout) beforeLoop(s, loop uint32, d idg.Producer) (int64, error) {
	dist := d.Distance
	if d.Base == idg.Absolute {
		dist = l.number(l.loops[loop-1].first) - d.Distance
	}
	if dist < 1 {
		return 0, fmt.Errorf("simulate: internal error: a producer of instruction %d lies within the repetition that "+
			"it should be before; please report this", s)
	}
	return dist, nil
}

// maxRing bounds the instructions that a warp remembers.
const maxRing = 1 << 22

// tooFar refuses a dependence that cannot be remembered.
func tooFar(distance, underWay int64) error {
	return diag.Errorf(diag.Pos{}, "TOO-LARGE", "a dependence reaches back over %d instructions, of which up to %d "+
		"may be under way; at most %d can be remembered", distance, underWay, maxRing)
}
