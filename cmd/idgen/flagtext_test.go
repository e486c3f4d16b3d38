package main

import (
	"fmt"
	"testing"

	"gpupipe/cmd/internal/source"
	"gpupipe/frontend/ast"
	"gpupipe/internal/generate"
	"gpupipe/internal/target"
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

func TestParseWarps(t *testing.T) {
	const form = "write all, first, or a list such as 0,2,5-7"
	checkFlag(t, parseWarps, []flagCase[generate.Warps]{
		{text: "all", want: generate.Warps{Choice: unroll.EveryWarp}},
		{text: "first", want: generate.Warps{Choice: unroll.FirstWarp}},
		{text: "7,0,2-4,3", want: generate.Warps{Choice: unroll.ListedWarps, List: []uint32{0, 2, 3, 4, 7}}},
		{text: "5-2", err: form}, {text: "", err: form}, {text: "1,", err: form}, {text: "-1", err: form},
		{text: "a", err: form},
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
	checkFlag(t, parseLevel, []flagCase[unroll.Level]{{text: "0", want: unroll.O0}, {text: "2", want: unroll.O2},
		{text: "O2", want: unroll.O2}, {text: "3", want: unroll.O3}, {text: "1", err: "the levels are 0, 2 and 3"}})
	checkFlag(t, target.ParseBarrierWait, []flagCase[unroll.BarrierWait]{{text: "issue", want: unroll.WaitIssue},
		{text: "complete", want: unroll.WaitComplete}, {text: "", err: "a barrier waits for issue or complete"}})
	checkFlag(t, source.ParseDialect, []flagCase[ast.Dialect]{{text: "opencl", want: ast.OpenCL},
		{text: "CUDA", want: ast.CUDA}, {text: "hip", want: ast.CUDA},
		{text: "sycl", err: "the languages are opencl, cuda and hip"}})
	for f := formatJSON; f <= formatASM; f++ {
		checkFlag(t, parseFormat, []flagCase[format]{{text: f.String(), want: f}})
	}
	checkFlag(t, parseFormat,
		[]flagCase[format]{{text: "xml", err: "the formats are json, dot, graphml, text, stats, ir, asm, csv, svg"}})
}
