package isel

import (
	"fmt"
	"slices"
	"strings"

	"gpupipe/idg"
	"gpupipe/lower"
	"gpupipe/lower/ir"
	"gpupipe/lower/isel/tidy"
)

func init() {
	lowerings["sass"] = func(s *selector) lowering {
		return &sass{selector: s, params: layout(s.f, s.flow), objects: s.placed()}
	}
}

// sass selects NVIDIA's machine code.
type sass struct {
	*selector
	params  []int64  // offsets behind the first parameter
	objects []int64  // offsets of objects in the memory of their space
	last    Operand  // what the address of the access at hand adds (Mem.Uniform)
	numbers []uint64 // of two words, in the constant bank
}

func imm(n int64) Operand { return Operand{Kind: Immediate, Bits: uint64(uint32(n))} }

// field is a constant that is part of the instruction, not an operand: a shift, a table of truth.
func field(n int64) Operand { return Operand{Kind: Immediate, Bits: uint64(uint32(n)), Name: "#"} }

var (
	zero    = Operand{Kind: Immediate}
	always  = Operand{Kind: Immediate, Bits: 1, Name: "PT"}
	never   = Operand{Kind: Immediate, Bits: 1, Name: "PT", Not: true}
	special = func(name string) Operand { return Operand{Kind: Special, Name: name} }
)

// begin sets up the stack pointer and, where accesses of memory name one, the descriptor of memory.
func (a *sass) begin() {
	op := "MOV"
	if a.t.Has("bank loads") {
		op = "LDC"
	}
	in := a.emit(op, dest{}, nil, Operand{Kind: Bank, Bits: a.stackTop(), Name: "c[0x0]"})
	in.Uses = append([]Operand{special("R1")}, in.Uses...)
	if n := a.c.Resources.PrivateBytes; n > 0 {
		in := a.emit("IADD3", dest{}, nil, zero, imm(-n), zero)
		in.Uses = append([]Operand{special("R1"), special("R1")}, in.Uses[1:]...)
	}
}

// stackTop is where the constant bank has the end of the stack.
func (a *sass) stackTop() uint64 {
	if a.t.Has("ssy") {
		return 0x20
	}
	return 0x28
}

func (a *sass) exit() *Instr { return a.control("EXIT", Guard{}) }

func (a *sass) control(op string, g Guard) *Instr {
	row := a.table.describe(op)
	return &Instr{Op: op, Class: row.class, Pipe: row.pipe, Guard: g, Pos: posOf(a.in)}
}

func (a *sass) branch(g Guard, back bool) *Instr { return a.control("BRA", g) }

func (a *sass) sync() (enter, leave *Instr) {
	if a.t.Has("ssy") {
		return a.control("SSY", Guard{}), a.control("SYNC", Guard{})
	}
	return a.control("BSSY", Guard{}), a.control("BSYNC", Guard{})
}

// parameter is a word of the constant bank.
func (a *sass) parameter(v *ir.Value) Operand {
	return Operand{Kind: Bank, Bits: uint64(a.t.Parameters + a.params[v.Index]), Name: "c[0x0]",
		Span: wideSpan(a.flow.Words(v))}
}

// wideSpan is the span of an operand of so many words.
func wideSpan(words int) int {
	if words > 1 {
		return words
	}
	return 0
}

// address is that of an object: its offset in the memory that it lies in; of a global variable, what the
// linker put into a constant bank.
func (a *sass) address(v *ir.Value) Operand {
	o := a.f.Object(v.Object)
	at := a.objects[v.Object-1]
	switch o.Space {
	case idg.SpaceLocal:
		if a.t.Has("clusters") {
			return a.window(v, at)
		}
		return imm(at)
	case idg.SpacePrivate:
		return imm(at)
	case idg.SpaceConstant:
		if a.flow.Narrow(v) {
			return imm(at)
		}
	}
	return Operand{Kind: Bank, Bits: uint64(8 * (v.Object - 1)), Name: "c[0x4]", Span: 2}
}

// window is an address in the memory of this group of a cluster: the group's number in its upper bits.
func (a *sass) window(v *ir.Value, at int64) Operand {
	class := Vector
	if a.flow.Scalar(v) {
		class = Uniform
	}
	return a.inReg(Operand{Kind: Special, Name: fmt.Sprintf("window%d", at), Bits: uint64(at)}, class, 1, true)
}

// folded is a word of the constant bank that a load of constant memory at a constant address is.
func (a *sass) folded(v *ir.Value) (Operand, bool) {
	in := v.Def
	if in.Op == lower.Index {
		return a.sizes(v)
	}
	if in.Space != idg.SpaceConstant || in.Volatile || in.Type.Size() < 4 {
		return Operand{}, false
	}
	base, offset := a.chase(in.Args[0])
	if base.Kind != ir.Address || !a.flow.Narrow(base) {
		return Operand{}, false
	}
	at := a.objects[base.Object-1] + offset + int64(v.Index)*in.Type.Size()
	if at < 0 {
		return Operand{}, false
	}
	return Operand{Kind: Bank, Bits: uint64(at), Name: "c[0x3]", Span: wideSpan(a.flow.Words(v))}, true
}

// chase follows a pointer through constants that are added to it.
func (s *selector) chase(v *ir.Value) (base *ir.Value, offset int64) {
	for v.Kind == ir.Result && v.Def.Op == lower.PtrAdd && v.Def.Args[1].IsConst() {
		offset += v.Def.Args[1].Int() * v.Def.Scale
		v = v.Def.Args[0]
	}
	return v, offset
}

// load brings a constant into a register.
func (a *sass) load(d dest, o Operand) {
	switch {
	case o.Kind == Special && strings.HasPrefix(o.Name, "window"):
		class := a.c.Reg(d.reg).Class
		u := a.temp(class, 1)
		t := a.inReg(special("SR_CgaCtaId"), class, 1, true)
		a.emit("MOV", u, nil, imm(0x400+int64(o.Bits)))
		a.emit("LEA", d, nil, t, u.read(), field(24))
	case o.Kind == Special:
		a.emit("S2R", d, nil, o)
	case o.Kind == Bank && (a.t.Has("bank loads") || a.c.Reg(d.reg).Class == Uniform):
		op := "LDC"
		if d.span == 2 {
			op = "LDC.64"
		}
		a.emit(op, d, nil, o)
	case o.Name == "PT":
		a.emit("PLOP3.LUT", d, nil, always, always, always, field(0x80))
	case d.span == 2 && o.Kind == Immediate && o.Bits == 0 && a.t.Has("bssy"):
		a.emit("CS2R", d, nil, special("SRZ"))
	default:
		for k := range d.span {
			a.emit("MOV", dest{d.reg, d.word + k, 1}, nil, tidy.Word(o, k))
		}
	}
}

// move copies an operand to a register.
func (a *sass) move(d dest, from Operand) []*Instr {
	before := a.seq
	a.seq = nil
	to := a.c.Reg(d.reg).Class
	switch {
	case to == Predicate && from.Kind == InReg:
		a.emit("PLOP3.LUT", d, nil, from, always, always, field(0x80))
	case from.Kind == InReg && to == Uniform && a.c.Reg(from.Reg).Class == Uniform:
		a.emit("UMOV", d, nil, from)
	case from.Kind == InReg && to == Uniform:
		a.emit("R2UR", d, nil, from)
	case from.Kind == InReg && from.High:
		from.High = false
		a.emit("PRMT", d, nil, from, imm(0x7732), zero)
	case from.Kind == InReg:
		a.emit("MOV", d, nil, from)
	case to == Uniform && from.Kind == Immediate:
		a.emit("UMOV", d, nil, from)
	default:
		a.load(d, from)
	}
	return a.taken(before)
}

// slots are the operands, from 1, that may be constants, one of them, by the first word of the mnemonic; other
// instructions have 2 and 3.
var slots = map[string]string{"LDG": "", "STG": "", "LDS": "", "STS": "", "LDL": "", "STL": "", "LD": "", "ST": "",
	"ATOM":  "",
	"ATOMG": "", "ATOMS": "", "RED": "", "REDG": "", "SHFL": "23", "MOV": "1", "UMOV": "1", "I2F": "1", "F2I": "1",
	"F2F": "1", "I2FP": "1",
	"MUFU": "1", "I2I": "1", "FRND": "1", "POPC": "1", "FLO": "1", "BREV": "1", "IABS": "1", "HMMA": "", "IMMA": "",
	"DMMA": "", "LDC": "12",
	"ULDC": "12", "S2R": "1", "S2UR": "1", "CS2R": "1", "LEA": "2", "VIADD": "2", "TEX": "", "SUST": "", "R2UR": "1",
	"BAR":  "1",
	"LDSM": "", "LDGSTS": "", "LOP3": "2", "PRMT": "23", "MATCH": "", "REDUX": "", "F2FP": "12"}

// swaps are instructions of which the first two operands may be exchanged.
var swaps = map[string]bool{"FADD": true, "FMUL": true, "FFMA": true, "FMNMX": true, "IADD3": true, "IMAD": true,
	"LOP3": true, "DADD": true,
	"DMUL": true, "DFMA": true, "HADD2": true, "HMUL2": true, "HFMA2": true, "IMNMX": true, "XMAD": true, "IADD": true,
	"VIMNMX": true}

// legal puts operands into registers that an instruction cannot read as they are: one of its operands may be a
// constant, a word of the constant bank or a register of the warp.
func (a *sass) legal(in *Instr) {
	name, _, _ := strings.Cut(in.Op, ".")
	if len(in.Defs) > 0 && a.c.Reg(in.Defs[0]).Class == Uniform && name != "ULDC" && name != "S2UR" && name != "R2UR" &&
		name != "REDUX" {
		a.legalUniform(in)
		return
	}
	allowed, ok := slots[name]
	if !ok {
		allowed = "23"
	}
	if swaps[name] && len(in.Uses) > 1 && a.fixed(in.Uses[0]) && !a.fixed(in.Uses[1]) && !(name == "IMAD" &&
		strings.Contains(in.Op, "X")) {
		in.Uses[0], in.Uses[1] = in.Uses[1], in.Uses[0]
	}
	if swaps[name] && len(in.Uses) > 1 && a.rank(in.Uses[0]) > a.rank(in.Uses[1]) && a.fixed(in.Uses[1]) {
		in.Uses[0], in.Uses[1] = in.Uses[1], in.Uses[0]
	}
	if name == "IADD3" && len(in.Uses) > 2 && a.fixed(in.Uses[0]) && in.Uses[1].Kind == InReg && !a.fixed(in.Uses[2]) {
		in.Uses[0], in.Uses[2] = in.Uses[2], in.Uses[0]
	}
	if strings.HasPrefix(in.Op, "IMAD.WIDE") {
		a.widened(in)
	}
	best := a.keeps(in, allowed)
	if best >= 0 && in.Uses[best].Kind == Bank && a.twice(in, best) {
		best = -1
	}
	for i := range in.Uses {
		o := &in.Uses[i]
		if !a.fixed(*o) || i == best || i > 0 && i == len(in.Uses)-1 && in.Mem != nil && in.Mem.Uniform {
			if i == best && long(*o) {
				*o = a.literal(*o)
			} else if i == best {
				a.constant32(o, name)
			}
			continue
		}
		a.intoReg(in, i)
	}
}

// widened brings a register of the warp that is multiplied by a number into one of the lanes: the number stays (nvcc
// 11.8, 12.4 and 13, 2,226 products of the suite and the corpus).
func (a *sass) widened(in *Instr) {
	for i := range 2 {
		if o := in.Uses[i]; o.Kind == InReg && a.fixed(o) && in.Uses[1-i].Kind == Immediate {
			a.intoReg(in, i)
			in.Uses[0], in.Uses[1] = in.Uses[i], in.Uses[1-i]
		}
	}
}

// legalUniform brings words of the constant bank into registers of the warp.
func (a *sass) legalUniform(in *Instr) {
	for i := range in.Uses {
		if o := &in.Uses[i]; o.Kind == Bank {
			*o = a.modified(*o, a.banked(plain(*o), Uniform, a.list))
		}
	}
	if strings.HasPrefix(in.Op, "UIADD3") || strings.HasPrefix(in.Op, "UIMAD") || strings.HasPrefix(in.Op, "ULOP3") {
		if len(in.Uses) > 1 && in.Uses[0].Kind == Immediate && in.Uses[0].Bits != 0 && in.Uses[1].Kind == InReg {
			in.Uses[0], in.Uses[1] = in.Uses[1], in.Uses[0]
		}
	}
}

// twice reports whether an instruction reads an operand in another place, too: in a register of the lanes it serves
// both (nvcc 13: FFMA R0, R0, R5, R5 of x*a + a).
func (a *sass) twice(in *Instr, i int) bool {
	for k, o := range in.Uses {
		if k != i && o.Kind == in.Uses[i].Kind && plain(o) == plain(in.Uses[i]) {
			return true
		}
	}
	return false
}

// keeps is the operand that stays what it is.
func (a *sass) keeps(in *Instr, allowed string) int {
	best := -1
	for i, o := range in.Uses {
		if i == 0 && onChip(in.Op) && o.Kind == InReg && a.fixed(o) {
			return 0 // an address in a register of the warp
		}
		if !a.fixed(o) || !strings.ContainsRune(allowed, rune('1'+i)) || long(o) && !a.wide(in, i) {
			continue
		}
		if best < 0 || a.rank(o) > a.rank(in.Uses[best]) || long(o) && long(in.Uses[best]) && !a.t.Has("bank loads") {
			best = i
		}
	}
	return best
}

// long reports whether a number has bits in both words, for which instructions have no room.
func long(o Operand) bool { return o.Kind == Immediate && o.Bits>>32 != 0 && uint32(o.Bits) != 0 }

// literals is where numbers of two words lie in their constant bank, behind those of the table's functions.
const literals = 0x400

// literal is a number of two words as an operand: a word of the constant bank of such numbers, or a register of the
// warp where instructions do not read banks (nvcc 11.8 for sm_60 to sm_90, 0.3 as either operand of products and sums:
// DMUL R4, R4, c[0x2][0x0]; sm_90: two UMOV; of a DFMA with two the addend stays one, on sm_90 the factor).
func (a *sass) literal(o Operand) Operand {
	if a.t.Has("bank loads") {
		return a.modified(o, a.inReg(plain(o), Uniform, 2, false))
	}
	at := slices.Index(a.numbers, o.Bits)
	if at < 0 {
		at = len(a.numbers)
		a.numbers = append(a.numbers, o.Bits)
	}
	return a.modified(o, Operand{Kind: Bank, Bits: literals + 8*uint64(at), Name: "c[0x2]", Span: 2})
}

// onChip reports whether an access has an address of one word.
func onChip(op string) bool {
	name, _, _ := strings.Cut(op, ".")
	return name == "LDS" || name == "STS" || name == "LDL" || name == "STL" || name == "ATOMS"
}

// rank says what costs more to have in a register of the lanes: a register of the warp, a word of the bank
// where instructions read it, a number, a word of the bank where they do not.
func (a *sass) rank(o Operand) int {
	switch {
	case o.Kind == InReg && a.c.Reg(o.Reg).Class == Uniform:
		return 4
	case (o.Kind == Bank || long(o)) && !a.t.Has("bank loads"):
		return 3
	case o.Kind == Immediate && o.Bits != 0 && o.Name == "":
		return 2
	case o.Kind == Bank:
		return 1
	}
	return 0
}

// fixed reports whether an operand takes the place of a constant in an instruction.
func (a *sass) fixed(o Operand) bool {
	switch o.Kind {
	case Immediate:
		return o.Bits != 0 && o.Name == ""
	case Bank:
		return true
	case InReg:
		return a.c.Reg(o.Reg).Class == Uniform
	}
	return false
}

// constant32 makes a parameter a register of the warp where instructions do not read the bank.
func (a *sass) constant32(o *Operand, name string) {
	if o.Kind != Bank || !a.t.Has("bank loads") || name == "LDC" || name == "ULDC" {
		return
	}
	l := a.list
	if o.Word > 0 && strings.HasPrefix(name, "LEA") {
		l = a.inFront()
	}
	*o = a.modified(*o, a.banked(plain(*o), Uniform, l))
}

// inFront is where a pointer comes that addresses are computed from: in front of an innermost loop (nvcc 11.8, 12.4 and
// 13, all 22 sums of a parameter and a subscript of 64 bits in four kernels).
func (a *sass) inFront() *list {
	for l := a.list; l != nil; l = l.outer {
		if l.loop {
			return l.outer
		}
	}
	return a.list
}

// banked loads a word of the constant bank, or two.
func (a *sass) banked(o Operand, class Class, l *list) Operand {
	if o.Word == 0 {
		return a.inRegOf(l, o, class, max(1, o.Span))
	}
	k := o.Word - 1
	pair := Operand{Kind: Bank, Bits: o.Bits - 4*uint64(k), Name: o.Name, Span: 2}
	return tidy.Word(a.inRegOf(l, pair, class, 2), k)
}

// uniform is the instruction of the uniform datapath.
func (a *sass) uniform(op string) string {
	if strings.HasPrefix(op, "U") || op == "R2UR" || op == "S2UR" || strings.HasPrefix(op, "REDUX") {
		return op
	}
	if op == "S2R" {
		return "S2UR"
	}
	return "U" + op
}

func plain(o Operand) Operand {
	o.Not, o.Abs = false, false
	return o
}

func (a *sass) modified(was, now Operand) Operand {
	now.Not, now.Abs = was.Not, was.Abs
	return now
}

// intoReg puts an operand into a register of its own.
func (a *sass) intoReg(in *Instr, i int) {
	o := &in.Uses[i]
	words := 1
	if a.wide(in, i) {
		words = 2
	}
	if o.Kind == InReg { // of the warp
		d := a.temp(Vector, words)
		for k := range words {
			a.emit("MOV", dest{d.reg, k, 1}, nil, tidy.Word(plain(*o), k))
		}
		*o = a.modified(*o, d.read())
		return
	}
	if o.Kind == Bank && o.Word > 0 && words == 1 {
		*o = a.modified(*o, a.banked(plain(*o), Vector, a.list))
		return
	}
	*o = a.modified(*o, a.inReg(plain(*o), Vector, words, o.Kind == Bank && words == 1))
}

// wide reports whether an operand is two words.
func (a *sass) wide(in *Instr, i int) bool {
	if in.Uses[i].Kind == Bank {
		return in.Uses[i].Span == 2
	}
	name, rest, _ := strings.Cut(in.Op, ".")
	switch name {
	case "DADD", "DMUL", "DFMA", "DSETP", "DMNMX":
		return true
	case "IMAD":
		return i == 2 && strings.HasPrefix(rest, "WIDE")
	case "F2F", "F2I":
		return strings.HasSuffix(rest, "F64")
	case "MUFU":
		return false
	case "LDG", "STG", "LD", "ST", "ATOM", "ATOMG", "RED", "REDG":
		return i == 0 || i == 1 && strings.Contains(rest, "64")
	case "STS", "STL", "ATOMS":
		return i == 1 && strings.Contains(rest, "64")
	}
	return false
}

// pairs: LDC.64 and ULDC.64 load two words.
func (a *sass) pairs() map[string]string {
	return map[string]string{"LDC": "LDC.64", "ULDC": "ULDC.64"}
}

// part: PRMT takes a byte or a half out of a word, with zeros or the sign above.
func (a *sass) part(in *Instr) (string, Operand) {
	if in.Op != "PRMT" || in.Uses[1].Kind != Immediate || in.Uses[2] != zero {
		return "", Operand{}
	}
	return sassParts[in.Uses[1].Bits], in.Uses[0]
}

var sassParts = map[uint64]string{
	0x7770: "B0", 0x7771: "B1", 0x7772: "B2", 0x7773: "B3", 0x7710: "H0", 0x7732: "H1",
	0x8880: "B0", 0x9991: "B1", 0xaaa2: "B2", 0xbbb3: "B3", 0x9910: "H0", 0xbb32: "H1"}

// reading: I2F.U8 and I2F.U16 read a part of a word.
func (a *sass) reading(op, part string) (name, operand string) {
	if op != "I2F.U16" && op != "I2F.S16" {
		return "", ""
	}
	if strings.HasPrefix(part, "B") {
		op = strings.Replace(op, "16", "8", 1)
	}
	if strings.HasSuffix(part, "0") {
		part = ""
	}
	return op, part
}

// sizes are the extents of groups and launches, which lie in the constant bank. Of 64 bits they are no words
// next to each other.
func (a *sass) sizes(v *ir.Value) (Operand, bool) {
	at := a.t.Dimensions + 4*int64(v.Def.Dim)
	switch v.Def.Fn {
	case "get_local_size", "get_enqueued_local_size":
	case "get_num_groups":
		at += 12
	default:
		return Operand{}, false
	}
	return Operand{Kind: Bank, Bits: uint64(at), Name: "c[0x0]"}, true
}
