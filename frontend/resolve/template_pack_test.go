package resolve

import (
	"strings"
	"testing"
)

// TestPackKernels: a kernel has as many parameters as its launches give it arguments, and one that nothing launches is refused.
func TestPackKernels(t *testing.T) {
	const text = `template <typename... A> __device__ float sum(A... a) { return (0.0f + ... + a); }
template <typename... A> __global__ void k(float *o, A... a) { o[0] = sum(a...) + sizeof...(A); }
`
	u := mustParse(t, CUDA, text+"int main() { float *o; k<<<1, 32>>>(o, 1, 2.f, 3.0); }")
	if len(u.Kernels) != 1 || u.Kernels[0].Name != "k<int, float, double>" || len(u.Kernels[0].Params) != 4 {
		t.Errorf("kernels %v", u.Kernels)
	}
	_, err := Parse(Config{File: "k.cu", Text: text, Dialect: CUDA})
	if err == nil || !strings.Contains(err.Error(), "k.cu:2:1: error[UNSUPPORTED]: a template kernel is not supported") {
		t.Errorf("without a launch: %v", err)
	}
}

// TestBasesRefused: what of classes stays out.
func TestBasesRefused(t *testing.T) {
	for _, c := range []struct{ top, body, want string }{
		{"struct B { __device__ virtual int f() { return 1; } };", "B b; a[0] = b.f();", "a virtual function is not supported"},
		{"struct B { int x; }; struct D : virtual B { int y; };", "D d; a[0] = d.x;", "inheritance is not supported"},
		{"struct B { int x; }; struct D : B { int y; };", "D d; a[0] = d.z;", "has no member z"},
		{"struct B { int x; }; struct D : B { int y; }; __device__ int f(D d) { return d.y; }", "B b; a[0] = f(b);", "a value of type struct D is needed, this is struct B"},
		{"template <typename T> struct B { __device__ int f() { return static_cast<T *>(this)->g(); } }; struct D : B<D> { __device__ int g() { return 2; } };", "D d; a[0] = d.f();", "unknown type"},
	} {
		_, err := Parse(Config{File: "k.cu", Text: c.top + "\n__global__ void k(int *a) { " + c.body + " }", Dialect: CUDA})
		if err == nil || !strings.Contains(err.Error(), c.want) {
			t.Errorf("%s: %v, want %s", c.body, err, c.want)
		}
	}
}
