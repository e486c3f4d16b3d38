package walk

import (
	"cmp"
	"gpupipe/lower"
	"gpupipe/lower/ir"
	"gpupipe/lower/machine"
	"slices"
	"strconv"
)

// static is what all warps have in common: code, numbered.
type static struct {
	code     *machine.Code
	ids      map[*machine.Instr]int32 // of instructions, in program order
	instrs   []*machine.Instr         // by id
	loops    map[*machine.Loop]*loop
	loopOf   []int32 // by value ID: the number of the innermost loop that defines it, from 1
	written  map[ir.ObjectID]bool
	base     []int32 // by register: the first place of its words
	places   int
	constant map[int]bool    // loops of the source of which the compiler knows the number of iterations
	copies   map[int][]int64 // by loop of the source: the numbers of its iterations in one of the code's, the most first
}

// loop is a loop of the code.
type loop struct {
	number       int32 // of its IR
	from, behind int32 // its instructions
}

func newStatic(c *machine.Code) *static {
	s := &static{code: c, ids: map[*machine.Instr]int32{}, loops: map[*machine.Loop]*loop{},
		loopOf: make([]int32, c.Func.NumValues()), written: map[ir.ObjectID]bool{}, copies: map[int][]int64{},
		constant: map[int]bool{}}
	for _, x := range c.Func.Choices {
		if _, err := strconv.ParseInt(x.Trips, 10, 64); err == nil {
			s.constant[x.Source] = true
		}
	}
	numbers := map[*ir.Instr]int32{}
	s.values(c.Func.Body, 0, numbers)
	s.block(c.Body, numbers)
	for _, list := range s.copies {
		slices.SortFunc(list, func(a, b int64) int { return cmp.Compare(b, a) })
	}
	s.base = make([]int32, len(c.Regs))
	for i := range c.Regs {
		s.base[i] = int32(s.places)
		s.places += max(1, c.Regs[i].Words)
	}
	s.stores(c.Func)
	return s
}

// values says in which loops values are defined.
func (s *static) values(b *ir.Block, loop int32, numbers map[*ir.Instr]int32) {
	for _, p := range b.Params {
		s.loopOf[p.ID] = loop
	}
	for _, in := range b.Instrs {
		for _, r := range in.Results {
			s.loopOf[r.ID] = loop
		}
		inner := loop
		if in.Op == lower.OpLoop {
			inner = int32(len(numbers)) + 1
			numbers[in] = inner
		}
		for _, i := range in.Blocks {
			s.values(i, inner, numbers)
		}
	}
}

func (s *static) add(in *machine.Instr) {
	if in != nil {
		s.ids[in] = int32(len(s.instrs))
		s.instrs = append(s.instrs, in)
	}
}

// block numbers instructions.
func (s *static) block(b *machine.Block, numbers map[*ir.Instr]int32) {
	for _, n := range b.Nodes {
		switch n := n.(type) {
		case *machine.Instr:
			s.add(n)
		case *machine.If:
			s.add(n.Enter)
			s.add(n.Branch)
			s.block(n.Then, numbers)
			s.add(n.Skip)
			s.block(n.Else, numbers)
			s.add(n.Leave)
		case *machine.Loop:
			s.add(n.Enter)
			l := &loop{from: int32(len(s.instrs))}
			if l.number = numbers[n.From]; l.number == 0 { // of a sequence
				numbers[n.From] = int32(len(numbers)) + 1
				l.number = numbers[n.From]
			}
			s.block(n.Body, numbers)
			if n.From.Source != 0 {
				s.copies[n.From.Source] = append(s.copies[n.From.Source], copiesOf(n.From))
			}
			l.behind = int32(len(s.instrs))
			s.loops[n] = l
			s.add(n.Leave)
		case *machine.Region:
			s.add(n.Enter)
			s.block(n.Body, numbers)
			s.add(n.Leave)
		case *machine.Jump:
			s.add(n.Branch)
		}
	}
}

// stores finds the objects that the kernel may write to: all that are not read only, once it stores through a
// pointer of which the object is not known.
func (s *static) stores(f *ir.Func) {
	all := false
	f.Body.Walk(func(in *ir.Instr) {
		switch in.Op {
		case lower.Store, lower.Atomic, lower.Copy, lower.BulkCopy:
			if id := root(in.Args[0]); id != 0 {
				s.written[id] = true
			} else {
				all = true
			}
		}
	})
	if all {
		for i := range f.Objects {
			if !f.Objects[i].ReadOnly {
				s.written[ir.ObjectID(i+1)] = true
			}
		}
	}
}

// root is the object that a pointer leads into, 0: not known from additions alone.
func root(p *ir.Value) ir.ObjectID {
	for p.DefOp() == lower.PtrAdd {
		p = p.Def.Args[0]
	}
	if p.Kind == ir.Address || p.Kind == ir.KernelArg {
		return p.Object
	}
	if p.Kind == ir.BlockArg && p.Index < len(p.Def.Args) && p.Def.Args[p.Index] != p {
		return root(p.Def.Args[p.Index])
	}
	return 0
}
