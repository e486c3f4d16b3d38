package tensor

import (
	"strings"
	"testing"

	"gpupipe/frontend/ctypes"
)

// TestPrelude checks that each type that the prelude declares is known by its name again, and that all lanes of a warp
// together hold at least the elements of the matrix.
func TestPrelude(t *testing.T) {
	var b strings.Builder
	Prelude(&b)
	types := 0
	for line := range strings.Lines(b.String()) {
		rest, ok := strings.CutPrefix(line, "typedef struct ")
		if !ok {
			continue
		}
		types++
		name, _, _ := strings.Cut(rest, " ")
		f := FragmentOf(ctypes.NewStruct(ctypes.Struct, name, nil))
		if f == nil {
			t.Errorf("%s is no fragment", name)
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
		if f.Since() < Volta || f.Since() > Ampere {
			t.Errorf("%s: since %d", name, f.Since())
		}
	}
	if types == 0 {
		t.Fatal("the prelude declares no fragments")
	}
}

// TestExists: shapes and types that there are, and some that there are not.
func TestExists(t *testing.T) {
	for _, c := range []struct {
		accumulator bool
		element     string
		shape       [3]int
		want        bool
	}{
		{false, "__half", [3]int{16, 16, 16}, true},
		{false, "tf32", [3]int{16, 16, 8}, true},
		{false, "tf32", [3]int{16, 16, 16}, false},
		{false, "half", [3]int{0, 8, 16}, true}, // a macro
		{true, "float", [3]int{16, 16, 8}, true},
		{true, "int32_t", [3]int{16, 16, 8}, false},
		{false, "float", [3]int{16, 16, 16}, false},
	} {
		if got := Exists(c.accumulator, Word(c.element), c.shape); got != c.want {
			t.Errorf("accumulator %v of %s, %v: %v", c.accumulator, c.element, c.shape, got)
		}
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
