package sass

import (
	"math"
	"math/bits"
	"strings"
)

// execute does one instruction.
func (t *thread) execute(in *operation) {
	words, carries, ok := t.evaluate(in)
	if !ok {
		t.forget(in)
		return
	}
	for i, d := range in.dsts {
		if i < 2 {
			t.write(d, value{uint32(words >> (32 * i)), true})
		} else {
			t.write(d, value{})
		}
	}
	for i, p := range in.pred {
		t.write(p, value{carries >> i & 1, true})
	}
}

// arguments reads all operands, each as the word it is, and whether all are known.
func (t *thread) arguments(in *operation) (a [8]uint64, ok bool) {
	if len(in.args) > len(a) {
		return a, false
	}
	for i, o := range in.args {
		v := t.read(o)
		if !v.known || o.abs {
			return a, false
		}
		a[i] = uint64(v.bits)
		if o.neg {
			a[i] = uint64(^v.bits) + 1 // 33 bits: with the carry of a subtraction
		}
	}
	return a, true
}

// evaluate returns the result of an instruction, up to two words, and the bits of the
// predicates that it writes; ok is false where that is not known.
func (t *thread) evaluate(in *operation) (r uint64, p uint32, ok bool) {
	name := strings.TrimPrefix(in.name, "U")
	if name == "SEL" || name == "PLOP3" || name == "ISETP" {
		if r, p, ok = t.partly(name, in); ok {
			return r, p, ok
		}
	}
	if name == "LDG" && t.launch.Number != nil {
		return t.loadNumber(in)
	}
	if r, p, ok = t.arithmetic(in); ok {
		return r, p, ok
	}
	a, ok := t.arguments(in)
	if !ok {
		return 0, 0, false
	}
	switch name {
	case "MOV", "S2R", "S2UR", "R2UR":
		return a[0], 0, true
	case "CS2R":
		return a[0], 0, in.Operands[len(in.Operands)-1] == "SRZ"
	case "LDC":
		return t.load(in)
	case "HFMA2":
		if in.constantMove() {
			return uint64(half(uint32(a[2])))<<16 | uint64(half(uint32(a[3]))), 0, true
		}
	case "IADD3":
		sum := a[0]&low(in, 0) + a[1]&low(in, 1) + a[2]&low(in, 2)
		if in.Has("X") {
			sum += a[3] + a[4]
		}
		carry := sum >> 32
		return sum & word, uint32(min(carry, 1)) | uint32(carry>>1)<<1, true
	case "IMAD":
		return t.multiplyAdd(in, a)
	case "LEA":
		return shiftAdd(in, a)
	case "SHF":
		return shift(in, a)
	case "LOP3":
		return logic(in, a)
	case "IABS":
		v := int32(a[0])
		return uint64(uint32(max(v, -v))), 0, true
	case "IMNMX":
		return choose(a[0], a[1], in.Has("U32"), a[2] != 0), 0, true
	case "PRMT":
		return permute(a[0]&word, a[1], a[2]&word), 0, true
	case "POPC":
		return uint64(bits.OnesCount32(uint32(a[0]))), 0, true
	}
	return roundedUp(in, a)
}

const word = 1<<32 - 1

// low is what of an addend counts: a negative one keeps its 33rd bit, unless the sum
// continues a longer one.
func low(in *operation, i int) uint64 {
	if in.args[i].neg && !in.Has("X") {
		return 1<<33 - 1
	}
	return word
}

// load reads a word of constant memory at a place that is known.
func (t *thread) load(in *operation) (uint64, uint32, bool) {
	v := t.read(in.args[0])
	if in.Has("64") {
		o := in.args[0]
		o.reg += 4
		h := t.read(o)
		return uint64(h.bits)<<32 | uint64(v.bits), 0, v.known && h.known
	}
	return uint64(v.bits), 0, v.known
}

// partly evaluates what may not need all its operands.
func (t *thread) partly(name string, in *operation) (r uint64, p uint32, ok bool) {
	switch name {
	case "SEL":
		if len(in.args) < 3 {
			return 0, 0, false
		}
		c := t.read(in.args[2])
		if !c.known {
			return 0, 0, false
		}
		o := in.args[0]
		if c.bits == 0 {
			o = in.args[1]
		}
		v := t.read(o)
		if o.neg {
			v.bits = -v.bits
		}
		return uint64(v.bits), 0, v.known
	case "PLOP3":
		return t.predicates(in)
	}
	return t.compare(in)
}

// predicates is a function of three predicates, by two look-up tables. It is known
// where the unknown ones do not matter.
func (t *thread) predicates(in *operation) (r uint64, p uint32, ok bool) {
	if len(in.args) < 5 {
		return 0, 0, false
	}
	for i, table := range in.args[3:5] {
		if i >= len(in.pred) || in.pred[i] < 0 {
			continue
		}
		yes, no := false, false
		for combination := range 8 {
			possible := true
			for j := range 3 {
				v := t.read(in.args[j])
				possible = possible && (!v.known || v.bits == uint32(combination>>(2-j)&1))
			}
			if possible {
				yes = yes || table.reg>>combination&1 == 1
				no = no || table.reg>>combination&1 == 0
			}
		}
		if yes && no {
			return 0, 0, false
		}
		if yes {
			p |= 1 << i
		}
	}
	return 0, p, true
}

// compare is ISETP.cond.bool: P, !P <- (a cond b) bool c; with EX the high words of a
// longer comparison, whose low words' result comes last.
func (t *thread) compare(in *operation) (r uint64, p uint32, ok bool) {
	if len(in.args) < 3 || in.args[0].invert || in.args[1].invert {
		return 0, 0, false
	}
	x, y, c := t.read(in.args[0]), t.read(in.args[1]), t.read(in.args[2])
	if !c.known {
		return 0, 0, false
	}
	and, or := in.Has("AND"), in.Has("OR")
	if and && c.bits == 0 {
		return 0, uint32(0), in.pred[1] < 0
	}
	if or && c.bits == 1 {
		return 0, 1, in.pred[1] < 0
	}
	if !x.known || !y.known || !and && !or {
		return 0, 0, false
	}
	if in.args[0].neg {
		x.bits = -x.bits
	}
	if in.args[1].neg {
		y.bits = -y.bits
	}
	less, equal := int32(x.bits) < int32(y.bits), x.bits == y.bits
	if in.Has("U32") {
		less = x.bits < y.bits
	}
	var extension *bool
	if in.Has("EX") {
		if len(in.args) < 4 {
			return 0, 0, false
		}
		e := t.read(in.args[3])
		if !e.known {
			return 0, 0, false
		}
		b := e.bits != 0
		extension = &b
	}
	tied := func(otherwise bool) bool {
		if extension != nil {
			return *extension
		}
		return otherwise
	}
	var yes bool
	switch {
	case in.Has("EQ"):
		yes = equal && tied(true)
	case in.Has("NE"):
		yes = !equal || tied(false)
	case in.Has("LT"):
		yes = less || equal && tied(false)
	case in.Has("LE"):
		yes = less || equal && tied(true)
	case in.Has("GT"):
		yes = !less && !equal || equal && tied(false)
	case in.Has("GE"):
		yes = !less && !equal || equal && tied(true)
	default:
		return 0, 0, false
	}
	if yes {
		return 0, 1, true
	}
	return 0, 2, true
}

// multiplyAdd is IMAD in its forms. The addend of WIDE is a pair of registers, or of
// words of the constant bank.
func (t *thread) multiplyAdd(in *operation, a [8]uint64) (r uint64, p uint32, ok bool) {
	x, y, z := a[0]&word, a[1]&word, a[2]&word
	signed := uint64(int64(int32(x)) * int64(int32(y)))
	if in.Has("U32") {
		signed = x * y
	}
	if !in.Has("WIDE") && !in.Has("HI") {
		sum := x*y + z
		if in.Has("X") {
			sum = x*y&word + z + a[3]
		}
		return sum & word, uint32(sum >> 32 & 1), true
	}
	o := in.args[2]
	switch {
	case o.kind == operandReg || o.kind == operandConstant:
		if o.reg++; o.kind == operandConstant {
			o.reg += 3
		}
		if h := t.read(o); h.known {
			z |= uint64(h.bits) << 32
		} else {
			return 0, 0, false
		}
	}
	if in.Has("HI") {
		z = a[2] & word << 32
		return (signed + z) >> 32 & word, 0, true
	}
	return signed + z, 0, true
}

// shiftAdd is LEA: (a << n) + b, or the high words of that, where the third operand
// is the high word of a.
func shiftAdd(in *operation, a [8]uint64) (r uint64, p uint32, ok bool) {
	wide, n, carry := a[0]&word, a[2], uint64(0)
	switch {
	case in.Has("HI") && in.Has("SX32"):
		wide = uint64(int64(int32(wide)))
		carry = a[3]
	case in.Has("HI"):
		wide |= a[2] & word << 32
		n, carry = a[3], a[4]
	}
	if in.Has("HI") {
		wide = wide << n >> 32
	} else {
		wide = wide << n & word
	}
	if !in.Has("X") {
		carry = 0
	}
	b := a[1] & word
	if in.args[0].neg { // 33 bits
		wide = uint64(uint32(wide))
	}
	sum := wide + b + carry
	return sum & word, uint32(sum >> 32 & 1), true
}

// shift is SHF: a funnel of the third operand above the first.
func shift(in *operation, a [8]uint64) (r uint64, p uint32, ok bool) {
	pair := a[2]&word<<32 | a[0]&word
	n := a[1]
	if in.Has("W") {
		n &= 31
	}
	n = min(n, 63)
	switch {
	case in.Has("L") && in.Has("HI"):
		return pair << n >> 32 & word, 0, true
	case in.Has("L"):
		return a[0] & word << n & word, 0, true
	case in.Has("HI") && (in.Has("S32") || in.Has("S64")):
		return uint64(int64(pair)>>n) >> 32 & word, 0, true
	case in.Has("HI"):
		return pair >> n >> 32 & word, 0, true
	case in.Has("S64"):
		return uint64(int64(pair)>>n) & word, 0, true
	case in.Has("R"):
		return pair >> n & word, 0, true
	}
	return 0, 0, false
}

// logic is LOP3: a function of three words by a look-up table; its predicate says
// whether the result is other than 0.
func logic(in *operation, a [8]uint64) (r uint64, p uint32, ok bool) {
	for i := range 8 {
		if a[3]>>i&1 == 0 {
			continue
		}
		m := uint64(word)
		for j := range 3 {
			x := a[j] & word
			if i>>(2-j)&1 == 0 {
				x = ^x & word
			}
			m &= x
		}
		r |= m
	}
	if r != 0 || a[4] != 0 {
		p = 1
	}
	return r, p, true
}

func choose(x, y uint64, unsigned, least bool) uint64 {
	less := int32(x) < int32(y)
	if unsigned {
		less = uint32(x) < uint32(y)
	}
	if less == least {
		return x & word
	}
	return y & word
}

// permute is PRMT: bytes of b above a, chosen by four digits.
func permute(a, selector, b uint64) (r uint64) {
	all := b<<32 | a
	for i := range 4 {
		s := selector >> (4 * i) & 0xf
		x := all >> (8 * (s & 7)) & 0xff
		if s&8 != 0 {
			x = uint64(uint8(int8(x) >> 7))
		}
		r |= x << (8 * i)
	}
	return r
}

// roundedUp is the conversion that a division of integers starts with: no less than the number.
func roundedUp(in *operation, a [8]uint64) (r uint64, p uint32, ok bool) {
	var n float64
	switch in.Op {
	case "I2F.U32.RP":
		n = float64(uint32(a[0]))
	case "I2F.RP":
		n = float64(int32(a[0]))
	default:
		return 0, 0, false
	}
	f := float32(n)
	if float64(f) < n {
		f = math.Nextafter32(f, math.MaxFloat32)
	}
	return uint64(math.Float32bits(f)), 0, true
}

// half is a number in half precision, for the few that moves have: normal ones and
// denormal ones that are exact.
func half(single uint32) uint16 {
	f := math.Float32frombits(single)
	sign := uint16(single >> 16 & 0x8000)
	x := math.Abs(float64(f))
	if x == 0 {
		return sign
	}
	fraction, exponent := math.Frexp(x) // x = fraction * 2^exponent, 0.5 <= fraction < 1
	if exponent < -13 {
		return sign | uint16(math.Ldexp(x, 24))
	}
	return sign | uint16(exponent+14)<<10 | uint16(math.Ldexp(fraction, 11))&0x3ff
}
