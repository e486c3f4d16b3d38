package resolve

import (
	"strings"
	"testing"
)

// TestPackKernels: a kernel has as many parameters as its launches give it arguments; without one the pack is empty, which is said.
func TestPackKernels(t *testing.T) {
	const text = `template <typename... A> __device__ float sum(A... a) { return (0.0f + ... + a); }
template <typename... A> __global__ void k(float *o, A... a) { o[0] = sum(a...) + sizeof...(A); }
`
	u := mustParse(t, CUDA, text+"int main() { float *o; k<<<1, 32>>>(o, 1, 2.f, 3.0); }")
	if len(u.Kernels) != 1 || u.Kernels[0].Name != "k<int, float, double>" || len(u.Kernels[0].Params) != 4 {
		t.Errorf("kernels %v", u.Kernels)
	}
	u = mustParse(t, CUDA, text)
	if want := "k:2:42: note[TEMPLATE]: template arguments of kernel k are assumed: A is empty\n\tadd a launch, or an explicit instantiation, to give others"; u.Warnings.Error() != want {
		t.Errorf("without a launch: %v, want %s", u.Warnings, want)
	}
}

// TestBasesRefused: what of classes stays out.
func TestBasesRefused(t *testing.T) {
	for _, c := range []struct{ top, body, want string }{
		{"struct B { __device__ virtual int f() { return 1; } };", "B b; a[0] = b.f();", "virtual functions are not supported"},
		{"struct B { int x; }; struct D : virtual B { int y; };", "D d; a[0] = d.x;", "virtual bases are not supported"},
		{"struct B { int x; }; struct D : B { int y; };", "D d; a[0] = d.z;", "has no member z"},
		{"struct B { int x; }; struct D : B { int y; }; __device__ int f(D d) { return d.y; }", "B b; a[0] = f(b);", "argument 1 of f: a value of type D is needed, this is B"},
	} {
		_, err := Parse(Config{File: "k.cu", Text: c.top + "\n__global__ void k(int *a) { " + c.body + " }", Dialect: CUDA})
		if err == nil || !strings.Contains(err.Error(), c.want) || strings.Count(err.Error(), "error") > 1 {
			t.Errorf("%s: %v, want %s", c.body, err, c.want)
		}
	}
}
