// Package isel selects instructions: it consumes the optimised IR of a kernel (package ir) and produces machine
// code with virtual registers in program order (package machine), for which package machine makes a schedule
// and finds registers. What an operation becomes on a target is a table, data/*.yaml, and what tables do not
// say well - operands that an instruction takes into itself - code for each set of instructions (sass*.go).
package isel

import (
	"fmt"
	"slices"

	"gpupipe/lower"
	"gpupipe/lower/flow"
	"gpupipe/lower/ir"
	"gpupipe/lower/isel/tidy"
	"gpupipe/lower/legal"
	"gpupipe/lower/machine"
)

// What machine code is made of.
type (
	Block   = machine.Block
	Class   = machine.Class
	Code    = machine.Code
	Guard   = machine.Guard
	If      = machine.If
	Instr   = machine.Instr
	Jump    = machine.Jump
	Loop    = machine.Loop
	Mem     = machine.Mem
	Node    = machine.Node
	Operand = machine.Operand
	Options = machine.Options
	Reg     = machine.Reg
	RegInfo = machine.RegInfo
	Region  = machine.Region
	Target  = machine.Target
)

const (
	Vector           = machine.Vector
	Uniform          = machine.Uniform
	Predicate        = machine.Predicate
	UniformPredicate = machine.UniformPredicate
	InReg            = machine.InReg
	Immediate        = machine.Immediate
	Bank             = machine.Bank
	Special          = machine.Special
)

// Select makes instructions of IR, with virtual registers, in program order. It changes f: operations that a
// target has no instruction for are written out (package legal).
//
// Instructions are selected from the end to the beginning, so that an operation is reached when all that read
// it have been selected: what they took into themselves (an offset, a negation, a product that is added) is
// not wanted any more, and no instruction is made for it (as wazero's and Go's back ends do). What values meet
// in at the end of branches and around loops is written by parallel moves, most of which go when registers are
// coalesced (coalesce.go).
func Select(f *ir.Func, t *Target, o *Options) (*Code, error) {
	if t.ISA == "source" {
		return selectSource(f, t), nil
	}
	if o.Library != "" {
		t = t.With(o.Library)
	}
	table, err := loadTable(t.ISA)
	if err != nil {
		return nil, err
	}
	legal.Legalise(f, t)
	s := &selector{f: f, t: t, o: o, table: table, uses: f.Uses(),
		c: &Code{Name: f.Name, Pos: f.Pos, Target: t, Func: f,
			Regs: make([]machine.RegInfo, 0, len(f.Body.Instrs))},
		place: make([]Reg, f.NumValues()), want: make([]uint8, f.NumValues()), targets: map[*ir.Instr]bool{}}
	s.flow = flow.Analyse(f, t)
	s.flow.Place(o.Relieve)
	s.basic, s.adds = make([]int32, f.NumValues()), sums(f)
	s.number(f.Body, new(int32))
	s.isa = lowerings[t.ISA](s)
	s.pairHalves()
	s.c.Body = s.kernel()
	s.listInlined()
	if s.err != nil {
		return nil, s.err
	}
	tidy.Run(&tidy.Selected{Code: s.c, Flow: s.flow, Options: o, Maker: shapes{s}, Moves: s.moves,
		Elects: s.combined > 1})
	return s.c, nil
}

// lowering is what a set of instructions needs to know about its own: it selects for one operation, and for
// what control flow costs.
type lowering interface {
	instr(in *ir.Instr)
	// load brings a constant, a parameter or an address into a register of its own.
	load(d dest, v Operand)
	// move copies one operand to a register.
	move(d dest, from Operand) []*Instr
	// condition is the guard that a condition decides.
	condition(v *ir.Value) Guard
	branch(g Guard, back bool) *Instr
	exit() *Instr
	// sync is what a region costs whose lanes separate and come together again.
	sync() (enter, leave *Instr)
	begin()
	// parameter, address and folded are the operands that a parameter, the address of an object and what a load of
	// constant memory gives are, if they are.
	parameter(v *ir.Value) Operand
	address(v *ir.Value) Operand
	folded(v *ir.Value) (Operand, bool)
	// legal puts operands into registers that an instruction cannot read as they are.
	legal(in *Instr)
	// uniform is what an instruction is called whose result is a register of the warp.
	uniform(op string) string
	// packs reports whether one instruction does an operation for two numbers of 16 bits.
	packs(in *ir.Instr) bool
	// join puts two numbers of 16 bits into a register.
	join(d dest, low, high *ir.Value)
	// pairs are the loads of a word of a constant bank that one of two words may stand for.
	pairs() map[string]string
	// part and reading are tidy.Maker's.
	part(in *Instr) (string, Operand)
	reading(op, part string) (name, operand string)
}

var lowerings = map[string]func(*selector) lowering{}

type selector struct {
	f     *ir.Func
	t     *Target
	o     *Options
	c     *Code
	table *table
	isa   lowering
	flow  *flow.Flow
	uses  []int
	adds  []bool  // by value ID: everybody who reads it is a sum
	basic []int32 // by value ID: the basic block that computes it
	place []Reg   // by value ID: the register that holds it
	want  []uint8 // by value ID: which of its words somebody reads
	seq   []Node  // of the operation at hand, in program order
	list  *list
	entry *list     // constants of the whole kernel
	in    *ir.Instr // the operation at hand
	moves []*tidy.Moves
	mates mates
	// inlined are the paths for unusual numbers that operations have copies of, one for each.
	inlined []*inlined
	// targets are the loops and regions that something jumps to.
	targets  map[*ir.Instr]bool
	combined int // updates that are made one for all lanes
	err      error
}

// list collects the nodes of a block from its end to its beginning.
type list struct {
	nodes []Node
	outer *list
	// ready are constants that instructions of the basic block at hand need in registers, kept until its
	// beginning is reached.
	ready   map[readyKey]Reg
	pending []Node // that makes them, in program order
	loop    bool   // the body of a loop
}

// readyKey names a constant in a register.
type readyKey struct {
	class Class
	words int
	o     Operand
}

func (s *selector) fail(in *ir.Instr, format string, args ...any) {
	if s.err == nil {
		s.err = fmt.Errorf("%v: %s: %s", in.Pos, s.t.Name, fmt.Sprintf(format, args...))
	}
}

// kernel selects the whole body.
func (s *selector) kernel() *Block {
	top := &list{ready: map[readyKey]Reg{}}
	s.list, s.entry = top, &list{ready: map[readyKey]Reg{}}
	s.put(s.isa.exit())
	s.block(s.f.Body.Instrs)
	s.flush(top)
	s.flush(s.entry)
	top.nodes = append(top.nodes, s.entry.nodes...)
	s.in = nil
	s.isa.begin()
	s.flushSeq()
	slices.Reverse(top.nodes)
	return &Block{Nodes: top.nodes}
}

// sub selects a block inside.
func (s *selector) sub(b *ir.Block, loop bool) *Block {
	l := &list{outer: s.list, ready: map[readyKey]Reg{}, loop: loop}
	s.list = l
	s.block(b.Instrs)
	s.flush(l)
	s.list = l.outer
	slices.Reverse(l.nodes)
	return &Block{Nodes: l.nodes}
}

// put appends a node in front of all that are there.
func (s *selector) put(n Node) { s.list.nodes = append(s.list.nodes, n) }

// flushSeq puts the instructions of the operation at hand.
func (s *selector) flushSeq() {
	for i := len(s.seq) - 1; i >= 0; i-- {
		s.put(s.seq[i])
	}
	s.seq = s.seq[:0]
}

// flush puts the constants of a basic block at its beginning.
func (s *selector) flush(l *list) {
	for i := len(l.pending) - 1; i >= 0; i-- {
		l.nodes = append(l.nodes, l.pending[i])
	}
	l.pending = nil
	clear(l.ready)
}

// block selects the operations of a block, the last one first.
func (s *selector) block(instrs []*ir.Instr) {
	for i := len(instrs) - 1; i >= 0; i-- {
		in := instrs[i]
		s.in = in
		switch in.Op {
		case lower.OpIf:
			s.flush(s.list)
			s.branch(in)
		case lower.OpLoop:
			s.flush(s.list)
			s.loop(in)
		case lower.OpRegion:
			s.flush(s.list)
			s.region(in)
		case lower.OpYield:
			if owner := in.Parent.Owner; owner != nil {
				s.meet(s.results(owner.Results), in.Args)
			}
		case lower.OpLeave, lower.OpContinue:
			s.jump(in)
		default:
			if s.wanted(in) {
				s.isa.instr(in)
				s.flushSeq()
			}
		}
	}
}

// wanted reports whether an operation has an effect, or a result that somebody reads.
func (s *selector) wanted(in *ir.Instr) bool {
	switch in.Op {
	case lower.Store, lower.Atomic, lower.Barrier, lower.Fence, lower.Copy, lower.CopyGroup, lower.BulkCopy,
		lower.GroupMatMul, lower.ImageStore, lower.OpOpaque:
		return true
	case lower.Load:
		if in.Volatile {
			return true
		}
	}
	for _, r := range in.Results {
		if s.want[r.ID] != 0 {
			return true
		}
	}
	return false
}

// results are the registers that values meet in, 0 for those that nobody reads.
func (s *selector) results(list []*ir.Value) []Reg {
	regs := make([]Reg, len(list))
	for i, v := range list {
		if s.want[v.ID] != 0 {
			regs[i] = s.place[v.ID]
		}
	}
	return regs
}

// params are the registers of a loop's parameters.
func (s *selector) params(in *ir.Instr) []Reg {
	regs := make([]Reg, len(in.Blocks[0].Params))
	for i, p := range in.Blocks[0].Params {
		regs[i] = s.register(p)
	}
	return regs
}

// meet puts the parallel moves that give registers their values.
func (s *selector) meet(to []Reg, from []*ir.Value) {
	m := &tidy.Moves{Pos: s.in.Pos, For: s.in}
	for i, r := range to {
		if r == 0 || from[i].Kind == ir.Undef {
			continue
		}
		if j := i + 1 + slices.Index(to[i+1:], r); j > i { // the upper half of it
			m.List = append(m.List, tidy.Move{To: r, Span: 1, From: s.packed(from[i], from[j])})
			to[j] = 0
			continue
		}
		s.addMove(m, r, from[i])
	}
	if len(m.List) > 0 {
		s.put(m)
		s.moves = append(s.moves, m)
	}
	s.flushSeq()
}

// jump selects a leave or continue.
func (s *selector) jump(in *ir.Instr) {
	j := &Jump{Target: in.Target, From: in, Continue: in.Op == lower.OpContinue}
	s.put(j)
	s.targets[in.Target] = true
	if j.Continue {
		s.meet(s.params(in.Target), in.Args)
		return
	}
	s.meet(s.results(in.Target.Results), in.Args)
}

// branch selects an if.
func (s *selector) branch(in *ir.Instr) {
	n := &If{From: in}
	n.Else = s.sub(in.Blocks[1], false)
	n.Then = s.sub(in.Blocks[0], false)
	s.in = in
	s.put(n)
	n.Cond = s.isa.condition(in.Args[0])
	n.Cond.Value = in.Args[0]
	s.flushSeq()
}

// loop selects a loop.
func (s *selector) loop(in *ir.Instr) {
	n := &Loop{From: in}
	s.put(n)
	n.Body = s.sub(in.Blocks[0], true)
	s.in = in
	s.meet(s.params(in), in.Args)
}

// region selects a region.
func (s *selector) region(in *ir.Instr) {
	n := &Region{From: in}
	s.put(n)
	n.Body = s.sub(in.Blocks[0], false)
}

// number says in which basic block each value is computed.
func (s *selector) number(b *ir.Block, n *int32) {
	*n++
	now := *n
	for _, in := range b.Instrs {
		for _, inner := range in.Blocks {
			s.number(inner, n)
		}
		if in.Nests() {
			*n++
			now = *n
		}
		for _, r := range in.Results {
			s.basic[r.ID] = now
		}
	}
}

// beside reports whether two values are computed in one basic block.
func (s *selector) beside(v, w *ir.Value) bool { return s.basic[v.ID] == s.basic[w.ID] }

// sums reports of each value whether only sums of words read it.
func sums(f *ir.Func) []bool {
	adds := make([]bool, f.NumValues())
	other := make([]bool, f.NumValues())
	f.Body.Walk(func(in *ir.Instr) {
		is := in.Op == lower.Add && in.Type.IsInteger() && in.Type.Size() <= 4 && in.Args[0] != in.Args[1] &&
			!in.Args[1].IsConst()
		for _, a := range in.Args {
			if is {
				adds[a.ID] = true
			} else {
				other[a.ID] = true
			}
		}
	})
	for i := range adds {
		adds[i] = adds[i] && !other[i]
	}
	return adds
}

// addMove appends the move of a value.
func (s *selector) addMove(m *tidy.Moves, to Reg, v *ir.Value) {
	info := s.c.Reg(to)
	m.List = append(m.List, tidy.Move{To: to, Span: info.Words, From: s.source(v, info.Class)})
}

// source is what a value that is moved is read from.
func (s *selector) source(v *ir.Value, class Class) Operand {
	if class == Predicate || class == UniformPredicate {
		return s.predicateOperand(v)
	}
	return s.operand(v)
}

// shapes are the instructions of control flow and moves, as package tidy asks for them.
type shapes struct{ s *selector }

func (x shapes) Move(to Reg, word int, from Operand) []*Instr {
	return x.s.isa.move(dest{reg: to, word: word, span: 1}, from)
}

func (x shapes) Branch(at *ir.Instr, g Guard, back bool) *Instr {
	x.s.in = at
	return x.s.isa.branch(g, back)
}
func (x shapes) Exit(at *ir.Instr) *Instr                { x.s.in = at; return x.s.isa.exit() }
func (x shapes) Sync(at *ir.Instr) (enter, leave *Instr) { x.s.in = at; return x.s.isa.sync() }
func (x shapes) Condition(v *ir.Value) Guard             { return x.s.isa.condition(v) }
func (x shapes) Pairs() map[string]string                { return x.s.isa.pairs() }

func (x shapes) Part(in *Instr) (string, Operand) { return x.s.isa.part(in) }
func (x shapes) Reading(op, part string) (name, operand string) {
	return x.s.isa.reading(op, part)
}

func (x shapes) Describe(op string) (class, pipe string) {
	row := x.s.table.describe(op)
	return row.class, row.pipe
}
