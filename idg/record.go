package idg

import (
	"encoding/binary"
	"math"
	"math/bits"
	"slices"
)

// A stored instruction that has a pattern of its own is a record: a head and its
// dependences, numbers of 1 to 4 bytes, the lowest first.
//
//	              head                          a dependence
//	bits 0 to 1   bytes less one                bytes less one
//	bits 2 to 3   dependences; 3 = the byte     kind less one
//	              behind says how many
//	the others    class less one                distance
//
// A dependence on one of the last 15 instructions so takes a byte, on one of the last 4,095
// two and on one of the last million three. What cannot be written so has no record.

const (
	manyPreds   = 3                            // in a record's head: a byte says how many
	maxPreds    = 255                          // dependences of a record
	recordReach = 1 << 28                      // distances, and classes, are below
	recordSpare = 4                            // bytes behind all records, so that words can be loaded
	recordRoom  = 4 + 1                        // bytes of a record before its dependences, at most
	maxRecords  = math.MaxInt32 - recordSpare  // bytes of a program's records
	ownPattern  = patternID(math.MaxInt32 + 1) // plus where its record begins: a patternID
)

// numberMasks are the bytes of a number, by its bits 0 to 1.
var numberMasks = [4]uint32{0xFF, 0xFFFF, 0xFF_FFFF, 0xFFFF_FFFF}

// records are the records of a program, one behind the other.
type records []byte

// end is the place behind all records.
func (r records) end() uint32 { return uint32(max(0, len(r)-recordSpare)) }

// takes reports whether an instruction can have a record and there is room for it.
func (r records) takes(class InstrID, row []Producer) bool {
	for i := range row {
		if row[i].Base != 0 || row[i].Distance >= recordReach {
			return false
		}
	}
	return class-1 < recordReach && len(row) <= maxPreds && len(r)+recordRoom+4*len(row) <= maxRecords
}

// add appends the record of an instruction and returns where it begins.
func (r *records) add(class InstrID, row []Producer) uint32 {
	at := r.end()
	if need := recordRoom + 4*len(row) + recordSpare; cap(*r)-int(at) < need {
		*r = slices.Grow(*r, max(need, cap(*r)))
	}
	b := (*r)[:cap(*r)]
	next := putNumber(b, at, uint32(class-1)<<4|uint32(min(len(row), manyPreds))<<2)
	if len(row) >= manyPreds {
		b[next] = byte(len(row))
		next++
	}
	for i := range row {
		next = putNumber(b, next, uint32(row[i].Distance)<<4|uint32(row[i].Kind-Data)<<2)
	}
	*r = b[:next+recordSpare]
	return at
}

// putNumber writes a number of which the bits 0 to 1 are free, and returns the place behind
// it.
func putNumber(b []byte, at, w uint32) uint32 {
	size := (uint32(bits.Len32(w|1)) - 1) / 8
	binary.LittleEndian.PutUint32(b[at:], w|size)
	return at + size + 1
}

// number reads a number, without the bits 0 to 1, and returns the place behind it.
func (r records) number(at uint32) (w, behind uint32) {
	w = binary.LittleEndian.Uint32(r[at:])
	size := w & 3
	return w & numberMasks[size] >> 2, at + size + 1
}

// head reads the head of the record at a place: class, dependences, and where these begin.
func (r records) head(at uint32) (class InstrID, n, preds uint32) {
	w, at := r.number(at)
	if n = w & 3; n == manyPreds {
		n = uint32(r[at])
		at++
	}
	return InstrID(w>>2) + 1, n, at
}

// class is the class of the record at a place.
func (r records) class(at uint32) InstrID {
	w, _ := r.number(at)
	return InstrID(w>>2) + 1
}

// pred reads the dependence at a place and returns the place behind it.
func (r records) pred(at uint32) (kind EdgeKind, distance, behind uint32) {
	w, at := r.number(at)
	return EdgeKind(w&3) + Data, w >> 2, at
}

// row returns the dependences of the record at a place, in the memory of a row.
func (r records) row(row []Producer, at uint32) []Producer {
	_, n, at := r.head(at)
	row = slices.Grow(row[:0], int(n))[:n]
	for i := range row {
		d := &row[i]
		var distance uint32
		d.Kind, distance, at = r.pred(at)
		d.Base, d.Distance = 0, int64(distance)
	}
	return row
}

// behind is where the record at a place ends.
func (r records) behind(at uint32) uint32 {
	_, n, at := r.head(at)
	for range n {
		_, at = r.number(at)
	}
	return at
}

// reach is the largest distance of the record at a place, 0 if it has none.
func (r records) reach(at uint32) int64 {
	w, at := r.number(at)
	switch w & 3 {
	case 0:
		return 0
	case manyPreds:
		at++
	}
	w, _ = r.number(at) // they descend
	return int64(w >> 2)
}

// check checks the record at a place, which must be before the end, and returns what it is
// and where it ends; false if it is not consistent: of no kind, of distances that do not
// descend, or torn.
func (r records) check(at uint32) (class InstrID, n, behind uint32, ok bool) {
	end := r.end()
	class, n, at = r.head(at)
	if at+n > end {
		return class, n, at, false
	}
	for before, k := uint32(recordReach), n; k > 0; k-- {
		if at >= end {
			return class, n, at, false
		}
		var w uint32
		w, at = r.number(at)
		distance := w >> 2
		if w&3 > uint32(Order-Data) || distance-1 >= before-1 {
			return class, n, at, false
		}
		before = distance
	}
	return class, n, at, at <= end
}
