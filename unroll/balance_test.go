package unroll_test

import (
	"strings"
	"testing"

	"gpupipe/unroll"
)

// TestBalance: where the integer units have more to do than the multiply-add units, the latter
// get half of the difference, of what is a sum of two registers or a shift to the left.
func TestBalance(t *testing.T) {
	const sums = "int x = a[i], y = x ^ n, z = y * x; z = z + y; z = (z & x) + y; z = (z | x) + y; z = (z ^ x) + y; " +
		"z = (z & n) + y; b[i] = z;"
	for _, c := range []struct {
		name, body       string
		machine          bool
		integers, others int // 32-bit integer instructions on either units
	}{
		{"sums of two registers", sums, true, 8, 3},
		{"the same in PTX", sums, false, 10, 1},
		{"sums with constants", "int x = a[i]; x = (x ^ n) + 5; x = (x & n) + 7; x = (x | n) + 9; b[i] = x;",
			true, 7, 0},
		{"shifts", "unsigned x = a[i]; x ^= x << 13; x ^= x >> 17; x ^= x << 5; x ^= x >> 3; b[i] = x;", true, 7, 2},
		{"moves that pick from registers",
			"float s = 0, p[4]; for (int k = 0; k < 4; k++) p[k] = a[i + 32 * k]; s = p[a[i + n] & 3]; b[i] = s;",
			true, 9, 3},
		{"beside products", "float f = a[i]; float g = f; int x = i; for (int k = 0; k < 12; k++) { f = f * f + g; g " +
			"= f * g + f; x = (x ^ n) + i; } b[i] = x + (int)f;", true, 25, 0},
	} {
		k := lowerKernel(t, "__kernel void k(__global const int *restrict a, __global int *restrict b, int n) { int "+
			"i = get_local_id(0);\n"+c.body+"\n}")
		res, err := unroll.Resolve(k, unroll.Options{Local: [3]int64{64}, Warps: unroll.FirstWarp,
			Target: unroll.Target{MachineCode: c.machine}})
		if err != nil {
			t.Fatal(err)
		}
		integers, others := 0, 0
		for op, n := range ops(res.Graph) {
			verb, typ, _ := strings.Cut(op, ".")
			switch {
			case typ != "s32" && typ != "u32":
			case verb == "mad" || verb == "mul":
				others += n
			default:
				integers += n
			}
		}
		if integers != c.integers || others != c.others {
			t.Errorf("%s: %d instructions on the integer units and %d on the others, want %d and %d: %v", c.name,
				integers, others, c.integers, c.others, ops(res.Graph))
		}
	}
}
