package unroll

import (
	"slices"

	"gpupipe/idg"
	"gpupipe/lower"
	"gpupipe/unroll/structure"
)

// maxSelect is how many cheap operations each side of a branch may have to be executed
// unconditionally at -O2, with a select for each variable (LLVM's SimplifyCFG folds sides of
// up to about 4 instructions).
const maxSelect = 4

// selectable reports whether both sides are so short and free of effects that
// a compiler computes both and selects.
func (r *resolver) selectable(s *lower.If) bool {
	return (r.opt.Optimises() || s.Kind == "?:") && r.cheapSide(s.Then) && r.cheapSide(s.Else)
}

func (r *resolver) cheapSide(b lower.Block) bool {
	n := 0
	for i, st := range b {
		in, ok := st.(*lower.Instr)
		if ok && (r.readsRegister(in) || r.isLoaded(in) && !assigns(b[:i], in.Args[0])) {
			continue
		}
		if !ok || !cheap(in) {
			return false
		}
		if in.Op != lower.Mov && !structure.Free(in) {
			n++
		}
	}
	return n <= maxSelect
}

// readsRegister reports whether an instruction loads what an optimiser keeps in a register, a variable that a reference
// leads to for example: where no private object stays in memory.
func (r *resolver) readsRegister(in *lower.Instr) bool {
	if in.Op != lower.Load || in.Space != idg.SpacePrivate || in.Volatile || !r.opt.Optimises() {
		return false
	}
	for _, home := range r.homes {
		if home != inRegisters {
			return false
		}
	}
	return true
}

// isLoaded reports whether a register holds what an instruction would load.
func (r *resolver) isLoaded(in *lower.Instr) bool {
	if in.Op != lower.Load || in.Args[0].Kind == lower.OperandReg && r.regs[in.Args[0].Reg-1] == nil {
		return false
	}
	p := r.operand(in.Args[0])
	rec := r.recordOf(p, in.Type.Size()*int64(len(in.Dsts)))
	_, ok := r.loaded(in, p, r.memory.class(p.root), &rec)
	return ok
}

// assigns reports whether instructions give an operand its value.
func assigns(b lower.Block, o lower.Operand) bool {
	return slices.ContainsFunc(b, func(st lower.Stmt) bool {
		in, ok := st.(*lower.Instr)
		return ok && o.Kind == lower.OperandReg && slices.Contains(in.Dsts, o.Reg)
	})
}

// cheap reports whether an operation may be executed although its result might
// not be needed.
func cheap(in *lower.Instr) bool {
	switch in.Op {
	case lower.Load, lower.Store, lower.Atomic, lower.ImageLoad, lower.ImageStore, lower.SubGroup, lower.Barrier,
		lower.Fence, lower.Copy, lower.CopyGroup, lower.BulkCopy, lower.GroupMatMul, lower.MatMul, lower.MatrixRow,
		lower.Call, lower.Div, lower.Rem:
		return false
	}
	return true
}

// selects executes both sides and selects each variable.
func (r *resolver) selects(s *lower.If, c *value, m laneMask) laneMask {
	regs := r.st.AssignedIn(s)
	before := make([]*value, len(regs))
	for i, reg := range regs {
		before[i] = r.regs[reg-1]
	}
	sideValues := func(part int, b lower.Block) []*value {
		for i, reg := range regs {
			r.regs[reg-1] = before[i]
		}
		r.enter(r.st.Block(s, part), m)
		r.block(b, m)
		out := make([]*value, len(regs))
		for i, reg := range regs {
			out[i] = r.regs[reg-1]
		}
		return out
	}
	then := sideValues(structure.Then, s.Then)
	els := sideValues(structure.Else, s.Else)
	for i, reg := range regs {
		r.regs[reg-1] = before[i]
		a, b := then[i], els[i]
		if a == nil || b == nil {
			// Assigned on one side only and not before: nothing to select from.
			if a == nil {
				a = b
			}
			r.regs[reg-1] = a
			continue
		}
		sel := &lower.Instr{Op: lower.Select, Type: r.k.Reg(reg).Type, Dsts: []lower.Reg{reg}, Pos: s.Pos}
		v := a
		if !same(a, b) {
			v = r.selectValue(sel, c, a, b)
		}
		r.set(reg, v)
	}
	return m
}

// selectValue is c ? a : b; for pointers into the same object it stays such a
// pointer.
func (r *resolver) selectValue(in *lower.Instr, c, a, b *value) *value {
	r.mask &= r.warpMask
	v := r.compute(in, []*value{c, a, b})
	if in.Type == lower.Ptr && !same(v, a) && !same(v, b) {
		p := *v
		p.known = v.known
		if a.root == b.root {
			p.root = a.root
		} else {
			p.known = 0
			if yes, unknown := r.trueLanes(c, r.mask); unknown == 0 && yes == r.mask {
				p.root, p.known = a.root, v.known
			} else if unknown == 0 && yes == 0 {
				p.root, p.known = b.root, v.known
			}
		}
		p.index = max(a.index, b.index)
		p.form = symbol(&p)
		return &p
	}
	return v
}
