package arrange

import (
	"math"
	"slices"
	"sync"

	"gpupipe/lower/machine"
)

// evicted is how many words an order stores and loads with so many vector registers, where what is read last is in
// memory (L. Belady, A Study of Replacement Algorithms for a Virtual-Storage Computer, 1966). Of two orders for which
// there are not enough registers the one with fewer of them is better, whatever lives at once. Of more than most
// only so much is said.
func (b *blockSchedule) evicted(order []int32, limit, most int) int {
	v := &b.graph.values
	e := evictions.Get().(*eviction)
	defer evictions.Put(e)
	n := len(v.word)
	numbers, flags := slices.Grow(e.numbers[:0], 2*n+1+len(v.of))[:2*n+1+len(v.of)], slices.Grow(e.flags[:0], 2*n)[:2*n]
	clear(flags)
	*e = eviction{b: b, limit: limit, last: e.last[:0], busy: e.busy, numbers: numbers, flags: flags,
		held: flags[:n], stored: flags[n:], read: numbers[:n:n], end: numbers[n : 2*n+1 : 2*n+1],
		steps: numbers[2*n+1:]}
	clear(e.end)
	for _, k := range v.of {
		if k >= 0 && b.class[k] == machine.Vector {
			e.end[k+1]++
		}
	}
	for k := range n {
		e.end[k+1] += e.end[k]
	}
	copy(e.read, e.end)
	for p, i := range order {
		for _, k := range v.of[v.first[i]:v.first[i+1]] {
			if k >= 0 && b.class[k] == machine.Vector {
				e.steps[e.read[k]] = int32(p)
				e.read[k]++
			}
		}
	}
	copy(e.read, e.end)
	e.end = e.end[1:]
	for k, alive := range b.alive {
		if alive && b.class[k] == machine.Vector {
			e.hold(int32(k))
		}
	}
	e.through = max(0, b.entry[machine.Vector]-e.now)
	e.now += e.through
	for _, i := range order {
		if e.step(v.of[v.first[i]:v.first[i+1]]); e.words > most {
			break
		}
	}
	return e.words
}

// evictions is the memory of some.
var evictions = sync.Pool{New: func() any { return new(eviction) }}

// eviction is the registers of a block at a step.
type eviction struct {
	b            *blockSchedule
	limit, now   int
	through      int     // words that no instruction of the block accesses
	words        int     // stored and loaded so far
	steps        []int32 // that read values, those of one after the other
	read, end    []int32 // by value: where the steps that are still to come begin and end
	held, stored []bool  // by value: in a register, in memory
	last         heap    // values that are held, those that are read last first, with some that are not so any more
	busy         []int32 // of the step
	numbers      []int32 // the memory of read, end and steps
	flags        []bool  // of held and stored
}

// more reports whether a value is read by a step that is still to come.
func (e *eviction) more(n int32) bool { return e.read[n] < e.end[n] }

// next is the step that reads a value next.
func (e *eviction) next(n int32) int32 {
	if e.more(n) {
		return e.steps[e.read[n]]
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
			if e.read[n]++; e.more(n) || e.b.out[n] {
				e.last.push(math.MaxInt32-e.next(n), n)
			} else if e.held[n] {
				e.held[n] = false
				e.now -= int(words[n])
			}
		}
	}
	for _, n := range list {
		if n < 0 && e.b.class[^n] == machine.Vector && (e.more(^n) || e.b.out[^n]) && !e.held[^n] {
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
