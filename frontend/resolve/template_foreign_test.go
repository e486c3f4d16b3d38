package resolve

import (
	"strings"
	"testing"
	"testing/fstest"
)

// TestForeignCopies checks that copies of a header's templates for types of the file that includes it stand behind
// these types, whether the template is a function, a struct or a struct's function, and that those for types that
// another header declares stay in theirs.
func TestForeignCopies(t *testing.T) {
	files := fstest.MapFS{
		"types.h": {Data: []byte("struct Least { __device__ float operator()(float a, float b) const { return a < b ? a : b; } };\n")},
		"reduce.h": {Data: []byte(`#pragma once
#include "types.h"
template <typename Op> __device__ float twice(float x, Op op) { return op(x, x); }
template <typename T> __device__ T triple(T x) { return 3 * x; }
inline __device__ int early(int x) { return triple(x); }
template <typename T> struct Holder { T value; template <typename Op> __device__ float with(Op op) { return twice(value.x, op); } };
`)},
	}
	const text = `#include "reduce.h"
struct Most { __device__ float operator()(float a, float b) const { return a > b ? a : b; } };
struct Point { float x; };
enum Kind : int { first };
__global__ void k(float *f) {
  Holder<Point> h;
  h.value.x = f[0];
  f[4] = triple((int)first);
  f[1] = twice(f[2], Most()) + twice(f[3], Least()) + h.with(Most()) + h.with(Least());
}
`
	u, err := Parse(Config{File: "k.cu", Text: text, Dialect: CUDA, FS: files})
	if err != nil {
		t.Fatal(err)
	}
	if err := u.Verify(); err != nil {
		t.Error(err)
	}
	for _, want := range []string{"twice<Most>", "twice<Least>", "Holder<Point>::with<Most>", "Holder<Point>::with<Least>"} {
		if !strings.Contains(u.String(), "float "+want+"(") {
			t.Errorf("no %s in\n%s", want, u)
		}
	}
}
