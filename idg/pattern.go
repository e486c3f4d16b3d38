package idg

import "slices"

// patternID names the pattern of a stored instruction: an index of patterns.all.
type patternID uint32

// pattern is what equal stored instructions of a program have in common: class
// and dependences. Loops, unrolled or not, have few: a program stores four bytes
// for each instruction and its patterns once.
type pattern struct {
	class InstrID
	first uint32 // of its dependences in patterns.producers
	n     uint32
	based bool // a dependence counts from elsewhere than the instruction
}

// patterns are the patterns of a program.
type patterns struct {
	all       []pattern
	producers []Producer
	table     []patternID // of all: open addressing by hash, plus 1; nil once the program is complete
	filled    int         // slots of the table
}

func (t *patterns) rowOf(l *pattern) []Producer {
	return t.producers[l.first : l.first+l.n : l.first+l.n]
}

// intern returns the pattern of a class and dependences.
func (t *patterns) intern(class InstrID, row []Producer) patternID {
	if 4*t.filled >= 3*len(t.table) {
		t.grow()
	}
	slot := t.slot(class, row)
	if id := t.table[slot]; id > 0 {
		return id - 1
	}
	id := t.add(class, row)
	t.filled++
	t.table[slot] = id + 1
	return id
}

// add appends a pattern.
func (t *patterns) add(class InstrID, row []Producer) patternID {
	l := pattern{class: class, first: uint32(len(t.producers)), n: uint32(len(row))}
	for _, d := range row {
		l.based = l.based || d.Base != 0
	}
	t.producers = append(t.producers, row...)
	t.all = append(t.all, l)
	return patternID(len(t.all)) - 1
}

// reach is how many instructions must have been executed before one of a pattern:
// the largest distance from the instruction itself.
func (t *patterns) reach(l *pattern) int64 {
	row := t.rowOf(l)
	if !l.based && len(row) > 0 {
		return row[0].Distance // they descend
	}
	reach := int64(0)
	for i := range row {
		if row[i].Base == 0 {
			reach = max(reach, row[i].Distance)
		}
	}
	return reach
}

// goldenRatio is 2^64 / the golden ratio: multiplication by it after each part spreads
// hashes (Fibonacci hashing).
const goldenRatio = 0x9E3779B97F4A7C15

// slot returns where in the table a pattern is, or where it belongs.
func (t *patterns) slot(class InstrID, row []Producer) uint64 {
	h := uint64(class) * goldenRatio
	for _, d := range row {
		h = (h>>29 ^ h ^ uint64(d.Distance)<<6 ^ uint64(d.Base)<<2 ^ uint64(d.Kind)) * goldenRatio
	}
	mask := uint64(len(t.table) - 1)
	for slot := h >> 32 & mask; ; slot = (slot + 1) & mask {
		id := t.table[slot]
		if id == 0 || t.all[id-1].class == class && slices.Equal(t.rowOf(&t.all[id-1]), row) {
			return slot
		}
	}
}

// grow doubles the table.
func (t *patterns) grow() {
	old := t.table
	t.table = make([]patternID, max(64, 2*len(old)))
	for _, id := range old {
		if id > 0 {
			l := &t.all[id-1]
			t.table[t.slot(l.class, t.rowOf(l))] = id
		}
	}
}

// equal reports whether the same patterns were interned, in the same order.
func (t *patterns) equal(u *patterns) bool {
	return slices.Equal(t.all, u.all) && slices.Equal(t.producers, u.producers)
}

// clear forgets all patterns and keeps their memory.
func (t *patterns) clear() {
	t.all, t.producers, t.filled = t.all[:0], t.producers[:0], 0
	clear(t.table)
}

// seal ends the building of patterns and gives back memory that it did not need.
func (t *patterns) seal() {
	t.table = nil
	t.all, t.producers = fitted(t.all), fitted(t.producers)
}

// append adds a stored instruction that is executed the given number of times.
func (p *Program) append(class InstrID, row []Producer, times int64) patternID {
	id := p.patterns.intern(class, row)
	p.again(id, int64(len(row)), times)
	return id
}

// again adds a stored instruction of a known pattern, of so many dependences.
func (p *Program) again(id patternID, preds, times int64) {
	if len(p.code) == cap(p.code) {
		p.room(len(p.code))
	}
	p.code = append(p.code, id)
	p.stored += preds
	p.length += times
	p.edges += times * preds
}

// room makes room for so many more stored instructions, and some.
func (p *Program) room(more int) { p.code = slices.Grow(p.code, max(64, more)) }

// seal ends the building of a program and gives back memory that it did not need.
func (p *Program) seal() {
	p.patterns.seal()
	p.code = fitted(p.code)
}

// fitted returns a slice that wastes no more than a quarter of its memory.
func fitted[T any](s []T) []T {
	if cap(s)-len(s) > len(s)/4 {
		return slices.Clone(s)
	}
	return s
}
