package simulate

import (
	"cmp"
	"math/bits"
	"slices"
)

// window is the instructions of a warp whose program's loops are walked, from the
// first one that has not ended, or somewhat before, to the last one that was added. They are
// numbered from 0; flow.waits and flow.ready go by these numbers.
type window struct {
	slots    []windowSlot // room for so many
	size     uint32       // instructions
	origin   int64        // executed instructions before them
	next     uint32       // the block to add, noNode at the program's end
	most     int64
	waiters  []waiter
	unused   uint32  // of waiters: the first one plus 1, 0 = none
	held     []int64 // by held dependence: the executed instruction that it is on
	many     []manyRounds
	barriers []walkedBarrier
	complete int           // of these, before the flow.passed-th one
	blocks   []windowBlock // in order
	first    uint32        // those before it have ended
}

// windowSlot is an instruction: the number of its node, whether its Λ and its λ
// are over, and the first dependence of another block on it (waiters, plus 1, 0 = none).
type windowSlot struct{ node, waiter uint32 }

const (
	slotDone uint32 = 1 << (31 - iota)
	slotPassed
	slotOpens // at its end the next block must be there
	slotNode  = slotOpens - 1
	slotOver  = slotDone | slotPassed
)

// slotEnd is the bit that says that an instruction's Λ, or with order its λ, is over.
func slotEnd(order bool) uint32 {
	if order {
		return slotPassed
	}
	return slotDone
}

// waiter is a dependence of another block, whose node is the number of an instruction
// (see flow), and the next one on the same instruction.
type waiter struct {
	flowEnd
	next  uint32
	order bool
}

// manyRounds is the rounds of an instruction's dependences, see flowBlock.
type manyRounds struct{ number, rounds uint32 }

// walkedBarrier is a barrier of a window.
type walkedBarrier struct {
	flowBarrier
	complete bool
}

// windowBlock is a block: the number of its first instruction (see flow), and its own.
type windowBlock struct{ number, id uint32 }

// incomplete is the barriers from the first one on that is not complete.
func (k *window) incomplete() []walkedBarrier { return k.barriers[k.complete:] }

// newWindow makes the window of the warps at a place, nil if they need none.
func (e *dataflow) newWindow(place int) *window {
	var k *window
	for i := range e.kinds {
		if p := e.kinds[i].byWarp[place%e.perSlot].flow; p.window > 0 {
			if k == nil {
				k = &window{}
			}
			k.held = make([]int64, max(len(k.held), p.held))
		}
	}
	return k
}

// reset empties the window for the program of a warp.
func (k *window) reset(w *flow) {
	k.size, k.origin, k.next, k.most, k.unused, k.first = 0, 0, 0, w.program.window, 0, 0
	k.complete = 0
	k.waiters, k.many, k.barriers, k.blocks = k.waiters[:0], k.many[:0], k.barriers[:0], k.blocks[:0]
	for i := range k.held {
		k.held[i] = -1
	}
	if cap(w.waits) < len(k.slots) {
		w.waits = make([]uint8, len(k.slots))
	}
	w.waits, w.rounds = w.waits[:len(k.slots)], w.rounds[:0]
}

// wait adds a waiter to an instruction.
func (k *window) wait(s *windowSlot, x waiter) {
	x.next = s.waiter
	if s.waiter = k.unused; s.waiter != 0 {
		k.unused = k.waiters[s.waiter-1].next
		k.waiters[s.waiter-1] = x
		return
	}
	k.waiters = append(k.waiters, x)
	s.waiter = uint32(len(k.waiters))
}

// forget takes a waiter out of a list and returns the next one.
func (k *window) forget(i uint32) uint32 {
	x := &k.waiters[i-1]
	next := x.next
	x.next, k.unused = k.unused, i
	return next
}

// findMany finds the rounds of an instruction that has some.
func (k *window) findMany(base, v uint32) *manyRounds {
	i, _ := slices.BinarySearchFunc(k.many, int32(v), func(m manyRounds, v int32) int {
		return cmp.Compare(int32(m.number-base), v)
	})
	return &k.many[i]
}

// leastWindow is the room of the smallest window: a word of words of ready bits.
const leastWindow = 64 * 64

// makeRoom makes room for n more instructions, and reports whether the window may
// have so many.
func (k *window) makeRoom(w *flow, n uint32) bool {
	if int64(k.size)+int64(n) <= int64(len(k.slots)) {
		return true
	}
	k.findFirst()
	over := k.first &^ 63
	if over >= uint32(len(k.slots))/2 || over > 0 && int64(len(k.slots)) >= k.most {
		k.slide(w, over)
	}
	need := int64(k.size) + int64(n)
	if need > k.most {
		return false
	}
	if need > int64(len(k.slots)) {
		k.grow(w, need)
	}
	return true
}

// findFirst finds the first instruction that has not ended.
func (k *window) findFirst() {
	for k.first < k.size && k.slots[k.first].node&slotOver == slotOver {
		k.first++
	}
}

// slide takes instructions that have ended out of the window, whole words of ready bits.
func (k *window) slide(w *flow, n uint32) {
	copy(k.slots, k.slots[n:k.size])
	copy(w.waits, w.waits[n:k.size])
	w.ready.slide(int(n/64), int(k.size))
	gone := 0
	for gone < len(k.many) && k.many[gone].number-w.base < n {
		gone++
	}
	k.many = k.many[:copy(k.many, k.many[gone:])]
	gone = 0
	for gone+1 < len(k.blocks) && k.blocks[gone+1].number-w.base <= n {
		gone++
	}
	k.blocks = k.blocks[:copy(k.blocks, k.blocks[gone:])]
	k.size -= n
	k.first -= n
	k.origin += int64(n)
	w.base += n
}

// grow makes room for at least so many instructions.
func (k *window) grow(w *flow, need int64) {
	room := int(min(max(leastWindow, int64(1)<<bits.Len64(uint64(need-1))), max(leastWindow, (k.most+63)&^63)))
	slots, waits := make([]windowSlot, room), make([]uint8, room)
	copy(slots, k.slots[:k.size])
	copy(waits, w.waits[:k.size])
	k.slots, w.waits = slots, waits
	w.ready.grow(room)
}

// visitWalk shows the window of a warp from its first instruction that has not ended
// on. What waits for what follows from that.
func (w *flow) visitWalk(s *stateWalk) {
	k, first := w.walk, w.walk.first
	for i, b := range k.blocks {
		if i+1 == len(k.blocks) || k.blocks[i+1].number-w.base > first {
			s.word(int64(int32(b.number-w.base)) - int64(first))
			s.word(int64(b.id))
		}
	}
	s.block(w.waits[first:k.size])
	ended := uint64(0)
	for v := first; v < k.size && s.same; v++ {
		ended = ended<<2 | uint64(k.slots[v].node>>30)
		if (v-first)%32 == 31 || v == k.size-1 {
			s.word(int64(ended))
		}
	}
	w.ready.visit(s, first, k.size)
	for _, m := range k.many {
		if v := m.number - w.base; v >= first {
			s.word(int64(v - first))
			s.word(int64(m.rounds))
		}
	}
	for i := range k.incomplete() {
		b := &k.incomplete()[i]
		if b.complete {
			s.word(-1)
		} else {
			s.word(int64(int32(b.number-w.base)) - int64(first))
			s.word(int64(b.class))
			s.word(int64(b.flags))
		}
	}
	for _, at := range k.held {
		s.word(max(-1, at-k.origin-int64(first)))
	}
}

// visitNumber is the number of an instruction from the first one on that has not ended, or
// noNode if it is not in the window.
func (k *window) visitNumber(v uint32) uint32 {
	if v >= k.first && v < k.size {
		return v - k.first
	}
	return noNode
}
