package trace

import (
	"cmp"
	"slices"

	"gpupipe/idg/isa"
	"gpupipe/lower"
)

// What instructions on two numbers begin with (packpairs.go): operations on vectors, what is stored to neighbours, and
// what an iteration hands on to the next.

// component is a component of an operation on vectors.
type component struct {
	node   NodeID
	number int // from 1
}

// AddComponent notes that a node computes a component, from 1, of an operation on vectors of single
// precision, which may be computed with the next one. They come in program order.
func (t *Trace) AddComponent(n NodeID, number int) {
	t.components = append(t.components, component{n, number})
}

// vectors returns the pairs of components of operations on vectors. LLVM takes vectors of three
// apart, and differences of more than two.
func (p *packer) vectors() (out [][2]NodeID) {
	list := p.t.components
	for len(list) > 0 {
		n := 1
		for n < len(list) && list[n].number == list[n-1].number+1 {
			n++
		}
		first := list[0].node
		if p.live[first-1] && n != 3 && (n == 2 || p.op(first).Verb != isa.Sub) {
			for i := 1; i < n; i += 2 {
				a, b := list[i-1].node, list[i].node
				p.vector[a] = b
				out = append(out, [2]NodeID{a, b})
			}
		}
		list = list[n:]
	}
	return out
}

// findSeeds finds what pairs of scalars begin with.
func (p *packer) findSeeds() {
	t := p.t
	stores := neighboursIn{lists: [2][]NarrowAccess{t.locals, t.devices}}
	chains := chains{p: p, of: make([]NodeID, t.length), last: map[NodeID]NodeID{}}
	for i := range t.length {
		narrow := stores.reached(NodeID(i+1), p.live[i])
		if !p.live[i] {
			continue
		}
		n := t.at(i)
		switch k := t.kinds.of(n.kind); {
		case n.flags&Gate != 0:
			p.stored(&stores)
			chains.handedOn()
		case n.flags&Store != 0 && !narrow && k.typ == lower.F32.String() && k.is.Verb == isa.Store:
			p.seed(p.computed(NodeID(i + 1)))
		case p.packable(NodeID(i + 1)):
			chains.add(NodeID(i + 1))
		}
	}
	p.stored(&stores)
	chains.handedOn()
}

// seed adds what a list of values begins with: two at a time.
func (p *packer) seed(values []NodeID) {
	for c := range slices.Chunk(values, 2) {
		if len(c) == 2 {
			p.seeds = append(p.seeds, [2]NodeID{min(c[0], c[1]), max(c[0], c[1])})
		}
	}
}

// stored adds what is stored to neighbours in a block.
func (p *packer) stored(s *neighboursIn) {
	s.ends(p)
	for _, list := range s.runs() {
		// A store that has become a wide one stores what the others stored, too.
		values, wide := make([]NodeID, len(list)), -1
		for i, store := range list {
			switch own := p.computed(store); len(own) {
			case 1:
				values[i] = own[0]
			case len(list):
				wide = i
			}
		}
		if wide >= 0 {
			rest := slices.DeleteFunc(p.computed(list[wide]), func(d NodeID) bool { return slices.Contains(values, d) })
			if len(rest) == 1 {
				values[wide] = rest[0]
			}
		}
		if !slices.Contains(values, 0) {
			p.seed(values)
		}
	}
}

// computed lists what may be one of a pair among what a node depends on.
func (p *packer) computed(id NodeID) []NodeID {
	return slices.DeleteFunc(slices.Clone(p.t.deps(p.t.node(id))), func(d NodeID) bool { return !p.packable(d) })
}

// chains follows what is computed of what an iteration of a rolled loop has handed on.
type chains struct {
	p    *packer
	of   []NodeID          // by index: the chain, named by its first node; 0 = none
	last map[NodeID]NodeID // of the chains of the current block: the last node
	list []NodeID          // these chains
}

// add adds a node to the chain of an operand, or begins one.
func (c *chains) add(id NodeID) {
	p := c.p
	loop := p.t.kinds.of(p.t.node(id).kind).loop
	if loop == 0 {
		return
	}
	begins := false
	for _, d := range p.t.deps(p.t.node(id)) {
		if !p.packable(d) {
			continue
		}
		if p.block[d-1] != p.block[id-1] {
			begins = begins || p.t.kinds.of(p.t.node(d).kind).loop == loop
		} else if first := c.of[d-1]; first != 0 {
			c.of[id-1], c.last[first] = first, id
			return
		}
	}
	if begins {
		c.of[id-1], c.last[id] = id, id
		c.list = append(c.list, id)
	}
}

// handedOn adds, at the end of a block, what its chains end with.
func (c *chains) handedOn() {
	ends := make([]NodeID, 0, len(c.list))
	for _, first := range c.list {
		ends = append(ends, c.last[first])
	}
	slices.SortFunc(ends, func(a, b NodeID) int {
		return cmp.Or(cmp.Compare(c.p.op(a).String(), c.p.op(b).String()), cmp.Compare(b, a))
	})
	for len(ends) > 1 {
		if c.p.op(ends[0]) != c.p.op(ends[1]) {
			ends = ends[1:]
			continue
		}
		c.p.seed(ends[:2])
		ends = ends[2:]
	}
	clear(c.last)
	c.list = c.list[:0]
}

// neighboursIn collects the stores of single precision to neighbours in a block, of lists of
// accesses that may be merged.
type neighboursIn struct {
	lists  [2][]NarrowAccess
	next   [2]int
	stores [2][]int
	loads  [2][]int
}

// reached goes on to a node and reports whether it is in a list. Stores count where they were
// before they became parts of wide ones.
func (s *neighboursIn) reached(id NodeID, live bool) (found bool) {
	for k, list := range s.lists {
		if s.next[k] < len(list) && list[s.next[k]].Node == id {
			switch l := &list[s.next[k]]; {
			case l.Type != lower.F32 || l.Size != SmallestMerge:
			case l.Store:
				s.stores[k] = append(s.stores[k], s.next[k])
			case live:
				s.loads[k] = append(s.loads[k], s.next[k])
			}
			s.next[k]++
			found = true
		}
	}
	return found
}

// ends notes what the wide loads of the block of three or four words will have in the last register.
func (s *neighboursIn) ends(p *packer) {
	for k, list := range s.lists {
		for _, w := range p.t.runs(list, s.loads[k]) {
			for i, part := range w.parts {
				p.last[list[part].Node] = i > 1 && i == len(w.parts)-1
			}
		}
		s.loads[k] = s.loads[k][:0]
	}
}

// runs returns the stores of the block to neighbours, and begins the next block.
func (s *neighboursIn) runs() (out [][]NodeID) {
	for k, list := range s.lists {
		sorted := s.stores[k]
		slices.SortStableFunc(sorted, func(i, j int) int { return list[i].compare(&list[j]) })
		for len(sorted) > 0 {
			first := &list[sorted[0]]
			end := EndOfBlock(first.Block, first.At)
			run := []NodeID{first.Node}
			for _, i := range sorted[1:] {
				l := &list[i]
				if !l.alike(first) || l.At != first.At+int64(len(run))*first.Size || l.At >= end {
					break
				}
				run = append(run, l.Node)
			}
			out = append(out, run)
			sorted = sorted[len(run):]
		}
		s.stores[k] = s.stores[k][:0]
	}
	return out
}
