package translate

import (
	"strings"

	"gpupipe/frontend/ast"
	"gpupipe/frontend/ctypes"
	"gpupipe/frontend/inlineptx"
	"gpupipe/frontend/tensor"
	"gpupipe/idg"
	"gpupipe/internal/target"
	"gpupipe/lower"
)

// Fragments of matrices become what nvcc 11.8 makes of them (docs/evidence/fidelity.md, Tensor cores): loads
// and stores of words by lanes, and matrix instructions. A matrix is cut into blocks of 8x8. Below,
// lines are the rows of a and of the sum and the columns of b, of which a work item holds parts;
// natural is a layout in memory in which a line's elements lie next to each other.

// tensor lowers the functions of fragments.
func (l *lowerer) tensor(e *ast.BuiltinCall) value {
	pos := e.Pos()
	cores, ok := l.tensorCores(pos)
	switch {
	case !ok:
		return l.poison(e.T)
	case strings.HasPrefix(e.Builtin.Name, inlineptx.GroupProduct):
		return l.groupProduct(e, cores)
	case e.Builtin.Name == inlineptx.MatrixLoad:
		return l.matrixLoad(e, cores)
	case e.Builtin.Name == inlineptx.MatrixStore:
		return l.matrixStore(e, cores)
	case inlineptx.ProductOf(e.Builtin.Name) != nil:
		return l.matrixProduct(e, cores)
	}
	t := tensorLowerer{lowerer: l, cores: cores, pos: pos, f: tensor.FragmentOf(e.Args[0].Type().Elem),
		part: l.pointerArg(e.Args[0])}
	if t.f == nil {
		l.unsupported(pos, "this fragment")
		return value{typ: e.T}
	}
	if !t.available() {
		return value{typ: e.T}
	}
	switch e.Builtin.Name {
	case "fill":
		t.fill(l.expr(e.Args[1]).one())
	case "mma":
		t.product(l.pointerArg(e.Args[1]), l.pointerArg(e.Args[2]), l.pointerArg(e.Args[3]),
			tensor.FragmentOf(e.Args[1].Type().Elem))
	default:
		t.matrix = l.pointerArg(e.Args[1])
		t.space = l.spaceOf(t.matrix, pos)
		t.stride = l.expr(e.Args[2]).one()
		t.lane = l.workItemIndex32("get_sub_group_local_id", pos)
		colMajor := l.expr(e.Args[3]).one().Bits != 0
		switch {
		case t.f.Use == 'c':
			t.accumulator(colMajor, e.Builtin.Name == "store")
		case t.f.Factor == tensor.TF32 || t.f.Factor == tensor.Double:
			t.factorElements(t.natural(colMajor))
		case t.f.Factor == tensor.Char || t.f.Factor == tensor.UChar:
			t.factorBytes(t.natural(colMajor))
		case cores == target.Volta:
			t.factorVolta(t.natural(colMajor))
		default:
			t.factor(t.natural(colMajor))
		}
	}
	return value{typ: e.T}
}

// tensorCores is the generation that the code is for; false, with an error, if the device has none.
func (l *lowerer) tensorCores(pos Pos) (target.TensorCores, bool) {
	switch l.unit.Target.TensorCores {
	case 0:
		return target.Ampere, true
	case target.NoTensorCores:
		l.unsupported(pos, "the device has no tensor cores of NVIDIA's").WithNote(
			"choose one of compute capability 7.0 or more, or write the product with fma")
		return 0, false
	}
	return l.unit.Target.TensorCores, true
}

// workItemIndex32 emits a work-item function of 32 bits without a dimension.
func (l *lowerer) workItemIndex32(fn string, pos Pos) Operand {
	dst := l.temp(lower.U32)
	l.emit(&Instr{Op: lower.Index, Type: lower.U32, Fn: fn, Dsts: []Reg{dst.Reg}, Pos: pos})
	return dst
}

// tensorLowerer lowers one function of a fragment.
type tensorLowerer struct {
	*lowerer
	cores  target.TensorCores
	pos    Pos
	f      *tensor.Fragment
	part   place // the fragment
	matrix place // in memory
	space  lower.Space
	stride Operand // U32: elements from one row, or column, to the next
	lane   Operand // U32
}

// natural reports whether the lines of a factor lie in memory one behind the other.
func (t *tensorLowerer) natural(colMajor bool) bool { return colMajor == (t.f.Use == 'b') }

// lines are how many lines a factor has.
func (t *tensorLowerer) lines() int {
	if t.f.Use == 'a' {
		return t.f.M
	}
	return t.f.N
}

// Integer arithmetic of addresses.
func (t *tensorLowerer) and(x Operand, n int64) Operand {
	return t.op(lower.And, lower.U32, t.pos, x, lower.ConstInt(lower.U32, n))
}
func (t *tensorLowerer) shr(x Operand, n int64) Operand {
	return t.op(lower.Shr, lower.U32, t.pos, x, lower.ConstInt(lower.U32, n))
}
func (t *tensorLowerer) times(x Operand, n int64) Operand {
	return t.op(lower.Mul, lower.U32, t.pos, x, lower.ConstInt(lower.U32, n))
}
func (t *tensorLowerer) plus(x, y Operand) Operand {
	return t.op(lower.Add, lower.U32, t.pos, x, y)
}

// at is the address of the element in a line of memory, lines and elements being sums of a part
// that differs among the lanes and a constant.
func (t *tensorLowerer) at(line Operand, line0 int64, elem Operand, elem0 int64) Operand {
	sub, kept := t.subscript, t.kept
	t.subscript, t.kept = true, false
	defer func() { t.subscript, t.kept = sub, kept }()
	i := t.plus(t.op(lower.Mul, lower.U32, t.pos, line, t.stride), elem)
	if line0 != 0 {
		i = t.plus(i, t.times(t.stride, line0))
	}
	p := t.ptrAdd(t.matrix.base, i, t.size(), "", t.pos)
	return t.lowerer.plus(p, elem0*t.size(), t.pos)
}

// size is that of an element in bytes.
func (t *tensorLowerer) size() int64 { return ctypes.Scalar(t.f.Elem).Size() }

// load emits a load of n elements of a type.
func (t *tensorLowerer) load(typ Type, n int, address Operand) []Operand {
	in := &Instr{Op: lower.Load, Type: typ, Args: []Operand{address}, Space: t.space, Align: typ.Size() * int64(n),
		Pos: t.pos}
	var ops []Operand
	for range n {
		x := t.temp(typ)
		in.Dsts, ops = append(in.Dsts, x.Reg), append(ops, x)
	}
	t.add(in, t.pos)
	return ops
}

// transposed exchanges a word's elements of a block among the lanes (MOVM).
func (t *tensorLowerer) transposed(word Operand) Operand {
	dst := t.temp(word.Type)
	t.add(&Instr{Op: lower.SubGroup, Type: word.Type, Fn: "transpose", Dsts: []Reg{dst.Reg}, Args: []Operand{word},
		Pos: t.pos}, t.pos)
	return dst
}

// set writes consecutive parts of a fragment.
func (t *tensorLowerer) set(first int, values ...Operand) {
	for i, v := range values {
		n := int64(first + i)
		t.add(&Instr{Op: lower.Store, Type: v.Type, Args: []Operand{t.lowerer.plus(t.part.base, n*v.Type.Size(),
			t.pos), v},
			Space: t.spaceOf(t.part, t.pos), Align: v.Type.Size(), Pos: t.pos}, t.pos)
	}
}

// parts reads consecutive parts of a fragment.
func (t *tensorLowerer) parts(of place, typ Type, first, n int) (out []Operand) {
	for i := range n {
		x := t.temp(typ)
		address := t.lowerer.plus(of.base, int64(first+i)*typ.Size(), t.pos)
		t.add(&Instr{Op: lower.Load, Type: typ, Dsts: []Reg{x.Reg}, Args: []Operand{address}, Space: t.spaceOf(of,
			t.pos),
			Align: typ.Size(), Pos: t.pos}, t.pos)
		out = append(out, x)
	}
	return out
}

// fill gives all elements of a fragment one value; of a factor of words, its words a value.
func (t *tensorLowerer) fill(v Operand) {
	if !t.f.Separate() {
		v = lower.Zero(lower.U32)
	}
	for i := range t.f.Elements() {
		t.set(i, v)
	}
}

// factor loads a or b of 16-bit elements from compute capability 7.5 on: word 2i + k is that of block k of line block
// i. From local memory two or four blocks come with one instruction (LDSM), for which each lane gives
// the address of a line of a block; here each lane reads as many bytes of the same lines. From
// elsewhere each lane loads its own words, and exchanges them where the layout is not natural.
func (t *tensorLowerer) factor(natural bool) {
	blocks := t.lines() / 8
	if t.space != idg.SpaceLocal || t.f.Factor == tensor.BFloat {
		line, elem := t.shr(t.lane, 2), t.times(t.and(t.lane, 3), 2)
		for i := range blocks {
			for k := range 2 {
				l0, e0 := int64(8*i), int64(8*k)
				if !natural {
					l0, e0 = e0, l0
				}
				w := t.load(lower.U32, 1, t.at(line, l0, elem, e0))[0]
				if !natural {
					w = t.transposed(w)
				}
				t.set(2*i+k, w)
			}
		}
		return
	}
	if t.cores >= target.Ampere && blocks >= 2 {
		line, elem := t.and(t.lane, 15), t.times(t.shr(t.lane, 4), 8)
		for i := 0; i < blocks; i += 2 {
			l0, e0 := int64(8*i), int64(0)
			if !natural {
				l0, e0 = e0, l0
			}
			t.set(2*i, t.load(lower.U32, 4, t.at(line, l0, elem, e0))...)
		}
		return
	}
	// 16 lines of 16 bytes, of which each lane reads half of one.
	block, line, half := t.shr(t.lane, 4), t.and(t.shr(t.lane, 1), 7), t.times(t.and(t.lane, 1), 4)
	elem := t.plus(t.times(block, 8), half)
	if !natural {
		line, elem = t.plus(t.times(block, 8), line), half
	}
	for i := range blocks {
		l0, e0 := int64(8*i), int64(0)
		if !natural {
			l0, e0 = e0, l0
		}
		t.set(2*i, t.load(lower.U32, 2, t.at(line, l0, elem, e0))...)
	}
}

// quad is what a lane's place among the four groups of four of each half of a warp decides on
// Volta: where its lines begin among n, of which a (bit 0) or b (bit 1) has 16.
func (t *tensorLowerer) quad(n int, bit int64) Operand {
	q := t.and(t.shr(t.lane, 2), 3)
	switch n {
	case 32:
		return t.times(q, 8)
	case 16:
		return t.times(t.and(t.shr(q, bit), 1), 8)
	}
	return lower.ConstInt(lower.U32, 0)
}

// within is a lane's line within eight on Volta.
func (t *tensorLowerer) within() Operand {
	return t.plus(t.and(t.lane, 3), t.times(t.shr(t.lane, 4), 4))
}

// factorVolta loads a or b for compute capability 7.0, where each lane holds a line of 16 elements,
// or, of a layout that is not natural, four of each fourth line of memory.
func (t *tensorLowerer) factorVolta(natural bool) {
	bit := int64(0)
	if t.f.Use == 'b' {
		bit = 1
	}
	base := t.quad(t.lines(), bit)
	if natural {
		line := t.plus(base, t.within())
		for i := range 2 {
			t.set(4*i, t.load(lower.U32, 4, t.at(line, 0, lower.ConstInt(lower.U32, 0), int64(8*i)))...)
		}
		return
	}
	elem := t.plus(base, t.times(t.shr(t.lane, 4), 4))
	for i := range 4 {
		t.set(2*i, t.load(lower.U32, 2, t.at(t.and(t.lane, 3), int64(4*i), elem, 0))...)
	}
}

// element is where elements of an accumulator lie in memory: so many of a line, the first at the
// place of the fragment.
type element struct {
	place, n     int
	line, elem   Operand
	line0, elem0 int64
	transposed   bool // a word whose halves other lanes have
}

// accumulator loads or stores a sum.
func (t *tensorLowerer) accumulator(colMajor, store bool) {
	list := t.elements(colMajor)
	if t.cores == target.Volta { // which sums products of halves alone
		list = t.elementsVolta(colMajor)
	}
	typ := lower.IrType(ctypes.Scalar(t.f.Elem))
	for _, e := range list {
		address := t.at(e.line, e.line0, e.elem, e.elem0)
		if !store {
			values := t.load(typ, e.n, address)
			if e.transposed {
				t.exchange(values)
			}
			t.set(e.place, values...)
			continue
		}
		values := t.parts(t.part, typ, e.place, e.n)
		if e.transposed {
			t.exchange(values)
		}
		t.add(&Instr{Op: lower.Store, Type: typ, Args: append([]Operand{address}, values...), Space: t.space,
			Align: typ.Size() * int64(e.n), Pos: t.pos}, t.pos)
	}
}

// exchange exchanges halves among the lanes: one instruction for the word that they are.
func (t *tensorLowerer) exchange(values []Operand) {
	word := t.transposed(values[0])
	for i := range values {
		values[i] = word
	}
}

// turned reports whether a sum is computed transposed: that of 8x32, where an instruction computes
// 16x8 of it.
func (t *tensorLowerer) turned() bool {
	return t.f.M < t.f.N && !(t.f.Elem == ctypes.Int && t.cores < target.Ampere)
}

// elements are those of an accumulator from compute capability 7.5 on: two of a line in each of four
// blocks. The sum of 8x32 is computed transposed.
func (t *tensorLowerer) elements(colMajor bool) (list []element) {
	lines, columns := t.f.M/8, t.f.N/8
	if t.turned() {
		lines, columns = columns, lines
		colMajor = !colMajor
	}
	row, pair := t.shr(t.lane, 2), t.times(t.and(t.lane, 3), 2)
	for i := range lines {
		for k := range columns {
			e := element{place: 2 * (i*columns + k), n: 2, line: row, line0: int64(8 * i), elem: pair,
				elem0: int64(8 * k)}
			switch {
			case !colMajor:
				list = append(list, e)
			case t.f.Elem == ctypes.Half:
				e.line0, e.elem0, e.transposed = e.elem0, e.line0, true
				list = append(list, e)
			default:
				for j := range 2 {
					list = append(list, element{place: e.place + j, n: 1, line: pair, line0: e.elem0 + int64(j),
						elem: row, elem0: e.line0})
				}
			}
		}
	}
	return list
}

// elementsVolta are those of an accumulator for compute capability 7.0.
func (t *tensorLowerer) elementsVolta(colMajor bool) (list []element) {
	row, column := t.quad(t.f.M, 0), t.quad(t.f.N, 1)
	x := t.within()
	if t.f.Elem == ctypes.Half {
		row = t.plus(row, x)
		if !colMajor {
			return []element{{n: 8, line: row, elem: column}}
		}
		for i := range 8 {
			list = append(list, element{place: i, n: 1, line: column, line0: int64(i), elem: row})
		}
		return list
	}
	row, column = t.plus(row, t.and(x, 5)), t.plus(column, t.and(x, 2))
	for j := range 2 {
		for i := range 2 {
			e := element{place: 2 * (2*j + i), n: 2, line: row, line0: int64(2 * i), elem: column, elem0: int64(4 * j)}
			if !colMajor {
				list = append(list, e)
				continue
			}
			for k := range 2 {
				list = append(list, element{place: e.place + k, n: 1, line: column, line0: e.elem0 + int64(k),
					elem: row, elem0: e.line0})
			}
		}
	}
	return list
}

// product emits the matrix instructions of sum = a b + c.
func (t *tensorLowerer) product(a, b, c place, factor *tensor.Fragment) {
	typ := lower.IrType(ctypes.Scalar(t.f.Elem))
	sum := t.parts(c, typ, 0, t.f.Elements())
	switch {
	case factor.Factor == tensor.TF32:
		t.productTF32(t.parts(a, lower.F32, 0, 4), t.parts(b, lower.F32, 0, 4), sum)
	case factor.Factor == tensor.Double:
		t.multiply("884", append(t.parts(a, lower.F64, 0, 1), t.parts(b, lower.F64, 0, 1)...), sum, []int{0, 1})
	case factor.Factor == tensor.Char || factor.Factor == tensor.UChar:
		t.productBytes(t.parts(a, lower.U32, 0, t.f.M/8), t.parts(b, lower.U32, 0, t.f.N/8), sum)
	case t.cores == target.Volta:
		t.productVolta(t.parts(a, lower.U32, 0, 8), t.parts(b, lower.U32, 0, 8), sum)
	default:
		t.productBlocks(t.parts(a, lower.U32, 0, t.f.M/4), t.parts(b, lower.U32, 0, t.f.N/4), sum)
	}
	t.set(0, sum...)
}

// productBlocks emits products of 16x8 of the sum each: over a depth of 16 with Ampere's, of 8 with
// Turing's.
func (t *tensorLowerer) productBlocks(a, b, sum []Operand) {
	columns := t.f.N / 8
	if t.f.M == 8 { // transposed
		a, b, columns = b, a, 1
	}
	for h := range 2 {
		// The line blocks of the half, and its elements of the sum: two of each block.
		left, right, places := a, b, []int{4 * h, 4*h + 1, 4*h + 2, 4*h + 3}
		if columns == 2 {
			right, places = b[2*h:2*h+2], []int{2 * h, 2*h + 1, 4 + 2*h, 4 + 2*h + 1}
		} else {
			left = a[4*h : 4*h+4]
		}
		if t.cores >= target.Ampere {
			t.multiply("16816", append(append([]Operand(nil), left...), right...), sum, places)
			continue
		}
		for k := range 2 {
			t.multiply("1688", []Operand{left[k], left[2+k], right[k]}, sum, places)
		}
	}
}

// productVolta emits the steps of HMMA.884: four depths of 4, in each of which a step computes a
// part of the sum.
func (t *tensorLowerer) productVolta(a, b, sum []Operand) {
	elements := 2
	if t.f.Elem == ctypes.Half {
		elements = 4
	}
	for k := range 4 {
		for first := 0; first < len(sum); first += elements {
			var places []int
			for i := range elements {
				places = append(places, first+i)
			}
			t.multiply("884", []Operand{a[2*k], a[2*k+1], b[2*k], b[2*k+1]}, sum, places)
		}
	}
}

// multiply emits one matrix instruction, which adds to the given places of the sum.
func (t *tensorLowerer) multiply(shape string, factors, sum []Operand, places []int) {
	typ := sum[0].Type
	in := &Instr{Op: lower.MatMul, Type: typ, Fn: shape, Args: append([]Operand(nil), factors...), Pos: t.pos}
	for _, i := range places {
		in.Args = append(in.Args, sum[i])
		x := t.temp(typ)
		in.Dsts = append(in.Dsts, x.Reg)
		sum[i] = x
	}
	t.add(in, t.pos)
}
