package fidelity

import (
	"fmt"
	"maps"
	"os"
	"slices"
	"strconv"
	"strings"
	"testing"

	"gpupipe/idg"
	"gpupipe/idg/isa"
	"gpupipe/internal/evidence/sass"
)

// inlineFile holds what the machine code of the kernels with inline PTX executes.
const inlineFile = "testdata/inline_ptx.txt"

const inlineHeader = "# Instructions that a warp executes of kernels with inline PTX, in machine code for " +
	baseDevice + ", by nvcc " + compilerRelease + ` with -use_fast_math.
# Accesses with the bytes of a work item; other: all that have no class here.
# Written by: go test ./internal/evidence/fidelity -run InlinePTX -update
`

// inlinePTX are kernels with inline PTX, with the instructions that public matrix products and attention
// kernels use.
const inlinePTX = `#include <cuda_fp16.h>
#define COPY(to, from) asm volatile("cp.async.cg.shared.global.L2::128B [%0], [%1], 16;" :: "r"(to), "l"(from))
extern "C" __global__ void mma_f16(const uint4 *a, uint2 *p) { uint4 x=a[threadIdx.x], y=a[threadIdx.x+64]; uint2 z; asm volatile("mma.sync.aligned.m16n8k16.row.col.f16.f16.f16.f16 {%0,%1}, {%2,%3,%4,%5}, {%6,%7}, {%8,%9};":"=r"(z.x),"=r"(z.y):"r"(x.x),"r"(x.y),"r"(x.z),"r"(x.w),"r"(y.x),"r"(y.y),"r"(y.z),"r"(y.w)); p[threadIdx.x]=z; }
extern "C" __global__ void mma_k8(const uint4 *a, float4 *p) { uint4 x=a[threadIdx.x]; float4 z; asm volatile("mma.sync.aligned.m16n8k8.row.col.f32.f16.f16.f32 {%0,%1,%2,%3}, {%4,%5}, {%6}, {%7,%7,%7,%7};":"=f"(z.x),"=f"(z.y),"=f"(z.z),"=f"(z.w):"r"(x.x),"r"(x.y),"r"(x.z),"f"(0.f)); p[threadIdx.x]=z; }
extern "C" __global__ void mma_bf16(const uint4 *a, float4 *p) { uint4 x=a[threadIdx.x]; uint2 y=((const uint2*)a)[threadIdx.x+64]; float4 z; asm volatile("mma.sync.aligned.m16n8k16.row.col.f32.bf16.bf16.f32 {%0,%1,%2,%3}, {%4,%5,%6,%7}, {%8,%9}, {%10,%10,%10,%10};":"=f"(z.x),"=f"(z.y),"=f"(z.z),"=f"(z.w):"r"(x.x),"r"(x.y),"r"(x.z),"r"(x.w),"r"(y.x),"r"(y.y),"f"(0.f)); p[threadIdx.x]=z; }
extern "C" __global__ void mma_tf32(const uint4 *a, float4 *p) { uint4 x=a[threadIdx.x]; uint2 y=((const uint2*)a)[threadIdx.x+64]; float4 z; asm volatile("mma.sync.aligned.m16n8k8.row.col.f32.tf32.tf32.f32 {%0,%1,%2,%3}, {%4,%5,%6,%7}, {%8,%9}, {%10,%10,%10,%10};":"=f"(z.x),"=f"(z.y),"=f"(z.z),"=f"(z.w):"r"(x.x),"r"(x.y),"r"(x.z),"r"(x.w),"r"(y.x),"r"(y.y),"f"(0.f)); p[threadIdx.x]=z; }
extern "C" __global__ void mma_tf32k4(const uint4 *a, float4 *p) { uint4 x=a[threadIdx.x]; float4 z; asm volatile("mma.sync.aligned.m16n8k4.row.col.f32.tf32.tf32.f32 {%0,%1,%2,%3}, {%4,%5}, {%6}, {%7,%7,%7,%7};":"=f"(z.x),"=f"(z.y),"=f"(z.z),"=f"(z.w):"r"(x.x),"r"(x.y),"r"(x.z),"f"(0.f)); p[threadIdx.x]=z; }
extern "C" __global__ void mma_s8(const uint4 *a, int4 *p) { uint4 x=a[threadIdx.x]; uint2 y=((const uint2*)a)[threadIdx.x+64]; int4 z; asm volatile("mma.sync.aligned.m16n8k32.row.col.s32.s8.s8.s32 {%0,%1,%2,%3}, {%4,%5,%6,%7}, {%8,%9}, {%10,%10,%10,%10};":"=r"(z.x),"=r"(z.y),"=r"(z.z),"=r"(z.w):"r"(x.x),"r"(x.y),"r"(x.z),"r"(x.w),"r"(y.x),"r"(y.y),"r"(0)); p[threadIdx.x]=z; }
extern "C" __global__ void mma_s8k16(const uint4 *a, int4 *p) { uint4 x=a[threadIdx.x]; int4 z; asm volatile("mma.sync.aligned.m16n8k16.row.col.s32.s8.s8.s32 {%0,%1,%2,%3}, {%4,%5}, {%6}, {%7,%7,%7,%7};":"=r"(z.x),"=r"(z.y),"=r"(z.z),"=r"(z.w):"r"(x.x),"r"(x.y),"r"(x.z),"r"(0)); p[threadIdx.x]=z; }
extern "C" __global__ void mma_f64(const double2 *a, double2 *p) { double2 x=a[threadIdx.x]; double2 z; asm volatile("mma.sync.aligned.m8n8k4.row.col.f64.f64.f64.f64 {%0,%1}, {%2}, {%3}, {%4,%4};":"=d"(z.x),"=d"(z.y):"d"(x.x),"d"(x.y),"d"(0.0)); p[threadIdx.x]=z; }
extern "C" __global__ void cvttf(const float *a, float *p) { unsigned r; asm("cvt.rna.tf32.f32 %0, %1;":"=r"(r):"f"(a[threadIdx.x])); ((unsigned*)p)[threadIdx.x]=r; }
extern "C" __global__ void cvtpack(const float2 *a, unsigned *p) { unsigned r; float2 x=a[threadIdx.x]; asm("cvt.rn.f16x2.f32 %0, %1, %2;":"=r"(r):"f"(x.x),"f"(x.y)); p[threadIdx.x]=r; }
extern "C" __global__ void ex2(const float *a, float *p) { float r; asm("ex2.approx.ftz.f32 %0, %1;":"=f"(r):"f"(a[threadIdx.x])); p[threadIdx.x]=r; }
extern "C" __global__ void ex2n(const float *a, float *p) { float r; asm("ex2.approx.f32 %0, %1;":"=f"(r):"f"(a[threadIdx.x])); p[threadIdx.x]=r; }
extern "C" __global__ void lg2n(const float *a, float *p) { float r; asm("lg2.approx.f32 %0, %1;":"=f"(r):"f"(a[threadIdx.x])); p[threadIdx.x]=r; }
extern "C" __global__ void rcpn(const float *a, float *p) { float r; asm("rcp.approx.ftz.f32 %0, %1;":"=f"(r):"f"(a[threadIdx.x])); p[threadIdx.x]=r; }
extern "C" __global__ void tanhn(const float *a, float *p) { float r; asm("tanh.approx.f32 %0, %1;":"=f"(r):"f"(a[threadIdx.x])); p[threadIdx.x]=r; }
extern "C" __global__ void sinn(const float *a, float *p) { float r; asm("sin.approx.f32 %0, %1;":"=f"(r):"f"(a[threadIdx.x])); p[threadIdx.x]=r; }
extern "C" __global__ void sqrtn(const float *a, float *p) { float r; asm("sqrt.approx.ftz.f32 %0, %1;":"=f"(r):"f"(a[threadIdx.x])); p[threadIdx.x]=r; }
extern "C" __global__ void lop(const uint4 *a, unsigned *p) { unsigned r; uint4 x=a[threadIdx.x]; asm("lop3.b32 %0, %1, %2, %3, 0xea;":"=r"(r):"r"(x.x),"r"(x.y),"r"(x.z)); p[threadIdx.x]=r; }
extern "C" __global__ void prmt(const uint4 *a, unsigned *p) { unsigned r; uint4 x=a[threadIdx.x]; asm("prmt.b32 %0, %1, %2, %3;":"=r"(r):"r"(x.x),"r"(x.y),"r"(x.z)); p[threadIdx.x]=r; }
extern "C" __global__ void shf(const uint4 *a, unsigned *p) { unsigned r; uint4 x=a[threadIdx.x]; asm("shf.l.wrap.b32 %0, %1, %2, %3;":"=r"(r):"r"(x.x),"r"(x.y),"r"(x.z)); p[threadIdx.x]=r; }
extern "C" __global__ void madw(const int4 *a, long long *p) { long long r; int4 x=a[threadIdx.x]; asm("mad.wide.s32 %0, %1, %2, %3;":"=l"(r):"r"(x.x),"r"(x.y),"l"((long long)x.z)); p[threadIdx.x]=r; }
extern "C" __global__ void guarded(const float4 *a, float4 *p, int n) { float4 v = {0,0,0,0}; asm volatile("{.reg .pred p; setp.ne.b32 p, %5, 0; @p ld.global.v4.f32 {%0,%1,%2,%3}, [%4];}":"+f"(v.x),"+f"(v.y),"+f"(v.z),"+f"(v.w):"l"(a+threadIdx.x),"r"((int)(threadIdx.x<n))); p[threadIdx.x]=v; }
extern "C" __global__ void lane(unsigned *p) { unsigned r, s; asm("mov.u32 %0, %%laneid;":"=r"(r)); asm("mov.u32 %0, %%lanemask_lt;":"=r"(s)); p[threadIdx.x]=r+s; }
extern "C" __global__ void halves(const unsigned *a, unsigned *p) { unsigned r=a[threadIdx.x]; asm("{.reg .b16 lo, hi; mov.b32 {lo, hi}, %0; mov.b32 %0, {hi, lo};}":"+r"(r)); p[threadIdx.x]=r; }
extern "C" __global__ void hfma(const uint4 *a, unsigned *p) { unsigned r; uint4 x=a[threadIdx.x]; asm("fma.rn.f16x2 %0, %1, %2, %3;":"=r"(r):"r"(x.x),"r"(x.y),"r"(x.z)); p[threadIdx.x]=r; }
extern "C" __global__ void shflb(const unsigned *a, unsigned *p) { unsigned r; asm volatile("shfl.sync.bfly.b32 %0, %1, 1, 0x1f, 0xffffffff;":"=r"(r):"r"(a[threadIdx.x])); p[threadIdx.x]=r; }
extern "C" __global__ void redadd(const float *a, float *p) { asm volatile("red.global.add.f32 [%0], %1;"::"l"(p+threadIdx.x),"f"(a[threadIdx.x])); }
extern "C" __global__ void ldm(const uint4 *a, uint4 *p) { __shared__ uint4 s[64]; s[threadIdx.x]=a[threadIdx.x]; __syncthreads(); unsigned q=(unsigned)__cvta_generic_to_shared(&s[threadIdx.x%32]); uint4 z; asm volatile("ldmatrix.sync.aligned.m8n8.x4.shared.b16 {%0,%1,%2,%3}, [%4];":"=r"(z.x),"=r"(z.y),"=r"(z.z),"=r"(z.w):"r"(q)); unsigned e,f,g; asm volatile("ldmatrix.sync.aligned.m8n8.x2.trans.shared.b16 {%0,%1}, [%2+64];":"=r"(e),"=r"(f):"r"(q)); asm volatile("ldmatrix.sync.aligned.m8n8.x1.shared.b16 {%0}, [%1+128];":"=r"(g):"r"(q)); z.x+=e; z.y+=f; z.z+=g; p[threadIdx.x]=z; }
extern "C" __global__ void product(const half *A, const half *B, float4 *C) {
	__shared__ half sA[2][16 * 64], sB[2][16 * 64];
	unsigned a = __cvta_generic_to_shared(sA), b = __cvta_generic_to_shared(sB), lane = threadIdx.x % 32;
	float4 c = {0, 0, 0, 0};
#pragma unroll
	for (int i = 0; i < 4; i++) {
		unsigned stage = i % 2 * 2048;
		COPY(a + stage + threadIdx.x * 16, A + i * 1024 + threadIdx.x * 8);
		COPY(b + stage + threadIdx.x * 16, B + i * 1024 + threadIdx.x * 8);
		asm volatile("cp.async.commit_group;" ::);
		asm volatile("cp.async.wait_group %0;" ::"n"(0));
		__syncthreads();
#pragma unroll
		for (int k = 0; k < 4; k++) {
			unsigned x[4], y[2];
			asm volatile("ldmatrix.sync.aligned.x4.m8n8.shared.b16 {%0,%1,%2,%3}, [%4];" : "=r"(x[0]), "=r"(x[1]), "=r"(x[2]), "=r"(x[3]) : "r"(a + stage + lane % 16 * 128 + (lane / 16 * 16 + k * 32 ^ lane % 8 * 16)));
			asm volatile("ldmatrix.sync.aligned.x2.m8n8.shared.b16 {%0,%1}, [%2];" : "=r"(y[0]), "=r"(y[1]) : "r"(b + stage + lane % 8 * 128 + (lane / 8 % 2 * 16 + k * 32 ^ lane % 8 * 16)));
			asm volatile("mma.sync.aligned.m16n8k16.row.col.f32.f16.f16.f32 {%0,%1,%2,%3}, {%4,%5,%6,%7}, {%8,%9}, {%0,%1,%2,%3};" : "+f"(c.x), "+f"(c.y), "+f"(c.z), "+f"(c.w) : "r"(x[0]), "r"(x[1]), "r"(x[2]), "r"(x[3]), "r"(y[0]), "r"(y[1]));
		}
	}
	C[blockIdx.x * 64 + threadIdx.x] = c;
}
`

// inlineCounts are executed instructions by class: "ld.local 16", "hmma.16816.f32", "other".
type inlineCounts map[string]int64

func (n inlineCounts) String() string {
	var parts []string
	for _, class := range slices.Sorted(maps.Keys(n)) {
		parts = append(parts, fmt.Sprintf("%s: %d", class, n[class]))
	}
	return strings.Join(parts, ", ")
}

// without are the counts of all classes but one.
func (n inlineCounts) without(class string) string {
	n = maps.Clone(n)
	delete(n, class)
	return n.String()
}

// inlineSource is a kernel of inlinePTX.
func inlineSource(kernel string) source {
	return source{name: kernel, file: "inline.cu", text: inlinePTX, only: []string{kernel}}
}

// inlineKernels are the names of the kernels.
func inlineKernels() (names []string) {
	for _, part := range strings.Split(inlinePTX, "__global__ void ")[1:] {
		name, _, _ := strings.Cut(part, "(")
		names = append(names, name)
	}
	return names
}

// TestInlinePTX: of inline PTX the graph has the accesses, copies, matrix instructions, special functions and
// exchanges of the machine code, of which the counts are recorded.
func TestInlinePTX(t *testing.T) {
	recorded := map[string]string{}
	if *update {
		recordInline(t)
	}
	for _, line := range recordedLines(t, inlineFile) {
		name, counts, _ := strings.Cut(strings.TrimSpace(line), "\t")
		recorded[name] = counts
	}
	var table strings.Builder
	for _, name := range inlineKernels() {
		ours := graphClasses(t, inlineSource(name))
		theirs := inlineCounts{}
		for _, part := range strings.Split(recorded[name], ", ") {
			class, n, _ := strings.Cut(part, ": ")
			theirs[class], _ = strconv.ParseInt(n, 10, 64)
		}
		if got, want := ours.without("other"), theirs.without("other"); got != want {
			t.Errorf("%s: %s, machine code has %s", name, got, want)
		}
		fmt.Fprintf(&table, "| %s | %s | %d | %d |\n", name, ours.without("other"), ours["other"], theirs["other"])
	}
	writeSection(t, "inline_ptx", table.String())
}

// recordInline asks the compiler.
func recordInline(t *testing.T) {
	t.Helper()
	if err := missingCompiler(); err != nil {
		t.Logf("%s stays as it is: %v", inlineFile, err)
		return
	}
	listing, err := machineListing(inlineSource(""), baseDevice)
	if err != nil {
		t.Fatal(err)
	}
	var b strings.Builder
	b.WriteString(inlineHeader)
	for _, name := range inlineKernels() {
		fn, k := kernelOf(t, inlineSource(name))
		code, err := sass.Parse(listing, name)
		if err != nil {
			t.Fatal(err)
		}
		executed, err := code.Run(launchOf(fn, k).sass(fn))
		if err != nil {
			t.Fatalf("%s: %v", name, err)
		}
		n := inlineCounts{}
		for i, times := range executed {
			if op := code.Code[i].Op; times.Active > 0 && op != "NOP" {
				n[machineClass(op)] += times.Active
			}
		}
		fmt.Fprintf(&b, "%s\t%v\n", name, n)
	}
	if err := os.WriteFile(inlineFile, []byte(b.String()), 0o666); err != nil {
		t.Fatal(err)
	}
}

// machineClass is the class of a machine instruction.
func machineClass(op string) string {
	words := strings.Split(op, ".")
	bytes := 4
	for _, w := range words[1:] {
		switch w {
		case "64":
			bytes = 8
		case "128":
			bytes = 16
		}
	}
	switch words[0] {
	case "LDG", "STG", "LDS", "STS":
		return map[byte]string{'L': "ld.", 'S': "st."}[op[0]] + map[byte]string{'G': "global ", 'S': "local "}[op[2]] +
			strconv.Itoa(bytes)
	case "LDSM":
		return "ld.local " + map[string]string{"2": "8", "4": "16"}[words[len(words)-1]] +
			map[bool]string{true: "4"}[len(words) == 3]
	case "LDGSTS":
		return "copy " + strconv.Itoa(bytes)
	case "LDGDEPBAR":
		return "async.commit"
	case "DEPBAR":
		return "async.wait"
	case "HMMA", "IMMA", "DMMA":
		return matrixClass(words)
	case "MUFU":
		return "special"
	case "SHFL":
		return "shuffle"
	case "BAR":
		return "barrier"
	case "RED", "ATOM", "ATOMG":
		return "atomic"
	}
	return "other"
}

// matrixClass is the graph's name of a matrix instruction: the types of factors of 16 bits make no difference.
func matrixClass(words []string) string {
	sum := map[string]string{"IMMA": "s32", "DMMA": "f64"}[words[0]]
	if sum == "" {
		sum = strings.ToLower(words[2])
	}
	shape := words[1]
	if words[len(words)-1] == "TF32" && shape == "1688" {
		shape += ".tf32"
	}
	return strings.ToLower(words[0]) + "." + shape + "." + sum
}

// graphClasses counts what warp 0 of a graph of machine code executes.
func graphClasses(t *testing.T, s source) inlineCounts {
	t.Helper()
	g := machineCodeGraph(t, s)
	n := inlineCounts{}
	for i, count := range g.ProgramOf(0).Tally(len(g.Instrs())) {
		in := g.Instr(idg.InstrID(i + 1))
		class := string(isa.Parse(in.Op).Class())
		switch {
		case count == 0 || in.Op == "st.local.async": // the other side of a copy
			continue
		case in.Op == "ld.global.async":
			class = "copy " + strconv.Itoa(int(g.Access(in.Access).Width))
		case strings.HasPrefix(in.Op, "ld.constant"): // a descriptor or parameter, which machine code counts among the others
			class = "other"
		case strings.HasPrefix(in.Op, "atomic"):
			class = "atomic"
		case in.Access != 0:
			class = fmt.Sprintf("%s %d", in.Op, g.Access(in.Access).Width)
		case strings.Contains(in.Op, "mma."), strings.HasPrefix(in.Op, "async."):
			class = in.Op
		case class != "special" && class != "shuffle" && class != "barrier":
			class = "other"
		}
		n[class] += count
	}
	return n
}
