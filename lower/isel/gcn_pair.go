package isel

import (
	"cmp"
	"fmt"
	"math/bits"
	"slices"

	"gpupipe/idg"
	"gpupipe/lower"
	"gpupipe/lower/ir"
)

// pair is two accesses of the memory of a group that one instruction makes: ds_read2, ds_write2
// (SILoadStoreOptimizer).
type pair struct {
	low, high *ir.Instr
	first     *ir.Instr // in program order
	shift     int64     // that the address needs so that the offsets fit
	far       bool      // offsets count in 64 elements
}

// stretch collects accesses with one address but for constants, up to what may not be passed.
type stretch struct {
	keys  []stretchKey
	lists map[stretchKey][]stretched
}

type stretchKey struct {
	base  *ir.Value
	size  int64
	store bool
}

type stretched struct {
	in     *ir.Instr
	offset int64
}

// findPairs finds them in all blocks.
func (a *gcn) findPairs(b *ir.Block) {
	s := stretch{lists: map[stretchKey][]stretched{}}
	for _, in := range b.Instrs {
		switch {
		case in.Nests(), in.Op == lower.Barrier, in.Op == lower.Fence, in.Op == lower.Atomic,
			in.Op == lower.Copy,
			in.Op == lower.CopyGroup, in.Op == lower.BulkCopy:
			a.flushPairs(&s, nil, nil)
			for _, inner := range in.Blocks {
				a.findPairs(inner)
			}
		case in.Op == lower.Load, in.Op == lower.Store:
			if a.spaceAt(in) == idg.SpaceLocal {
				a.stretch(&s, in)
			} else if in.Op == lower.Store && a.spaceAt(in) != idg.SpaceGlobal {
				a.flushPairs(&s, nil, nil)
			}
		}
	}
	a.flushPairs(&s, nil, nil)
}

// stretch takes an access up.
func (a *gcn) stretch(s *stretch, in *ir.Instr) {
	store := in.Op == lower.Store
	a.flushPairs(s, in, func(k stretchKey) bool { return k.store || store })
	size := in.Type.Size()
	if in.Volatile || in.Type == lower.Pred || size < 4 || len(in.Results) > 1 || len(in.Args) > 2 {
		return
	}
	base, offset := a.chase(in.Args[0])
	if o := a.flow.ObjectOf(in.Args[0]); o != 0 {
		offset += a.objects[o-1]
	}
	if offset < 0 || offset >= 1<<16 || offset%size != 0 {
		return
	}
	k := stretchKey{base, size, store}
	if s.lists[k] == nil {
		s.keys = append(s.keys, k)
	}
	s.lists[k] = append(s.lists[k], stretched{in, offset})
}

// flushPairs ends the lists of accesses that one may meet, all of them where it is nil.
func (a *gcn) flushPairs(s *stretch, by *ir.Instr, meets func(stretchKey) bool) {
	s.keys = slices.DeleteFunc(s.keys, func(k stretchKey) bool {
		if by != nil {
			x, y := a.flow.ObjectOf(by.Args[0]), a.flow.ObjectOf(s.lists[k][0].in.Args[0])
			same := k.store == (by.Op == lower.Store) && k.base == a.baseOf(by)
			if !meets(k) || same || x != y && x != 0 && y != 0 {
				return false
			}
		}
		a.pairUp(s.lists[k], k)
		delete(s.lists, k)
		return true
	})
}

func (a *gcn) baseOf(in *ir.Instr) *ir.Value {
	base, _ := a.chase(in.Args[0])
	return base
}

// pairUp makes pairs of neighbours in the order of their offsets.
func (a *gcn) pairUp(list []stretched, k stretchKey) {
	order := map[*ir.Instr]int{}
	for i, x := range list {
		order[x.in] = i
	}
	slices.SortStableFunc(list, func(x, y stretched) int { return cmp.Compare(x.offset, y.offset) })
	for i := 0; i+1 < len(list); {
		p := &pair{low: list[i].in, high: list[i+1].in}
		if !a.offsets(p, list[i].offset/k.size, list[i+1].offset/k.size, k) {
			i++
			continue
		}
		p.first = p.low
		if order[p.high] < order[p.low] {
			p.first = p.high
		}
		a.paired[p.low], a.paired[p.high] = p, p
		i += 2
	}
}

// offsets reports whether the offsets of both fit, in elements: 8 bits each, or in 64 elements, or behind a sum
// (offsetsCanBeCombined).
func (a *gcn) offsets(p *pair, low, high int64, k stretchKey) bool {
	const most = 255
	switch {
	case low == high:
		return false
	case low%64 == 0 && high%64 == 0 && high/64 <= most:
		p.far = true
		return true
	case high <= most:
		return true
	case high-low > most || k.base.Kind != ir.Result || a.basic[k.base.ID] == a.basicOf(p.low):
		return false
	}
	from, to := uint32(high-most), uint32(low)
	p.shift = int64(to&^(1<<(31-bits.LeadingZeros32((from-1)^to))-1)) * k.size
	return true
}

// basicOf is the basic block of an access.
func (a *gcn) basicOf(in *ir.Instr) int32 {
	if len(in.Results) > 0 {
		return a.basic[in.Results[0].ID]
	}
	return -1
}

// inPair selects for an access that is one of a pair: both where the first load or the last store is.
func (a *gcn) inPair(in *ir.Instr, p *pair) {
	store := in.Op == lower.Store
	if (in == p.first) == store {
		if !store { // the other one does it, whoever reads its own result
			a.want[p.first.Result().ID] |= 4
		}
		return
	}
	size := in.Type.Size()
	o, m := a.at(p.low, p.low.Args[0], 0, 2*size, idg.SpaceLocal)
	_, n := a.at(p.high, p.high.Args[0], 0, size, idg.SpaceLocal)
	m.Apart, m.Store = n.Offset-m.Offset, store
	if p.shift != 0 {
		m.Offset -= p.shift
		o = a.shifted(o, p.shift)
	}
	op := fmt.Sprintf("ds_%s2_b%d", map[bool]string{true: "write", false: "read"}[store], 8*size)
	if p.far {
		op = fmt.Sprintf("ds_%s2st64_b%d", map[bool]string{true: "write", false: "read"}[store], 8*size)
	}
	if store {
		piece := part{0, 1, size}
		low, high := a.stored(p.low, p.low.Args[1:], piece, size), a.stored(p.high, p.high.Args[1:], piece, size)
		a.access(op, dest{}, m, o, low, high)
		return
	}
	words := int(size / 4)
	t := a.temp(Vector, 2*words)
	a.access(op, t, m, o)
	for i, r := range [...]*ir.Value{p.low.Result(), p.high.Result()} {
		if a.want[r.ID]&3 != 0 {
			a.transfer(a.dest(r), Operand{Kind: InReg, Reg: t.reg, Word: i * words, Span: words})
		}
	}
}

// shifted is an address behind another one, once for each basic block.
func (a *gcn) shifted(o Operand, by int64) Operand {
	key := readyKey{Vector, 1, Operand{Kind: InReg, Reg: o.Reg, Word: o.Word, Bits: uint64(by)}}
	l := a.list
	r, ok := l.ready[key]
	if !ok {
		d := a.temp(Vector, 1)
		r = d.reg
		l.ready[key] = r
		before, in := a.seq, a.in
		a.seq, a.in = nil, nil
		a.emit("v_add_u32", d, nil, imm(by), o)
		l.pending = append(l.pending, a.seq...)
		a.seq, a.in = before, in
	}
	return Operand{Kind: InReg, Reg: r}
}
