package launches_test

import (
	"fmt"
	"strings"
	"testing"

	"gpupipe/frontend"
	"gpupipe/frontend/ast"
	"gpupipe/internal/target"
)

// kernels are the kernels of the tests' files.
const kernels = `
__global__ void k(float *a, int n, float s) { a[threadIdx.x] = n * s; }
template <typename T, int N> __global__ void t(T *a) { a[threadIdx.x] = N; }
`

// parse reads a CUDA file, of a program that is run with these arguments; none: they are not known.
func parse(t *testing.T, text string, commandLine ...string) *ast.Unit {
	t.Helper()
	u, err := frontend.Parse(frontend.Config{File: "t.cu", Text: text, Dialect: ast.CUDA, CommandLine: commandLine,
		Target: target.Target{ComputeUnits: 132}})
	if err != nil {
		t.Fatalf("%v\nin\n%s", err, text)
	}
	for _, b := range u.Broken {
		t.Fatalf("%v\nin\n%s", b.Err, text)
	}
	if err := u.Verify(); err != nil {
		t.Fatal(err)
	}
	return u
}

// launchesOf are the launches of the kernels of a file, a line each: the kernel, the grid, the block,
// the dynamic local memory and the arguments, with ? for what is not known.
func launchesOf(t *testing.T, text string, commandLine ...string) (got []string, unknown string) {
	t.Helper()
	u := parse(t, text, commandLine...)
	for _, f := range u.Kernels {
		for _, h := range f.HostLaunches {
			show := func(d [3]int64) string {
				if d[0] == 0 {
					return "?"
				}
				return strings.Trim(strings.ReplaceAll(fmt.Sprint(d), " ", "x"), "[]")
			}
			shared := fmt.Sprint(h.DynamicLocal)
			if h.DynamicLocal < 0 {
				shared = "?"
			}
			line := strings.TrimSpace(fmt.Sprintf("%s %s %s %s %s", f.Name, show(h.Groups), show(h.Local), shared,
				strings.Trim(fmt.Sprint(h.Args), "[]")))
			if h.NoArguments {
				line += " without arguments"
			}
			if h.FirstOf != "" {
				line += " at first in " + h.FirstOf
			}
			got = append(got, line)
			unknown += strings.Join(h.Unknown, "; ")
		}
	}
	return got, unknown
}

func TestLaunches(t *testing.T) {
	for _, c := range []struct {
		name, host string // the host code; of a body only where it begins with a blank
		want       string // launches, by " | "
		why        string // in the reasons of what is not known
	}{
		{"literals", " k<<<4, 128>>>(a, 7, 2.5f);", "k 4x1x1 128x1x1 0 {n 7} {s 2.5f}", ""},
		{"dim3", " dim3 g(4, 5), b(8, 8, 2); k<<<g, b, 1024>>>(a, 7, 1);", "k 4x5x1 8x8x2 1024 {n 7} {s 1.0f}", ""},
		{"dim3 in braces", " dim3 g{4, 5}; const dim3 b = {8, 2}; k<<<g, b>>>(a, 7, 1);",
			"k 4x5x1 8x2x1 0 {n 7} {s 1.0f}", ""},
		{"dim3 of a value", " auto b = dim3(32); dim3 g = 9; k<<<g, b>>>(a, 7, 1);", "k 9x1x1 32x1x1 0 {n 7} {s 1.0f}",
			""},
		{"members", " dim3 g, b; b.x = 16; b.y = 4; g.x = b.x * b.y; k<<<g, b>>>(a, g.x, 1);",
			"k 64x1x1 16x4x1 0 {n 64} {s 1.0f}", ""},
		{"in the launch", " k<<<dim3(2, 3), dim3{4, 4}>>>(a, 1, 1);", "k 2x3x1 4x4x1 0 {n 1} {s 1.0f}", ""},
		{"arithmetic", " int n = 1000; const int b = 256; k<<<(n + b - 1) / b, b, b * sizeof(float)>>>(a, n, 1);",
			"k 4x1x1 256x1x1 1024 {n 1000} {s 1.0f}", ""},
		{"a property of the device", " cudaDeviceProp p; cudaGetDeviceProperties(&p, 0); k<<<2 * p.multiProcessorCount, " +
			"32>>>(a, 1, 1);", "k 264x1x1 32x1x1 0 {n 1} {s 1.0f}", ""},
		{"macros", "#define N 1000\n#define B 64\n#define DIV(x, y) (((x) + (y) - 1) / (y))\nvoid h(float *a) { " +
			"k<<<DIV(N, B), B>>>(a, N, 1); }", "k 16x1x1 64x1x1 0 {n 1000} {s 1.0f}", ""},
		{"a launch in a macro",
			"#define GO(g, b, ...) do { k<<<g, b>>>(__VA_ARGS__); } while (0)\nvoid h(float *a) { GO(3, 32, a, " +
				"5, 1); }", "k 3x1x1 32x1x1 0 {n 5} {s 1.0f}", ""},
		{"#if", "#define A 1\n#if A == 1\n#define B 32\n#else\n#define B 64\n#endif\nvoid h(float *a) { k<<<1, " +
			"B>>>(a, 1, 1); }", "k 1x1x1 32x1x1 0 {n 1} {s 1.0f}", ""},
		{"a launch that #if leaves out", "void h(float *a) {\n#if 0\nk<<<1, 2>>>(a, 1, 1);\n#endif\n}", "", ""},
		{"file constants", "const int B = 1 << 7; enum { G = 3, H, I = H * 2 }; static constexpr unsigned N = B * " +
			"I;\nvoid h(float *a) { k<<<H, B>>>(a, N, 1); }", "k 4x1x1 128x1x1 0 {n 1024} {s 1.0f}", ""},
		{"a global variable that stays", "int B = 32;\nvoid h(float *a) { k<<<1, B>>>(a, 1, 1); }",
			"k 1x1x1 32x1x1 0 {n 1} {s 1.0f}", ""},
		{"a global variable that changes",
			"int B = 32;\nvoid set() { B = 64; }\nvoid h(float *a) { k<<<1, B>>>(a, 1, 1); }",
			"k 1x1x1 ? 0 {n 1} {s 1.0f}", "B may be changed (line 5)"},
		{"a function", "int up(int a, int b) { return (a + b - 1) / b; }\nvoid h(float *a) { k<<<up(100, 32), " +
			"32>>>(a, 1, 1); }", "k 4x1x1 32x1x1 0 {n 1} {s 1.0f}", ""},
		{"a function of two returns",
			"int up(int a, int b) { if (a % b) return a / b + 1; else return a / b; }\nvoid h(float *a) { " +
				"k<<<up(100, 32), up(64, 2)>>>(a, 1, 1); }", "k 4x1x1 32x1x1 0 {n 1} {s 1.0f}", ""},
		{"a template function",
			"template <typename T> T up(T a, T b) { return (a + b - 1) / b; }\nvoid h(float *a) { k<<<up(100, 32), " +
				"32>>>(a, 1, 1); }", "k 4x1x1 32x1x1 0 {n 1} {s 1.0f}", ""},
		{"library", " int n = 1000; k<<<ceil(n / 256.0), std::min(n, 256)>>>(a, 1, 1);",
			"k 4x1x1 256x1x1 0 {n 1} {s 1.0f}", ""},
		{"integer division in ceil", " int n = 1000; k<<<ceil(n / 256), 256>>>(a, 1, 1);",
			"k 3x1x1 256x1x1 0 {n 1} {s 1.0f}", ""},
		{"casts", " float f = 3.9f; k<<<(int)f, static_cast<unsigned>(f) * 32u>>>(a, int(f), (float)1 / 2);",
			"k 3x1x1 96x1x1 0 {n 3} {s 0.5f}", ""},
		{"ternary", " int n = 5; k<<<n > 4 ? 2 : 3, n == 4 ? 64 : 32>>>(a, 1, 1);", "k 2x1x1 32x1x1 0 {n 1} {s 1.0f}",
			""},
		{"called with constants",
			"void run(float *a, int n) { k<<<n / 64, 64>>>(a, n, 1); }\nint main() { float *a; run(a, 640); }",
			"k 10x1x1 64x1x1 0 {n 640} {s 1.0f}", ""},
		{"called twice", "void run(float *a, int n) { k<<<n / 64, 64>>>(a, n, 1); }\nint main() { float *a; run(a, " +
			"640); run(a, 1280); }", "k 10x1x1 64x1x1 0 {n 640} {s 1.0f} | k 20x1x1 64x1x1 0 {n 1280} {s 1.0f}", ""},
		{"not called", "void run(float *a, int n) { k<<<n / 64, 64>>>(a, n, 1); }", "k ? 64x1x1 0 {s 1.0f}",
			"n is an argument of run() (line 4)"},
		{"templates", " t<float, 4><<<1, 32>>>(a); t<float, 8><<<2, 64>>>(a);",
			"t<float, 4> 1x1x1 32x1x1 0 | t<float, 8> 2x1x1 64x1x1 0", ""},
		{"a template of the host's",
			"template <int B> void run(float *a) { t<float, B><<<100 / B, B>>>(a); }\nint main() { float *a; " +
				"run<4>(a); run<10>(a); }", "t<float, 4> 25x1x1 4x1x1 0 | t<float, 10> 10x1x1 10x1x1 0", ""},
		{"assigned before", " int n; n = 64; n *= 2; ++n; k<<<1, n - 1>>>(a, n, 1);",
			"k 1x1x1 128x1x1 0 {n 129} {s 1.0f}", ""},
		{"assigned behind", " int n = 64; k<<<1, n>>>(a, n, 1); n = 5;", "k 1x1x1 64x1x1 0 {n 64} {s 1.0f}", ""},
		{"inner names", " int n = 64; { int n = 5; n = 6; } k<<<1, n>>>(a, n, 1);", "k 1x1x1 64x1x1 0 {n 64} {s 1.0f}",
			""},
		{"a known condition", " int n = 64; if (n > 100) n = 1; else n = 2; k<<<n, 32>>>(a, n, 1);",
			"k 2x1x1 32x1x1 0 {n 2} {s 1.0f}", ""},
		{"a launch that a condition excludes",
			" int n = 64; if (n > 100) k<<<1, 1>>>(a, 1, 1); else k<<<2, 2>>>(a, 1, 1);",
			"k 2x1x1 2x1x1 0 {n 1} {s 1.0f}", ""},
		{"an unknown condition", "int c(); void h(float *a) { int n = 64; if (c()) n = 1; k<<<n, 32>>>(a, n, 1); }",
			"k ? 32x1x1 0 {s 1.0f}", "the value of n depends on the condition in line 4"},
		{"a side that ends", "int c(); void h(float *a) { int n = 64; if (c()) { n = 1; return; } k<<<n, 32>>>(a, " +
			"n, 1); }", "k 64x1x1 32x1x1 0 {n 64} {s 1.0f}", ""},
		{"a function that exits",
			"void usage() { exit(1); }\nint c(); void h(float *a) { int n = 64; if (c()) { n = 1; usage(); } k<<<n, " +
				"32>>>(a, n, 1); }", "k 64x1x1 32x1x1 0 {n 64} {s 1.0f}", ""},
		{"argv", "int main(int argc, char **argv) { float *a; int n = argc > 1 ? atoi(argv[1]) : 64; k<<<n, 32>>>(a, " +
			"n, 1); }", "k 64x1x1 32x1x1 0 {n 64} {s 1.0f} without arguments", ""},
		{"a default that an argument replaces",
			"int main(const int argc, const char **argv) { float *a; int n = 300; if (argc > 1) n = atoi(argv[1]); " +
				"for (int i = 1; i < argc; i++) n = atoi(argv[i]); k<<<n, 32>>>(a, n, 1); }",
			"k 300x1x1 32x1x1 0 {n 300} {s 1.0f} without arguments", ""},
		{"arguments that have to be given",
			"void run(float *a, int n) { k<<<n, 32>>>(a, 7, 1); }\nint main(int argc, char **argv) { float *a; if " +
				"(argc < 2) { usage(); return 1; } run(a, atoi(argv[1])); }", "k ? 32x1x1 0 {n 7} {s 1.0f}",
			"what atoi() gives is not known"},
		{"arguments that launch another kernel",
			"int main(int argc, char **argv) { float *a; int n = 5; if (argc > 1) { n = 6; t<float, 4><<<1, 2>>>(a); " +
				"} k<<<n, 32>>>(a, 7, 1); }", "k ? 32x1x1 0 {n 7} {s 1.0f} | t<float, 4> 1x1x1 2x1x1 0",
			"depends on the condition"},
		{"arguments that decide nothing",
			"int main(int argc, char **argv) { float *a; int n = 5; if (argc > 1) printf(argv[1]); k<<<n, 32>>>(a, " +
				"7, 1); }", "k 5x1x1 32x1x1 0 {n 7} {s 1.0f}", ""},
		{"a loop that is not entered",
			" int g = 7; while (g > 8) g /= 2; for (int i = 9; i < g; i++) { k<<<1, 1>>>(a, 1, 1); g++; } k<<<g, " +
				"32>>>(a, 1, 1);", "k 7x1x1 32x1x1 0 {n 1} {s 1.0f}", ""},
		{"by address", "int main() { float *a; int n = 4; scanf(\"%d\", &n); k<<<n, 32>>>(a, n, 1); }",
			"k ? 32x1x1 0 {s 1.0f}", "the value of n may be changed (line 4)"},
		{"by reference", "void f(int &x) { x = 3; }\nint main() { float *a; int n = 4; f(n); k<<<n, 32>>>(a, n, 1); }",
			"k ? 32x1x1 0 {s 1.0f}", "the value of n may be changed (line 5)"},
		{"by value", "void f(int x) { x = 3; }\nint main() { float *a; int n = 4; f(n); k<<<n, 32>>>(a, n, 1); }",
			"k 4x1x1 32x1x1 0 {n 4} {s 1.0f}", ""},
		{"to an unknown function", "int main() { float *a; int n = 4; parse(n); k<<<n, 32>>>(a, n, 1); }",
			"k ? 32x1x1 0 {s 1.0f}", "may be changed"},
		{"another name", "int main() { float *a; int n = 4; int &m = n; m = 5; k<<<n, m>>>(a, n, 1); }",
			"k ? ? 0 {s 1.0f}", "may be changed as m"},
		{"from a stream", "int main() { float *a; int n = 4; std::cin >> n; k<<<n, 32>>>(a, n, 1); }",
			"k ? 32x1x1 0 {s 1.0f}", "may be changed"},
		{"a loop's variable", " for (int i = 1; i < 4; i++) k<<<i, 32>>>(a, i, 1);",
			"k 1x1x1 32x1x1 0 {n 1} {s 1.0f} at first in line 4", ""},
		{"a loop over an array", " int b[] = {64, 128}; for (int x : b) k<<<2, x>>>(a, x, 1);",
			"k 2x1x1 64x1x1 0 {n 64} {s 1.0f} at first in line 4", ""},
		{"a loop over a list", " for (auto x : {64, 128}) k<<<2, x>>>(a, x, 1);",
			"k 2x1x1 64x1x1 0 {n 64} {s 1.0f} at first in line 4", ""},
		{"elements of an array", " const int b[3] = {64, 128}; for (int i = 1; i < 2; i++) k<<<b[0], b[i]>>>(a, b[2], 1);",
			"k 64x1x1 128x1x1 0 {s 1.0f} at first in line 4", ""},
		{"an array that is changed", " int b[] = {64, 128}; b[0] = 3; k<<<b[0], 32>>>(a, 1, 1);",
			"k ? 32x1x1 0 {n 1} {s 1.0f}", "an element of an array"},
		{"an array that is filled", " int b[] = {64, 128}; fill(b); k<<<b[0], 32>>>(a, 1, 1);",
			"k ? 32x1x1 0 {n 1} {s 1.0f}", "an element of an array"},
		{"behind a loop's variable", " int i; for (i = 1; i < 4; i++) {} k<<<i, 32>>>(a, i, 1);",
			"k ? 32x1x1 0 {s 1.0f}", "the value of i changes in the loop of line 4"},
		{"a loop in a loop", " for (int n = 8; n > 1; n /= 2)\nfor (int b = n; b < 64; b *= 2) k<<<n, b>>>(a, b, 1);",
			"k 8x1x1 8x1x1 0 {n 8} {s 1.0f} at first in line 4", ""},
		{"known from the second iteration on", " int n; for (;;) { if (n > 3) n = 64; else n = 64; k<<<1, n>>>(a, n, " +
			"1); }", "k 1x1x1 64x1x1 0 {n 64} {s 1.0f}", ""},
		{"in a loop", " int g = 7; for (int i = 1; i < 4; i++) { k<<<g, 32>>>(a, i, 1); }",
			"k 7x1x1 32x1x1 0 {n 1} {s 1.0f} at first in line 4", ""},
		{"changed later in a loop", " int g = 7; while (g > 1) { k<<<g, 32>>>(a, 1, 1); g /= 2; }",
			"k 7x1x1 32x1x1 0 {n 1} {s 1.0f} at first in line 4", ""},
		{"changed in a loop before", " int g = 7; for (;;) { g++; break; } k<<<g, 32>>>(a, 1, 1);",
			"k ? 32x1x1 0 {n 1} {s 1.0f}", "the value of g changes in the loop"},
		{"a switch that is known",
			" int n = 2; switch (n) { case 1: k<<<1, 1>>>(a, 1, 1); break; case 2: k<<<2, 2>>>(a, 1, 1); break; " +
				"default: k<<<3, 3>>>(a, 1, 1); }", "k 2x1x1 2x1x1 0 {n 1} {s 1.0f}", ""},
		{"a switch that is not known",
			"void h(float *a, int n) { int g = 1; switch (n) { case 1: g = 5; k<<<g, 1>>>(a, 1, 1); break; case 2: " +
				"k<<<g, 2>>>(a, 1, 1); } k<<<g, 3>>>(a, 1, 1); }",
			"k 5x1x1 1x1x1 0 {n 1} {s 1.0f} | k ? 2x1x1 0 {n 1} {s 1.0f} | k ? 3x1x1 0 {n 1} {s 1.0f}", ""},
		{"goto", "void h(float *a, int n) { int g = 1; if (n) goto end; g = 5; end: k<<<g, 1>>>(a, 1, 1); }",
			"k ? 1x1x1 0 {n 1} {s 1.0f}", ""},
		{"a lambda", " int b = 128; auto go = [&](int n) { k<<<2, b>>>(a, n, 1); }; b = 64; go(3);",
			"k 2x1x1 ? 0 {s 1.0f} | k 2x1x1 ? 0 {n 3} {s 1.0f}", "the value of b is changed in h()"},
		{"a lambda of what stays", " const int b = 128; auto go = [&](int n) { k<<<2, b>>>(a, n, 1); }; go(3);",
			"k 2x1x1 128x1x1 0 {s 1.0f} | k 2x1x1 128x1x1 0 {n 3} {s 1.0f}", ""},
		{"a function object that is assigned",
			" std::function<void(int)> go = [&](int n) { k<<<2, 32>>>(a, n, 1); }; go = [&](int n) { k<<<3, 32>>>(a, " +
				"n, 1); }; go(3);", "k 2x1x1 32x1x1 0 {s 1.0f} | k 3x1x1 32x1x1 0 {s 1.0f}", ""},
		{"a lambda that changes a variable", " int b = 128; auto up = [&] { b++; }; b = 5; up(); k<<<2, b>>>(a, 1, 1);",
			"k 2x1x1 ? 0 {n 1} {s 1.0f}", "the value of b may be changed"},
		{"a lambda's name", "int up(int x) { return x; }\nvoid h(float *a) { auto up = [](int x) { return 2 * x; }; " +
			"k<<<2, up(32)>>>(a, 1, 1); }", "k 2x1x1 ? 0 {n 1} {s 1.0f}", "what up() gives is not known"},
		{"static", " static int b = 128; k<<<2, b>>>(a, 1, 1); b = 3;", "k 2x1x1 ? 0 {n 1} {s 1.0f}",
			"b keeps its value from call to call"},
		{"a member", "struct S { int b; void h(float *a) { k<<<2, b>>>(a, 1, 1); } }; int b = 128;",
			"k 2x1x1 ? 0 {n 1} {s 1.0f}", "b may be a member of an object"},
		{"overflow", " int n = 1 << 30; k<<<n * 4 / 4, 32>>>(a, 1, 1);", "k ? 32x1x1 0 {n 1} {s 1.0f}",
			"1073741824 * 4 overflows"},
		{"unsigned wraps around", " unsigned n = 0; k<<<2, (n - 1) % 64>>>(a, 1, 1);",
			"k 2x1x1 63x1x1 0 {n 1} {s 1.0f}", ""},
		{"division by zero", " int n = 0; k<<<1 / n, 32>>>(a, 1, 1);", "k ? 32x1x1 0 {n 1} {s 1.0f}",
			"a division by zero"},
		{"too large a block", " k<<<1, 2048>>>(a, 1, 1);", "k 1x1x1 ? 0 {n 1} {s 1.0f}",
			"the work items: 2048x1x1 is not a launch that a device takes"},
		{"no groups", " k<<<0, 32>>>(a, 1, 1);", "k ? 32x1x1 0 {n 1} {s 1.0f}", "the groups: 0x1x1 is not a launch"},
		{"the runtime's functions",
			" hipLaunchKernelGGL(k, dim3(3), dim3(64), 16, 0, a, 9, 1.0f); hipLaunchKernelGGL((t<float, 4>), 1, 2, " +
				"0, 0, a); cudaLaunchKernel((const void *)k, dim3(5), 32, args, 8, 0);",
			"k 3x1x1 64x1x1 16 {n 9} {s 1.0f} | k 5x1x1 32x1x1 8 | t<float, 4> 1x1x1 2x1x1 0", ""},
		{"another kernel", " q<<<1, 2>>>(a);", "", ""},
		{"a default that is a constant of the file",
			"const int B = 32; template <int N = B * 2> void g(float *a) { k<<<1, N>>>(a, 1, 1); }\nvoid h(float *a) " +
				"{ g(a); }", "k 1x1x1 64x1x1 0 {n 1} {s 1.0f}", ""},
		{"a default that is a type of several words",
			"template <typename U = long long unsigned> void g(float *a) { k<<<1, 32, sizeof(U)>>>(a, 1, 1); }\n" +
				"void h(float *a) { g(a); }", "k 1x1x1 32x1x1 8 {n 1} {s 1.0f}", ""},
		{"a default that the call overrides",
			"template <typename U = float> void g(U *b, float *a) { k<<<1, 32, sizeof(U)>>>(a, 1, 1); }\n" +
				"void h(float *a) { double *b; g(b, a); }", "k 1x1x1 32x1x1 8 {n 1} {s 1.0f}", ""},
		{"a default of a function whose calls are not followed",
			"template <int N = 32> void g(float *a) { k<<<1, N>>>(a, 1, 1); }\ntemplate <int N = 32> void g(double " +
				"*a) {}\nvoid h(float *a) { g<64>(a); }", "k 1x1x1 ? 0 {n 1} {s 1.0f}",
			"N is an argument of a template"},
		{"defaults of a call without arguments",
			"template <int N = 32> void g(int n = 5) { k<<<n, N>>>(0, 1, 1); }\nvoid h() { g(); }",
			"k 5x1x1 32x1x1 0 {n 1} {s 1.0f}", ""},
		{"a default that closes two lists",
			"template <int N> struct S {}; template <typename U = S<4>> void g(float *a) { k<<<2, 32>>>(a, 1, 1); }\n" +
				"void h(float *a) { g(a); }", "k 2x1x1 32x1x1 0 {n 1} {s 1.0f}", ""},
		{"arguments of a template",
			"template <int A, int B> int f(int x) { return A + B + x; }\nvoid h(float *a) { k<<<1, 32>>>(a, f<1, " +
				"2>(3), 1); }", "k 1x1x1 32x1x1 0 {n 6} {s 1.0f}", ""},
		{"device code launches nothing",
			"__global__ void d(float *a) { int n = 3; a[0] = n; }\nvoid h(float *a) { d<<<1, 2>>>(a); }",
			"d 1x1x1 2x1x1 0", ""},
	} {
		text := kernels + c.host
		if strings.HasPrefix(c.host, " ") {
			text = kernels + "void h(float *a) {" + c.host + " }"
		}
		got, why := launchesOf(t, text)
		if s := strings.Join(got, " | "); s != c.want || !strings.Contains(why, c.why) ||
			c.why == "" && strings.Contains(c.want, "?") && why == "" {
			t.Errorf("%s:\n got %s\nwant %s\nnot known: %s\n     want: %s", c.name, s, c.want, why, c.why)
		}
	}
}

// TestCommandLine: what main makes of the arguments that the program is run with is known.
func TestCommandLine(t *testing.T) {
	for _, c := range []struct{ main, want, why string }{
		{"int n = atoi(argv[1]); k<<<n / 4, 32>>>(a, argc, atof(argv[2]));", "k 16x1x1 32x1x1 0 {n 3} {s 0.5f}", ""},
		{"if (argc != 3) return 1; size_t n = std::stoul(argv[1]); k<<<n, 32>>>(a, n, 1);",
			"k 64x1x1 32x1x1 0 {n 64} {s 1.0f}", ""},
		{"if (argc < 4) return 1; k<<<1, 32>>>(a, 1, 1);", "", ""},
		{"int n = argc > 3 ? atoi(argv[3]) : 5; k<<<n, 32>>>(a, n, 1);", "k 5x1x1 32x1x1 0 {n 5} {s 1.0f}", ""},
		{"k<<<1, strtol(argv[1], NULL, 10)>>>(a, 1, 1);", "k 1x1x1 64x1x1 0 {n 1} {s 1.0f}", ""},
		{"run(a, argv);", "k 64x1x1 32x1x1 0 {n 64} {s 1.0f}", ""},
		{"int n = atoi(argv[3]); k<<<n, 32>>>(a, 1, 1);", "k ? 32x1x1 0 {n 1} {s 1.0f}", "what atoi() gives"},
		{"int n = atoi(argv[2]); k<<<n, 32>>>(a, 1, 1);", "k ? 32x1x1 0 {n 1} {s 1.0f}", "what atoi() gives"},
		{"int n = argv[1]; k<<<n, 32>>>(a, 1, 1);", "k ? 32x1x1 0 {n 1} {s 1.0f}", "a text is not a number"},
	} {
		text := kernels + "int main(int argc, char *argv[]) { float *a; " + c.main + " }"
		if strings.HasPrefix(c.main, "run") {
			text += "void run(float *a, char **argv) { int n = atoi(argv[1]); k<<<n, 32>>>(a, n, 1); }"
		}
		got, why := launchesOf(t, text, "64", "0.5")
		if s := strings.Join(got, " | "); s != c.want || !strings.Contains(why, c.why) {
			t.Errorf("%s:\n got %s\nwant %s\nnot known: %s\n     want: %s", c.main, s, c.want, why, c.why)
		}
	}
}
