package walk_test

import (
	"fmt"
	"maps"
	"slices"
	"strings"
	"testing"

	"gpupipe/idg"
	"gpupipe/internal/test/golden"
	"gpupipe/internal/test/tools"
	"gpupipe/latencies"

	"golang.org/x/tools/txtar"
)

// inlinePTX is a product of matrices with the instructions of inline PTX, whose addresses are integers.
const inlinePTX = `#include <cuda_fp16.h>
#define LDMATRIX_X4(R, addr) asm volatile("ldmatrix.sync.aligned.x4.m8n8.shared.b16 {%0, %1, %2, %3}, [%4];\n" : "=r"(R[0]), "=r"(R[1]), "=r"(R[2]), "=r"(R[3]) : "r"(addr))
__device__ unsigned address(const void *p) {
	unsigned a;
	asm("{ .reg .u64 t; cvta.to.shared.u64 t, %1; cvt.u32.u64 %0, t; }\n" : "=r"(a) : "l"(p));
	return a;
}
__global__ void k(const half *A, const half *B, float *C, int n) {
	__shared__ half sA[2][16 * 64];
	__shared__ half sB[2][16 * 64];
	unsigned a = __cvta_generic_to_shared(sA), b = address(&sB[0][0]), lane = threadIdx.x % 32;
	float c[4] = {0};
	for (int i = 0; i < n; i++) {
		unsigned stage = i % 2 * 2048;
		asm volatile("cp.async.cg.shared.global.L2::128B [%0], [%1], %2;\n" :: "r"(a + stage + threadIdx.x * 16), "l"(A + i * 1024 + threadIdx.x * 8), "n"(16));
		asm volatile("cp.async.ca.shared.global [%0], [%1], 8;\n" :: "r"(b + stage + threadIdx.x * 8), "l"(B + i * 1024 + threadIdx.x * 4));
		asm volatile("cp.async.commit_group;\n" ::);
		asm volatile("cp.async.wait_group %0;\n" ::"n"(0));
		__syncthreads();
		unsigned ra[4], rb[2];
		LDMATRIX_X4(ra, a + stage + lane % 16 * 128 + (lane / 16 * 16 ^ lane % 8 * 16));
		asm volatile("ldmatrix.sync.aligned.m8n8.x2.trans.shared.b16 {%0, %1}, [%2+32];" : "=r"(rb[0]), "=r"(rb[1]) : "r"(b + stage + lane % 16 * 128));
		asm volatile("mma.sync.aligned.m16n8k16.row.col.f32.f16.f16.f32 {%0, %1, %2, %3}, {%4, %5, %6, %7}, {%8, %9}, {%0, %1, %2, %3};\n"
			: "+f"(c[0]), "+f"(c[1]), "+f"(c[2]), "+f"(c[3]) : "r"(ra[0]), "r"(ra[1]), "r"(ra[2]), "r"(ra[3]), "r"(rb[0]), "r"(rb[1]));
		__syncthreads();
	}
	asm volatile("st.global.v4.f32 [%0], {%1, %2, %3, %4};" :: "l"(C + 4 * threadIdx.x), "f"(c[0]), "f"(c[1]), "f"(c[2]), "f"(c[3]));
}`

// localAccesses lists the accesses of local memory of warp 0: op, array, bytes of a lane, and the offset of each fifth
// lane.
func localAccesses(t *testing.T, text, options string) string {
	t.Helper()
	g, _ := graphOf(t, "k.cu", text, options+" --arg n=1")
	var b strings.Builder
	f, err := g.Programs()[0].Expanded(idg.MaxExpanded)
	if err != nil {
		t.Fatal(err)
	}
	for v := range idg.NodeID(f.Len()) {
		in := g.Instr(f.Instr(v))
		a := g.Access(in.Access)
		if a == nil || a.Space != idg.SpaceLocal {
			continue
		}
		fmt.Fprintf(&b, "%s %s %d:", in.Op, a.Buffer, a.Width)
		for l := 0; l < len(a.Offsets); l += 5 {
			fmt.Fprintf(&b, " %d", a.Offsets[l])
		}
		b.WriteByte('\n')
	}
	return b.String()
}

// TestInlinePTXAddresses: integers lead into the arrays whose addresses they were, and ldmatrix reads the rows that
// its lanes name.
func TestInlinePTXAddresses(t *testing.T) {
	// Lanes 0, 5, 10, ... of 128 bytes a row; of x4 each reads its row, of x2 half of that of lane l/2.
	const want = `st.local.async sA 16: 0 80 160 240 320 400 480
st.local.async sB 8: 0 40 80 120 160 200 240
ld.local sA 16: 0 720 1312 2032 592 1152 1904
ld.local sB 8: 32 296 672 936 1312 1576 1952
`
	for _, level := range []string{"-O2", "-O0"} {
		if got := localAccesses(t, inlinePTX, level); got != want {
			t.Errorf("%s:\n%s\nwant\n%s", level, got, want)
		}
	}
}

// TestIntegerAddresses: addresses survive what programs do with integers.
func TestIntegerAddresses(t *testing.T) {
	const text = `#define LOAD(address) asm volatile("ld.shared.f32 %0, [%1+0];" : "=f"(x) : "r"(address))
__global__ void k(const int *in, float *out, int n) {
	__shared__ float s[64];
	__shared__ float u[2][64];
	unsigned a = __cvta_generic_to_shared(s);
	unsigned buffers[2] = {(unsigned)__cvta_generic_to_shared(u[0]), (unsigned)__cvta_generic_to_shared(u[1])};
	float x;
	STATEMENT
	out[threadIdx.x] = x;
}`
	for statement, want := range map[string]string{
		`LOAD(a + 4 * threadIdx.x ^ 16);`:                         "ld.local s 4: 16 4 56 44 64 116 104",
		`LOAD(8 + buffers[1] + 4 * threadIdx.x);`:                 "ld.local u 4: 8 28 48 68 88 108 128",
		`unsigned b = n > 0 ? a : a + 64; LOAD(b);`:               "ld.local s 4: 0 0 0 0 0 0 0",
		`int b = a; for (int i = 0; i < n; i++) b += 4; LOAD(b);`: "ld.local s 4: 4 4 4 4 4 4 4",
		`LOAD(a + 4 * in[0]);`:                                    "ld.local s 4:",
		`x = *(float *)__cvta_shared_to_generic(a + 4);`:          "ld.local s 4: 4 4 4 4 4 4 4",
	} {
		if got := localAccesses(t, strings.Replace(text, "STATEMENT", statement, 1), "-O2"); got != want+"\n" {
			t.Errorf("%s: %s, want %s", statement, got, want)
		}
	}
}

// TestVolatile: every access to a volatile variable, array, member or pointee is executed, as in the PTX that nvcc 11.8
// writes of these kernels (ld.volatile and st.volatile).
func TestVolatile(t *testing.T) {
	const text = `struct pair { volatile int a; int b; };
__device__ volatile int flag;
__global__ void shared(float *out) {
  __shared__ volatile float w[64];
  volatile __shared__ float one;
  int i = threadIdx.x;
  w[i] = i; w[i] += 1.0f; w[i] += 2.0f;
  one = 1.0f;
  out[i] = w[i] + w[i] + one + one + flag + flag;
}
__global__ void member(pair *q, int *out) { out[threadIdx.x] = q->a + q->a + q->b + q->b; }
__global__ void pointer(float *out) {
  __shared__ float w[64];
  volatile float *p = w;
  p[threadIdx.x] = 1;
  out[threadIdx.x] = p[threadIdx.x] + p[threadIdx.x];
}
__global__ void decayed(float *out) {
  __shared__ volatile float w[64];
  volatile float *p = &w[threadIdx.x];
  *p = 1;
  out[threadIdx.x] = *p + p[0];
}
`
	want := map[string][4]int64{ // loads and stores of local memory, of global memory
		"shared": {6, 4, 2, 1}, "member": {0, 0, 3, 1}, "pointer": {2, 1, 0, 1}, "decayed": {2, 1, 0, 1},
	}
	u := unit(t, "k.cu", text)
	for _, fn := range u.Kernels {
		for _, level := range []string{levels[1], levels[3]} {
			g, _, err := execute(u, fn, parsed(t, level))
			if err != nil {
				t.Fatal(err)
			}
			n := ops(g)
			if got := [4]int64{n["ld.local"], n["st.local"], n["ld.global"], n["st.global"]}; got != want[fn.Name] {
				t.Errorf("%s: %s: %d loads and stores, want %d", level, fn.Name, got, want[fn.Name])
			}
		}
	}
}

// points is a stencil with an early return at the borders.
const points = `kernel void k(global const float *a, global float *b, int w, int h) {
  int x = get_global_id(0), y = get_global_id(1);
  if (x == 0 || y == 0 || x >= w - 1 || y >= h - 1) return;
  b[y * w + x] = a[y * w + x] + a[y * w + x - 1] + a[y * w + x + 1] + a[(y - 1) * w + x] + a[(y + 1) * w + x];
}`

// tiled is the same with a tile in local memory, whose border only some work items load.
const tiled = `kernel void k(global const float *a, global float *b, int w, int h) {
  local float t[6][18];
  int x = get_global_id(0), y = get_global_id(1), i = get_local_id(0) + 1, j = get_local_id(1) + 1;
  if (x < w && y < h) {
    t[j][i] = a[y * w + x];
    if (i == 1 && x > 0) t[j][0] = a[y * w + x - 1];
    if (i == 16 && x < w - 1) t[j][17] = a[y * w + x + 1];
    if (j == 1 && y > 0) t[0][i] = a[(y - 1) * w + x];
    if (j == 4 && y < h - 1) t[5][i] = a[(y + 1) * w + x];
  }
  barrier(CLK_LOCAL_MEM_FENCE);
  if (x == 0 || y == 0 || x >= w - 1 || y >= h - 1) return;
  b[y * w + x] = t[j][i] + t[j][i - 1] + t[j][i + 1] + t[j - 1][i] + t[j + 1][i];
}`

// TestTrafficOfGroupsAtTheEdges: the kinds of groups at the edges are as many groups together as the launch has, and
// what they move to and from device memory, where caches hold all, is each touched sector once; however few groups lie
// in a dimension.
func TestTrafficOfGroupsAtTheEdges(t *testing.T) {
	d, err := latencies.Builtin("rtx3080")
	if err != nil {
		t.Fatal(err)
	}
	m, err := latencies.NewMapper(d, nil)
	if err != nil {
		t.Fatal(err)
	}
	for seed := range int64(tools.Cases(60, 12)) {
		gx, gy := 1+seed%4, 1+seed/3%4
		w, h := 16*(gx-1)+2+seed*7%15, 4*(gy-1)+2+seed%3
		text := points
		if seed%2 == 0 {
			text = tiled
		}
		g, _ := graphOf(t, "k.cl", text, fmt.Sprintf("--local 16x4 --groups %dx%d --arg w=%d --arg h=%d --group-kinds edges "+
			"--locality launch", gx, gy, w, h))
		groups := int64(0)
		for _, k := range g.GroupKinds() {
			groups += k.Groups
		}
		if groups != gx*gy {
			t.Errorf("seed %d: the kinds are %d groups, the launch has %dx%d", seed, groups, gx, gy)
		}
		got, err := m.Map(g)
		if err != nil {
			t.Fatal(err)
		}
		read, written := bordered(w, h, text == tiled)
		if got.Traffic.ReadBytes != read || got.Traffic.WrittenBytes != written {
			t.Errorf("seed %d: %dx%d groups on %dx%d points: %d bytes are read and %d written, want %d and %d",
				seed, gx, gy, w, h, got.Traffic.ReadBytes, got.Traffic.WrittenBytes, read, written)
		}
	}
}

// bordered is how many bytes of sectors a stencil reads and writes; tiles read the corners of the points, too.
func bordered(w, h int64, corners bool) (read, written int64) {
	reads, writes := map[int64]bool{}, map[int64]bool{}
	for y := range h {
		for x := range w {
			at := func(x, y int64) int64 { return (y*w + x) / 8 }
			if corners {
				reads[at(x, y)] = true
			}
			if x == 0 || y == 0 || x == w-1 || y == h-1 {
				continue
			}
			writes[at(x, y)] = true
			for _, s := range [][2]int64{{0, 0}, {-1, 0}, {1, 0}, {0, -1}, {0, 1}} {
				reads[at(x+s[0], y+s[1])] = true
			}
		}
	}
	return 32 * int64(len(reads)), 32 * int64(len(writes))
}

// TestPartialReturn: where some lanes of a warp have returned, the others execute what all would.
func TestPartialReturn(t *testing.T) {
	const body = `
    float t[8];
    #pragma unroll
    for (int j = 0; j < 8; j++) t[j] = 0;
    for (int k = 0; k < w; k++) {
        #pragma unroll
        for (int j = 0; j < 8; j++) t[j] += in[i * 8 + j + k * 4096] * in[i];
    }
    float s = 0;
    #pragma unroll
    for (int j = 0; j < 8; j++) s += t[j] * t[7 - j];
    out[i] = s;`
	const head = `(global float *out, global const float *in, int n, int w`
	for name, text := range map[string]string{
		"return": "kernel void k" + head + ") { int i = get_global_id(0); if ((i & 63) >= n) return;" + body + "}",
		"return of a helper": "void h" + head + ", int i) { if ((i & 63) >= n) return;" + body + "}\nkernel void k" + head +
			") { h(out, in, n, w, get_global_id(0)); }",
		"break": "kernel void k" + head + ") { int i = get_global_id(0); for (int step = 0; step < 1; step++) { if " +
			"((i & 63) >= n) break;" + body + "} }",
	} {
		for _, level := range levels[1:] {
			some, _ := graphOf(t, "k.cl", text, level+" --local 64 --warp-size 64 --arg n=40 --arg w=50")
			all, _ := graphOf(t, "k.cl", text, level+" --local 64 --warp-size 64 --arg n=64 --arg w=50")
			if some.Resources.PrivateBytes != 0 || !maps.Equal(ops(some), ops(all)) {
				t.Errorf("%s, %s: %d bytes of private memory; some lanes execute %v, all %v", name, level,
					some.Resources.PrivateBytes, ops(some), ops(all))
			}
		}
	}
}

// TestGroupKinds: the groups at the edges of a launch are kinds of their own where they differ.
func TestGroupKinds(t *testing.T) {
	const guarded = "kernel void k(global float *a, int n) { int x = get_global_id(0); if (x < n) a[x] += 1; }"
	for _, c := range []struct {
		name, text, options string
		want                []string // group number x groups
	}{
		{"no guard", "kernel void k(global float *a) { a[get_global_id(0)] += 1; }", "--groups 10", nil},
		{"the last is cut off", guarded, "--groups 10 --arg n=300", []string{"9x1"}},
		{"two groups", guarded, "--groups 2 --arg n=30", []string{"0x1"}}, // the middle is the second
		{"the first of two", "kernel void k(global float *a) { if (get_group_id(0) == 0) a[get_global_id(0)] += 1; }",
			"--groups 2", []string{"0x1"}},
		{"three groups", "kernel void k(global float *a) { if (get_group_id(0) != 1) a[get_global_id(0)] += 1; }",
			"--groups 3", []string{"0x2"}},
		// Upper corners, upper edge, left and right edge, lower corners, lower edge.
		{"frame", points, "--local 32x4 --groups 6x5 --arg w=192 --arg h=20", []string{"0x2", "3x4", "12x6", "24x2",
			"27x4"}},
		{"columns", "kernel void k(global float *a, int w) { int x = get_global_id(0), y = get_global_id(1); if (x < " +
			"w) a[y * 256 + x] += 1; }", "--local 16x4 --groups 4x3x2 --arg w=50", []string{"3x6"}},
	} {
		g, _ := graphOf(t, "k.cl", c.text, c.options+" --group-kinds edges")
		var kinds []string
		for _, k := range g.Kinds() {
			kinds = append(kinds, fmt.Sprintf("%dx%d", k.Group, k.Groups))
		}
		if !slices.Equal(kinds, c.want) {
			t.Errorf("%s: kinds %q, want %q", c.name, kinds, c.want)
		}
	}
}

// TestGraphAsC: a kernel in C++ executes what the one does that says the same in C.
func TestGraphAsC(t *testing.T) {
	golden.Pairs(t, "../../testdata/cxx/*.txtar", func(t *testing.T, x, y txtar.File) {
		var executed [2]map[string]int64
		for i, f := range []txtar.File{x, y} {
			g, _ := graphOf(t, f.Name, string(f.Data), "-O2 --local 64 --arg n=5")
			executed[i] = ops(g)
			maps.DeleteFunc(executed[i], func(op string, _ int64) bool { // compilers have several ways for truth values
				return strings.HasSuffix(op, "32") && !strings.HasSuffix(op, ".f32")
			})
		}
		if !maps.Equal(executed[0], executed[1]) {
			t.Errorf("C++ executes %v, C %v", executed[0], executed[1])
		}
	})
}
