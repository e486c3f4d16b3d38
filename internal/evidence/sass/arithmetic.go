package sass

import "math"

// arithmetic evaluates instructions on floating-point numbers, to the nearest number whatever
// the rounding asked for: what branches depend on is not that close.
func (t *thread) arithmetic(in *operation) (r uint64, p uint32, ok bool) {
	switch in.name {
	case "FSETP", "DSETP":
		return t.compareNumbers(in)
	case "FCHK":
		return 0, 0, true // operands of ordinary exponents
	case "FSEL":
		return t.selectNumber(in)
	case "MUFU", "I2F", "F2I", "FRND":
		return t.function(in)
	case "FADD", "FMUL", "FFMA", "DADD", "DMUL", "DFMA":
	default:
		return 0, 0, false
	}
	var a [3]float64
	if len(in.args) > len(a) {
		return 0, 0, false
	}
	for i, o := range in.args {
		if a[i], ok = t.number(o, in.name[0] == 'D'); !ok {
			return 0, 0, false
		}
	}
	var f float64
	switch in.name[1:] {
	case "ADD":
		f = a[0] + a[1]
	case "MUL":
		f = a[0] * a[1]
	case "FMA":
		f = math.FMA(a[0], a[1], a[2])
	}
	if in.Has("SAT") {
		f = min(max(f, 0), 1)
	}
	if in.name[0] == 'D' {
		return math.Float64bits(f), 0, true
	}
	return single(f), 0, true
}

// single is a number of single precision as a word.
func single(f float64) uint64 { return uint64(math.Float32bits(float32(f))) }

// number reads an operand of single precision, or of double, which is a pair of registers.
func (t *thread) number(o operand, double bool) (f float64, ok bool) {
	v := t.read(operand{kind: o.kind, reg: o.reg})
	switch {
	case !v.known:
		return 0, false
	case o.kind == operandImm:
		f = o.number
	case double:
		high := o
		if high.reg++; o.kind == operandConstant {
			high.reg += 3
		}
		h := t.read(operand{kind: high.kind, reg: high.reg})
		if !h.known {
			return 0, false
		}
		f = math.Float64frombits(uint64(h.bits)<<32 | uint64(v.bits))
	default:
		f = float64(math.Float32frombits(v.bits))
	}
	if o.abs {
		f = math.Abs(f)
	}
	if o.neg {
		f = -f
	}
	return f, true
}

// compareNumbers is FSETP.cond.bool: P, Q <- (a cond b) bool c, !(a cond b) bool c.
func (t *thread) compareNumbers(in *operation) (r uint64, p uint32, ok bool) {
	if len(in.args) < 3 {
		return 0, 0, false
	}
	x, okX := t.number(in.args[0], in.name[0] == 'D')
	y, okY := t.number(in.args[1], in.name[0] == 'D')
	c := t.read(in.args[2])
	if !okX || !okY || !c.known {
		return 0, 0, false
	}
	var yes bool
	switch {
	case in.Has("EQ"), in.Has("EQU"):
		yes = x == y
	case in.Has("NE"), in.Has("NEU"):
		yes = x != y
	case in.Has("LT"), in.Has("LTU"):
		yes = x < y
	case in.Has("LE"), in.Has("LEU"):
		yes = x <= y
	case in.Has("GT"), in.Has("GTU"):
		yes = x > y
	case in.Has("GE"), in.Has("GEU"):
		yes = x >= y
	default:
		return 0, 0, false
	}
	with := func(yes bool) bool {
		if in.Has("OR") {
			return yes || c.bits != 0
		}
		return yes && c.bits != 0
	}
	for i, b := range [2]bool{with(yes), with(!yes)} {
		if b {
			p |= 1 << i
		}
	}
	return 0, p, true
}

// selectNumber is FSEL: the first or the second operand, by a predicate.
func (t *thread) selectNumber(in *operation) (r uint64, p uint32, ok bool) {
	if len(in.args) < 3 {
		return 0, 0, false
	}
	c := t.read(in.args[2])
	o := in.args[0]
	if c.bits == 0 {
		o = in.args[1]
	}
	f, ok := t.number(o, false)
	return single(f), 0, ok && c.known
}

// function is what the special function units do with one operand.
func (t *thread) function(in *operation) (r uint64, p uint32, ok bool) {
	if len(in.args) != 1 || in.Has("F64") || in.Has("S64") || in.Has("U64") || in.name == "I2F" && in.Has("RP") {
		return 0, 0, false
	}
	if in.Has("RCP64H") || in.Has("RSQ64H") {
		return t.highWord(in)
	}
	if in.name == "I2F" {
		v := t.read(in.args[0])
		if in.Has("U32") {
			return single(float64(v.bits)), 0, v.known
		}
		return single(float64(int32(v.bits))), 0, v.known
	}
	x, ok := t.number(in.args[0], false)
	if !ok {
		return 0, 0, false
	}
	whole := math.RoundToEven(x)
	switch {
	case in.Has("TRUNC"):
		whole = math.Trunc(x)
	case in.Has("FLOOR"):
		whole = math.Floor(x)
	case in.Has("CEIL"):
		whole = math.Ceil(x)
	}
	switch {
	case in.name == "FRND":
		return single(whole), 0, true
	case in.name == "F2I" && in.Has("U32"):
		return uint64(uint32(min(max(whole, 0), math.MaxUint32))), 0, true
	case in.name == "F2I":
		return uint64(uint32(int32(min(max(whole, math.MinInt32), math.MaxInt32)))), 0, true
	case in.Has("RCP"):
		return single(1 / x), 0, true
	case in.Has("RSQ"):
		return single(1 / math.Sqrt(x)), 0, true
	case in.Has("SQRT"):
		return single(math.Sqrt(x)), 0, true
	case in.Has("EX2"):
		return single(math.Exp2(x)), 0, true
	case in.Has("LG2"):
		return single(math.Log2(x)), 0, true
	case in.Has("SIN"):
		return single(math.Sin(2 * math.Pi * x)), 0, true
	case in.Has("COS"):
		return single(math.Cos(2 * math.Pi * x)), 0, true
	}
	return 0, 0, false
}

// highWord is the estimate of a reciprocal in double precision, of the high words alone.
func (t *thread) highWord(in *operation) (r uint64, p uint32, ok bool) {
	v := t.read(in.args[0])
	f := math.Float64frombits(uint64(v.bits) << 32)
	if in.Has("RSQ64H") {
		f = math.Sqrt(f)
	}
	return math.Float64bits(1/f) >> 32, 0, v.known
}

// loadNumber is a load of global memory.
func (t *thread) loadNumber(in *operation) (r uint64, p uint32, ok bool) {
	f := t.launch.Number(t.lane, t.loads)
	t.loads++
	if in.Has("64") {
		return math.Float64bits(f), 0, true
	}
	return single(f), 0, true
}
