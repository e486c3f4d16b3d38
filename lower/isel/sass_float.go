package isel

import (
	"math"
	"strings"

	"gpupipe/lower"
	"gpupipe/lower/ir"
)

// minus is an operand with its sign changed.
func minus(o Operand, t lower.Type) Operand {
	if o.Kind == Immediate {
		o.Bits ^= 1 << (8*t.Size() - 1)
		return o
	}
	o.Not = !o.Not
	return o
}

// letters begin the mnemonics of a type.
var letters = map[lower.Type]string{lower.F16: "H", lower.BF16: "H", lower.F32: "F", lower.F64: "D"}

// float selects for arithmetic.
func (a *sass) float(in *ir.Instr) {
	t, v := in.Type, in.Result()
	mate := a.mates.of[v.ID]
	if mate != nil && !a.mates.high[v.ID] {
		return // with the upper one
	}
	d := a.dest(v)
	arg := func(i int) Operand {
		if mate != nil {
			return a.both(mate.Def.Args[i], in.Args[i])
		}
		return a.withSign(in.Args[i])
	}
	x := arg(0)
	suffix, name := "", letters[t]
	switch t {
	case lower.F16:
		suffix = "2"
	case lower.BF16:
		suffix = "2.BF16_V2"
		if !a.t.Has("clusters") && a.bfloatSum(in, d, x, arg) {
			return
		}
	}
	switch in.Op {
	case lower.Add:
		a.emit(name+"ADD"+suffix, d, nil, x, arg(1))
	case lower.Sub:
		y := arg(1)
		if mate != nil {
			y = opposite(y)
		} else {
			y = minus(y, t)
		}
		a.emit(name+"ADD"+suffix, d, nil, x, y)
	case lower.Mul:
		a.emit(name+"MUL"+suffix, d, nil, x, arg(1))
	case lower.Fma:
		a.emit(name+"FMA"+suffix, d, nil, x, arg(1), arg(2))
	case lower.Min, lower.Max:
		a.extremeFloat(in, d, x, arg(1))
	case lower.Neg:
		a.sign(in, d, minus(x, t))
	case lower.Abs:
		x.Abs, x.Not = true, false
		a.sign(in, d, x)
	}
}

// bfloatSum selects for sums and products of bfloat16 where the only instruction is that of a product and a sum
// (nvcc 11.8, sm_80; PTX ISA: add.bf16 and mul.bf16 from sm_90 on).
func (a *sass) bfloatSum(in *ir.Instr, d dest, x Operand, arg func(int) Operand) bool {
	const one, minusOne = 0x3f80_3f80, 0xbf80_bf80
	y := func(bits uint64) Operand { return Operand{Kind: Immediate, Bits: bits} }
	switch in.Op {
	case lower.Add:
		a.emit("HFMA2.BF16_V2", d, nil, x, y(one), arg(1))
	case lower.Sub:
		a.emit("HFMA2.BF16_V2", d, nil, arg(1), y(minusOne), x)
	case lower.Mul:
		negative := zero
		negative.Not = true
		a.emit("HFMA2.BF16_V2", d, nil, x, arg(1), negative)
	default:
		return false
	}
	return true
}

// sign writes a number with another sign, where no instruction reads it so.
func (a *sass) sign(in *ir.Instr, d dest, x Operand) {
	switch in.Type {
	case lower.F64:
		a.emit("DADD", d, nil, zero, x)
	case lower.F16:
		a.emit("HADD2", d, nil, x, zero)
	case lower.BF16:
		a.emit("HFMA2.BF16_V2", d, nil, zero, zero, x)
	default:
		a.emit("FADD", d, nil, x, zero)
	}
}

func (a *sass) extremeFloat(in *ir.Instr, d dest, x, y Operand) {
	p := always
	p.Not = in.Op == lower.Max
	switch {
	case in.Type == lower.F32:
		a.emit("FMNMX", d, nil, x, y, p)
	case in.Type == lower.F16 && a.t.Has("async copies"):
		a.emit("HMNMX2", d, nil, x, y, p)
	case in.Type == lower.BF16:
		a.emit("HMNMX2.BF16_V2", d, nil, x, y, p)
	case in.Type == lower.F16:
		a.byTable(in.Op.String()+".f16", in)
	default:
		a.byTable(in.Op.String()+".f64", in)
	}
}

// function selects for quotients and functions: sequences of the table.
func (a *sass) function(in *ir.Instr) {
	t := in.Type
	if in.Op == lower.Div && t.IsFloat() {
		a.quotient(in)
		return
	}
	if in.Op == lower.Div || in.Op == lower.Rem {
		name := in.Op.String() + "." + wholeType(t).String()
		a.byTable(name, in)
		return
	}
	fn, _ := lower.Mode(in.Fn)
	half, ok := strings.CutPrefix(fn, "half_")
	names := []string{fn}
	if ok { // the hardware's version has more than the 11 bits that are asked for
		names = []string{"native_" + half, half}
	}
	for _, n := range names {
		if key := n + "." + functionType(in).String(); a.table.find(key, a.t, a.accuracy(in)) != nil {
			a.byTable(key, in)
			return
		}
	}
	a.call("CALL.REL.NOINC", in)
}

// wholeType is the type of words that numbers of fewer bits lie in.
func wholeType(t lower.Type) lower.Type {
	switch {
	case !t.IsInteger() || t.Size() >= 4:
		return t
	case t.IsSigned():
		return lower.S32
	}
	return lower.U32
}

// conversion is the key of a conversion: of a narrow number, which lies in a word, where there are instructions, else
// of the word.
func (s *selector) conversion(to, from lower.Type) string {
	key := "convert." + wholeType(to).String() + "."
	if s.table.find(key+from.String(), s.t, s.f.Accuracy) != nil {
		return key + from.String()
	}
	return key + wholeType(from).String()
}

// quotient selects for a division: of 1, of a constant, by one, or of any two numbers.
func (a *sass) quotient(in *ir.Instr) {
	x, y := in.Args[0], in.Args[1]
	key := "div"
	args := []Operand{a.withSign(x), a.withSign(y)}
	switch {
	case y.IsConst() && powerOfTwo(y):
		a.emit(letters[in.Type]+"MUL", a.dest(in.Result()), nil, args[0], reciprocal(y))
		return
	case y.IsConst():
		key = "div.by"
	case x.IsConst() && one(x):
		key, args = "recip", args[1:]
	case x.IsConst():
		key = "div.of"
	}
	for _, k := range [...]string{key, "div"} {
		if t := a.table.find(k+"."+in.Type.String(), a.t, a.accuracy(in)); t != nil {
			a.want[in.Result().ID] = 3
			a.expand(t, args, []dest{a.dest(in.Result())})
			return
		}
		args = []Operand{a.withSign(x), a.withSign(y)}
	}
	a.fail(in, "no instructions for %v.%v", in.Op, in.Type)
}

// float64Of is the number that a constant is.
func float64Of(v *ir.Value) float64 {
	switch v.Type {
	case lower.F32:
		return float64(math.Float32frombits(uint32(v.Bits)))
	case lower.F64:
		return math.Float64frombits(v.Bits)
	}
	return 0
}

func one(v *ir.Value) bool { return float64Of(v) == 1 }

func powerOfTwo(v *ir.Value) bool {
	x := float64Of(v)
	frac, exp := math.Frexp(x)
	return (frac == 0.5 || frac == -0.5) && exp > -100 && exp < 100
}

func reciprocal(v *ir.Value) Operand {
	x := 1 / float64Of(v)
	if v.Type == lower.F64 {
		return Operand{Kind: Immediate, Bits: math.Float64bits(x)}
	}
	return Operand{Kind: Immediate, Bits: uint64(math.Float32bits(float32(x)))}
}
