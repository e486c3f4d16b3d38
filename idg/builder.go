package idg

import (
	"cmp"
	"encoding/binary"
	"fmt"
	"hash/maphash"
	"math"
	"slices"
)

// Builder collects the parts of a Graph. Programs are built one after the
// other: Begin, then Add for each executed instruction in program order.
//
//	b := idg.NewBuilder()
//	b.Begin(0, 1)                       // the program of warps 0 and 1
//	ld := b.Add(b.Instr(load))
//	b.Add(b.Instr(fma), idg.Edge{From: ld, Kind: idg.Data})
//	g, err := b.Build(header)
//
// A program is stored as it is executed. Where a loop is announced (BeginLoop,
// NextIteration, EndLoop), iterations that repeat the one before them are counted
// instead, so that memory does not grow with the trip count.
type Builder struct {
	accesses    []Access
	instrs      []Instr
	programs    []*Program
	own         []*Program // those of the graph itself, once a kind has begun
	groupKinds  []Kind
	alike       alike
	accessIndex interned[AccessID]
	instrIndex  interned[InstrID]
	key         []byte
	scratch     []Edge
	row         []Producer
	kinds       []EdgeKind
	number      Executed // of the next instruction of the current program
	loops       []recording
	fold        *folding // items of the loops that are being recorded
	err         error
}

// NewBuilder returns an empty builder.
func NewBuilder() *Builder {
	return &Builder{accessIndex: interned[AccessID]{}, instrIndex: interned[InstrID]{}}
}

// interned finds ids by hashes of what they stand for: of hundreds of thousands, copies of that would take more memory
// than the graph. A second one of the same hash has the next number that is free.
type interned[ID ~uint32] map[uint64]ID

var hashSeed = maphash.MakeSeed()

// of is the id of which the given function holds, else 0, and where it stands, or would.
func (x interned[ID]) of(hash uint64, is func(ID) bool) (ID, uint64) {
	for ; ; hash++ {
		if id := x[hash]; id == 0 || is(id) {
			return id, hash
		}
	}
}

// Access normalises and interns an access pattern. The builder moves a.Offsets
// in place, and keeps a copy. No offsets means "not known".
func (b *Builder) Access(a Access) AccessID {
	if len(a.Offsets) == 0 {
		a.Offsets = nil
	}
	normalise(a.Offsets)
	k := a.key(b.key[:0], false)
	b.key = k
	id, at := b.accessIndex.of(maphash.Bytes(hashSeed, k), func(id AccessID) bool { return a.equal(&b.accesses[id-1]) })
	if id == 0 {
		a.Offsets = slices.Clone(a.Offsets)
		b.accesses = append(b.accesses, a)
		id = AccessID(len(b.accesses))
		b.accessIndex[at] = id
	}
	return id
}

func (a *Access) equal(x *Access) bool {
	return a.Space == x.Space && a.Width == x.Width && a.Store == x.Store && a.Same == x.Same && a.Within == x.Within &&
		a.Near == x.Near && a.Buffer == x.Buffer && a.Assumed == x.Assumed && slices.Equal(a.Offsets, x.Offsets)
}

// key appends an encoding of a pattern to k; moved leaves out where its bytes
// begin.
func (a *Access) key(k []byte, moved bool) []byte {
	k = append(k, byte(a.Space), byte(a.Width), byte(a.Width>>8), 0)
	if a.Store {
		k[len(k)-1] = 1
	}
	if a.Same {
		k[len(k)-1] |= 2
	}
	for _, text := range [...]string{a.Buffer, a.Assumed} {
		k = append(binary.AppendUvarint(k, uint64(len(text))), text...)
	}
	k = binary.AppendVarint(binary.AppendVarint(binary.AppendVarint(k, a.Within), a.Near), a.Places)
	last := int64(0)
	if moved && a.Known() {
		last = a.Offsets[0]
	}
	for _, o := range a.Offsets {
		k = binary.AppendVarint(k, o-last)
		last = o
	}
	return k
}

// Instr interns an instruction class.
func (b *Builder) Instr(in Instr) InstrID {
	id, at := b.instrIndex.of(maphash.Comparable(hashSeed, in), func(id InstrID) bool { return in == b.instrs[id-1] })
	if id == 0 {
		b.instrs = append(b.instrs, in)
		id = InstrID(len(b.instrs))
		b.instrIndex[at] = id
	}
	return id
}

// Begin starts the program of the given warps of a group.
func (b *Builder) Begin(warps ...uint32) {
	p := b.settle()
	p.Warps = slices.Clone(warps)
	b.programs = append(b.programs, p)
	b.number = 0
}

// settle ends the current program. If it equals an earlier one, that one takes
// over its warps; so programs that are equal are never all held at once. It
// returns an empty program, with the memory of the one that was given up.
func (b *Builder) settle() *Program {
	if len(b.programs) == 0 {
		return &Program{}
	}
	for len(b.loops) > 0 {
		b.EndLoop()
	}
	last := len(b.programs) - 1
	p := b.programs[last]
	for _, q := range b.programs[:last] {
		if p.equal(q) {
			q.Warps = append(q.Warps, p.Warps...)
			slices.Sort(q.Warps)
			b.programs = b.programs[:last]
			p.clear()
			return p
		}
	}
	p.seal()
	return &Program{}
}

// Add appends an executed instruction to the current program and returns its
// number. Several edges from one instruction are merged into the strictest: one
// that waits for completion wins over an order edge.
func (b *Builder) Add(in InstrID, preds ...Edge) Executed {
	v := b.number
	if len(b.programs) == 0 {
		b.fail("Add before Begin")
		return 0
	}
	p := b.programs[len(b.programs)-1]
	if uint64(len(p.code)) == math.MaxUint32 || uint64(p.stored)+uint64(len(preds)) > math.MaxUint32 {
		b.fail("more than 2^32-1 instructions or dependences in one program")
		return v
	}
	if in == 0 || int(in) > len(b.instrs) {
		b.fail("instruction %d has class %d, which is not interned", v, in)
	}
	s := b.strictest(preds)
	for _, e := range s {
		if e.From < 0 || e.From >= v {
			b.fail("instruction %d depends on %d, which is not before it", v, e.From)
		}
		if e.Kind < Data || e.Kind > Order {
			b.fail("instruction %d has a dependence of invalid kind %d", v, e.Kind)
		}
	}
	if b.err != nil {
		return v
	}
	b.number++
	if len(b.loops) > 0 {
		b.record(v, in, s)
		return v
	}
	b.row = b.row[:0]
	for _, e := range s {
		b.row = append(b.row, Producer{Kind: e.Kind, Distance: int64(v - e.From)})
	}
	p.append(in, b.row, 1)
	return v
}

// strictest returns the edges by producer, one for each. It does not modify
// preds.
func (b *Builder) strictest(preds []Edge) []Edge {
	ordered := true
	for i := 1; i < len(preds); i++ {
		ordered = ordered && preds[i].From > preds[i-1].From
	}
	if ordered { // nearly always
		return preds
	}
	s := append(b.scratch[:0], preds...)
	b.scratch = s
	slices.SortFunc(s, func(a, c Edge) int { return cmp.Or(cmp.Compare(a.From, c.From), cmp.Compare(a.Kind, c.Kind)) })
	return slices.CompactFunc(s, func(a, c Edge) bool { return a.From == c.From })
}

func (b *Builder) fail(format string, args ...any) {
	if b.err == nil {
		b.err = fmt.Errorf("idg: "+format, args...)
	}
}

// Build returns the finished graph, or the first error made while building or
// found by Verify. The builder must not be used afterwards.
func (b *Builder) Build(h Header) (*Graph, error) {
	if b.err != nil {
		return nil, b.err
	}
	b.endKind()
	g := &Graph{Header: h, accesses: b.accesses, instrs: b.instrs, programs: b.own, kinds: b.groupKinds}
	if err := g.Verify(); err != nil {
		return nil, err
	}
	return g, nil
}
