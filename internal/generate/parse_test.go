package generate

import (
	"fmt"
	"testing"

	"gpupipe/frontend/ast"
	"gpupipe/unroll"
)

// textCase is a text with the value it means, or its error.
type textCase[T any] struct {
	text string
	want T
	err  string
}

func checkText[T any](t *testing.T, parse func(string) (T, error), cases []textCase[T]) {
	t.Helper()
	for _, c := range cases {
		got, err := parse(c.text)
		switch {
		case c.err != "" && (err == nil || err.Error() != c.err):
			t.Errorf("%q: error %v, want %q", c.text, err, c.err)
		case c.err == "" && (err != nil || fmt.Sprintf("%#v", got) != fmt.Sprintf("%#v", c.want)):
			t.Errorf("%q: %#v, %v; want %#v", c.text, got, err, c.want)
		}
	}
}

func TestParseSizes(t *testing.T) {
	const form = "write sizes as 256, 8x8 or 8x8x4"
	checkText(t, ParseSizes, []textCase[Sizes]{
		{text: "256", want: Sizes{256}},
		{text: "8x16", want: Sizes{8, 16}},
		{text: "8X16,4", want: Sizes{8, 16, 4}},
		{text: "0x8", err: "a size must be at least 1, not 0"},
		{text: "-4", err: "a size must be at least 1, not -4"},
		{text: "1x2x3x4", err: "a launch has at most 3 dimensions, not 4"},
		{text: "2000000000000", err: "2000000000000 is more than any launch has"},
		{text: "99999999999999999999", err: form},
		{text: "", err: form}, {text: "8x", err: form}, {text: "x8", err: form}, {text: "8xx8", err: form},
		{text: "eight", err: form}, {text: "8.5", err: form},
	})
}

func TestParseArgument(t *testing.T) {
	integer := func(name string, n int64, text string) Argument {
		return Argument{name, unroll.ArgValue{Int: n}, text}
	}
	float := func(name string, f float64, text string) Argument {
		return Argument{name, unroll.ArgValue{Float: f, IsFloat: true}, text}
	}
	checkText(t, ParseArgument, []textCase[Argument]{
		{text: "n=1024", want: integer("n", 1024, "1024")},
		{text: "n=-1", want: integer("n", -1, "-1")},
		{text: "m=0xFFu", want: integer("m", 255, "0xFFu")},
		{text: "m=0xFFFFFFFFFFFFFFFFul", want: integer("m", -1, "0xFFFFFFFFFFFFFFFFul")},
		{text: "o=017", want: integer("o", 15, "017")},
		{text: "b=true", want: integer("b", 1, "true")},
		{text: "v.x=1.5f", want: float("v.x", 1.5, "1.5f")},
		{text: "a=2e-3", want: float("a", 0.002, "2e-3")},
		{text: "a=.5F", want: float("a", 0.5, ".5F")},
		{text: "a=0x1p-2", want: float("a", 0.25, "0x1p-2")},
		{text: "n", err: "write NAME=VALUE"}, {text: "=3", err: "write NAME=VALUE"},
		{text: "n=", err: "write NAME=VALUE"},
		{text: "n=abc", err: `"abc" is not a valid number`},
		{text: "n=1;2", err: `"1;2" is not a valid number`},
	})
}

func TestGuessDialect(t *testing.T) {
	for _, c := range []struct {
		file, text string
		want       ast.Dialect
	}{
		{"k.cl", "__global__ void f() {}", ast.OpenCL},
		{"k.CU", "", ast.CUDA},
		{"<stdin>", "__global__ void f() {}", ast.CUDA},
		{"<stdin>", "__kernel void f(__global int *a) {}", ast.OpenCL},
		{"kernel", "", ast.OpenCL},
	} {
		if got := guessDialect(c.file, c.text); got != c.want {
			t.Errorf("%s %q: %v, want %v", c.file, c.text, got, c.want)
		}
	}
}
