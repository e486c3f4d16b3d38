package simulate

import "math/bits"

// readySets are the ready instructions of a warp, by subsystem: bitmaps over the
// program, with a summary of their words, and the first instruction of each,
// which is mostly all that is looked at. The words of all subsystems lie beside
// each other, so that what a warp is at takes few cache lines.
type readySets struct {
	few     [minPorts]readyHead // what heads are, unless there are more: they lie with the warp
	heads   []readyHead         // by subsystem, and of minPorts at least
	stride  int                 // subsystems
	words   []uint64            // by 64 nodes, by subsystem: a bit per node
	summary []uint64            // by 64 words, by subsystem: a bit per word that is not 0
}

type readyHead struct {
	first readyKey
	count uint32
}

// readyKey is an instruction, in program order, and its subsystem: the least is
// that of the first instruction.
type readyKey uint64

const subsystemBits = 16

func newReadyKey(v uint32, subsystem int) readyKey {
	return readyKey(v)<<subsystemBits | readyKey(subsystem)
}

func (k readyKey) node() uint32 { return uint32(k >> subsystemBits) }

func (k readyKey) subsystem() int { return int(k & (1<<subsystemBits - 1)) }

// noNode comes after every node. It stands for the first of none.
const noNode = ^uint32(0)

// init makes room for so many subsystems and nodes, none of which is ready. The sets are
// not to be copied then.
func (r *readySets) init(subsystems, nodes int) {
	*r = readySets{stride: subsystems}
	r.heads = r.few[:]
	if subsystems > minPorts {
		r.heads = make([]readyHead, subsystems)
	}
	for i := range r.heads {
		r.heads[i].first = newReadyKey(noNode, i)
	}
	r.grow(nodes)
}

// grow makes room for so many nodes at least.
func (r *readySets) grow(nodes int) {
	words := (nodes + 63) / 64
	if n := words*r.stride - len(r.words); n > 0 {
		r.words = append(r.words, make([]uint64, n)...)
	}
	if n := (words+63)/64*r.stride - len(r.summary); n > 0 {
		r.summary = append(r.summary, make([]uint64, n)...)
	}
}

// add adds an instruction that is not in the set.
func (r *readySets) add(subsystem int, v uint32) {
	h := &r.heads[subsystem]
	h.first = min(h.first, newReadyKey(v, subsystem))
	h.count++
	n := uint(r.stride)
	r.words[uint(v>>6)*n+uint(subsystem)] |= 1 << (v & 63)
	r.summary[uint(v>>12)*n+uint(subsystem)] |= 1 << (v >> 6 & 63)
}

// pop removes the first instruction for a subsystem and returns whether it was
// the only one.
func (r *readySets) pop(first readyKey) bool {
	v, subsystem, n := uint(first.node()), uint(first.subsystem()), uint(r.stride)
	h := &r.heads[subsystem]
	h.count--
	i := v >> 6
	word := &r.words[i*n+subsystem]
	x := *word &^ (1 << (v & 63))
	*word = x
	if x == 0 {
		j := i >> 6
		y := r.summary[j*n+subsystem] &^ (1 << (i & 63))
		r.summary[j*n+subsystem] = y
		if h.count == 0 {
			h.first = newReadyKey(noNode, int(subsystem))
			return true
		}
		for y == 0 {
			j++
			y = r.summary[j*n+subsystem]
		}
		i = j<<6 | uint(bits.TrailingZeros64(y))
		x = r.words[i*n+subsystem]
	}
	h.first = newReadyKey(uint32(i<<6|uint(bits.TrailingZeros64(x))), int(subsystem))
	return false
}

// slide takes the first 64·words nodes, which are not ready, out of a program of
// so many.
func (r *readySets) slide(words, nodes int) {
	n := r.stride
	end := (nodes + 63) / 64 * n
	moved := copy(r.words, r.words[words*n:end])
	clear(r.words[moved:end])
	clear(r.summary)
	for i, x := range r.words[:moved] {
		if x != 0 {
			word := i / n
			r.summary[word>>6*n+i%n] |= 1 << (word & 63)
		}
	}
	for i := range r.heads {
		if h := &r.heads[i]; h.count > 0 {
			h.first -= newReadyKey(uint32(64*words), 0)
		}
	}
}

// visit shows the instructions that are ready, as they lie behind a first one, of
// a program of so many.
func (r *readySets) visit(s *stateWalk, from, nodes uint32) {
	n := r.stride
	for subsystem := range n {
		for word := int(from / 64); word < int(nodes+63)/64; word++ {
			for x := r.words[word*n+subsystem]; x != 0; x &= x - 1 {
				s.word(int64(word<<6|bits.TrailingZeros64(x)) - int64(from))
			}
		}
		s.word(-1)
	}
}
