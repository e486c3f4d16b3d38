package arrange

import (
	"math"
	"math/bits"
	"slices"

	"gpupipe/idg"
	"gpupipe/lower/machine"
)

// spiller chooses registers that live in memory, where more live than there are, and rewrites the code: they are
// stored behind each write and loaded in front of each read (G. Chaitin, Register Allocation & Spilling via Graph
// Coloring, 1982), into registers that are kept up to the next reads where there are enough (Belady's rule within a
// basic block). What an instruction without operands makes is made again in front of its reads instead (P. Briggs
// et al., Rematerialization, 1992). ptxas and clang spill to get below a limit only, as here: launch bounds,
// maxrregcount (CUDA C++ Programming Guide, Launch Bounds) or the most that an instruction can name.
type spiller struct {
	l        *linear
	live     [][]interval
	class    machine.Class
	limit    int
	pressure []int
	excess   counts // the steps where too many live
	regs     []spillable
	chosen   []machine.Reg
	apart    bool                 // registers may be spilled in a loop alone
	away     []machine.Reg        // those
	fits     []bool               // by loop: not too many live in it
	within   []*loopSteps         // by step: the outermost loop that fits
	short    map[machine.Reg]bool // registers that spilling made: nothing would be won by spilling them
	slots    map[machine.Reg]int64
}

// spillable is what is known of a register that may be spilled.
type spillable struct {
	accessed // but in loops where it stays
	stay     []stay
	whole    machine.Reg // that it stands for in a loop
	writes   int
	remake   *machine.Instr // makes its value without operands
	chosen   bool
}

// loopWeight is how many times as often as the code around it the body of a loop is taken to be executed: what
// compilers assume where no profile says otherwise (LLVM, MachineBlockFrequencyInfo: 2^5/2^0 at the most; Chaitin: 10).
const loopWeight = 10

// deepestLoop is the depth from which on loops count the same.
const deepestLoop = 6

// weightIn is what an access costs in so many loops.
func weightIn(depth int) float64 { return math.Pow(loopWeight, float64(min(depth, deepestLoop))) }

// accessed is where a register is accessed, in steps in order, and what accesses cost if it is in memory.
type accessed struct {
	weight   float64
	accesses []int32
}

func (v *accessed) add(step int32, write bool, weight float64) {
	again := len(v.accesses) > 0 && v.accesses[len(v.accesses)-1] == step
	if !again || write {
		v.weight += weight
	}
	if !again {
		v.accesses = append(v.accesses, step)
	}
}

// newSpiller looks at the registers of a class.
func newSpiller(l *linear, class machine.Class, limit int, short map[machine.Reg]bool) *spiller {
	p := &spiller{l: l, live: l.wholePairs(l.liveness()), class: class, limit: limit, short: short,
		slots: map[machine.Reg]int64{}}
	p.pressure = l.pressure(p.live, class)
	p.excess = make(counts, len(l.steps)+1)
	for i, n := range p.pressure {
		if n > limit {
			p.excess.add(int32(i), 1)
		}
	}
	p.apart = l.code.Target.Has("max occupancy") && class == machine.Vector
	p.within, p.fits = make([]*loopSteps, len(l.steps)), make([]bool, len(l.loops))
	p.settle()
	return p
}

// accesses notes what a step reads and writes.
func (p *spiller) accesses(i int32) {
	s := &p.l.steps[i]
	weight := weightIn(s.depth)
	for _, a := range p.l.of(int(i)) {
		r := p.l.owner[a.word]
		if p.l.code.Reg(r).Class != p.class {
			continue
		}
		v := &p.regs[r-1]
		if g := p.within[i]; g != nil {
			v.stays(g, i, a.write, weight)
		} else {
			v.add(i, a.write, weight)
		}
		if !a.write {
			continue
		}
		if v.writes++; v.writes == 1 && remakes(s.instr) {
			v.remake = s.instr
		} else if v.remake != s.instr {
			v.remake = nil
		}
	}
}

// remakes reports whether an instruction gives the same wherever it stands.
func remakes(in *machine.Instr) bool {
	if in.Guard.Reg != 0 || len(in.Defs) != 1 || in.Part != 0 || in.Mem != nil && !in.Mem.Constant || pins(in) {
		return false
	}
	for i := range in.Uses {
		if in.Uses[i].Kind == machine.InReg {
			return false
		}
	}
	return true
}

// choose finds registers until no more than the limit live anywhere, as far as that is possible: at the first step
// where too many live the one that costs the least for the steps that it helps, and so on.
func (p *spiller) choose() bool {
	if p.apart {
		p.empty()
	}
	starts := make([][]machine.Reg, len(p.l.steps)+1)
	for i := range p.regs {
		r := machine.Reg(i + 1)
		if p.l.code.Reg(r).Class != p.class || p.short[r] {
			continue
		}
		if s := p.span(r); s.from < s.to {
			starts[s.from/2] = append(starts[s.from/2], r)
		}
	}
	var active []machine.Reg
	for i := range p.l.steps {
		active = append(active, starts[i]...)
		p.relieve(active, int32(i))
		if i%64 == 0 {
			active = p.alive(active, int32(i))
		}
	}
	return len(p.chosen)+len(p.away) > 0
}

// relieve spills registers until no more than the limit live at a step, as far as that is possible.
func (p *spiller) relieve(active []machine.Reg, i int32) {
	for p.pressure[i] > p.limit {
		r := p.victim(active, i)
		if r == 0 {
			return
		}
		if s := p.regs[r-1].in(p.within[i]); s != nil {
			p.leave(r, s)
			continue
		}
		p.spill(r)
		p.settle()
	}
}

// span is from where to where a register lives, holes included.
func (p *spiller) span(r machine.Reg) interval {
	out := interval{math.MaxInt32, 0}
	for k := range p.l.code.Reg(r).Words {
		if list := p.live[int(p.l.base[r-1])+k]; len(list) > 0 {
			out.from, out.to = min(out.from, list[0].from), max(out.to, list[len(list)-1].to)
		}
	}
	return out
}

// alive drops the registers that are over.
func (p *spiller) alive(active []machine.Reg, i int32) []machine.Reg {
	out := active[:0]
	for _, r := range active {
		if !p.regs[r-1].chosen && p.span(r).to > 2*i {
			out = append(out, r)
		}
	}
	return out
}

// victim is the register to spill for the sake of a step; 0: there is none.
func (p *spiller) victim(active []machine.Reg, i int32) machine.Reg {
	best, least := machine.Reg(0), math.Inf(1)
	for _, r := range active {
		v := &p.regs[r-1]
		if v.chosen || !p.through(r, i) {
			continue
		}
		accesses, weight, within := v.accesses, v.weight, interval{0, int32(len(p.l.steps))}
		part := v.in(p.within[i])
		switch {
		case part != nil && part.away || part == nil && v.away():
			continue
		case part != nil:
			accesses, within = part.accesses, interval{part.loop.from, part.loop.to}
			weight = part.weight + p.crossing(r, part)
		default:
			weight += p.crossings(r)
		}
		if _, found := slices.BinarySearch(accesses, i); found {
			continue
		}
		gain := -len(accesses)
		for k := range p.l.code.Reg(r).Words {
			for _, s := range p.live[int(p.l.base[r-1])+k] {
				if from, to := max(s.from/2, within.from), min((s.to+1)/2, within.to); from < to {
					gain += p.excess.before(to) - p.excess.before(from)
				}
			}
		}
		if v.remake != nil {
			weight /= 4 // no memory is accessed, and nothing is stored
		}
		if cost := weight / float64(max(1, gain)); cost < least {
			best, least = r, cost
		}
	}
	return best
}

// through reports whether a register lives in front of a step and behind it.
func (p *spiller) through(r machine.Reg, i int32) bool { return p.covers(r, 2*i, 2*i+2) }

// covers reports whether a word of a register lives from one place to another; step i stands between 2i and 2i+1.
func (p *spiller) covers(r machine.Reg, from, to int32) bool {
	for k := range p.l.code.Reg(r).Words {
		for _, s := range p.live[int(p.l.base[r-1])+k] {
			if s.from <= from && s.to >= to {
				return true
			}
		}
	}
	return false
}

// spill takes a register off the pressure of all steps but those that access it.
func (p *spiller) spill(r machine.Reg) {
	v := &p.regs[r-1]
	v.chosen = true
	p.chosen = append(p.chosen, r)
	for k := range p.l.code.Reg(r).Words {
		for _, s := range p.live[int(p.l.base[r-1])+k] {
			for i := s.from / 2; i < (s.to+1)/2; i++ {
				if !p.kept(r, i) {
					p.raise(i, -1)
				}
			}
		}
	}
	for _, i := range v.accesses {
		p.raise(i, p.wordsAt(r, i))
	}
}

// wordsAt is how many words of a register in memory are in registers at a step that accesses it.
func (p *spiller) wordsAt(r machine.Reg, i int32) int {
	n, last := 0, int32(-1)
	for _, a := range p.l.of(int(i)) {
		if p.l.owner[a.word] == r && a.word > last { // what is read and written has one place
			n, last = n+1, a.word
		}
	}
	return n
}

// raise changes how many live at a step.
func (p *spiller) raise(i int32, by int) {
	before := p.pressure[i] > p.limit
	p.pressure[i] += by
	switch after := p.pressure[i] > p.limit; {
	case before && !after:
		p.excess.add(i, -1)
	case after && !before:
		p.excess.add(i, 1)
	}
}

// counts has numbers of which sums are asked while they change (P. Fenwick, A New Data Structure for Cumulative
// Frequency Tables, 1994).
type counts []int32

// add changes number i.
func (c counts) add(i, by int32) {
	for i++; int(i) < len(c); i += i & -i {
		c[i] += by
	}
}

// before is the sum of the numbers in front of number i.
func (c counts) before(i int32) (sum int) {
	for ; i > 0; i -= i & -i {
		sum += int(c[i])
	}
	return sum
}

// slot is where a register is in the memory of a lane.
func (p *spiller) slot(r machine.Reg) int64 {
	at, ok := p.slots[r]
	if !ok {
		c := &p.l.code.Resources
		words := int64(alignmentOf(p.l.code.Target, machine.Vector, p.l.code.Reg(r).Words))
		c.PrivateBytes = (c.PrivateBytes + 4*words - 1) / (4 * words) * (4 * words)
		at = c.PrivateBytes
		bytes := 4 * int64(p.l.code.Reg(r).Words)
		c.PrivateBytes += bytes
		c.SpillBytes += bytes
		p.slots[r] = at
	}
	return at
}

// memory makes the load or store of words of a spilled register.
func (p *spiller) memory(store bool, temp, r machine.Reg, word, words int) *machine.Instr {
	t := p.l.code.Target
	names, class := t.Spills.Load, "ld.private"
	if store {
		names, class = t.Spills.Store, "st.private"
	}
	in := &machine.Instr{Op: names[min(bits.Len(uint(words-1)), len(names)-1)], Class: class, Pipe: t.Spills.Pipe,
		Spill: true, Mem: &machine.Mem{Space: idg.SpacePrivate, Bytes: 4 * int64(words),
			Offset: p.slot(r) + 4*int64(word), Store: store}}
	if store {
		in.Uses = []machine.Operand{{Kind: machine.InReg, Reg: temp, Word: -1}}
	} else {
		in.Defs = []machine.Reg{temp}
	}
	return in
}
