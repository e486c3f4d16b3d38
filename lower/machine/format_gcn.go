package machine

import (
	"fmt"
	"math"
	"slices"
	"strings"

	"gpupipe/idg"
)

// gcnText prints instructions as LLVM's listings for AMD have them: v0, s[0:1], vcc; what an instruction reads and
// writes in scc goes without saying.
type gcnText struct{ p *printer }

// VCC is the number of the first scalar register of vcc in AMD's encoding.
const VCC = 106

func (g gcnText) instr(in *Instr) string {
	var ops []string
	for i, d := range in.Defs {
		if g.p.c.Reg(d).Class == UniformPredicate {
			continue
		}
		word, span := -1, 0
		if i == 0 && in.Part > 0 {
			word, span = in.Part-1, in.Span
		}
		ops = append(ops, g.register(d, word, span))
	}
	if strings.HasPrefix(in.Op, "v_") && strings.Contains(in.Op, "_co_") || strings.HasPrefix(in.Op, "v_div_scale") {
		if len(ops) == 1 { // nobody reads the carry
			ops = append(ops, map[bool]string{true: "vcc_lo", false: "vcc"}[g.p.c.Target.WarpSize == 32])
		}
	}
	tail := ""
	switch {
	case in.Mem != nil:
		var list []string
		list, tail = g.access(in)
		ops = append(ops, list...)
	default:
		for i := range in.Uses {
			o := &in.Uses[i]
			if o.Kind == InReg && g.p.c.Reg(o.Reg).Class == UniformPredicate {
				continue
			}
			if strings.HasPrefix(in.Op, "v_fmac") && i == 2 || strings.HasPrefix(in.Op, "v_div_fmas") && i == 3 {
				continue // what it writes, and vcc
			}
			ops = append(ops, g.operands(*o, in)...)
		}
	}
	text := g.mnemonic(in, ops)
	if len(ops) > 0 {
		text += " " + strings.Join(ops, ", ")
	}
	if in.Spill && in.Mem != nil {
		kind := map[bool]string{true: "Spill", false: "Reload"}[in.Mem.Store]
		tail += fmt.Sprintf(" ; %d-byte Folded %s", in.Mem.Bytes, kind)
	}
	return text + tail
}

// access is the operands of an access behind its results, and its offset.
func (g gcnText) access(in *Instr) (ops []string, tail string) {
	m := in.Mem
	all := func(list []Operand) {
		for _, o := range list {
			ops = append(ops, g.operands(o, in)...)
		}
	}
	if len(in.Uses) == 0 || m.Space == idg.SpacePrivate && in.Spill {
		all(in.Uses)
		ops = append(ops, "off", "s[0:3]", "0")
		return ops, offset("offset", m.Offset)
	}
	address, rest := in.Uses[:1], in.Uses[1:]
	all(address)
	switch {
	case strings.HasPrefix(in.Op, "s_load"):
		return append(ops, fmt.Sprintf("0x%x", m.Offset)), ""
	case strings.HasPrefix(in.Op, "ds_read2"), strings.HasPrefix(in.Op, "ds_write2"):
		all(rest)
		unit, half := m.Bytes/2, m.Bytes/2
		if strings.Contains(in.Op, "st64") {
			unit *= 64
		}
		if m.Apart != 0 {
			half = m.Apart
		}
		return ops, offset("offset0", m.Offset/unit) + offset("offset1", (m.Offset+half)/unit)
	case strings.HasPrefix(in.Op, "global_"):
		all(rest)
		return append(ops, "off"), offset("offset", m.Offset)
	case strings.HasPrefix(in.Op, "buffer_"):
		data := slices.Clone(ops)
		ops = nil
		all(rest)
		return append(append(ops, data...), "s[0:3]", "0"), " offen" + offset("offset", m.Offset)
	}
	all(rest)
	return ops, offset("offset", m.Offset)
}

func offset(name string, n int64) string {
	if n == 0 {
		return ""
	}
	return fmt.Sprintf(" %s:%d", name, n)
}

// register names a register, or some words of it.
func (g gcnText) register(r Reg, word, span int) string {
	info := g.p.c.Reg(r)
	wave32 := g.p.c.Target.WarpSize == 32
	if info.Class == UniformPredicate {
		return "scc"
	}
	letter := "s"
	if info.Class == Vector {
		letter = "v"
	}
	words := info.Words
	if info.Class == Predicate {
		word, words = -1, g.p.c.Target.WarpSize/32
	}
	if word < 0 {
		word, span = 0, words
	}
	at := info.Phys
	switch {
	case at < 0 && words == 1: // a virtual one
		return fmt.Sprintf("%%%s%d", letter, r)
	case at < 0 && span <= 1:
		return fmt.Sprintf("%%%s%d.%d", letter, r, word)
	case at < 0:
		return fmt.Sprintf("%%%s%d.%d:%d", letter, r, word, word+span-1)
	case at == VCC && info.Class == Predicate && wave32:
		return "vcc_lo"
	case at == VCC && info.Class == Predicate:
		return "vcc"
	case span <= 1:
		return fmt.Sprintf("%s%d", letter, at+word)
	}
	return fmt.Sprintf("%s[%d:%d]", letter, at+word, at+word+span-1)
}

// operands print one operand; the constant bank's is a pointer and an offset.
func (g gcnText) operands(o Operand, in *Instr) []string {
	s := ""
	switch o.Kind {
	case InReg:
		s = g.register(o.Reg, o.Word, o.Span)
	case Immediate:
		s = g.number(o, in)
	case Bank:
		return []string{o.Name, fmt.Sprintf("0x%x", o.Bits)}
	case Special:
		if name, at, ok := strings.Cut(o.Name, "+"); ok {
			n := 0
			fmt.Sscan(at, &n)
			return []string{name, fmt.Sprintf("0x%x", n)}
		}
		s = o.Name
	}
	if o.Abs {
		s = "|" + s + "|"
	}
	if o.Not {
		s = "-" + s
	}
	return []string{s}
}

// number prints a constant: one that needs no word of its own as what it is.
func (g gcnText) number(o Operand, in *Instr) string {
	if o.Name == "PT" {
		return map[bool]string{true: "0", false: "-1"}[o.Not]
	}
	if n := int64(int32(o.Bits)); o.Bits>>32 == 0 && n >= -16 && n <= 64 {
		return fmt.Sprint(n)
	}
	f := float64(math.Float32frombits(uint32(o.Bits)))
	if o.Bits>>32 != 0 {
		f = math.Float64frombits(o.Bits)
	}
	switch math.Abs(f) {
	case 0.5, 1, 2, 4:
		return fmt.Sprintf("%.1f", f)
	}
	return fmt.Sprintf("0x%x", o.Bits)
}

// renamed are mnemonics of RDNA.
var renamed = map[string]string{"v_add_u32": "v_add_nc_u32", "v_sub_u32": "v_sub_nc_u32",
	"v_subrev_u32":  "v_subrev_nc_u32",
	"v_addc_co_u32": "v_add_co_ci_u32", "v_subb_co_u32": "v_sub_co_ci_u32"}

// mnemonic is what LLVM calls an instruction: with its encoding where there are several.
func (g gcnText) mnemonic(in *Instr, ops []string) string {
	op := in.Op
	if g.p.c.Target.WarpSize == 32 {
		if name, ok := renamed[op]; ok {
			op = name
		}
		if strings.HasSuffix(op, "_b64") && strings.HasPrefix(op, "s_") &&
			(len(in.Defs) == 0 || g.p.c.Reg(in.Defs[0]).Class == Predicate) {
			op = strings.TrimSuffix(op, "_b64") + "_b32"
		}
	}
	if len(in.Uses) == 0 || in.Mem != nil || len(ops) == 0 {
		return op
	}
	if g.p.c.Target.WarpSize == 32 && (strings.HasPrefix(op, "v_add_co_u32") || strings.HasPrefix(op, "v_sub_co_u32")) {
		return op // the long encoding only
	}
	return op + encoding(in.Op, ops)
}

// short are vector instructions that have a short encoding: VOP1, VOP2 and VOPC (AMD's manuals of the sets of
// instructions).
var short = []string{"v_add_f32", "v_add_f16", "v_sub_f32", "v_sub_f16", "v_mul_f32", "v_mul_f16", "v_fmac_",
	"v_min_f32",
	"v_min_f16", "v_min_i32", "v_min_u32", "v_max_f32", "v_max_f16", "v_max_i32", "v_max_u32", "v_and_b32", "v_or_b32",
	"v_xor_b32", "v_lshlrev_b32", "v_lshrrev_b32", "v_ashrrev_i32", "v_add_u32", "v_sub_u32", "v_subrev_u32",
	"v_add_co_u32",
	"v_addc_co_u32", "v_sub_co_u32", "v_add_nc_", "v_sub_nc_", "v_add_co_ci_", "v_sub_co_ci_",
	"v_subb_co_u32", "v_cndmask_b32", "v_cmp_", "v_cvt_", "v_mov_b32", "v_not_b32", "v_rcp_",
	"v_rsq_", "v_sqrt_", "v_exp_", "v_log_", "v_sin_", "v_cos_", "v_fract_", "v_floor_", "v_ceil_", "v_trunc_",
	"v_rndne_",
	"v_ffbh_", "v_bfrev_"}

// encoding is the suffix of a vector instruction that has two encodings: the long one where operands do not fit.
func encoding(op string, ops []string) string {
	if !slices.ContainsFunc(short, func(p string) bool { return strings.HasPrefix(op, p) }) {
		return ""
	}
	last := len(ops) - 1
	reads := []string{"v_addc_", "v_subb_", "v_add_co_ci_", "v_sub_co_ci_", "v_cndmask_"}
	carries := slices.ContainsFunc(reads, func(p string) bool { return strings.HasPrefix(op, p) })
	masks := strings.HasPrefix(op, "v_cmp_") || strings.Contains(op, "_co_")
	at := 0 // where the mask that it gives stands
	if masks && !strings.HasPrefix(op, "v_cmp_") {
		at = 1
	}
	switch {
	case masks && !strings.HasPrefix(ops[min(at, last)], "vcc"), carries && !strings.HasPrefix(ops[last], "vcc"):
		return "_e64"
	case slices.ContainsFunc(ops, func(s string) bool {
		return strings.HasPrefix(s, "-v") || strings.HasPrefix(s,
			"|")
	}):
		return "_e64"
	}
	if carries {
		last--
	}
	if last-at >= 2 && !strings.HasPrefix(ops[last], "v") && ops[last] != "" {
		return "_e64"
	}
	return "_e32"
}
