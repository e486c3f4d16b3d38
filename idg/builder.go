package idg

import (
	"cmp"
	"fmt"
	"math"
	"slices"
	"strconv"
)

// Header is everything of a Graph that is not its programs.
type Header struct {
	Source    Source
	Kernel    string
	Level     string
	Compiler  string
	Launch    Launch
	Resources Resources
	Loops     []Loop
	Branches  []Branch
	Notes     []Note
}

// Builder collects the parts of a Graph. Programs are built one after the
// other: Begin, then Add for each executed instruction in program order.
//
//	b := idg.NewBuilder()
//	b.Begin(0, 1)                       // the program of warps 0 and 1
//	ld := b.Add(b.Instr(load))
//	b.Add(b.Instr(fma), idg.Edge{From: ld, Kind: idg.Data})
//	g, err := b.Build(header)
type Builder struct {
	accesses    []Access
	instrs      []Instr
	programs    []*Program
	accessIndex map[string]AccessID
	instrIndex  map[Instr]InstrID
	key         []byte
	scratch     []Edge
	err         error
}

// NewBuilder returns an empty builder.
func NewBuilder() *Builder {
	return &Builder{accessIndex: map[string]AccessID{}, instrIndex: map[Instr]InstrID{}}
}

// Access normalises and interns an access pattern. The builder takes over
// a.Offsets: it moves the offsets in place. No offsets means "not known".
func (b *Builder) Access(a Access) AccessID {
	if len(a.Offsets) == 0 {
		a.Offsets = nil
	}
	normalise(a.Offsets)
	k := append(b.key[:0], byte(a.Space), byte(a.Width), byte(a.Width>>8), 0)
	if a.Store {
		k[3] = 1
	}
	k = strconv.AppendQuote(k, a.Buffer)
	k = strconv.AppendQuote(k, a.Assumed)
	for _, o := range a.Offsets {
		k = append(strconv.AppendInt(k, o, 36), ',')
	}
	b.key = k
	if id, ok := b.accessIndex[string(k)]; ok {
		return id
	}
	b.accesses = append(b.accesses, a)
	id := AccessID(len(b.accesses))
	b.accessIndex[string(k)] = id
	return id
}

// Instr interns an instruction class.
func (b *Builder) Instr(in Instr) InstrID {
	if id, ok := b.instrIndex[in]; ok {
		return id
	}
	b.instrs = append(b.instrs, in)
	id := InstrID(len(b.instrs))
	b.instrIndex[in] = id
	return id
}

// Begin starts the program of the given warps of a group.
func (b *Builder) Begin(warps ...uint32) {
	p := b.settle()
	p.Warps = slices.Clone(warps)
	p.off = append(p.off, 0)
	b.programs = append(b.programs, p)
}

// settle ends the current program. If it equals an earlier one, that one takes
// over its warps; so programs that are equal are never all held at once. It
// returns an empty program, with the memory of the one that was given up.
func (b *Builder) settle() *Program {
	if len(b.programs) == 0 {
		return &Program{}
	}
	last := len(b.programs) - 1
	p := b.programs[last]
	for _, q := range b.programs[:last] {
		if slices.Equal(p.instr, q.instr) && slices.Equal(p.off, q.off) && slices.Equal(p.from, q.from) && slices.Equal(p.kind, q.kind) {
			q.Warps = append(q.Warps, p.Warps...)
			slices.Sort(q.Warps)
			b.programs = b.programs[:last]
			return &Program{instr: p.instr[:0], off: p.off[:0], from: p.from[:0], kind: p.kind[:0]}
		}
	}
	return &Program{}
}

// Add appends an executed instruction to the current program and returns its
// id. Several edges from one node are merged into the strictest: one that waits
// for completion wins over an order edge.
func (b *Builder) Add(in InstrID, preds ...Edge) NodeID {
	if len(b.programs) == 0 {
		b.fail("Add before Begin")
		return 0
	}
	p := b.programs[len(b.programs)-1]
	v := NodeID(len(p.instr))
	if uint64(len(p.instr)) == math.MaxUint32 || uint64(len(p.from)+len(preds)) > math.MaxUint32 {
		b.fail("more than 2^32-1 instructions or dependences in one program")
		return v
	}
	if in == 0 || int(in) > len(b.instrs) {
		b.fail("instruction %d has class %d, which is not interned", v, in)
	}
	s := append(b.scratch[:0], preds...)
	slices.SortFunc(s, func(a, c Edge) int { return cmp.Or(cmp.Compare(a.From, c.From), cmp.Compare(a.Kind, c.Kind)) })
	s = slices.CompactFunc(s, func(a, c Edge) bool { return a.From == c.From })
	b.scratch = s
	for _, e := range s {
		if e.From >= v {
			b.fail("instruction %d depends on %d, which is not before it", v, e.From)
		}
		if e.Kind < Data || e.Kind > Order {
			b.fail("instruction %d has a dependence of invalid kind %d", v, e.Kind)
		}
		p.from = append(p.from, e.From)
		p.kind = append(p.kind, e.Kind)
	}
	p.instr = append(p.instr, in)
	p.off = append(p.off, uint32(len(p.from)))
	return v
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
	b.settle()
	slices.SortFunc(b.programs, func(p, q *Program) int { return slices.Compare(p.Warps, q.Warps) })
	g := &Graph{
		Source: h.Source, Kernel: h.Kernel, Level: h.Level, Compiler: h.Compiler,
		Launch: h.Launch, Resources: h.Resources, Loops: h.Loops, Branches: h.Branches, Notes: h.Notes,
		accesses: b.accesses, instrs: b.instrs, programs: b.programs,
	}
	if err := g.Verify(); err != nil {
		return nil, err
	}
	return g, nil
}
