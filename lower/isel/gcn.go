package isel

import (
	"cmp"
	"fmt"
	"math"
	"strings"

	"gpupipe/idg"
	"gpupipe/lower"
	"gpupipe/lower/ir"
	"gpupipe/lower/isel/tidy"
)

func init() {
	lowerings["gcn"] = func(s *selector) lowering {
		a := &gcn{selector: s, params: layout(s.f, s.flow), objects: s.placed(), paired: map[*ir.Instr]*pair{},
			given: map[string]Reg{}, packedIDs: s.t.Has("packed") && several(s.f)}
		a.findPairs(s.f.Body)
		return a
	}
}

// gcn selects AMD's machine code as LLVM does: what all lanes have is in scalar registers where the scalar unit
// computes it, else in vector registers; lanes that a branch leaves out are taken out of the exec mask.
type gcn struct {
	*selector
	params    []int64
	objects   []int64
	given     map[string]Reg // what registers hold when a kernel starts
	paired    map[*ir.Instr]*pair
	packedIDs bool // numbers of work items in several dimensions are in one register
}

func (a *gcn) begin() {}

// start is a register that the packet processor fills before a kernel starts.
func (a *gcn) start(name string, class Class) Operand {
	r, ok := a.given[name]
	if !ok {
		r = a.c.NewReg(RegInfo{Class: class, Words: 1, Name: name, Given: true})
		a.given[name] = r
	}
	return Operand{Kind: InReg, Reg: r}
}

// several reports whether a kernel asks for the number of a work item in the second dimension.
func several(f *ir.Func) bool {
	found := false
	f.Body.Walk(func(in *ir.Instr) {
		found = found || in.Op == lower.Index && in.Dim == 1 && (in.Fn == "get_local_id" || in.Fn == "get_global_id")
	})
	return found
}

func (a *gcn) control(op string, g Guard) *Instr {
	row := a.table.describe(op)
	return &Instr{Op: op, Class: row.class, Pipe: row.pipe, Guard: g, Pos: posOf(a.in)}
}

func (a *gcn) exit() *Instr { return a.control("s_endpgm", Guard{}) }

// branch is a jump: of the wavefront, where a scalar condition or an empty exec mask decides.
func (a *gcn) branch(g Guard, back bool) *Instr {
	switch {
	case g.Reg == 0:
		return a.control("s_branch", g)
	case a.c.Reg(g.Reg).Class == UniformPredicate && g.Not:
		return a.control("s_cbranch_scc0", g)
	case a.c.Reg(g.Reg).Class == UniformPredicate:
		return a.control("s_cbranch_scc1", g)
	case back:
		return a.control("s_cbranch_execnz", g)
	}
	return a.control("s_cbranch_execz", g)
}

// sync takes lanes out of the exec mask and brings them back.
func (a *gcn) sync() (enter, leave *Instr) {
	return a.control("s_and_saveexec_b64", Guard{}), a.control("s_or_b64", Guard{})
}

// pairs: loads of arguments next to each other are one (SILoadStoreOptimizer).
func (a *gcn) pairs() map[string]string {
	return map[string]string{"s_load_dword": "s_load_dwordx2", "s_load_dwordx2": "s_load_dwordx4",
		"s_load_dwordx4": "s_load_dwordx8"}
}

// part: bit fields take an unsigned byte out of a word.
func (a *gcn) part(in *Instr) (string, Operand) {
	u := in.Uses
	switch {
	case in.Op == "v_and_b32" && u[0] == imm(0xff):
		return "B0", u[1]
	case in.Op == "v_lshrrev_b32" && u[0] == imm(24):
		return "B3", u[1]
	case in.Op == "v_bfe_u32" && u[1].Kind == Immediate && u[1].Bits%8 == 0 && u[1].Bits < 32 && u[2] == imm(8):
		return fmt.Sprintf("B%d", u[1].Bits/8), u[0]
	}
	return "", Operand{}
}

// reading: v_cvt_f32_ubyte1 has the byte in its name.
func (a *gcn) reading(op, part string) (name, operand string) {
	if op != "v_cvt_f32_ubyte0" {
		return "", ""
	}
	return op[:len(op)-1] + cmp.Or(part, "B0")[1:], ""
}

func (a *gcn) uniform(op string) string { return op }

// parameter is a word of the kernel's arguments in memory.
func (a *gcn) parameter(v *ir.Value) Operand {
	o := Operand{Kind: Bank, Bits: uint64(a.params[v.Index]), Name: "kernarg", Span: wideSpan(a.flow.Words(v))}
	return a.inReg(o, Uniform, a.flow.Words(v), true)
}

func (a *gcn) address(v *ir.Value) Operand {
	o := a.f.Object(v.Object)
	if o.Space == idg.SpaceLocal || o.Space == idg.SpacePrivate {
		return imm(a.objects[v.Object-1])
	}
	return a.inReg(Operand{Kind: Special, Name: "@" + o.Name, Span: 2}, Uniform, 2, true)
}

// folded: sizes of groups come from the dispatch packet; nothing else is an operand.
func (a *gcn) folded(v *ir.Value) (Operand, bool) { return Operand{}, false }

// load brings a constant into a register.
func (a *gcn) load(d dest, o Operand) {
	class := a.c.Reg(d.reg).Class
	switch {
	case o.Kind == Bank:
		op := "s_load_dword"
		if d.span > 1 {
			op = fmt.Sprintf("s_load_dwordx%d", d.span)
		}
		a.emit(op, d, nil, o)
	case o.Kind == Special && strings.HasPrefix(o.Name, "dispatch"):
		a.emit("s_load_dword", d, nil, o)
	case o.Kind == Special: // relative to the program counter
		a.emit("s_getpc_b64", d, nil)
		a.emit("s_add_u32", dest{d.reg, 0, 1}, nil, tidy.Word(d.read(), 0), o)
		a.emit("s_addc_u32", dest{d.reg, 1, 1}, nil, tidy.Word(d.read(), 1), o)
	case o.Name == "PT":
		a.emit("s_mov_b64", d, nil, imm(-int64(b2i(!o.Not))))
	case class == Uniform && d.span == 2 && cheap(int64(o.Bits)):
		a.emit("s_mov_b64", d, nil, o)
	default:
		op := "v_mov_b32"
		if class == Uniform {
			op = "s_mov_b32"
		}
		for k := range d.span {
			a.emit(op, dest{d.reg, d.word + k, 1}, nil, tidy.Word(o, k))
		}
	}
}

func b2i(b bool) int {
	if b {
		return 1
	}
	return 0
}

// move copies an operand to a register.
func (a *gcn) move(d dest, from Operand) []*Instr {
	before := a.seq
	a.seq = nil
	to := a.c.Reg(d.reg).Class
	switch {
	case to == Predicate || to == UniformPredicate:
		op := "s_mov_b64"
		if from.Not && from.Kind == InReg {
			op = "s_not_b64"
		}
		a.emit(op, d, nil, from)
	case to == Uniform && from.Kind == InReg && a.c.Reg(from.Reg).Class == Vector:
		a.emit("v_readfirstlane_b32", d, nil, from)
	case to == Uniform:
		a.emit("s_mov_b32", d, nil, from)
	default:
		a.emit("v_mov_b32", d, nil, from)
	}
	return a.taken(before)
}

// cheap reports whether a number is part of the instruction without a word of its own.
func cheap(n int64) bool { return -16 <= n && n <= 64 }

// inlineFloats are numbers with a fraction that are.
var inlineFloats = map[uint32]bool{math.Float32bits(0.5): true, math.Float32bits(-0.5): true, math.Float32bits(1): true,
	math.Float32bits(-1): true, math.Float32bits(2): true, math.Float32bits(-2): true, math.Float32bits(4): true,
	math.Float32bits(-4): true}

// literal reports whether an operand is a number with a word of its own.
func (a *gcn) literal(o Operand) bool {
	if o.Kind != Immediate || o.Name != "" {
		return false
	}
	if hi := uint32(o.Bits >> 32); hi != 0 && uint32(o.Bits) == 0 { // of double precision
		switch math.Abs(math.Float64frombits(o.Bits)) {
		case 0.5, 1, 2, 4:
			return false
		}
	}
	return !cheap(int64(int32(o.Bits))) && !inlineFloats[uint32(o.Bits)] || o.Bits>>32 != 0
}

// legal brings operands into vector registers that a vector instruction cannot read as they are: it reads one
// scalar register or number of its own word, two from RDNA on, and numbers only where it has two operands at
// most, there.
func (a *gcn) legal(in *Instr) {
	switch {
	case !strings.HasPrefix(in.Op, "v_"):
		a.legalMemory(in)
		return
	case in.Op == "v_mov_b32", strings.HasPrefix(in.Op, "v_readfirstlane"):
		return
	}
	a.commute(in)
	room := 1
	if a.t.Has("wave32") {
		room = 2
	}
	if carries(in.Op) { // VCC is read on the way of a scalar register
		room--
	}
	short := len(in.Uses) <= 2 && !masks(in.Op) || a.t.Has("wave32")
	var first Operand
	for i := range in.Uses {
		o := &in.Uses[i]
		scalar := o.Kind == InReg && a.c.Reg(o.Reg).Class == Uniform
		number := a.literal(*o)
		if !scalar && !number {
			continue
		}
		if first.Kind == o.Kind && first.Reg == o.Reg && first.Bits == o.Bits {
			continue // the same once more
		}
		wide := a.double(in.Op, i)
		if room == 0 || number && (!short || wide && o.Bits>>32 != 0) {
			words := 1
			if wide {
				words = 2
			}
			if number && room > 0 && !wide {
				*o = a.modify(*o, a.inReg(plain(*o), Uniform, 1, false))
				room--
				continue
			}
			*o = a.modify(*o, a.lanes(plain(*o), words))
			continue
		}
		first = *o
		room--
	}
}

// commuted are vector instructions of which operands can change places, by the start of their names, and what they
// are called then ("": the same).
var commuted = [][2]string{{"v_add_", ""}, {"v_mul_f", ""}, {"v_and_", ""}, {"v_or_b", ""}, {"v_xor_", ""},
	{"v_min_", ""},
	{"v_max_", ""}, {"v_sub_u32", "v_subrev_u32"}, {"v_sub_f32", "v_subrev_f32"}, {"v_cmp_lt_", "v_cmp_gt_"},
	{"v_cmp_gt_", "v_cmp_lt_"}, {"v_cmp_le_", "v_cmp_ge_"}, {"v_cmp_ge_", "v_cmp_le_"},
	{"v_cmp_eq_", ""}, {"v_cmp_ne", ""}}

// commute puts what is in no vector register first, where short encodings have it (SIInstrInfo::commuteInstruction).
func (a *gcn) commute(in *Instr) {
	vector := func(o Operand) bool { return o.Kind == InReg && a.c.Reg(o.Reg).Class == Vector }
	if len(in.Uses) != 2 || !vector(in.Uses[0]) || vector(in.Uses[1]) {
		return
	}
	for _, c := range commuted {
		if rest, ok := strings.CutPrefix(in.Op, c[0]); ok {
			if c[1] != "" {
				in.Op = c[1] + rest
			}
			in.Uses[0], in.Uses[1] = in.Uses[1], in.Uses[0]
			return
		}
	}
}

// masks reports whether a comparison gives a mask: that is chosen freely in the long encoding, which has no room for
// numbers before RDNA; nobody shortens it before registers are allocated (SIShrinkInstructions).
func masks(op string) bool {
	return strings.HasPrefix(op, "v_cmp_")
}

// carries reports whether a vector instruction reads a mask.
func carries(op string) bool {
	return strings.HasPrefix(op, "v_addc") || strings.HasPrefix(op, "v_add_co_ci") || strings.HasPrefix(op, "v_subb") ||
		strings.HasPrefix(op, "v_sub_co_ci") || strings.HasPrefix(op, "v_cndmask") || strings.HasPrefix(op,
		"v_div_fmas")
}

func (a *gcn) modify(was, now Operand) Operand {
	now.Not, now.Abs = was.Not, was.Abs
	return now
}

// double reports whether an operand is two words.
func (a *gcn) double(op string, i int) bool {
	if strings.HasPrefix(op, "v_cvt_") {
		return strings.HasSuffix(op, "_f64")
	}
	if strings.HasSuffix(op, "rev_b64") || strings.HasSuffix(op, "rev_i64") {
		return i == 1
	}
	return strings.HasSuffix(op, "_f64") || strings.HasSuffix(op, "_i64") || strings.HasSuffix(op, "_u64")
}

// lanes is an operand in a vector register.
func (a *gcn) lanes(o Operand, words int) Operand {
	if o.Kind == InReg && a.c.Reg(o.Reg).Class != Uniform {
		return o
	}
	if o.Kind != InReg {
		return a.inReg(o, Vector, words, false)
	}
	key := readyKey{Vector, words, o}
	r, ok := a.list.ready[key]
	if !ok {
		d := a.temp(Vector, words)
		r = d.reg
		for k := range words {
			a.emit("v_mov_b32", dest{r, k, 1}, nil, tidy.Word(o, k))
		}
	}
	out := Operand{Kind: InReg, Reg: r}
	if words > 1 {
		out.Word = -1
	}
	return out
}

// legalMemory brings what accesses of memory read into vector registers.
func (a *gcn) legalMemory(in *Instr) {
	vector := strings.HasPrefix(in.Op, "ds_") || strings.HasPrefix(in.Op, "buffer_") || strings.HasPrefix(in.Op,
		"image_")
	pointer := strings.HasPrefix(in.Op, "global_") || strings.HasPrefix(in.Op, "flat_")
	if !vector && !pointer {
		return
	}
	for i := range in.Uses {
		o := &in.Uses[i]
		words := 1
		if pointer && i == 0 || o.Kind == InReg && o.Word < 0 {
			words = 2
			if o.Kind == InReg {
				words = a.c.Reg(o.Reg).Words
			}
		}
		*o = a.lanes(*o, words)
	}
}
