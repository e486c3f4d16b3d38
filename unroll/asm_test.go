package unroll_test

import (
	"fmt"
	"strings"
	"testing"

	"gpupipe/idg"
	"gpupipe/unroll"
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

// TestSteadyInlinePTX: addresses that are integers are followed like others, so that iterations are skipped.
func TestSteadyInlinePTX(t *testing.T) {
	k := lowerSource(t, "k.cu", inlinePTX)[0]
	opt := unroll.Options{Local: [3]int64{32}, Groups: [3]int64{9}, Args: map[string]unroll.ArgValue{"n": {Int: 900}},
		Target: unroll.Target{MachineCode: true}, Locality: unroll.LaunchLocality}
	if sameEitherWay(t, k, opt, inlinePTX) == 0 {
		t.Error("no iterations are skipped")
	}
}

// localAccesses lists the accesses of local memory of warp 0: op, array, bytes of a lane, and the offset of each
// fifth lane.
func localAccesses(t *testing.T, text string, level unroll.Level) string {
	t.Helper()
	res, err := unroll.Resolve(lowerSource(t, "k.cu", text)[0], unroll.Options{Local: [3]int64{32}, Groups: [3]int64{1},
		Target: unroll.Target{Level: level}, Args: map[string]unroll.ArgValue{"n": {Int: 1}}})
	if err != nil {
		t.Fatal(err)
	}
	var b strings.Builder
	program := res.Graph.ProgramOf(0)
	for s := range program.StaticLen() {
		in := res.Graph.Instr(program.StaticInstr(idg.StaticID(s)))
		if in.Access == 0 {
			continue
		}
		a := res.Graph.Access(in.Access)
		if a.Space != idg.SpaceLocal {
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

// TestInlinePTXAddresses: integers lead into the arrays whose addresses they were, and ldmatrix reads the rows
// that its lanes name.
func TestInlinePTXAddresses(t *testing.T) {
	// Lanes 0, 5, 10, ... of 128 bytes a row; of x4 each reads its row, of x2 half of that of lane l/2.
	const want = `st.local.async sA 16: 0 80 160 240 320 400 480
st.local.async sB 8: 0 40 80 120 160 200 240
ld.local sA 16: 0 720 1312 2032 592 1152 1904
ld.local sB 8: 32 296 672 936 1312 1576 1952
`
	for _, level := range []unroll.Level{unroll.O2, unroll.O0} {
		if got := localAccesses(t, inlinePTX, level); got != want {
			t.Errorf("level %v:\n%s\nwant\n%s", level, got, want)
		}
	}
}

// TestIntegerAddresses: addresses survive what programs do with integers.
func TestIntegerAddresses(t *testing.T) {
	const text = `__global__ void k(const int *in, float *out, int n) {
	__shared__ float s[64];
	__shared__ float u[2][64];
	unsigned a = __cvta_generic_to_shared(s);
	unsigned buffers[2] = {(unsigned)__cvta_generic_to_shared(u[0]), (unsigned)__cvta_generic_to_shared(u[1])};
	float x;
	STATEMENT
	out[threadIdx.x] = x;
}`
	for statement, want := range map[string]string{
		`asm volatile("ld.shared.f32 %0, [%1];" : "=f"(x) : "r"(a + 4 * threadIdx.x ^ 16));`:                         "ld.local s 4: 16 4 56 44 64 116 104",
		`asm volatile("ld.shared.f32 %0, [%1+8];" : "=f"(x) : "r"(buffers[1] + 4 * threadIdx.x));`:                   "ld.local u 4: 8 28 48 68 88 108 128",
		`unsigned b = n > 0 ? a : a + 64; asm volatile("ld.shared.f32 %0, [%1];" : "=f"(x) : "r"(b));`:               "ld.local s 4: 0 0 0 0 0 0 0",
		`int b = a; for (int i = 0; i < n; i++) b += 4; asm volatile("ld.shared.f32 %0, [%1];" : "=f"(x) : "r"(b));`: "ld.local s 4: 4 4 4 4 4 4 4",
		`asm volatile("ld.shared.f32 %0, [%1];" : "=f"(x) : "r"(a + 4 * in[0]));`:                                    "ld.local s 4:",
		`x = *(float *)__cvta_shared_to_generic(a + 4);`:                                                             "ld.local s 4: 4 4 4 4 4 4 4",
		`asm volatile("ld.f32 %0, [%1];" : "=f"(x) : "l"((unsigned long long)(s + threadIdx.x) & ~15ull));`:          "ld.local s 4: 0 16 32 48 80 96 112",
	} {
		if got := localAccesses(t, strings.Replace(text, "STATEMENT", statement, 1), unroll.O2); got != want+"\n" {
			t.Errorf("%s: %s, want %s", statement, got, want)
		}
	}
}
