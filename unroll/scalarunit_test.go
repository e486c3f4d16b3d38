package unroll_test

import (
	"strings"
	"testing"

	"gpupipe/internal/target"
	"gpupipe/unroll"
)

// TestScalarUnit: which instructions AMD's scalar unit executes, and what becomes of
// addresses, by the rules that compiled kernels show (TestAMDMix of internal/evidence/fidelity).
func TestScalarUnit(t *testing.T) {
	for _, c := range []struct {
		name, body    string
		want, without string // ops
	}{
		{"a product of the group's", "b[x] = g * n;", "mul.uniform.s32", "mul.s32"},
		{"a product of lanes", "b[x] = x * n;", "mul.s32", "mul.uniform.s32"},
		{"no multiply-add of integers", "b[x] = x * n + g;", "mul.s32 add.s32", "mad.s32"},
		{"a load of the group's", "b[x] = a[g];", "ld.global.uniform add.base.uniform.s64", "ld.global"},
		{"a load of lanes", "b[x] = a[x];", "ld.global add.base.s64", "ld.global.uniform"},
		{"a value that was loaded for the group", "b[x] = a[g] + n;", "add.uniform.s32", "add.s32"},
		{"a load of what may be written", "b[x] = 0; b[x + 1] = c[g];", "ld.global", "ld.global.uniform"},
		{"a base that has been moved", "b[x] = a[x] + a[n * x];", "add.base.s64 add.s64", ""},
		{"floating numbers", "b[x] = (float)g * n;", "mul.f32", "mul.uniform.f32"},
		{"a branch of the group's", "if (g < n) b[x] = a[x];", "setp.uniform.s32", "setp.s32"},
		{"a loop", "int s = 0; for (int i = 0; i < n; i++) s += a[i * n + x]; b[x] = s;", "loop mul.uniform.s32",
			"loop.vector add.uniform.s64"},
		{"a loop with a counter of lanes", "int s = 0; for (int i = x; i < n; i += 32) s += a[i]; b[x] = s;",
			"loop.vector add.s64", "loop"},
		{"a pointer that is incremented", "int s = 0; for (int i = 0; i < n; i++) s += a[i * 8 + x]; b[x] = s;",
			"add.s64", "add.uniform.s64"},
		{"the group's pointer that is incremented", "int s = 0; for (int i = 0; i < n; i++) s += a[i]; b[x] = s;",
			"add.uniform.s64", "add.s64"},
		{"an address of local memory", "local int m[64]; m[x] = x; barrier(CLK_LOCAL_MEM_FENCE); b[x] = m[g * n];",
			"mul.uniform.s32 shl.s32", "shl.uniform.s32"},
	} {
		t.Run(c.name, func(t *testing.T) {
			k := lowerKernel(t, "kernel void k(global int *restrict b, const global int *restrict a, global int *c, "+
				"int n) { int x = get_local_id(0), g = get_group_id(0); "+c.body+" }")
			opt := unroll.Options{Local: [3]int64{32}, Groups: [3]int64{4},
				Target: unroll.Target{MachineCode: true, Compiler: unroll.Clang, Uniform: target.InScalarRegisters},
				Args:   map[string]unroll.ArgValue{"n": {Int: 100}}}
			has := map[string]bool{}
			for _, op := range resolve(t, k, opt).Graph.GroupMix().Ops {
				has[op.Op] = true
			}
			for _, op := range strings.Fields(c.want) {
				if !has[op] {
					t.Errorf("no %s: %v", op, has)
				}
			}
			for _, op := range strings.Fields(c.without) {
				if has[op] {
					t.Errorf("%s: %v", op, has)
				}
			}
			opt.MachineCode = false
			for _, op := range resolve(t, k, opt).Graph.GroupMix().Ops {
				if strings.Contains(op.Op, "uniform") || strings.Contains(op.Op, ".base.") || op.Op == "loop.vector" {
					t.Errorf("%s without machine code", op.Op)
				}
			}
		})
	}
}
