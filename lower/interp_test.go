package lower

import (
	"fmt"
	"math"
	"math/bits"
)

// interp executes a kernel for one work item: the oracle of the lowering tests.
// It is written for obviousness, one operation at a time.
type interp struct {
	k     *Kernel
	regs  []uint64
	mem   [][]byte // by ObjectID - 1
	index map[string]uint64
	steps int
	done  map[BranchID]int // how often each branch was met
}

// jump is how a block ended: label 0 = it ran to its end.
type jump struct {
	label Label
	cont  bool
}

const maxSteps = 1_000_000

type fault string

// run executes the kernel with buffers for its pointer parameters and bits for
// its scalars, both by name.
func (in *interp) run(buffers map[string][]byte, scalars map[string]uint64) (err error) {
	defer func() {
		if r := recover(); r != nil {
			f, ok := r.(fault)
			if !ok {
				panic(r)
			}
			err = fmt.Errorf("%s", string(f))
		}
	}()
	in.regs = make([]uint64, len(in.k.Regs))
	in.mem = make([][]byte, len(in.k.Objects))
	in.done = map[BranchID]int{}
	for i, o := range in.k.Objects {
		size := o.Size
		if size == 0 {
			size = 256
		}
		in.mem[i] = make([]byte, size)
		for j := range in.mem[i] {
			in.mem[i][j] = 0xa5 // what nobody wrote
		}
		copy(in.mem[i], o.Init)
	}
	for _, p := range in.k.Params {
		if p.Object != 0 {
			if b := buffers[p.Name]; b != nil {
				in.mem[p.Object-1] = b
			}
			in.regs[p.Reg-1] = uint64(p.Object) << 40
			continue
		}
		in.regs[p.Reg-1] = wrapBits(p.Type, scalars[p.Name])
	}
	if j := in.block(in.k.Body); j.label != 0 {
		return fmt.Errorf("jump to L%d left the kernel", j.label)
	}
	return nil
}

func (in *interp) block(b Block) jump {
	for _, s := range b {
		if in.steps++; in.steps > maxSteps {
			panic(fault("too many steps"))
		}
		var j jump
		switch s := s.(type) {
		case *Instr:
			in.instr(s)
		case *If:
			in.done[s.ID]++
			if in.value(s.Cond) != 0 {
				j = in.block(s.Then)
			} else {
				j = in.block(s.Else)
			}
		case *Loop:
			j = in.loop(s)
		case *Switch:
			j = in.switchStmt(s)
		case *Region:
			if j = in.block(s.Body); j.label == s.Label {
				j = jump{}
			}
		case *Leave:
			return jump{label: s.Label}
		case *Continue:
			return jump{label: s.Label, cont: true}
		}
		if j.label != 0 {
			return j
		}
	}
	return jump{}
}

func (in *interp) loop(s *Loop) jump {
	for first := true; ; first = false {
		if s.Kind != "do" || !first {
			if j := in.block(s.Cond); j.label != 0 {
				return j
			}
			if s.CondValue.Kind != 0 && in.value(s.CondValue) == 0 {
				return jump{}
			}
		}
		if j := in.block(s.Body); j.label == s.Label && !j.cont {
			return jump{}
		} else if j.label != 0 && j.label != s.Label {
			return j
		}
		if j := in.block(s.Post); j.label != 0 {
			return j
		}
	}
}

func (in *interp) switchStmt(s *Switch) jump {
	x := int64(in.value(s.Value))
	at := -1
	for i, c := range s.Cases {
		for _, v := range c.Values {
			if v == x {
				at = i
			}
		}
	}
	for i, c := range s.Cases {
		if at < 0 && c.Default {
			at = i
		}
	}
	for i := at; at >= 0 && i < len(s.Cases); i++ {
		if j := in.block(s.Cases[i].Body); j.label == s.Label {
			return jump{}
		} else if j.label != 0 {
			return j
		}
	}
	return jump{}
}

func (in *interp) value(o Operand) uint64 {
	switch o.Kind {
	case OperandReg:
		return in.regs[o.Reg-1]
	case OperandObject:
		return uint64(o.Object) << 40
	}
	return o.Bits
}

func (in *interp) instr(s *Instr) {
	a := make([]uint64, len(s.Args))
	for i, o := range s.Args {
		a[i] = in.value(o)
	}
	set := func(i int, t Type, v uint64) {
		if t.IsInteger() || t == Pred {
			v = wrapBits(t, v)
		}
		in.regs[s.Dsts[i]-1] = v
	}
	switch s.Op {
	case Load:
		b := in.at(a[0], s, int64(len(s.Dsts)))
		for i := range s.Dsts {
			set(i, s.Type, get(b[int64(i)*s.Type.Size():], s.Type))
		}
	case Store:
		b := in.at(a[0], s, int64(len(a)-1))
		for i, v := range a[1:] {
			put(b[int64(i)*s.Type.Size():], s.Type, v)
		}
	case Atomic:
		b := in.at(a[0], s, 1)
		old := get(b, s.Type)
		put(b, s.Type, wrapBits(s.Type, atomicResult(s, wrapBits(s.Type, old), a[1:])))
		set(0, s.Type, old)
	case Barrier, Fence:
	case Index:
		set(0, s.Type, in.index[fmt.Sprintf("%s %d", s.Fn, s.Dim)])
	case PtrAdd:
		set(0, Ptr, a[0]+uint64(int64(a[1])*s.Scale))
	case PtrDiff:
		set(0, S64, uint64((int64(a[0])-int64(a[1]))/s.Scale))
	case Select:
		if a[0] != 0 {
			set(0, s.Type, a[1])
		} else {
			set(0, s.Type, a[2])
		}
	case Mov:
		set(0, s.Type, a[0])
	case Bitcast:
		set(0, s.Type, a[0])
	case Convert:
		set(0, s.Type, convertBits(s, a[0]))
	case Call:
		for i, v := range callResults(s, a) {
			set(i, in.k.Reg(s.Dsts[i]).Type, v)
		}
	default:
		if s.Op.IsComparison() {
			set(0, Pred, compareBits(s.Op, s.Type, a[0], a[1]))
			return
		}
		set(0, s.Type, arithBits(s.Op, s.Type, a))
	}
}

// at is the memory that an access touches, checked against bounds, alignment
// and address space.
func (in *interp) at(addr uint64, s *Instr, n int64) []byte {
	id, off := addr>>40, int64(addr&(1<<40-1))
	if id == 0 || id > uint64(len(in.mem)) || off+n*s.Type.Size() > int64(len(in.mem[id-1])) {
		panic(fault(fmt.Sprintf("%v: %v at offset %d of object %d is outside", s.Pos, s.Op, off, id)))
	}
	if off%s.Align != 0 {
		panic(fault(fmt.Sprintf("%v: %v at offset %d is not aligned to %d", s.Pos, s.Op, off, s.Align)))
	}
	if s.Whole > 0 && off%s.Whole != s.Offset {
		panic(fault(fmt.Sprintf("%v: %v at offset %d, want %d of %d", s.Pos, s.Op, off, s.Offset, s.Whole)))
	}
	if have := in.k.Objects[id-1].Space; have != s.Space {
		panic(fault(fmt.Sprintf("%v: %v.%v touches %v memory", s.Pos, s.Op, s.Space, have)))
	}
	return in.mem[id-1][off:]
}

func get(b []byte, t Type) uint64 {
	var v uint64
	for i := range t.Size() {
		v |= uint64(b[i]) << (8 * i)
	}
	return v
}

func put(b []byte, t Type, v uint64) {
	for i := range t.Size() {
		b[i] = byte(v >> (8 * i))
	}
}

func toF(t Type, v uint64) float64 { return Operand{Type: t, Bits: v}.Float() }
func fromF(t Type, f float64) uint64 {
	return ConstFloat(t, f).Bits
}

func atomicResult(s *Instr, old uint64, a []uint64) uint64 {
	switch s.Fn {
	case "add":
		if s.Type.IsFloat() {
			return fromF(s.Type, toF(s.Type, old)+toF(s.Type, a[0]))
		}
		return old + a[0]
	case "sub":
		return old - a[0]
	case "inc":
		return old + 1
	case "dec":
		return old - 1
	case "xchg":
		return a[0]
	case "and":
		return old & a[0]
	case "or":
		return old | a[0]
	case "xor":
		return old ^ a[0]
	case "min":
		return arithBits(Min, s.Type, []uint64{old, a[0]})
	case "max":
		return arithBits(Max, s.Type, []uint64{old, a[0]})
	case "cmpxchg":
		if old == a[0] {
			return a[1]
		}
		return old
	}
	panic(fault("atomic " + s.Fn))
}

func convertBits(s *Instr, v uint64) uint64 {
	from, to := s.From, s.Type
	var f float64
	switch {
	case from.IsFloat():
		f = toF(from, v)
	case from == U64:
		f = float64(v)
	default:
		f = float64(int64(v))
	}
	if to.IsFloat() {
		return fromF(to, f)
	}
	lo, hi := intRange(to)
	if s.Fn != "" || from.IsFloat() {
		switch s.Fn {
		case "rte", "sat.rte":
			f = math.RoundToEven(f)
		case "rtp", "sat.rtp":
			f = math.Ceil(f)
		case "rtn", "sat.rtn":
			f = math.Floor(f)
		default:
			f = math.Trunc(f)
		}
		switch {
		case f != f:
			return 0
		case f < lo:
			return uint64(int64(lo))
		case f >= hi:
			if to == U64 {
				return math.MaxUint64
			}
			return uint64(int64(hi - 1))
		case to == U64:
			return uint64(f)
		}
		return uint64(int64(f))
	}
	return v
}

func callResults(s *Instr, a []uint64) []uint64 {
	x := toF(s.Type, a[0])
	r := func(f float64) []uint64 { return []uint64{fromF(s.Type, f)} }
	switch s.Fn {
	case "sqrt", "half_sqrt":
		return r(math.Sqrt(x))
	case "rsqrt", "half_rsqrt":
		return r(1 / math.Sqrt(x))
	case "floor":
		return r(math.Floor(x))
	case "native_divide":
		return r(x / toF(s.Type, a[1]))
	case "popcount":
		return []uint64{uint64(bits.OnesCount64(a[0] & (1<<(8*s.Type.Size()-1)<<1 - 1)))}
	case "sincos":
		return []uint64{fromF(s.Type, math.Sin(x)), fromF(s.Type, math.Cos(x))}
	case "fract":
		return []uint64{fromF(s.Type, x-math.Floor(x)), fromF(s.Type, math.Floor(x))}
	case "frexp":
		m, e := math.Frexp(x)
		return []uint64{fromF(s.Type, m), uint64(int64(e))}
	}
	panic(fault("call " + s.Fn))
}

func compareBits(op Op, t Type, a, b uint64) uint64 {
	var lt, eq, gt bool
	switch {
	case t.IsFloat():
		x, y := toF(t, a), toF(t, b)
		lt, eq, gt = x < y, x == y, x > y
	case t.IsSigned():
		lt, eq, gt = int64(a) < int64(b), a == b, int64(a) > int64(b)
	default:
		lt, eq, gt = a < b, a == b, a > b
	}
	r := map[Op]bool{Lt: lt, Le: lt || eq, Gt: gt, Ge: gt || eq, Eq: eq, Ne: !eq}[op]
	return uint64(b2i(r))
}

func arithBits(op Op, t Type, a []uint64) uint64 {
	if t.IsFloat() {
		x := toF(t, a[0])
		var y, z float64
		if len(a) > 1 {
			y = toF(t, a[1])
		}
		if len(a) > 2 {
			z = toF(t, a[2])
		}
		f, ok := map[Op]float64{Add: x + y, Sub: x - y, Mul: x * y, Div: x / y, Neg: -x, Abs: math.Abs(x),
			Fma: math.FMA(x, y, z), Min: math.Min(x, y), Max: math.Max(x, y)}[op]
		if !ok {
			panic(fault(fmt.Sprintf("%v.%v", op, t)))
		}
		return fromF(t, f)
	}
	x := a[0]
	var y uint64
	if len(a) > 1 {
		y = a[1]
	}
	width := uint64(8 * t.Size())
	switch op {
	case Add:
		return x + y
	case Sub:
		return x - y
	case Mul:
		return x * y
	case Div, Rem:
		if y == 0 {
			panic(fault("division by zero"))
		}
		if t.IsSigned() {
			if op == Div {
				return uint64(int64(x) / int64(y))
			}
			return uint64(int64(x) % int64(y))
		}
		if op == Div {
			return x / y
		}
		return x % y
	case Neg:
		return -x
	case And:
		return x & y
	case Or:
		return x | y
	case Xor:
		return x ^ y
	case Not:
		if t == Pred {
			return x ^ 1
		}
		return ^x
	case Shl:
		return x << (y % width)
	case Shr:
		if t.IsSigned() {
			return uint64(int64(x) >> (y % width))
		}
		return x >> (y % width)
	case Min:
		if compareBits(Lt, t, y, x) != 0 {
			return y
		}
		return x
	case Max:
		if compareBits(Lt, t, x, y) != 0 {
			return y
		}
		return x
	case Abs:
		if int64(x) < 0 && t.IsSigned() {
			return -x
		}
		return x
	case Fma:
		return x*y + a[2]
	case MulHi:
		hi, lo := bits.Mul64(x, y)
		if width == 64 {
			if t.IsSigned() {
				hi -= y*(x>>63) + x*(y>>63)
			}
			return hi
		}
		return lo >> width
	}
	panic(fault(fmt.Sprintf("%v.%v", op, t)))
}
