package loops

import (
	"slices"

	"gpupipe/lower"
	"gpupipe/lower/ir"
	"gpupipe/lower/profile"
	"gpupipe/unroll/arithmetic"
)

// nearSpaces are the address spaces of which addresses have 32 bits: an index into them is not extended, so that
// its sum may wrap around.
type nearSpaces struct {
	f    *ir.Func
	list []string
}

func nearOf(f *ir.Func, c *profile.Context) nearSpaces { return nearSpaces{f, c.Profile.Address.Near} }

// nearDepth is how many additions an address's object is looked for behind.
const nearDepth = 16

// has reports whether a pointer is known to be into one of them.
func (n nearSpaces) has(p *ir.Value) bool {
	if len(n.list) == 0 {
		return false
	}
	for range nearDepth {
		if p.DefOp() != lower.PtrAdd {
			break
		}
		p = p.Def.Args[0]
	}
	if p.Object == 0 || p.Kind != ir.Address && p.Kind != ir.KernelArg {
		return false
	}
	return slices.Contains(n.list, n.f.Object(p.Object).Space.String())
}

// modularDepth is how many operations of an index are looked through.
const modularDepth = 10

// modular is a 32-bit integer as a sum modulo 2^32.
func (s *sums) modular(v *ir.Value, depth int) *sum {
	if v.IsConst() {
		return &sum{typ: lower.S64, c: int64(int32(v.Int())), exact: true}
	}
	alone := atom(v)
	alone.typ = lower.S64
	if v.Kind != ir.Result || depth == 0 || v.Type.Size() != 4 {
		return alone
	}
	in := v.Def
	var out *sum
	arg := func(i int) *sum { return s.modular(in.Args[i], depth-1) }
	switch in.Op {
	case lower.Add:
		out = arg(0).plus(arg(1), 1, lower.S64)
	case lower.Sub:
		out = arg(0).plus(arg(1), -1, lower.S64)
	case lower.Mul:
		out = arg(0).times(arg(1))
	case lower.Shl:
		if in.Args[1].IsConst() {
			if n := arithmetic.ShiftCount(in.Type, in.Args[1].Bits, in.Fn == "clamp"); n < 31 {
				out = arg(0).scaled(1 << n)
			}
		}
	case lower.Bitcast:
		if in.From.IsInteger() {
			out = arg(0)
		}
	}
	if out == nil {
		return alone
	}
	return out
}
