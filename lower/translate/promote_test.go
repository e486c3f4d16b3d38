package translate

import (
	"bytes"
	"fmt"
	"maps"
	"strings"
	"testing"

	"gpupipe/frontend"
	"gpupipe/frontend/ast"
	"gpupipe/idg"
	"gpupipe/lower"
	"gpupipe/lower/build"
	"gpupipe/lower/ir"
)

// promotions are bodies of execCase kernels that reach variables by their addresses, and what says the same without.
var promotions = []struct {
	name, top, with, without string
	cxx                      bool // C++, else both C and C++
}{
	{"pointer", "", `int x = n; int *p = &x; *p += 2; o[0] = x;`, `int x = n; x += 2; o[0] = x;`, false},
	{"pointer to pointer", "", `int x = n; int *p = &x; int **q = &p; **q = 7; o[0] = x + *p;`,
		`int x = n; x = 7; o[0] = x + x;`, false},
	{"argument", `__device__ void twice(int *p) { *p *= 2; }`, `int x = n; twice(&x); twice(&x); o[0] = x;`,
		`int x = n; x *= 2; x *= 2; o[0] = x;`, false},
	{"counter", "", `int i, *p = &i; for (i = 0; *p < n; ++*p) o[i] = a[*p];`,
		`int i; for (i = 0; i < n; ++i) o[i] = a[i];`, false},
	{"branch", `__device__ void set(int *p, int c) { if (c > 2) *p = c; else *p = 1; }`, `int x; set(&x, n); o[0] = x;`,
		`int x; if (n > 2) x = n; else x = 1; o[0] = x;`, false},
	{"swap", `__device__ void swap(int *p, int *q) { int t = *p; *p = *q; *q = t; }`,
		`int x = n, y = 3; swap(&x, &y); o[0] = x; o[1] = y;`,
		`int x = n, y = 3, t = x; x = y; y = t; o[0] = x; o[1] = y;`, false},
	{"struct", `struct P { int x; float y; }; __device__ void move(struct P *p, int d) { p->x += d; p->y = p->x; }`,
		`struct P p = {n, 2.5f}, q = p; move(&q, 3); p = q; o[0] = p.x; f[0] = p.y;`,
		`int x = n; x += 3; o[0] = x; f[0] = x;`, false},
	{"pointer in a struct", `struct P { int *x, *y; }; __device__ int sum(struct P *p) { return *p->x + *p->y; }`,
		`int x = n, y = 4; struct P p = {&x, &y}; struct P *q = &p; x++; o[0] = sum(q);`,
		`int x = n, y = 4; x++; o[0] = x + y;`, false},
	{"known elements", "", `int v[3] = {n, 2, 3}; int *p = v + 1; p[1] = 8; o[0] = v[0] + v[2] * *p;`,
		`int x = n, y = 2, z = 3; z = 8; o[0] = x + z * y;`, false},
	{"table", "", `const int v[3] = {1, 2, 3}; const int *p = v + 1; o[0] = n + p[1];`, `o[0] = n + 3;`, false},
	{"union", "", `union { float f; unsigned u; } x; x.f = f[n]; x.u ^= 0x80000000u; f[0] = x.f;`,
		`f[0] = __uint_as_float(__float_as_uint(f[n]) ^ 0x80000000u);`, true},
	{"loop", "",
		`int s = 0; int *p = &s; for (int i = 0; i < n; i++) { int t; int *q = &t; *q = a[i]; *p += *q; } o[0] = s;`,
		`int s = 0; for (int i = 0; i < n; i++) { int t; t = a[i]; s += t; } o[0] = s;`, false},

	{"reference", "", `int x = n; int &r = x; r += 2; o[0] = x;`, `int x = n; x += 2; o[0] = x;`, true},
	{"references of references", `__device__ void g(int &x) { x++; } __device__ void h(int &x) { g(x); g(x); }`,
		`int x = n; h(x); o[0] = x;`, `int x = n; x++; x++; o[0] = x;`, true},
	{"captures", "", `int x = n, y = 2; auto add = [&](int d) { x += d * y; }; add(3); y = 5; add(4); o[0] = x;`,
		`int x = n, y = 2; x += 3 * y; y = 5; x += 4 * y; o[0] = x;`, true},
	{"captures of captures", `template <class F> __device__ void call(const F &f) { f(2); }`,
		`int x = n; auto add = [&](int d) { x += d; }; call([&](int d) { add(d); }); o[0] = x;`,
		`int x = n; x += 2; o[0] = x;`, true},
	{"this",
		`struct C { int x; float y; __device__ C &add(int d) { x += d; return *this; } __device__ void put(int *o) const { *o = x; } };`,
		`C c{n, 1.0f}; c.add(2).add(a[0]); c.put(o);`, `int x = n; x += 2; x += a[0]; o[0] = x;`, true},
	{"member reference", `struct R { int &x; __device__ R(int &v) : x(v) {} __device__ void inc() { x++; } };`,
		`int x = n; R r(x); r.inc(); o[0] = x;`, `int x = n; x++; o[0] = x;`, true},
	{"choice of values", `__device__ int larger(const int &x, const int &y) { return x > y ? x : y; }`,
		`int x = n, y = a[1]; o[0] = larger(x, y);`, `int x = n, y = a[1]; o[0] = x > y ? x : y;`, true},
	{"condition", `__device__ bool within(const int &x, const int &y) { return x > 2 && x < y; }`,
		`int x = a[0], y = a[1]; if (within(x, y)) o[0] = x;`,
		`int x = a[0], y = a[1]; if (x > 2 && x < y) o[0] = x;`, true},
	{"choice of members", `struct P { int x, y; __device__ int get(int c) const { return c ? x : y; } };`,
		`P p{n, a[1]}; o[0] = p.get(a[2]);`, `int x = n, y = a[1]; o[0] = a[2] ? x : y;`, true},
	{"counter by reference", `__device__ void step(int &i) { i++; }`, `for (int i = 0; i < n; step(i)) o[i] = a[i];`,
		`for (int i = 0; i < n; i++) o[i] = a[i];`, true},
}

// lowered lowers a case as CUDA and, if it is C, as OpenCL.
func (c *execCase) lowered(t *testing.T, cxx bool) []*lower.Kernel {
	t.Helper()
	k := mustLower(t, ast.CUDA, c.source(ast.CUDA), "")
	if cxx {
		return []*lower.Kernel{k}
	}
	return []*lower.Kernel{k, mustLower(t, ast.OpenCL, strings.ReplaceAll(c.source(ast.OpenCL), "__device__", ""), "")}
}

// operations counts a kernel's operations by kind.
func operations(k *lower.Kernel) map[string]int {
	counts := map[string]int{}
	lower.Walk(k.Body, func(s lower.Stmt) {
		switch s := s.(type) {
		case *Instr:
			if s.Op != lower.Mov {
				counts[fmt.Sprintf("%v.%v.%v", s.Op, s.Type, s.Space)]++
			}
		case *lower.Region:
		default:
			counts[fmt.Sprintf("%T", s)]++
		}
	})
	build.Build(k).Body.Walk(func(in *ir.Instr) {
		if in.Kind == "loop" && in.Counting {
			counts["counted"]++
		}
	})
	return counts
}

// TestPromotions: reaching a variable by its address costs nothing.
func TestPromotions(t *testing.T) {
	for _, c := range promotions {
		t.Run(c.name, func(t *testing.T) {
			with := (&execCase{top: c.top, body: c.with}).lowered(t, c.cxx)
			without := (&execCase{top: c.top, body: c.without}).lowered(t, c.cxx)
			for i, k := range with {
				if a, b := operations(k), operations(without[i]); !maps.Equal(a, b) {
					t.Errorf("%v with addresses, %v without\n%s\n%s", a, b, build.Build(k), build.Build(without[i]))
				}
				for _, o := range k.Objects {
					if o.Space == idg.SpacePrivate {
						t.Errorf("%s is in memory\n%s", o.Name, build.Build(k))
					}
				}
				if a, b := execute(t, k), execute(t, without[i]); !bytes.Equal(a, b) {
					t.Errorf("%v with addresses, %v without\n%s", a, b, build.Build(k))
				}
			}
		})
	}
}

// TestStaysInMemory: objects stay where not every access of them is known.
func TestStaysInMemory(t *testing.T) {
	for _, c := range []struct {
		name, top, body string
		objects         string
	}{
		{"subscript", "", `int v[3] = {n, 2, 3}; o[0] = v[n & 1];`, "v"},
		{"choice", "", `int x = n, y = 2; int *p = n > 2 ? &x : &y; *p = 3; o[0] = x + y;`, "x y"},
		{"assigned twice", "", `int x = n, y = 2; int *p = &x; *p = 1; p = &y; *p = 3; o[0] = x + y;`, "x y"},
		{"compared", "", `int x = n; int *p = &x; if (p != 0) *p = 2; o[0] = x;`, "x"},
		{"converted", "", `int x = n; long p = (long)&x; *(int *)p = 2; o[0] = x;`, "x"},
		{"stored", "", `int x = n; int *v[2]; v[0] = v[1] = &x; *v[n & 1] = 3; o[0] = x;`, "x v"},
		{"overlap", "", `int x = n; *((short *)&x + 1) = 2; o[0] = x;`, "x"},
		{"outside", "", `int x = n, y = 0; int *p = &x; if (n < 0) y = p[1]; o[0] = x + y;`, "x"},
		{"volatile", "", `volatile int x = n; volatile int *p = &x; o[0] = *p;`, "x"},
		{"walk", "", `int v[4] = {1, 2, 3, n}; int s = 0; for (int *p = v; p < v + 4; p++) s += *p; o[0] = s;`, "v"},
	} {
		t.Run(c.name, func(t *testing.T) {
			for _, k := range (&execCase{top: c.top, body: c.body}).lowered(t, false) {
				var names []string
				for _, o := range k.Objects {
					if o.Space == idg.SpacePrivate {
						names = append(names, o.Name)
					}
				}
				if got := strings.Join(names, " "); got != c.objects {
					t.Errorf("in memory: %s, want %s\n%s", got, c.objects, build.Build(k))
				}
			}
		})
	}
}

// BenchmarkPromote lowers chains of copies through pointers.
func BenchmarkPromote(b *testing.B) {
	for _, n := range []int{1000, 16_000} {
		var text strings.Builder
		text.WriteString("int x0 = n; int *p0 = &x0;\n")
		for i := 1; i < n; i++ {
			fmt.Fprintf(&text, "int x%d = *p%d; int *q%d = &x%d, *p%d = q%d;\n", i, i-1, i, i, i, i)
		}
		fmt.Fprintf(&text, "o[0] = *p%d;", n-1)
		u, err := frontend.Parse(frontend.Config{File: "k.cl",
			Text: (&execCase{body: text.String()}).source(ast.OpenCL), Dialect: ast.OpenCL})
		if err != nil {
			b.Fatal(err)
		}
		benchmarkUnit(b, fmt.Sprintf("variables=%d", n), u, u.Kernels[0])
	}
}
