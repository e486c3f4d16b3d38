package micro

import (
	"fmt"
	"strings"

	"gpupipe/internal/measure/driver"
)

// openclPrologue and cudaPrologue give the kernel's text its meaning in each dialect. The parameters end
// in what the dialect needs beside them: OpenCL the local memory, CUDA the counters of the compute units.
const openclPrologue = `#ifdef cl_khr_fp64
#pragma OPENCL EXTENSION cl_khr_fp64 : enable
#endif
#ifdef cl_khr_fp16
#pragma OPENCL EXTENSION cl_khr_fp16 : enable
#endif
#define KERNEL __kernel
#define GLOBAL __global
#define LOCAL __local
#define CONSTANT __constant
#define CONSTANT_POINTER __constant
#define BARRIER barrier(CLK_LOCAL_MEM_FENCE)
#define LID ((uint)get_local_id(0))
#define GID ((uint)get_global_id(0))
#define SIZE ((uint)get_local_size(0))
#define ITEMS ((uint)get_global_size(0))
#define LAST_PARAMETER __local uchar *table
#define BEGIN
#define END
`

const cudaPrologue = `typedef unsigned char uchar;
typedef unsigned short ushort;
typedef unsigned int uint;
typedef unsigned long long ulong;
#define KERNEL extern "C" __global__
#define GLOBAL
#define LOCAL
#define CONSTANT __constant__
#define CONSTANT_POINTER
#define BARRIER __syncthreads()
#define LID threadIdx.x
#define GID (blockIdx.x * blockDim.x + threadIdx.x)
#define SIZE blockDim.x
#define ITEMS (gridDim.x * blockDim.x)
#define LAST_PARAMETER ulong *counters
extern __shared__ __align__(16) uchar table[];
static __device__ __forceinline__ ulong cycles() {
  ulong c;
  asm volatile("mov.u64 %0, %%clock64;" : "=l"(c) :: "memory");
  return c;
}
static __device__ __forceinline__ uint unit() { uint u; asm volatile("mov.u32 %0, %%smid;" : "=r"(u)); return u; }
#define BEGIN if (lid % 32u == 0u) atomicMin(counters + 2u * unit(), cycles());
#define END if (lid % 32u == 0u) atomicMax(counters + 2u * unit() + 1u, cycles());
`

// conversions put a number in single precision into both halves of a register.
var conversions = map[scalar]string{
	f16x2:  "{ .reg .b16 h; cvt.rn.f16.f32 h, %1; mov.b32 %0, {h, h}; }",
	bf16x2: "cvt.rn.bf16x2.f32 %0, %1, %1;",
}

// fillKernel writes the table of device memory, or a pattern.
const fillKernel = `KERNEL void fill(GLOBAL uchar *memory, uint elements, uint size, uint mul, uint add, uint offset,
    uint pattern)
{
    for (uint j = GID; j < elements; j += ITEMS) {
        GLOBAL uint *at = (GLOBAL uint *)(memory + offset + (size_t)j * size);
        at[0] = pattern ? pattern : (mul * j + add) % elements * size;
        for (uint k = 1u; k < size / 4u; ++k)
            at[k] = 0u;
    }
}
`

// text is the microbenchmark in a dialect: the kernel "bench".
func (s *spec) text(d driver.Dialect, chains int) string {
	var b strings.Builder
	prologue, typ, parameter := openclPrologue, string(s.typ), string(s.typ)
	if d == driver.CUDA {
		prologue = cudaPrologue
	}
	b.WriteString(prologue)
	first := func(text string) string { return text }
	if convert := conversions[s.typ]; convert != "" { // without a header
		typ = string(word)
		fmt.Fprintf(&b, "static __device__ __forceinline__ uint both(float x) { uint h; "+
			"asm(\"%s\" : \"=r\"(h) : \"f\"(x)); return h; }\n", convert)
		first = func(text string) string { return "both((float)(" + strings.Replace(text, "(T)", "", 1) + "))" }
	}
	if s.typ == f16 || typ != string(s.typ) {
		parameter = string(f32)
	}
	fmt.Fprintf(&b, "typedef %s T;\n%s", typ, s.declare)
	fmt.Fprintf(&b, "KERNEL void bench(GLOBAL T *out, GLOBAL uchar *memory, int iterations, %s pa, %s pb, "+
		"LAST_PARAMETER)\n{\n", parameter, parameter)
	b.WriteString("    const uint lid = LID, gid = GID, size = SIZE, items = ITEMS;\n")
	fmt.Fprintf(&b, "    T a = %s, b = %s;\n", first("(T)(pa)"), first("(T)(pb)"))
	if s.table.unaligned > 0 {
		fmt.Fprintf(&b, "    memory += %d;\n", s.table.unaligned)
	}
	b.WriteString(s.setup)
	start := s.start
	if start == "" {
		start = oddStart
	}
	for c := range chains {
		fmt.Fprintf(&b, "    T r%d = %s;\n", c, first(withChain(start, c)))
		if s.paired || strings.Contains(s.step("x", "OTHER"), "OTHER") {
			fmt.Fprintf(&b, "    T q%d = %s;\n", c, first(otherStart))
		}
	}
	if !s.few {
		b.WriteString("    BEGIN\n")
	}
	if s.when != "" {
		fmt.Fprintf(&b, "    if (%s)\n", s.when)
	}
	b.WriteString("#pragma unroll 1\n    for (int it = 0; it < iterations; ++it) {\n")
	s.body(&b, chains)
	b.WriteString("    }\n")
	if s.few {
		b.WriteString("    if (r0 == 1u || gid == 0u || gid == items / 3u || gid == items / 2u + 5u || " +
			"gid == items - 1u)\n")
	} else {
		b.WriteString("    END\n")
	}
	b.WriteString(s.finish)
	for c := range chains {
		fmt.Fprintf(&b, "    out[gid * %du + %du] = r%d;\n", chains, c, c)
	}
	// so that nothing is left out
	b.WriteString("    if (iterations < 0)\n        out[gid] = (T)(table[lid] + size + items + a + b);\n}\n")
	return b.String()
}

// body writes the steps of all chains, each chain's in turn.
func (s *spec) body(b *strings.Builder, chains int) {
	for k := range s.unroll {
		for c := range chains {
			x, y := fmt.Sprintf("r%d", c), fmt.Sprintf("q%d", c)
			if s.paired && k%2 == 1 {
				x, y = y, x
			}
			fmt.Fprintf(b, "        %s;\n", s.step(x, y))
		}
	}
}

// withChain puts a chain's number for C, which stands alone in a start value.
func withChain(start string, chain int) string {
	return strings.ReplaceAll(start, " C", fmt.Sprintf(" %d", chain))
}

// fillText is the program of fillKernel.
func fillText(d driver.Dialect) string {
	if d == driver.CUDA {
		return cudaPrologue + fillKernel
	}
	return openclPrologue + fillKernel
}
