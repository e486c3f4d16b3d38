package fidelity

import (
	"fmt"
	"strings"
	"testing"

	"gpupipe/internal/evidence/sass"
)

// rolledIterations are the numbers of iterations of which the difference is compared.
var rolledIterations = [2]int{20, 30}

// mostMoves is how many moves of pointers machine code has in an iteration of these loops.
const mostMoves = 4

// rolledLoops are kernels with a loop that a pragma keeps rolled, of n iterations each, as pairs of both numbers.
func rolledLoops() (list []source) {
	chain := func(n int) string { return strings.Repeat("t = t * u + v; ", n) }
	for _, k := range []struct{ name, code string }{
		{"chain of 1", "for (int i = 0; i < n; i++) { " + chain(1) + "}"},
		{"chain of 8", "for (int i = 0; i < n; i++) { " + chain(8) + "}"},
		{"chain of 40", "for (int i = 0; i < n; i++) { " + chain(40) + "}"},
		{"constant", "for (int i = 0; i < N; i++) { " + chain(4) + "}"},
		{"downwards", "for (int i = n; i > 0; i--) { " + chain(4) + "}"},
		{"unsigned", "for (unsigned i = 0; i < n; i++) { " + chain(4) + "}"},
		{"size_t", "for (size_t i = 0; i < n; i++) { " + chain(4) + "}"},
		{"long", "for (long i = 0; i < q; i++) { " + chain(4) + "}"},
		{"step of 3", "for (int i = 0; i < 3 * n; i += 3) { " + chain(4) + "}"},
		{"step of the group", "for (int i = threadIdx.x; i < 32 * n; i += blockDim.x) { " + chain(4) + "}"},
		{"halved", "for (int i = 1 << n; i > 0; i >>= 1) { " + chain(4) + "}"},
		{"counter used", "for (int i = 0; i < n; i++) t = t * u + i;"},
		{"while", "while (k > 0) { k--; " + chain(4) + "}"},
		{"do", "do { k--; " + chain(4) + "} while (k > 0);"},
		{"local", "for (int i = 0; i < n; i++) t += s[8 * i + threadIdx.x];"},
		{"local, uniform", "for (int i = 0; i < n; i++) t += s[i];"},
		{"load, lanes", "for (int i = 0; i < n; i++) t += a[i * 32 + x];"},
		{"load, row", "for (int i = 0; i < n; i++) t += a[x * n + i];"},
		{"load, stride of rows", "for (int i = 0; i < n; i++) t += a[i * m + x];"},
		{"load, size_t", "for (size_t i = 0; i < n; i++) t += a[i * m + x];"},
		{"2 loads", "for (int i = 0; i < n; i++) t += a[i * m + x] * b[i];"},
		{"load and store", "for (int i = 0; i < n; i++) c[i * 32 + x] = a[i * 32 + x] * u;"},
		{"local and global", "for (int i = 0; i < n; i++) t += s[i] * a[i * 32 + x];"},
		{"step of the launch", "for (int i = x; i < n * 2048; i += blockDim.x * gridDim.x) t += a[i];"},
	} {
		for _, n := range rolledIterations {
			list = append(list, source{
				name: fmt.Sprintf("rolled: %s, %d", k.name, n), file: "loop.cu", only: []string{"loop"},
				defines: []string{fmt.Sprintf("N=%d", n)},
				text: fmt.Sprintf("// idgen: local=32 groups=64 arg.n=%d arg.m=70 arg.q=%d\n", n, n) +
					"__global__ void loop(const float *a, const float *b, float *c, int n, int m, long q, float u, " +
					"float v) {\n" +
					"    __shared__ float s[4096];\n    int x = blockIdx.x * blockDim.x + threadIdx.x, k = n;\n" +
					"    float t = u;\n    s[threadIdx.x] = v;\n    __syncthreads();\n" +
					"    #pragma unroll 1\n    " + k.code + "\n    c[x] = t;\n}\n",
			})
		}
	}
	return list
}

// checkRolledLoops compares what a warp executes in an iteration of a rolled loop, and writes the table: all but moves
// of pointers are the same.
func checkRolledLoops(t *testing.T, recorded map[string]pipeCounts) {
	t.Helper()
	var table strings.Builder
	list := rolledLoops()
	for i := 0; i < len(list); i += len(rolledIterations) {
		perIteration := func(counts func(source) pipeCounts) (n pipeCounts) {
			few, more := counts(list[i]), counts(list[i+1])
			for p := range n {
				n[p] = (more[p] - few[p]) / int64(rolledIterations[1]-rolledIterations[0])
			}
			return n
		}
		ours := perIteration(func(s source) pipeCounts { return graphPipes(t, s) })
		theirs := perIteration(func(s source) pipeCounts { return recorded[s.name] })
		name, _, _ := strings.Cut(strings.TrimPrefix(list[i].name, "rolled: "),
			fmt.Sprintf(", %d", rolledIterations[0]))
		moves := theirs.total() - ours.total()
		for _, p := range []sass.Pipe{sass.Float, sass.Special, sass.Global, sass.Local, sass.Branch} {
			if ours[p] != theirs[p] {
				t.Errorf("%s: %d instructions of pipe %v in an iteration, machine code has %d", name, ours[p],
					p, theirs[p])
			}
		}
		if moves < 0 || moves > mostMoves || moves > 0 && theirs[sass.Global] == 0 {
			t.Errorf("%s: %d instructions in an iteration, machine code has %d", name, ours.total(), theirs.total())
		}
		fmt.Fprintf(&table, "| %s |", name)
		pair(&table, ours.total(), theirs.total())
		pair(&table, ours.integers(), theirs.integers())
		pair(&table, ours[sass.Branch], theirs[sass.Branch])
		table.WriteByte('\n')
	}
	writeSection(t, "machinecode_rolled", table.String())
}
