package resolve_test

import (
	"errors"
	"fmt"
	"os"
	"slices"
	"strings"
	"testing"

	"gpupipe/frontend"
	"gpupipe/frontend/ast"
	"gpupipe/internal/diag"
)

// otherTraits are those that do not hold as clang++ has it.
var otherTraits = []string{
	"__is_pod(Derived)",                            // it has fields in two classes
	"__is_convertible_to(decltype(nullptr), bool)", // which is only initialised directly
}

// TestTraits: traits of types hold where those of clang++ do (testdata/traits.txt), but for a few.
func TestTraits(t *testing.T) {
	data, err := os.ReadFile("testdata/traits.txt")
	if err != nil {
		t.Fatal(err)
	}
	_, text, _ := strings.Cut(string(data), "\nstruct")
	parts := strings.Split("struct"+text, "--\n")
	types := strings.Split(strings.TrimSpace(parts[1]), ",")
	var b strings.Builder
	b.WriteString(parts[0])
	var asked []string // by line behind these
	for line := range strings.Lines(parts[2]) {
		trait, holds, _ := strings.Cut(strings.TrimSpace(line), " ")
		first, list, two := strings.Cut(holds, "\t")
		if !two {
			list = holds
		}
		for i, x := range types {
			if two {
				x = first + ", " + x
			}
			asked = append(asked, fmt.Sprintf("%s(%s) == %c", trait, x, list[i]))
			fmt.Fprintf(&b, "static_assert(%s, \"\");\n", asked[len(asked)-1])
		}
	}
	b.WriteString("__global__ void k(int *p) { *p = 0; }\n")
	_, err = frontend.Parse(frontend.Config{File: "k.cu", Text: b.String(), Dialect: ast.CUDA})
	var errs diag.List
	if !errors.As(err, &errs) {
		t.Fatal(err)
	}
	known := 0
	for _, e := range errs {
		said := asked[max(0, e.Pos.Line-1-strings.Count(parts[0], "\n"))]
		if trait, _, _ := strings.Cut(said, " == "); e.Code == "ASSERT" && slices.Contains(otherTraits, trait) {
			known++
			continue
		}
		t.Errorf("%v: %s", e, said)
	}
	if known != len(otherTraits) {
		t.Errorf("only %d of %q differ", known, otherTraits)
	}
	if len(asked) != 44*(11+3*44) {
		t.Errorf("%d traits", len(asked))
	}
}
