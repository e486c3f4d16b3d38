package resolve

import (
	"strings"
	"testing"
)

// TestTemplateVariables: a variable template becomes a variable for each list of arguments.
func TestTemplateVariables(t *testing.T) {
	const text = `#define WIDTH 10
template <typename T> __constant__ T mask[WIDTH];
template <int N> constexpr float share = N / 2.0f;
template <typename T, int N = 4> __device__ T table[N];
template <typename T> __global__ void k(T *p, int j) { p[0] = mask<T>[j] * share<5> + table<T>[j] + table<float, 8>[j]; p[1] = mask<T>[1] < p[2] && p[3] > p[4]; }
template __global__ void k<double>(double *, int);
`
	u, err := Parse(Config{File: "k.cu", Text: text, Dialect: CUDA})
	if err != nil {
		t.Fatal(err)
	}
	if err := u.Verify(); err != nil {
		t.Fatal(err)
	}
	got := u.String()
	for _, want := range []string{"double[10] mask", "* 2.5)", "double[4] table", "float[8] table"} {
		if !strings.Contains(got, want) {
			t.Errorf("no %q in\n%s", want, got)
		}
	}
}
