package unroll

import (
	"gpupipe/lower"
	"gpupipe/unroll/arithmetic"
)

// vectors hands out the lanes of values.
type vectors struct {
	block []uint64
	used  int
	// uniform holds the lanes of up to two operands that are equal in all.
	uniform [2][maxLanes]uint64
}

// vectorsPerBlock is how many values' lanes are allocated at a time.
const vectorsPerBlock = 32

// newLanes returns room for the contents of all lanes. What it holds is not
// defined.
func (r *resolver) newLanes() []uint64 {
	p, n := &r.vectors, r.opt.WarpSize
	if p.used+n > len(p.block) {
		p.block, p.used = r.st.spares.lanes.take(vectorsPerBlock*n), 0
	}
	p.used += n
	return p.block[p.used-n : p.used : p.used]
}

// compact stores equal lanes once.
func (r *resolver) compact(v *value) {
	if v.lanes == nil {
		return
	}
	if u, ok := v.uniform(v.known); ok {
		if p := &r.vectors; p.used >= len(v.lanes) && &v.lanes[0] == &p.block[p.used-len(v.lanes)] {
			p.used -= len(v.lanes)
		}
		v.u, v.lanes = u, nil
	}
}

// lanesOf returns the contents of a value by lane, valid until it is called again
// with the same i, 0 or 1.
func (r *resolver) lanesOf(v *value, i int) []uint64 {
	if v.lanes != nil {
		return v.lanes
	}
	s := r.vectors.uniform[i][:r.opt.WarpSize]
	for l := range s {
		s[l] = v.u
	}
	return s
}

// integerLanes evaluates the most common integer operations in all lanes, known or
// not. It reports false for the others.
func (r *resolver) integerLanes(in *lower.Instr, args []*value, out []uint64) bool {
	t := in.Type
	if !t.IsInteger() {
		return false
	}
	a := r.lanesOf(args[0], 0)[:len(out)]
	switch in.Op {
	case lower.Convert, lower.Bitcast:
		if !in.From.IsInteger() || in.Fn != "" {
			return false
		}
		copy(out, a)
		extend(out, t)
		return true
	}
	if len(args) != 2 {
		return false
	}
	b := r.lanesOf(args[1], 1)[:len(out)]
	switch in.Op {
	case lower.Add:
		for l := range out {
			out[l] = a[l] + b[l]
		}
	case lower.Sub:
		for l := range out {
			out[l] = a[l] - b[l]
		}
	case lower.Mul:
		for l := range out {
			out[l] = a[l] * b[l]
		}
	case lower.And:
		for l := range out {
			out[l] = a[l] & b[l]
		}
	case lower.Shl:
		if in.Clamps() {
			return false
		}
		mask := uint64(8*t.Size() - 1)
		for l := range out {
			out[l] = a[l] << (b[l] & mask)
		}
	case lower.Lt, lower.Le, lower.Gt, lower.Ge:
		compareLanes(in.Op, t.IsSigned(), a, b, out)
		return true
	default:
		return false
	}
	extend(out, t)
	return true
}

// compareLanes evaluates an order in all lanes.
func compareLanes(op lower.Op, signed bool, a, b, out []uint64) {
	if op == lower.Gt || op == lower.Le {
		a, b = b, a
	}
	bias, not := uint64(0), uint64(0)
	if signed {
		bias = 1 << 63 // maps signed order to unsigned order
	}
	if op == lower.Le || op == lower.Ge {
		not = 1
	}
	for l := range out {
		out[l] = arithmetic.FromBool(a[l]^bias < b[l]^bias) ^ not
	}
}

// extend does what canon does in every lane.
func extend(out []uint64, t lower.Type) {
	switch t {
	case lower.S64, lower.U64:
	case lower.S32:
		for l, x := range out {
			out[l] = uint64(int64(int32(x)))
		}
	case lower.U32:
		for l, x := range out {
			out[l] = uint64(uint32(x))
		}
	default:
		for l, x := range out {
			out[l] = arithmetic.Canon(t, x)
		}
	}
}
