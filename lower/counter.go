package lower

import (
	"gpupipe/idg"
)

// findCounted finds the counters of a kernel's loops.
func findCounted(k *Kernel) {
	all := assignments(k)
	for _, p := range k.Loops {
		p.Counter = analyse(k, p, all).counter()
	}
}

// assignments counts those of each register, which an index less than its number has.
func assignments(k *Kernel) []int {
	all := make([]int, len(k.Regs))
	Walk(k.Body, func(s Stmt) {
		if in, ok := s.(*Instr); ok {
			for _, d := range in.Dsts {
				all[d-1]++
			}
		}
	})
	return all
}

// counting is what one loop does with registers and memory.
type counting struct {
	k      *Kernel
	loop   *Loop
	all    []int       // assignments in the kernel
	defs   map[Reg]int // assignments inside the loop
	inCond map[Reg]*Instr
	inPost map[Reg]*Instr
	inBody map[Reg]*Instr // at the top level of Body
	writes bool           // memory may change: stores, atomics, barriers
	skips  bool           // a continue of this loop
}

func analyse(k *Kernel, p *Loop, all []int) *counting {
	a := &counting{k: k, loop: p, all: all, defs: map[Reg]int{}}
	for _, b := range p.blocks() {
		Walk(*b, func(s Stmt) { a.visit(s) })
	}
	a.inCond = topLevel(p.Cond)
	a.inPost = topLevel(p.Post)
	a.inBody = topLevel(p.Body)
	return a
}

func (a *counting) visit(s Stmt) {
	switch s := s.(type) {
	case *Instr:
		for _, d := range s.Dsts {
			a.defs[d]++
		}
		switch s.Op {
		case Store, Atomic, ImageStore, Barrier, Fence, Copy, CopyGroup, BulkCopy:
			a.writes = true
		}
	case *Continue:
		a.skips = a.skips || s.Label == a.loop.Label
	}
}

// topLevel maps registers to the instructions directly in b that define them,
// the last one of each.
func topLevel(b Block) map[Reg]*Instr {
	m := map[Reg]*Instr{}
	straight(b, func(in *Instr) {
		for _, d := range in.Dsts {
			m[d] = in
		}
	})
	return m
}

// straight visits the instructions directly in b and in its regions that are not left early.
func straight(b Block, visit func(*Instr)) {
	for _, s := range b {
		switch s := s.(type) {
		case *Instr:
			visit(s)
		case *Region:
			if !s.LeftEarly() {
				straight(s.Body, visit)
			}
		}
	}
}

// counter is the variable of the loop if it is counted, or 0.
func (a *counting) counter() Reg {
	c := a.loop.CondValue
	if c.Kind != OperandReg {
		return 0
	}
	cmp := a.inCond[c.Reg]
	negated := false
	for cmp != nil && cmp.Op == Not && cmp.Type == Pred {
		negated = !negated
		cmp = a.temporary(cmp.Args[0], a.inCond)
	}
	if cmp == nil || !cmp.Op.IsComparison() || !cmp.Type.IsInteger() || a.defs[c.Reg] != 1 {
		return 0
	}
	if op := cmp.Op; op == Eq && !negated || op == Ne && negated {
		return 0 // it would run once
	}
	for i, x := range cmp.Args {
		if a.counted(x, cmp.Args[1-i]) {
			return a.shifted(a.through(x, a.inCond)).Reg
		}
	}
	return 0
}

// counted tries x as what counts in a comparison with bound.
func (a *counting) counted(x, bound Operand) bool {
	compared := a.through(x, a.inCond)
	v := a.shifted(compared)
	if v.Kind != OperandReg || !a.k.Reg(v.Reg).Var || a.defs[v.Reg] != 1 || !a.invariant(bound, a.inCond) {
		return false
	}
	step, defs := a.inPost[v.Reg], a.inPost
	if step == nil {
		// As the last statement of the body, when nothing skips it.
		in := lastOf(a.loop.Body)
		if in == nil || a.skips || len(a.loop.Post) > 0 || len(in.Dsts) != 1 || in.Dsts[0] != v.Reg {
			return false
		}
		step, defs = in, a.inBody
	}
	step = a.definition(step, defs)
	if step == nil || len(step.Args) != 2 || v != compared && step.Op != Add && step.Op != Sub {
		return false
	}
	self, by := a.through(step.Args[0], defs), step.Args[1]
	switch step.Op {
	case Sub, Div, Shl, Shr:
	case Add, Mul:
		if self.Kind != OperandReg || self.Reg != v.Reg {
			self, by = a.through(step.Args[1], defs), step.Args[0]
		}
	default:
		return false
	}
	return self.Kind == OperandReg && self.Reg == v.Reg && a.invariant(by, defs)
}

// lastOf is the instruction that a block ends with, or nil.
func lastOf(b Block) *Instr {
	if len(b) == 0 {
		return nil
	}
	switch s := b[len(b)-1].(type) {
	case *Instr:
		return s
	case *Region:
		if !s.LeftEarly() {
			return lastOf(s.Body)
		}
	}
	return nil
}

// shifted is the variable to which the condition adds a constant, or the operand itself.
func (a *counting) shifted(o Operand) Operand {
	in := a.temporary(o, a.inCond)
	if in == nil || in.Op != Add || !in.Type.IsInteger() {
		return o
	}
	for i, x := range in.Args {
		v := a.through(in.Args[1-i], a.inCond)
		if x.Kind == OperandConst && v.Kind == OperandReg && a.k.Reg(v.Reg).Type == in.Type {
			return v
		}
	}
	return o
}

// definition follows an assignment of the variable back to the arithmetic: a
// chain of moves and value-keeping conversions in the same block.
func (a *counting) definition(in *Instr, defs map[Reg]*Instr) *Instr {
	for in != nil && transparent(in) {
		in = a.temporary(in.Args[0], defs)
	}
	return in
}

// through looks through moves and conversions of an operand.
func (a *counting) through(o Operand, defs map[Reg]*Instr) Operand {
	for {
		in := a.temporary(o, defs)
		if in == nil || !transparent(in) {
			return o
		}
		o = in.Args[0]
	}
}

// result reports whether a variable is the result of a function that is written out, and assigned once.
func (a *counting) result(r Reg) bool { return a.k.Reg(r).Result && a.all[r-1] == 1 }

// temporary is the instruction in the block that defines o, or nil: o is a temporary or a function's result.
func (a *counting) temporary(o Operand, defs map[Reg]*Instr) *Instr {
	if o.Kind != OperandReg || a.k.Reg(o.Reg).Var && !a.result(o.Reg) {
		return nil
	}
	return defs[o.Reg]
}

// transparent reports whether an instruction hands on an integer that a counter
// can have. Converting between int, unsigned and size_t changes negative and
// huge numbers only, which a trip count does not pass through; narrowing does.
func transparent(in *Instr) bool {
	switch in.Op {
	case Mov:
		return in.Type.IsInteger()
	case Bitcast, Convert:
		return in.Type.IsInteger() && in.From.IsInteger() && in.Type.Size() >= in.From.Size() && in.Fn == ""
	}
	return false
}

// invariant reports whether an operand has the same value in every iteration:
// it is not assigned in the loop, or computed there by the block's own pure
// instructions from such operands. A load is invariant where the loop writes no
// memory, or reads constant memory, which nothing writes.
func (a *counting) invariant(o Operand, defs map[Reg]*Instr) bool {
	if o.Kind != OperandReg || a.defs[o.Reg] == 0 {
		return true
	}
	in := a.temporary(o, defs)
	if in == nil || !in.Op.pure() && (in.Op != Load || a.writes && in.Space != idg.SpaceConstant || in.Volatile) {
		return false
	}
	for _, x := range in.Args {
		if !a.invariant(x, defs) {
			return false
		}
	}
	return true
}
