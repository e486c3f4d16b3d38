package arrange

import (
	"math"

	"gpupipe/lower/machine"
)

// evicted is how many words an order stores and loads with so many vector registers, where what is read last is in
// memory (L. Belady, A Study of Replacement Algorithms for a Virtual-Storage Computer, 1966). Of two orders for which
// there are not enough registers the one with fewer of them is better, whatever lives at once.
func (b *blockSchedule) evicted(order []int32, limit int) int {
	v := &b.graph.values
	e := eviction{b: b, limit: limit, reads: make([][]int32, len(v.word)), held: make([]bool, len(v.word)),
		stored: make([]bool, len(v.word))}
	for p, i := range order {
		for _, n := range v.of[v.first[i]:v.first[i+1]] {
			if n >= 0 && b.class[n] == machine.Vector {
				e.reads[n] = append(e.reads[n], int32(p))
			}
		}
	}
	for n, alive := range b.alive {
		if alive && b.class[n] == machine.Vector {
			e.hold(int32(n))
		}
	}
	e.through = max(0, b.entry[machine.Vector]-e.now)
	e.now += e.through
	for _, i := range order {
		e.step(v.of[v.first[i]:v.first[i+1]])
	}
	return e.words
}

// eviction is the registers of a block at a step.
type eviction struct {
	b            *blockSchedule
	limit, now   int
	through      int       // words that no instruction of the block accesses
	words        int       // stored and loaded so far
	reads        [][]int32 // by value: the steps that read it and are still to come
	held, stored []bool    // by value: in a register, in memory
	last         heap      // values that are held, those that are read last first, with some that are not so any more
	busy         []int32   // of the step
}

// next is the step that reads a value next.
func (e *eviction) next(n int32) int32 {
	if list := e.reads[n]; len(list) > 0 {
		return list[0]
	}
	return math.MaxInt32
}

// hold gives a value a register.
func (e *eviction) hold(n int32) {
	e.held[n] = true
	e.now += int(e.b.graph.values.words[n])
	e.last.push(math.MaxInt32-e.next(n), n)
}

// step gives what an instruction reads, then what it writes, registers of others.
func (e *eviction) step(list []int32) {
	words := e.b.graph.values.words
	for _, n := range list {
		if n >= 0 && e.b.class[n] == machine.Vector && !e.held[n] {
			e.hold(n)
			e.words += int(words[n])
		}
	}
	e.free(list)
	for _, n := range list {
		if n >= 0 && e.b.class[n] == machine.Vector {
			if e.reads[n] = e.reads[n][1:]; len(e.reads[n]) > 0 || e.b.out[n] {
				e.last.push(math.MaxInt32-e.next(n), n)
			} else if e.held[n] {
				e.held[n] = false
				e.now -= int(words[n])
			}
		}
	}
	for _, n := range list {
		if n < 0 && e.b.class[^n] == machine.Vector && (len(e.reads[^n]) > 0 || e.b.out[^n]) && !e.held[^n] {
			e.hold(^n)
		}
	}
	e.free(list)
}

// free stores values until no more are held than there are registers.
func (e *eviction) free(list []int32) {
	e.busy = e.busy[:0]
	if n := min(e.through, e.now-e.limit); n > 0 {
		e.through, e.now, e.words = e.through-n, e.now-n, e.words+n
	}
	for e.now > e.limit && len(e.last) > 0 {
		key := e.last.key()
		n := e.last.pop()
		switch {
		case !e.held[n] || key != math.MaxInt32-e.next(n):
			continue
		case e.reading(list, n):
			e.busy = append(e.busy, n)
			continue
		}
		e.held[n] = false
		e.now -= int(e.b.graph.values.words[n])
		if !e.stored[n] {
			e.stored[n] = true
			e.words += int(e.b.graph.values.words[n])
		}
	}
	for _, n := range e.busy {
		e.last.push(math.MaxInt32-e.next(n), n)
	}
}

// reading reports whether an instruction reads or writes a value.
func (e *eviction) reading(list []int32, n int32) bool {
	for _, k := range list {
		if k == n || k == ^n {
			return true
		}
	}
	return false
}
