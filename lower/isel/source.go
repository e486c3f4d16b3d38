package isel

import (
	"gpupipe/idg"
	"gpupipe/idg/isa"
	"gpupipe/lower"
	"gpupipe/lower/flow"
	"gpupipe/lower/ir"
	"gpupipe/lower/legal"
)

// source writes code that is what the source says, as the articles read their listings (-O0; P19 Fig. 1 and Listing 1):
// an operation is an instruction of its name, in program order, each value in a register of its own. What belongs to a
// subscript is part of the access, what counts the iterations of a loop one instruction at its end, and a product
// that one sum of its block adds is part of it. These and assignments are [Instr.Free].
type source struct {
	f     *ir.Func
	c     *Code
	flow  *flow.Flow
	place []Reg  // by value ID
	fused []bool // by value ID: the product is part of a sum
	out   *Block
}

func selectSource(f *ir.Func, t *Target) *Code {
	legal.Switches(f)
	s := &source{f: f, c: &Code{Name: f.Name, Pos: f.Pos, Target: t, Func: f}, place: make([]Reg, f.NumValues())}
	s.flow = flow.Analyse(f, t)
	s.fuse()
	s.objects()
	s.c.Body = s.block(f.Body)
	return s.c
}

// objects adds up memory.
func (s *source) objects() {
	const alignment = 16
	for i := range s.f.Objects {
		o := &s.f.Objects[i]
		n := (o.Size + alignment - 1) / alignment * alignment
		switch o.Space {
		case idg.SpaceLocal:
			s.c.Resources.LocalBytes += n
		case idg.SpacePrivate:
			s.c.Resources.PrivateBytes += n
		}
	}
}

// fuse finds the products of floating numbers that one sum of the same block reads, and nobody else.
func (s *source) fuse() {
	s.fused = make([]bool, s.f.NumValues())
	uses := s.f.Uses()
	s.f.Body.Walk(func(in *ir.Instr) {
		if in.Op != lower.Add && in.Op != lower.Sub || !in.Type.IsFloat() {
			return
		}
		for _, a := range in.Args {
			if a.DefOp() == lower.Mul && a.Def.Parent == in.Parent && uses[a.ID] == 1 {
				s.fused[a.ID] = true
				return
			}
		}
	})
}

func (s *source) put(n Node) { s.out.Nodes = append(s.out.Nodes, n) }

// reg is the register of a value.
func (s *source) reg(v *ir.Value) Reg {
	if s.place[v.ID] == 0 {
		s.place[v.ID] = s.c.NewReg(RegInfo{Class: Vector, Words: 1, Value: v, Name: v.Name})
	}
	return s.place[v.ID]
}

// uses are the operands that values are; nothing is waited for to have what is no result.
func (s *source) uses(list ...*ir.Value) []Operand {
	out := make([]Operand, 0, len(list))
	for _, v := range list {
		switch {
		case v.Kind != ir.Result && v.Kind != ir.BlockArg:
			out = append(out, Operand{Kind: Immediate, Bits: v.Bits})
		case s.fused[v.ID]:
			out = append(out, s.uses(v.Def.Args...)...)
		default:
			out = append(out, Operand{Kind: InReg, Reg: s.reg(v)})
		}
	}
	return out
}

func (s *source) defs(list []*ir.Value) []Reg {
	out := make([]Reg, len(list))
	for i, v := range list {
		out[i] = s.reg(v)
	}
	return out
}

// emit puts an instruction of a class for an operation.
func (s *source) emit(in *ir.Instr, class string, defs []Reg, uses []Operand) *Instr {
	x := s.instr(in, class, defs, uses)
	s.put(x)
	return x
}

func (s *source) instr(in *ir.Instr, class string, defs []Reg, uses []Operand) *Instr {
	return &Instr{Op: class, Class: class, Pipe: "alu", Defs: defs, Uses: uses, Pos: in.Pos, From: in}
}

// assign puts assignments of values to others.
func (s *source) assign(in *ir.Instr, to, from []*ir.Value) {
	if len(to) > 0 {
		s.emit(in, "", s.defs(to), s.each(from)).Free = true
	}
}

// each has an operand for each value, also for products in sums: as they have none alone, they are written out.
func (s *source) each(list []*ir.Value) []Operand {
	out := make([]Operand, len(list))
	for i, v := range list {
		out[i] = s.uses(v)[0]
	}
	return out
}

func (s *source) block(b *ir.Block) *Block {
	outer := s.out
	s.out = &Block{}
	for _, in := range b.Instrs {
		s.operation(in)
	}
	inner := s.out
	s.out = outer
	return inner
}

// operation writes one operation.
func (s *source) operation(in *ir.Instr) {
	switch in.Op {
	case lower.OpIf:
		s.branch(in)
	case lower.OpLoop:
		s.assign(in, in.Blocks[0].Params, in.Args)
		s.put(&Loop{From: in, Body: s.block(in.Blocks[0])})
	case lower.OpRegion:
		n := &Region{From: in, Body: s.block(in.Blocks[0])}
		if last := in.Blocks[0].Last(); last.Op == lower.OpLeave && last.Target == in {
			n.End = last
		}
		s.put(n)
	case lower.OpYield:
		if o := in.Parent.Owner; o != nil {
			s.assign(in, o.Results, in.Args)
		}
	case lower.OpLeave:
		s.assign(in, in.Target.Results, in.Args)
		s.put(&Jump{Target: in.Target, From: in})
	case lower.OpContinue:
		s.again(in)
	default:
		s.plain(in)
	}
}

// branch writes an if. The test of a loop with a counter is part of the instruction at its end.
func (s *source) branch(in *ir.Instr) {
	if in.Kind == "?:" && s.cheap(in.Blocks[0]) && s.cheap(in.Blocks[1]) {
		s.selects(in)
		return
	}
	n := &If{From: in, Cond: Guard{Value: in.Args[0]}}
	if !in.Counting {
		n.Branch = s.instr(in, "branch", nil, s.uses(in.Args[0]))
		n.Branch.From = nil
	}
	n.Then, n.Else = s.block(in.Blocks[0]), s.block(in.Blocks[1])
	s.put(n)
}

// maxCheap is how many operations a side of a ?: may have that are executed whatever it decides: as many as LLVM's
// SimplifyCFG takes (two-entry-phi-node-folding-threshold).
const maxCheap = 4

// cheap reports whether a side is computed whatever the condition decides.
func (s *source) cheap(b *ir.Block) bool {
	n := 0
	for _, in := range b.Instrs {
		switch {
		case in.Op == lower.OpYield:
		case in.Op > lower.Index || in.Op == lower.Div || in.Op == lower.Rem:
			return false
		case !free(in):
			n++
		}
	}
	return n <= maxCheap
}

// selects writes both sides and chooses.
func (s *source) selects(in *ir.Instr) {
	var sides [2][]*ir.Value
	for i, b := range in.Blocks {
		last := len(b.Instrs) - 1
		for _, x := range b.Instrs[:last] {
			s.operation(x)
		}
		sides[i] = b.Instrs[last].Args
	}
	for i, r := range in.Results {
		s.emit(in, isa.Of(isa.Select, isaType(r.Type)).String(), s.defs([]*ir.Value{r}),
			s.uses(in.Args[0], sides[0][i], sides[1][i]))
	}
}

// again writes the end of an iteration: an instruction that counts and tests the counter, of a loop without one the
// jump, if the loop has no test that is one.
func (s *source) again(in *ir.Instr) {
	loop := in.Target
	params := loop.Blocks[0].Params
	j := &Jump{Target: loop, From: in, Continue: true}
	var counters []Reg
	counted, tested := false, false
	for _, x := range loop.Blocks[0].Instrs {
		if x.Op == lower.OpIf && x.Kind == "loop" {
			counted, tested = x.Counting, true
			if counted {
				j.Branch = s.instr(loop, "loop", nil, s.uses(x.Args[0]))
			}
		}
	}
	s.assign(in, params, in.Args)
	for i, a := range in.Args {
		if counted && a.Kind == ir.Result && a.Def.Counting {
			counters = append(counters, s.reg(params[i]))
		}
	}
	if counted {
		j.Branch.Defs, j.Branch.From = counters, nil
	} else if !tested {
		j.Branch = s.instr(loop, "branch", nil, nil)
		j.Branch.From = nil
	}
	s.put(j)
}

// free reports whether an operation takes no instruction: inverting a condition, and reading a value as another type
// or with another number of bits, but for what changes more than the upper half of a register.
func free(in *ir.Instr) bool {
	switch in.Op {
	case lower.Bitcast, lower.MatrixRow:
		return true
	case lower.Not:
		return in.Type == lower.Pred
	case lower.Convert:
		return in.From == in.Type || in.Type == lower.Ptr || in.From == lower.Ptr ||
			in.Fn == "" && in.From.IsInteger() && in.Type.IsInteger() && in.Type.Size() >= min(4, in.From.Size())
	case lower.Index: // the sizes of the launch
		return in.Fn == "get_local_size" || in.Fn == "get_enqueued_local_size" || in.Fn == "get_num_groups" ||
			in.Fn == "get_global_size" || in.Fn == "get_global_offset" || in.Fn == "get_work_dim" ||
			in.Fn == "get_sub_group_size" || in.Fn == "get_num_sub_groups"
	}
	return in.Subscript || in.Counting
}
