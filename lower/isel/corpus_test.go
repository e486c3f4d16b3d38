package isel_test

import (
	"fmt"
	"maps"
	"strings"
	"testing"

	"gpupipe/frontend"
	"gpupipe/frontend/ast"
	"gpupipe/internal/target"
	"gpupipe/internal/test/irtest"
	"gpupipe/lower/compile"
	"gpupipe/lower/isel"
	"gpupipe/lower/machine"
	"gpupipe/lower/profile"
	"gpupipe/lower/translate"
)

// codes selects instructions for every kernel of a source.
func codes(t *testing.T, c frontend.Config, target string) (list []*machine.Code) {
	t.Helper()
	u, err := frontend.Parse(c)
	if err != nil {
		t.Fatal(err)
	}
	g, err := machine.LookupTarget(target)
	if err != nil {
		t.Fatal(err)
	}
	name := "clang-amdgcn-14"
	if g.ISA == "sass" {
		name = "nvcc-13"
	}
	p, err := profile.Lookup(name)
	if err != nil {
		t.Fatal(err)
	}
	for _, fn := range u.Kernels {
		k, err := translate.Kernel(u, fn)
		if err != nil {
			t.Errorf("%s: %v", fn.Name, err)
			continue
		}
		f, err := compile.IR(k, &compile.Options{Target: g, Profile: p, Level: 2}, "")
		if err != nil {
			t.Errorf("%s: %v", fn.Name, err)
			continue
		}
		code, err := isel.Select(f, g, &machine.Options{})
		if err != nil {
			t.Errorf("%s: %v", fn.Name, err)
			continue
		}
		if text := misused(code); text != "" {
			t.Errorf("%s for %s: %s", fn.Name, target, text)
		}
		list = append(list, code)
	}
	return list
}

// misused names a word of a register that something reads in front of all that writes it, or that it has not, or an
// access at two places between which there are no whole words, "" for none.
func misused(code *machine.Code) (text string) {
	type word struct {
		reg  machine.Reg
		word int
	}
	written := map[word]bool{}
	use := func(by string, reg machine.Reg, from, n int) {
		for k := range n {
			if reg != 0 && !code.Reg(reg).Given && !written[word{reg, from + k}] && text == "" {
				text = fmt.Sprintf("%s reads word %d of register %d, which nothing has written", by, from+k, reg)
			}
		}
	}
	words := func(reg machine.Reg) int { return code.Reg(reg).Words }
	instr := func(in *machine.Instr) {
		if in == nil {
			return
		}
		if m := in.Mem; text == "" && m != nil && m.Apart != 0 && (m.Offset|m.Apart)%(m.Bytes/2) != 0 {
			text = fmt.Sprintf("%s of %d bytes at %d and %d behind it", in.Op, m.Bytes, m.Offset, m.Apart)
		}
		use(in.Op, in.Guard.Reg, 0, 1)
		for _, u := range in.Uses {
			switch {
			case u.Kind != machine.InReg:
			case u.Word < 0:
				use(in.Op, u.Reg, 0, words(u.Reg))
			default:
				use(in.Op, u.Reg, u.Word, max(1, u.Span))
			}
		}
		for i, d := range in.Defs {
			from, n := 0, words(d)
			if code.Reg(d).Class == machine.Predicate && n > 1 && text == "" {
				text = fmt.Sprintf("%s writes a predicate of %d words", in.Op, n)
			}
			if i == 0 && in.Part > 0 {
				from, n = in.Part-1, max(1, in.Span)
			}
			if from+n > words(d) && text == "" {
				text = fmt.Sprintf("%s writes word %d of register %d, which has %d", in.Op, from+n-1, d, words(d))
			}
			for k := range n {
				written[word{d, from + k}] = true
			}
		}
	}
	code.Body.Each(func(n machine.Node) {
		switch n := n.(type) {
		case *machine.Instr:
			instr(n)
		case *machine.If:
			instr(n.Branch)
			use("a branch", n.Cond.Reg, 0, 1)
		case *machine.Jump:
			use("a jump", n.Guard.Reg, 0, 1)
		}
	})
	return text
}

// TestCorpus selects instructions of some targets for the built-in kernels and those of package lower's golden
// files.
func TestCorpus(t *testing.T) {
	for name, c := range irtest.Sources(t) {
		for _, target := range []string{"sm_90", "sm_52", "gfx90a", "gfx1030"} {
			t.Run(name+"/"+target, func(t *testing.T) { codes(t, c, target) })
		}
	}
}

// TestExtremes: every target has instructions for functions of 64-bit numbers that are operations of their own.
func TestExtremes(t *testing.T) {
	for _, target := range []string{"sm_52", "sm_70", "sm_90", "gfx906", "gfx1030"} {
		codes(t, frontend.Config{File: "k.cl", Dialect: ast.OpenCL, Text: `
kernel void k(global double *d, global long *l) {
  int i = get_local_id(0);
  d[i] = fmax(d[i], d[i + 32]) + fmin(d[i + 64], d[i + 96]) + fabs(d[i + 128]);
  l[i] = max(l[i], l[i + 32]) + min(l[i + 64], l[i + 96]) + (long)abs(l[i + 128]);
}`}, target)
	}
}

// TestSharedAtomics: atomics that no instruction does on shared memory give what was there where somebody asks.
func TestSharedAtomics(t *testing.T) {
	for _, call := range []string{"atomicAdd(s + 1, x)", "atomicSub(n + 1, 3)", "atomicAdd(h + 1, __float2half2_rn(x))",
		"atomicMax(n, 7)", "atomicExch(s, x)", "atomicCAS(n, 1, 2)", "atomicAdd(n + 2, 5)", "atomicAnd(n, 5)"} {
		for _, use := range []string{"%s;", "auto v = %s; o[1] = *(float *)&v;"} {
			for _, target := range []string{"sm_52", "sm_70", "sm_90"} {
				codes(t, frontend.Config{File: "k.cu", Dialect: ast.CUDA, Text: `#include <cuda_fp16.h>
__global__ void k(float *o, float x) { __shared__ float s[2]; __shared__ int n[3]; __shared__ half2 h[2];
` + fmt.Sprintf(use, call) + `
__syncthreads(); o[0] = s[1] + n[1] + __low2float(h[1]); }`}, target)
			}
		}
	}
}

// TestAtomicDifferences: what an atomic subtracts is negated, a word at a time, unless it is a constant.
func TestAtomicDifferences(t *testing.T) {
	for _, c := range []struct {
		typ, by string
		want    string
	}{{"int", "n", "IADD3 "}, {"long", "n", "IADD3 IADD3.X "}, {"int", "3", ""}, {"long", "3", ""}} {
		code := codes(t, frontend.Config{File: "k.cl", Dialect: ast.OpenCL, Text: fmt.Sprintf(
			"kernel void k(global %[1]s *a, %[1]s n) { atom_sub(a, %[2]s); }", c.typ, c.by)}, "sm_80")
		got := ""
		code[0].Body.Each(func(n machine.Node) {
			if in, ok := n.(*machine.Instr); ok && strings.HasPrefix(in.Op, "IADD3") {
				got += in.Op + " "
			}
		})
		if got != c.want {
			t.Errorf("%s - %s: %s", c.typ, c.by, got)
		}
	}
}

// TestAsNVCC: functions that the texts for CUDA's headers write out take as many arithmetic instructions as with
// nvcc 11.8.
func TestAsNVCC(t *testing.T) {
	for _, c := range []struct {
		body, capability string
		want             int
	}{
		{"u[0] = __vadd4(u[1], u[2]);", "8.0", 5},
		{"u[0] = __vsub2(u[1], u[2]);", "8.0", 4},
		{"u[0] = __vaddss4(u[1], u[2]);", "8.0", 10},
		{"u[0] = __vcmpeq4(u[1], u[2]);", "8.0", 5},
		{"u[0] = __vcmpgtu4(u[1], u[2]);", "8.0", 4},
		{"u[0] = __vmaxs4(u[1], u[2]);", "8.0", 8},
		{"u[0] = __vabs4(u[1]);", "8.0", 4},
		{"u[0] = __vnegss4(u[1]);", "8.0", 6},
		{"u[0] = (u[1] << 7 | u[1] >> 25) + u[2];", "8.0", 1},           // LEA.HI
		{"u[0] = (u[1] >> u[2] | u[1] << 32 - u[2]) ^ u[3];", "8.0", 2}, // SHF, LOP3
		{"u[0] = u[1] << 5 | u[2] >> 27;", "8.0", 1},                    // SHF
		{"((long long *)u)[0] = *(char **)(u + 2) - *(char **)(u + 4);", "8.0", 2},
		{"((long long *)u)[0] = *(int **)(u + 2) - *(int **)(u + 4);", "8.0", 4},
		{"((long long *)u)[0] = *(T **)(u + 2) - *(T **)(u + 4);", "8.0", 5},
		{"((unsigned long long *)u)[0] = (unsigned long long)u[2] << 32 | u[3];", "8.0", 0},
		{`asm("lop3.b32 %0, %1, %2, %3, 0x96;" : "=r"(u[0]) : "r"(u[1]), "r"(u[2]), "r"(u[3]));`, "8.0", 1},
		{`auto lut = [](unsigned a, unsigned b, unsigned c, unsigned t) { unsigned r;
			asm("lop3.b32 %0, %1, %2, %3, %4;" : "=r"(r) : "r"(a), "r"(b), "r"(c), "i"(t)); return r; };
			u[0] = lut(u[1], u[2], u[3], 0x1e);`, "8.0", 1},
		{"half2 *h = (half2 *)u; h[0] = __hfma2(h[1], h[2], h[3]);", "8.0", 1},
		{"half2 *h = (half2 *)u; h[0] = __hadd2(h[1], __half2half2(((half *)u)[9]));", "8.0", 1}, // H0_H0
		{"half2 *h = (half2 *)u, x = h[1]; for (int i = 0; i < f[0]; ++i) x = x * x; h[0] = x;", "8.0", 1},
		{"((half2 *)u)[0] = __floats2half2_rn(f[0], f[1]);", "8.0", 1},
		{"((__nv_fp8_e4m3 *)u)[0] = __nv_fp8_e4m3(f[0]);", "9.0", 1},
		{"((__nv_fp8_e5m2 *)u)[0] = __nv_fp8_e5m2(f[0]);", "9.0", 1},
		{"((half *)u)[0] = half(*(__nv_fp8_e5m2 *)f);", "9.0", 1},
	} {
		text := "#include <cuda_fp8.h>\nstruct T { int a, b, c; };\n__global__ void k(unsigned *u, float *f) {\n" + c.body + "\n}"
		code := codes(t, frontend.Config{File: "k.cu", Dialect: ast.CUDA, Text: text,
			Target: target.Target{Capability: c.capability}}, "sm_"+strings.ReplaceAll(c.capability, ".", ""))
		n := 0
		code[0].Body.Each(func(node machine.Node) {
			if in, ok := node.(*machine.Instr); ok {
				switch name, _, _ := strings.Cut(in.Op, "."); name {
				case "LOP3", "IADD3", "PRMT", "SHF", "LEA", "F2FP", "HFMA2", "HADD2", "HMUL2":
					n++
				case "IMAD": // a sum that the multiplier computes
					n += strings.Count(in.Op, "IADD")
				}
			}
		})
		if n != c.want {
			t.Errorf("%s: %d instructions, want %d", c.body, n, c.want)
		}
	}
}

// TestElectOnce: updates of one word by all lanes share what elects a lane and sums the values up to the next branch
// (ptxas 11.8, sm_80).
func TestElectOnce(t *testing.T) {
	code := codes(t, frontend.Config{File: "k.cu", Dialect: ast.CUDA, Target: target.Target{Capability: "8.0"}, Text: `
__global__ void k(int *p, int n) {
  int v = p[threadIdx.x + 8];
  atomicAdd(p, v);
  atomicAdd(p + 1, v);
  if (v > n) {
    atomicAdd(p, v);
    atomicAdd(p + 2, v);
    atomicMax(p + 3, v);
  }
}`}, "sm_80")[0]
	count := map[string]int{}
	code.Body.Each(func(n machine.Node) {
		if in, ok := n.(*machine.Instr); ok {
			count[in.Op]++
		}
	})
	for op, want := range map[string]int{"VOTE.ANY": 2, "FLO.U32": 2, "REDUX.SUM": 2, "REDUX.MAX.S32": 1,
		"RED.E.ADD.STRONG.GPU": 4, "RED.E.MAX.S32.STRONG.GPU": 1} {
		if count[op] != want {
			t.Errorf("%d instructions %s, want %d: %v", count[op], op, want, count)
		}
	}
}

// TestDifference: the distance of two pointers to 12 bytes each is divided by 4 and multiplied with the inverse of 3
// (Clang 16, gfx90a); of 4 bytes it is shifted, of one neither.
func TestDifference(t *testing.T) {
	for size, want := range map[string]map[string]int{
		"struct { int a, b, c; }": {"s_ashr_i64": 1, "s_mul_i32": 3, "s_mul_hi_u32": 1, "s_add_i32": 2},
		"struct { char a[3]; }":   {"s_ashr_i64": 0, "s_mul_i32": 3, "s_mul_hi_u32": 1, "s_add_i32": 2},
		"int":                     {"s_ashr_i64": 1}, "char": {},
	} {
		code := codes(t, frontend.Config{File: "k.cl", Dialect: ast.OpenCL, Text: "typedef " + size + ` T;
kernel void k(global long *u, global T *p, global T *q) { u[0] = p - q; }`}, "gfx90a")[0]
		count := map[string]int{}
		code.Body.Each(func(n machine.Node) {
			if in, ok := n.(*machine.Instr); ok {
				count[in.Op]++
			}
		})
		for _, op := range []string{"s_ashr_i64", "s_mul_i32", "s_mul_hi_u32", "s_add_i32"} {
			if count[op] != want[op] {
				t.Errorf("%s: %d instructions %s, want %d", size, count[op], op, want[op])
			}
		}
	}
}

// TestHalves: AMD's targets compute two halves with one instruction that changes signs of both (Clang 16, gfx90a and
// gfx1030).
func TestHalves(t *testing.T) {
	for _, target := range []string{"gfx90a", "gfx1030"} {
		code := codes(t, frontend.Config{File: "k.cl", Dialect: ast.OpenCL, Text: `
#pragma OPENCL EXTENSION cl_khr_fp16 : enable
kernel void k(global const half2 *in, global half2 *out, int n) {
  int i = get_global_id(0);
  half2 x = in[i], y = x, z = in[i + 1];
  for (int k = 0; k < n; ++k) { y = fmax(fma(y, x, z), z); z = fma(-z, x, -y); }
  out[i] = y + z;
  out[i + 1].y = z.x;
}`}, target)[0]
		count := map[string]int{}
		code.Body.Each(func(n machine.Node) {
			if in, ok := n.(*machine.Instr); ok && strings.HasSuffix(in.Op, "f16") {
				count[in.Op]++
			}
		})
		if want := map[string]int{"v_pk_fma_f16": 2, "v_pk_max_f16": 1, "v_pk_add_f16": 1}; !maps.Equal(count, want) {
			t.Errorf("%s: %v, want %v", target, count, want)
		}
	}
}

// TestNarrowSum: a sum of 64 bits that fits into 32 and becomes a float alone is one of 32 bits; another one that is
// stored is not (computeKnownBits).
func TestNarrowSum(t *testing.T) {
	for body, want := range map[string]map[string]int{
		"o[i] = (float)x;":           {"v_add_u32": 1, "v_addc_co_u32": 0},
		"o[i] = (float)x; u[0] = x;": {"v_add_u32": 0, "v_addc_co_u32": 1},
	} {
		code := codes(t, frontend.Config{File: "k.cl", Dialect: ast.OpenCL, Text: `
kernel void k(local float *o, local ulong *u, local const ulong *b) {
  int i = get_local_id(0);
  ulong x = (b[i] & 0xffff) + (b[i + 1] & 0xffff);
  ` + body + `
}`}, "gfx90a")[0]
		count := map[string]int{}
		code.Body.Each(func(n machine.Node) {
			if in, ok := n.(*machine.Instr); ok {
				count[in.Op]++
			}
		})
		for op, n := range want {
			if count[op] != n {
				t.Errorf("%s: %d instructions %s, want %d: %v", body, count[op], op, n, count)
			}
		}
	}
}

// TestChosenMask: of a choice between two conditions the first counts where it holds, the second elsewhere.
func TestChosenMask(t *testing.T) {
	code := codes(t, frontend.Config{File: "k.cl", Dialect: ast.OpenCL, Text: `
kernel void k(global float *o, global const float *a) {
  int i = get_local_id(0);
  float x = a[i], y = a[i + 64], z = a[i + 128];
  bool r = x == y ? y < z : y != 5.0f;
  o[i] = r ? x : z;
}`}, "gfx90a")[0]
	by := map[machine.Reg]string{} // what writes a register
	found := 0
	code.Body.Each(func(n machine.Node) {
		in, ok := n.(*machine.Instr)
		if !ok || len(in.Defs) == 0 {
			return
		}
		by[in.Defs[0]] = in.Op
		want := map[string]string{"s_and_b64": "v_cmp_lt_f32 v_cmp_eq_f32",
			"s_andn2_b64": "v_cmp_neq_f32 v_cmp_eq_f32"}[in.Op]
		if want == "" {
			return
		}
		if found++; by[in.Uses[0].Reg]+" "+by[in.Uses[1].Reg] != want {
			t.Errorf("%s of %s and %s, want %s", in.Op, by[in.Uses[0].Reg], by[in.Uses[1].Reg], want)
		}
	})
	if found != 2 {
		t.Errorf("%d masks are combined: %v", found, code)
	}
}
