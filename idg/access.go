package idg

import (
	"fmt"
	"slices"
	"strings"

	"gpupipe/idg/isa"
)

// AccessID names an interned memory access pattern of a Graph. The zero value
// means "none"; the first pattern has id 1.
type AccessID uint32

// Space is the address space of a memory access.
type Space = isa.Space

// The address spaces. The zero value is invalid.
const (
	SpaceGlobal   = isa.Global
	SpaceLocal    = isa.Local
	SpaceConstant = isa.Constant
	SpacePrivate  = isa.Private
	SpaceImage    = isa.Image
)

// alignment is the alignment of a buffer's start, in bytes, that offsets keep.
const alignment = 256

// Access is the context of one memory access of a warp: which bytes its active
// lanes touch.
//
// Offsets are normalised so that equal patterns intern to one Access: the
// smallest multiple of 256 bytes that keeps every offset non-negative is
// subtracted, where offset 0 is the start of the buffer (buffers are aligned to
// 256 bytes). Alignment to any power of two up to 256 bytes is kept.
type Access struct {
	Space Space
	// Width is the number of bytes that one lane reads or writes.
	Width uint16
	// Store tells a write (or an atomic's write) from a read.
	Store bool
	// Buffer names the memory object in the source (an argument or an array),
	// empty if the pointer's origin is not known.
	Buffer string
	// Offsets holds the byte offset of each active lane, in lane order, and
	// is nil when addresses are not known.
	Offsets []int64
	// Assumed says, when Offsets is nil, why ("value loaded from memory").
	Assumed string
	// Within is, when Offsets is nil, how many bytes of the buffer the lanes of all such accesses
	// touch at most; 0 = any.
	Within int64
	// Near is, when Offsets is nil, how many bytes each lane is from what it accessed of the buffer before;
	// 0 = not known.
	Near int64
	// Places is, when Offsets is nil, at how many places apart the lanes are that follow from what each has loaded: as
	// many beside each other at each; 0 = not known to follow from that.
	Places int64
	// Same says, when Offsets is nil, that all lanes touch the same bytes, wherever these are.
	Same bool
}

// SpillBuffer is the Buffer of values that registers do not hold (package spill).
const SpillBuffer = "(spilled registers)"

// Known reports whether the lanes' addresses are known.
func (a *Access) Known() bool { return a.Offsets != nil }

// LacksArgument begins what Assumed says of a subscript that depends on arguments without a value; their names follow.
const LacksArgument = "subscript depends on an argument without a value: "

// Reserved reports whether places are not known that an atomic has given, as to the entries of a list: those of a warp
// are neighbours.
func (a *Access) Reserved() bool {
	return !a.Known() && strings.Contains(a.Assumed, "returned by an atomic")
}

// normalise moves offsets by a multiple of 256 bytes so that the smallest lies
// in [0, 256).
func normalise(offsets []int64) {
	if len(offsets) == 0 {
		return
	}
	base := slices.Min(offsets) &^ (alignment - 1)
	for i := range offsets {
		offsets[i] -= base
	}
}

// Describe puts the pattern in words: the lanes and bytes, then "broadcast",
// "stride 4 B (contiguous)", "4 rows of 8 lanes, stride 4 B, 4096 B apart",
// "irregular", or "unknown: " and the reason. A pattern that does not begin at
// a multiple of 256 bytes ends in "from byte N".
func (a *Access) Describe() string {
	if !a.Known() {
		if a.Assumed == "" {
			return "unknown"
		}
		if a.Same {
			return "unknown, the same in all lanes: " + a.Assumed
		}
		return "unknown: " + a.Assumed
	}
	n := len(a.Offsets)
	if n == 0 {
		return "no lanes"
	}
	text := fmt.Sprintf("%d lanes x %d B", n, a.Width)
	if n == 1 {
		text = fmt.Sprintf("1 lane x %d B", a.Width)
	} else {
		text += ", " + a.shape()
	}
	if low := slices.Min(a.Offsets); low != 0 {
		text += fmt.Sprintf(", from byte %d", low)
	}
	return text
}

// shape describes the offsets of two or more lanes.
func (a *Access) shape() string {
	row := rowLength(a.Offsets)
	switch n := len(a.Offsets); {
	case row == n && a.Offsets[1] == a.Offsets[0]:
		return "broadcast"
	case row == n:
		return a.stride()
	case row > 1 && inRows(a.Offsets, row):
		within := a.stride()
		if a.Offsets[1] == a.Offsets[0] {
			within = "same address"
		}
		return fmt.Sprintf("%d rows of %d lanes, %s, %d B apart", n/row, row, within, a.Offsets[row]-a.Offsets[0])
	}
	return "irregular"
}

// stride describes the distance between the first two lanes.
func (a *Access) stride() string {
	s := a.Offsets[1] - a.Offsets[0]
	if s == int64(a.Width) {
		return fmt.Sprintf("stride %d B (contiguous)", s)
	}
	return fmt.Sprintf("stride %d B", s)
}

// rowLength is the number of leading lanes that keep the first two's distance.
func rowLength(o []int64) int {
	n := 2
	for n < len(o) && o[n]-o[n-1] == o[1]-o[0] {
		n++
	}
	return n
}

// inRows reports whether o is rows of the given length that equal the first
// one, moved by a constant distance each.
func inRows(o []int64, row int) bool {
	if len(o)%row != 0 {
		return false
	}
	for i := row; i < len(o); i++ {
		if o[i]-o[i-row] != o[row]-o[0] {
			return false
		}
	}
	return true
}

// mostBins is how many bytes of bins a group can have of its own: what all devices have of local memory.
const mostBins = 16 << 10

// IsBins reports whether an access is to a few words of global memory, each lane to another one.
func (a *Access) IsBins() bool {
	return a.Space == SpaceGlobal && a.Within > 0 && a.Within <= mostBins && !a.Same
}
