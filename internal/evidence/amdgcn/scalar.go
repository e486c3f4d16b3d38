package amdgcn

import (
	"math/bits"
	"strings"
)

// scalarResult is what a scalar instruction of words computes; scc tells the condition code,
// if the instruction sets it.
type scalarResult struct {
	bits     uint64
	scc, set bool
}

func plain(v uint32) scalarResult { return scalarResult{bits: uint64(v)} }

// flagged sets the condition code where the result is not zero.
func flagged(v uint32) scalarResult { return scalarResult{uint64(v), v != 0, true} }

// scalarWords are instructions of words by what follows s_; d is what the destination held.
var scalarWords = map[string]func(a, b, d uint32, scc bool) scalarResult{
	"mov_b32":      func(a, _, _ uint32, _ bool) scalarResult { return plain(a) },
	"movk_i32":     func(a, _, _ uint32, _ bool) scalarResult { return plain(uint32(int16(a))) },
	"brev_b32":     func(a, _, _ uint32, _ bool) scalarResult { return plain(bits.Reverse32(a)) },
	"sext_i32_i16": func(a, _, _ uint32, _ bool) scalarResult { return plain(uint32(int16(a))) },
	"sext_i32_i8":  func(a, _, _ uint32, _ bool) scalarResult { return plain(uint32(int8(a))) },
	"not_b32":      func(a, _, _ uint32, _ bool) scalarResult { return flagged(^a) },
	"abs_i32":      func(a, _, _ uint32, _ bool) scalarResult { return flagged(uint32(max(int32(a), -int32(a)))) },
	"add_u32": func(a, b, _ uint32, _ bool) scalarResult {
		return scalarResult{uint64(a + b), carry(a, b, 0), true}
	},
	"addc_u32":   addWithCarry,
	"sub_u32":    func(a, b, _ uint32, _ bool) scalarResult { return scalarResult{uint64(a - b), b > a, true} },
	"subb_u32":   subtractWithBorrow,
	"add_i32":    func(a, b, _ uint32, _ bool) scalarResult { return overflowing(int64(int32(a)) + int64(int32(b))) },
	"addk_i32":   func(a, _, d uint32, _ bool) scalarResult { return overflowing(int64(int32(d)) + int64(int16(a))) },
	"sub_i32":    func(a, b, _ uint32, _ bool) scalarResult { return overflowing(int64(int32(a)) - int64(int32(b))) },
	"mul_i32":    func(a, b, _ uint32, _ bool) scalarResult { return plain(a * b) },
	"mulk_i32":   func(a, _, d uint32, _ bool) scalarResult { return plain(d * uint32(int16(a))) },
	"mul_hi_u32": func(a, b, _ uint32, _ bool) scalarResult { return plain(uint32(uint64(a) * uint64(b) >> 32)) },
	"mul_hi_i32": func(a, b, _ uint32, _ bool) scalarResult {
		return plain(uint32(int64(int32(a)) * int64(int32(b)) >> 32))
	},
	"and_b32":       func(a, b, _ uint32, _ bool) scalarResult { return flagged(a & b) },
	"or_b32":        func(a, b, _ uint32, _ bool) scalarResult { return flagged(a | b) },
	"xor_b32":       func(a, b, _ uint32, _ bool) scalarResult { return flagged(a ^ b) },
	"andn2_b32":     func(a, b, _ uint32, _ bool) scalarResult { return flagged(a &^ b) },
	"orn2_b32":      func(a, b, _ uint32, _ bool) scalarResult { return flagged(a | ^b) },
	"lshl_b32":      func(a, b, _ uint32, _ bool) scalarResult { return flagged(a << (b & 31)) },
	"lshr_b32":      func(a, b, _ uint32, _ bool) scalarResult { return flagged(a >> (b & 31)) },
	"ashr_i32":      func(a, b, _ uint32, _ bool) scalarResult { return flagged(uint32(int32(a) >> (b & 31))) },
	"lshl1_add_u32": func(a, b, _ uint32, _ bool) scalarResult { return shiftedSum(a, b, 1) },
	"lshl2_add_u32": func(a, b, _ uint32, _ bool) scalarResult { return shiftedSum(a, b, 2) },
	"lshl3_add_u32": func(a, b, _ uint32, _ bool) scalarResult { return shiftedSum(a, b, 3) },
	"lshl4_add_u32": func(a, b, _ uint32, _ bool) scalarResult { return shiftedSum(a, b, 4) },
	"bfe_u32": func(a, b, _ uint32, _ bool) scalarResult {
		return flagged(a >> (b & 31) & (1<<(b>>16&63) - 1))
	},
	"min_i32":         func(a, b, _ uint32, _ bool) scalarResult { return chosen(a, b, int32(a) < int32(b)) },
	"max_i32":         func(a, b, _ uint32, _ bool) scalarResult { return chosen(a, b, int32(a) > int32(b)) },
	"min_u32":         func(a, b, _ uint32, _ bool) scalarResult { return chosen(a, b, a < b) },
	"max_u32":         func(a, b, _ uint32, _ bool) scalarResult { return chosen(a, b, a > b) },
	"pack_ll_b32_b16": func(a, b, _ uint32, _ bool) scalarResult { return plain(a&0xffff | b<<16) },
	"cselect_b32": func(a, b, _ uint32, scc bool) scalarResult {
		if scc {
			return plain(a)
		}
		return plain(b)
	},
}

func addWithCarry(a, b, _ uint32, scc bool) scalarResult {
	sum, over := bits.Add32(a, b, one(scc))
	return scalarResult{uint64(sum), over != 0, true}
}

func subtractWithBorrow(a, b, _ uint32, scc bool) scalarResult {
	difference, under := bits.Sub32(a, b, one(scc))
	return scalarResult{uint64(difference), under != 0, true}
}

func one(b bool) uint32 {
	if b {
		return 1
	}
	return 0
}

func overflowing(v int64) scalarResult {
	return scalarResult{uint64(uint32(v)), v != int64(int32(v)), true}
}

func shiftedSum(a, b uint32, n int) scalarResult {
	v := uint64(a)<<n + uint64(b)
	return scalarResult{uint64(uint32(v)), v>>32 != 0, true}
}

func chosen(a, b uint32, first bool) scalarResult {
	if first {
		return scalarResult{uint64(a), true, true}
	}
	return scalarResult{uint64(b), false, true}
}

// scalarWide are instructions of 64 bits.
var scalarWide = map[string]func(a, b uint64, scc bool) scalarResult{
	"mov_b64":   func(a, _ uint64, _ bool) scalarResult { return scalarResult{bits: a} },
	"not_b64":   func(a, _ uint64, _ bool) scalarResult { return scalarResult{^a, ^a != 0, true} },
	"and_b64":   func(a, b uint64, _ bool) scalarResult { return scalarResult{a & b, a&b != 0, true} },
	"or_b64":    func(a, b uint64, _ bool) scalarResult { return scalarResult{a | b, a|b != 0, true} },
	"xor_b64":   func(a, b uint64, _ bool) scalarResult { return scalarResult{a ^ b, a^b != 0, true} },
	"andn2_b64": func(a, b uint64, _ bool) scalarResult { return scalarResult{a &^ b, a&^b != 0, true} },
	"lshl_b64":  func(a, b uint64, _ bool) scalarResult { return scalarResult{a << (b & 63), a<<(b&63) != 0, true} },
	"lshr_b64":  func(a, b uint64, _ bool) scalarResult { return scalarResult{a >> (b & 63), a>>(b&63) != 0, true} },
	"ashr_i64": func(a, b uint64, _ bool) scalarResult {
		v := uint64(int64(a) >> (b & 63))
		return scalarResult{v, v != 0, true}
	},
	"cselect_b64": func(a, b uint64, scc bool) scalarResult {
		if scc {
			return scalarResult{bits: a}
		}
		return scalarResult{bits: b}
	},
}

// keepsCondition are instructions that neither read the condition code nor set it.
var keepsCondition = []string{"mov", "mul_", "mulk_", "brev", "sext", "pack", "cmov", "getreg", "setreg", "bitset"}

// scalarOp executes an instruction of the scalar unit.
func (w *wave) scalarOp(in *Instruction) {
	name := strings.TrimPrefix(in.Op, "s_")
	switch {
	case strings.HasPrefix(name, "cmp"):
		w.scalarCompare(name, in)
		return
	case strings.Contains(name, "_saveexec_"):
		w.saveExec(name, in)
		return
	}
	operand := func(i, words int) (uint64, bool) {
		if i < len(in.Operands) {
			return w.read(in.Operands[i], words)
		}
		return 0, true
	}
	readsCondition := strings.HasPrefix(name, "cselect") || strings.HasPrefix(name, "addc") ||
		strings.HasPrefix(name, "subb")
	var r scalarResult
	known := w.scc.known || !readsCondition
	wide := false
	if f, ok := scalarWide[name]; ok {
		wide = true
		a, ka := operand(1, 2)
		b, kb := operand(2, 2)
		if strings.HasPrefix(name, "lsh") || strings.HasPrefix(name, "ash") {
			b, kb = operand(2, 1)
		}
		r, known = f(a, b, w.scc.bits != 0), known && ka && kb
	} else if f, ok := scalarWords[name]; ok {
		a, ka := operand(1, 1)
		b, kb := operand(2, 1)
		d, kd := operand(0, 1)
		kd = kd || !strings.HasSuffix(name, "k_i32") || name == "movk_i32"
		r, known = f(uint32(a), uint32(b), uint32(d), w.scc.bits != 0), known && ka && kb && kd
	} else {
		known = false
		r.set = true
		for _, p := range keepsCondition {
			r.set = r.set && !strings.HasPrefix(name, p)
		}
	}
	w.forget(in)
	if _, to, n, ok := registers(in.Operands[0]); ok && in.Operands[0] != "null" {
		switch {
		case wide || n == 2 && !known:
			w.setWide(to, r.bits, known)
		default:
			w.scalar[to] = word{uint32(r.bits), known}
		}
	}
	if r.set {
		w.scc = word{one(r.scc), known}
	}
}

// comparisons by name.
var comparisons = map[string]func(c int) bool{
	"eq": func(c int) bool { return c == 0 }, "lg": func(c int) bool { return c != 0 }, "ne": func(c int) bool {
		return c != 0
	},
	"gt": func(c int) bool { return c > 0 }, "ge": func(c int) bool { return c >= 0 },
	"lt": func(c int) bool { return c < 0 }, "le": func(c int) bool { return c <= 0 },
}

// order compares two numbers of a type (i32, u64, ...).
func order(typ string, a, b uint64) int {
	switch typ {
	case "i32":
		a, b = uint64(int64(int32(a)))^1<<63, uint64(int64(int32(b)))^1<<63
	case "i64":
		a, b = a^1<<63, b^1<<63
	case "u32", "u16":
		a, b = uint64(uint32(a)), uint64(uint32(b))
	}
	switch {
	case a < b:
		return -1
	case a > b:
		return 1
	}
	return 0
}

// scalarCompare sets the condition code: cmp_lt_i32 and cmpk_lt_i32.
func (w *wave) scalarCompare(name string, in *Instruction) {
	parts := strings.Split(name, "_")
	f := comparisons[parts[1]]
	words := 1
	if strings.HasSuffix(parts[2], "64") {
		words = 2
	}
	a, ka := w.read(in.Operands[0], words)
	b, kb := w.read(in.Operands[1], words)
	w.scc = word{known: ka && kb && f != nil}
	if w.scc.known {
		w.scc.bits = one(f(order(parts[2], a, b)))
	}
}

// saveExec keeps the mask of active lanes and combines it: and_saveexec_b64.
func (w *wave) saveExec(name string, in *Instruction) {
	_, to, _, _ := registers(in.Operands[0])
	words := 2
	if w.launch.WaveSize == 32 {
		words = 1
	}
	a, ka := w.read(in.Operands[1], words)
	old, ko := w.mask(exec)
	v, known := uint64(0), ka && ko
	switch strings.TrimSuffix(strings.TrimSuffix(name, "_saveexec_b64"), "_saveexec_b32") {
	case "and":
		v = a & old
	case "or":
		v = a | old
	case "xor":
		v = a ^ old
	case "andn2":
		v = a &^ old
	default:
		known = false
	}
	w.setMask(to, old, ko)
	w.setMask(exec, v, known)
	w.scc = word{one(v != 0), known}
}
