package simulate

import "math/bits"

// readySets are the ready instructions of a warp, by subsystem: bitmaps over the
// program, each with a summary of its words, and the first instruction of each,
// which is mostly all that is looked at.
type readySets struct {
	first []uint32   // by subsystem: in program order; noNode when there is none
	sets  []readySet // by subsystem
}

type readySet struct {
	count   uint32
	words   []uint64 // a bit per node
	summary []uint64 // a bit per word that is not 0
}

// noNode comes after every node.
const noNode = ^uint32(0)

func newReadySets(subsystems, nodes int) readySets {
	r := readySets{make([]uint32, subsystems), make([]readySet, subsystems)}
	words := (nodes + 63) / 64
	for i := range r.sets {
		r.first[i] = noNode
		r.sets[i] = readySet{words: make([]uint64, words), summary: make([]uint64, (words+63)/64)}
	}
	return r
}

func (r *readySets) add(subsystem int, v uint32) {
	r.first[subsystem] = min(r.first[subsystem], v)
	s := &r.sets[subsystem]
	s.words[v>>6] |= 1 << (v & 63)
	s.summary[v>>12] |= 1 << (v >> 6 & 63)
	s.count++
}

// choose returns the first instruction, in program order, among those whose
// subsystem is free, and the subsystem.
//
// It is a call because the compiler makes branches, not conditional moves, of a
// minimum from which an address is computed; these would often be mispredicted.
//
//go:noinline
func (r *readySets) choose(ports []fastPort, now Tick) (v uint32, subsystem int) {
	v = noNode
	list := r.first[:len(ports)]
	for i := range ports {
		first := list[i]
		if ports[i].free > now {
			first = noNode
		}
		if first < v {
			subsystem = i
		}
		v = min(v, first)
	}
	return v, subsystem
}

// pop removes the first instruction for a subsystem, v, and returns whether it
// was the only one.
func (r *readySets) pop(subsystem int, v uint32) bool {
	s := &r.sets[subsystem]
	i := v >> 6
	x := s.words[i] &^ (1 << (v & 63))
	s.words[i] = x
	s.count--
	if x != 0 {
		r.first[subsystem] = i<<6 | uint32(bits.TrailingZeros64(x))
		return false
	}
	j := i >> 6
	y := s.summary[j] &^ (1 << (i & 63))
	s.summary[j] = y
	if s.count == 0 {
		r.first[subsystem] = noNode
		return true
	}
	for y == 0 {
		j++
		y = s.summary[j]
	}
	i = j<<6 | uint32(bits.TrailingZeros64(y))
	r.first[subsystem] = i<<6 | uint32(bits.TrailingZeros64(s.words[i]))
	return false
}
