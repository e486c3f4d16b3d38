package translate

import (
	"gpupipe/frontend/ctypes"
	"gpupipe/idg"
	"gpupipe/internal/target"
	"gpupipe/lower"
)

// Fragments whose factors are not of half precision, read off nvcc 11.8's code as those of half are
// (testdata/tensor_types.txt). Those of bfloat16 differ from half in their loads alone: each lane loads
// its own words, also from local memory (by addresses without a space).

// available reports whether the tensor cores take the fragment, with an error if not.
func (t *tensorLowerer) available() bool {
	since := t.f.Since()
	if t.cores >= since {
		return true
	}
	t.unsupported(t.pos, "the device's tensor cores have no fragments of this type").WithNote(
		"choose one of compute capability %s or more", capabilityOf[since])
	return false
}

// factorElements loads a or b of elements with a register each: of a line and a column that a
// lane has, and of those 8 lines and 4 elements further on.
func (t *tensorLowerer) factorElements(natural bool) {
	typ := lower.IrType(ctypes.Scalar(t.f.Elem))
	lines := t.lines() / 8
	for i := range t.f.Elements() {
		line, elem, l0, e0 := t.shr(t.lane, 2), t.and(t.lane, 3), int64(8*(i%lines)), int64(4*(i/lines))
		if !natural {
			line, elem, l0, e0 = elem, line, e0, l0
		}
		t.set(i, t.load(typ, 1, t.at(line, l0, elem, e0))...)
	}
}

// factorBytes loads a or b of bytes: word i is four elements of a line of line block i. Where they lie
// next to each other, local memory gives two blocks with one instruction (LDSM), where not, each byte is
// loaded and three instructions make a word of four.
func (t *tensorLowerer) factorBytes(natural bool) {
	blocks := t.lines() / 8
	switch {
	case !natural:
		line, elem := t.times(t.and(t.lane, 3), 4), t.shr(t.lane, 2)
		typ := lower.IrType(ctypes.Scalar(t.f.Elem))
		for i := range blocks {
			var bytes []Operand
			for k := range 4 {
				bytes = append(bytes, t.load(typ, 1, t.at(line, int64(k), elem, int64(8*i)))[0])
			}
			t.set(i, t.word(bytes))
		}
	case t.space != idg.SpaceLocal || blocks == 1:
		line, elem := t.shr(t.lane, 2), t.times(t.and(t.lane, 3), 4)
		for i := range blocks {
			t.set(i, t.load(lower.U32, 1, t.at(line, int64(8*i), elem, 0))...)
		}
	default:
		// 16 lines of 16 bytes, of which each lane reads half of one.
		line, elem := t.shr(t.lane, 1), t.times(t.and(t.lane, 1), 8)
		for i := 0; i < blocks; i += 2 {
			t.set(i, t.load(lower.U32, 2, t.at(line, int64(8*i), elem, 0))...)
		}
	}
}

// word makes a word of four bytes (PRMT).
func (t *tensorLowerer) word(bytes []Operand) Operand {
	selector := lower.ConstInt(lower.U32, 0x0040)
	word := t.convertOperand(bytes[0], lower.U32, "", t.pos)
	for _, b := range bytes[1:] {
		dst := t.temp(lower.U32)
		t.add(&Instr{Op: lower.Call, Type: lower.U32, Fn: "byte_perm", Dsts: []Reg{dst.Reg},
			Args: []Operand{word, t.convertOperand(b, lower.U32, "", t.pos), selector}, Pos: t.pos}, t.pos)
		word = dst
	}
	return word
}

// productTF32 emits products of 16x8 of the sum over a depth of 4.
func (t *tensorLowerer) productTF32(a, b, sum []Operand) {
	for h := range 2 {
		for k := range 2 {
			t.multiply("1684", []Operand{a[2*k], a[2*k+1], b[h+2*k]}, sum, []int{2 * h, 2*h + 1, 4 + 2*h, 4 + 2*h + 1})
		}
	}
}

// productBytes emits products over the whole depth: of 16x8 of the sum with Ampere's instruction, of 8x8
// with Turing's.
func (t *tensorLowerer) productBytes(a, b, sum []Operand) {
	if t.turned() {
		a, b = b, a
	}
	for i := range a {
		for k := range b {
			place := 2 * (i*len(b) + k)
			switch {
			case t.cores < target.Ampere:
				t.multiply("8816", []Operand{a[i], b[k]}, sum, []int{place, place + 1})
			case i%2 == 0:
				below := place + 2*len(b)
				t.multiply("16816", []Operand{a[i], a[i+1], b[k]}, sum, []int{place, place + 1, below, below + 1})
			}
		}
	}
}
