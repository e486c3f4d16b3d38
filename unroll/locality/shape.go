package locality

import (
	"encoding/binary"
	"slices"

	"gpupipe/idg"
)

// BufferID names a memory object of the kernel.
type BufferID uint32

// Access is one executed memory access of a warp.
type Access struct {
	Buffer  BufferID
	Space   idg.Space
	Width   int64 // bytes per lane
	Reads   bool
	Writes  bool
	Offsets []int64 // byte offset in the buffer of each active lane; one at least
}

// ShapeID names an interned shape of accesses. The zero value means "none".
type ShapeID uint32

// shape is what accesses of equal lanes, relative to the first lane's address,
// have in common.
type shape struct {
	buffer        BufferID
	reads, writes bool
	spans         set // bytes touched, relative to the first active lane
}

// Shapes interns shapes.
type Shapes struct {
	list  []shape
	index map[string]ShapeID
	key   []byte
	last  struct {
		access Access // with its own offsets, relative to the first
		id     ShapeID
	}
}

// NewShapes returns an empty table.
func NewShapes() *Shapes { return &Shapes{index: map[string]ShapeID{}} }

// Intern returns the shape of an access and the offset of its first active lane. The
// shape is 0 if there are too many to tell apart.
func (s *Shapes) Intern(a *Access) (ShapeID, int64) {
	start := a.Offsets[0]
	if s.sameAsLast(a, start) {
		return s.last.id, start
	}
	flags := byte(a.Space) << 2
	if a.Reads {
		flags |= 1
	}
	if a.Writes {
		flags |= 2
	}
	k := append(s.key[:0], flags)
	k = binary.AppendUvarint(k, uint64(a.Buffer))
	k = binary.AppendUvarint(k, uint64(a.Width))
	for _, o := range a.Offsets[1:] {
		k = binary.AppendVarint(k, o-start)
	}
	s.key = k
	id, ok := s.index[string(k)]
	if !ok {
		if len(s.list) == maxShapes {
			return 0, start
		}
		s.list = append(s.list, newShape(a))
		id = ShapeID(len(s.list))
		s.index[string(k)] = id
	}
	s.last.id = id
	offsets := s.last.access.Offsets[:0]
	s.last.access = *a
	for _, o := range a.Offsets {
		offsets = append(offsets, o-start)
	}
	s.last.access.Offsets = offsets
	return id, start
}

// sameAsLast reports whether an access has the shape of the last one: unrolled
// loops access one buffer many times in a row.
func (s *Shapes) sameAsLast(a *Access, start int64) bool {
	l := &s.last.access
	if s.last.id == 0 || l.Buffer != a.Buffer || l.Space != a.Space || l.Width != a.Width || l.Reads != a.Reads ||
		l.Writes != a.Writes || len(l.Offsets) != len(a.Offsets) {
		return false
	}
	for i, o := range a.Offsets {
		if l.Offsets[i] != o-start {
			return false
		}
	}
	return true
}

func newShape(a *Access) shape {
	spans := make([]span, len(a.Offsets))
	for i, o := range a.Offsets {
		spans[i] = span{o - a.Offsets[0], o - a.Offsets[0] + a.Width}
	}
	return shape{buffer: a.Buffer, reads: a.Reads, writes: a.Writes, spans: slices.Clip(normalised(spans))}
}

func (s *Shapes) at(id ShapeID) *shape { return &s.list[id-1] }
