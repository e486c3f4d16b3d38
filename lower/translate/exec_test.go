package translate

import (
	"encoding/binary"
	"math"
	"testing"

	"gpupipe/frontend"
	"gpupipe/frontend/ast"
	"gpupipe/internal/test/irverify"
	"gpupipe/lower"
	"gpupipe/lower/build"
)

// executeKernel executes a kernel for one work item by packages that need this one: execute_ir_test.go sets it.
var executeKernel func(k *lower.Kernel, buffers map[string][]byte, scalars, index map[string]uint64) error

// SetExecute sets how the tests execute a kernel.
func SetExecute(f func(k *lower.Kernel, buffers map[string][]byte, scalars, index map[string]uint64) error) {
	executeKernel = f
}

// mustLower parses a source and lowers one of its kernels ("" = the first),
// verified.
func mustLower(t testing.TB, dialect ast.Dialect, src, name string) *lower.Kernel {
	t.Helper()
	u, err := frontend.Parse(frontend.Config{File: "k.cl", Text: src, Dialect: dialect})
	if err != nil {
		t.Fatalf("parse: %v\n%s", err, src)
	}
	fn := u.Kernels[0]
	if name != "" {
		fn = u.Kernel(name)
	}
	k, err := Kernel(u, fn)
	if err != nil {
		t.Fatalf("lower: %v\n%s", err, src)
	}
	if err := irverify.Verify(build.Build(k)); err != nil {
		t.Fatalf("verify: %v\n%s", err, build.Build(k))
	}
	return k
}

// execCase is a kernel body and what it must leave in o.
type execCase struct {
	name, top, body string
	want            []int32
}

// execCases run as the body of
//
//	kernel void k(global int *o, global const int *a, global float *f, int n, uint u)
//
// with a = 3 1 4 1 5 9 2 6, f = 0.5 1.5 ... 15.5, n = 5 and u = 4294967295, after
// the declarations in top. get_global_id(0) is 2, get_local_id(1) 4, get_group_id(2)
// 5 and get_local_size(0) 64. want are the first words of o, which starts as 0. The
// expected values follow from C's rules and were worked out by hand.
var execCases = []execCase{
	{name: "factorial for", body: `int r = 1; for (int i = 2; i <= n; i++) r *= i; o[0] = r;`, want: []int32{120}},
	{name: "factorial while", body: `int r = 1, i = n; while (i > 1) { r *= i; i--; } o[0] = r;`, want: []int32{120}},
	{name: "factorial do", body: `int r = 1, i = 1; do { r *= i++; } while (i <= n); o[0] = r;`, want: []int32{120}},
	{name: "while with a decrement in its condition", body: `int c = n, s = 0; while (c--) s += c; o[0] = s; o[1] = c;`,
		want: []int32{10, -1}},
	{name: "do while with the step in its condition", body: `int i = 0, s = 0; do s += i; while (++i < n); o[0] = s;`,
		want: []int32{10}},
	{name: "do runs once", body: `int i = 9; do o[0] = ++i; while (i < n);`, want: []int32{10}},
	{name: "for runs not at all", body: `o[0] = 7; for (int i = n; i < n; i++) o[0] = i;`, want: []int32{7}},
	{name: "for with two variables",
		body: `int s = 0; for (int i = 0, j = 10; i < j; i += 2, j--) s += i * j; o[0] = s;`,
		want: []int32{0 + 18 + 32 + 42}},
	{name: "nested loops",
		body: `int s = 0; for (int i = 0; i < 3; i++) for (int j = i; j < 4; j++) s += i * 10 + j; o[0] = s;`,
		want: []int32{0 + 1 + 2 + 3 + 11 + 12 + 13 + 22 + 23}},
	{name: "break", body: `int i; for (i = 0; i < 100; i++) if (a[i] == 9) break; o[0] = i;`, want: []int32{5}},
	{name: "continue reaches the step",
		body: `int s = 0; for (int i = 0; i < 8; i++) { if (i & 1) continue; s += a[i]; } o[0] = s;`,
		want: []int32{14}},
	{name: "continue in do evaluates the condition",
		body: `int i = 0, s = 0; do { i++; if (i == 3) continue; s += i; } while (i < n); o[0] = s;`,
		want: []int32{12}},
	{name: "continue in while",
		body: `int i = 0, s = 0; while (i < n) { i++; if (i == 2) continue; s += i; } o[0] = s;`, want: []int32{13}},
	{name: "break of the inner loop only",
		body: `int s = 0; for (int i = 0; i < 3; i++) { for (int j = 0; ; j++) { if (j == 2) break; s += 10; } s++; } o[0] = s;`, want: []int32{63}},
	{name: "forever",
		body: `int i = 0; for (;;) { if (i * i > 50) break; i++; } o[0] = i; while (1) { i++; if (i > 20) break; } o[1] = i;`, want: []int32{8, 21}},
	{name: "return in a loop", body: `for (int i = 0; i < 8; i++) { o[0] = i; if (a[i] == 4) return; } o[1] = 1;`,
		want: []int32{2, 0}},
	{name: "early return", body: `o[0] = 1; if (n > 3) return; o[0] = 2;`, want: []int32{1}},
	{name: "code after return", body: `o[0] = 1; return; for (;;) o[0]++;`, want: []int32{1}},
	{name: "do while 0 is no loop",
		body: `do { o[0] = 1; if (n == 5) break; o[0] = 2; } while (0); do { o[1] = 3; } while (0); do { if (n) continue; o[2] = 9; } while (0);`, want: []int32{1, 3, 0}},
	{name: "if else chain",
		body: `if (n < 3) o[0] = 1; else if (n < 6) o[0] = 2; else o[0] = 3; if (n) o[1] = 4; if (!n) o[2] = 5; else o[2] = 6;`, want: []int32{2, 4, 6}},

	{name: "switch",
		body: `for (int i = 0; i < 4; i++) switch (i) { case 0: o[0] = 1; break; case 1: o[1] = 2; break; default: o[i] = 9; break; case 2: o[2] = 3; }`, want: []int32{1, 2, 3, 9}},
	{name: "switch falls through",
		body: `switch (n) { case 4: o[0]++; case 5: o[1]++; case 6: o[2]++; break; case 7: o[3]++; }`,
		want: []int32{0, 1, 1, 0}},
	{name: "switch with several labels",
		body: `for (int i = 0; i < 6; i++) switch (i) { case 1: case 3: case 5: o[0]++; break; default: o[1]++; }`,
		want: []int32{3, 3}},
	{name: "switch without a match", body: `o[0] = 1; switch (n) { case 1: o[0] = 2; }`, want: []int32{1}},
	{name: "default in the middle falls through",
		body: `switch (n) { case 1: o[0] = 1; default: o[1] = 1; case 2: o[2] = 1; }`, want: []int32{0, 1, 1}},
	{name: "switch on a negative value", body: `switch (-n) { case -5: o[0] = 1; break; default: o[0] = 2; }`,
		want: []int32{1}},
	{name: "continue inside a switch",
		body: `int s = 0; for (int i = 0; i < 5; i++) { switch (i) { case 2: continue; case 3: break; default: s += 1; } s += 10; } o[0] = s;`, want: []int32{43}},
	{name: "return inside a switch", body: `switch (n) { case 5: o[0] = 1; return; } o[1] = 1;`, want: []int32{1, 0}},

	{name: "unsigned wraps around",
		body: `uint x = u; x += 2; o[0] = (int)x; x = 0; x--; o[1] = x == u; uint y = 3; o[2] = (y - 4 > 0);`,
		want: []int32{1, 1, 1}},
	{name: "signed and unsigned comparison", body: `o[0] = -1 > 1u; o[1] = -1 > 1; o[2] = (uint)-1 == u;`,
		want: []int32{1, 0, 1}},
	{name: "narrow types wrap",
		body: `uchar c = 250; c += 10; o[0] = c; char d = 127; d++; o[1] = d; ushort s = 0; s--; o[2] = s; short t = (short)40000; o[3] = t;`, want: []int32{4, -128, 65535, -25536}},
	{name: "promotion before the operation",
		body: `uchar c = 200, d = 100; o[0] = c + d; o[1] = (uchar)(c + d); o[2] = ~c; o[3] = c << 2;`,
		want: []int32{300, 44, -201, 800}},
	{name: "shifts",
		body: `int m = -16; o[0] = m >> 2; o[1] = (uint)m >> 28; o[2] = 1 << n; o[3] = (int)(u >> 31); long q = 1; o[4] = (int)((q << 40) >> 38); o[5] = n >> 1;`, want: []int32{-4, 15, 32, 1, 4, 2}},
	{name: "division and remainder",
		body: `int m = -7; o[0] = m / 2; o[1] = m % 2; o[2] = (int)(u / 2u); o[3] = (int)(u % 10u); o[4] = n / 2 * 2;`,
		want: []int32{-3, -1, 2147483647, 5, 4}},
	{name: "64-bit arithmetic",
		body: `long x = 3000000000L; x *= 4; o[0] = (int)(x >> 32); o[1] = (int)x; ulong y = (ulong)-1; o[2] = (y > 5); size_t z = n; z -= 6; o[3] = (z > 100);`, want: []int32{2, -884901888, 1, 1}},
	{name: "bitwise",
		body: `o[0] = n & 6; o[1] = n | 6; o[2] = n ^ 6; o[3] = ~n; int x = 12; x &= 10; x |= 1; x ^= 3; x <<= 2; x >>= 1; o[4] = x;`, want: []int32{4, 7, 3, -6, 20}},
	{name: "conversions of floats",
		body: `o[0] = (int)2.9f; o[1] = (int)-2.9f; o[2] = (int)f[3]; float g = n; o[3] = g / 2 == 2.5f; o[4] = (int)(n / 2 * 1.0f); double d = 0.1; o[5] = (float)d == 0.1f; o[6] = d == 0.1f;`, want: []int32{2, -2, 3, 1, 2, 1, 0}},
	{name: "float arithmetic is single",
		body: `float x = 16777216.0f; x += 1.0f; o[0] = x == 16777216.0f; double y = 16777216.0; y += 1; o[1] = y == 16777217.0;`, want: []int32{1, 1}},
	{name: "bool",
		body: `bool b = n; o[0] = b; b = 0.5f; o[1] = b; b = a[1] - 1; o[2] = b; bool c = n > 3; o[3] = c + c; o[4] = b == c; o[5] = b != c; o[6] = !c; if (c) o[7] = 3;`, want: []int32{1, 1, 0, 2, 0, 1, 0, 3}},
	{name: "comparison as number",
		body: `o[0] = (n > 3) + (n > 4) + (n > 5); o[1] = (n == 5) * 7; o[2] = -(n < 9); o[3] = (int)((float)(n > 1) * 2.5f * 2); o[4] = (n > 1) & (n < 3); o[5] = (n > 1) ^ (n < 3); o[6] = !(n > 1); o[7] = !!n;`, want: []int32{2, 7, -1, 5, 0, 1, 0, 1}},

	{name: "ternary",
		body: `o[0] = n > 3 ? 10 : 20; o[1] = n < 3 ? a[0] : a[5]; o[2] = n ? n < 5 ? 1 : 2 : 3; float x = n > 3 ? 1 : 0.5f; o[3] = x == 1.0f;`, want: []int32{10, 9, 2, 1}},
	{name: "ternary evaluates one side",
		body: `int x = 0, y = 0; int z = n > 3 ? ++x : ++y; o[0] = x; o[1] = y; o[2] = z; z = n > 9 ? (x = 7) : (y = 8); o[3] = x; o[4] = y; o[5] = z; n < 3 ? x++ : y++; o[6] = x; o[7] = y;`, want: []int32{1, 0, 1, 1, 8, 8, 1, 9}},
	{name: "ternary does not load the other side", body: `int i = 100000; o[0] = i < 8 ? a[i] : -1;`,
		want: []int32{-1}},
	{name: "&& short-circuits",
		body: `int x = 0; if (n > 9 && ++x) o[0] = 1; o[1] = x; if (n > 3 && ++x) o[2] = 1; o[3] = x; int i = 100000; if (i < 8 && a[i]) o[4] = 1; o[5] = n && 0; o[6] = n && x;`, want: []int32{0, 0, 1, 1, 0, 0, 1}},
	{name: "|| short-circuits",
		body: `int x = 0; if (n > 3 || ++x) o[0] = 1; o[1] = x; if (n > 9 || ++x) o[2] = 1; o[3] = x; int i = 100000; if (i > 8 || a[i]) o[4] = 1; o[5] = 0 || n; o[6] = (x > 5) || (n > 6);`, want: []int32{1, 0, 1, 1, 1, 1, 0}},
	{name: "mixed short circuits",
		body: `int c = 0; if ((n > 9 && c++) || (n > 3 && (c += 10)) && !(c == 3 || c++ > 99)) o[0] = c; o[1] = n / 1 > 0 && 10 / n == 2; o[2] = n != 0 && 10 % n == 0;`, want: []int32{11, 1, 1}},
	{name: "short circuit in a loop condition",
		body: `int i = 0; while (i < 8 && a[i] != 9) i++; o[0] = i; for (i = 0; i < 3 || a[i] < 5; i++) ; o[1] = i;`,
		want: []int32{5, 4}},
	{name: "increments",
		body: `int x = 5; o[0] = x++; o[1] = x; o[2] = ++x; o[3] = x--; o[4] = --x; int y = x++ + 10; o[5] = y; o[6] = x;`, want: []int32{5, 6, 7, 7, 5, 15, 6}},
	{name: "increments in memory",
		body: `o[0] = 5; o[1] = o[0]++; o[2] = ++o[0]; o[3] = o[0]--; o[4] = --o[0]; int i = 5; o[i++] = i; o[i] = i;`,
		want: []int32{5, 5, 7, 7, 5, 5, 6}},
	{name: "float increment",
		body: `float x = 0.5f; x++; ++x; x--; o[0] = x == 1.5f; f[0]++; o[1] = f[0] == 1.5f; f[1]--; o[2] = f[1] == 0.5f;`, want: []int32{1, 1, 1}},
	{name: "comma",
		body: `int x = (o[1] = 3, n + 1); o[0] = x; int y; y = 1, o[2] = 4; o[3] = y; for (int i = 0, j = 9; i < 3; i++, j--) o[4] = j;`, want: []int32{6, 3, 4, 1, 7}},
	{name: "assignment has a value",
		body: `int x, y, z; x = y = z = n; o[0] = x + y + z; o[1] = (x = 3) + 1; uchar c; int d = (c = 300); o[2] = d; o[3] = (o[4] = 8) / 2;`, want: []int32{15, 4, 44, 4, 8}},
	{name: "compound assignment converts",
		body: `int x = 7; x *= 1.5f; o[0] = x; x /= 2; o[1] = x; uchar c = 255; c >>= 1; o[2] = c; c *= 3; o[3] = c; x -= 2 - 1; o[4] = x; float g = 3; g /= 2; o[5] = g == 1.5f; x %= 3; o[6] = x; int y = 2000000000; y += 2000000000u; o[7] = y;`, want: []int32{10, 5, 127, 125, 4, 1, 1, -294967296}},
	{name: "swap through a temporary", body: `int x = 1, y = 2, t = x; x = y; y = t; o[0] = x; o[1] = y;`,
		want: []int32{2, 1}},
	{name: "Fibonacci keeps old values",
		body: `int x = 0, y = 1; for (int i = 0; i < 10; i++) { int t = x + y; x = y; y = t; } o[0] = x;`,
		want: []int32{55}},
	{name: "greatest common divisor", body: `int x = 48, y = 36; while (y) { int t = x % y; x = y; y = t; } o[0] = x;`,
		want: []int32{12}},
	{name: "prime sieve in a private array",
		body: `int s[20]; for (int i = 0; i < 20; i++) s[i] = 1; for (int i = 2; i < 20; i++) for (int j = 2 * i; j < 20; j += i) s[j] = 0; int c = 0; for (int i = 2; i < 20; i++) c += s[i]; o[0] = c;`, want: []int32{8}},
	{name: "bit count by shifting", body: `uint x = 0xf0f1; int c = 0; for (; x; x >>= 1) c += x & 1; o[0] = c;`,
		want: []int32{9}},
	{name: "halving loop",
		body: `int c = 0; for (int s = 64 / 2; s > 0; s >>= 1) c += s; o[0] = c; for (int s = 1; s < 100; s *= 2) c++; o[1] = c;`, want: []int32{63, 70}},

	{name: "arrays with initialisers",
		body: `int x[5] = {1, 2, 3}; o[0] = x[0] + x[1] * 10 + x[2] * 100 + x[3] + x[4]; int y[2][3] = {{1, 2, 3}, {4, 5, 6}}; o[1] = y[1][0] * 10 + y[0][2]; int s = 0; for (int i = 0; i < 2; i++) for (int j = 0; j < 3; j++) s += y[i][j] * (i + 1); o[2] = s;`, want: []int32{321, 43, 36}},
	{name: "multi-dimensional arrays",
		body: `int x[2][3][4]; for (int i = 0; i < 2; i++) for (int j = 0; j < 3; j++) for (int k = 0; k < 4; k++) x[i][j][k] = i * 100 + j * 10 + k; o[0] = x[1][2][3]; o[1] = x[n - 5][1][n - 3]; int *p = &x[0][0][0]; o[2] = p[12 + 4 + 1];`, want: []int32{123, 12, 111}},
	{name: "const table",
		body: `const int w[4] = {2, 3, 5, 7}; int s = 0; for (int i = 0; i < 4; i++) s = s * 10 + w[i]; o[0] = s;`,
		want: []int32{2357}},
	{name: "constant memory",
		top: `constant float w[3] = {0.25f, 0.5f, 0.25f}; constant int2 v[2] = {(int2)(1, 2), (int2)(3, 4)}; constant int big = 42; struct T { char c; int d[2]; }; constant struct T tt = {1, {2, 3}};`, body: `float s = 0; for (int i = 0; i < 3; i++) s += w[i] * f[i]; o[0] = s == 1.5f; o[1] = v[n - 4].y; o[2] = big; o[3] = tt.d[n - 4] + tt.c;`, want: []int32{1, 4, 42, 4}},
	{name: "local memory",
		body: `local int t[8]; local int one; for (int i = 0; i < 8; i++) t[7 - i] = a[i]; one = 5; barrier(CLK_LOCAL_MEM_FENCE); o[0] = t[0]; o[1] = t[n]; o[2] = one;`, want: []int32{6, 4, 5}},
	{name: "pointers",
		body: `global const int *p = a; o[0] = *p; o[1] = *(p + 2); p += 4; o[2] = *p; p--; o[3] = p[0]; o[4] = p[-1]; o[5] = (int)(p - a); o[6] = *p++; o[7] = p == a + 4;`, want: []int32{3, 4, 5, 1, 4, 3, 1, 1}},
	{name: "pointer loop",
		body: `int s = 0; for (global const int *p = a; p < a + 8; ++p) s += *p; o[0] = s; global const int *q = a + 8; s = 0; while (q != a) s = s * 2 + *--q; o[1] = s; q = 0; o[2] = q == 0; o[3] = !q;`, want: []int32{31, 6<<7 + 2<<6 + 9<<5 + 5<<4 + 1<<3 + 4<<2 + 1<<1 + 3, 1, 1}},
	{name: "address of a variable",
		body: `int x = 1; int *p = &x; *p += 5; o[0] = x; x = 9; o[1] = *p; int y[3]; int *q = y; *q++ = 1; *q++ = 2; *q = 3; o[2] = y[0] + y[1] * 10 + y[2] * 100; o[3] = (int)(q - y);`, want: []int32{6, 9, 321, 2}},
	{name: "pointer casts",
		body: `global const uchar *b = (global const uchar *)a; o[0] = b[8]; global short *h = (global short *)o; h[2] = 7; h[3] = 1; o[2] = sizeof(int) == 4;`, want: []int32{4, 65543, 1}},
	{name: "array of pointers",
		body: `global const int *p[2]; p[0] = a; p[1] = a + 4; o[0] = p[1][1]; o[1] = p[n - 5][2];`,
		want: []int32{9, 4}},

	{name: "helper functions",
		top: `int sq(int x) { return x * x; } int f2(int x, int y) { x += y; if (x > 10) return x - 10; x++; return x; } void put(global int *p, int v) { *p = v; p[1] = v + 1; }`, body: `o[0] = sq(n) + sq(3); o[1] = f2(n, 3); o[2] = f2(n, 9); put(o + 3, n); o[5] = n; o[6] = sq(sq(2)) + a[sq(2)];`, want: []int32{34, 9, 4, 5, 6, 5, 21}},
	{name: "early returns in helpers",
		top: `int find(global const int *p, int v) { for (int i = 0; i < 8; i++) { if (p[i] == v) return i; if (p[i] > 100) { while (1) return -2; } } return -1; } int sgn(int x) { if (x < 0) return -1; else if (x > 0) return 1; return 0; }`, body: `o[0] = find(a, 5); o[1] = find(a, 77); o[2] = sgn(-4) + sgn(0) * 5 + sgn(9) * 10; for (int i = 0; i < 3; i++) o[3] += find(a, i + 1);`, want: []int32{4, -1, 9, 1 + 6 + 0}},
	{name: "out parameters",
		top: `void two(int x, int *p, int *q) { *p = x + 1; *q = *p * 2; } void swap(int *p, int *q) { int t = *p; *p = *q; *q = t; }`, body: `int x, y; two(n, &x, &y); o[0] = x; o[1] = y; swap(&x, &y); o[2] = x; int z[2] = {1, 2}; swap(z, z + 1); o[3] = z[0] * 10 + z[1];`, want: []int32{6, 12, 12, 21}},
	{name: "parameters are copies",
		top:  `int mess(int x) { x = x * 2; x++; return x; } int keep(int x) { return x + mess(x) + x; }`,
		body: `int y = n; o[0] = mess(y); o[1] = y; o[2] = keep(y);`, want: []int32{11, 5, 21}},
	{name: "argument that the statement assigns",
		top:  `int inc(int x) { return x + 1; } int2 sw(int2 v) { int2 r; r.x = v.y; r.y = v.x; return r; }`,
		body: `int x = n; x = inc(x) + x; o[0] = x; int2 v = (int2)(1, 2); v = sw(v); o[1] = v.x * 10 + v.y;`,
		want: []int32{11, 21}},

	{name: "structs", top: `struct P { int x, y; }; struct L { struct P a, b; float w; };`,
		body: `struct P p = {1, 2}, q = p; q.x = 5; o[0] = p.x * 10 + q.x; struct L l; l.a = p; l.b = q; l.w = 2; o[1] = l.a.y * 100 + l.b.x * 10 + (int)l.w; struct L m = l; m.a.x = 9; o[2] = l.a.x; p = q; o[3] = p.x + p.y;`, want: []int32{15, 252, 1, 7}},
	{name: "structs in memory", top: `struct P { char c; int v; short s; };`,
		body: `struct P p[3]; for (int i = 0; i < 3; i++) { p[i].c = i; p[i].v = i * 100; p[i].s = -i; } struct P q = p[n - 3]; o[0] = q.c; o[1] = q.v; o[2] = q.s; p[0] = q; o[3] = p[0].v; struct P *r = &p[1]; r->v++; o[4] = p[1].v; (*r).s = 8; o[5] = r->s + r[1].c;`, want: []int32{2, 200, -2, 200, 101, 10}},
	{name: "struct with an array", top: `struct A { int n; int v[4]; };`,
		body: `struct A x = {4, {1, 2, 3, 4}}; o[0] = x.v[2]; x.v[1] = 7; struct A y = x; int s = 0; for (int i = 0; i < y.n; i++) s += y.v[i]; o[1] = s; o[2] = x.n;`, want: []int32{3, 15, 4}},
	{name: "structs by value in calls",
		top: `struct P { int x, y; }; struct P mk(int x, int y) { struct P p; p.x = x; p.y = y; return p; } int dot2(struct P a, struct P b) { a.x *= b.x; return a.x + a.y * b.y; }`, body: `struct P p = mk(2, 3); o[0] = dot2(p, mk(4, 5)); o[1] = p.x; o[2] = mk(7, 8).y;`, want: []int32{23, 2, 8}},
	{name: "union", top: `union U { float f; uint i; uchar b[4]; };`,
		body: `union U u1; u1.f = 1.0f; o[0] = u1.i; o[1] = u1.b[3]; u1.b[3] = 0xbf; o[2] = u1.f == -1.0f; union U v = u1; o[3] = v.i == 0xbf800000;`, want: []int32{0x3f800000, 0x3f, 1, 1}},

	{name: "vector swizzles",
		body: `int4 v = (int4)(1, 2, 3, 4); int4 w = v.wzyx; o[0] = w.x * 1000 + w.y * 100 + w.z * 10 + w.w; v.xy = v.yx; o[1] = v.x * 10 + v.y; v.s0 = 9; o[2] = v.s0 + v.hi.y; v = v.yxwz; o[3] = v.x * 1000 + v.y * 100 + v.z * 10 + v.w; v.lo += 1; o[4] = v.x * 10 + v.y; v.zx = (int2)(7, 8); o[5] = v.z * 10 + v.x;`, want: []int32{4321, 21, 13, 1943, 0 + 1*20 + 10, 78}},
	{name: "vector arithmetic",
		body: `int4 v = (int4)(1, 2, 3, 4), w = v * v + 1; o[0] = w.x + w.y + w.z + w.w; w -= v; w = -w; o[1] = w.w; w = v << 2; o[2] = w.z; int4 c = v > 2; o[3] = c.x; o[4] = c.w; o[5] = any(v > 3); o[6] = all(v > 3); o[7] = all(v > 0) && !any(v == 7);`, want: []int32{34, -13, 12, 0, -1, 1, 0, 1}},
	{name: "vector operation that reads the lanes it writes",
		body: `int2 v = (int2)(1, 2); v = v + v.yx; o[0] = v.x * 10 + v.y; int4 w = (int4)(1, 2, 3, 4); w = w.wzyx - w; o[1] = w.x * 1000 + w.y * 100 + w.z * 10 + w.w; w.yz = w.zy + w.xy; o[2] = w.y * 10 + w.z;`, want: []int32{33, 3000 + 100 - 10 - 3, 20 + 2}},
	{name: "vector literals of vectors",
		body: `int2 p = (int2)(1, 2); int4 v = (int4)(p, 3, n); o[0] = v.y * 100 + v.z * 10 + v.w; int4 s = (int4)(7); o[1] = s.x + s.w; int8 e = (int8)(v, s); o[2] = e.s3 + e.s7; o[3] = e.odd.x + e.even.y; int3 t = (int3)(p, 9); o[4] = t.z; int16 x = 2; x.sa = 5; o[5] = x.sA + x.sf; float4 g = 0; g.x = n; o[6] = (int)(g.x + g.y);`, want: []int32{235, 14, 12, 5, 9, 7, 5}},
	{name: "vectors in memory",
		body: `global int4 *p = (global int4 *)o; p[0] = (int4)(1, 2, 3, 4); p[1] = p[0] * 10; p[0].y = 77; p[1].zw = p[0].xy; int4 v = vload4(0, a + 1); p[0].x = v.z; p[0].w = p[1].s1;`, want: []int32{1, 77, 3, 20, 10, 20, 1, 77}},
	{name: "lane selections with gaps",
		body: `global int4 *p = (global int4 *)o; p[0] = (int4)(1, 2, 3, 4); int2 g = p[0].xw; p[1].xz = g.yx; p[1].yw = p[0].zy;`, want: []int32{1, 2, 3, 4, 4, 3, 1, 2}},
	{name: "vector of three in memory",
		body: `int3 x[2]; x[0] = (int3)(1, 2, 3); x[1] = x[0].zyx; o[0] = x[1].x; o[1] = sizeof(int3); int3 y = vload3(1, a); o[2] = y.z; vstore3(y, 1, o);`, want: []int32{3, 16, 9, 1, 5, 9}},
	{name: "vload and vstore",
		body: `int2 v = vload2(1, a); o[0] = v.x; o[1] = v.y; vstore2(v.yx, 2, o); int4 w = vload4(1, a); vstore2(w.hi, 1, o);`, want: []int32{4, 1, 2, 6, 1, 4}},
	{name: "vector ternary and select",
		body: `int4 v = (int4)(1, 2, 3, 4); int4 r = v > 2 ? v : -v; o[0] = r.x * 10 + r.w; r = select(v, v * 10, v == 2); o[1] = r.x + r.y; o[2] = select(1, 2, n > 3); o[3] = bitselect(0x0f, 0xf0, 0x3c); int4 q = n > 3 ? v : r; o[4] = q.y; int4 z = !(v - 1); o[5] = z.x; int4 l = v && (v > 2); o[6] = l.z + l.y;`, want: []int32{-6, 21, 2, 0x33, 2, -1, -1}},
	{name: "vector increments and compounds",
		body: `int2 v = (int2)(1, 2); v++; int2 w = v++; o[0] = v.x * 10 + v.y; o[1] = w.x * 10 + w.y; v *= w; o[2] = v.x * 100 + v.y; v.y += 100; o[3] = v.y; v.x++; o[4] = v.x; int k = v.x--; o[5] = k - v.x;`, want: []int32{34, 23, 612, 112, 7, 1}},
	{name: "vector lanes by variable",
		body: `int s = 0; int v[4]; for (int i = 0; i < 4; i++) { v[i] = i * i; s += v[i]; } o[0] = s;`,
		want: []int32{14}},
	{name: "convert",
		body: `float4 g = (float4)(1.9f, -1.9f, 300.0f, -5.0f); int4 v = convert_int4(g); o[0] = v.x; o[1] = v.y; uchar4 c = convert_uchar4_sat(g); o[2] = c.z; o[3] = c.w; o[4] = convert_int_rte(2.5f); o[5] = convert_int_rtp(2.1f); o[6] = convert_int_rtn(-2.1f); o[7] = convert_uchar_sat(n - 9);`, want: []int32{1, -1, 255, 0, 2, 3, -3, 0}},
	{name: "reinterpret",
		body: `o[0] = as_int(1.0f); o[1] = as_float(0x40000000) == 2.0f; int2 v = as_int2((float2)(1.0f, 2.0f)); o[2] = v.y; uchar4 c = as_uchar4(0x04030201); o[3] = c.w * 10 + c.x; o[4] = as_int((uchar4)(1, 0, 1, 0));`, want: []int32{0x3f800000, 1, 0x40000000, 41, 65537}},

	{name: "integer functions",
		body: `o[0] = min(n, 3); o[1] = max(n, 9); o[2] = clamp(n, 6, 8); o[3] = abs(-n); o[4] = mad24(n, 3, 1); o[5] = mul24(n, n); o[6] = mul_hi(1 << 30, 8); o[7] = popcount(255); o[8] = abs_diff(3, n); o[9] = (int)min(u, 7u);`, want: []int32{3, 9, 6, 5, 16, 25, 2, 8, 2, 7}},
	{name: "float functions",
		body: `float x = f[2]; o[0] = fmax(x, 1.0f) == 2.5f; o[1] = fma(x, 2.0f, 1.0f) == 6.0f; o[2] = mix(1.0f, 3.0f, 0.5f) == 2.0f; o[3] = step(1.0f, x) == 1.0f; o[4] = smoothstep(0.0f, 1.0f, 0.5f) == 0.5f; o[5] = sign(-x) == -1.0f; o[6] = fabs(-x) == x; o[7] = sqrt(16.0f) == 4.0f; o[8] = copysign(x, -1.0f) == -2.5f; o[9] = fdim(x, 1.0f) == 1.5f;`, want: []int32{1, 1, 1, 1, 1, 1, 1, 1, 1, 1}},
	{name: "geometric functions",
		body: `float4 v = (float4)(1, 2, 3, 4); o[0] = dot(v, v) == 30; o[1] = length((float2)(3, 4)) == 5; o[2] = distance((float2)(1, 1), (float2)(4, 5)) == 5; float3 c = cross((float3)(1, 0, 0), (float3)(0, 1, 0)); o[3] = c.z == 1; o[4] = normalize((float2)(0, 4)).y == 1; o[5] = fast_length((float3)(0, 3, 4)) == 5;`, want: []int32{1, 1, 1, 1, 1, 1}},
	{name: "two results",
		body: `float s, c; s = sincos(0.0f, &c); o[0] = s == 0; o[1] = c == 1; float2 fl; float2 r = fract((float2)(1.25f, -0.5f), &fl); o[2] = r.x == 0.25f; o[3] = fl.y == -1; int e; float m = frexp(8.0f, &e); o[4] = e; o[5] = m == 0.5f; float q[2]; fract(2.5f, &q[1]); o[6] = (int)q[1]; fract(2.5f, f); o[7] = (int)f[0];`, want: []int32{1, 1, 1, 1, 4, 1, 2, 2}},
	{name: "relational functions",
		body: `float x = f[0], z = x - x, y = z / z; o[0] = isnan(y); o[1] = isnan(x); o[2] = isinf(x / z); o[3] = isfinite(x); if (isnan(y) && !isnan(x)) o[4] = 1; int2 v = isgreater((float2)(1, 2), (float2)(2, 1)); o[5] = v.x * 10 + v.y; o[6] = islessgreater(x, 2.0f); o[7] = signbit(-x); o[8] = y == y; o[9] = !(y < x);`, want: []int32{1, 0, 1, 1, 1, -1, 1, 1, 0, 1}},
	{name: "atomics",
		body: `o[0] = 5; o[1] = atomic_add(&o[0], 3); o[2] = atomic_inc(o); atomic_xchg(&o[3], 4); o[4] = atomic_cmpxchg(&o[3], 4, 9); atomic_max(o + 5, 11); atomic_or(&o[6], 6); local int c; c = 1; atomic_sub(&c, 3); o[7] = c;`, want: []int32{9, 5, 8, 9, 4, 11, 6, -2}},
	{name: "work item functions",
		body: `o[0] = get_global_id(0); o[1] = get_local_id(1); o[2] = get_group_id(2); o[3] = get_local_size(0); o[4] = get_global_id(3); o[5] = get_num_groups(5); size_t i = get_global_id(0); o[i + 4] = 3; o[get_local_id(1) + 3] = 4; o[8] = get_local_id(2) == 0;`, want: []int32{2, 4, 5, 64, 0, 1, 3, 4, 1}},
	{name: "half",
		body: `global half *h = (global half *)f; vstore_half(1.5f, 0, h); o[0] = as_ushort(h[0]); o[1] = vload_half(0, h) == 1.5f; vstore_half4((float4)(1, 2, 3, 4), 1, h); o[2] = vload_half2(3, h).y == 4.0f;`, want: []int32{0x3e00, 1, 1}},
	{name: "sizeof and literals",
		body: `o[0] = sizeof(float4) + sizeof(a[0]); o[1] = 'a'; o[2] = 0x10 + 010; o[3] = (int)1e3f; o[4] = (int)(3.9 * 2);`, want: []int32{20, 97, 24, 1000, 7}},
	{name: "void conditional and discarded values",
		body: `int x = 0; n > 3 ? (void)(x = 4) : (void)(x = 5); o[0] = x; n > 3 && (x = 6); o[1] = x; (void)x; x; n < 3 || x++; o[2] = x; a[0]; x + 1;`, want: []int32{4, 6, 7}},
	{name: "shadowing",
		body: `int x = 1; { int x = 2; o[0] = x; } o[1] = x; for (int x = 5; x < 6; x++) o[2] = x; o[3] = x;`,
		want: []int32{2, 1, 5, 1}},
	{name: "variable of a loop body",
		body: `for (int i = 0; i < 3; i++) { int c = 0; c += i; o[i] = c; int d[2] = {0, 0}; d[i & 1]++; o[3] += d[0] * 10 + d[1]; }`, want: []int32{0, 1, 2, 21}},
	{name: "goto-free state machine",
		body: `int st = 0, i = 0, c = 0; while (st != 3) { switch (st) { case 0: st = a[i] > 2 ? 1 : 2; break; case 1: c++; case 2: i++; st = i < 8 ? 0 : 3; } } o[0] = c;`, want: []int32{5}},
	{name: "goto out of loops",
		body: `int i, j = 0; for (i = 0; i < 8; i++) { for (j = 0; j < 8; j++) { if (a[i] + a[j] == 14) goto found; } o[0]++; } o[1] = 1; found: o[2] = i; o[3] = j;`, want: []int32{4, 0, 4, 5}},
	{name: "goto the next iteration and its end",
		body: `for (int i = 0; i < 8; i++) { switch (a[i]) { case 1: goto next; case 9: goto record; default: while (1) { if (n > 3) goto record; } } record: o[0]++; if (a[i] == 5) goto next; next: o[1]++; }`, want: []int32{6, 8}},
	{name: "gotos that cross",
		body: `if (n > 3) goto a; if (n > 4) goto b; o[0] = 1; a: o[1] = 1; if (u) goto b; o[2] = 1; b: o[3] = 1; goto c; o[4] = 1; c:;`, want: []int32{0, 1, 0, 1, 0}},
	{name: "goto in a function",
		top:  `int g(int x) { int r = 1; if (x > 3) goto out; r = 2; unused: r *= 5; out: return r + x; }`,
		body: `o[0] = g(n) + g(n - 4);`, want: []int32{17}},
}

func TestExecute(t *testing.T) {
	if len(execCases) < 60 {
		t.Fatalf("only %d cases", len(execCases))
	}
	for _, c := range execCases {
		t.Run(c.name, func(t *testing.T) { runCase(t, ast.OpenCL, c) })
	}
}

// source is the whole kernel of a case.
func (c execCase) source(d ast.Dialect) string {
	head := "kernel void k(global int *o, global const int *a, global float *f, int n, uint u)"
	if d == ast.CUDA {
		head = "__global__ void k(int *o, const int *a, float *f, int n, unsigned u)"
	}
	return c.top + "\n" + head + " {\n" + c.body + "\n}\n"
}

func runCase(t *testing.T, d ast.Dialect, c execCase) {
	t.Helper()
	k := mustLower(t, d, c.source(d), "")
	o := execute(t, k)
	for i, want := range c.want {
		if got := int32(binary.LittleEndian.Uint32(o[4*i:])); got != want {
			t.Errorf("o[%d] = %d, want %d\n%s", i, got, want, build.Build(k))
		}
	}
}

// execute runs a kernel with the arguments of execCases and returns o.
func execute(t *testing.T, k *lower.Kernel) []byte {
	t.Helper()
	o := make([]byte, 64)
	a := words(3, 1, 4, 1, 5, 9, 2, 6)
	var f []byte
	for i := range 16 {
		f = binary.LittleEndian.AppendUint32(f, math.Float32bits(float32(i)+0.5))
	}
	if err := executeKernel(k, map[string][]byte{"o": o, "a": a, "f": f}, map[string]uint64{"n": 5, "u": math.MaxUint32},
		map[string]uint64{"get_global_id 0": 2, "get_local_id 1": 4, "get_group_id 2": 5, "get_local_size 0": 64}); err != nil {
		t.Fatalf("%v\n%s", err, build.Build(k))
	}
	return o
}

func words(ws ...int32) []byte {
	var b []byte
	for _, w := range ws {
		b = binary.LittleEndian.AppendUint32(b, uint32(w))
	}
	return b
}
