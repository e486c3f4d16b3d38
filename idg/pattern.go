package idg

import "slices"

// patternID indexes patterns.all.
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

// patterns are the interned patterns of a program.
type patterns struct {
	all       []pattern
	producers []Producer
	table     []patternID // open addressing by hash, plus 1; nil once the program is complete
	asked     int         // how many patterns were interned, with recurrences
}

// row returns the dependences of a pattern.
func (t *patterns) row(id patternID) []Producer {
	l := &t.all[id]
	return t.producers[l.first : l.first+l.n : l.first+l.n]
}

// intern returns the pattern of a class and dependences.
func (t *patterns) intern(class InstrID, row []Producer) patternID {
	t.asked++
	if t.irregular() {
		return t.add(class, row)
	}
	if 4*len(t.all) >= 3*len(t.table) {
		t.grow()
	}
	slot := t.slot(class, row)
	if id := t.table[slot]; id > 0 {
		return id - 1
	}
	id := t.add(class, row)
	t.table[slot] = id + 1
	return id
}

// irregular reports whether patterns hardly recur, so that it does not pay to
// look for them: more than half of many instructions have had one of their own.
func (t *patterns) irregular() bool {
	const many = 1 << 14
	return t.asked >= many && 2*len(t.all) > t.asked
}

// add appends a pattern.
func (t *patterns) add(class InstrID, row []Producer) patternID {
	l := pattern{class: class, first: uint32(len(t.producers)), n: uint32(len(row))}
	for _, d := range row {
		l.based = l.based || d.Base != 0
	}
	if len(t.all) == cap(t.all) && t.irregular() { // there will be many more
		t.room(len(t.all))
	}
	t.producers = append(t.producers, row...)
	t.all = append(t.all, l)
	return patternID(len(t.all)) - 1
}

// room makes room for so many more patterns, with as many dependences as those so far
// on average.
func (t *patterns) room(more int) {
	producers := int(float64(len(t.producers)) / float64(len(t.all)) * float64(more))
	t.all = slices.Grow(t.all, more)
	t.producers = slices.Grow(t.producers, producers+producers/64)
}

// reach is how many instructions must have been executed before one of a pattern:
// the largest distance from the instruction itself.
func (t *patterns) reach(l *pattern) int64 {
	row := t.producers[l.first : l.first+l.n]
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
		if id == 0 || t.all[id-1].class == class && slices.Equal(t.row(id-1), row) {
			return slot
		}
	}
}

func (t *patterns) grow() {
	t.table = make([]patternID, max(64, 2*len(t.table)))
	for i := range t.all {
		t.table[t.slot(t.all[i].class, t.row(patternID(i)))] = patternID(i + 1)
	}
}

// append adds a stored instruction that is executed the given number of times.
func (p *Program) append(class InstrID, row []Producer, times int64) patternID {
	id := p.patterns.intern(class, row)
	p.again(id, times)
	return id
}

// again adds a stored instruction of a known pattern.
func (p *Program) again(id patternID, times int64) {
	n := int64(p.patterns.all[id].n)
	p.code = append(p.code, id)
	p.stored += n
	p.length += times
	p.edges += times * n
}

// seal ends the building of a program and gives back memory that it did not need.
func (p *Program) seal() {
	p.patterns.table = nil
	p.code, p.patterns.all, p.patterns.producers = fitted(p.code), fitted(p.patterns.all), fitted(p.patterns.producers)
}

// fitted returns a slice that wastes no more than a quarter of its memory.
func fitted[T any](s []T) []T {
	if cap(s)-len(s) > len(s)/4 {
		return slices.Clone(s)
	}
	return s
}
