package lower

import (
	"math/bits"
	"slices"

	"gpupipe/idg"
)

// Signature is what the description of an operation speaks of, in the statements of this package and in those of
// package ir: its attributes, and the types of its operands and results.
type Signature struct {
	Op                   Op
	Type, From           Type
	Fn                   string
	Dim                  int
	Scale                int64
	Space                Space
	Align, Whole, Offset int64
	Subscript            bool
	Args, Results        []Type
}

// Verify checks a signature against the description of its operation and hands each violation to fail.
func (s *Signature) Verify(fail func(format string, args ...any)) {
	c := &signatureCheck{s, fail}
	c.operation()
	c.results()
	if s.Subscript && !s.Op.Arithmetic() {
		fail("%v marked as part of a subscript", s.Op)
	}
}

type signatureCheck struct {
	*Signature
	fail func(format string, args ...any)
}

func (c *signatureCheck) operation() {
	t := c.Type
	numeric := t.IsInteger() || t.IsFloat()
	switch c.Op {
	case Mov:
		c.form(true, 1, t)
	case Add, Sub, Mul, Div, Min, Max:
		c.form(numeric, 1, t, t)
	case Rem, MulHi:
		c.form(t.IsInteger(), 1, t, t)
	case Neg, Abs:
		c.form(numeric, 1, t)
	case And, Or, Xor:
		c.form(t.IsInteger() || t == Pred, 1, t, t)
	case Not:
		c.form(t.IsInteger() || t == Pred, 1, t)
	case Shl, Shr:
		c.shape(1, 2)
		c.want(t.IsInteger() && (c.Fn == "" || c.Fn == "clamp"))
		c.args(t)
		if len(c.Args) == 2 && !c.Args[1].IsInteger() {
			c.fail("shift by a %v", c.Args[1])
		}
	case Fma:
		c.form(numeric, 1, t, t, t)
	case Eq, Ne, Lt, Le, Gt, Ge:
		c.form(numeric || t == Ptr, 1, t, t)
	case Select:
		c.form(true, 1, Pred, t, t)
	case Convert:
		c.form(numeric && (c.From.IsInteger() || c.From.IsFloat()) && (c.Fn != "" || t != c.From), 1, c.From)
	case Bitcast:
		c.form(t != Pred && c.From != Pred && t.Size() == c.From.Size(), 1, c.From)
	case PtrAdd:
		c.form(t == Ptr && c.From.IsInteger() && c.Scale != 0, 1, Ptr, c.From)
	case PtrDiff:
		c.form(t == S64 && c.Scale > 0, 1, Ptr, Ptr)
	case Index:
		c.form(t.IsInteger() && c.Fn != "" && c.Dim >= 0 && c.Dim <= 2, 1)
	case Call:
		c.want(c.Fn != "" && (len(c.Results) == 1 || len(c.Results) == 2))
	case Barrier, Fence:
		c.form(true, 0)
	case MatrixRow:
		c.form(t == Ptr && (c.Dim == 1 || c.Dim == 2), 1, Ptr)
	default:
		c.effect()
	}
}

// effect checks what touches memory or other work items.
func (c *signatureCheck) effect() {
	switch t, n := c.Type, len(c.Results); c.Op {
	case Load, Store, Atomic:
		c.access()
	case ImageLoad, ImageStore:
		c.image()
	case SubGroup:
		c.want(c.Fn != "" && n == 1 && (len(c.Args) == 1 || len(c.Args) == 2))
		if c.Fn == "ballot" {
			c.want(t == U32)
			t = Pred
		}
		c.args(t, U32)
	case Copy:
		c.form(t != 0 && validSpace(c.Space) && n > 0 && c.Align == t.Size()*int64(n), n, Ptr, Ptr)
	case CopyGroup:
		c.copyGroup()
	case BulkCopy:
		c.bulkCopy()
	case GroupMatMul:
		c.groupMatMul()
	case MatMul:
		c.matMul()
	default:
		c.fail("operation %v", c.Op)
	}
}

// results checks the types of what an operation gives.
func (c *signatureCheck) results() {
	want := c.Type
	if c.Op.IsComparison() {
		want = Pred
	}
	for i, have := range c.Results {
		switch {
		case c.Op == Call && i == 1: // frexp's exponent has a type of its own
		case (c.Op == MatMul || c.Op == GroupMatMul) && want == F16: // two halves are a word
		case have != want:
			c.fail("result %d of %v.%v has type %v, want %v", i+1, c.Op, c.Type, have, want)
		}
	}
}

// access checks Load, Store and Atomic.
func (c *signatureCheck) access() {
	c.want(c.Type != 0 && validSpace(c.Space))
	if c.Align <= 0 || bits.OnesCount64(uint64(c.Align)) != 1 {
		c.fail("%v with alignment %d", c.Op, c.Align)
	}
	if c.Whole != 0 && (c.Whole <= c.Align || c.Offset < 0 || c.Offset >= c.Whole) {
		c.fail("%v at %d of %d", c.Op, c.Offset, c.Whole)
	}
	if len(c.Args) == 0 || c.Args[0] != Ptr {
		c.fail("%v without an address", c.Op)
		return
	}
	values, results := len(c.Args)-1, len(c.Results)
	switch c.Op {
	case Load:
		c.want(results > 0 && values == 0)
	case Store:
		c.want(results == 0 && values > 0)
	case Atomic:
		c.want(results == 1 && values <= 2 && c.Fn != "" && c.Type != Pred)
	}
	c.args(append([]Type{Ptr}, slices.Repeat([]Type{c.Type}, values)...)...)
}

// image checks ImageLoad and ImageStore.
func (c *signatureCheck) image() {
	first := 1 + c.Dim // operand behind the coordinates
	if c.Dim < 1 || c.Dim > 4 || len(c.Args) < first || c.Args[0] != Ptr || c.Space != idg.SpaceImage {
		c.fail("%v of a %d-dimensional image in %v with %d operands", c.Op, c.Dim, c.Space, len(c.Args))
		return
	}
	for _, t := range c.Args[1:first] {
		if t != S32 && t != F32 {
			c.fail("%v with a coordinate of type %v", c.Op, t)
		}
	}
	rest, want := c.Args[first:], U32 // a sampler
	if c.Op == ImageStore {
		want = c.Type
		c.want(len(c.Results) == 0 && len(rest) > 0)
	} else {
		c.want(len(c.Results) > 0 && len(rest) <= 1)
	}
	c.args(append(slices.Clone(c.Args[:first]), slices.Repeat([]Type{want}, len(rest))...)...)
}

// copyGroup checks CopyGroup: a number of groups, or a barrier.
func (c *signatureCheck) copyGroup() {
	switch c.Fn {
	case "commit", "consume", "release", "bulk_commit", "wgmma_commit", "wgmma_fence":
		c.form(true, 0)
	case "await_parity":
		c.form(true, 0, Ptr, U32)
	case "expect":
		c.form(true, 0, Ptr, U64)
	case "prior", "bulk_prior", "wgmma_prior":
		c.form(true, 0, U32)
	case "bind", "arrive", "await", "meet":
		c.form(true, 0, Ptr)
	default:
		c.want(false)
	}
}

// bulkCopy checks BulkCopy.
func (c *signatureCheck) bulkCopy() {
	switch {
	case c.Fn == "store":
		c.form(true, 0, Ptr, Ptr, U64)
	case c.Fn == "load" && len(c.Args) >= 4:
		c.form(true, 0, append([]Type{Ptr, Ptr, Ptr, U64}, slices.Repeat([]Type{S32}, len(c.Args)-4)...)...)
	default:
		c.want(false)
	}
}

// groupMatMul checks GroupMatMul: what is added to, a and b.
func (c *signatureCheck) groupMatMul() {
	n := len(c.Results)
	if len(c.Args) < n+2 {
		n = 0
	}
	sums, factors := c.Args[:n], c.Args[n:]
	c.want(c.Type != 0 && c.Fn != "" && c.Dim > 0 && len(c.Results) > 0 && (len(factors) == 2 || len(factors) == 5))
	for _, a := range sums {
		c.want(a == c.Type || c.Type == F16 && a == U32)
	}
	for i, a := range factors {
		c.want(a == U64 || a == U32 && len(factors) == 5 && i < 4)
	}
}

// matMul checks MatMul: words or numbers, and the sums.
func (c *signatureCheck) matMul() {
	t, n := c.Type, len(c.Args)-len(c.Results)
	c.want((t.IsFloat() || t == S32) && c.Fn != "" && n > 0 && len(c.Results) > 0)
	for i, a := range c.Args {
		want := U32
		switch {
		case t == F16 && i >= n && a == U32: // two halves
		case i >= n || t == F64 || t == F32 && (c.Fn == "1684" || c.Fn == "1688.tf32"):
			want = t
		}
		if a != want {
			c.fail("operand %d of %v.%v has type %v, want %v", i+1, c.Op, t, a, want)
		}
	}
}

// form checks a condition on the attributes, the number of results and the operands.
func (c *signatureCheck) form(ok bool, results int, args ...Type) {
	c.shape(results, len(args))
	c.want(ok)
	c.args(args...)
}

// shape checks the number of results and operands.
func (c *signatureCheck) shape(results, args int) {
	if len(c.Results) != results || len(c.Args) != args {
		c.fail("%v with %d results and %d operands", c.Op, len(c.Results), len(c.Args))
	}
}

// want checks a condition on the attributes.
func (c *signatureCheck) want(ok bool) {
	if !ok {
		c.fail("%v.%v with from %v, fn %q, dim %d, scale %d, %v, %d results and %d operands is not well formed",
			c.Op, c.Type, c.From, c.Fn, c.Dim, c.Scale, c.Space, len(c.Results), len(c.Args))
	}
}

// args checks the types of the leading operands.
func (c *signatureCheck) args(types ...Type) {
	for i, t := range types {
		if i < len(c.Args) && c.Args[i] != t {
			c.fail("operand %d of %v.%v has type %v, want %v", i+1, c.Op, c.Type, c.Args[i], t)
		}
	}
}
