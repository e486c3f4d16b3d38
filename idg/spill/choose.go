package spill

import (
	"math"
	"slices"
)

// choice says which operands are loaded again because a register file is too small, in the order
// of a listing: what goes when room is needed is what is used again last (L. A. Belady, A
// study of replacement algorithms for a virtual-storage computer, 1966: no other choice loads less
// in code without loops). In a loop, what is in registers when an iteration begins must be
// there when it ends: values that are not are loaded in every iteration (as in M. Braun and
// S. Hack, Register spilling and live-range splitting for SSA-form programs, 2009, but for
// loads in front of a loop).
type choice struct {
	*listing
	limit  int64    // registers
	loads  []reload // in the order of the listing
	loaded []bool   // by webID - 1: it is loaded somewhere

	held  []webID // in registers
	words int64   // that they take
	state []webState
	clock uint32
}

// reload is an operand that is loaded before an instruction.
type reload struct {
	web webID
	// place and slot are those of the first instruction of the program, among those that it
	// serves in one stretch.
	place spot
	slot  uint32
	turn  uint32 // in which the register is taken
}

// webState is a web while registers are given out.
type webState struct {
	at     int    // in held, -1 = not in a register
	next   int64  // when it is used again; never = not
	pinned uint32 // the clock of the instruction that reads it
	load   int    // in loads, that brought it; -1 = none
}

// never is later than every use.
const never = math.MaxInt64

// choose gives out the registers.
func choose(l *listing, limit int64) *choice {
	c := &choice{listing: l, limit: limit, state: make([]webState, len(l.webs)), loaded: make([]bool, len(l.webs))}
	for i := range c.state {
		c.state[i] = webState{at: -1, load: -1}
	}
	c.run(0, uint32(len(l.order)), -1)
	for _, r := range c.loads {
		c.loaded[r.web-1] = true
	}
	return c
}

// run goes through the turns from first to end, of a loop (-1 = none).
func (c *choice) run(first, end uint32, in int) {
	for turn := first; turn < end; {
		if l := c.entered(turn, in); l >= 0 {
			c.loop(l)
			turn = uint32(c.loops[l].end)
			continue
		}
		c.step(turn)
		turn++
	}
}

// entered is the outermost loop within another that begins at a turn, -1 = none.
func (c *choice) entered(turn uint32, in int) int {
	l := c.in[c.order[turn]]
	for l >= 0 && l != in && c.loops[l].parent != in {
		l = c.loops[l].parent
	}
	if l == in || l < 0 || uint32(c.loops[l].first) != turn {
		return -1
	}
	return l
}

// tries is how often a loop is gone through to find what can stay in registers all along.
const tries = 8

// loop goes through a loop.
func (c *choice) loop(l int) {
	first, end := uint32(c.loops[l].first), uint32(c.loops[l].end)
	stay := slices.Clone(c.held)
	for try := 1; ; try++ {
		loads := len(c.loads)
		c.resume(stay, first, l)
		stay = slices.Clone(c.held)
		c.run(first, end, l)
		kept := slices.DeleteFunc(slices.Clone(stay), func(x webID) bool { return c.state[x-1].at < 0 })
		if len(kept) == len(stay) {
			break
		}
		if stay = kept; try == tries {
			stay = nil
		}
		c.loads = c.loads[:loads]
	}
	c.resume(slices.Clone(c.held), end, c.loops[l].parent)
}

// resume goes on at a turn of a loop with the webs in registers that are used from there on.
func (c *choice) resume(with []webID, turn uint32, in int) {
	for _, x := range c.held {
		c.state[x-1].at = -1
	}
	c.held, c.words = c.held[:0], 0
	for _, x := range with {
		if next := c.nextUse(x, turn, in); next != never {
			c.hold(x, next)
			c.state[x-1].load = -1
		}
	}
}

// step executes an instruction.
func (c *choice) step(turn uint32) {
	at := c.order[turn]
	c.clock++
	for s := c.slots[at]; s < c.slots[at+1]; s++ {
		if x := c.reads[s]; x > 0 && c.state[x-1].pinned != c.clock {
			c.state[x-1].pinned = c.clock
			c.read(x, at, s, turn)
		}
	}
	c.makeRoom()
	for s := c.slots[at]; s < c.slots[at+1]; s++ {
		if x := c.reads[s]; x > 0 {
			c.goOn(x, turn, at)
		}
	}
	if x := c.makes[at]; x > 0 {
		c.clock++
		s := &c.state[x-1]
		if s.pinned, s.load = c.clock, -1; s.at < 0 {
			c.hold(x, 0)
			c.makeRoom()
		}
		c.goOn(x, turn, at)
	}
}

// read brings an operand to a register, if it is not in one.
func (c *choice) read(x webID, at spot, slot, turn uint32) {
	s := &c.state[x-1]
	if s.at < 0 {
		c.hold(x, 0)
		s.load = len(c.loads)
		c.loads = append(c.loads, reload{x, at, slot, turn})
	} else if s.load >= 0 {
		if r := &c.loads[s.load]; c.stretch[r.place] == c.stretch[at] && at < r.place {
			r.place, r.slot = at, slot
		}
	}
}

// goOn finds the next use of a web behind an instruction; if there is none, its register is free.
func (c *choice) goOn(x webID, turn uint32, at spot) {
	s := &c.state[x-1]
	if s.next = c.nextUse(x, turn+1, c.in[at]); s.next == never && s.at >= 0 {
		c.drop(x)
	}
}

// makeRoom takes registers from the webs that are used again last, as long as there are too few.
func (c *choice) makeRoom() {
	for c.words > c.limit {
		last := webID(0)
		for _, x := range c.held {
			if s := &c.state[x-1]; s.pinned != c.clock && (last == 0 || s.next > c.state[last-1].next) {
				last = x
			}
		}
		if last == 0 {
			return // one instruction needs more
		}
		c.drop(last)
	}
}

// hold gives a web registers.
func (c *choice) hold(x webID, next int64) {
	s := &c.state[x-1]
	s.at, s.next = len(c.held), next
	c.held = append(c.held, x)
	c.words += c.webs[x-1].words
}

// drop takes them away.
func (c *choice) drop(x webID) {
	s, last := &c.state[x-1], c.held[len(c.held)-1]
	c.held[s.at], c.state[last-1].at = last, s.at
	c.held = c.held[:len(c.held)-1]
	s.at = -1
	c.words -= c.webs[x-1].words
}

// nextUse is the turn in which a web is used next, from a turn of a loop (-1 = none) on. What
// is used in another iteration counts from the loop's end, and what is used behind the loop from
// there on as if all iterations were to come.
func (c *choice) nextUse(x webID, turn uint32, in int) int64 {
	w, later := &c.webs[x-1], int64(0)
	for ; in >= 0; in = c.loops[in].parent {
		l := &c.loops[in]
		if u, ok := w.useFrom(turn); ok && u < uint32(l.end) {
			return later + int64(u)
		}
		if c.around[loopWeb{in, x}] {
			u, _ := w.useFrom(uint32(l.first))
			return later + int64(l.end) + int64(u) - int64(l.first)
		}
		turn = uint32(l.end)
		later += min(l.count, maxLater) * int64(l.end-l.first)
	}
	if u, ok := w.useFrom(turn); ok {
		return later + int64(u)
	}
	return never
}

// maxLater keeps sums of turns within 63 bits: repetitions nest at most nine deep (idg.Producer).
const maxLater = 1 << 20

// useFrom is the first use from a turn on.
func (w *web) useFrom(turn uint32) (uint32, bool) {
	i, _ := slices.BinarySearch(w.uses, turn)
	if i == len(w.uses) {
		return 0, false
	}
	return w.uses[i], true
}
