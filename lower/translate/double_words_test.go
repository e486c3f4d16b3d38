package translate

import (
	"encoding/binary"
	"math"
	"testing"

	"gpupipe/frontend/ast"
)

// TestWordsOfDouble: the words of a double are its bits.
func TestWordsOfDouble(t *testing.T) {
	o := execute(t, mustLower(t, ast.CUDA, `__global__ void k(int *o, const int *a, float *f, int n, unsigned u) {
  double d = f[1] / 3.0;
  o[0] = __double2hiint(d);
  o[1] = __double2loint(d);
}`, ""))
	want := math.Float64bits(1.5 / 3.0)
	if hi, lo := binary.LittleEndian.Uint32(o), binary.LittleEndian.Uint32(o[4:]); hi != uint32(want>>32) ||
		lo != uint32(want) {
		t.Errorf("words %#x %#x, want those of %#x", hi, lo, want)
	}
}
