package main

import (
	"fmt"
	"testing"

	"gpupipe/frontend/ast"
	"gpupipe/unroll"
)

// flagCase is the text of a flag with the value it means, or its error.
type flagCase[T any] struct {
	text string
	want T
	err  string
}

func checkFlag[T any](t *testing.T, parse func(string) (T, error), cases []flagCase[T]) {
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
	checkFlag(t, parseSizes, []flagCase[sizes]{
		{text: "256", want: sizes{256}},
		{text: "8x16", want: sizes{8, 16}},
		{text: "8X16,4", want: sizes{8, 16, 4}},
		{text: "0x8", err: "a size must be at least 1, not 0"},
		{text: "-4", err: "a size must be at least 1, not -4"},
		{text: "1x2x3x4", err: "a launch has at most 3 dimensions, not 4"},
		{text: "2000000000000", err: "2000000000000 is more than any launch has"},
		{text: "99999999999999999999", err: form},
		{text: "", err: form}, {text: "8x", err: form}, {text: "x8", err: form}, {text: "8xx8", err: form}, {text: "eight", err: form}, {text: "8.5", err: form},
	})
}

func TestParseArgument(t *testing.T) {
	integer := func(name string, n int64, text string) argument {
		return argument{name, unroll.ArgValue{Int: n}, text}
	}
	float := func(name string, f float64, text string) argument {
		return argument{name, unroll.ArgValue{Float: f, IsFloat: true}, text}
	}
	checkFlag(t, parseArgument, []flagCase[argument]{
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
		{text: "n", err: "write NAME=VALUE"}, {text: "=3", err: "write NAME=VALUE"}, {text: "n=", err: "write NAME=VALUE"},
		{text: "n=abc", err: `"abc" is not a valid number`},
		{text: "n=1;2", err: `"1;2" is not a valid number`},
	})
}

func TestParseWarps(t *testing.T) {
	const form = "write all, first, or a list such as 0,2,5-7"
	checkFlag(t, parseWarps, []flagCase[warps]{
		{text: "all", want: warps{choice: unroll.EveryWarp}},
		{text: "first", want: warps{choice: unroll.FirstWarp}},
		{text: "7,0,2-4,3", want: warps{unroll.ListedWarps, []uint32{0, 2, 3, 4, 7}}},
		{text: "5-2", err: form}, {text: "", err: form}, {text: "1,", err: form}, {text: "-1", err: form}, {text: "a", err: form},
		{text: "0-4000000000", err: "there is no warp 4000000000: a group has at most 1024"},
	})
}

func TestParseChoices(t *testing.T) {
	at := unroll.Location{File: "k.cl", Line: 31, Column: 5}
	checkFlag(t, parseTrip, []flagCase[unroll.TripChoice]{
		{text: "k.cl:31:5=64", want: unroll.TripChoice{At: at, Trips: 64}},
		{text: "31=0", want: unroll.TripChoice{At: unroll.Location{Line: 31}}},
		{text: "31=-1", err: "-1 is less than 0"},
		{text: "31", err: "write LINE=VALUE, LINE:COLUMN=VALUE or FILE:LINE=VALUE"},
		{text: "=3", err: "write LINE=VALUE, LINE:COLUMN=VALUE or FILE:LINE=VALUE"},
	})
	checkFlag(t, parseUnroll, []flagCase[unroll.UnrollChoice]{
		{text: "31:5=8", want: unroll.UnrollChoice{At: unroll.Location{Line: 31, Column: 5}, Factor: 8}},
		{text: "31=0", err: "0 is less than 1"},
	})
	checkFlag(t, parseBranch, []flagCase[unroll.BranchChoice]{
		{text: "31=not-taken", want: unroll.BranchChoice{At: unroll.Location{Line: 31}, Side: unroll.SkipBranch}},
		{text: "31=maybe", err: `unknown branch choice "maybe": one of taken, not-taken, both`},
	})
}

func TestParseWords(t *testing.T) {
	checkFlag(t, parseLevel, []flagCase[unroll.Level]{{text: "0", want: unroll.O0}, {text: "2", want: unroll.O2}, {text: "O2", want: unroll.O2}, {text: "3", want: unroll.O3}, {text: "1", err: "the levels are 0, 2 and 3"}})
	checkFlag(t, unroll.ParseBarrierWait, []flagCase[unroll.BarrierWait]{{text: "issue", want: unroll.WaitIssue}, {text: "complete", want: unroll.WaitComplete}, {text: "", err: "a barrier waits for issue or complete"}})
	checkFlag(t, parseDialect, []flagCase[ast.Dialect]{{text: "opencl", want: ast.OpenCL}, {text: "CUDA", want: ast.CUDA}, {text: "hip", want: ast.CUDA}, {text: "sycl", err: "the languages are opencl, cuda and hip"}})
	for f := formatJSON; f <= formatIR; f++ {
		checkFlag(t, parseFormat, []flagCase[format]{{text: f.String(), want: f}})
	}
	checkFlag(t, parseFormat, []flagCase[format]{{text: "xml", err: "the formats are json, dot, graphml, text, stats, ir"}})
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
