package unroll_test

import (
	"maps"
	"testing"

	"gpupipe/frontend"
	"gpupipe/frontend/ast"
	"gpupipe/internal/target"
	"gpupipe/internal/tools"
	"gpupipe/lower"
	"gpupipe/unroll"
)

// routineOps are the ops that warp 0 executes of a kernel with one statement, in machine code,
// apart from accesses and addresses.
func routineOps(t *testing.T, d ast.Dialect, fast bool, statement string, opt unroll.Options) map[string]int {
	t.Helper()
	text := map[ast.Dialect]string{
		ast.OpenCL: "kernel void k(global const float *restrict a, global const float *restrict b, global float " +
			"*restrict c, float u, int n) { int x = get_local_id(0); ",
		ast.CUDA: "__global__ void k(const float *__restrict__ a, const float *__restrict__ b, float *__restrict__ " +
			"c, float u, int n) { int x = threadIdx.x; ",
	}[d] + statement + " }"
	u, err := frontend.Parse(frontend.Config{File: "k", Text: text, Dialect: d})
	if err != nil {
		t.Fatal(err)
	}
	u.Target.FastMath = fast
	k, err := lower.Lower(u, u.Kernels[0])
	if err != nil {
		t.Fatal(err)
	}
	if err := k.Verify(); err != nil {
		t.Fatal(err)
	}
	opt.Local, opt.Warps, opt.MachineCode = [3]int64{64}, unroll.FirstWarp, true
	g := resolve(t, k, opt).Graph
	if err := g.Verify(); err != nil {
		t.Fatal(err)
	}
	has := ops(g)
	for _, op := range []string{"index.s32", "mad.wide.s32", "ld.global", "st.global", "mul.wide.s32", "add.base.s64"} {
		delete(has, op)
	}
	return has
}

// TestRoutines: what an operation becomes follows from the language, its flags, the compiler and
// the device. Counts against compiled code: TestMachineCode of internal/evidence/fidelity.
func TestRoutines(t *testing.T) {
	const quotient, two = "c[x] = a[x] / b[x];", "c[x] = a[x] / b[x] + a[x + 64] / b[x];"
	measured := func(op string) bool { return op == "div.f32" }
	amd := unroll.Options{Target: unroll.Target{Compiler: unroll.Clang, Uniform: target.InScalarRegisters}}
	whole := map[string]int{"native_recip.f32": 1, "fma.f32": 5, "setp.f32": 1, "branch": 3}
	for _, c := range []struct {
		name, statement string
		dialect         ast.Dialect
		fast            bool
		opt             unroll.Options
		want            map[string]int
	}{
		{"CUDA", quotient, ast.CUDA, false, unroll.Options{}, whole},
		{"OpenCL", quotient, ast.OpenCL, false, unroll.Options{}, map[string]int{"native_recip.f32": 1, "mul.f32": 1,
			"setp.f32": 2, "off": 4}},
		{"fast", quotient, ast.CUDA, true, unroll.Options{}, map[string]int{"native_recip.f32": 1, "mul.f32": 1}},
		{"measured", quotient, ast.CUDA, false, unroll.Options{Target: unroll.Target{Measured: measured}},
			map[string]int{"div.f32": 1}},
		{"another is measured", "c[x] = sqrtf(a[x]);", ast.CUDA, false,
			unroll.Options{Target: unroll.Target{Measured: measured}},
			map[string]int{"native_rsqrt.f32": 1, "mul.f32": 2, "fma.f32": 2, "add.s32": 1, "setp.s32": 1,
				"branch": 3}},
		{"AMD", quotient, ast.CUDA, false, amd, map[string]int{"native_recip.f32": 1, "mul.f32": 1, "fma.f32": 9}},
		{"AMD, OpenCL", "c[x] = 1 / a[x];", ast.OpenCL, false, amd, map[string]int{"native_recip.f32": 1, "mul.f32": 2,
			"setp.f32": 1, "select.f32": 1}},
		{"AMD, fast", quotient, ast.OpenCL, true, amd, map[string]int{"native_recip.f32": 1, "mul.f32": 1}},
		// Code with branches is executed whole; else what depends on the divisor alone serves both,
		// and the second product is added by a multiply-add.
		{"two, CUDA", two, ast.CUDA, false, unroll.Options{}, map[string]int{"native_recip.f32": 2, "fma.f32": 10,
			"setp.f32": 2, "branch": 6, "add.f32": 1}},
		{"two, fast", two, ast.CUDA, true, unroll.Options{}, map[string]int{"native_recip.f32": 1, "mul.f32": 1,
			"fma.f32": 1}},
		{"in a loop", "float t = 0;\n#pragma unroll 1\nfor (int i = 0; i < 10; i++) t += a[x + i] / u; c[x] = t;",
			ast.CUDA, false, unroll.Options{},
			map[string]int{"native_recip.f32": 10, "fma.f32": 50, "setp.f32": 10, "branch": 30, "add.f32": 10,
				"setp.s32": 10, "branch.loop": 10}},
		{"in a loop, fast", "float t = 0;\n#pragma unroll 1\nfor (int i = 0; i < 10; i++) t += a[x + i] / u; c[x] = t;",
			ast.CUDA, true, unroll.Options{},
			map[string]int{"native_recip.f32": 1, "fma.f32": 10, "setp.s32": 10, "branch.loop": 10}},
		{"the same twice", "c[x] = expf(a[x]); c[x + 64] = expf(a[x]);", ast.CUDA, false, unroll.Options{},
			map[string]int{"native_exp2.f32": 1, "fma.f32": 4, "add.f32": 1, "mul.f32": 1, "mov.u32": 2, "shl.s32": 1}},
		{"inverse root", "c[x] = 1 / sqrt(a[x]);", ast.OpenCL, false, unroll.Options{},
			map[string]int{"native_rsqrt.f32": 1, "setp.f32": 1, "off": 2}},
		{"a root and its inverse", "float s = sqrt(a[x]); c[x] = 1 / s + s;", ast.OpenCL, true, unroll.Options{},
			map[string]int{"native_rsqrt.f32": 2, "add.f32": 1}},
		{"no routine", "c[x] = atanf(a[x]);", ast.CUDA, false, unroll.Options{}, map[string]int{"atan.f32": 1}},
	} {
		got := routineOps(t, c.dialect, c.fast, c.statement, c.opt)
		for _, op := range []string{"add.s32", "add.u32", "mad.s32", "shl.s32"} { // addresses, counters
			if _, ok := c.want[op]; !ok {
				delete(got, op)
			}
		}
		if !maps.Equal(got, c.want) {
			t.Errorf("%s: %v, want %v", c.name, got, c.want)
		}
	}
}

// TestRoutinesSteady: loops with routines repeat, and what is skipped is what executing it gives.
func TestRoutinesSteady(t *testing.T) {
	for _, body := range []string{
		"t += a[x + 64 * i] / u;", "t += a[x + 64 * i] / (u + t);", "t = sqrt(t + a[x]);",
		"t += sin(a[x] + i) * exp(t);", "t += 1 / sqrt(t * t + a[x + i]);", "if (a[x] > i) t = t / u;",
	} {
		for accuracy := lower.Rounded; accuracy <= lower.Fast; accuracy += lower.Accuracy(tools.Cases(1, 2)) {
			k := lowerKernel(t, "kernel void k(global const float *restrict a, global float *restrict c, float u, "+
				"int n) { int x = get_local_id(0); float t = u;\n#pragma unroll 1\nfor (int i = 0; i < n; i++) { "+body+
				" } c[x] = t; }")
			k.Accuracy = accuracy
			opt := unroll.Options{Local: [3]int64{64}, Target: unroll.Target{MachineCode: true},
				Args: map[string]unroll.ArgValue{"n": {Int: 2000}}, Warps: unroll.FirstWarp,
				Locality: unroll.LaunchLocality}
			if skipped := sameEitherWay(t, k, opt, body); skipped == 0 {
				t.Errorf("nothing is skipped of %s", body)
			}
		}
	}
}
