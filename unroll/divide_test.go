package unroll_test

import (
	"fmt"
	"testing"

	"gpupipe/unroll"
)

// TestDivisions: what depends on the divisor alone is there once for all divisions by it in an
// iteration, and a remainder costs little beside its quotient, in either order.
func TestDivisions(t *testing.T) {
	const frame = 5 // index, address, load, address, store
	for _, c := range []struct {
		body string
		want int
	}{
		{"b[x] = a[x] / n;", frame + 23},
		{"b[x] = a[x] % n;", frame + 21},
		{"b[x] = a[x] / n ^ a[x] % n;", frame + 23 + 3},
		{"int r = a[x] % n; b[x] = r ^ a[x] / n;", frame + 21 + 7},
		{"b[x] = a[x] / n ^ (a[x] + 1) / n;", frame + 23 + 13 + 2},
		{"b[x] = (unsigned)a[x] / (unsigned)n;", frame + 18},
		{"b[x] = a[x] / 10 ^ a[x] % 10;", frame + 3 + 2},
		{"int r = a[x] % 10; b[x] = r ^ a[x] / 10;", frame + 3 + 2},
		{"b[x] = (unsigned)a[x] / 7u;", frame + 4},
		{"b[x] = a[x] / (n | 1) % 3u;", frame + 1 + 23 + 3},
	} {
		if got := machineCount(t, c.body, unroll.NVCC); got != c.want {
			t.Errorf("%s has %d instructions, want %d", c.body, got, c.want)
		}
	}
	// In a loop the routine is executed whole by every iteration.
	loop := "int s = 0;\n#pragma unroll 1\nfor (int i = 0; i < %d; i++) s += (a[x] + i) / n; b[x] = s;"
	some, more := machineCount(t, fmt.Sprintf(loop, 20), unroll.NVCC),
		machineCount(t, fmt.Sprintf(loop, 21), unroll.NVCC)
	if d := more - some; d != 23+2+3 {
		t.Errorf("an iteration with a division has %d instructions, want %d", d, 23+2+3)
	}
}

// TestRotations: two shifts that make a rotation are one instruction, whose contents are known.
func TestRotations(t *testing.T) {
	const frame = 5
	for body, want := range map[string]int{
		"unsigned y = a[x]; b[x] = y >> 6 | y << 26;":                       frame + 1,
		"unsigned y = a[x]; b[x] = (y << 3) ^ (y >> 29);":                   frame + 1,
		"unsigned y = a[x]; b[x] = (y << 3) + (y >> 29);":                   frame + 1,
		"unsigned y = a[x] + n; b[x] = y >> 6 | y << 26;":                   frame + 2,
		"unsigned y = a[x]; b[x] = y >> 6 | y << 25;":                       frame + 3,
		"int y = a[x]; b[x] = y >> 6 | y << 26;":                            frame + 3, // with the sign
		"unsigned y = a[x]; unsigned z = y << 26; b[x] = z * (y >> 6 | z);": frame + 3,
		"unsigned y = x; b[(y >> 28 | y << 4) >> 4] = a[x];":                frame + 2,
	} {
		if got := machineCount(t, body, unroll.NVCC); got != want {
			t.Errorf("%s has %d instructions, want %d", body, got, want)
		}
	}
	res, err := unroll.Resolve(lowerKernel(t, divisionKernel("unsigned y = x; b[(y >> 28 | y << 4) >> 4] = a[x];")),
		unroll.Options{Local: [3]int64{64}, Warps: unroll.FirstWarp})
	if err != nil {
		t.Fatal(err)
	}
	for _, a := range res.Graph.Accesses() {
		if !a.Known() {
			t.Errorf("the address of a subscript that is rotated is not known: %s", a.Assumed)
		}
	}
}

func divisionKernel(body string) string {
	return "__kernel void k(__global const int *restrict a, __global int *restrict b, int n) { int x = " +
		"get_local_id(0);\n" + body + "\n}"
}

// machineCount is how many instructions of machine code warp 0 executes.
func machineCount(t *testing.T, body string, c unroll.Compiler) (count int) {
	t.Helper()
	res, err := unroll.Resolve(lowerKernel(t, divisionKernel(body)),
		unroll.Options{Local: [3]int64{64}, Warps: unroll.FirstWarp,
			Target: unroll.Target{MachineCode: true, Compiler: c}})
	if err != nil {
		t.Fatal(err)
	}
	if err := res.Graph.Verify(); err != nil {
		t.Fatal(err)
	}
	for _, n := range ops(res.Graph) {
		count += n
	}
	return count
}
