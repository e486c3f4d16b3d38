package flow

import (
	"gpupipe/idg"
	"gpupipe/lower"
	"gpupipe/lower/ir"
)

// decideScalar decides which values AMD's scalar unit computes: all that are the same in all lanes, of
// operations that it has (LLVM moves to the vector unit what reads a vector register, SIFixSGPRCopies). Vector
// instructions read scalar registers.
func decideScalar(f *ir.Func, w *Flow) []bool {
	s := newScalars(f, w)
	s.salu(f.Body, false)
	s.settle(s.scalarSources)
	for _, a := range f.Args {
		s.in[a.ID] = true
	}
	return s.in
}

// writes reports whether a block writes memory that scalar loads read.
func writes(b *ir.Block) bool {
	found := false
	b.Walk(func(in *ir.Instr) {
		found = found || in.Op == lower.Atomic || in.Op == lower.Store && in.Space != idg.SpaceLocal &&
			in.Space != idg.SpacePrivate
	})
	return found
}

// salu lists the candidates; written: memory may have been written before, which the scalar cache does not see
// (AMDGPUAnnotateUniformValues: amdgpu.noclobber). It reports whether it has been behind the block.
func (s *scalars) salu(b *ir.Block, written bool) bool {
	take := func(v *ir.Value) {
		if s.w.Uniform(v) && (v.Type != lower.Pred || v.Kind == ir.Result && !v.Def.Nests()) {
			s.in[v.ID] = true
			s.list = append(s.list, v)
		}
	}
	for _, p := range b.Params {
		take(p)
	}
	for _, in := range b.Instrs {
		for _, a := range in.Args {
			s.users[a.ID] = append(s.users[a.ID], in)
		}
		if in.Nests() {
			before := written || in.Op == lower.OpLoop && writes(in.Blocks[0])
			for _, x := range in.Blocks {
				written = s.salu(x, before) || written
			}
		}
		if in.Nests() || s.saluHas(in, written) {
			for _, r := range in.Results {
				take(r)
			}
		}
		written = written || in.Op == lower.Atomic || in.Op == lower.Store && in.Space != idg.SpaceLocal &&
			in.Space != idg.SpacePrivate
	}
	return written
}

// saluHas reports whether the scalar unit has an operation.
func (s *scalars) saluHas(in *ir.Instr, written bool) bool {
	switch op := in.Op; {
	case op == lower.Load:
		space := s.w.SpaceOf(in.Args[0])
		return in.Type.Size() >= 4 && !in.Volatile && (space == idg.SpaceConstant || space == idg.SpaceGlobal &&
			!written)
	case op == lower.Index:
		return in.Fn == "get_group_id" || in.Fn == "get_local_size" || in.Fn == "get_global_size"
	case op.IsComparison():
		return in.Type.IsInteger() && in.Type.Size() == 4 || in.Type.Size() == 8 && !in.Type.IsFloat() &&
			(op == lower.Eq || op == lower.Ne)
	case in.Type == lower.Pred || in.Type.IsFloat():
		return false
	case op == lower.Convert:
		return in.From.IsInteger()
	case op == lower.Select:
		return true
	case op == lower.Fma, op == lower.MulHi, op == lower.Min, op == lower.Max, op == lower.Abs:
		return in.Type.Size() == 4 && in.Type.IsInteger()
	case op == lower.Add, op == lower.Sub, op == lower.Mul, op == lower.Neg, op == lower.And, op == lower.Or,
		op == lower.Xor,
		op == lower.Not, op == lower.Shl, op == lower.Shr, op == lower.PtrAdd, op == lower.PtrDiff, op == lower.Bitcast:
		return in.Type.Size() >= 4
	}
	return false
}

// scalarSources reports whether all that a value is computed from is scalar, and who reads a condition.
func (s *scalars) scalarSources(v *ir.Value) bool {
	ok := func(a *ir.Value) bool {
		return s.in[a.ID] || a.Kind == ir.Const || a.Kind == ir.KernelArg || a.Kind == ir.Undef || a.Kind == ir.Address
	}
	if v.Type == lower.Pred {
		for _, u := range s.users[v.ID] {
			if u.Op != lower.OpIf && !(u.Op == lower.Select && u.Args[0] == v && s.in[u.Result().ID]) {
				return false
			}
		}
	}
	switch {
	case v.Kind == ir.BlockArg:
		return ok(v.Def.Args[v.Index]) && s.incoming(v.Def, v.Index, true, ok)
	case v.Def.Nests():
		return s.incoming(v.Def, v.Index, false, ok)
	}
	for _, a := range v.Def.Args {
		if !ok(a) {
			return false
		}
	}
	return true
}
