package tensor

import (
	"strings"
	"testing"

	"gpupipe/frontend/ctypes"
	"gpupipe/internal/target"
)

// TestHeader checks that each type that the header declares is known by its name again, and that all lanes of a warp
// together hold at least the elements of the matrix.
func TestHeader(t *testing.T) {
	types := 0
	for line := range strings.Lines(Header()) {
		rest, ok := strings.CutPrefix(line, "struct ")
		if !ok {
			continue
		}
		types++
		name, _, _ := strings.Cut(rest, " ")
		f := FragmentOf(ctypes.NewStruct(ctypes.Struct, name, nil))
		if f == nil {
			t.Errorf("%s is not a fragment", name)
			continue
		}
		elements := map[byte]int{'a': f.M * f.K, 'b': f.N * f.K, 'c': f.M * f.N}[f.Use]
		bytes := f.Elements() * 4
		if f.Separate() {
			bytes = f.Elements() * int(ctypes.Scalar(f.Elem).Size())
		}
		if need := elements * int(ctypes.Scalar(f.Elem).Size()); 32*bytes < need {
			t.Errorf("%s: 32 work items hold %d bytes of %d", name, 32*bytes, need)
		}
		if f.Since() < target.Volta || f.Since() > target.Ampere {
			t.Errorf("%s: since %d", name, f.Since())
		}
	}
	if types == 0 {
		t.Fatal("the header declares no fragments")
	}
}

// TestAccumulates: sums are of factors with one shape and a type that goes with theirs.
func TestAccumulates(t *testing.T) {
	half := &Fragment{Use: 'a', M: 16, N: 16, K: 16, Factor: Half, Elem: ctypes.Half}
	sum := &Fragment{Use: 'c', M: 16, N: 16, K: 16, Elem: ctypes.Float}
	if !sum.Accumulates(half) {
		t.Error("float sums of halves are not accepted")
	}
	if sum.Elem = ctypes.Int; sum.Accumulates(half) {
		t.Error("integer sums of halves are accepted")
	}
	if sum.Elem, sum.M = ctypes.Float, 32; sum.Accumulates(half) {
		t.Error("another shape is accepted")
	}
}
