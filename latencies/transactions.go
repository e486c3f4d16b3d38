package latencies

import (
	"cmp"
	"math"
	"math/bits"
	"slices"

	"gpupipe/idg"
)

// Transactions is the number of memory transactions of an access whose lanes
// are all coalesced together: the number of distinct aligned segments of the
// given bytes (a line, a sector) that its active lanes touch (V16 2.5). Unknown
// addresses and segments of less than one byte give 0.
func Transactions(a *idg.Access, segment int) int {
	return int(touched(a.Offsets, int64(a.Width), int64(segment)))
}

// TransactionsBy is Transactions for hardware that coalesces only so many
// neighbouring lanes together (half a warp on G80 and GT200): the sum over
// the groups of lanes.
func TransactionsBy(a *idg.Access, segment, lanes int) int {
	if lanes <= 0 || lanes >= len(a.Offsets) {
		return Transactions(a, segment)
	}
	n := int64(0)
	for chunk := range slices.Chunk(a.Offsets, lanes) {
		n += touched(chunk, int64(a.Width), int64(segment))
	}
	return int(n)
}

// interleaved is an access of private memory as it lies in device memory: the work items' words
// of one subscript are consecutive (CUDA C++ Programming Guide 5.3.2), so that lanes with different
// subscripts access different rows of a warp's words. Each lane has so many words.
func interleaved(a *idg.Access, warp int) (out *idg.Access, perLane int) {
	const word = 4
	perLane = max(1, int(a.Width)/word)
	out = &idg.Access{Space: a.Space, Store: a.Store, Width: min(a.Width, word)}
	for lane, at := range a.Offsets {
		row := (floorDiv(at, word)*int64(warp) + int64(lane)) * word
		for k := range int64(perLane) {
			out.Offsets = append(out.Offsets, row+k*int64(warp)*word)
		}
	}
	return out, perLane
}

// coalesced is the number of segments that lanes×width consecutive aligned
// bytes take, group of lanes by group.
func coalesced(lanes, width, segment, group int) int {
	if group <= 0 || group > lanes {
		group = lanes
	}
	n := 0
	for ; lanes > 0; lanes -= group {
		n += (min(group, lanes)*width + segment - 1) / segment
	}
	return n
}

// span is a range of segments, both ends included.
type span struct{ first, last int64 }

// touched counts the distinct segments under [o, o+width) for the offsets o.
func touched(offsets []int64, width, segment int64) int64 {
	if segment < 1 || width < 1 {
		return 0
	}
	cut := gridOf(segment)
	var store [64]span
	spans := store[:0]
	for _, o := range offsets {
		spans = append(spans, cut.segments(o, width))
	}
	byFirst := func(a, b span) int { return cmp.Compare(a.first, b.first) }
	if !slices.IsSortedFunc(spans, byFirst) {
		slices.SortFunc(spans, byFirst)
	}
	var n int64
	next := int64(math.MinInt64) // first segment that is not counted yet
	for _, s := range spans {
		if s.last >= next {
			n += s.last - max(s.first, next) + 1
			next = s.last + 1
		}
	}
	return n
}

// grid divides the address range into segments of one size.
type grid struct {
	size  int64
	shift int8 // log2 of the size if that is a power of two, else -1
}

func gridOf(size int64) grid {
	if size&(size-1) == 0 {
		return grid{size, int8(bits.TrailingZeros64(uint64(size)))}
	}
	return grid{size, -1}
}

// segments is the range of segments under [o, o+width). Offsets at the very
// end of the address range are cut there.
func (cut grid) segments(o, width int64) span {
	end := o + width - 1
	if end < o {
		end = math.MaxInt64
	}
	switch {
	case cut.size == 1: // keeps last+1 from wrapping
		return span{max(o, math.MinInt64+1), min(end, math.MaxInt64-1)}
	case cut.shift > 0:
		return span{o >> cut.shift, end >> cut.shift}
	}
	return span{floorDiv(o, cut.size), floorDiv(end, cut.size)}
}

func floorDiv(a, b int64) int64 {
	q := a / b
	if a%b < 0 {
		q--
	}
	return q
}
