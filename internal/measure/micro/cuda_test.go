package micro

import (
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"gpupipe/internal/measure"
	"gpupipe/internal/measure/driver"
	"gpupipe/internal/test/tools"
)

// cudaHeader declares what NVRTC knows without a header.
const cudaHeader = `
#define __global__ __attribute__((global))
#define __device__ __attribute__((device))
#define __shared__ __attribute__((shared))
#define __constant__ __attribute__((constant))
#define __align__(n) __attribute__((aligned(n)))
#define __forceinline__ __inline__ __attribute__((always_inline))
typedef unsigned long size_t;
struct uint3 { unsigned x, y, z; };
struct uint2 { unsigned x, y; };
struct uint4 { unsigned x, y, z, w; };
extern const __device__ uint3 threadIdx, blockIdx, blockDim, gridDim;
__device__ uint2 make_uint2(unsigned, unsigned);
__device__ uint4 make_uint4(unsigned, unsigned, unsigned, unsigned);
__device__ void __syncthreads();
__device__ unsigned atomicAdd(unsigned *, unsigned);
__device__ unsigned long long atomicMin(unsigned long long *, unsigned long long);
__device__ unsigned long long atomicMax(unsigned long long *, unsigned long long);
__device__ int __shfl_xor_sync(unsigned, int, int);
__device__ int __float_as_int(float);
__device__ float __int_as_float(int);
__device__ int __double2hiint(double);
__device__ float __cosf(float), __sinf(float), cosf(float), sinf(float), exp2f(float), rsqrtf(float), sqrtf(float), fmaf(float, float, float), fabsf(float);
__device__ double fma(double, double, double);
#line 1 "bench.cu"
`

// TestCUDAText: clang understands every microbenchmark in CUDA C.
func TestCUDAText(t *testing.T) {
	clang := tools.Path(t, "clang", "clang")
	dir := t.TempDir()
	m := memory{large: 1 << 26, l2: 1 << 20, l1: 1 << 13, maxItems: 1 << 17}
	check := func(name, text string) {
		file := filepath.Join(dir, name+".cu")
		if err := os.WriteFile(file, []byte(cudaHeader+text), 0o666); err != nil {
			t.Fatal(err)
		}
		out, err := exec.Command(clang, "-fsyntax-only", "-x", "cuda", "-nocudainc", "-nocudalib", "--cuda-device-only",
			"--cuda-gpu-arch=sm_60", "-Wno-unknown-cuda-version", file).CombinedOutput()
		if err != nil {
			t.Errorf("%s: %v\n%s", name, err, out)
		}
	}
	check("fill", fillText(driver.CUDA))
	seen := map[string]bool{}
	for i, c := range measure.Classes() {
		if o := operations[c.Name]; o.cuda == "-" || !tools.Full() && i%4 > 0 {
			continue
		}
		chains := c.Chains[len(c.Chains)-1]
		s, err := specOf(c, chains, driver.CUDA, m, 32)
		if err != nil {
			t.Fatal(err)
		}
		family := strings.TrimRight(c.Name, "0123456789") // numbers change constants only
		if seen[family] && !tools.Full() {
			continue
		}
		seen[family] = true
		check(c.Name, s.text(driver.CUDA, chains))
	}
}
