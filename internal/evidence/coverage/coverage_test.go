package main

import (
	"bytes"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"gpupipe/frontend/ast"
)

// TestMain lets the test binary be the child process of the command under test.
func TestMain(m *testing.M) {
	if len(os.Args) > 1 && os.Args[1] == "--worker" {
		main()
	}
	os.Exit(m.Run())
}

// tree writes files into a new directory.
func tree(t *testing.T, files map[string]string) string {
	t.Helper()
	dir := t.TempDir()
	for name, text := range files {
		path := filepath.Join(dir, name)
		if err := os.MkdirAll(filepath.Dir(path), 0o777); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(path, []byte(text), 0o666); err != nil {
			t.Fatal(err)
		}
	}
	return dir
}

// mixed is a tree with three kernels that give a graph and two that do not.
func mixed(t *testing.T) string {
	return tree(t, map[string]string{
		"a.cl": "#include <scale.h>\n__kernel void one(__global float *a, int n) { for (int i = 0; i < n; " +
			"i++) a[i] *= SCALE; }\n__kernel void two(__global float *a) { a[0] = MISSING; }\n",
		"b.cu": "__global__ void three(float *a) { a[threadIdx.x] = 1; }\n",
		"deep/c.cl": "__kernel void four(__global float *a) { a[0] = ; }\n" +
			"__kernel __attribute__((reqd_work_group_size(8, 8, 1))) void five(__global float *a) {}\n",
		"header.cl":   "float helper(float x) { return x; }\n",
		"inc/scale.h": "#define SCALE FACTOR\n",
		"notes.txt":   "no kernel",
	})
}

func command(t *testing.T, want int, args ...string) (stdout, stderr string) {
	t.Helper()
	var out, errs bytes.Buffer
	if got := run(args, strings.NewReader(""), &out, &errs); got != want {
		t.Fatalf("coverage %q: exit status %d, want %d\n%s%s", args, got, want, &out, &errs)
	}
	return out.String(), errs.String()
}

// TestReport checks the share, the reasons and the table of a tree.
func TestReport(t *testing.T) {
	dir := mixed(t)
	csvFile := filepath.Join(t.TempDir(), "out.csv")
	out, _ := command(t, exitDone, "-D", "FACTOR=2.0f", "-I", filepath.Join(dir, "inc"), "--csv", csvFile, dir)
	for _, want := range []string{
		"3 of 5 kernels in 3 files give a graph: 60.0%\n",
		"peak memory: ",
		"      1  error[SYNTAX]: an expression is expected\n",
		"      1  error[UNDECLARED]: NAME is not declared\n",
	} {
		if !strings.Contains(out, want) {
			t.Errorf("no %q in\n%s", want, out)
		}
	}
	table, err := os.ReadFile(csvFile)
	if err != nil {
		t.Fatal(err)
	}
	lines := strings.Split(strings.TrimSpace(string(table)), "\n")
	var seen []string
	for _, l := range lines[1:] {
		f := strings.Split(l, ",")
		seen = append(seen, filepath.Base(f[0])+" "+f[1]+" "+f[2]+" "+f[3])
	}
	want := []string{"a.cl two false parse", "a.cl one true ", "b.cu three true ", "c.cl four false parse",
		"c.cl five true "}
	if strings.Join(seen, ";") != strings.Join(want, ";") {
		t.Errorf("table\n%q, want\n%q", seen, want)
	}
}

// TestFloor checks that the floor decides the exit status.
func TestFloor(t *testing.T) {
	dir := mixed(t)
	args := []string{"-D", "FACTOR=2.0f", "-I", filepath.Join(dir, "inc"), dir}
	command(t, exitDone, append([]string{"--floor", "60"}, args...)...)
	if _, errs := command(t, exitFloor, append([]string{"--floor", "60.1"}, args...)...); !strings.Contains(errs,
		"the floor is 60.1%") {
		t.Errorf("stderr %q", errs)
	}
}

// TestEvery checks the deterministic sample and --exclude.
func TestEvery(t *testing.T) {
	dir := tree(t, map[string]string{"1.cl": "", "2.cl": "", "3.cl": "", "4.cl": "", "x.cl": ""})
	got, err := findFiles(&options{paths: []string{dir}, every: 2, exclude: []string{"x*"}})
	if err != nil || len(got) != 2 || filepath.Base(got[0]) != "1.cl" || filepath.Base(got[1]) != "3.cl" {
		t.Errorf("%v, %v; want 1.cl and 3.cl", got, err)
	}
}

// TestLimits checks that a kernel beyond a limit is one line and that the
// others of its file are still tried.
func TestLimits(t *testing.T) {
	loops := strings.Repeat("for (int i = 0; i < 1000; i++) ", 5)
	dir := tree(t, map[string]string{"a.cl": "__kernel void first(__global int *a) { a[0] = 1; }\n" +
		"__kernel void slow(__global volatile int *a) { " + loops +
		"a[i] += a[i + 1] * a[i + 2]; }\n" +
		"__kernel void last(__global int *a) { a[0] = 1; }\n"})
	out, _ := command(t, exitDone, "--timeout", "1s", "-j", "1", dir)
	if !strings.Contains(out, "2 of 3 kernels") || !strings.Contains(out, "time limit") {
		t.Errorf("want 2 of 3 kernels, one beyond the time limit, in\n%s", out)
	}
}

// TestUsage checks bad command lines.
func TestUsage(t *testing.T) {
	for _, args := range [][]string{{}, {"--floor", "101", "."}, {"--every", "0", "."}, {"--unknown", "."}} {
		command(t, exitUsage, args...)
	}
	command(t, exitInput, filepath.Join(t.TempDir(), "nothing"))
	command(t, exitInput, t.TempDir())
	command(t, exitDone, "--help")
}

// TestKernelNames checks what is found in texts that cannot be parsed.
func TestKernelNames(t *testing.T) {
	const text = `// __kernel void no(int a)
__kernel void one(global int *a) {}
kernel __attribute__((reqd_work_group_size(8, 8, 1))) void two (int a);
/* __kernel void neither() */
__global__ void __launch_bounds__(256, 2) three(float *a) { int kernel_size = 1; call(kernel_size); }
`
	for d, want := range map[ast.Dialect]string{ast.OpenCL: "one two", ast.CUDA: "three"} {
		if got := strings.Join(kernelNames(text, d), " "); got != want {
			t.Errorf("%v: got %s, want %s", d, got, want)
		}
	}
}

// TestGeneralise checks that messages of one kind become one reason.
func TestGeneralise(t *testing.T) {
	for _, c := range [][2]string{
		{"k.cl:1:2: error[UNDECLARED]: function foo is not declared",
			"error[UNDECLARED]: function NAME is not declared"},
		{"k.cl:1:2: error[SYNTAX]: ; is expected behind the expression, not x",
			"error[SYNTAX]: ; is expected behind the expression"},
		{"k.cl:1:2: error[UNDECLARED]: 2 names that look like macros are not declared: A (line 1), B (line 2)",
			"error[UNDECLARED]: names that look like macros are not declared"},
		{"time limit: more than 20s", "time limit: more than 20s"},
	} {
		if got := generalise(c[0]); got != c[1] {
			t.Errorf("%s: %s, want %s", c[0], got, c[1])
		}
	}
}
