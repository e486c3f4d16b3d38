package idg

import (
	"cmp"
	"math"
	"slices"
)

// RegisterReads counts the 32-bit register words that each stored instruction
// reads through the ports of the register file, by program and StaticID, on NVIDIA's GPUs from compute capability
// 7.5 on (Huerta et al., MICRO 2025, 5.3: "H25").
//
// Read are the operands that are results of other instructions (Data): two words if they have 64
// bits, one of these if the operation has 32, none if they are predicates. Kernel arguments, constants and
// immediates are in no register, and what an instruction uses twice it reads once. Uniform registers are left out.
//
// Instructions of variable latency (variableLatency) read none: they have their turn when the ports are
// free (H25 5.1.1).
//
// What the instruction before it has read too is in the register file cache (H25
// 5.3.1). That instruction is the last one of fixed latency in the same basic block: ptxas keeps values across
// loads. It keeps none for an instruction that waits for the result of one of the two before: the latency of
// arithmetic is four cycles (H25 5.3), operands are kept for what begins up to two cycles later, and other warps have
// their turn meanwhile. The cache
// is by operand position, which a graph does not have; multiplicands change places, and so do
// addends. The first instruction of a repetition's body is counted as what follows the body's last.
//
// A wide load is one instruction with a value in each of its words, and a graph does not
// say which of them an operand is: see wideLoad.
func (g *Graph) RegisterReads() [][]uint8 {
	words := newWordCounts(g)
	var reads [][]uint8
	for _, p := range g.programs {
		reads = append(reads, words.readWith(p))
	}
	return reads
}

// readWith is what each stored instruction of a program reads.
func (c *wordCounts) readWith(p *Program) []uint8 {
	r := newReader(c, p)
	reads := make([]uint8, len(p.code))
	for s := range StaticID(len(p.code)) {
		r.repeat(s)
		switch class := p.StaticInstr(s) - 1; {
		case r.ends[class]:
			r.before = r.before[:0]
		case r.fixed[class]:
			row := r.operands(s)
			n := r.words(s, row)
			if r.halves[class] {
				n = inHalves(n)
			}
			reads[s] = uint8(min(n, math.MaxUint8))
			if len(row) > 0 {
				r.follow(r.result(s, r.depth), row)
			}
		}
	}
	return reads
}

// inHalves is what an instruction of so many words takes of the two ports that reads them twice
// (isa.Op.InHalves). A pair of words is in both banks, so a third one waits behind one of them, and meanwhile the
// other port is of no use.
func inHalves(words int64) int64 {
	if words > 1 {
		words += words % 2
	}
	return 2 * words
}

// wordCounts is what counting reads needs to know of the instructions of a graph, by InstrID - 1.
type wordCounts struct {
	fixed  []bool  // of fixed latency
	halves []bool  // reads its registers twice
	ends   []bool  // ends a basic block
	value  []int64 // words of each value of the result
	values []int64 // how many the result consists of
	most   []int64 // words that it takes of a value
}

// reader is what counting reads needs to know of a program.
type reader struct {
	*wordCounts
	p       *Program
	q       *places
	endings []uint32 // how many instructions in front of a stored one end basic blocks
	all     []operand
	begin   []uint32 // of all, by stored instruction
	wide    map[StaticID]*wideLoad
	opens   int        // the next repetition that begins, in p.repeats
	closes  []RepeatID // by End, inner ones first
	closed  int        // of closes
	// results of the last two instructions of fixed latency, the last first; then the last's operands
	before  []operand
	depth   int // repetitions around
	scratch []operand
}

// operand is a value in registers that an instruction reads.
type operand struct {
	by   Executed // the instruction that makes it, as the reader is executed first
	from StaticID // the same
	// held is how many of the repetitions around the reader, inner ones first, the value stays the
	// same in; allOfThem if there are no others (Producer.Base, the same for all that say so).
	held uint8
}

const allOfThem = math.MaxUint8

// same reports whether two operands are the same value whenever they are read.
func (o operand) same(p operand) bool { return o.by == p.by && o.held == p.held }

// result is what a stored instruction makes, to those that follow it in as many repetitions.
func (r *reader) result(s StaticID, depth int) operand {
	return operand{by: r.q.number[s], from: s, held: heldIn(0, depth)}
}

// heldIn is how many of depth repetitions a value stays the same in.
func heldIn(held uint8, depth int) uint8 {
	if int(held) >= depth {
		return allOfThem
	}
	return held
}

func newWordCounts(g *Graph) *wordCounts {
	c := &wordCounts{value: g.ResultWords()}
	for i := range g.instrs {
		in := &g.instrs[i]
		all := c.value[i]
		c.value[i] = min(all, valueWords(in))
		c.values = append(c.values, all/max(1, c.value[i]))
		c.most = append(c.most, in.Operation().OperandWords())
		c.halves = append(c.halves, in.Operation().InHalves())
		c.fixed, c.ends = append(c.fixed, !in.Operation().VariableLatency()), append(c.ends, in.EndsBlock())
	}
	return c
}

func newReader(c *wordCounts, p *Program) *reader {
	r := &reader{wordCounts: c, p: p, q: p.places(), begin: make([]uint32, 1, len(p.code)+1),
		wide: map[StaticID]*wideLoad{}}
	r.endings = make([]uint32, len(p.code)+1)
	for s := range StaticID(len(p.code)) {
		r.endings[s+1] = r.endings[s]
		if r.ends[p.StaticInstr(s)-1] {
			r.endings[s+1]++
		}
	}
	for i := range p.repeats {
		r.closes = append(r.closes, RepeatID(i+1))
	}
	slices.SortFunc(r.closes, func(a, b RepeatID) int {
		return cmp.Or(cmp.Compare(p.repeats[a-1].End, p.repeats[b-1].End), cmp.Compare(b, a))
	})
	r.findOperands()
	return r
}

// findOperands finds the operands of every stored instruction as it is executed first.
func (r *reader) findOperands() {
	straight, next := StaticID(0), 0 // since straight nothing has been executed twice
	p := r.p
	for w := p.walkOnce(); w.more(); w.next() {
		for ; next < len(r.closes) && p.repeats[r.closes[next]-1].End <= w.static; next++ {
			straight = p.repeats[r.closes[next]-1].End
		}
		row := w.preds()
		for i := range row {
			if row[i].Kind != Data {
				continue
			}
			o := operand{by: w.producer(&row[i]), held: heldIn(row[i].Base, len(w.open))}
			if start := r.q.number[straight]; o.by >= start {
				o.from = straight + StaticID(o.by-start)
			} else {
				o.from = r.q.at(o.by)
			}
			if r.value[p.StaticInstr(o.from)-1] > 0 {
				r.all = append(r.all, o)
				r.useWide(w.static, o)
			}
		}
		r.begin = append(r.begin, uint32(len(r.all)))
	}
}

// operands are those of a stored instruction.
func (r *reader) operands(s StaticID) []operand { return r.all[r.begin[s]:r.begin[s+1]] }

// follow takes note of an instruction that the next one follows: its result and its operands.
func (r *reader) follow(result operand, row []operand) {
	second := result // where there is none
	if len(r.before) > 0 {
		second = r.before[0]
	}
	r.before = append(append(r.before[:0], result, second), row...)
}

// words is how many words of its operands an instruction reads through the ports.
func (r *reader) words(s StaticID, row []operand) (n int64) {
	common := r.scratch[:0]
	if len(r.before) > 0 && !slices.ContainsFunc(row, r.before[0].same) && !slices.ContainsFunc(row, r.before[1].same) {
		for _, o := range row {
			if slices.ContainsFunc(r.before[2:], o.same) {
				common = append(common, o)
			}
		}
	}
	r.scratch = common
	cached := r.sameWords(s, common)
	for _, o := range row {
		if !slices.Contains(cached, o) {
			n += min(r.value[r.p.StaticInstr(o.from)-1], r.most[r.p.StaticInstr(s)-1])
		}
	}
	return n
}

// repeat goes from what was read before to what was so in front of an instruction, if repetitions
// begin or end there.
func (r *reader) repeat(s StaticID) {
	for ; r.closed < len(r.closes) && r.p.repeats[r.closes[r.closed]-1].End <= s; r.closed++ {
		r.move(r.closes[r.closed], r.p.repeats[r.closes[r.closed]-1].Count-1)
		r.depth--
		r.leave(r.depth)
	}
	for ; r.opens < len(r.p.repeats) && r.p.repeats[r.opens].First == s; r.opens++ {
		r.depth++
		r.wrap(RepeatID(r.opens + 1))
	}
}

// wrap makes what was read before that of the execution of a body before the current one, if there is any in it.
func (r *reader) wrap(id RepeatID) {
	body := &r.p.repeats[id-1]
	for at := body.End; at > body.First; at-- {
		s := at - 1
		class := r.p.StaticInstr(s) - 1
		if r.ends[class] {
			r.before = r.before[:0]
			return
		}
		if row := r.operands(s); r.fixed[class] && len(row) > 0 {
			in, depth := r.q.in[s], r.depth
			for outer := in; outer != id; outer = r.p.repeats[outer-1].Parent {
				depth++
			}
			r.before = append(append(r.before[:0], r.result(s, depth), r.earlier(s, in, depth)), row...)
			for ; in != id; in = r.p.repeats[in-1].Parent {
				r.move(in, r.p.repeats[in-1].Count-1)
				depth--
				r.leave(depth)
			}
			r.move(id, -1)
			return
		}
	}
	for i := range r.before { // from outside
		if o := &r.before[i]; o.held != allOfThem {
			o.held++
		}
	}
}

// earlier is the result of the instruction of fixed latency before another one in a body, where that is the last of
// them: of the same basic block, or the same instruction an iteration before.
func (r *reader) earlier(last StaticID, in RepeatID, depth int) operand {
	body := &r.p.repeats[in-1]
	for s := last; s > body.First; {
		s--
		class := r.p.StaticInstr(s) - 1
		if r.ends[class] || r.q.in[s] != in {
			return r.result(last, depth)
		}
		if r.fixed[class] && len(r.operands(s)) > 0 {
			return r.result(s, depth)
		}
	}
	o := r.result(last, depth)
	o.by -= Executed(r.q.length[in-1])
	return o
}

// move makes what was read before that of so many executions of the innermost body later.
func (r *reader) move(id RepeatID, executions int64) {
	for i := range r.before {
		if o := &r.before[i]; o.held == 0 {
			o.by += Executed(executions * r.q.length[id-1])
		}
	}
}

// leave leaves the innermost of the repetitions; depth of them remain.
func (r *reader) leave(depth int) {
	for i := range r.before {
		if o := &r.before[i]; o.held != allOfThem {
			o.held = heldIn(max(o.held, 1)-1, depth)
		}
	}
}
