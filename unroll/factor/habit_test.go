package factor_test

import (
	"strings"
	"testing"

	"gpupipe/internal/tools"
	"gpupipe/unroll"
)

// Loops over one load whose trip counts are known at run time, by whether nvcc 11.8
// unrolls them (nvcc -arch=sm_80 -ptx: 5 loads, or 1). The last of each are those about which
// the rule is wrong.
var runtimeLoops = map[bool]string{
	true: `
int st=gridDim.x*256;for(int i=blockIdx.x*256+threadIdx.x;i<n;i+=st)
for(int i=threadIdx.x;i<n;i+=k)
for(unsigned i=threadIdx.x;i<m;i++)
for(int i=threadIdx.x;i<n;i+=(int)blockDim.x)
for(int i=threadIdx.x;i<n;i+=256)
for(int i=threadIdx.x;i<n;i++)
for(size_t i=threadIdx.x;i<n;i++)
for(int i=threadIdx.x;i<n;i+=32*k)
for(int i=threadIdx.x;i<=n;i++)
for(long i=threadIdx.x;i<ln;i+=lk)
for(long i=threadIdx.x;i<ln;i+=256)
for(long i=threadIdx.x;i<ln;i+=k)
for(long i=threadIdx.x;i<ln;i++)
for(long i=threadIdx.x;i<n;i++)
for(int i=threadIdx.x;i<n;i+=3)
for(int i=n;i>0;i--)
for(int i=n;i>=0;i--)
for(int i=n;i>0;i-=2)
for(int i=0;i<n;i+=k)
for(int i=0;i!=n;i++)
for(int i=0;i!=n;i+=2)
for(int i=threadIdx.x;i<1000000;i+=k)
for(int i=threadIdx.x;i<1000000;i+=256)
for(unsigned i=threadIdx.x;i<1000000;i+=256)
for(unsigned i=threadIdx.x;i<1000000;i++)
for(int i=threadIdx.x;i<n;i+=warpSize)
for(int i=threadIdx.x;n>i;i+=k)
for(int i=threadIdx.x;i<n-k;i+=k)
for(long i=threadIdx.x;i<ln;i+=uk)
for(long i=threadIdx.x;i<n;i+=k)
for(long i=threadIdx.x;i<n;i+=lk)
for(long i=threadIdx.x;i<n;i+=256)
for(long i=threadIdx.x;i<ln;i+=blockDim.x*gridDim.x)
for(int i=n;i>=0;i-=2)
for(int i=n;i>=k;i--)
for(size_t i=0;i<ul;i++)
for(int i=0;i<m;i++)
for(int i=0;i<m;i+=2)
for(unsigned i=n;i>0;i--)
for(int i=0;i<=n-1;i+=3)
for(int i=0;i<=n-1;i+=k)
for(int i=0;i<=n-2;i+=3)
int e=k+n-1;for(int i=k;i<=e;i+=3)
for(int i=n;i>=k+1;i-=3)
for(int i=0;i<=1000000;i+=k)
for(int i=0;i<=1000000;i+=3*k)
for(int i=0;i<=n/2;i+=3)`,
	false: `
for(int i=blockIdx.x*256+threadIdx.x;i<n;i+=gridDim.x*256)
for(int i=blockIdx.x*256+threadIdx.x;i<n;i+=gridDim.x*blockDim.x)
unsigned st=gridDim.x*256;for(int i=blockIdx.x*256+threadIdx.x;i<n;i+=st)
for(int i=threadIdx.x;i<n;i+=uk)
for(unsigned i=threadIdx.x;i<m;i+=uk)
for(unsigned i=threadIdx.x;i<m;i+=256)
for(int i=threadIdx.x;i<n;i+=blockDim.x)
for(int i=threadIdx.x;i<n;i+=256u)
for(size_t i=threadIdx.x;i<n;i+=blockDim.x)
for(size_t i=threadIdx.x;i<n;i+=256)
for(int i=n-1-(int)threadIdx.x;i>=0;i-=k)
for(int i=0;i!=n;i+=k)
for(int i=threadIdx.x;i<=n;i+=k)
for(int i=threadIdx.x;i<=n;i+=3)
for(int i=n;i>0;i-=k)
for(unsigned i=0;i<m;i+=2)
for(unsigned i=0;i<m;i+=256)
for(int i=threadIdx.x;i<1000000;i+=blockDim.x)
for(unsigned i=0;i<1000000;i+=blockDim.x)
for(int i=n;i>=k;i-=2)
for(size_t i=0;i<ul;i+=256)
for(int i=0;i<m;i+=k)
for(unsigned i=n;i>0;i-=2)
for(int i=0;i<=n+1;i+=3)
int e=k+n-1;for(int i=k;i<=e;i+=uk)
int e=k+n;for(int i=k;i<=e;i+=3)
for(unsigned i=0;i<=m-1;i+=3)
for(long i=threadIdx.x;i<ln;i+=blockDim.x)`,
}

// TestRuntimeLoopsOfNVCC: loops without a pragma are unrolled where nvcc does. A grid-stride
// loop whose step is the unsigned gridDim.x * blockDim.x is not, one with that in an int is.
func TestRuntimeLoopsOfNVCC(t *testing.T) {
	opt := unroll.Options{Local: [3]int64{256}, Groups: [3]int64{64}, Target: unroll.Target{Compiler: unroll.NVCC},
		Args: map[string]unroll.ArgValue{}}
	for _, bound := range []string{"n", "m", "ln", "ul"} {
		opt.Args[bound] = unroll.ArgValue{Int: 160_000}
	}
	for _, step := range []string{"k", "uk", "lk"} {
		opt.Args[step] = unroll.ArgValue{Int: 256}
	}
	for unrolled, list := range runtimeLoops {
		loops := strings.Split(strings.TrimSpace(list), "\n")
		for i := range 2 * len(loops) {
			wrong := i%len(loops) == len(loops)-1
			if !tools.Full() && i%2 > 0 && !wrong {
				continue
			}
			loop := loops[i%len(loops)]
			if i >= len(loops) { // of 24 of them it is known that a pragma without a factor changes nothing
				loop = strings.Replace(loop, "for(", "\n#pragma unroll\nfor(", 1)
			}
			k := lowered(t, "k.cu",
				`__global__ void f(float *o, const float *a, int n, unsigned m, int k, unsigned uk, long ln, long lk, unsigned long ul)
{
    float v = 0;
    `+loop+`
        v += a[i];
    o[threadIdx.x] = v;
}`)
			res := resolve(t, k, opt)
			if i < len(loops) && len(res.Warnings) > 0 {
				t.Errorf("%s: %v", loop, res.Warnings)
			}
			if got := res.Graph.Loops[0].Factor > 1; got != (unrolled != wrong) {
				t.Errorf("%s: unrolled %v, by nvcc %v", loop, got, unrolled)
			}
		}
	}
}
