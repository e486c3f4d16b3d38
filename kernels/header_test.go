package kernels

import (
	"testing"

	"github.com/google/go-cmp/cmp"
)

func TestHeaderOf(t *testing.T) {
	const text = `// The file's own comment. Not a header.

#define N 4 // not a header either

// First sentence: 0.5f is no end. Second sentence.
// Third, over
// two lines.
// Source: A Eq. 43-45.
// Golden: 4, 13.
// idgen: local=N,N groups=1
// idgen: arg.a=2
__kernel void first(__global float *out)
{
}

__kernel void bare(__global float *out) {}

// A twin.
__global__ void twin(float *out)
{
}
`
	for _, tt := range []struct {
		function string
		want     header
	}{
		{"first", header{
			summary: "First sentence: 0.5f is no end.",
			source:  "A Eq. 43-45",
			golden:  []int{4, 13},
			launch:  []string{"local=N,N", "groups=1", "arg.a=2"},
		}},
		{"bare", header{}},
		{"twin", header{summary: "A twin."}},
		{"absent", header{}},
		{"firs", header{}},
	} {
		got := headerOf(text, tt.function)
		if diff := cmp.Diff(tt.want, got, cmp.AllowUnexported(header{})); diff != "" {
			t.Errorf("%s (-want +got):\n%s", tt.function, diff)
		}
	}
	if got := headerOf("// Only line.\n__kernel void k(int a)", "k").summary; got != "Only line." {
		t.Errorf("header at the start of a file: %q", got)
	}
}
