package ir

import (
	"math/bits"

	"gpupipe/idg"
	"gpupipe/lower"
)

// operation checks an instruction without blocks against the description of its operation in package lower.
func (v *verifier) operation(in *Instr) {
	t := in.Type
	numeric := t.IsInteger() || t.IsFloat()
	switch op := in.Op; op {
	case lower.Mov:
		v.shape(in, 1, 1)
		v.args(in, t)
	case lower.Add, lower.Sub, lower.Mul, lower.Div, lower.Min, lower.Max:
		v.binary(in, numeric)
	case lower.Rem, lower.MulHi:
		v.binary(in, t.IsInteger())
	case lower.And, lower.Or, lower.Xor:
		v.binary(in, t.IsInteger() || t == lower.Pred)
	case lower.Eq, lower.Ne, lower.Lt, lower.Le, lower.Gt, lower.Ge:
		v.binary(in, numeric || t == lower.Ptr)
	case lower.Neg, lower.Abs:
		v.shape(in, 1, 1)
		v.want(in, numeric)
		v.args(in, t)
	case lower.Not:
		v.shape(in, 1, 1)
		v.want(in, t.IsInteger() || t == lower.Pred)
		v.args(in, t)
	case lower.Shl, lower.Shr:
		v.shape(in, 1, 2)
		v.want(in, t.IsInteger() && (in.Fn == "" || in.Fn == "clamp"))
		v.want(in, len(in.Args) != 2 || in.Args[1].Type.IsInteger())
		v.args(in, t)
	case lower.Fma:
		v.shape(in, 1, 3)
		v.want(in, numeric)
		v.args(in, t, t, t)
	case lower.Select:
		v.shape(in, 1, 3)
		v.args(in, lower.Pred, t, t)
	default:
		v.conversion(in)
	}
	v.results(in)
	v.want(in, len(in.Blocks) == 0 && in.Loop == nil && in.Cases == nil && in.Target == nil && in.Source == 0)
	if in.Subscript && (in.Op < lower.Add || in.Op > lower.PtrDiff) {
		v.fail(in.Pos, "%v marked as part of a subscript", in.Op)
	}
}

// binary checks an operation of two operands of its type.
func (v *verifier) binary(in *Instr, typeOK bool) {
	v.shape(in, 1, 2)
	v.want(in, typeOK)
	v.args(in, in.Type, in.Type)
}

// conversion checks conversions, addresses and calls.
func (v *verifier) conversion(in *Instr) {
	t := in.Type
	switch in.Op {
	case lower.Convert:
		v.shape(in, 1, 1)
		v.want(in, (t.IsInteger() || t.IsFloat()) && (in.From.IsInteger() || in.From.IsFloat()))
		v.want(in, in.Fn != "" || t != in.From)
		v.args(in, in.From)
	case lower.Bitcast:
		v.shape(in, 1, 1)
		v.want(in, t != lower.Pred && in.From != lower.Pred && t.Size() == in.From.Size())
		v.args(in, in.From)
	case lower.PtrAdd:
		v.shape(in, 1, 2)
		v.want(in, t == lower.Ptr && in.From.IsInteger() && in.Scale != 0)
		v.args(in, lower.Ptr, in.From)
	case lower.PtrDiff:
		v.shape(in, 1, 2)
		v.want(in, t == lower.S64 && in.Scale > 0)
		v.args(in, lower.Ptr, lower.Ptr)
	case lower.Index:
		v.shape(in, 1, 0)
		v.want(in, t.IsInteger() && in.Fn != "" && in.Dim >= 0 && in.Dim <= 2)
	case lower.Call:
		v.want(in, in.Fn != "" && (len(in.Results) == 1 || len(in.Results) == 2))
	case lower.MatrixRow:
		v.shape(in, 1, 1)
		v.want(in, t == lower.Ptr && (in.Dim == 1 || in.Dim == 2))
		v.args(in, lower.Ptr)
	case lower.OpOpaque:
		v.want(in, in.Fn != "")
	default:
		v.effect(in)
	}
}

// effect checks what touches memory or other work items.
func (v *verifier) effect(in *Instr) {
	t := in.Type
	switch in.Op {
	case lower.Load, lower.Store, lower.Atomic:
		v.access(in)
	case lower.ImageLoad, lower.ImageStore:
		v.image(in)
	case lower.SubGroup:
		v.want(in, in.Fn != "" && len(in.Results) == 1 && (len(in.Args) == 1 || len(in.Args) == 2))
		if in.Fn == "ballot" {
			v.want(in, t == lower.U32)
			v.args(in, lower.Pred)
			return
		}
		v.args(in, t, lower.U32)
	case lower.Barrier, lower.Fence:
		v.shape(in, 0, 0)
	case lower.Copy:
		n := len(in.Results)
		v.shape(in, n, 2)
		v.want(in, t != 0 && validSpace(in.Space) && n > 0 && in.Align == t.Size()*int64(n))
		v.args(in, lower.Ptr, lower.Ptr)
	case lower.CopyGroup:
		v.copyGroup(in)
	case lower.BulkCopy:
		v.bulkCopy(in)
	case lower.GroupMatMul:
		v.groupMatMul(in)
	case lower.MatMul:
		v.matMul(in)
	default:
		v.fail(in.Pos, "operation %v", in.Op)
	}
}

// results checks the types of what an operation gives.
func (v *verifier) results(in *Instr) {
	want := resultType(in)
	for i, r := range in.Results {
		switch {
		case in.Op == lower.OpOpaque, in.Op == lower.Call && i == 1: // frexp's exponent has a type of its own
		case (in.Op == lower.MatMul || in.Op == lower.GroupMatMul) && want == lower.F16: // two halves are a word
		case r.Type != want:
			v.fail(in.Pos, "result %d of %v.%v has type %v, want %v", i+1, in.Op, in.Type, r.Type, want)
		}
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
	if len(in.Args) == 0 || in.Args[0].Type != lower.Ptr {
		v.fail(in.Pos, "%v without an address", in.Op)
		return
	}
	values := in.Args[1:]
	switch in.Op {
	case lower.Load:
		v.want(in, len(in.Results) > 0 && len(values) == 0)
	case lower.Store:
		v.want(in, len(in.Results) == 0 && len(values) > 0)
	case lower.Atomic:
		v.want(in, len(in.Results) == 1 && len(values) <= 2 && in.Fn != "" && in.Type != lower.Pred)
	}
	v.each(in, values, in.Type)
}

// image checks ImageLoad and ImageStore.
func (v *verifier) image(in *Instr) {
	first := 1 + in.Dim // operand behind the coordinates
	if in.Dim < 1 || in.Dim > 4 || len(in.Args) < first || in.Args[0].Type != lower.Ptr ||
		in.Space != idg.SpaceImage {
		v.fail(in.Pos, "%v of a %d-dimensional image in %v with %d operands", in.Op, in.Dim, in.Space, len(in.Args))
		return
	}
	for _, c := range in.Args[1:first] {
		if c.Type != lower.S32 && c.Type != lower.F32 {
			v.fail(in.Pos, "%v with a coordinate of type %v", in.Op, c.Type)
		}
	}
	rest := in.Args[first:]
	if in.Op == lower.ImageStore {
		v.want(in, len(in.Results) == 0 && len(rest) > 0)
		v.each(in, rest, in.Type)
		return
	}
	v.want(in, len(in.Results) > 0 && len(rest) <= 1)
	v.each(in, rest, lower.U32)
}

// copyGroup checks CopyGroup: a number of groups, or a barrier.
func (v *verifier) copyGroup(in *Instr) {
	switch in.Fn {
	case "commit", "consume", "release", "bulk_commit", "wgmma_commit", "wgmma_fence":
		v.shape(in, 0, 0)
	case "await_parity":
		v.shape(in, 0, 2)
		v.args(in, lower.Ptr, lower.U32)
	case "expect":
		v.shape(in, 0, 2)
		v.args(in, lower.Ptr, lower.U64)
	case "prior", "bulk_prior", "wgmma_prior":
		v.shape(in, 0, 1)
		v.args(in, lower.U32)
	case "bind", "arrive", "await", "meet":
		v.shape(in, 0, 1)
		v.args(in, lower.Ptr)
	default:
		v.want(in, false)
	}
}

// bulkCopy checks BulkCopy.
func (v *verifier) bulkCopy(in *Instr) {
	switch {
	case in.Fn == "store":
		v.shape(in, 0, 3)
		v.args(in, lower.Ptr, lower.Ptr, lower.U64)
	case in.Fn == "load" && len(in.Args) >= 4:
		v.shape(in, 0, len(in.Args))
		v.args(in, lower.Ptr, lower.Ptr, lower.Ptr, lower.U64)
		v.each(in, in.Args[4:], lower.S32)
	default:
		v.want(in, false)
	}
}

// groupMatMul checks GroupMatMul: what is added to, a and b.
func (v *verifier) groupMatMul(in *Instr) {
	n := len(in.Results)
	factors := in.Args
	if len(in.Args) > n && len(in.Args) >= n+2 {
		factors = in.Args[n:]
	}
	v.want(in, in.Type != 0 && in.Fn != "" && in.Dim > 0 && n > 0 && (len(factors) == 2 || len(factors) == 5))
	for _, a := range in.Args[:len(in.Args)-len(factors)] {
		v.want(in, a.Type == in.Type || in.Type == lower.F16 && a.Type == lower.U32)
	}
	for i, a := range factors {
		v.want(in, a.Type == lower.U64 || a.Type == lower.U32 && len(factors) == 5 && i < 4)
	}
}

// matMul checks MatMul: words or numbers, and the sums.
func (v *verifier) matMul(in *Instr) {
	t, n := in.Type, len(in.Args)-len(in.Results)
	v.want(in, (t.IsFloat() || t == lower.S32) && in.Fn != "" && n > 0 && len(in.Results) > 0)
	for i, a := range in.Args {
		want := lower.U32
		switch {
		case t == lower.F16 && i >= n && a.Type == lower.U32: // two halves
		case i >= n || t == lower.F64 || t == lower.F32 && (in.Fn == "1684" || in.Fn == "1688.tf32"):
			want = t
		}
		if a.Type != want {
			v.fail(in.Pos, "operand %d of %v.%v has type %v, want %v", i+1, in.Op, t, a.Type, want)
		}
	}
}

// shape checks the number of results and operands.
func (v *verifier) shape(in *Instr, results, args int) {
	if len(in.Results) != results || len(in.Args) != args {
		v.fail(in.Pos, "%v with %d results and %d operands", in.Op, len(in.Results), len(in.Args))
	}
}

// want checks a condition on the instruction's own description.
func (v *verifier) want(in *Instr, ok bool) {
	if !ok {
		v.fail(in.Pos, "%v.%v with from %v, fn %q, dim %d, scale %d, %v, %d results and %d operands is not well formed",
			in.Op, in.Type, in.From, in.Fn, in.Dim, in.Scale, in.Space, len(in.Results), len(in.Args))
	}
}

// args checks the types of the leading operands.
func (v *verifier) args(in *Instr, types ...Type) {
	for i, t := range types {
		if i < len(in.Args) && in.Args[i].Type != t {
			v.fail(in.Pos, "operand %d of %v.%v, %s, has type %v, want %v", i+1, in.Op, in.Type, v.name(in.Args[i]),
				in.Args[i].Type, t)
		}
	}
}

// each checks that operands have one type.
func (v *verifier) each(in *Instr, list []*Value, t Type) {
	for _, a := range list {
		if a.Type != t {
			v.fail(in.Pos, "operand %s of %v.%v has type %v, want %v", v.name(a), in.Op, in.Type, a.Type, t)
		}
	}
}
