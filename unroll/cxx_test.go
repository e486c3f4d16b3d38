package unroll_test

import (
	"regexp"
	"strings"
	"testing"

	"gpupipe/internal/golden"

	"golang.org/x/tools/txtar"
)

// sourceLine is what a listing says of an instruction's line.
var sourceLine = regexp.MustCompile(`(?m) :\d+( +|$)`)

// TestGraphAsC: a kernel in C++ has the graph of the one that says the same in C.
func TestGraphAsC(t *testing.T) {
	golden.Pairs(t, "../testdata/cxx/*.txtar", func(t *testing.T, x, y txtar.File) {
		var graphs [2]string
		for i, f := range []txtar.File{x, y} {
			var b strings.Builder
			listing(t, &b, lowerSource(t, f.Name, string(f.Data))[0], parseOptions(t, "-O2 --local 64 --arg n=5"))
			graphs[i], _, _ = strings.Cut(sourceLine.ReplaceAllString(b.String(), " "), "\nloop ")
		}
		if graphs[0] != graphs[1] {
			was, is := strings.Split(graphs[0], "\n"), strings.Split(graphs[1], "\n")
			n := 0
			for n < min(len(was), len(is))-1 && was[n] == is[n] {
				n++
			}
			t.Errorf("%d instructions in C++, %d in C; line %d is\n%s\n%s", len(was), len(is), n, was[n], is[n])
		}
	})
}
