package inlineptx

import (
	"testing"

	"gpupipe/frontend/ctypes"
	"gpupipe/idg"
)

// instruction is the only one of a template.
func instruction(t *testing.T, text string) *Instruction {
	t.Helper()
	tm, err := Parse(text)
	if err != nil || len(tm.Code) != 1 {
		t.Fatalf("%s: %d instructions, %v", text, len(tm.Code), err)
	}
	return &tm.Code[0]
}

// TestProducts: an instruction's product is found by its suffixes, and again by the name of its function.
func TestProducts(t *testing.T) {
	in := instruction(t, "mma.sync.aligned.m16n8k16.row.col.f32.f16.f16.f32 {%0, %1, %2, %3}, {%4, %5, %6, %7}, {%8, "+
		"%9}, {%10, %11, %12, %13};")
	p := in.Product(in.Type(0).Kind, in.Last(2))
	if p == nil || p.Name != "16816" || len(Elements(in.Operands[1])) != p.A || len(Elements(in.Operands[2])) != p.B ||
		len(Elements(in.Operands[3])) != p.C {
		t.Fatalf("%s is %+v", in.Op, p)
	}
	if in.Product(ctypes.Double, "f64") != nil {
		t.Error("m16n8k16 is of doubles")
	}
	for i := range products {
		if found := ProductOf(products[i].Function()); found == nil || found.Function() != products[i].Function() {
			t.Errorf("%s leads to %+v", products[i].Function(), found)
		}
	}
	if ProductOf("mma_m1n1k1_f16_float") != nil {
		t.Error("there is no product of one element")
	}
}

// TestGroupShapes: the shape of wgmma, in its suffixes and in the name of its function.
func TestGroupShapes(t *testing.T) {
	for text, want := range map[string][2]int{
		"wgmma.mma_async.sync.aligned.m64n256k16.f32.bf16.bf16": {256, 16},
		"wgmma.mma_async.sync.aligned.m64n8k32.s32.s8.s8":       {8, 32},
		"wgmma.mma_async.sync.aligned.m64n260k16.f32.f16.f16":   {0, 0},
		"wgmma.mma_async.sync.aligned.m64n12k16.f32.f16.f16":    {0, 0},
		"wgmma.fence.sync.aligned":                              {0, 0},
	} {
		if n, k := instruction(t, text+";").GroupShape(); n != want[0] || k != want[1] {
			t.Errorf("%s: n %d, k %d", text, n, k)
		}
	}
	if s := GroupShapeOf(GroupProduct + "128_bf16_f32"); s == nil ||
		*s != (GroupShape{128, GroupDepth("bf16"), "bf16", ctypes.Float}) {
		t.Errorf("wgmma_128_bf16_f32 is %+v", s)
	}
	for _, name := range []string{"mma_128_bf16_f32", "wgmma_n_bf16_f32", "wgmma_128_bf16_f99", "wgmma_128"} {
		if s := GroupShapeOf(name); s != nil {
			t.Errorf("%s is %+v", name, s)
		}
	}
}

// TestAccess: what a load moves, and where it is.
func TestAccess(t *testing.T) {
	for _, c := range []struct {
		text      string
		space     idg.Space
		accessed  string
		registers int
	}{
		{"ld.global.nc.v4.f32 {%0, %1, %2, %3}, [%4];", idg.SpaceGlobal, "float4", 4},
		{"ld.shared::cta.u32 %0, [%1];", idg.SpaceLocal, "uint", 1},
		{"ld.b16 %0, [%1];", 0, "ushort", 1},
		{"ld.global.f16x2 %0, [%1];", idg.SpaceGlobal, "half2", 1},
		{"ld.global.v4.f64 {%0, %1, %2, %3}, [%4];", idg.SpaceGlobal, "", 0},
		{"ld.global.pred %0, [%1];", idg.SpaceGlobal, "", 0},
		{"ld.global.f99 %0, [%1];", idg.SpaceGlobal, "", 0},
	} {
		in := instruction(t, c.text)
		accessed, registers := "", 0
		if a := in.Accessed(); a != nil {
			accessed, registers = a.String(), in.Registers(a)
		}
		if in.Space() != c.space || accessed != c.accessed || registers != c.registers {
			t.Errorf("%s: %v, %q in %d registers", c.text, in.Space(), accessed, registers)
		}
	}
}
