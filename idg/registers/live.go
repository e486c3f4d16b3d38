package registers

import (
	"gpupipe/idg"
	"gpupipe/idg/isa"
)

// Live values are counted in a whole program of up to wholeLiveness instructions, with
// its repetitions; in one of up to maxLiveness, if of long loops only some
// iterations are executed.
const (
	wholeLiveness = 1 << 18
	maxLiveness   = 1 << 20
)

// Classes are what is known of a graph's instruction classes, by InstrID - 1.
type Classes struct {
	g    *idg.Graph
	size []int64 // registers of the result
	gate []bool  // nothing crosses the instruction
	loop []bool  // ends an iteration of a rolled loop

	load, store []bool
	pred        []bool // the result is a predicate
	choice      []bool // selects by a predicate
}

// ClassesOf looks at the classes of a graph.
func ClassesOf(g *idg.Graph) *Classes {
	instrs := g.Instrs()
	of := func() []bool { return make([]bool, len(instrs)) }
	c := &Classes{g: g, size: g.ResultWords(), gate: of(), loop: of(), load: of(), store: of(), pred: of(),
		choice: of()}
	for i := range instrs {
		c.loop[i] = instrs[i].IsRolledLoop()
		c.gate[i] = instrs[i].IsGate()
		switch verb := instrs[i].Operation().Verb; {
		case c.gate[i]:
		case verb == isa.Load:
			c.load[i] = true
		case verb == isa.Store:
			c.store[i] = true
		default:
			c.pred[i], c.choice[i] = c.size[i] == 0, verb == isa.Select
		}
	}
	return c
}

// Rolled tells the repetitions of a program that are rolled loops, by RepeatID - 1: those that
// execute a loop instruction of their own.
func (c *Classes) Rolled(p *idg.Program) []bool { return p.Rolled(c.loop) }

// Condensed prepares a program of which rolled loops have some iterations only
// ([idg.Program.Condensed]); nil: it is too long.
func (c *Classes) Condensed(p *idg.Program, rolled []bool) *Live {
	if f := p.Condensed(maxLiveness, rolled); f != nil {
		return &Live{Classes: c, Flat: c.merged(f)}
	}
	return nil
}

// whole prepares a program, with all iterations if it is short; nil: it is too long.
func (c *Classes) whole(p *idg.Program) *Live {
	f, err := p.Expanded(wholeLiveness)
	if err != nil {
		if f = p.Condensed(maxLiveness, c.Rolled(p)); f == nil {
			return nil
		}
	}
	return &Live{Classes: c, Flat: c.merged(f)}
}

// Live is a program of which live values are counted.
type Live struct {
	*Classes
	*idg.Flat
	scalar []bool // the result is in scalar registers, by node; nil: there are none
}

// Words is how many 32-bit registers of a work item the result of a node takes.
func (l *Live) Words(v idg.NodeID) int64 {
	if l.scalar != nil && l.scalar[v] {
		return 0
	}
	return l.size[l.Instr(v)-1]
}

// Gated reports whether nothing crosses a node.
func (l *Live) Gated(v idg.NodeID) bool { return l.gate[l.Instr(v)-1] }

// Users is how many data users every node has.
func (l *Live) Users() []uint32 {
	users := make([]uint32, l.Len())
	for v := range idg.NodeID(l.Len()) {
		from, kind := l.Preds(v)
		for i, u := range from {
			if kind[i] == idg.Data {
				users[u]++
			}
		}
	}
	return users
}

// Longest is how many instructions the longest stretch between two gates has.
func (l *Live) Longest() (most idg.NodeID) {
	first := idg.NodeID(0)
	for v := range idg.NodeID(l.Len()) {
		if l.Gated(v) {
			first = v + 1
		}
		most = max(most, v+1-first)
	}
	return most
}

// dataUsers are those of every node.
func (l *Live) dataUsers() []pending {
	users := make([]pending, l.Len())
	for v := range idg.NodeID(l.Len()) {
		from, kind := l.Preds(v)
		for i, u := range from {
			if kind[i] == idg.Data {
				users[u].add(v)
			}
		}
	}
	return users
}

// lastUsers are the last data users of every node in the program; 0: it has none.
func (l *Live) lastUsers() []idg.NodeID {
	last := make([]idg.NodeID, l.Len())
	for v := range idg.NodeID(l.Len()) {
		from, kind := l.Preds(v)
		for i, u := range from {
			if kind[i] == idg.Data {
				last[u] = v
			}
		}
	}
	return last
}

// pending is a set of nodes of which the size is known, and the node when it is
// the only one.
type pending struct {
	n   uint32
	xor idg.NodeID // of all nodes
}

func (p *pending) add(v idg.NodeID)    { p.n, p.xor = p.n+1, p.xor^v }
func (p *pending) remove(v idg.NodeID) { p.n, p.xor = p.n-1, p.xor^v }
