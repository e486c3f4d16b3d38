package legal

import (
	"math/bits"

	"gpupipe/lower"
	"gpupipe/lower/ir"
)

// divider writes divisions by constants as products with magic numbers and shifts (Granlund and Montgomery,
// Division by Invariant Integers using Multiplication, 1994; LLVM's TargetLowering::BuildSDIV and BuildUDIV).
type divider struct {
	f   *ir.Func
	out *ir.Block
	in  *ir.Instr
}

// divide appends what a division or remainder by a constant becomes, and reports whether it is one.
func divide(f *ir.Func, out *ir.Block, in *ir.Instr) bool {
	if in.Op != lower.Div && in.Op != lower.Rem || !in.Type.IsInteger() || in.Type.Size() < 4 || !in.Args[1].IsConst() {
		return false
	}
	c := in.Args[1]
	if c.Bits == 0 || in.Type.IsSigned() && (c.Int() == -c.Int() || c.Int() == 1 || c.Int() == -1) {
		return false
	}
	n, d := len(out.Instrs), &divider{f: f, out: out, in: in}
	x, t := in.Args[0], in.Type
	var q *ir.Value
	switch {
	case t.IsSigned():
		q = d.signed(x, c.Int())
	default:
		q = d.unsigned(x, c.Bits)
	}
	if in.Op == lower.Rem {
		if m := abs(c.Int()); t.IsSigned() && m&(m-1) == 0 {
			q = d.op(lower.Sub, t, x, d.multiple(x, m))
		} else {
			q = d.op(lower.Sub, t, x, d.op(lower.Mul, t, q, c))
		}
	}
	last := d.out.Last()
	if last.Result() != q {
		out.Instrs = out.Instrs[:n]
		return false
	}
	last.Results = in.Results
	in.Results[0].Def = last
	return true
}

func abs(n int64) int64 { return max(n, -n) }

// op appends an operation.
func (d *divider) op(op lower.Op, t ir.Type, args ...*ir.Value) *ir.Value {
	return d.f.Emit(d.out, &ir.Instr{Op: op, Type: t, Args: args, Pos: d.in.Pos})
}

// as gives a value the type of another sign.
func (d *divider) as(v *ir.Value, t ir.Type) *ir.Value {
	if v.Type == t {
		return v
	}
	return d.f.Emit(d.out, &ir.Instr{Op: lower.Bitcast, Type: t, From: v.Type, Args: []*ir.Value{v}, Pos: d.in.Pos})
}

func unsignedOf(t ir.Type) ir.Type {
	if t.Size() == 8 {
		return lower.U64
	}
	return lower.U32
}

func (d *divider) amount(n int) *ir.Value { return d.f.Int(lower.U32, int64(n)) }

// biased adds to a number with a sign what makes a shift by k round towards zero.
func (d *divider) biased(x *ir.Value, k int) *ir.Value {
	t, u := x.Type, unsignedOf(x.Type)
	n := int(8 * t.Size())
	sign := x
	if k > 1 {
		sign = d.op(lower.Shr, t, x, d.amount(n-1))
	}
	low := d.op(lower.Shr, u, d.as(sign, u), d.amount(n-k))
	return d.op(lower.Add, t, x, d.as(low, t))
}

// multiple is the multiple of a power of two towards zero.
func (d *divider) multiple(x *ir.Value, n int64) *ir.Value {
	return d.op(lower.And, x.Type, d.biased(x, bits.TrailingZeros64(uint64(n))), d.f.Int(x.Type, -n))
}

func (d *divider) signed(x *ir.Value, c int64) *ir.Value {
	t, u := x.Type, unsignedOf(x.Type)
	n := int(8 * t.Size())
	if a := abs(c); a&(a-1) == 0 {
		if d.in.Op == lower.Rem {
			return nil
		}
		k := bits.TrailingZeros64(uint64(a))
		q := d.op(lower.Shr, t, d.biased(x, k), d.amount(k))
		if c < 0 {
			q = d.op(lower.Neg, t, q)
		}
		return q
	}
	m, s := signedMagic(c, uint(n))
	q := d.op(lower.MulHi, t, x, d.f.Int(t, m))
	switch {
	case c > 0 && m < 0:
		q = d.op(lower.Add, t, q, x)
	case c < 0 && m > 0:
		q = d.op(lower.Sub, t, q, x)
	}
	sign := d.op(lower.Shr, u, d.as(q, u), d.amount(n-1))
	if s > 0 {
		q = d.op(lower.Shr, t, q, d.amount(s))
	}
	return d.op(lower.Add, t, q, d.as(sign, t))
}

// signedMagic is the multiplier and shift of a signed division (Warren, Hacker's Delight, 10-1).
func signedMagic(c int64, n uint) (m int64, s int) {
	two := uint64(1) << (n - 1)
	ad := uint64(abs(c))
	t := two + uint64(c)>>63&1
	anc := t - 1 - t%ad
	p := n - 1
	q1, r1 := two/anc, two%anc
	q2, r2 := two/ad, two%ad
	for {
		p++
		q1, r1 = 2*q1, 2*r1
		if r1 >= anc {
			q1, r1 = q1+1, r1-anc
		}
		q2, r2 = 2*q2, 2*r2
		if r2 >= ad {
			q2, r2 = q2+1, r2-ad
		}
		delta := ad - r2
		if q1 > delta || q1 == delta && r1 != 0 {
			break
		}
	}
	m = int64(q2 + 1)
	if n == 32 {
		m = int64(int32(m))
	}
	if c < 0 {
		m = -m
	}
	return m, int(p - n)
}

func (d *divider) unsigned(x *ir.Value, c uint64) *ir.Value {
	t := x.Type
	n := uint(8 * t.Size())
	if c&(c-1) == 0 {
		return d.op(lower.Shr, t, x, d.amount(bits.TrailingZeros64(c)))
	}
	m, s, add := unsignedMagic(c, n, leadingZeros(x))
	if add && c%2 == 0 { // shifted first, the magic number has no bit more
		k := bits.TrailingZeros64(c)
		x = d.op(lower.Shr, t, x, d.amount(k))
		m, s, add = unsignedMagic(c>>k, n, uint(k))
	}
	q := d.op(lower.MulHi, t, x, d.f.Constant(t, m))
	if !add {
		if s == 0 {
			return q
		}
		return d.op(lower.Shr, t, q, d.amount(s))
	}
	h := d.op(lower.Shr, t, d.op(lower.Sub, t, x, q), d.amount(1))
	h = d.op(lower.Add, t, h, q)
	if s > 1 {
		h = d.op(lower.Shr, t, h, d.amount(s-1))
	}
	return h
}

// leadingZeros are those that a number is known to have.
func leadingZeros(x *ir.Value) uint {
	if x.DefOp() == lower.Shr && !x.Def.Type.IsSigned() && x.Def.Args[1].IsConst() {
		return uint(x.Def.Args[1].Int())
	}
	return 0
}

// unsignedMagic is the multiplier and shift of an unsigned division of numbers with leading zeros, and whether
// the multiplier has a bit more than a word (Hacker's Delight, 10-9).
func unsignedMagic(c uint64, n, zeros uint) (m uint64, s int, add bool) {
	for p := n; p < 2*n; p++ {
		// 2^p / c, rounded up, is enough where the error is at most 2^(p-n+zeros).
		hi, lo := uint64(0), uint64(1)<<p // 0 from 64 on
		if p >= 64 {
			hi = 1 << (p - 64)
		}
		over := hi / c // a quotient of more than 64 bits: only of 64-bit numbers, a bit more than a word
		q, rem := bits.Div64(hi%c, lo, c)
		e := uint64(0)
		if rem > 0 {
			q, e = q+1, c-rem
		}
		if fits := p - n + zeros; fits < 64 && e > 1<<fits {
			continue
		}
		if n == 32 {
			return q & 0xffffffff, int(p - n), q>>32 != 0
		}
		return q, int(p - n), over > 0
	}
	return 0, 0, false
}
