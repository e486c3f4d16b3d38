package ptx

import (
	"math/bits"
	"slices"
)

// truncate keeps the low bits.
func truncate(x uint64, width int) uint64 {
	if width >= 64 {
		return x
	}
	return x & (1<<width - 1)
}

// signExtend reads the low bits as a signed number.
func signExtend(x uint64, width int) int64 {
	return int64(x<<(64-width)) >> (64 - width)
}

// evaluate computes an operation's result.
func (t *thread) evaluate(in *operation) value {
	if in.name == "" || len(in.args) == 0 {
		return value{}
	}
	var a [4]value
	unknown := false
	for i, o := range in.args {
		if i == len(a) {
			return value{}
		}
		a[i] = t.operand(o)
		unknown = unknown || !a[i].known
	}
	if unknown {
		return in.partly(a)
	}
	r, ok := in.compute(a[0].bits, a[1].bits, a[2].bits)
	if in.name == "mul" || in.name == "mad" {
		if slices.Contains(in.mods, "wide") {
			return value{truncate(r, 2*in.bits), ok}
		}
	}
	if in.name == "setp" {
		return value{r & 1, ok}
	}
	return value{truncate(r, in.bits), ok}
}

// partly is a result that follows although an operand is not known.
func (in *operation) partly(a [4]value) value {
	all := truncate(^uint64(0), in.bits)
	switch in.name {
	case "and":
		if a[0].known && a[0].bits == 0 || a[1].known && a[1].bits == 0 {
			return value{0, true}
		}
	case "or":
		if a[0].known && a[0].bits == all || a[1].known && a[1].bits == all {
			return value{all, true}
		}
	case "selp":
		switch {
		case a[2].known && a[2].bits&1 == 1:
			return a[0]
		case a[2].known:
			return a[1]
		case a[0] == a[1]:
			return a[0]
		}
	}
	return value{}
}

// compute does the arithmetic on known operands, which need not be truncated.
func (in *operation) compute(x, y, z uint64) (r uint64, ok bool) {
	w := in.bits
	ux, uy := truncate(x, w), truncate(y, w)
	sx, sy := signExtend(x, w), signExtend(y, w)
	switch in.name {
	case "mov", "cvta":
		return x, true
	case "cvt":
		if in.fromS {
			return uint64(signExtend(x, in.from)), true
		}
		return truncate(x, in.from), true
	case "add":
		return x + y, true
	case "sub":
		return x - y, true
	case "mul":
		return in.multiply(x, y)
	case "mad":
		p, ok := in.multiply(x, y)
		return p + z, ok
	case "div", "rem":
		return in.divide(ux, uy, sx, sy)
	case "min", "max":
		less := ux < uy
		if in.signed {
			less = sx < sy
		}
		if less == (in.name == "min") {
			return x, true
		}
		return y, true
	case "abs":
		return uint64(max(sx, -sx)), true
	case "neg":
		return -x, true
	case "not":
		return ^x, true
	case "and":
		return x & y, true
	case "or":
		return x | y, true
	case "xor":
		return x ^ y, true
	case "shl":
		return ux << min(uint32(y), 64), true
	case "shr":
		if in.signed {
			return uint64(sx >> min(uint32(y), 63)), true
		}
		return ux >> min(uint32(y), 64), true
	case "popc":
		return uint64(bits.OnesCount64(ux)), true
	case "selp":
		if z&1 == 1 {
			return x, true
		}
		return y, true
	case "setp":
		return in.compare(ux, uy, sx, sy)
	}
	return 0, false
}

func (in *operation) multiply(x, y uint64) (uint64, bool) {
	if in.bits > 32 && !slices.Contains(in.mods, "lo") {
		return 0, false
	}
	var p uint64
	if in.signed {
		p = uint64(signExtend(x, in.bits) * signExtend(y, in.bits))
	} else {
		p = truncate(x, in.bits) * truncate(y, in.bits)
	}
	if slices.Contains(in.mods, "hi") {
		p >>= in.bits
	}
	return p, true
}

func (in *operation) divide(ux, uy uint64, sx, sy int64) (uint64, bool) {
	switch {
	case uy == 0:
		return 0, false
	case in.name == "div" && in.signed:
		return uint64(sx / sy), true
	case in.name == "div":
		return ux / uy, true
	case in.signed:
		return uint64(sx % sy), true
	}
	return ux % uy, true
}

func (in *operation) compare(ux, uy uint64, sx, sy int64) (uint64, bool) {
	if len(in.mods) != 1 {
		return 0, false
	}
	order := 0
	switch {
	case in.signed && sx < sy, !in.signed && ux < uy:
		order = -1
	case ux != uy:
		order = 1
	}
	var yes bool
	switch in.mods[0] {
	case "eq":
		yes = order == 0
	case "ne":
		yes = order != 0
	case "lt", "lo":
		yes = order < 0
	case "le", "ls":
		yes = order <= 0
	case "gt", "hi":
		yes = order > 0
	case "ge", "hs":
		yes = order >= 0
	default:
		return 0, false
	}
	if yes {
		return 1, true
	}
	return 0, true
}
