package fidelity

import (
	"fmt"
	"strings"
	"testing"

	"gpupipe/internal/evidence/sass"
	"gpupipe/lower"
)

// functions are kernels of one expression each, of floating-point functions: as CUDA compiles them,
// with what OpenCL asks for, and with -use_fast_math.
func functions() (list []source) {
	add := func(accuracy lower.Accuracy, typ string, expressions ...string) {
		for _, e := range expressions {
			list = append(list, function(accuracy, typ, "c[x] = "+e+";"))
		}
	}
	quotients := []string{
		"a[x] / b[x]", "1 / a[x]", "a[x] / 3", "3 / a[x]", "a[x] / 8", "a[x] / b[x] + a[x + 1] / b[x]",
		"a[x] / b[x] * 3 + a[x + 1]",
		"sqrtf(a[x])", "rsqrtf(a[x])", "1 / sqrtf(a[x])", "a[x] / sqrtf(b[x])",
	}
	intrinsics := []string{
		"__fdividef(a[x], b[x])", "__expf(a[x])", "__exp10f(a[x])", "__logf(a[x])", "__log2f(a[x])", "__log10f(a[x])",
		"__sinf(a[x])", "__cosf(a[x])", "__tanf(a[x])", "__powf(a[x], b[x])",
	}
	for accuracy := lower.Rounded; accuracy <= lower.Fast; accuracy++ {
		add(accuracy, "float", quotients...)
	}
	add(lower.Rounded, "float", intrinsics...)
	add(lower.Fast, "float", intrinsics...)
	add(lower.Rounded, "float",
		"expf(a[x])", "expf(a[x]) + expf(b[x])", "exp2f(a[x])", "exp10f(a[x])", "logf(a[x])", "log2f(a[x])",
		"log10f(a[x])",
		"sinf(a[x])", "cosf(a[x])", "tanf(a[x])", "powf(a[x], b[x])", "tanhf(a[x])", "erff(a[x])", "erfcf(a[x])",
		"coshf(a[x])", "cbrtf(a[x])", "expm1f(a[x])", "log1pf(a[x])", "hypotf(a[x], b[x])",
		"floorf(a[x])", "rintf(a[x])", "roundf(a[x])", "(float)(int)a[x]")
	add(lower.Rounded, "double", "a[x] / b[x]", "1 / a[x]", "sqrt(a[x])", "rsqrt(a[x])", "exp(a[x])")
	list = append(list, function(lower.Rounded, "float", "sincosf(a[x], &c[x], &c[x + 1]);"))
	loop := "float t = 0; _Pragma(\"unroll 1\") for (int i = 0; i < 20; i++) t += a[x + 32 * i] / b[0]; c[x] = t;"
	return append(list, function(lower.Rounded, "float", loop), function(lower.Relaxed, "float", loop),
		function(lower.Fast, "float", loop))
}

// function is a kernel with one statement.
func function(accuracy lower.Accuracy, typ, statement string) source {
	s := source{
		name: accuracy.String() + " " + typ + ": " + statement, file: "function.cu", only: []string{"function"},
		accuracy: accuracy, numbers: true,
		text: "// idgen: local=32 groups=64\n__global__ void function(const T *a, const T *b, T *c) {\n" +
			"    int x = blockIdx.x * blockDim.x + threadIdx.x;\n    " + statement + "\n}\n",
	}
	s.text = strings.ReplaceAll(s.text, "T *", typ+" *")
	return s
}

// ordinary are the numbers that the kernels load, other ones in each lane and by each load.
func ordinary(lane, load int64) float64 { return 1.25 + 0.25*float64((lane+7*load)%32) }

// functionsMost is how many instructions more the machine code may have than the graph: the size of
// an element once more behind a branch, an address in two instructions, branches that join sides.
const functionsMost = 3

// checkFunctions compares the graphs of floating-point functions, and writes their table.
func checkFunctions(t *testing.T, recorded map[string]pipeCounts) {
	t.Helper()
	var table strings.Builder
	for _, s := range functions() {
		ours, theirs := graphPipes(t, s), recorded[s.name]
		for _, p := range []sass.Pipe{sass.Special, sass.Float, sass.Double, sass.Off} {
			if ours[p] != theirs[p] {
				t.Errorf("%s: %d instructions of pipe %v, machine code has %d", s.name, ours[p], p, theirs[p])
			}
		}
		if d := theirs.total() - ours.total() - around; !strings.Contains(s.name, "for (") && (d < 0 ||
			d > functionsMost) {
			t.Errorf("%s: the graph has %d instructions, machine code %d", s.name, ours.total(), theirs.total())
		}
		ofKind, statement, _ := strings.Cut(s.name, ": ")
		fmt.Fprintf(&table, "| %s | `%s` | %d | %d |", ofKind, statement, ours.total(), theirs.total()-around)
		for _, p := range []sass.Pipe{sass.Special, sass.Float, sass.Branch, sass.Off} {
			pair(&table, ours[p], theirs[p])
		}
		table.WriteByte('\n')
	}
	writeSection(t, "machinecode_functions", table.String())
}
