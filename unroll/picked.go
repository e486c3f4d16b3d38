package unroll

import (
	"cmp"
	enc "encoding/binary"
	"slices"

	"gpupipe/idg"
	"gpupipe/lower"
	"gpupipe/unroll/arithmetic"
	"gpupipe/unroll/routine"
)

// A private array that is subscripted by what the compiler does not know is memory in PTX, and
// ptxas may still keep it in registers: it compares the subscript with each place that it can
// mean, and moves with a predicate for each of them. That takes two instructions for each access
// and place, the moves of an access's further words aside. As nvcc 11.8 compiles loops for sm_75 and sm_80
// (TestPicked), an array is memory where these are more than maxPicked times the instructions of the
// loop's body, and where it has more than maxPickedWords words.
//
// Comparisons with the same place are made once, so an access of a place that was read is
// moves alone. Which of the moves are multiply-adds is left to balance, as with others.
const (
	maxPicked      = 2.4
	maxPickedWords = 128
	wordBytes      = 4
)

// home says where a private array lives.
type home int64

const (
	inRegisters home = 0  // its subscripts are constants
	inPTXMemory home = -1 // they are not; what the last stage makes of it is not known yet
	inMemory    home = -2
	// More than 0: in registers that moves pick; the bytes between the places that its
	// subscripts can mean.
)

// homes are the private arrays that have constant subscripts only in part.
type homes map[lower.ObjectID]home

// privateAccess is a recorded access of an array in private memory.
type privateAccess struct {
	node  nodeID
	root  lower.ObjectID
	store bool
	where []term
	c     int64 // the constant part of its address
	size  int64 // bytes of a lane
	align int64 // that the variable part of the address is certain to have
}

// notePrivate makes an access part of what decides about its array.
func (r *resolver) notePrivate(p *value, size int64, node nodeID, store bool) {
	if r.homes[p.root] != inPTXMemory || p.form.isConst() {
		return
	}
	align := int64(maxWide)
	for _, t := range p.form.terms {
		x := t.coef
		for _, l := range r.loops {
			if reg, by, ok := l.counter(t.sym); l.rolled && ok && by == 0 {
				x *= r.counterStep(l, reg)
			}
		}
		align = min(align, lowestBit(x))
	}
	r.trace.privates = append(r.trace.privates, privateAccess{node, p.root, store, p.form.terms, p.form.c, size, align})
}

// judge decides about the arrays of which only PTX's place is known, and reports whether the warp
// is to be resolved again.
func (r *resolver) judge(live []bool) (again bool) {
	for id, h := range r.homes {
		if h == inPTXMemory {
			r.homes[id] = r.homeOf(id, live)
			again = again || r.homes[id] > 0
		}
	}
	return again
}

func (r *resolver) homeOf(id lower.ObjectID, live []bool) home {
	o := r.k.Object(id)
	if !r.opt.machineCode() || len(r.memory.types[id]) > 1 || o.Size > maxPickedWords*wordBytes {
		return inMemory
	}
	var own []privateAccess
	for _, a := range r.trace.privates {
		if a.root == id && live[a.node-1] {
			own = append(own, a)
		}
	}
	if len(own) == 0 {
		return inMemory
	}
	type stretch struct{ accesses, body int } // of straight code
	var code []stretch
	stride := int64(maxWide)
	bounds := r.trace.rolledBounds()
	for i := 1; i < len(bounds); i++ {
		from, to := firstFrom(own, bounds[i-1]), firstFrom(own, bounds[i])
		if from == to {
			continue
		}
		n, width := merged(own[from:to])
		code = append(code, stretch{n, r.trace.machineLength(bounds[i-1], bounds[i], live) - (to - from - n)})
		stride = min(stride, width)
	}
	places := o.Size / stride
	if slices.ContainsFunc(code, func(s stretch) bool { return float64(2*int64(s.accesses)*places) > maxPicked*float64(s.body) }) {
		return inMemory
	}
	return home(stride)
}

// firstFrom is the index of the first access that is not before a node.
func firstFrom(list []privateAccess, n nodeID) int {
	i, _ := slices.BinarySearchFunc(list, n, func(a privateAccess, n nodeID) int { return cmp.Compare(a.node, n) })
	return i
}

// merged counts accesses of straight code of which neighbours are one, of up to maxWide bytes,
// and returns the bytes of the narrowest.
func merged(list []privateAccess) (n int, width int64) {
	type together struct { // accesses that differ in the constant part of their address only
		first *privateAccess
		at    []int64
	}
	var groups []together
	known := map[string]int{}
	var key []byte
	for i := range list {
		a := &list[i]
		key = linear{terms: a.where}.appendKey(append(key[:0], byte(arithmetic.FromBool(a.store)), byte(a.size)))
		g, ok := known[string(key)]
		if !ok {
			g = len(groups)
			known[string(key)] = g
			groups = append(groups, together{first: a})
		}
		groups[g].at = append(groups[g].at, a.c)
	}
	width = maxWide
	for _, g := range groups {
		a := g.first
		slices.Sort(g.at)
		at := slices.Compact(g.at)
		wide := a.size
		for wide*2 <= min(a.align, maxWide) && int64(len(at))*a.size >= wide*2 && at[len(at)-1]-at[0] == int64(len(at)-1)*a.size {
			wide *= 2
		}
		n += (len(at)*int(a.size) + int(wide) - 1) / int(wide)
		width = min(width, wide)
	}
	return n, width
}

// rolledBounds are the nodes at which the trace begins and ends, and loops that stay rolled begin
// an iteration or end.
func (t *trace) rolledBounds() []nodeID {
	bounds := []nodeID{1}
	var open [][]nodeID // of the loops that have not ended
	for _, m := range t.marks {
		here := nodeID(m.at) + 1
		if m.what == loopBegins {
			open = append(open, nil)
		}
		last := len(open) - 1
		open[last] = append(open[last], here)
		if m.what != loopEnds {
			continue
		}
		if own := open[last]; slices.ContainsFunc(own, t.behindBranch) {
			bounds = append(bounds, own...)
		}
		open = open[:last]
	}
	bounds = append(bounds, nodeID(t.length)+1)
	slices.Sort(bounds)
	return slices.Compact(bounds)
}

// behindBranch reports whether a node comes right behind what ends an iteration.
func (t *trace) behindBranch(id nodeID) bool {
	if id < 2 {
		return false
	}
	op := t.kinds.of(t.node(id - 1).kind).op
	return op == loopOp || op == idg.LoopBranch || op == routine.Branch
}

// machineLength counts the instructions of a stretch of the trace as machine code has them.
func (t *trace) machineLength(from, to nodeID, live []bool) (n int) {
	for id := from; id < to; id++ {
		if !live[id-1] {
			continue
		}
		n++
		switch t.kinds.of(t.node(id).kind).op {
		case loopOp:
			n += 2 // increment, compare and branch
		case "add.s64":
			n++ // two halves
		}
	}
	return n
}

// picks reports whether an access goes to an array in registers that moves pick, at a subscript
// that the compiler does not know.
func (r *resolver) picks(p *value) bool { return r.homes[p.root] > 0 && !p.form.isConst() }

// placesOf calls f for the places of an array that an access at an address may mean, with the
// offset in the array and what the variable part of the address then is.
func (r *resolver) placesOf(p *value, elem, c int64, f func(offset, is int64)) {
	stride := int64(r.homes[p.root])
	for o := (c%stride + stride) % stride; o+elem <= r.k.Object(p.root).Size; o += stride {
		f(o, o-c)
	}
}

// compared returns the comparison of the variable part of an address with a number.
func (r *resolver) compared(in *lower.Instr, p *value, is int64) []nodeID {
	key := func() []byte {
		k := append(r.numbering.key[:0], 'c')
		k = enc.AppendUvarint(k, uint64(p.root))
		k = enc.AppendVarint(k, is)
		f := p.form
		f.c = 0
		k = f.appendKey(k)
		r.numbering.key = k
		return k
	}
	if e, ok := r.numbering.find(key()); ok && r.mask&^e.mask == 0 {
		return e.v.deps
	}
	v := r.newValue(lower.Pred)
	v.form, v.level = symbol(v), p.level
	if deps := r.addressDeps(p, idg.SpacePrivate, in.Pos); r.silent == 0 {
		v.deps = r.produce(node{op: "setp.s32", pos: in.Pos}, deps, nil)
	}
	r.numbering.put(key(), entry{v: v, mask: r.mask}, p.level, r.level, false)
	return v.deps
}

// move records the move of a value of some bytes under a predicate.
func (r *resolver) move(in *lower.Instr, elem int64, deps []nodeID) []nodeID {
	if r.silent > 0 {
		return nil
	}
	var out []nodeID
	for range max(1, elem/wordBytes) {
		out = union(out, r.produce(node{op: "mov.s32", pos: in.Pos}, deps, nil))
	}
	return out
}

// loadPicked is a load of an array in registers that moves pick.
func (r *resolver) loadPicked(in *lower.Instr, p *value, elem int64) {
	for i, d := range in.Dsts {
		v := r.newValue(in.Type)
		v.from, v.level, v.form = fromMemory, max(p.level, r.level), symbol(v)
		r.placesOf(p, elem, p.form.c+int64(i)*elem, func(o, is int64) {
			deps := r.compared(in, p, is)
			if c := r.memory.cells[cell{p.root, o, in.Type}]; c != nil {
				deps = union(deps, r.depsOf(c))
			}
			v.deps = union(v.deps, r.move(in, elem, deps))
		})
		r.set(d, v)
	}
}

// storePicked is a store to an array in registers that moves pick.
func (r *resolver) storePicked(in *lower.Instr, p *value, vals []*value, elem int64) {
	for i, stored := range vals {
		r.placesOf(p, elem, p.form.c+int64(i)*elem, func(o, is int64) {
			key := cell{p.root, o, in.Type}
			deps := union(r.compared(in, p, is), r.depsOf(stored))
			if c := r.memory.cells[key]; c != nil {
				deps = union(deps, r.depsOf(c))
			}
			v := r.newValue(in.Type)
			v.from, v.level, v.form = fromMemory, r.level, symbol(v)
			v.deps = r.move(in, elem, deps)
			r.memory.setCell(key, v)
			r.memory.writes = append(r.memory.writes, key)
		})
	}
}
