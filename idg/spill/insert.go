package spill

import (
	"slices"

	"gpupipe/idg"
)

// inserter makes a program in which values are stored and loaded as a choice says. It is walked
// as its loops are announced to a Builder, which folds them again.
type inserter struct {
	lister
	*choice
	b *idg.Builder
	g *idg.Graph

	loadAt  []bool        // by slot
	classes []idg.InstrID // by slot and, behind all, by place: of what is inserted there; 0 = nothing

	made   []webID                       // by instruction that was walked
	number []idg.Executed                // by instruction that was walked: as it is executed in the new program
	in     map[idg.Executed]idg.Executed // by executed value: what brought it to the register that has it now
	open   []insertedLoop
	bodies []idg.Executed // by gap of the walk: instructions of one execution in the new program

	edges, gates []idg.Edge
}

// insertedLoop is a repetition that is being walked.
type insertedLoop struct {
	old, begun idg.Executed // where the current execution began, in the program and in the new one
}

// maxInserted is how many instructions are walked; loops that fold take a few iterations each.
const maxInserted = 1 << 22

// insert makes the program with what is spilled in a Builder; nil: it would be too long.
func (c *choice) insert(g *idg.Graph, b *idg.Builder, p *idg.Program, rolled []bool) *inserter {
	x := &inserter{lister: newLister(p, rolled), choice: c, b: b, g: g, loadAt: make([]bool, len(c.reads)),
		classes: make([]idg.InstrID, len(c.reads)+len(c.makes)), in: map[idg.Executed]idg.Executed{}}
	for _, r := range c.loads {
		x.loadAt[r.slot] = true
	}
	b.Begin(p.Warps...)
	for w := p.Walk(x); w.More(); w.Next() {
		x.visit(w)
		if len(x.number) > maxInserted {
			return nil // a loop does not fold
		}
		if n := len(x.open); n > 0 && x.open[n-1].old < 0 {
			x.open[n-1].old = w.Number()
		}
	}
	return x
}

func (x *inserter) Enter(repeat int) {
	x.lister.Enter(repeat)
	x.b.BeginLoop()
	x.open = append(x.open, insertedLoop{old: -1, begun: x.b.Next()})
}

func (x *inserter) Ended(repeat int, left int64) (out int64) {
	if left == 0 {
		return 0
	}
	o := &x.open[len(x.open)-1]
	x.b.NextIteration()
	if body := x.b.Next() - o.begun; x.rolled[repeat] && x.b.Again(int64(body), left) > 0 {
		x.bodies = append(x.bodies, body)
		for v, at := range x.in { // what every execution loads
			if v < o.old && at >= o.begun {
				x.in[v] = at + idg.Executed(left)*body
			}
		}
		return left
	}
	x.again(repeat)
	o.old, o.begun = -1, x.b.Next()
	return 0
}

func (x *inserter) Leave(int) {
	x.b.EndLoop()
	x.open = x.open[:len(x.open)-1]
}

// visit adds an instruction, what it needs loaded before it, and what it makes stored behind it.
func (x *inserter) visit(w *idg.Walk) {
	at, class, row := x.next, w.Program().StaticInstr(w.Static()), w.StaticPreds()
	x.next++
	x.edges, x.gates = x.edges[:0], x.gates[:0]
	for i := range row {
		if row[i].Kind != idg.Data {
			x.gates = append(x.gates, idg.Edge{From: x.now(w, w.Producer(&row[i])), Kind: row[i].Kind})
		}
	}
	x.gates = slices.DeleteFunc(x.gates, func(e idg.Edge) bool { return e.Kind != idg.Control })
	for i := range row {
		u, s := w.Producer(&row[i]), x.slots[at]+uint32(i)
		if x.reads[s] == 0 || x.made[x.index(w, u)] == 0 { // of a loop's first iteration, perhaps
			x.edges = append(x.edges, idg.Edge{From: x.now(w, u), Kind: row[i].Kind})
			continue
		}
		if x.loadAt[s] {
			x.in[u] = x.load(w, u, s, x.g.Instr(class))
		}
		x.edges = append(x.edges, idg.Edge{From: x.register(w, u), Kind: idg.Data})
	}
	v := x.b.Add(class, x.edges...)
	x.number, x.made = append(x.number, v), append(x.made, x.makes[at])
	if m := x.makes[at]; m > 0 && x.loaded[m-1] && !x.webs[m-1].again {
		x.classes[len(x.reads)+int(at)] = x.access(m, true, x.g.Instr(class))
		x.b.Add(x.classes[len(x.reads)+int(at)], append(x.gates, idg.Edge{From: v, Kind: idg.Data})...)
	}
}

// load adds what brings a value to a register.
func (x *inserter) load(w *idg.Walk, u idg.Executed, s uint32, user *idg.Instr) idg.Executed {
	m := x.reads[s]
	if web := &x.webs[m-1]; web.again {
		return x.b.Add(x.class[x.order[web.makes[0]]], x.gates...)
	}
	x.classes[s] = x.access(m, false, user)
	return x.b.Add(x.classes[s], append(x.gates, idg.Edge{From: x.now(w, u) + 1, Kind: idg.Order})...)
}

// access is the class of a spilled value's store or load, at an instruction.
func (x *inserter) access(m webID, store bool, at *idg.Instr) idg.InstrID {
	a := idg.Access{Space: idg.SpacePrivate, Width: uint16(4 * x.webs[m-1].size), Store: store, Buffer: idg.SpillBuffer}
	for lane := range int64(at.Lanes) {
		a.Offsets = append(a.Offsets, lane*int64(a.Width))
	}
	op := "ld.private"
	if store {
		op = "st.private"
	}
	return x.b.Instr(idg.Instr{Op: op, Type: "b32", Access: x.b.Access(a), Lanes: at.Lanes, Pos: at.Pos})
}

// now is the number of an instruction in the new program.
func (x *inserter) now(w *idg.Walk, u idg.Executed) idg.Executed {
	_, moved := x.walked(w, u)
	return x.number[x.index(w, u)] + moved
}

// index is which of the instructions that were walked an instruction is, or stands for it.
func (x *inserter) index(w *idg.Walk, u idg.Executed) idg.NodeID {
	walked, _ := x.walked(w, u)
	return w.Visited(walked)
}

// register is the instruction that brought a value to the register that has it.
func (x *inserter) register(w *idg.Walk, u idg.Executed) idg.Executed {
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
func (x *inserter) walked(w *idg.Walk, u idg.Executed) (walked, moved idg.Executed) {
	gaps := w.Gaps()
	for i := len(gaps); i > 0; i-- {
		g := &gaps[i-1]
		if u >= g.From && u < g.To {
			moved += ((u-g.From)/g.Body + 1) * x.bodies[i-1]
			u = g.From - g.Body + (u-g.From)%g.Body
		}
	}
	return u, moved
}
