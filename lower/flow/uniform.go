package flow

import (
	"math/bits"

	"gpupipe/idg"
	"gpupipe/lower"
	"gpupipe/lower/ir"
)

// scalars decides which values lie in registers of the warp, computed once by the uniform datapath (Jia et al.,
// Turing T4, 2.1): integers that are the same in all lanes, of operations that it has, where every instruction
// that reads the value can name such a register: one operand may be one, or a constant, and not the first.
type scalars struct {
	w     *Flow
	f     *ir.Func
	in    []bool // by value ID
	users [][]*ir.Instr
	depth []int // loops around what defines a value
	list  []*ir.Value
	// leaves and continues are the jumps that carry values out of what has blocks, yields among them, and around
	// loops.
	leaves, continues map[*ir.Instr][]*ir.Instr
	relieve           bool // integer arithmetic reads copies
}

func newScalars(f *ir.Func, w *Flow) *scalars {
	s := &scalars{w: w, f: f, in: make([]bool, f.NumValues()), users: make([][]*ir.Instr, f.NumValues()),
		depth: make([]int, f.NumValues()), leaves: map[*ir.Instr][]*ir.Instr{}, continues: map[*ir.Instr][]*ir.Instr{}}
	f.Body.Walk(func(in *ir.Instr) {
		switch {
		case in.Op == lower.OpLeave:
			s.leaves[in.Target] = append(s.leaves[in.Target], in)
		case in.Op == lower.OpContinue:
			s.continues[in.Target] = append(s.continues[in.Target], in)
		case in.Op == lower.OpYield && in.Parent.Owner != nil:
			s.leaves[in.Parent.Owner] = append(s.leaves[in.Parent.Owner], in)
		}
	})
	return s
}

// decide finds the values: all that could be are taken, then those go which an operation cannot read or that
// are computed from others, until nothing changes.
func decide(f *ir.Func, w *Flow, relieve bool) []bool {
	if w.t.Has("scalar unit") {
		return decideScalar(f, w)
	}
	s := newScalars(f, w)
	s.relieve = relieve
	if !w.t.Has("uniform") {
		return s.in
	}
	s.reserve()
	s.collect(f.Body, 0)
	s.settle(func(v *ir.Value) bool { return s.computed(v) && s.read(v) })
	return s.in
}

// reserve makes room for the readers of all values at once.
func (s *scalars) reserve() {
	uses, sum := s.f.Uses(), 0
	for _, n := range uses {
		sum += n
	}
	all := make([]*ir.Instr, sum)
	for id, n := range uses {
		s.users[id], all = all[:0:n], all[n:]
	}
}

// collect lists the candidates and who reads them.
func (s *scalars) collect(b *ir.Block, depth int) {
	take := func(v *ir.Value) {
		s.depth[v.ID] = depth
		if s.w.Uniform(v) && (s.wide(v) || s.table(v)) {
			s.in[v.ID] = true
			s.list = append(s.list, v)
		}
	}
	for _, p := range b.Params {
		take(p)
	}
	for _, in := range b.Instrs {
		for _, a := range in.Args {
			if a.Kind == ir.Address && len(s.users[a.ID]) == 0 && s.w.Window(a) {
				take(a)
			}
			s.users[a.ID] = append(s.users[a.ID], in)
		}
		inner := depth
		if in.Op == lower.OpLoop {
			inner++
		}
		for _, x := range in.Blocks {
			s.collect(x, inner)
		}
		if in.Nests() || s.has(in) {
			for _, r := range in.Results {
				take(r)
			}
		}
	}
}

// table reports whether a value is a word of the program's own constants.
func (s *scalars) table(v *ir.Value) bool {
	return v.DefOp() == lower.Load && s.has(v.Def) && len(v.Def.Results) == 1
}

// wide reports whether a value is one word.
func (s *scalars) wide(v *ir.Value) bool {
	return v.Type.IsInteger() && v.Type.Size() <= 4 || v.Type == lower.Ptr && s.w.Narrow(v)
}

// has reports whether the uniform datapath has an operation.
func (s *scalars) has(in *ir.Instr) bool {
	switch in.Op {
	case lower.Add, lower.Sub, lower.Mul, lower.Fma, lower.And, lower.Or, lower.Xor, lower.Not, lower.Shl, lower.Shr,
		lower.PtrAdd, lower.Neg:
		return true
	case lower.Convert:
		return in.From.IsInteger() && in.From.Size() <= 4 && in.Type.Size() == 4
	case lower.Index:
		return in.Fn == "get_group_id"
	case lower.Load:
		return in.Type.Size() == 4 && s.w.SpaceOf(in.Args[0]) == idg.SpaceConstant && s.w.Narrow(in.Args[0]) &&
			!in.Volatile
	}
	return false
}

// given reports whether a value is a constant, or loaded from the constant bank.
func given(v *ir.Value) bool {
	return v.Kind == ir.Const || v.Kind == ir.KernelArg || v.Kind == ir.Undef || v.Kind == ir.Address ||
		v.DefOp() == lower.Index && v.Def.Fn != "get_group_id"
}

// computed reports whether all that a value is computed from is in registers of the warp, or constants.
func (s *scalars) computed(v *ir.Value) bool {
	ok := func(a *ir.Value) bool { return s.in[a.ID] || given(a) && s.w.Uniform(a) && !s.w.Window(a) }
	if v.Kind == ir.Address {
		return true
	}
	if s.absorbed(v) {
		return false
	}
	if v.Kind == ir.BlockArg {
		if !ok(v.Def.Args[v.Index]) {
			return false
		}
		return s.incoming(v.Def, v.Index, true, ok)
	}
	if v.Def.Nests() {
		return s.incoming(v.Def, v.Index, false, ok)
	}
	for _, a := range v.Def.Args {
		if !ok(a) {
			return false
		}
	}
	return true
}

// absorbed reports whether a product or a shifted number is what a sum of other registers takes into itself.
func (s *scalars) absorbed(v *ir.Value) bool {
	if op := v.DefOp(); op != lower.Shl && (op != lower.Mul || len(s.users[v.ID]) != 1) {
		return false
	}
	for _, u := range s.users[v.ID] {
		if u.Op != lower.Add && u.Op != lower.Sub || s.in[u.Results[0].ID] {
			return false
		}
	}
	return true
}

// incoming reports whether all that values meet from is.
func (s *scalars) incoming(in *ir.Instr, index int, params bool, ok func(*ir.Value) bool) bool {
	list := s.leaves[in]
	if params {
		list = s.continues[in]
	}
	for _, j := range list {
		if !ok(j.Args[index]) {
			return false
		}
	}
	return true
}

// read reports whether everybody can read a value in a register of the warp.
func (s *scalars) read(v *ir.Value) bool {
	computes := false
	for _, u := range s.users[v.ID] {
		if !s.reads(u, v) {
			return false
		}
		computes = computes || len(u.Results) > 0 && s.in[u.Results[0].ID]
	}
	return computes || v.DefOp() != lower.Index
}

// vector reports whether a value is in a register of the lanes, or can be loaded into one.
func (s *scalars) vector(v *ir.Value) bool {
	return !s.in[v.ID] && v.Kind != ir.Const && v.Kind != ir.Undef
}

// reads reports whether an operation can read a value in a register of the warp.
func (s *scalars) reads(u *ir.Instr, v *ir.Value) bool {
	if len(u.Results) > 0 && !u.Nests() && s.in[u.Results[0].ID] {
		return true
	}
	if s.relieve && s.copies(u) {
		return true
	}
	other := func() *ir.Value { // of two operands
		if u.Args[0] == v {
			return u.Args[1]
		}
		return u.Args[0]
	}
	switch op := u.Op; {
	case op.IsComparison():
		if s.w.Words(u.Args[0]) != 1 {
			return false
		}
		if o := other(); s.in[o.ID] { // of two, the one that does not change is in a register of the lanes
			return s.depth[v.ID] > s.depth[o.ID] || s.depth[v.ID] == s.depth[o.ID] && u.Args[0] == v
		}
		return s.vector(other())
	case op == lower.OpLoop:
		return s.all(u.Args, u.Blocks[0].Params, v)
	case op == lower.OpContinue:
		return s.all(u.Args, u.Target.Blocks[0].Params, v)
	case op == lower.OpLeave:
		return s.all(u.Args, u.Target.Results, v)
	case op == lower.OpYield:
		return u.Parent.Owner != nil && s.all(u.Args, u.Parent.Owner.Results, v)
	case u.Type.IsInteger() && (op == lower.Add || op == lower.Sub || op == lower.And || op == lower.Or ||
		op == lower.Xor || op == lower.Mul):
		return u.Args[0] != u.Args[1] && u.Type.IsInteger() && u.Type.Size() == 4 && s.vector(other()) &&
			!s.taken(u, other())
	case op == lower.Shl, op == lower.Shr:
		return u.Args[1] == v && u.Args[0] != v && s.vector(u.Args[0]) && u.Type.Size() == 4
	case op == lower.PtrAdd:
		n := uint64(max(1, u.Scale))
		return s.w.Narrow(u.Result()) && u.Args[0] == v && s.vector(u.Args[1]) && bits.OnesCount64(n) == 1
	case op == lower.Load:
		return s.w.Narrow(v)
	case u.Type.IsFloat() && (op >= lower.Add && op <= lower.Max || op == lower.Fma) && op != lower.Div:
		return s.lone(u, v)
	case op == lower.Store:
		return s.w.Narrow(v) && !has(u.Args[1:], v)
	case op == lower.Convert:
		return u.Type.IsFloat()
	}
	return false
}

// copies reports whether an operation may read a copy of a value in a register of the lanes: integer arithmetic and
// addresses.
func (s *scalars) copies(u *ir.Instr) bool {
	switch op := u.Op; {
	case op == lower.PtrAdd, op == lower.Add, op == lower.Sub, op == lower.Mul, op == lower.And, op == lower.Or,
		op == lower.Xor, op == lower.Convert:
		return u.Type == lower.Ptr || u.Type.IsInteger()
	case op.IsComparison():
		return s.w.Words(u.Args[0]) == 1 && u.Args[0].Type.IsInteger()
	}
	return false
}

// lone reports whether a value is the only operand that is not in a register of the lanes.
func (s *scalars) lone(u *ir.Instr, v *ir.Value) bool {
	n := 0
	for _, a := range u.Args {
		if a == v || !s.vector(a) {
			n++
		}
	}
	return n == 1
}

func has(list []*ir.Value, v *ir.Value) bool {
	for _, a := range list {
		if a == v {
			return true
		}
	}
	return false
}

// taken reports whether an operand is a product that the sum takes into itself, with a constant in the only
// place for one.
func (s *scalars) taken(u *ir.Instr, o *ir.Value) bool {
	if u.Op != lower.Add && u.Op != lower.Sub || o.DefOp() != lower.Mul || len(s.users[o.ID]) != 1 {
		return false
	}
	for _, a := range o.Def.Args {
		if a.Kind == ir.Const || s.in[a.ID] {
			return true
		}
	}
	return false
}

// all reports whether a value goes to registers of the warp only.
func (s *scalars) all(from, to []*ir.Value, v *ir.Value) bool {
	for i, a := range from {
		if a == v && !s.in[to[i].ID] {
			return false
		}
	}
	return true
}
