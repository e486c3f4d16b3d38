package fidelity

import (
	"fmt"
	"os"
	"regexp"
	"strings"
	"testing"

	"gpupipe/internal/generate"
	"gpupipe/internal/target"
	"gpupipe/lower"
	compiler "gpupipe/lower/compile"
)

// amdFunctionsFile holds how many instructions of floating-point numbers the compiler writes.
const amdFunctionsFile = "testdata/amdgpu_functions.txt"

const amdFunctionsHead = `# Instructions of floating-point numbers of c[x] = expression, by clang 14.
# Written by: go test ./internal/evidence/fidelity -run AMDFunctions -update
# language math type expression device instructions
`

// amdFunction is a kernel of one expression, for a device.
type amdFunction struct{ language, math, typ, expression, device string }

func (f amdFunction) source() source {
	statement := fmt.Sprintf("c[x] = %s;", strings.NewReplacer("a", "a[x]", "b", "b[x]").Replace(f.expression))
	parameters := strings.ReplaceAll("(global const T *a, global const T *b, global T *c)", "T", f.typ)
	s := source{name: fmt.Sprint(f), file: "k.cl", only: []string{"k"}, accuracy: lower.Relaxed,
		text: "// idgen: local=64 groups=64\nkernel void k" + parameters + " {\n    int x = get_local_id(0);\n    " +
			statement + "\n}\n"}
	if f.language == "hip" {
		s.file, s.accuracy = "k.cu", lower.Rounded
		s.text = "// idgen: local=64 groups=64\n__global__ void k" + strings.ReplaceAll(parameters, "global ", "") +
			" {\n    int x = threadIdx.x;\n    " + statement + "\n}\n"
	}
	if f.math == "fast" {
		s.accuracy = lower.Fast
	}
	return s
}

func amdFunctions() (list []amdFunction) {
	for _, device := range []string{"gfx906", "gfx90a", "gfx1030"} {
		for _, language := range []string{"opencl", "hip"} {
			for _, typ := range []string{"float", "double"} {
				for _, expression := range []string{"a/b", "1/a", "a/3", "3/a", "a/8"} {
					list = append(list, amdFunction{language, "exact", typ, expression, device})
					if typ == "float" {
						list = append(list, amdFunction{language, "fast", typ, expression, device})
					}
				}
			}
		}
	}
	return list
}

// TestAMDFunctions compares quotients with what LLVM's compiler for AMD's GPUs writes, which is
// recorded.
func TestAMDFunctions(t *testing.T) {
	if *update {
		recordAMDFunctions(t)
	}
	recorded := recordedFigures(t, amdFunctionsFile, func(f *amdFunction, n *int) []any {
		return []any{&f.language, &f.math, &f.typ, &f.expression, &f.device, n}
	})
	for _, f := range amdFunctions() {
		want, ok := recorded[f]
		if !ok {
			t.Fatalf("%s has no figure for %v: run this test with -update", amdFunctionsFile, f)
		}
		fn, k := kernelOf(t, f.source())
		o, err := generate.CompilerOptions(&target.Target{Compiler: target.Clang, Capability: f.device}, k, fn,
			f.source().dialect())
		if err != nil {
			t.Fatal(err)
		}
		code, err := compiler.Compile(k, o)
		if err != nil {
			t.Fatal(err)
		}
		got := len(amdFloating.FindAllString(code.String(), -1))
		if got != want {
			t.Errorf("%v: %d instructions of floating-point numbers, clang: %d", f, got, want)
		}
	}
}

var (
	amdFloating = regexp.MustCompile(`(?m)^\s+v_(\w+_f(32|64)|cndmask_b32)`)
	fastFlags   = map[string]string{"opencl": "-cl-fast-relaxed-math", "hip": "-ffast-math"}
)

// recordAMDFunctions compiles all kernels and writes the file.
func recordAMDFunctions(t *testing.T) {
	t.Helper()
	var b strings.Builder
	b.WriteString(amdFunctionsHead)
	for _, f := range amdFunctions() {
		var more []string
		if f.math == "fast" {
			more = append(more, fastFlags[f.language])
		}
		listing, err := compileAMD(f.source(), f.device, more...)
		if err != nil {
			t.Errorf("%s stays as it is: %v", amdFunctionsFile, err)
			return
		}
		fmt.Fprintf(&b, "%s %s %s %s %s %d\n", f.language, f.math, f.typ, f.expression, f.device,
			len(amdFloating.FindAllString(listing, -1)))
	}
	if err := os.WriteFile(amdFunctionsFile, []byte(b.String()), 0o666); err != nil {
		t.Fatal(err)
	}
}
