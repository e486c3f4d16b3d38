package launches_test

import (
	"fmt"
	"strings"
	"testing"

	"gpupipe/frontend"
	"gpupipe/frontend/ast"
)

// Whatever the text is, reading its host code ends, the same way twice, and knows of no launch that
// no device takes.
func FuzzHostLaunches(f *testing.F) {
	for _, seed := range []string{
		" k<<<4, 128>>>(a, 7, 2.5f);", " dim3 g(1, 2); g.x = 3; for (;;) k<<<g, {1, 2}>>>(a);",
		"} template <int N> void r() { k<<<N, N>>>(0); } int main() { r<4>();",
		" switch (3) { case 3: auto f = [&](int i) { k<<<i, 2>>>(a, i, 1); }; goto x; x: f(3); }",
		" int n{4}; if (int m = n; m) { n >>= 1; } else do n++; while (n); k<<<n?1:2,n--,sizeof(float4)>>>(a);",
		"} int f(int n) { return f(n - 1); } void g() { k<<<f(3), 4>>>(0, 1, 2);",
		" hipLaunchKernelGGL(HIP_KERNEL_NAME(t<float, 4>), dim3(3), 4, 0, 0, a);",
		" try { k<<<1,1>>>(a,1,1); } catch (...) { throw; }",
	} {
		f.Add(seed)
	}
	f.Fuzz(func(t *testing.T, text string) {
		if len(text) > 2000 {
			return
		}
		cfg := frontend.Config{File: "k.cu", Text: kernels + "void h(float *a) {" + text + " }", Dialect: ast.CUDA}
		show := func() string {
			u, err := frontend.Parse(cfg)
			if err != nil {
				return err.Error()
			}
			var b strings.Builder
			for _, k := range u.Kernels {
				fmt.Fprintf(&b, "%+v\n", k.HostLaunches)
			}
			return b.String()
		}
		if a, b := show(), show(); a != b {
			t.Errorf("two runs differ:\n%s\n%s", a, b)
		}
		// CUDA C++ Programming Guide, Compute Capabilities
		most := [2][3]int64{{1<<31 - 1, 65535, 65535}, {1024, 1024, 64}}
		u, err := frontend.Parse(cfg)
		if err != nil {
			if strings.Contains(err.Error(), "INTERNAL") {
				t.Fatal(err)
			}
			return
		}
		for _, k := range u.Kernels {
			for _, h := range k.HostLaunches {
				for i := range 3 {
					if h.Groups[i] < 0 || h.Groups[i] > most[0][i] || h.Local[i] < 0 || h.Local[i] > most[1][i] {
						t.Errorf("%v", h)
					}
				}
			}
		}
	})
}
