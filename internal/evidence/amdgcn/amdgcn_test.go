package amdgcn

import (
	"fmt"
	"strings"
	"testing"
)

// assembly is what clang writes around the code of a kernel that gets its arguments and the
// group's id.
func assembly(target string, code ...string) string {
	var b strings.Builder
	fmt.Fprintf(&b, "\t.text\n\t.amdgcn_target \"amdgcn-amd-amdhsa--%s\"\n"+
		"k:                                      ; @k\n", target)
	for _, c := range code {
		if !strings.HasSuffix(c, ":") {
			c = "\t" + c
		}
		b.WriteString(c + "\n")
	}
	b.WriteString("\t.section\t.rodata,#alloc\n\t.amdhsa_kernel k\n\t\t.amdhsa_user_sgpr_kernarg_segment_ptr 1\n" +
		"\t\t.amdhsa_system_sgpr_workgroup_id_x 1\n\t.end_amdhsa_kernel\n")
	return b.String()
}

func run(t *testing.T, target string, l Launch, code ...string) ([]int64, error) {
	t.Helper()
	k, err := Parse(assembly(target, code...), "k")
	if err != nil {
		t.Fatal(err)
	}
	return k.Run(l)
}

// oneGroup has the kernel's arguments at s[0:1] and the group's id in s2.
var oneGroup = Launch{
	Local: [3]int64{40, 2, 1}, Groups: [3]int64{7, 1, 1}, Group: [3]int64{3, 0, 0}, WaveSize: 64, Limit: 1000,
	Args: map[int64]uint32{0: 0x12345678, 4: 0x9, 8: 100},
}

// TestEvaluate: what instructions leave in s8, by AMD's documents.
func TestEvaluate(t *testing.T) {
	for _, c := range []struct {
		code string // of s4 = 100, s5 = -3, s6 = 1<<31
		want int32
	}{
		{"s_load_dword s8, s[0:1], 0x8", 100}, {"s_load_dwordx2 s[8:9], s[0:1], 0x4; s_mov_b32 s8, s9", 100},
		{"s_mov_b32 s8, s2", 3},
		{"s_add_i32 s8, s4, s5", 97}, {"s_sub_u32 s8, s4, s5", 103}, {"s_add_u32 s7, s6, s6; s_addc_u32 s8, s4, 0",
			101}, {"s_sub_u32 s7, s4, s6; s_subb_u32 s8, s4, 0", 99},
		{"s_mul_i32 s8, s4, s5", -300}, {"s_mul_hi_u32 s8, s6, 6", 3}, {"s_lshl2_add_u32 s8, s4, 3", 403},
		{"s_movk_i32 s8, 0xfffe", -2}, {"s_mov_b32 s8, s4; s_addk_i32 s8, 0x5", 105},
		{"s_lshl_b32 s8, s4, 2", 400}, {"s_ashr_i32 s8, s5, 31", -1}, {"s_lshr_b32 s8, s5, 31", 1},
		{"s_and_b32 s8, s4, 7", 4}, {"s_bfe_u32 s8, s4, 0x30002", 1}, {"s_max_i32 s8, s4, s5", 100},
		{"s_min_u32 s8, s4, s5", 100},
		{"s_cmp_lt_i32 s5, s4; s_cselect_b32 s8, 1, 2", 1}, {"s_cmp_lt_u32 s5, s4; s_cselect_b32 s8, 1, 2", 2},
		{"s_lshl_b64 s[8:9], s[4:5], 1", 200}, {"s_mov_b64 s[8:9], s[4:5]; s_mov_b32 s8, s9", -3},
		{"v_mov_b32_e32 v1, s4; v_readfirstlane_b32 s8, v1", 100},
		{"v_lshl_add_u32 v1, s4, 2, v3; v_mov_b32_e32 v3, 7; v_lshl_add_u32 v1, s4, 2, v3; v_readfirstlane_b32 s8, v1",
			407},
		{"v_bfe_u32 v1, v0, 10, 10; v_and_b32_e32 v2, 0x3ff, v0; v_add_u32_e32 v1, v1, v2; v_readfirstlane_b32 s8, v1",
			0},
		// items 40 to 43 are those of the second row
		{"v_and_b32_e32 v1, 0x3ff, v0; v_cmp_gt_u32_e32 vcc, 4, v1; s_and_saveexec_b64 s[10:11], vcc; s_mov_b32 s8, " +
			"exec_lo", 0xf},
		{"v_and_b32_e32 v1, 0x3ff, v0; v_cmp_lt_u32_e32 vcc, 38, v1; s_and_saveexec_b64 s[10:11], vcc; " +
			"v_readfirstlane_b32 s8, v1", 39},
		{"v_and_b32_e32 v1, 0x3ff, v0; v_cmp_eq_u32_e32 vcc, 0, v1; v_cndmask_b32_e32 v2, 5, v1, vcc; " +
			"v_readfirstlane_b32 s8, v2", 0},
	} {
		code := append([]string{"s_movk_i32 s4, 0x64", "s_mov_b32 s5, -3", "s_mov_b32 s6, 0x80000000"},
			strings.Split(c.code, "; ")...)
		at := len(code)
		code = append(code, fmt.Sprintf("s_cmp_eq_u32 s8, 0x%x", uint32(c.want)), "s_cbranch_scc1 .LBB0_1", "s_nop 0",
			".LBB0_1:", "s_endpgm")
		n, err := run(t, "gfx90a", oneGroup, code...)
		if err != nil {
			t.Errorf("%s: %v", c.code, err)
		} else if n[at+2] != 0 {
			t.Errorf("%s does not give %d", c.code, c.want)
		}
	}
}

// TestRun: loops, lanes that leave, and what is not known.
func TestRun(t *testing.T) {
	l := oneGroup
	n, err := run(t, "gfx90a", l,
		"v_and_b32_e32 v1, 0x3ff, v0", "s_mov_b64 s[8:9], 0", ".LBB0_1:",
		"v_add_u32_e32 v1, 10, v1", "v_cmp_lt_u32_e32 vcc, 99, v1", "s_or_b64 s[8:9], vcc, s[8:9]",
		"s_andn2_b64 exec, exec, s[8:9]", "s_cbranch_execnz .LBB0_1", "s_endpgm")
	if got := fmt.Sprint(n); err != nil || got != "[1 1 10 10 10 10 10 1]" {
		t.Errorf("a loop of lanes: %s, %v", got, err)
	}
	l.WaveSize = 32
	n, err = run(t, "gfx1030", l,
		"v_cmp_gt_u32_e32 vcc_lo, 50, v0", "s_and_saveexec_b32 s8, vcc_lo", "s_cbranch_execz .LBB0_1", "s_nop 0",
		".LBB0_1:",
		"s_mov_b32 exec_lo, s8", "v_cmp_lt_u32_e32 vcc_lo, 50, v0", "s_cbranch_vccz .LBB0_2", "s_nop 0", ".LBB0_2:",
		"s_endpgm")
	if got := fmt.Sprint(n); err != nil || got != "[1 1 1 1 1 1 1 0 1]" {
		t.Errorf("wavefronts of 32: %s, %v", got, err)
	}
	for _, code := range [][]string{
		{"s_load_dword s8, s[0:1], 0xc", "s_cmp_eq_u32 s8, 0", "s_cbranch_scc1 .LBB0_1", ".LBB0_1:", "s_endpgm"},
		{"global_load_dword v1, v[2:3], off", "v_cmp_eq_u32_e32 vcc, 0, v1", "s_and_saveexec_b64 s[8:9], vcc",
			"s_cbranch_execz .LBB0_1", ".LBB0_1:", "s_endpgm"},
		{".LBB0_1:", "s_branch .LBB0_1"},
		{"s_swappc_b64 s[30:31], s[4:5]", "s_endpgm"},
	} {
		if n, err := run(t, "gfx90a", oneGroup, code...); err == nil {
			t.Errorf("%v: %v, want an error", code, n)
		}
	}
	if _, err := Parse(assembly("gfx90a", "s_endpgm"), "other"); err == nil {
		t.Error("a kernel that is not there is found")
	}
}

// TestUnit: what executes an instruction.
func TestUnit(t *testing.T) {
	for op, want := range map[string]Unit{
		"v_fmac_f32": Vector, "v_pk_fma_f32": Packed, "v_pk_add_u16": Vector, "s_add_u32": Scalar,
		"s_and_saveexec_b64": Scalar, "s_load_dwordx4": ScalarMemory,
		"global_load_dword": VectorMemory, "buffer_store_dword": VectorMemory, "buffer_gl0_inv": Wait,
		"ds_read2_b32":   LocalMemory,
		"s_cbranch_scc1": Branch, "s_endpgm": Branch, "s_barrier": Barrier, "s_waitcnt": Wait, "s_nop": Wait,
	} {
		if got := (&Instruction{Op: op}).Unit(); got != want {
			t.Errorf("%s: %v, want %v", op, got, want)
		}
	}
}
