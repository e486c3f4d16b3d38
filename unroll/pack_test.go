package unroll_test

import (
	"maps"
	"testing"

	"gpupipe/unroll"
)

// TestPacked: two components of half precision are one instruction in machine code, four are
// two and three two; scalars are not, nor is a component that the compiler knows, nor PTX.
func TestPacked(t *testing.T) {
	for _, c := range []struct {
		body string
		want map[string]int
	}{
		{"half2 x = vload2(i, a); vstore2(x * x + x, i, b);", map[string]int{"fma.f16": 1}},
		{"half2 x = vload2(i, a); vstore2(x * x, i, b);", map[string]int{"mul.f16": 1}},
		{"half4 x = vload4(i, a); vstore4(x * x + x, i, b);", map[string]int{"fma.f16": 2}},
		{"half3 x = vload3(i, a); vstore3(fma(x, x, x), i, b);", map[string]int{"fma.f16": 2}},
		{"half2 x = vload2(i, a); vstore2(x * (half2)(1, 3), i, b);", map[string]int{"mul.f16": 1}},
		{"half2 x = vload2(i, a), y = x + x; y = y * y + x; vstore2(fmax(y, x), i, b);",
			map[string]int{"add.f16": 1, "fma.f16": 1, "max.f16": 1}},
		{"half2 x = vload2(i, a); vstore2(x + x.s0, i, b);", map[string]int{"add.f16": 1}},
		{"half x = a[i], y = a[i + 1]; b[i] = x * x; b[i + 1] = y * y;", map[string]int{"mul.f16": 2}},
	} {
		k := lowerKernel(t, "#pragma OPENCL EXTENSION cl_khr_fp16 : enable\n__kernel void k(__global const half "+
			"*restrict a, __global half *restrict b) { int i = get_global_id(0);\n"+c.body+"\n}")
		counts := func(machine bool, compiler unroll.Compiler) (all int, halves map[string]int) {
			res, err := unroll.Resolve(k, unroll.Options{Local: [3]int64{64}, Warps: unroll.FirstWarp,
				Target: unroll.Target{MachineCode: machine, Compiler: compiler}})
			if err != nil {
				t.Fatal(err)
			}
			if err := res.Graph.Verify(); err != nil {
				t.Fatal(err)
			}
			halves = map[string]int{}
			for op, n := range ops(res.Graph) {
				if _, ok := c.want[op]; ok {
					halves[op] = n
					all += n
				}
			}
			return all, halves
		}
		_, nvidia := counts(true, unroll.NVCC)
		if _, amd := counts(true, unroll.Clang); !maps.Equal(nvidia, c.want) || !maps.Equal(amd, c.want) {
			t.Errorf("%s has %v for NVIDIA's GPUs, %v for AMD's, want %v", c.body, nvidia, amd, c.want)
		}
		single, _ := counts(false, unroll.NVCC)
		if packed, _ := counts(true, unroll.NVCC); single < packed {
			t.Errorf("%s has %d operations one by one, %d in pairs", c.body, single, packed)
		}
	}
}
