package amdgcn

import (
	"fmt"
	"math/bits"
	"strconv"
	"strings"
)

// Launch says for which wavefront of which launch a kernel is counted.
type Launch struct {
	Local, Groups [3]int64 // work items per group, groups; all at least 1
	Group         [3]int64 // the group whose wavefront is executed
	Wave          int64    // of the group
	WaveSize      int      // 32 or 64
	// Args are words of the arguments by their offset in bytes; one that is missing is not
	// known.
	Args map[int64]uint32
	// Limit bounds the instructions that the wavefront executes.
	Limit int
}

// Addresses of what is known in memory.
const (
	argumentsAt = 1 << 40
	dispatchAt  = 2 << 40
)

// Scalar registers by number: s0 to s105 and some with names.
const (
	vcc  = 106
	m0   = 124
	exec = 126
	last = 128
)

const vectorRegisters = 512

// word is the contents of a scalar register, if they are known.
type word struct {
	bits  uint32
	known bool
}

// vector is the contents of a vector register, with a mask of the lanes in which they are known.
type vector struct {
	lanes [64]uint32
	known uint64
}

const allLanes = ^uint64(0)

// wave is the state of a wavefront.
type wave struct {
	kernel *Kernel
	launch *Launch
	scalar [last]word
	scc    word
	vector [vectorRegisters]vector
}

// Run returns how often the wavefront executes each instruction.
func (k *Kernel) Run(l Launch) ([]int64, error) {
	w := &wave{kernel: k, launch: &l}
	w.start()
	counts := make([]int64, len(k.Code))
	left := l.Limit
	for at := 0; at < len(k.Code); {
		if left--; left < 0 {
			return nil, fmt.Errorf("more than %d instructions", l.Limit)
		}
		in := &k.Code[at]
		counts[at]++
		at++
		switch {
		case in.Op == "s_endpgm":
			return counts, nil
		case in.Op == "s_branch" || strings.HasPrefix(in.Op, "s_cbranch_"):
			taken, known := w.taken(in.Op)
			target, ok := k.labels[in.Operands[0]]
			if !known || !ok {
				return nil, fmt.Errorf("a branch depends on data: %s %v", in.Op, in.Operands)
			}
			if taken {
				at = target
			}
		case in.Unit() == Branch:
			return nil, fmt.Errorf("not followed: %s", in.Op)
		default:
			w.execute(in)
		}
	}
	return counts, nil
}

// start fills the registers that the hardware initialises.
func (w *wave) start() {
	at := 0
	for _, s := range w.kernel.starts {
		v := word{}
		switch s.name {
		case "user_sgpr_kernarg_segment_ptr":
			w.setWide(at, argumentsAt, true)
		case "user_sgpr_dispatch_ptr":
			w.setWide(at, dispatchAt, true)
		case "system_sgpr_workgroup_id_x":
			v = word{uint32(w.launch.Group[0]), true}
		case "system_sgpr_workgroup_id_y":
			v = word{uint32(w.launch.Group[1]), true}
		case "system_sgpr_workgroup_id_z":
			v = word{uint32(w.launch.Group[2]), true}
		}
		if s.words == 1 {
			w.scalar[at] = v
		}
		at += s.words
	}
	l := w.launch
	var active uint64
	for i := range 3 {
		if !w.kernel.packed || i == 0 {
			w.vector[i].known = allLanes
		}
	}
	for lane := range w.launch.WaveSize {
		linear := l.Wave*int64(l.WaveSize) + int64(lane)
		id := [3]int64{linear % l.Local[0], linear / l.Local[0] % l.Local[1], linear / (l.Local[0] * l.Local[1])}
		if linear < l.Local[0]*l.Local[1]*l.Local[2] {
			active |= 1 << lane
		}
		if w.kernel.packed {
			w.vector[0].lanes[lane] = uint32(id[0] | id[1]<<10 | id[2]<<20)
			continue
		}
		for i := range id {
			w.vector[i].lanes[lane] = uint32(id[i])
		}
	}
	w.setWide(exec, active, true)
}

// taken decides a branch.
func (w *wave) taken(op string) (taken, known bool) {
	condition := strings.TrimPrefix(op, "s_cbranch_")
	if op == "s_branch" {
		return true, true
	}
	var v uint64
	switch condition[:len(condition)-1] {
	case "scc":
		return w.scc.bits == uint32(condition[3]-'0'), w.scc.known
	case "vcc":
		v, known = w.wide(vcc)
	case "exec":
		v, known = w.wide(exec)
	default: // vccn, execn
		v, known = w.wide(map[string]int{"vccn": vcc, "execn": exec}[condition[:len(condition)-1]])
		return v != 0, known
	}
	return v == 0, known
}

// wide reads a mask or an address; for wavefronts of 32 a mask is one word.
func (w *wave) wide(at int) (uint64, bool) {
	low, high := w.scalar[at], w.scalar[at+1]
	if w.launch.WaveSize == 32 && (at == vcc || at == exec) {
		return uint64(low.bits), low.known
	}
	return uint64(low.bits) | uint64(high.bits)<<32, low.known && high.known
}

func (w *wave) setWide(at int, v uint64, known bool) {
	w.scalar[at], w.scalar[at+1] = word{uint32(v), known}, word{uint32(v >> 32), known}
}

// mask reads a mask from scalar registers, of as many words as a wavefront's lanes take.
func (w *wave) mask(at int) (uint64, bool) {
	if w.launch.WaveSize == 32 {
		return uint64(w.scalar[at].bits), w.scalar[at].known
	}
	return w.wide(at)
}

func (w *wave) setMask(at int, v uint64, known bool) {
	if w.launch.WaveSize == 32 {
		w.scalar[at] = word{uint32(v), known}
		return
	}
	w.setWide(at, v, known)
}

// read evaluates an operand as so many words of a scalar.
func (w *wave) read(operand string, words int) (v uint64, known bool) {
	if operand == "scc" {
		return uint64(w.scc.bits), w.scc.known
	}
	if file, at, _, ok := registers(operand); ok {
		switch {
		case file == 'v' || operand == "null":
			return 0, operand == "null"
		case words == 2:
			return w.wide(at)
		}
		return uint64(w.scalar[at].bits), w.scalar[at].known
	}
	n, err := strconv.ParseInt(operand, 0, 64)
	if words == 1 {
		n = int64(uint32(n))
	}
	return uint64(n), err == nil
}

// execute makes an instruction's result.
func (w *wave) execute(in *Instruction) {
	switch in.Unit() {
	case Scalar:
		w.scalarOp(in)
	case ScalarMemory:
		w.load(in)
	case Vector, Packed:
		w.vectorOp(in)
	case VectorMemory, LocalMemory:
		if strings.Contains(in.Op, "load") || strings.Contains(in.Op, "read") || strings.Contains(in.Op, "atomic") ||
			strings.Contains(in.Op, "rtn") || strings.Contains(in.Op, "permute") || strings.Contains(in.Op, "swizzle") {
			w.forget(in)
		}
	}
}

// forget makes what an instruction writes unknown.
func (w *wave) forget(in *Instruction) {
	if len(in.Operands) == 0 {
		return
	}
	file, at, n, ok := registers(in.Operands[0])
	if !ok {
		return
	}
	for i := at; i < at+n; i++ {
		if file == 'v' {
			w.vector[i].known = 0
		} else {
			w.scalar[i].known = false
		}
	}
}

// load reads arguments and the launch's sizes; nothing else in memory is known.
func (w *wave) load(in *Instruction) {
	w.forget(in)
	if len(in.Operands) < 3 || !strings.HasPrefix(in.Op, "s_load_") {
		return
	}
	_, to, n, ok := registers(in.Operands[0])
	base, known := w.read(in.Operands[1], 2)
	offset, fixed := w.read(in.Operands[2], 1)
	if !ok || !known || !fixed {
		return
	}
	for i := range n {
		w.scalar[to+i] = w.memory(base + offset + uint64(4*i))
	}
}

// memory is a word of the arguments or of the packet that launches a kernel (HSA platform
// system architecture specification, kernel dispatch packet).
func (w *wave) memory(address uint64) word {
	l := w.launch
	if address >= argumentsAt && address < dispatchAt {
		v, ok := l.Args[int64(address-argumentsAt)]
		return word{v, ok}
	}
	switch address - dispatchAt {
	case 4:
		return word{uint32(l.Local[0] | l.Local[1]<<16), true}
	case 8:
		return word{uint32(l.Local[2]), true}
	case 12, 16, 20:
		d := (address - dispatchAt - 12) / 4
		return word{uint32(l.Local[d] * l.Groups[d]), true}
	}
	return word{}
}

// carry reports whether a sum of words overflows.
func carry(a, b, c uint32) bool {
	_, over := bits.Add32(a, b, c)
	return over != 0
}
