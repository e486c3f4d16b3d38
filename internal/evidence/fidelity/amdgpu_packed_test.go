package fidelity

import (
	"fmt"
	"os"
	"regexp"
	"strings"
	"testing"

	"gpupipe/unroll"
)

// amdPackedFile holds how many multiply-adds the compiler computes two at a time.
const amdPackedFile = "testdata/amdgpu_packed.txt"

const amdPackedHead = `# Instructions with two multiply-adds in an iteration, and with one, by clang 14 for gfx90a.
# Written by: go test ./internal/evidence/fidelity -run Packed -update
# factors rows columns steps packed single
`

// TestPacked compares the multiply-adds that one instruction computes two of with what LLVM's
// compiler for CDNA 2 did, which is recorded.
func TestPacked(t *testing.T) {
	if *update {
		recordPacked(t)
	}
	compiled := recordedFigures(t, amdPackedFile, func(l *tileLoop, p *pairing) []any {
		return []any{&l.factors, &l.rows, &l.columns, &l.steps, &p.paired, &p.single}
	})
	for _, l := range tileLoops() {
		want, ok := compiled[l]
		if !ok {
			t.Fatalf("%s has no figure for %v: run this test with -update", amdPackedFile, l)
		}
		if got := multiplyAddsOf(t, l, "fma.packed.f32", func(o *unroll.Options) {
			o.WarpSize, o.Capability = 64, "gfx90a"
		}); got != want {
			t.Errorf("%v: %d instructions with two multiply-adds and %d with one, clang: %d and %d", l, got.paired,
				got.single, want.paired, want.single)
		}
	}
}

// recordPacked compiles all loops and writes the file.
func recordPacked(t *testing.T) {
	t.Helper()
	if err := missingClang(); err != nil {
		t.Errorf("%s stays as it is: %v", amdPackedFile, err)
		return
	}
	var b strings.Builder
	b.WriteString(amdPackedHead)
	for _, l := range tileLoops() {
		listing, err := compileAMD(l.source(), "gfx90a")
		if err != nil {
			t.Fatal(err)
		}
		fmt.Fprintf(&b, "%s %d %d %d %d %d\n", l.factors, l.rows, l.columns, l.steps,
			len(packedMultiplyAdd.FindAllString(listing, -1)), len(singleMultiplyAdd.FindAllString(listing, -1)))
	}
	if err := os.WriteFile(amdPackedFile, []byte(b.String()), 0o666); err != nil {
		t.Fatal(err)
	}
}

// packedMultiplyAdd is an instruction of two multiply-adds in an assembly, all of which are in the loop.
var packedMultiplyAdd = regexp.MustCompile(`\bv_pk_fma_f32`)
