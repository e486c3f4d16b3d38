package loops

import (
	"gpupipe/lower"
	"gpupipe/lower/ir"
	"gpupipe/lower/pass/ranges"
	"gpupipe/lower/profile"
)

// StraightLine is straight-line strength reduction (slsr; LLVM's StraightLineStrengthReduce.cpp; Wu et al., gpucc: An
// Open-Source GPGPU Compiler, CGO 2016): a sum b + i*s or product (b + i)*s, i a constant, is computed from the last
// one before it with the same b and s and another constant j, as that plus (i - j)*s.
func StraightLine(f *ir.Func, c *profile.Context) {
	if !c.Profile.Address.Straight {
		return
	}
	r := &straight{f: f, last: map[candidateKey]candidate{}}
	r.block(f.Body)
}

// candidate is such a sum or product.
type candidate struct {
	in *ir.Instr
	i  int64
}

// candidateKey is what candidates have in common.
type candidateKey struct {
	op   lower.Op // Add or Mul
	typ  ir.Type
	b, s *ir.Value
}

type straight struct {
	f    *ir.Func
	last map[candidateKey]candidate
	undo []undoCandidate
	out  *ir.Block
}

// undoCandidate is what a candidate took the place of, for the end of its block.
type undoCandidate struct {
	key candidateKey
	old candidate
}

func (r *straight) block(b *ir.Block) {
	mark, around := len(r.undo), r.out
	out := b.Anew()
	for _, in := range b.Instrs {
		for _, inner := range in.Blocks {
			r.block(inner)
		}
		r.out = out
		if (in.Op == lower.Add || in.Op == lower.Mul) && in.Type.IsInteger() && in.Type.Size() >= 4 {
			r.instr(in)
		}
		out.Append(in)
	}
	b.Take(out)
	r.out = around
	for i := len(r.undo) - 1; i >= mark; i-- {
		u := r.undo[i]
		if u.old.in == nil {
			delete(r.last, u.key)
		} else {
			r.last[u.key] = u.old
		}
	}
	r.undo = r.undo[:mark]
}

// instr rewrites an instruction if it has a basis, and makes it the basis of those behind it.
func (r *straight) instr(in *ir.Instr) {
	var keys [2]candidateKey
	var indexes [2]int64
	n := 0
	for side := range 2 {
		x, y := in.Args[side], in.Args[1-side]
		if in.Op == lower.Mul {
			if y.IsConst() {
				continue
			}
			b, i := ir.PlusConstant(x)
			keys[n], indexes[n] = candidateKey{lower.Mul, in.Type, b, y}, i
		} else {
			s, i := timesConstant(y)
			if s == nil || x.IsConst() {
				continue
			}
			keys[n], indexes[n] = candidateKey{lower.Add, in.Type, x, s}, i
		}
		n++
	}
	done := false
	for k := range n {
		key, i := keys[k], indexes[k]
		if basis, ok := r.last[key]; ok && !done && basis.i != i {
			done = r.reduce(in, basis, key.s, i-basis.i)
		}
		r.undo = append(r.undo, undoCandidate{key, r.last[key]})
		r.last[key] = candidate{in, i}
	}
}

// timesConstant splits a value into i * s; a constant is none.
func timesConstant(v *ir.Value) (*ir.Value, int64) {
	switch {
	case v.IsConst():
		return nil, 0
	case v.DefOp() == lower.Mul && v.Def.Args[1].IsConst():
		return v.Def.Args[0], ir.Int32OrWide(v.Def.Args[1])
	case v.DefOp() == lower.Shl && v.Def.Args[1].IsConst() && v.Def.Args[1].Bits < 31:
		return v.Def.Args[0], 1 << v.Def.Args[1].Bits
	}
	return v, 1
}

// reduce computes an instruction from its basis.
func (r *straight) reduce(in *ir.Instr, basis candidate, s *ir.Value, delta int64) bool {
	if basis.in.Results[0].Type != in.Results[0].Type || s.Type != in.Type {
		return false
	}
	op, bump := lower.Add, s
	switch {
	case delta == 1:
	case delta == -1:
		op = lower.Sub
	case ranges.PowerOfTwo(delta), ranges.PowerOfTwo(-delta):
		if delta < 0 {
			op, delta = lower.Sub, -delta
		}
		n := int64(0)
		for 1<<n < delta {
			n++
		}
		bump = r.emit(in, lower.Shl, s, r.f.Int(lower.U32, n))
	default:
		bump = r.emit(in, lower.Mul, s, r.f.Int(in.Type, delta))
	}
	in.Op, in.Args = op, []*ir.Value{basis.in.Results[0], bump}
	return true
}

func (r *straight) emit(like *ir.Instr, op lower.Op, args ...*ir.Value) *ir.Value {
	return r.f.Emit(r.out, &ir.Instr{Op: op, Type: like.Type, Args: args, Subscript: like.Subscript, Pos: like.Pos})
}
