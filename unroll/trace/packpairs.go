package trace

import (
	"cmp"
	"slices"

	"gpupipe/idg/isa"
)

// AMD's CDNA 2 adds, multiplies or both two numbers of single precision of a lane in one
// instruction (v_pk_fma_f32), which takes them from two neighbouring registers, or one for both. LLVM
// writes it for operations on vectors, and where its vectoriser has made vectors
// out of scalars (SLPVectorizer). As clang 14 compiles loops and statements for gfx90a (TestPacked
// and TestAMDMix of internal/evidence/fidelity):
//
//   - It begins with what is stored to neighbours, if it can tell that they are, and with what a rolled
//     loop hands on to its next iteration, by operation and from the last backwards.
//   - From a pair it goes on to the operands, as long as these are the same operation of one
//     basic block and do not wait for each other, also into earlier iterations.
//   - It takes putting values next to each other to be free. A value that is in one pair of registers has to be
//     moved for another, which takes the instruction that the pair saves: such pairs are left
//     single here. So are scalars that are computed of components of the same vectors, and what is computed of
//     these: it computes whole vectors of them, and takes those apart, at no less cost.
//   - A value for both numbers is read from a neighbouring pair of registers, too, but the last of three
//     or four that a wide load writes is moved.
//
// Products that are added up one by one, which LLVM packs as well where it finds two loads of
// neighbours, at the price of additions, stay multiply-adds.

// packPairs makes one instruction of two that compute numbers of one vector.
func packPairs(t *Trace, live []bool) {
	if !t.Packs() {
		return
	}
	p := packer{t: t, live: live, block: make([]uint32, t.length), with: make([]NodeID, t.length),
		paired: make([]bool, t.length), vector: map[NodeID]NodeID{}, last: map[NodeID]bool{}}
	p.number()
	for _, s := range p.vectors() {
		p.pairs(s[0], s[1])
	}
	p.findSeeds()
	for _, s := range slices.Backward(p.seeds) {
		p.pairs(s[0], s[1])
	}
	p.merge()
}

// packer is the state of packPairs.
type packer struct {
	t      *Trace
	live   []bool
	block  []uint32          // by index: number of the basic block
	with   []NodeID          // by index: the value in the neighbouring register; 0 = none yet
	paired []bool            // by index: is one of a pair, with the other
	seeds  [][2]NodeID       // with which pairs begin, by block
	next   [][2]NodeID       // operands of pairs, to be looked at
	vector map[NodeID]NodeID // the next component of an operation on vectors
	last   map[NodeID]bool   // what a wide load has in the last of three or four registers
}

// op is the name of a node's operation.
func (p *packer) op(id NodeID) isa.Op { return p.t.kinds.of(p.t.node(id).kind).is }

// packable reports whether a node may be one of a pair.
func (p *packer) packable(id NodeID) bool {
	k := p.t.kinds.of(p.t.node(id).kind)
	_, ok := k.is.PackedOp()
	return ok && k.contraction != IsStep
}

// number numbers the basic blocks.
func (p *packer) number() {
	block := uint32(1)
	for i := range p.t.length {
		p.block[i] = block
		if p.live[i] && p.t.at(i).flags&Gate != 0 {
			block++
		}
	}
}

// pairs makes a pair of two nodes and pairs of their operands, where they fit.
func (p *packer) pairs(i, j NodeID) {
	p.next = append(p.next[:0], [2]NodeID{i, j})
	for len(p.next) > 0 {
		last := len(p.next) - 1
		x := p.next[last]
		p.next = p.next[:last]
		p.pair(min(x[0], x[1]), max(x[0], x[1]))
	}
}

// pair makes a pair of two nodes if they fit, and lists their operands.
func (p *packer) pair(i, j NodeID) {
	n, m := p.t.node(i), p.t.node(j)
	if i == j || p.paired[i-1] || p.paired[j-1] || !p.live[i-1] || !p.live[j-1] || !p.packable(i) ||
		p.op(i) != p.op(j) || n.lanes != m.lanes ||
		p.block[i-1] != p.block[j-1] || !p.neighbours(i, j) || p.waits(j, i, new(int)) {
		return
	}
	operands := p.operands(i, j)
	if p.vector[i] != j && p.apart(i, j, operands) {
		return
	}
	for _, o := range operands {
		if !p.neighbours(o[0], o[1]) || p.packable(o[0]) && p.op(o[0]) == p.op(o[1]) && p.vector[min(o[0], o[1])] !=
			max(o[0], o[1]) && p.apart(o[0], o[1], p.operands(o[0], o[1])) {
			return
		}
	}
	p.join(i, j)
	p.paired[i-1], p.paired[j-1] = true, true
	for _, o := range operands {
		if !p.op(o[0]).ScalarRegister() {
			p.join(o[0], o[1])
			p.next = append(p.next, o)
		}
	}
}

// apart reports whether two nodes compute of components of the same vectors, which the source has as
// scalars: LLVM computes whole vectors then (VectorCombine), and takes them apart.
func (p *packer) apart(i, j NodeID, operands [][2]NodeID) bool {
	return len(operands) == 0 && len(p.t.deps(p.t.node(i))) == len(p.t.deps(p.t.node(j)))
}

// join puts two values next to each other.
func (p *packer) join(x, y NodeID) { p.with[x-1], p.with[y-1] = y, x }

// neighbours reports whether two values are next to each other or can be.
func (p *packer) neighbours(x, y NodeID) bool {
	return p.op(x).ScalarRegister() && p.op(y).ScalarRegister() || p.with[x-1] == 0 && p.with[y-1] == 0 ||
		p.with[x-1] == y
}

// operands are the values that two nodes do not have in common, in pairs of the same operation.
func (p *packer) operands(i, j NodeID) (out [][2]NodeID) {
	x, y := slices.Clone(p.t.deps(p.t.node(i))), slices.Clone(p.t.deps(p.t.node(j)))
	common := func(d NodeID) bool { return slices.Contains(x, d) && slices.Contains(y, d) }
	own := func(list []NodeID) (own []NodeID) {
		for _, d := range list {
			if !common(d) {
				own = append(own, d)
			}
		}
		slices.SortFunc(own, func(a, b NodeID) int {
			return cmp.Or(cmp.Compare(p.op(a).String(), p.op(b).String()), cmp.Compare(a, b))
		})
		return own
	}
	a, b := own(x), own(y)
	for k := range min(len(a), len(b)) {
		out = append(out, [2]NodeID{a[k], b[k]})
	}
	return out
}

// mostWaits is how many nodes are looked at for one that another waits for; one that takes more is
// taken to wait.
const mostWaits = 200

// waits reports whether a node waits for an earlier one of its basic block.
func (p *packer) waits(id, earlier NodeID, seen *int) bool {
	for _, l := range p.t.patterns.deps(p.t.node(id).pattern) {
		d := l.of(int(id) - 1)
		if d < earlier {
			continue
		}
		if *seen++; d == earlier || *seen > mostWaits || p.waits(d, earlier, seen) {
			return true
		}
	}
	return false
}

// merge makes the second of each pair the instruction for both, unless the first is used before.
func (p *packer) merge() {
	t := p.t
	firstUse := make([]int, t.length) // by index: of the first that uses it then; 0 = none
	into := map[NodeID]NodeID{}
	uses := func(n recorded, at int) {
		for _, list := range [2][]NodeID{t.deps(n), t.order(n)} {
			for _, d := range list {
				if u := &firstUse[d-1]; *u == 0 || at < *u {
					*u = at
				}
			}
		}
	}
	for i := t.length - 1; i >= 0; i-- {
		if !p.live[i] {
			continue
		}
		n, at := t.at(i), i
		if j := int(p.with[i]) - 1; p.paired[i] && j > i && (firstUse[i] == 0 || firstUse[i] > j) {
			at = j
			into[NodeID(i+1)] = NodeID(j + 1)
		}
		uses(n, at)
	}
	for i := range t.length {
		j, ok := into[NodeID(i+1)]
		if !ok {
			continue
		}
		deps := slices.Clone(t.dataSet(t.at(i)))
		second := t.node(j)
		op, _ := t.kinds.of(second.kind).is.PackedOp()
		packed := t.kinds.renamed(second.kind, op)
		t.change(second, func(c *content) { c.kind, c.deps = packed, Union(c.deps, deps) })
		p.live[i] = false
	}
	t.redirect(p.live, into)
	p.move(into)
}

// move records the moves of values at the end of wide loads that pairs take for both numbers, each where the
// first of the pair was that needs it first.
func (p *packer) move(into map[NodeID]NodeID) {
	t := p.t
	moved := map[NodeID]bool{}
	for i := range t.length {
		j, ok := into[NodeID(i+1)]
		if !ok {
			continue
		}
		first := t.at(i)
		for _, d := range t.deps(first) {
			if !p.last[d] || moved[d] || !slices.Contains(t.deps(t.node(j)), d) || p.with[d-1] != 0 {
				continue
			}
			moved[d] = true
			move := t.kinds.renamed(first.kind, isa.Of(isa.Mov, isa.B32))
			t.change(first, func(c *content) { c.kind, c.deps, c.order = move, []NodeID{d}, nil })
			t.change(t.node(j), func(c *content) { c.deps = Union(c.deps, []NodeID{NodeID(i + 1)}) })
			p.live[i] = true
			break
		}
	}
}
