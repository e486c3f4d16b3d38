package lower

import (
	"math/bits"

	"gpupipe/idg"
)

// instr checks one instruction against the description of its operation.
func (v *verifier) instr(in *Instr) {
	t, pos := in.Type, in.Pos
	numeric := t.IsInteger() || t.IsFloat()
	switch op := in.Op; op {
	case Mov:
		v.shape(in, 1, 1)
		v.args(in, t)
	case Add, Sub, Mul, Div, Min, Max:
		v.shape(in, 1, 2)
		v.want(in, numeric)
		v.args(in, t, t)
	case Rem, MulHi:
		v.shape(in, 1, 2)
		v.want(in, t.IsInteger())
		v.args(in, t, t)
	case Neg, Abs:
		v.shape(in, 1, 1)
		v.want(in, numeric)
		v.args(in, t)
	case And, Or, Xor:
		v.shape(in, 1, 2)
		v.want(in, t.IsInteger() || t == Pred)
		v.args(in, t, t)
	case Not:
		v.shape(in, 1, 1)
		v.want(in, t.IsInteger() || t == Pred)
		v.args(in, t)
	case Shl, Shr:
		v.shape(in, 1, 2)
		v.want(in, t.IsInteger() && (in.Fn == "" || in.Clamps()))
		v.args(in, t)
		if len(in.Args) == 2 && !in.Args[1].Type.IsInteger() {
			v.fail(pos, "shift by a %v", in.Args[1].Type)
		}
	case Fma:
		v.shape(in, 1, 3)
		v.want(in, numeric)
		v.args(in, t, t, t)
	case Eq, Ne, Lt, Le, Gt, Ge:
		v.shape(in, 1, 2)
		v.want(in, numeric || t == Ptr)
		v.args(in, t, t)
	case Select:
		v.shape(in, 1, 3)
		v.args(in, Pred, t, t)
	case Convert:
		v.shape(in, 1, 1)
		v.want(in, numeric && (in.From.IsInteger() || in.From.IsFloat()))
		v.want(in, in.Fn != "" || t != in.From)
		v.args(in, in.From)
	case Bitcast:
		v.shape(in, 1, 1)
		v.want(in, t != Pred && in.From != Pred && t.Size() == in.From.Size())
		v.args(in, in.From)
	case PtrAdd:
		v.shape(in, 1, 2)
		v.want(in, t == Ptr && in.From.IsInteger() && in.Scale != 0)
		v.args(in, Ptr, in.From)
	case PtrDiff:
		v.shape(in, 1, 2)
		v.want(in, t == S64 && in.Scale > 0)
		v.args(in, Ptr, Ptr)
	case Index:
		v.shape(in, 1, 0)
		v.want(in, t.IsInteger() && in.Fn != "" && in.Dim >= 0 && in.Dim <= 2)
	case Call:
		v.want(in, in.Fn != "" && (len(in.Dsts) == 1 || len(in.Dsts) == 2))
	case Load, Store, Atomic:
		v.access(in)
	case ImageLoad, ImageStore:
		v.image(in)
	case SubGroup:
		v.subGroup(in)
	case Barrier, Fence:
		v.shape(in, 0, 0)
	case Copy:
		v.shape(in, len(in.Dsts), 2)
		v.want(in, t != 0 && validSpace(in.Space) && len(in.Dsts) > 0 && in.Align == t.Size()*int64(len(in.Dsts)))
		v.args(in, Ptr, Ptr)
	case CopyGroup:
		v.copyGroup(in)
	case BulkCopy:
		v.bulkCopy(in)
	case GroupMatMul:
		v.groupMatMul(in)
	case MatrixRow:
		v.shape(in, 1, 1)
		v.want(in, t == Ptr && (in.Dim == 1 || in.Dim == 2))
		v.args(in, Ptr)
	case MatMul:
		n := len(in.Args) - len(in.Dsts)
		v.want(in, (t.IsFloat() || t == S32) && in.Fn != "" && n > 0 && len(in.Dsts) > 0)
		for i, a := range in.Args {
			want := U32
			switch {
			case t == F16 && i >= n && a.Type == U32: // two halves
			case i >= n || t == F64 || t == F32 && (in.Fn == "1684" || in.Fn == "1688.tf32"):
				want = t
			}
			if a.Type != want {
				v.fail(pos, "operand %d of %v.%v has type %v, want %v", i+1, in.Op, t, a.Type, want)
			}
		}
	default:
		v.fail(pos, "operation %v", op)
	}
	for _, a := range in.Args {
		v.use(a, pos)
	}
	v.results(in)
	if in.Subscript && !in.Op.arithmetic() {
		v.fail(pos, "%v marked as part of a subscript", in.Op)
	}
}

// results checks the registers that an instruction assigns.
func (v *verifier) results(in *Instr) {
	t := in.Type
	if in.Op.IsComparison() {
		t = Pred
	}
	for i, d := range in.Dsts {
		if (in.Op == Call && i == 1 || (in.Op == MatMul || in.Op == GroupMatMul) && t == F16) && v.k.validReg(d) {
			t = v.k.Reg(d).Type // frexp's exponent has a type of its own; two halves are a word
		}
		v.def(d, t, in.Pos)
	}
}

// access checks Load, Store and Atomic.
func (v *verifier) access(in *Instr) {
	v.want(in, in.Type != 0 && validSpace(in.Space))
	if in.Align <= 0 || bits.OnesCount64(uint64(in.Align)) != 1 {
		v.fail(in.Pos, "%v with alignment %d", in.Op, in.Align)
	}
	if in.Whole != 0 && (in.Whole <= in.Align || in.Offset < 0 || in.Offset >= in.Whole) {
		v.fail(in.Pos, "%v at %d of %d", in.Op, in.Offset, in.Whole)
	}
	if len(in.Args) == 0 || in.Args[0].Type != Ptr {
		v.fail(in.Pos, "%v without an address", in.Op)
		return
	}
	values := in.Args[1:]
	switch in.Op {
	case Load:
		v.want(in, len(in.Dsts) > 0 && len(values) == 0)
	case Store:
		v.want(in, len(in.Dsts) == 0 && len(values) > 0)
	case Atomic:
		v.want(in, len(in.Dsts) == 1 && len(values) <= 2 && in.Fn != "" && in.Type != Pred)
	}
	for _, a := range values {
		v.use(a, in.Pos, in.Type)
	}
}

// image checks ImageLoad and ImageStore.
func (v *verifier) image(in *Instr) {
	first := 1 + in.Dim // operand behind the coordinates
	if in.Dim < 1 || in.Dim > 4 || len(in.Args) < first || in.Args[0].Type != Ptr || in.Space != idg.SpaceImage {
		v.fail(in.Pos, "%v of a %d-dimensional image in %v with %d operands", in.Op, in.Dim, in.Space, len(in.Args))
		return
	}
	for _, c := range in.Args[1:first] {
		if c.Type != S32 && c.Type != F32 {
			v.fail(in.Pos, "%v with a coordinate of type %v", in.Op, c.Type)
		}
	}
	rest := in.Args[first:]
	if in.Op == ImageStore {
		v.want(in, len(in.Dsts) == 0 && len(rest) > 0)
		for _, a := range rest {
			v.use(a, in.Pos, in.Type)
		}
		return
	}
	v.want(in, len(in.Dsts) > 0 && len(rest) <= 1)
	for _, a := range rest {
		v.use(a, in.Pos, U32)
	}
}

// subGroup checks SubGroup: a value, and for shuffles a lane.
func (v *verifier) subGroup(in *Instr) {
	v.want(in, in.Fn != "" && len(in.Dsts) == 1 && (len(in.Args) == 1 || len(in.Args) == 2))
	if in.Fn == "ballot" {
		v.want(in, in.Type == U32)
		v.args(in, Pred)
		return
	}
	v.args(in, in.Type, U32)
}

// copyGroup checks CopyGroup: a number of groups, or a barrier.
func (v *verifier) copyGroup(in *Instr) {
	switch in.Fn {
	case "commit", "consume", "release", "bulk_commit", "wgmma_commit", "wgmma_fence":
		v.shape(in, 0, 0)
	case "await_parity":
		v.shape(in, 0, 2)
		v.args(in, Ptr, U32)
	case "expect":
		v.shape(in, 0, 2)
		v.args(in, Ptr, U64)
	case "prior", "bulk_prior", "wgmma_prior":
		v.shape(in, 0, 1)
		v.args(in, U32)
	case "bind", "arrive", "await", "meet":
		v.shape(in, 0, 1)
		v.args(in, Ptr)
	default:
		v.want(in, false)
	}
}

// bulkCopy checks BulkCopy.
func (v *verifier) bulkCopy(in *Instr) {
	switch {
	case in.Fn == "store":
		v.shape(in, 0, 3)
		v.args(in, Ptr, Ptr, U64)
	case in.Fn == "load" && len(in.Args) >= 4:
		v.shape(in, 0, len(in.Args))
		want := []Type{Ptr, Ptr, Ptr, U64}
		for range in.Args[4:] {
			want = append(want, S32)
		}
		v.args(in, want...)
	default:
		v.want(in, false)
	}
}

// groupMatMul checks GroupMatMul: what is added to, a and b.
func (v *verifier) groupMatMul(in *Instr) {
	sums, factors := in.Sums()
	v.want(in, in.Type != 0 && in.Fn != "" && in.Dim > 0 && len(in.Dsts) > 0 &&
		(len(factors) == 2 || len(factors) == 5))
	for _, a := range sums {
		v.want(in, a.Type == in.Type || in.Type == F16 && a.Type == U32)
	}
	for i, a := range factors {
		v.want(in, a.Type == U64 || a.Type == U32 && len(factors) == 5 && i < 4)
	}
}

// shape checks the number of results and operands.
func (v *verifier) shape(in *Instr, dsts, args int) {
	if len(in.Dsts) != dsts || len(in.Args) != args {
		v.fail(in.Pos, "%v with %d results and %d operands", in.Op, len(in.Dsts), len(in.Args))
	}
}

// want checks a condition on the instruction's own description.
func (v *verifier) want(in *Instr, ok bool) {
	if !ok {
		v.fail(in.Pos, "%v.%v with from %v, fn %q, dim %d, scale %d, %v, %d results and %d operands is not well formed",
			in.Op, in.Type, in.From, in.Fn, in.Dim, in.Scale, in.Space, len(in.Dsts), len(in.Args))
	}
}

// args checks the types of the leading operands.
func (v *verifier) args(in *Instr, types ...Type) {
	for i, t := range types {
		if i < len(in.Args) && in.Args[i].Type != t {
			v.fail(in.Pos, "operand %d of %v.%v has type %v, want %v", i+1, in.Op, in.Type, in.Args[i].Type, t)
		}
	}
}
