package unroll_test

import (
	"slices"
	"strings"
	"testing"

	"gpupipe/internal/diag"
	"gpupipe/unroll"
)

// reports returns the report of each loop of a kernel.
func reports(t *testing.T, text, options string) []unroll.LoopReport {
	t.Helper()
	list, err := unroll.Report(lowerKernel(t, text), parseOptions(t, options))
	if err != nil {
		t.Fatal(err)
	}
	return list
}

// TestReportFullUnrolling: 8 iterations of a load and an addition that depend on
// nothing but the sum. Rolled, at -O0: index, 8 x (ld, add, loop), store; the chain
// is loop after loop. Unrolled: the loads are independent, the chain is that of the
// additions.
func TestReportFullUnrolling(t *testing.T) {
	list := reports(t, `kernel void k(global float *a) {
		float x = 0;
#pragma unroll
		for (int i = 0; i < 8; i++)
			x += a[32 * i + get_local_id(0)];
		a[get_local_id(0)] = x;
	}`, "-O0 --compiler none")
	r := list[0]
	if r.Removed != 8 || r.Before.LoopInstructions != 8 || r.After.LoopInstructions != 0 {
		t.Errorf("loop instructions: %d removed, %d before, %d after", r.Removed, r.Before.LoopInstructions,
			r.After.LoopInstructions)
	}
	// The work-item function is a source operation of every iteration at -O0.
	if b, a := r.Before.PerIteration(), r.After.PerIteration(); b != 4 || a != 3 {
		t.Errorf("%g instructions an iteration before, %g after; want 4 and 3", b, a)
	}
	if r.Before.Iterations != 8 || r.After.Iterations != 8 {
		t.Errorf("%d and %d iterations", r.Before.Iterations, r.After.Iterations)
	}
	// After: index, load, 8 additions, store. 26 instructions in 11 levels.
	if r.After.CriticalPath != 11 || r.After.ILP != 26.0/11 {
		t.Errorf("after: critical path %d, ILP %g", r.After.CriticalPath, r.After.ILP)
	}
	// Before: 7 loops, then the last iteration's index, load, addition, store.
	if r.Before.CriticalPath != 11 || r.Before.ILP != 34.0/11 {
		t.Errorf("before: critical path %d, ILP %g", r.Before.CriticalPath, r.Before.ILP)
	}
	if r.Loop.Pragma != "#pragma unroll" || !r.Loop.Full || !strings.Contains(r.Bound, "i < 8") {
		t.Errorf("%+v", r)
	}
}

// TestReportFactor: 10 iterations by 4 leave two passes and a remainder of two.
func TestReportFactor(t *testing.T) {
	text := `kernel void k(global float *a, int n) {
		for (int i = 0; i < n; i++)
			a[32 * i + get_local_id(0)] = 1;
	}`
	r := reports(t, text, "-O0 --arg n=10 --unroll 2=4")[0]
	if r.Removed != 10-4 || r.After.LoopInstructions != 4 || r.Loop.Remainder != 2 || r.Loop.Factor != 4 {
		t.Errorf("%+v", r)
	}
	if r.Loop.Trips != 10 || r.Loop.Origin != "arguments" || r.Loop.Reason != "--unroll" {
		t.Errorf("%+v", r.Loop)
	}
	if r = reports(t, text, "-O0 --arg n=10")[0]; r.Removed != 0 || r.Before != r.After {
		t.Errorf("a loop that is not unrolled: %+v", r)
	}
}

// TestReportNested: the instructions of a loop include those of the loops in it;
// each loop is compared with itself kept rolled, the others as asked.
func TestReportNested(t *testing.T) {
	list := reports(t, `kernel void k(global float *a, float x) {
#pragma unroll 1
		for (int i = 0; i < 3; i++)
#pragma unroll
			for (int j = 0; j < 4; j++)
				x = x * x;
		a[0] = x;
	}`, "-O0")
	outer, inner := list[0], list[1]
	if outer.Removed != 0 || outer.After.Instructions != 3*4+3 || outer.After.Iterations != 3 ||
		outer.After.LoopInstructions != 3 {
		t.Errorf("outer loop: %+v", outer)
	}
	if inner.Removed != 12 || inner.After.Instructions != 12 || inner.Before.Instructions != 24 ||
		inner.After.Iterations != 12 {
		t.Errorf("inner loop: %+v", inner)
	}
	if inner.Loop.Executed != 3 || inner.Loop.Depth != 2 {
		t.Errorf("inner loop: %+v", inner.Loop)
	}
}

// TestPragmaWarnings: a pragma that does not do what it says is a warning with
// the reason among the graph's notes.
func TestPragmaWarnings(t *testing.T) {
	for _, c := range []struct {
		name, body, options string
		want                string // part of the warning, empty = none
	}{
		{"full, constant", "#pragma unroll\nfor (int i = 0; i < 4; i++) x += i;", "-O2", ""},
		{"full, run-time bound, nvcc", "#pragma unroll\nfor (int i = 0; i < n; i++) x += i;", "-O2 --arg n=9",
			"(i < n) is not a constant for the compiler, so the loop is unrolled by 4"},
		{"full, run-time bound, around a rolled loop",
			"#pragma unroll\nfor (int i = 0; i < n; i++) for (int j = 0; j < n; j++) x += i ^ j;", "-O2 --arg n=9",
			"contains a loop that stays rolled, so that it stays rolled, too"},
		{"full, run-time bound, around an unrolled loop", "#pragma unroll\nfor (int i = 0; i < n; i++)\n" +
			"#pragma unroll\nfor (int j = 0; j < 3; j++) x += i ^ j;", "-O2 --arg n=9", "so the loop is unrolled by 4"},
		{"full, run-time bound, clang", "#pragma unroll\nfor (int i = 0; i < n; i++) x += a[i];",
			"-O2 --compiler clang --arg n=9",
			"(i < n) is not a constant for the compiler, so the loop is unrolled by 4 instead of fully"},
		{"full, run-time bound, clang -O3", "#pragma unroll\nfor (int i = 0; i < n; i++) x += a[i];",
			"-O3 --compiler clang --arg n=9", "so the loop is unrolled by 8 instead of fully"},
		{"full, run-time step, clang", "#pragma unroll\nfor (int i = 0; i < 9; i += n) x += a[i];",
			"-O2 --compiler clang --arg n=3", "so the loop cannot be unrolled fully and stays rolled"},
		{"full, lane-dependent", "#pragma unroll\nfor (int i = 0; i < (int)get_local_id(0); i++) x += i;",
			"-O2 --compiler clang", "is not a constant"},
		{"full, not counted", "#pragma unroll\nwhile (x > n) x = x / 2 - n;", "-O2 --arg n=9", "is not a constant"},
		{"by N, not counted", "#pragma unroll 2\nwhile (x > n) x = x / 2 - n;", "-O2 --arg n=9",
			"every copy of the body keeps its exit test"},
		{"by N, fewer iterations", "#pragma unroll 8\nfor (int i = 0; i < n; i++) x += i;", "-O2 --arg n=3",
			"the factor 8 is larger than the 3 iterations"},
		{"by N, constant and fewer", "#pragma unroll 8\nfor (int i = 0; i < 3; i++) x += i;", "-O2", ""},
		{"by N, with a remainder", "#pragma unroll 2\nfor (int i = 0; i < n; i++) x += i;", "-O2 --arg n=3", ""},
		{"nounroll, nvcc", "#pragma nounroll\nfor (int i = 0; i < 4; i++) x += i;", "-O2",
			"nvcc ignores the word nounroll"},
		{"nounroll, clang", "#pragma nounroll\nfor (int i = 0; i < 4; i++) x += i;", "-O2 --compiler clang", ""},
		{"none", "for (int i = 0; i < n; i++) x += i;", "-O2 --arg n=9", ""},
	} {
		t.Run(c.name, func(t *testing.T) {
			text := "kernel void k(global int *a, int n) {\nint x = a[n];\n" + c.body + "\na[0] = x;\n}"
			if strings.Contains(c.body, "while") {
				text = strings.Replace(text, "a[n]", "n * 20", 1)
			}
			notes := pragmaWarnings(resolveText(t, text, c.options))
			if c.want == "" {
				if len(notes) != 0 {
					t.Errorf("warned: %v", notes)
				}
				return
			}
			if len(notes) != 1 || !strings.Contains(notes[0].Message, c.want) || notes[0].Pos.Line == 0 ||
				!strings.Contains(notes[0].Message, "#pragma") {
				t.Errorf("notes: %v, want %q", notes, c.want)
			}
		})
	}
}

// pragmaWarnings are the warnings about pragmas among a result's diagnostics.
func pragmaWarnings(r *unroll.Result) diag.List {
	return slices.DeleteFunc(slices.Clone(r.Warnings), func(e *diag.Error) bool { return e.Code != "PRAGMA" })
}
