package isa

import (
	"slices"
	"strings"
	"testing"
)

// TestClass: the class of an op in instruction mixes.
func TestClass(t *testing.T) {
	for op, want := range map[string]Class{
		"fma.f32": "fp32", "add.f64": "fp64", "mul.f16": "fp16", "min.f32": "fp32", "neg.f32": "fp32",
		"add.s32": "int", "mad.s32": "int", "div.u64": "int", "and.b32": "int", "not.pred": "int", "shl.s32": "int",
		"div.f32": "special", "native_cos.f32": "special", "cos.f32": "special", "half_exp.f32": "special",
		"sqrt.f64": "special", "fmod.f32": "special", "rsqrt.f32": "special",
		"cos.approx.f32": "special", "native_recip.f32": "special", "atan2pi.f32": "special", "popcount.s32": "int",
		"mov.s32": "int", "rem.s32": "int",
		"fence": "fence", "async.wait": "async", "hmma.16816.f32": "tensor", "ld.global.async": "ld.global",
		"st.local.async": "st.local", "shuffle": "shuffle", "vote": "vote", "ld": "ld", "atomic": "atomic",
		"cvt.f32.s32": "convert", "setp.s32": "compare", "setp.lt.f32": "compare", "select.f32": "compare",
		"ld.global": "ld.global", "st.local": "st.local", "ld.private": "ld.private", "ld.global.f32": "ld.global",
		"atomic.add.global": "atomic.global",
		"barrier":           "barrier", "loop": "loop", "branch": "branch", "index": "index",
		"": "other", "mystery": "other", "mov.x9": "other",
	} {
		if got := Parse(op).Class(); got != want {
			t.Errorf("%s is %s, want %s", op, got, want)
		}
	}
}

// ops is every op that the table can make of marks and types.
func ops() (list []Op) {
	for v := Verb(1); int(v) < len(rows); v++ {
		list = append(list, Of(v))
		switch {
		case rows[v].rule == ofMemory:
			for s := Global; s <= Image; s++ {
				list = append(list, In(v, s), In(v, s).With(Uniform), In(v, s).With(Async), In(v, s).With(Combined))
			}
		case v == Convert:
			for to := Pred; to <= Ptr; to++ {
				for from := Pred; from <= Ptr; from++ {
					list = append(list, Of(v, to, from))
				}
			}
		default:
			for t := Pred; t <= Ptr; t++ {
				for _, prefix := range accuracies {
					if o := Parse(prefix + Of(v, t).String()); o.Verb == v {
						list = append(list, o, o.With(Wide), o.With(Packed), o.With(Dual), o.With(Uniform),
							o.With(Approx))
					}
				}
			}
		}
	}
	return list
}

// TestTable: each row has a name and a kind, and names are not used twice.
func TestTable(t *testing.T) {
	for v := Verb(1); int(v) < len(rows); v++ {
		r := &rows[v]
		if r.name == "" || r.kind == 0 || verbs[r.name] != v {
			t.Errorf("row %d: %q of kind %d is verb %d", v, r.name, r.kind, verbs[r.name])
		}
		if r.kind == function && r.accurate == nil {
			t.Errorf("%s has no composition", r.name)
		}
	}
	if names := Names(); len(names) != len(rows)-1 ||
		len(slices.Compact(slices.Sorted(slices.Values(names)))) != len(names) {
		t.Errorf("%d names of %d rows", len(names), len(rows))
	}
}

// TestParse: an op is what its text says, and marks come and go.
func TestParse(t *testing.T) {
	for text, want := range map[string]Op{
		"add.s32":                    {Verb: Add, Type: S32},
		"cvt.s64.f32":                {Verb: Convert, Type: S64, From: F32},
		"native_cos.f32":             {Verb: verbs["cos"], Accuracy: Native, Type: F32},
		"cos.approx.f32":             {Verb: verbs["cos"], Marks: Approx, Type: F32},
		"mul.wide.s32":               {Verb: Mul, Marks: Wide, Type: S32},
		"ld.global.async":            {Verb: Load, Space: Global, Marks: Async},
		"atomic.add.combined.global": {Verb: Atomic, Space: Global, Marks: Combined},
		"branch.loop":                {Verb: Branch, Marks: OfLoop},
		"wgmma.m64n128k16.bf16.f32":  {Verb: WGMMA, Type: F32},
		"mystery.f32":                {Type: F32},
	} {
		want.text = text
		if got := Parse(text); got != want {
			t.Errorf("%s is %+v, want %+v", text, got, want)
		}
	}
	for _, o := range ops() {
		for _, m := range markNames {
			if with := o.With(m.mark); !o.Has(m.mark) && (!with.Has(m.mark) || with.Without(m.mark) != o) {
				t.Errorf("%s with %v is %s, and %s without it again", o, m.mark, with, with.Without(m.mark))
			}
		}
	}
}

// TestAlternatives: every part that a composition names is itself an op of the table, and no
// chain of alternatives comes back to where it began.
func TestAlternatives(t *testing.T) {
	for _, o := range ops() {
		for _, a := range o.Alternatives() {
			if a.Why == "" || len(a.Parts) == 0 {
				t.Errorf("%s has an alternative without parts or reason", o)
			}
			for _, p := range a.Parts {
				if Parse(p.Op).Verb == 0 || p.N == 0 || p.Op == o.String() {
					t.Errorf("%s falls back to %d %s", o, p.N, p.Op)
				}
			}
		}
	}
}

// TestWords: the registers of results and operands.
func TestWords(t *testing.T) {
	for text, want := range map[string][2]int64{
		"add.s32": {1, 1}, "add.f64": {2, 2}, "setp.f64": {0, 2}, "not.pred": {0, 0}, "mul.wide.s32": {2, 2},
		"fma.packed.f32": {2, 2},
		"cvt.f64.s32":    {2, 1}, "cvt.s32.f64": {1, 2}, "st.global": {0, 1}, "ld.global": {2, 1},
		"ld.global.async": {0, 1}, "barrier": {0, 1},
		"hmma.16816.f32": {4, 2}, "hmma.884.f32": {2, 2}, "wgmma.m64n128k16.bf16.f32": {64, 2},
		"wgmma.m64n128k16.f16.f16": {32, 2}, "index": {1, 1}, "off": {1, 1},
	} {
		o := Parse(text)
		if got := [2]int64{o.ResultWords(F64), o.OperandWords()}; got != want {
			t.Errorf("%s: %v words, want %v", text, got, want)
		}
	}
}

// TestNames: from the most specific name to the most general.
func TestNames(t *testing.T) {
	for text, want := range map[string]string{
		"add.s32": "add.s32 add int", "native_cos.f32": "native_cos.f32 cos.approx.f32 native_cos special",
		"cos.approx.f32":  "cos.approx.f32 native_cos.f32 cos.approx cos special",
		"add.uniform.s32": "add.uniform.s32 uniform add.uniform add int", "ld.global": "ld.global.f32 ld.global ld",
	} {
		element := ""
		if text == "ld.global" {
			element = "f32"
		}
		if got := strings.Join(Parse(text).Names(element), " "); got != want {
			t.Errorf("%s: %s, want %s", text, got, want)
		}
	}
}
