package unroll_test

import (
	"fmt"
	"strings"
	"testing"

	"gpupipe/frontend"
	"gpupipe/frontend/ast"
	"gpupipe/idg"
	"gpupipe/idg/isa"
	"gpupipe/lower"
	"gpupipe/unroll"
)

// TestParts: accesses to parts of aligned vectors and structs, as nvcc 11.8 compiles the same
// statements for sm_80 (where machine code and PTX differ, as the machine code has them) and clang
// 14 does.
func TestParts(t *testing.T) {
	for _, c := range []struct{ name, body, nvcc, clang string }{
		{"a reference", "const float4 &v = a[i]; o[i] = v.x + v.y + v.z + v.w;", "ld16 st4", ""},
		{"a variable", "float4 v = a[i]; o[i] = v.x + v.y + v.z + v.w;", "ld16 st4", ""},
		{"a pointer", "const float4 *p = a + i; o[i] = p->x + p->y;", "ld8 st4", ""},
		{"a cast", "const float4 &v = ((const float4 *)f)[i]; o[i] = v.x + v.y + v.z + v.w;", "ld16 st4", ""},
		{"three", "o[i] = a[i].x + a[i].y + a[i].z;", "ld16 st4", "ld8 ld4 st4"},
		{"the last three", "o[i] = a[i].y + a[i].z + a[i].w;", "ld4 ld8 st4", ""},
		{"the middle", "o[i] = a[i].y + a[i].z;", "ld4 ld4 st4", ""},
		{"apart", "o[i] = a[i].x + a[i].z;", "ld4 ld4 st4", ""},
		{"of two vectors", "o[i] = a[i].w + a[i + 1].x + a[i + 1].y;", "ld4 ld8 st4", ""},
		{"members of any type", "o[i] = m[i].f + m[i].n + m[i].p.x + m[i].p.y;", "ld16 st4", ""},
		{"an aligned array", "o[i] = m[i].f + m[i].n;", "ld8 st4", ""},
		{"no alignment", "o[i] = q[i].f + q[i].n;", "ld4 ld4 st4", ""},
		{"any alignment", "o[i] = f[2 * i] + f[2 * i + 1];", "ld4 ld4 st4", ""},
		{"bytes", "o[i] = c[i].x + c[i].y + c[i].z + c[i].w;", "ld4 st4", ""},
		{"volatile", "const volatile float4 *p = a; o[i] = p[i].x + p[i].y;", "ld4 ld4 st4", ""},
		{"a store between", "o[i] = a[i].x; o[i + 32] = a[i].y;", "ld4 st4 ld4 st4", ""},
		{"stores", "b[i].x = 1; b[i].y = 2; b[i].z = 3; b[i].w = 4;", "st16", ""},
		{"three stores", "b[i].x = 1; b[i].y = 2; b[i].z = 3;", "st8 st4", ""},
		{"both", "b[i].x *= 2; b[i].y *= 2; b[i].z *= 2; b[i].w *= 2;", "ld16 st16", ""},
		{"overwritten", "o[i] = 1; o[i + 32] = 2; o[i] = 3;", "st4 st4", ""},
		{"read before", "o[i] += f[0]; o[i] += f[1];", "ld4 ld4 st4 ld4 st4", ""},
		{"read by nobody", "r[i] += f[0]; r[i + 32] += f[1]; r[i] += r[i + 32];", "ld4 ld4 ld4 ld4 st4 st4", ""},
		{"overwritten vectors", "for (int j = 0; j < 2; j++) { r4[i].x += j; r4[i].y += j; }", "ld8 st8", ""},
		{"a part overwritten", "b[i].x = 1; b[i].y = n; b[i] = make_float4(n, 3, 3, 3);", "st16", ""},
		{"overwritten behind a branch", "o[i] = 1; if (n > 3) o[i + 1] = 2; o[i] = 3;", "st4 st4 st4", ""},
		{"overwritten behind a barrier", "o[i] = 1; __syncthreads(); o[i] = 3;", "st4 st4", ""},
		{"overwritten behind an atomic", "o[i] = 1; atomicAdd(&o[32], 1); o[i] = 3;", "st4 st4", ""},
		{"volatile stores", "volatile float *p = o; p[i] = 1; p[i] = 2;", "st4 st4", ""},
		{"stores again", "b[i].x = 1; b[i].y = 2; b[i].x = n; b[i].y = n;", "st8", ""},
		{"around a short side", "float s = a[i].x; if (n > 3) s += f[i]; o[i] = s + a[i].y;", "ld4 ld4 ld4 st4", ""},
		{"a short side", "if (i < n) o[i] = a[i].x + a[i].y;", "ld8 st4", ""},
		{"two sides", "if (n > 3) b[i].x = 1; else b[i].y = 1;", "st4 st4", ""},
		{"local memory", "__shared__ float4 s[32]; s[i].x = f[i]; s[i].y = f[i + 32]; __syncthreads(); o[i] = s[31 - " +
			"i].x + s[31 - i].y;", "ld4 ld4 st8 ld8 st4", ""},
	} {
		u, err := frontend.Parse(frontend.Config{File: "k.cu", Dialect: ast.CUDA, Text: `
struct Q { float f; int n; };
struct M : Q { float2 p; };
struct alignas(16) A : M {};
__global__ void k(const float4 *a, float4 *b, const float *f, const A *m, const Q *q, const uchar4 *c, float *o, int n,
	float *__restrict__ r, float4 *__restrict__ r4) {
	int i = threadIdx.x;
	` + c.body + "\n}"})
		if err != nil {
			t.Fatal(err)
		}
		l, err := lower.Lower(u, u.Kernels[0])
		if err != nil {
			t.Fatal(err)
		}
		if c.clang == "" {
			c.clang = c.nvcc
		}
		for compiler, want := range map[unroll.Compiler]string{unroll.NVCC: c.nvcc, unroll.Clang: c.clang} {
			for _, machine := range []bool{false, true} {
				opt := unroll.Options{Local: [3]int64{32},
					Target: unroll.Target{Compiler: compiler, MachineCode: machine && compiler == unroll.NVCC}}
				if got := accessWidths(resolve(t, l, opt).Graph); got != want {
					t.Errorf("%s, %v: %s, want %s", c.name, compiler, got, want)
				}
			}
		}
	}
}

// accessWidths lists the loads and stores of the first warp with their bytes.
func accessWidths(g *idg.Graph) string {
	p, err := g.Programs()[0].Expanded(1 << 20)
	if err != nil {
		panic(err)
	}
	var list []string
	for v := range p.Len() {
		in := g.Instr(p.Instr(idg.NodeID(v)))
		if verb := isa.Parse(in.Op).Verb; verb == isa.Load || verb == isa.Store {
			list = append(list, fmt.Sprintf("%.2s%d", in.Op, g.Access(in.Access).Width))
		}
	}
	return strings.Join(list, " ")
}
