package frontend

import (
	"fmt"
	"strings"
	"testing"

	"gpupipe/frontend/host"
	"gpupipe/frontend/load"
)

// fuzzedKernels are the kernels of FuzzHostLaunches.
const fuzzedKernels = `
__global__ void k(float *a, int n, float s) { a[threadIdx.x] = n * s; }
template <typename T, int N> __global__ void t(T *a) { a[threadIdx.x] = N; }
`

// Whatever the text is, reading its host code ends, the same way twice, and knows of no launch that
// no device takes.
func FuzzHostLaunches(f *testing.F) {
	for _, seed := range []string{
		" k<<<4, 128>>>(a, 7, 2.5f);", " dim3 g(1, 2); g.x = 3; for (;;) k<<<g, {1, 2}>>>(a);", "} template <int N> void r() { k<<<N, N>>>(0); } int main() { r<4>();",
		" switch (3) { case 3: auto f = [&](int i) { k<<<i, 2>>>(a, i, 1); }; goto x; x: f(3); }", " int n{4}; if (int m = n; m) { n >>= 1; } else do n++; while (n); k<<<n?1:2,n--,sizeof(float4)>>>(a);",
		"} int f(int n) { return f(n - 1); } void g() { k<<<f(3), 4>>>(0, 1, 2);", " hipLaunchKernelGGL(HIP_KERNEL_NAME(t<float, 4>), dim3(3), 4, 0, 0, a);", " try { k<<<1,1>>>(a,1,1); } catch (...) { throw; }",
	} {
		f.Add(seed)
	}
	f.Fuzz(func(t *testing.T, text string) {
		if len(text) > 2000 {
			return
		}
		cfg := Config{File: "k.cu", Text: fuzzedKernels + "void h(float *a) {" + text + " }", Dialect: CUDA}
		show := func() string {
			h := load.ReadHost(&cfg)
			if h == nil {
				return ""
			}
			return fmt.Sprintf("%+v", summaries(host.Launches(h)))
		}
		if a, b := show(), show(); a != b {
			t.Errorf("two runs differ:\n%s\n%s", a, b)
		}
		u, err := Parse(cfg)
		if err != nil {
			if strings.Contains(err.Error(), load.CodeInternal) {
				t.Fatal(err)
			}
			return
		}
		for _, k := range u.Kernels {
			for _, h := range k.HostLaunches {
				for i := range 3 {
					if h.Groups[i] < 0 || h.Groups[i] > mostGroups[i] || h.Local[i] < 0 || h.Local[i] > mostItems[i] {
						t.Errorf("%v", h)
					}
				}
			}
		}
	})
}

// summaries are launches without their pointers.
func summaries(list []host.Launch) (out []string) {
	for _, l := range list {
		s := fmt.Sprint(l.Pos, l.Kernel, l.Shared.Why, l.Grid.Why, l.Block.Why)
		for _, d := range []*[3]int64{l.Grid.Extents, l.Block.Extents} {
			if d != nil {
				s += fmt.Sprint(*d)
			}
		}
		out = append(out, s)
	}
	return out
}
