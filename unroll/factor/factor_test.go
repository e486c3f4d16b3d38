package factor_test

import (
	"fmt"
	"io/fs"
	"math/rand/v2"
	"strings"
	"testing"

	"gpupipe/frontend"
	"gpupipe/frontend/ast"
	"gpupipe/internal/target"
	"gpupipe/kernels"
	"gpupipe/lower"
	"gpupipe/unroll/factor"
	"gpupipe/unroll/structure"
)

// values are registers that a compiler knows.
type values map[lower.Reg]uint64

func (v values) Constant(r lower.Reg) (uint64, bool) { x, ok := v[r]; return x, ok }
func (v values) Addend(lower.Reg) int64              { return 0 }
func (v values) OfLaunch(lower.Reg) bool             { return true }

// loops are those of a kernel, outer ones before inner ones.
func loops(k *lower.Kernel) (list []*lower.Loop) {
	lower.Walk(k.Body, func(st lower.Stmt) {
		if l, ok := st.(*lower.Loop); ok {
			list = append(list, l)
		}
	})
	return list
}

// unchosen says that the user chooses nothing.
func unchosen(lower.Pos) (int64, bool) { return 0, false }

// TestChoose: what is made of the first loop of a kernel.
func TestChoose(t *testing.T) {
	settings := func(c target.Compiler, l target.Level) factor.Settings {
		return factor.Settings{Target: target.Target{Compiler: c, Level: l}, Chosen: unchosen}
	}
	nvcc := settings(target.NVCC, target.O2)
	machine := nvcc
	machine.MachineCode = true
	clang := settings(target.Clang, target.O2)
	amd := clang
	amd.Uniform = target.InScalarRegisters
	aggressive := clang
	aggressive.Level = target.O3
	none := settings(target.NoCompiler, target.O2)
	level0 := settings(target.NVCC, target.O0)
	by3 := nvcc
	by3.Chosen = func(lower.Pos) (int64, bool) { return 3, true }
	constant := func(n int64) factor.Trips { return factor.Trips{Count: n, Constant: true, Counted: true} }
	runtime := factor.Trips{Count: 100, Counted: true}
	uncounted := factor.Trips{Count: -1}
	const (
		up    = "for (int i = 0; i < n; i++) "
		twice = "for (int i = 1; i < n; i *= 2) "
		sum   = "{ t += a[x + i]; }"
		local = "{ t += s[i]; }"
		many  = "{ for (int j = 0; j < 30; j++) t += a[x + i * j] * a[j]; }"
	)
	large := "{ " + strings.Repeat("t = t * c + a[x + i] * t; ", 100) + "}"
	long := "{ " + strings.Repeat("t = t * c; ", 60) + "}"
	for _, c := range []struct {
		name, loop      string
		s               factor.Settings
		t               factor.Trips
		factor          int64
		full            bool
		reason, warning string
	}{
		{"-O0", up + sum, level0, constant(8), 1, false, "no pragma", ""},
		{"no compiler", up + sum, none, constant(8), 1, false, "no pragma", ""},
		{"not counted", "while (t < c) " + "{ t += a[x]; }", nvcc, uncounted, 1, false, "no pragma", ""},
		{"one iteration", up + sum, nvcc, constant(1), 1, true, "at most one iteration", ""},
		{"chosen", up + sum, by3, constant(8), 3, false, "--unroll", ""},
		{"chosen, beyond the count", up + sum, by3, constant(2), 2, true, "--unroll: 3 covers all 2", ""},
		{"chosen, of a run-time count below", up + sum, by3, factor.Trips{Count: 2, Counted: true}, 3, false,
			"--unroll", "only the remainder loop runs"},
		{"chosen, of a loop without a count", "while (t < c) { t += a[x]; }", by3, uncounted, 3, false, "--unroll",
			"every copy of the body keeps its exit test"},
		{"pragma", "\n#pragma unroll\n" + up + sum, nvcc, constant(100), 100, true, "pragma", ""},
		{"pragma 4", "\n#pragma unroll 4\n" + up + sum, nvcc, constant(100), 4, false, "pragma", ""},
		{"pragma 1", "\n#pragma unroll 1\n" + up + sum, nvcc, constant(8), 1, false, "pragma", ""},
		{"nounroll", "\n#pragma nounroll\n" + up + sum, nvcc, constant(8), 8, true, "nvcc unrolls 8",
			"nvcc ignores the word"},
		{"nounroll, clang", "\n#pragma nounroll\n" + up + sum, clang, constant(8), 1, false, "pragma", ""},
		{"pragma, run-time", "\n#pragma unroll\n" + up + sum, nvcc, runtime, 4, false, "by 4",
			"unrolled by 4 instead of fully"},
		{"pragma, run-time, clang", "\n#pragma unroll\n" + up + sum, clang, runtime, 4, false, "by 4",
			"unrolled by 4 instead of fully"},
		{"pragma, run-time, clang -O3", "\n#pragma unroll\n" + up + sum, aggressive, runtime, 8, false, "by 8",
			"unrolled by 8 instead of fully"},
		{"pragma, run-time, AMD", "\n#pragma unroll\n" + up + sum, amd, runtime, 8, false, "by 8",
			"unrolled by 8 instead of fully"},
		{"full, run-time, AMD", "\n#pragma clang loop unroll(full)\n" + up + sum, amd, runtime, 1, false,
			"but for those that access local", "stays rolled"},
		{"pragma, run-time, large, clang", "\n#pragma unroll\n" + up + large, clang, runtime, 1, false, "too large",
			"stays rolled"},
		{"full, clang", "\n#pragma clang loop unroll(full)\n" + up + large, clang, constant(1000), 1000, true,
			"pragma", ""},
		{"pragma around a rolled loop", "\n#pragma unroll\n" + up + "{ for (int j = 0; j < n; j++) t += a[x + j]; }",
			nvcc, runtime, 1, false, "around one that stays rolled", "it contains a loop"},
		{"nvcc, constant", up + sum, nvcc, constant(64), 64, true, "nvcc unrolls 64", ""},
		{"nvcc, divisor", up + sum, nvcc, constant(128), 16, false, "a divisor of 128", ""},
		{"nvcc, too large", up + large, nvcc, constant(128), 1, false, "too large for nvcc", ""},
		{"nvcc, run-time", up + sum, nvcc, runtime, 4, false, "while the body stays small", ""},
		{"nvcc, run-time, half", up + "{ " + strings.Repeat("t = t * c; ", 40) + "}", nvcc, runtime, 2, false,
			"while the body stays small", ""},
		{"nvcc, geometric", twice + sum, nvcc, runtime, 1, false, "geometric", ""},
		{"clang, constant", up + sum, clang, constant(16), 16, true, "clang unrolls 16", ""},
		{"clang, run-time", up + sum, clang, runtime, 4, false, "by 4 where", ""},
		{"clang -O3, run-time", up + sum, aggressive, runtime, 8, false, "by 8 where", ""},
		{"clang, a prime", up + "{ " + strings.Repeat("t = t * c; ", 15) + "}", clang, constant(67), 2, false,
			"no more than 2 of 67", ""},
		{"clang, run-time, larger", up + "{ " + strings.Repeat("t = t * c; ", 15) + "}", clang, runtime, 2, false,
			"by 2 where", ""},
		{"clang, barrier", up + "{ barrier(CLK_LOCAL_MEM_FENCE); t += s[i]; }", clang, runtime, 1, false,
			"and a barrier rolled", ""},
		{"the stage behind PTX", up + long, machine, constant(4), 4, true, "nvcc unrolls 4", ""},
		{"AMD, constant", up + sum, amd, constant(16), 16, true, "clang unrolls 16", ""},
		{"AMD, larger in local memory", up + "{ t = t * s[i] + s[i + 1]; }", amd, constant(64), 64, true,
			"clang unrolls 64", ""},
		{"AMD, run-time, global", up + sum, amd, runtime, 1, false, "but for those that access local memory", ""},
		{"AMD, run-time, local", up + local, amd, runtime, 8, false, "by 8 where", ""},
		{"AMD, run-time, larger", up + "{ " + strings.Repeat("t = t * s[i]; ", 6) + "}", amd, runtime, 8, false,
			"by 8 where", ""},
		{"AMD, pragma", "\n#pragma unroll\n" + up + sum, amd, constant(1000), 1000, true, "pragma", ""},
		{"AMD, pragma, beyond LLVM's limit", "\n#pragma unroll\n" + up + large, amd, constant(120), 60, false,
			"by 60, a divisor of 120", ""},
		{"AMD, pragma, a prime", "\n#pragma unroll\n" + up + large, amd, constant(127), 8, false,
			"by no more than 8 of 127", ""},
		{"AMD, pragma, around loops", "\n#pragma unroll\n" + up + many, amd, constant(8), 8, true, "pragma", ""},
	} {
		text := "kernel void k(global const float *a, global float *o, int n, float c) {\nlocal float s[256]; int x " +
			"= get_global_id(0); float t = c; s[get_local_id(0)] = t; barrier(CLK_LOCAL_MEM_FENCE);\n" + c.loop +
			"\no[x] = t; }"
		k := lowered(t, "k.cl", text)
		got := factor.New(k, structure.Of(k), values{}, c.s).Choose(loops(k)[0], c.t, nil)
		if got.Factor != c.factor || got.Full != c.full || !strings.Contains(got.Reason, c.reason) ||
			!strings.Contains(got.Warning, c.warning) || (got.Warning == "") != (c.warning == "") {
			t.Errorf("%s: %+v", c.name, got)
		}
	}
}

// TestChoices holds of the loops of all built-in kernels and random counts what must be so of a choice,
// and that the same one is made again.
func TestChoices(t *testing.T) {
	r := rand.New(rand.NewPCG(1, 2))
	chosen := 0
	for _, entry := range kernels.List() {
		text, err := fs.ReadFile(kernels.FS(), entry.File)
		if err != nil {
			t.Fatal(err)
		}
		dialect := ast.OpenCL
		if entry.Dialect == kernels.CUDA {
			dialect = ast.CUDA
		}
		u, err := frontend.Parse(frontend.Config{File: entry.File, Text: string(text), Dialect: dialect,
			Defines: entry.Defines})
		if err != nil {
			t.Fatal(err)
		}
		for _, fn := range u.Kernels {
			k, err := lower.Lower(u, fn)
			if err != nil {
				t.Fatal(err)
			}
			for bits := range 12 {
				s := factor.Settings{Target: target.Target{Compiler: target.Compiler(1 + bits%3), Level: target.O0,
					MachineCode: true}, Chosen: unchosen}
				if bits > 3 {
					s.Level = target.O2
				}
				if bits > 6 {
					s.Uniform = target.InScalarRegisters
				}
				known := values{}
				for reg := range k.Regs {
					if r.IntN(3) == 0 {
						known[lower.Reg(reg+1)] = r.Uint64N(100)
					}
				}
				for _, l := range loops(k) {
					trips := factor.Trips{Count: r.Int64N(200) - 1, Counted: l.Induction != nil}
					trips.Constant = trips.Counted && trips.Count >= 0 && r.IntN(2) == 0
					checkChoice(t, fmt.Sprintf("%s, loop at %v, %+v, %+v", k.Name, l.Pos, s.Compiler, trips), k, l,
						known, s, trips)
					chosen++
				}
			}
		}
	}
	if chosen < 500 {
		t.Errorf("%d choices", chosen)
	}
}

func checkChoice(t *testing.T, name string, k *lower.Kernel, l *lower.Loop, known values, s factor.Settings,
	trips factor.Trips) {
	t.Helper()
	u := factor.New(k, structure.Of(k), known, s)
	c := u.Choose(l, trips, nil)
	if c.Factor < 1 || c.Reason == "" || c.Full && (!trips.Constant || c.Factor != max(1, trips.Count)) {
		t.Errorf("%s: %+v", name, c)
	}
	if again := u.Choose(l, trips, nil); again != c {
		t.Errorf("%s: %+v, then %+v", name, c, again)
	}
	if n := u.Passes(l, trips, c); n != 1 && (n != 4 || c.Factor != 4 || !s.MachineCode) {
		t.Errorf("%s: %d passes of %d copies", name, n, c.Factor)
	}
	if narrow, wide := u.Reduces(l, trips.Constant, c.Factor); s.Compiler == target.NoCompiler && (narrow || wide) ||
		wide && s.Compiler != target.NVCC {
		t.Errorf("%s: addresses become increments: %v, %v", name, narrow, wide)
	}
	if s.Compiler == target.NVCC && u.Peels(l, 1) {
		t.Errorf("%s: nvcc peels", name)
	}
}
