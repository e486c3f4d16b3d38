package resolve

import (
	"fmt"
	"gpupipe/frontend/ast"
	"strings"
	"testing"
)

// TestFragmentTypes: fragments of each type of elements, however it is written, and what is
// said of those that there are not or that do not go together.
func TestFragmentTypes(t *testing.T) {
	for _, c := range []struct{ shape, factor, sum, want string }{
		{"16, 16, 16", "half", "float", ""},
		{"32, 8, 16", "__half", "half", ""},
		{"8, 32, 16", "__nv_bfloat16", "float", ""},
		{"16, 16, 8", "wmma::precision::tf32", "float", ""},
		{"8, 8, 4", "double", "double", ""},
		{"16, 16, 16", "signed char", "int", ""},
		{"32, 8, 16", "uint8_t", "int", ""},
		{"N, 16, 16", "unsigned char", "int", ""},
		{"16, 16, 8", "half", "float", "a fragment of this shape or type is not supported"},
		{"16, 16, 8", "float", "float", "a fragment of this shape or type is not supported"},
		{"16, 16, 16", "double", "double", "a fragment of this shape or type is not supported"},
		{"8, 8, 32", "wmma::experimental::precision::u4", "int", "a fragment of this shape or type is not supported"},
		{"16, 16, 16", "__nv_bfloat16", "half", "of types that go together are needed"},
		{"16, 16, 16", "int8_t", "float", "of types that go together are needed"},
	} {
		text := fmt.Sprintf("#include <mma.h>\nusing namespace nvcuda;\n#define N 16\n__global__ void k() { "+
			"wmma::fragment<wmma::matrix_a, %s, %s, wmma::row_major> a; wmma::fragment<wmma::matrix_b, %[1]s, %[2]s, "+
			"wmma::col_major> b; wmma::fragment<wmma::accumulator, %[1]s, %[3]s> c; wmma::fill_fragment(c, 0); "+
			"wmma::mma_sync(c, a, b, c); }\n", c.shape, c.factor, c.sum)
		_, err := Parse(Config{File: "k.cu", Text: text, Dialect: ast.CUDA})
		if (err == nil) != (c.want == "") || err != nil && !strings.Contains(err.Error(), c.want) {
			t.Errorf("%s of %s, sum of %s: %v, want %q", c.shape, c.factor, c.sum, err, c.want)
		}
	}
}

// TestFragmentElements: the elements of accumulators, and of factors that have registers of
// their own, can be counted and changed.
func TestFragmentElements(t *testing.T) {
	for fragment, want := range map[string]string{
		"accumulator, 16, 16, 16, float":                              "n[0] = 8;",
		"accumulator, 8, 8, 4, double":                                "n[0] = 2;",
		"matrix_a, 16, 16, 8, wmma::precision::tf32, wmma::row_major": "n[0] = 4;",
		"matrix_b, 8, 8, 4, double, wmma::row_major":                  "n[0] = 1;",
		"matrix_b, 16, 16, 16, __nv_bfloat16, wmma::row_major": "member num_elements of " +
			"nvcuda::wmma::fragment<nvcuda::wmma::matrix_b, 16, 16, 16, __nv_bfloat16, nvcuda::wmma::row_major> is " +
			"not supported",
		"matrix_a, 16, 16, 16, signed char, wmma::col_major": "member num_elements of " +
			"nvcuda::wmma::fragment<nvcuda::wmma::matrix_a, 16, 16, 16, signed char, nvcuda::wmma::col_major> is " +
			"not supported",
	} {
		text := "#include <mma.h>\nusing namespace nvcuda;\n__global__ void k(int *n) { wmma::fragment<wmma::" +
			fragment + "> f; n[0] = f.num_elements; f.x[0] = f.x[0] + 1; }\n"
		u, err := Parse(Config{File: "k.cu", Text: text, Dialect: ast.CUDA})
		got := fmt.Sprint(err)
		if err == nil {
			got = u.String()
		}
		if !strings.Contains(got, want) {
			t.Errorf("%s: no %q in %s", fragment, want, got)
		}
	}
}
