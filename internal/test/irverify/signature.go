package irverify

import (
	"math/bits"
	"slices"

	"gpupipe/idg"
	"gpupipe/lower"
)

// signature is what the description of an operation (package lower) speaks of: its attributes, and the types of its
// operands and results.
type signature struct {
	Op                   lower.Op
	Type, From           lower.Type
	Fn                   string
	Dim                  int
	Scale                int64
	Space                lower.Space
	Align, Whole, Offset int64
	Subscript            bool
	Args, Results        []lower.Type
}

// verify checks a signature against the description of its operation and hands each violation to fail.
func (s *signature) verify(fail func(format string, args ...any)) {
	c := &signatureCheck{s, fail}
	c.operation()
	c.results()
	if s.Subscript && !s.Op.Arithmetic() {
		fail("%v marked as part of a subscript", s.Op)
	}
}

type signatureCheck struct {
	*signature
	fail func(format string, args ...any)
}

func (c *signatureCheck) operation() {
	t := c.Type
	numeric := t.IsInteger() || t.IsFloat()
	switch c.Op {
	case lower.Mov:
		c.form(true, 1, t)
	case lower.Add, lower.Sub, lower.Mul, lower.Div, lower.Min, lower.Max:
		c.form(numeric, 1, t, t)
	case lower.Rem, lower.MulHi:
		c.form(t.IsInteger(), 1, t, t)
	case lower.Neg, lower.Abs:
		c.form(numeric, 1, t)
	case lower.And, lower.Or, lower.Xor:
		c.form(t.IsInteger() || t == lower.Pred, 1, t, t)
	case lower.Not:
		c.form(t.IsInteger() || t == lower.Pred, 1, t)
	case lower.Shl, lower.Shr:
		c.shape(1, 2)
		c.want(t.IsInteger() && (c.Fn == "" || c.Fn == "clamp"))
		c.args(t)
		if len(c.Args) == 2 && !c.Args[1].IsInteger() {
			c.fail("shift by a %v", c.Args[1])
		}
	case lower.Fma:
		c.form(numeric, 1, t, t, t)
	case lower.Eq, lower.Ne, lower.Lt, lower.Le, lower.Gt, lower.Ge:
		c.form(numeric || t == lower.Ptr, 1, t, t)
	case lower.Select:
		c.form(true, 1, lower.Pred, t, t)
	case lower.Convert:
		c.form(numeric && (c.From.IsInteger() || c.From.IsFloat()) && (c.Fn != "" || t != c.From), 1, c.From)
	case lower.Bitcast:
		c.form(t != lower.Pred && c.From != lower.Pred && t.Size() == c.From.Size(), 1, c.From)
	case lower.PtrAdd:
		c.form(t == lower.Ptr && c.From.IsInteger() && c.Scale != 0, 1, lower.Ptr, c.From)
	case lower.PtrDiff:
		c.form(t == lower.S64 && c.Scale > 0, 1, lower.Ptr, lower.Ptr)
	case lower.Index:
		c.form(t.IsInteger() && c.Fn != "" && c.Dim >= 0 && c.Dim <= 2, 1)
	case lower.Call:
		c.want(c.Fn != "" && (len(c.Results) == 1 || len(c.Results) == 2))
	case lower.Barrier, lower.Fence:
		c.form(true, 0)
	case lower.MatrixRow:
		c.form(t == lower.Ptr && (c.Dim == 1 || c.Dim == 2), 1, lower.Ptr)
	default:
		c.effect()
	}
}

// effect checks what touches memory or other work items.
func (c *signatureCheck) effect() {
	switch t, n := c.Type, len(c.Results); c.Op {
	case lower.Load, lower.Store, lower.Atomic:
		c.access()
	case lower.ImageLoad, lower.ImageStore:
		c.image()
	case lower.SubGroup:
		c.want(c.Fn != "" && n == 1 && (len(c.Args) == 1 || len(c.Args) == 2))
		if c.Fn == "ballot" {
			c.want(t == lower.U32)
			t = lower.Pred
		}
		c.args(t, lower.U32)
	case lower.Copy:
		c.form(t != 0 && validSpace(c.Space) && n > 0 && c.Align == t.Size()*int64(n), n, lower.Ptr, lower.Ptr)
	case lower.CopyGroup:
		c.copyGroup()
	case lower.BulkCopy:
		c.bulkCopy()
	case lower.GroupMatMul:
		c.groupMatMul()
	case lower.MatMul:
		c.matMul()
	default:
		c.fail("operation %v", c.Op)
	}
}

// results checks the types of what an operation gives.
func (c *signatureCheck) results() {
	want := c.Type
	if c.Op.IsComparison() {
		want = lower.Pred
	}
	for i, have := range c.Results {
		switch {
		case c.Op == lower.Call && i == 1: // frexp's exponent has a type of its own
		case (c.Op == lower.MatMul || c.Op == lower.GroupMatMul) && want == lower.F16: // two halves are a word
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
	if len(c.Args) == 0 || c.Args[0] != lower.Ptr {
		c.fail("%v without an address", c.Op)
		return
	}
	values, results := len(c.Args)-1, len(c.Results)
	switch c.Op {
	case lower.Load:
		c.want(results > 0 && values == 0)
	case lower.Store:
		c.want(results == 0 && values > 0)
	case lower.Atomic:
		c.want(results == 1 && values <= 2 && c.Fn != "" && c.Type != lower.Pred)
	}
	c.args(append([]lower.Type{lower.Ptr}, slices.Repeat([]lower.Type{c.Type}, values)...)...)
}

// image checks ImageLoad and ImageStore.
func (c *signatureCheck) image() {
	first := 1 + c.Dim // operand behind the coordinates
	if c.Dim < 1 || c.Dim > 4 || len(c.Args) < first || c.Args[0] != lower.Ptr || c.Space != idg.SpaceImage {
		c.fail("%v of a %d-dimensional image in %v with %d operands", c.Op, c.Dim, c.Space, len(c.Args))
		return
	}
	for _, t := range c.Args[1:first] {
		if t != lower.S32 && t != lower.F32 {
			c.fail("%v with a coordinate of type %v", c.Op, t)
		}
	}
	rest, want := c.Args[first:], lower.U32 // a sampler
	if c.Op == lower.ImageStore {
		want = c.Type
		c.want(len(c.Results) == 0 && len(rest) > 0)
	} else {
		c.want(len(c.Results) > 0 && len(rest) <= 1)
	}
	c.args(append(slices.Clone(c.Args[:first]), slices.Repeat([]lower.Type{want}, len(rest))...)...)
}

// copyGroup checks CopyGroup: a number of groups, or a barrier.
func (c *signatureCheck) copyGroup() {
	switch c.Fn {
	case "commit", "consume", "release", "bulk_commit", "wgmma_commit", "wgmma_fence":
		c.form(true, 0)
	case "await_parity":
		c.form(true, 0, lower.Ptr, lower.U32)
	case "expect":
		c.form(true, 0, lower.Ptr, lower.U64)
	case "prior", "bulk_prior", "wgmma_prior":
		c.form(true, 0, lower.U32)
	case "bind", "arrive", "await", "meet":
		c.form(true, 0, lower.Ptr)
	default:
		c.want(false)
	}
}

// bulkCopy checks BulkCopy.
func (c *signatureCheck) bulkCopy() {
	switch {
	case c.Fn == "store":
		c.form(true, 0, lower.Ptr, lower.Ptr, lower.U64)
	case c.Fn == "load" && len(c.Args) >= 4:
		c.form(true, 0, append([]lower.Type{lower.Ptr, lower.Ptr, lower.Ptr, lower.U64},
			slices.Repeat([]lower.Type{lower.S32}, len(c.Args)-4)...)...)
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
		c.want(a == c.Type || c.Type == lower.F16 && a == lower.U32)
	}
	for i, a := range factors {
		c.want(a == lower.U64 || a == lower.U32 && len(factors) == 5 && i < 4)
	}
}

// matMul checks MatMul: words or numbers, and the sums.
func (c *signatureCheck) matMul() {
	t, n := c.Type, len(c.Args)-len(c.Results)
	c.want((t.IsFloat() || t == lower.S32) && c.Fn != "" && n > 0 && len(c.Results) > 0)
	for i, a := range c.Args {
		want := lower.U32
		switch {
		case t == lower.F16 && i >= n && a == lower.U32: // two halves
		case i >= n || t == lower.F64 || t == lower.F32 && (c.Fn == "1684" || c.Fn == "1688.tf32"):
			want = t
		}
		if a != want {
			c.fail("operand %d of %v.%v has type %v, want %v", i+1, c.Op, t, a, want)
		}
	}
}

// form checks a condition on the attributes, the number of results and the operands.
func (c *signatureCheck) form(ok bool, results int, args ...lower.Type) {
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
func (c *signatureCheck) args(types ...lower.Type) {
	for i, t := range types {
		if i < len(c.Args) && c.Args[i] != t {
			c.fail("operand %d of %v.%v has type %v, want %v", i+1, c.Op, c.Type, c.Args[i], t)
		}
	}
}
