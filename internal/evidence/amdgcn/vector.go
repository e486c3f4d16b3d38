package amdgcn

import (
	"math/bits"
	"strconv"
	"strings"
)

// vectorWords are instructions of words, of each lane, by what follows v_.
var vectorWords = map[string]func(a, b, c uint32) uint32{
	"mov_b32":           func(a, _, _ uint32) uint32 { return a },
	"not_b32":           func(a, _, _ uint32) uint32 { return ^a },
	"bfrev_b32":         func(a, _, _ uint32) uint32 { return bits.Reverse32(a) },
	"add_u32":           func(a, b, _ uint32) uint32 { return a + b },
	"add_nc_u32":        func(a, b, _ uint32) uint32 { return a + b },
	"sub_u32":           func(a, b, _ uint32) uint32 { return a - b },
	"sub_nc_u32":        func(a, b, _ uint32) uint32 { return a - b },
	"subrev_u32":        func(a, b, _ uint32) uint32 { return b - a },
	"subrev_nc_u32":     func(a, b, _ uint32) uint32 { return b - a },
	"add3_u32":          func(a, b, c uint32) uint32 { return a + b + c },
	"lshlrev_b32":       func(a, b, _ uint32) uint32 { return b << (a & 31) },
	"lshrrev_b32":       func(a, b, _ uint32) uint32 { return b >> (a & 31) },
	"ashrrev_i32":       func(a, b, _ uint32) uint32 { return uint32(int32(b) >> (a & 31)) },
	"lshl_add_u32":      func(a, b, c uint32) uint32 { return a<<(b&31) + c },
	"add_lshl_u32":      func(a, b, c uint32) uint32 { return (a + b) << (c & 31) },
	"lshl_or_b32":       func(a, b, c uint32) uint32 { return a<<(b&31) | c },
	"and_or_b32":        func(a, b, c uint32) uint32 { return a&b | c },
	"or3_b32":           func(a, b, c uint32) uint32 { return a | b | c },
	"xor3_b32":          func(a, b, c uint32) uint32 { return a ^ b ^ c },
	"xad_u32":           func(a, b, c uint32) uint32 { return (a ^ b) + c },
	"and_b32":           func(a, b, _ uint32) uint32 { return a & b },
	"or_b32":            func(a, b, _ uint32) uint32 { return a | b },
	"xor_b32":           func(a, b, _ uint32) uint32 { return a ^ b },
	"mul_lo_u32":        func(a, b, _ uint32) uint32 { return a * b },
	"mul_hi_u32":        func(a, b, _ uint32) uint32 { return uint32(uint64(a) * uint64(b) >> 32) },
	"mul_hi_i32":        func(a, b, _ uint32) uint32 { return uint32(int64(int32(a)) * int64(int32(b)) >> 32) },
	"mul_u32_u24":       func(a, b, _ uint32) uint32 { return (a & 0xffffff) * (b & 0xffffff) },
	"mad_u32_u24":       func(a, b, c uint32) uint32 { return (a&0xffffff)*(b&0xffffff) + c },
	"mul_i32_i24":       func(a, b, _ uint32) uint32 { return uint32(int32(a<<8)>>8) * uint32(int32(b<<8)>>8) },
	"mad_i32_i24":       func(a, b, c uint32) uint32 { return uint32(int32(a<<8)>>8)*uint32(int32(b<<8)>>8) + c },
	"bfe_u32":           func(a, b, c uint32) uint32 { return a >> (b & 31) & (1<<(c&31) - 1) },
	"bfe_i32":           func(a, b, c uint32) uint32 { return uint32(int32(a>>(b&31)<<(32-c&31)) >> (32 - c&31)) },
	"min_i32":           func(a, b, _ uint32) uint32 { return uint32(min(int32(a), int32(b))) },
	"max_i32":           func(a, b, _ uint32) uint32 { return uint32(max(int32(a), int32(b))) },
	"min_u32":           func(a, b, _ uint32) uint32 { return min(a, b) },
	"max_u32":           func(a, b, _ uint32) uint32 { return max(a, b) },
	"readfirstlane_b32": func(a, _, _ uint32) uint32 { return a },
}

// lanes reads an operand for all lanes.
func (w *wave) lanes(operand string) (v vector) {
	if file, at, n, ok := registers(operand); ok && file == 'v' {
		if n > 1 {
			return vector{}
		}
		return w.vector[at]
	}
	s, known := w.read(operand, 1)
	for i := range v.lanes {
		v.lanes[i] = uint32(s)
	}
	if known {
		v.known = allLanes
	}
	return v
}

// vectorOp executes an instruction of the vector units.
func (w *wave) vectorOp(in *Instruction) {
	name := strings.TrimPrefix(in.Op, "v_")
	active, known := w.mask(exec)
	switch {
	case strings.HasPrefix(name, "cmp"):
		w.vectorCompare(name, in, active, known)
		return
	case name == "cndmask_b32" && len(in.Operands) == 4:
		w.choose(in, active, known)
		return
	}
	f, ok := vectorWords[name]
	var args [3]vector
	of := allLanes
	for i := range args {
		if i+1 < len(in.Operands) {
			args[i] = w.lanes(in.Operands[i+1])
			of &= args[i].known
		}
	}
	file, to, n, found := registers(in.Operands[0])
	if !ok || !found || n != 1 {
		w.forgetVector(in)
		return
	}
	if file == 's' { // v_readfirstlane_b32
		first := bits.TrailingZeros64(active) % 64
		w.scalar[to] = word{args[0].lanes[first], known && of>>first&1 != 0}
		return
	}
	d := &w.vector[to]
	for i := range d.lanes {
		if active>>i&1 != 0 {
			d.lanes[i] = f(args[0].lanes[i], args[1].lanes[i], args[2].lanes[i])
		}
	}
	d.write(active, known, of)
}

// write notes which of the active lanes were given a known value.
func (v *vector) write(active uint64, known bool, of uint64) {
	if !known {
		v.known = 0
		return
	}
	v.known = v.known&^active | of&active
}

// forgetVector makes what a vector instruction writes unknown: its destination, and the carry
// that may be beside it.
func (w *wave) forgetVector(in *Instruction) {
	w.forget(in)
	if len(in.Operands) > 1 && (strings.Contains(in.Op, "_co_") || strings.HasPrefix(in.Op, "v_mad_u64") ||
		strings.HasPrefix(in.Op, "v_mad_i64") || strings.HasPrefix(in.Op, "v_div_scale")) {
		if file, at, n, ok := registers(in.Operands[1]); ok && file == 's' {
			for i := range n {
				w.scalar[at+i].known = false
			}
		}
	}
}

// choose executes v_cndmask_b32, of known conditions.
func (w *wave) choose(in *Instruction, active uint64, known bool) {
	a, b := w.lanes(in.Operands[1]), w.lanes(in.Operands[2])
	_, at, _, ok := registers(in.Operands[3])
	condition, kc := uint64(0), false
	if ok {
		condition, kc = w.mask(at)
	}
	_, to, _, _ := registers(in.Operands[0])
	d := &w.vector[to]
	for i := range d.lanes {
		if active>>i&1 == 0 {
			continue
		}
		d.lanes[i] = a.lanes[i]
		if condition>>i&1 != 0 {
			d.lanes[i] = b.lanes[i]
		}
	}
	d.write(active, known && kc, a.known&b.known)
}

// vectorCompare compares lanes: v_cmp_lt_i32 vcc, s2, v1, and v_cmpx, which writes the mask of
// active lanes.
func (w *wave) vectorCompare(name string, in *Instruction, active uint64, known bool) {
	parts := strings.Split(name, "_")
	operands := in.Operands
	to := exec
	if parts[0] == "cmp" || len(operands) == 3 {
		_, at, _, ok := registers(operands[0])
		if !ok {
			return
		}
		to, operands = at, operands[1:]
	}
	f := comparisons[parts[1]]
	if f == nil || len(parts) < 3 || len(operands) < 2 {
		w.setMask(to, 0, false)
		return
	}
	typ := parts[2]
	if width, err := strconv.Atoi(typ[1:]); err != nil || width > 32 || typ[0] != 'i' && typ[0] != 'u' {
		w.setMask(to, 0, false)
		return
	}
	a, b := w.lanes(operands[0]), w.lanes(operands[1])
	var mask uint64
	for i := range w.launch.WaveSize {
		if active>>i&1 != 0 && f(order(typ, uint64(a.lanes[i]), uint64(b.lanes[i]))) {
			mask |= 1 << i
		}
	}
	known = known && active&^(a.known&b.known) == 0
	w.setMask(to, mask, known)
	if parts[0] == "cmpx" && to != exec {
		w.setMask(exec, mask, known)
	}
}
