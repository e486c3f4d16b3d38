package fidelity

import (
	"fmt"
	"strings"
	"testing"

	"gpupipe/internal/evidence/sass"
)

// converging are kernels in which lanes may go different ways, or in which the compiler can tell
// that they do not. Of 32 work items n lets 20 into a side, m all, o none.
func converging() (list []source) {
	chain := func(n int) string { return strings.Repeat("t = t * u + 3; t = t * t + u; ", n) }
	const sines, cosines = "t = __sinf(t) * u + t; t = __sinf(t) * u + t; t = __sinf(t) * u + t; t = __sinf(t) * " +
		"u + t; ", "t = __cosf(t) * u + t; t = __cosf(t) * u + t; t = __cosf(t) * u + t; t = __cosf(t) * u + t; "
	const rolled = "\n    #pragma unroll 1\n    "
	for _, k := range []struct{ name, code string }{
		{"lanes", "if (i < n) { " + chain(20) + "}"},
		{"no lane", "if (i < o) { " + chain(20) + "}"},
		{"an argument", "if (m < n) { " + chain(20) + "}"},
		{"the group's id", "if (blockIdx.x < n) { " + chain(20) + "}"},
		{"a dimension of the id", "if (threadIdx.y < n) { " + chain(20) + "}"},
		{"last", "if (i < n) { " + chain(20) + "c[x] = t; } return;"},
		{"return", "if (i >= n) return; " + chain(20)},
		{"short", "if (i < n) { t = t * u + 3; t = t * t + u; }"},
		{"two sides", "if (i < n) { " + sines + "} else { " + cosines + "}"},
		{"two sides, the first one", "if (i < m) { " + sines + "} else { " + cosines + "}"},
		{"two sides, the second one", "if (i < o) { " + sines + "} else { " + cosines + "}"},
		{"two sides, >=", "if (i >= n) { " + sines + "} else { " + cosines + "}"},
		{"two sides, !=", "if (i != o) { " + sines + "} else { " + cosines + "}"},
		{"two sides, an argument", "if (m > n) { " + sines + "} else { " + cosines + "}"},
		{"three sides", "if (i < o) { " + sines + "} else if (i < n) { " + cosines + "} else { " + chain(16) + "}"},
		{"one in another", "if (i < m) { " + chain(8) + "if (i + 5 < n) { " + chain(12) + "} t += a[x]; }"},
		{"one at the end of another", "if (i < m) { " + chain(8) + "if (i + 5 < n) { " + sines + "} }"},
		{"lanes in an argument's", "if (n < m) { " + chain(8) + "if (i + 5 < n) { " + chain(12) + "} t += a[x]; }"},
		{"a variable that lanes assign", "int q = n; if (i < m) { q = 3; " + chain(9) + "} if (q > 2) { " +
			sines + "}"},
		{"loop over an argument", rolled + "for (int j = 0; j < n; j++) t += a[j * 32 + x];"},
		{"loop over lanes", rolled + "for (int j = i; j < n; j += 3) t += a[j];"},
		{"loop over lanes, to a number", rolled + "for (int j = i; j < 50; j += 32) t += a[j];"},
		{"loop over lanes in a loop", rolled + "for (int k = 0; k < 6; k++) {" + rolled +
			"for (int j = i; j < n; j += 32) t += a[j * k]; t *= u; }"},
		{"loop at the end of a side", "if (i < m) { " + chain(8) + rolled +
			"for (int j = i; j < n; j += 32) t += a[j]; }"},
		{"loop over an argument in a side",
			"if (i < m) {" + rolled + "for (int j = 0; j < n; j++) t += a[j * 32 + x]; }"},
		{"side in a loop", rolled + "for (int j = 0; j < 7; j++) { if (i + j < n) { " + sines + "} t += u; }"},
		{"unrolled by 4, left over", "#pragma unroll 4\n    for (int j = i; j < n - 20; j += 32) { " + chain(3) + "}"},
		{"unrolled by 4", "#pragma unroll 4\n    for (int j = i; j < n * 16; j += 32) { " + chain(3) + "}"},
		{"break of lanes", rolled + "for (int j = 0; j < m; j++) { if (i + j > 60) break; " + chain(9) + "}"},
		{"break by an argument", rolled + "for (int j = 0; j < m; j++) { if (o + j > n) break; " + chain(9) + "}"},
		{"continue", rolled + "for (int j = 0; j < 9; j++) { if (i + j < n) continue; " + sines +
			"c[j * 32 + x] = t; }"},
	} {
		list = append(list, source{
			name: "meet: " + k.name, file: "meet.cu", only: []string{"meet"},
			text: "// idgen: local=32 groups=64 arg.n=20 arg.m=64 arg.o=0\n__global__ void meet(const float *a, " +
				"float *b, float *c, int n, int m, int o, float u) {\n" +
				"    int i = threadIdx.x, x = blockIdx.x * blockDim.x + i;\n    float t = u;\n    " + k.code +
				"\n    b[x] = t;\n}\n",
		})
	}
	return list
}

// onTwoConditions is how many branches of the graph are one with another in machine code: of a side and
// the loop that is all of it, of a loop and the comparison that it begins with leaving at.
var onTwoConditions = map[string]int64{"meet: loop over an argument in a side": 1, "meet: break of lanes": 62,
	"meet: break by an argument": 22}

// checkConverging compares the branches that a warp executes, and the instructions that let its
// lanes meet, and writes their table.
func checkConverging(t *testing.T, recorded map[string]pipeCounts) {
	t.Helper()
	var table strings.Builder
	for _, s := range converging() {
		ours, theirs := graphPipes(t, s), recorded[s.name]
		const exit = 1 // which the graph leaves out
		if d := ours[sass.Branch] - (theirs[sass.Branch] - exit); d != onTwoConditions[s.name] {
			t.Errorf("%s: the graph has %d branches and meetings, machine code %d and an exit", s.name,
				ours[sass.Branch], theirs[sass.Branch]-exit)
		}
		fmt.Fprintf(&table, "| %s | %d | %d |\n", strings.TrimPrefix(s.name, "meet: "), ours[sass.Branch],
			theirs[sass.Branch]-exit)
	}
	writeSection(t, "machinecode_converging", table.String())
}
