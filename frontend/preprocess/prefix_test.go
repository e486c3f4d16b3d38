package preprocess

import (
	"reflect"
	"testing"
)

// TestBefore: a program means the same whether texts in front of it are read for the first time or were read before,
// whatever other programs did to their macros.
func TestBefore(t *testing.T) {
	before := []File{{"<test>", "#define ADD(a, b) ((a) + (b))\n#define N 4\n#if N > 2\nint first = ADD(N, 1);\n#endif\n"}}
	programs := []string{"int x = ADD(ADD(1, N), N);", "#undef N\n#define N 7\n#undef ADD\nint y = N;",
		"#if N == 4\nint z[ADD(N, __COUNTER__)];\n#else\nfloat z;\n#endif\n", "int w = ADD(1"}
	run := func(text string) *Result {
		return Run(Config{File: "k.cu", Text: text, Before: before, Defines: []string{"M=N"}})
	}
	var want []*Result
	for _, text := range programs {
		prefixes.Clear()
		want = append(want, run(text))
	}
	for i, text := range programs {
		if got := run(text); !reflect.DeepEqual(got, want[i]) {
			t.Errorf("%s: %+v\nwant %+v", text, got, want[i])
		}
	}
	prefixes.Range(func(_, done any) bool {
		if n := len(done.(*Preprocessor).out.Tokens); n == 0 {
			t.Error("nothing is kept")
		}
		return true
	})
}
