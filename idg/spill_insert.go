package idg

import "slices"

// SpillBuffer is the Access.Buffer of spilled values.
const SpillBuffer = "(spilled registers)"

// inserter makes a program in which values are stored and loaded as a choice says. It is walked
// as its loops are announced to a Builder, which folds them again.
type inserter struct {
	lister
	*choice
	b *Builder
	g *Graph

	loadAt  []bool    // by slot
	classes []InstrID // by slot and, behind all, by place: of what is inserted there; 0 = nothing

	made   []webID               // by instruction that was walked
	number []Executed            // by instruction that was walked: as it is executed in the new program
	in     map[Executed]Executed // by executed value: what brought it to the register that has it now
	open   []insertedLoop
	bodies []Executed // by gap of the walk: instructions of one execution in the new program
	full   bool       // a loop does not fold

	edges, gates []Edge
}

// insertedLoop is a repetition that is being walked.
type insertedLoop struct {
	old, begun Executed // where the current execution began, in the program and in the new one
}

// maxInserted is how many instructions are walked; loops that fold take a few iterations each.
const maxInserted = 1 << 22

// insert returns the program with what is spilled; nil: it would be too long.
func (c *choice) insert(g *Graph, b *Builder, p *Program, rolled []bool) (*Program, *inserter) {
	x := &inserter{lister: newLister(p, rolled), choice: c, b: b, g: g, loadAt: make([]bool, len(c.reads)),
		classes: make([]InstrID, len(c.reads)+len(c.makes)), in: map[Executed]Executed{}}
	for _, r := range c.loads {
		x.loadAt[r.slot] = true
	}
	b.programs = b.programs[:0]
	b.Begin(p.Warps...)
	for w := p.walkWith(x); w.more() && !x.full; w.next() {
		x.visit(w)
		x.full = len(x.number) > maxInserted
		if n := len(x.open); n > 0 && x.open[n-1].old < 0 {
			x.open[n-1].old = w.number
		}
	}
	for len(b.loops) > 0 {
		b.EndLoop()
	}
	q := b.programs[0]
	b.programs = b.programs[:0]
	if x.full || b.err != nil {
		return nil, nil
	}
	q.seal()
	return q, x
}

func (x *inserter) enter(repeat int) {
	x.lister.enter(repeat)
	x.b.BeginLoop()
	x.open = append(x.open, insertedLoop{old: -1, begun: x.b.number})
}

func (x *inserter) ended(repeat int, left int64) (out int64) {
	if left == 0 {
		return 0
	}
	o := &x.open[len(x.open)-1]
	x.b.NextIteration()
	if body := x.b.number - o.begun; x.rolled[repeat] && x.b.Again(int64(body), left) > 0 {
		x.bodies = append(x.bodies, body)
		for v, at := range x.in { // what every execution loads
			if v < o.old && at >= o.begun {
				x.in[v] = at + Executed(left)*body
			}
		}
		return left
	}
	x.again(repeat)
	o.old, o.begun = -1, x.b.number
	return 0
}

func (x *inserter) leave(int) {
	x.b.EndLoop()
	x.open = x.open[:len(x.open)-1]
}

// visit adds an instruction, what it needs loaded before it, and what it makes stored behind it.
func (x *inserter) visit(w *walk) {
	at, class, row := x.next, w.p.StaticInstr(w.static), w.preds()
	x.next++
	x.edges, x.gates = x.edges[:0], x.gates[:0]
	for i := range row {
		if row[i].Kind != Data {
			x.gates = append(x.gates, Edge{x.now(w, w.producer(&row[i])), row[i].Kind})
		}
	}
	x.gates = slices.DeleteFunc(x.gates, func(e Edge) bool { return e.Kind != Control })
	for i := range row {
		u, s := w.producer(&row[i]), x.slots[at]+uint32(i)
		if x.reads[s] == 0 || x.made[x.index(w, u)] == 0 { // of a loop's first iteration, perhaps
			x.edges = append(x.edges, Edge{x.now(w, u), row[i].Kind})
			continue
		}
		if x.loadAt[s] {
			x.in[u] = x.load(w, u, s, x.g.Instr(class))
		}
		x.edges = append(x.edges, Edge{x.register(w, u), Data})
	}
	v := x.b.Add(class, x.edges...)
	x.number, x.made = append(x.number, v), append(x.made, x.makes[at])
	if m := x.makes[at]; m > 0 && x.loaded[m-1] && !x.webs[m-1].again {
		x.classes[len(x.reads)+int(at)] = x.access(m, true, x.g.Instr(class))
		x.b.Add(x.classes[len(x.reads)+int(at)], append(x.gates, Edge{v, Data})...)
	}
}

// load adds what brings a value to a register.
func (x *inserter) load(w *walk, u Executed, s uint32, user *Instr) Executed {
	m := x.reads[s]
	if web := &x.webs[m-1]; web.again {
		return x.b.Add(x.class[x.order[web.makes[0]]], x.gates...)
	}
	x.classes[s] = x.access(m, false, user)
	return x.b.Add(x.classes[s], append(x.gates, Edge{x.now(w, u) + 1, Order})...)
}

// access is the class of a spilled value's store or load, at an instruction.
func (x *inserter) access(m webID, store bool, at *Instr) InstrID {
	a := Access{Space: SpacePrivate, Width: uint16(4 * x.webs[m-1].size), Store: store, Buffer: SpillBuffer}
	for lane := range int64(at.Lanes) {
		a.Offsets = append(a.Offsets, lane*int64(a.Width))
	}
	op := "ld.private"
	if store {
		op = "st.private"
	}
	return x.b.Instr(Instr{Op: op, Type: "b32", Access: x.b.Access(a), Lanes: at.Lanes, Pos: at.Pos})
}

// now is the number of an instruction in the new program.
func (x *inserter) now(w *walk, u Executed) Executed {
	_, moved := x.walked(w, u)
	return x.number[x.index(w, u)] + moved
}

// index is which of the instructions that were walked an instruction is, or stands for it.
func (x *inserter) index(w *walk, u Executed) NodeID {
	walked, _ := x.walked(w, u)
	return condensedNumber(w.gaps, walked)
}

// register is the instruction that brought a value to the register that has it.
func (x *inserter) register(w *walk, u Executed) Executed {
	if at, ok := x.in[u]; ok {
		return at
	}
	if walked, moved := x.walked(w, u); walked != u {
		if at, ok := x.in[walked]; ok {
			return at + moved
		}
	}
	return x.now(w, u)
}

// walked is the instruction that was walked in place of one that was left out, and how far
// behind it that one is in the new program.
func (x *inserter) walked(w *walk, u Executed) (walked, moved Executed) {
	for i := len(w.gaps); i > 0; i-- {
		g := &w.gaps[i-1]
		if u >= g.from && u < g.to {
			moved += ((u-g.from)/g.body + 1) * x.bodies[i-1]
			u = g.from - g.body + (u-g.from)%g.body
		}
	}
	return u, moved
}
