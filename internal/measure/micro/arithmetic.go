package micro

import (
	"math"
	"strconv"
	"strings"

	"gpupipe/internal/measure"
	"gpupipe/internal/measure/driver"
)

// operation is an arithmetic instruction as both dialects write it, and what it computes.
type operation struct {
	typ       scalar
	opencl    string // of X, Y, A and B
	cuda      string // "" if the same; "-" if there is no such instruction
	a, b      float64
	paired    bool
	tolerance float64
	value     func(x, y, a, b float64) float64 // exact; the result is rounded to the type
}

func add(x, y, a, b float64) float64    { return x + a }
func mul(x, y, a, b float64) float64    { return x * a }
func mulAdd(x, y, a, b float64) float64 { return x*a + b }
func divide(x, y, a, b float64) float64 { return a / x }

func shiftLeft(x, _, a, _ float64) float64 { return float64(uint32(x) << uint32(a)) }
func shiftRight(x, _, a, _ int32) int32    { return x >> uint32(a) }
func addInts(x, y, _, _ int32) int32       { return x + y }
func mulInts(x, y, _, _ int32) int32       { return x * y }
func mulAddInts(x, _, a, b int32) int32    { return x*a + b }
func divideInts(x, _, a, _ int32) int32    { return a / x }

func integer(f func(x, y, a, b int32) int32) func(x, y, a, b float64) float64 {
	return func(x, y, a, b float64) float64 { return float64(f(int32(x), int32(y), int32(a), int32(b))) }
}
func function(f func(float64) float64) func(x, y, a, b float64) float64 {
	return func(x, _, _, _ float64) float64 { return f(x) }
}

// approximate is the tolerance of functions whose sequence comes to rest, whatever their last bits.
const approximate = 2e-2

// functionCalls are those in a loop's body.
const functionCalls = 32

// ptx is an instruction of one operand that CUDA C has no name for.
func ptx(name string) string { return `asm("` + name + ` %0, %1;" : "=f"(X) : "f"(X))` }

// halves is an instruction on both halves of registers, without a header.
func halves(name string, operands ...string) string {
	text := `asm("` + name + ` %0`
	var list []string
	for i, o := range operands {
		text += ", %" + strconv.Itoa(i+1)
		list = append(list, `"r"(`+o+`)`)
	}
	return text + `;" : "=r"(X) : ` + strings.Join(list, ", ") + ")"
}

// operations by the name of their class. Of integers, sums and products of two registers in turn, as
// in Fibonacci's sequence: a compiler would replace a chain of additions of one value by a product.
var operations = map[string]operation{
	"add.f32": {typ: f32, opencl: "X = X + A", a: 0.25, value: add},
	"mul.f32": {typ: f32, opencl: "X = X * A", a: -1, value: mul},
	"fma.f32": {typ: f32, opencl: "X = mad(X, A, B)", cuda: "X = fmaf(X, A, B)", a: 0.5, b: 1, value: mulAdd,
		tolerance: 1e-5},
	"div.f32": {typ: f32, opencl: "X = A / X", a: 2, value: divide, tolerance: approximate},
	"add.f64": {typ: f64, opencl: "X = X + A", a: 0.25, value: add},
	"mul.f64": {typ: f64, opencl: "X = X * A", a: -1, value: mul},
	"fma.f64": {typ: f64, opencl: "X = mad(X, A, B)", cuda: "X = fma(X, A, B)", a: 0.5, b: 1, value: mulAdd,
		tolerance: 1e-5},
	"div.f64": {typ: f64, opencl: "X = A / X", a: 2, value: divide, tolerance: approximate},
	"add.f16": {typ: f16, opencl: "X = X + A", cuda: halves("add.f16x2", "X", "A"), a: 1, value: add},
	"mul.f16": {typ: f16, opencl: "X = X * A", cuda: halves("mul.f16x2", "X", "A"), a: -1, value: mul},
	"fma.f16": {typ: f16, opencl: "X = mad(X, A, B)", cuda: halves("fma.rn.f16x2", "X", "A", "B"), a: 0.5,
		b: 1, value: mulAdd, tolerance: 1e-2},
	"fma.bf16": {typ: bf16x2, cuda: halves("fma.rn.bf16x2", "X", "A", "B"), a: 0.5, b: 1, value: mulAdd,
		tolerance: 1e-2},
	"div.f16": {typ: f16, opencl: "X = A / X", cuda: "-", a: 2, value: divide, tolerance: approximate},
	"add.s32": {typ: s32, opencl: "X = X + Y", paired: true, value: integer(addInts)},
	"mul.s32": {typ: s32, opencl: "X = X * Y", paired: true, value: integer(mulInts)},
	"mad.s32": {typ: s32, opencl: "X = X * A + B", a: 5, b: 7, value: integer(mulAddInts)},
	"div.s32": {typ: s32, opencl: "X = A / X", a: 1000003, value: integer(divideInts)},

	"cos.approx.f32": {typ: f32, opencl: "X = native_cos(X)", cuda: "X = __cosf(X)", value: function(math.Cos),
		tolerance: approximate},
	"sin.approx.f32": {typ: f32, opencl: "X = native_sin(X)", cuda: "X = __sinf(X)", value: function(math.Sin),
		tolerance: approximate},
	"exp2.approx.f32": {typ: f32, opencl: "X = native_exp2(-X)",
		cuda: `asm("ex2.approx.ftz.f32 %0, %1;" : "=f"(X) : "f"(-X))`, value: function(reciprocalPower),
		tolerance: approximate},
	"rsqrt.approx.f32": {typ: f32, opencl: "X = native_rsqrt(X)", cuda: ptx("rsqrt.approx.ftz.f32"),
		value: function(inverseRoot), tolerance: approximate},
	"sqrt.approx.f32": {typ: f32, opencl: "X = native_sqrt(X)", cuda: ptx("sqrt.approx.ftz.f32"),
		value: function(math.Sqrt), tolerance: approximate},
	"recip.approx.f32": {typ: f32, opencl: "X = native_recip(fabs(X))", // a reciprocal of a reciprocal is left out
		cuda:  `asm("rcp.approx.ftz.f32 %0, %1;" : "=f"(X) : "f"(fabsf(X)))`,
		value: function(func(x float64) float64 { return 1 / x }), tolerance: approximate},
	"cos.f32": {typ: f32, opencl: "X = cos(X)", cuda: "X = cosf(X)", value: function(math.Cos),
		tolerance: approximate},
	"sin.f32": {typ: f32, opencl: "X = sin(X)", cuda: "X = sinf(X)", value: function(math.Sin),
		tolerance: approximate},
	"exp2.f32": {typ: f32, opencl: "X = exp2(-X)", cuda: "X = exp2f(-X)", value: function(reciprocalPower),
		tolerance: approximate},
	"rsqrt.f32": {typ: f32, opencl: "X = rsqrt(X)", cuda: "X = rsqrtf(X)", value: function(inverseRoot),
		tolerance: approximate},
	"sqrt.f32": {typ: f32, opencl: "X = sqrt(X)", cuda: "X = sqrtf(X)", value: function(math.Sqrt),
		tolerance: approximate},

	// A conversion's result is taken as a number of the other type, bit for bit.
	"cvt.f32.s32": {typ: s32, opencl: "X = as_int((float)X)", cuda: "X = __float_as_int((float)X)",
		value: integer(func(x, _, _, _ int32) int32 { return int32(math.Float32bits(float32(x))) })},
	"cvt.s32.f32": {typ: f32, opencl: "X = as_float((int)X)", cuda: "X = __int_as_float((int)X)",
		value:     func(x, _, _, _ float64) float64 { return float64(math.Float32frombits(uint32(int32(x)))) },
		tolerance: approximate},
	"cvt.f64.s32": {typ: s32, opencl: "X = as_int2((double)X).y", cuda: "X = __double2hiint((double)X)",
		value: integer(func(x, _, _, _ int32) int32 { return int32(math.Float64bits(float64(x)) >> 32) })},
	"shl.s32": {typ: word, opencl: "X = X << A", a: 1, value: shiftLeft},
	"shr.s32": {typ: s32, opencl: "X = X >> A", a: 1, value: integer(shiftRight)},
	"select.s32": {typ: s32, opencl: "X = X < A ? B : Y", a: 50, b: 100, value: integer(func(x, y, a, b int32) int32 {
		if x < a {
			return b
		}
		return y
	})},
	"shuffle": {typ: s32, opencl: "X = SHUFFLE(X)", cuda: "X = __shfl_xor_sync(0xffffffffu, X, 1)"},
}

func reciprocalPower(x float64) float64 { return math.Exp2(-x) }
func inverseRoot(x float64) float64     { return 1 / math.Sqrt(x) }

// step writes the operation in a dialect.
func (o operation) step(d driver.Dialect) func(x, y string) string {
	text := o.opencl
	if d == driver.CUDA && o.cuda != "" {
		text = o.cuda
	}
	return func(x, y string) string {
		return strings.NewReplacer("X", x, "Y", y, "A", "a", "B", "b").Replace(text)
	}
}

// arithmeticSpec is the microbenchmark of an operation, or nil for other classes.
func arithmeticSpec(c measure.Class, d driver.Dialect) *spec {
	name := c.Name
	switch c.Kind {
	case measure.Issue, measure.Replacement:
		name = c.Op
	}
	o, ok := operations[name]
	if !ok {
		return nil
	}
	if o.typ == f16 && d == driver.CUDA {
		o.typ = f16x2
	}
	s := &spec{typ: o.typ, a: o.a, b: o.b, paired: o.paired, tolerance: o.tolerance, step: o.step(d)}
	if o.value == nil { // lanes exchange values an even number of times
		s.declare = shuffleDeclaration
		s.want = oddValue
		return s
	}
	if o.tolerance == approximate { // most of these are sequences of instructions
		s.unroll = functionCalls
	}
	s.want = func(at place, chain int) float64 {
		return o.sequence(oddValue(at, chain), otherValue(at), at.steps)
	}
	return s
}

const shuffleDeclaration = `#ifdef cl_khr_subgroup_shuffle
#define SHUFFLE(x) sub_group_shuffle_xor(x, 1u)
#elif defined(cl_intel_subgroups)
#define SHUFFLE(x) intel_sub_group_shuffle_xor(x, 1u)
#endif
`

// sequence is what a chain's first register holds after an even number of steps.
func (o operation) sequence(x, y float64, steps int64) float64 {
	x, y = o.round(x), o.round(y)
	before := math.NaN()
	for i := range steps {
		v := o.round(o.value(x, y, o.a, o.b))
		switch {
		case o.paired:
			x, y = y, v // each register in turn
			continue
		case v == x: // at rest
			return v
		case v == before: // alternates
			if (steps-1-i)%2 == 0 {
				return v
			}
			return x
		}
		before, x = x, v
	}
	return x
}

func (o operation) round(x float64) float64 {
	switch o.typ {
	case f32:
		return float64(float32(x))
	case f16, f16x2:
		return roundHalf(x)
	}
	return x
}

// roundHalf rounds to half precision, to the nearest even (IEEE 754 binary16).
func roundHalf(x float64) float64 {
	if x == 0 || math.IsNaN(x) || math.IsInf(x, 0) {
		return x
	}
	const bits, least, largest = 10, -14, 65504
	_, exponent := math.Frexp(x) // x = f·2^exponent, f in [1/2, 1)
	unit := math.Ldexp(1, max(exponent-1, least)-bits)
	if r := math.RoundToEven(x/unit) * unit; math.Abs(r) <= largest {
		return r
	}
	return math.Inf(int(math.Copysign(1, x)))
}
