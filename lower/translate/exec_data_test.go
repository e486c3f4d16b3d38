package translate

import (
	"testing"

	"gpupipe/frontend/ast"
)

// dataCases are like execCases: initialisers, memory, conversions and the less
// common functions.
var dataCases = []execCase{
	{name: "compound literals",
		top: `struct P { int x, y; }; struct Q { struct P p; int v[2]; }; int sum(struct P p) { return p.x * 10 + p.y; }`, body: `struct P p = (struct P){3, n}; o[0] = sum(p); o[1] = sum((struct P){.y = 4, .x = 2}); p = (struct P){p.y, p.x}; o[2] = sum(p); struct Q q = {{1, 2}, {3}}; o[3] = q.p.y + q.v[0] * 10 + q.v[1];`, want: []int32{35, 24, 53, 32}},
	{name: "initialisers fill with zeros", top: `struct P { int x; int v[2]; float4 w; };`,
		body: `struct P p[3] = {{1, {2}}, {.w = (float4)(7)}}; int s = 0; for (int i = 0; i < 3; i++) s += p[i].x + p[i].v[0] * 10 + p[i].v[1] * 100 + (int)p[i].w.y * 1000; o[0] = s; int z[4] = {}; o[1] = z[n - 2]; int d[4] = {[2] = 5, 6}; o[2] = d[2] * 10 + d[3] + d[0]; int one = {n}; o[3] = one;`, want: []int32{7021, 0, 56, 5}},
	{name: "vector initialisers",
		body: `int4 v = {1, 2, 3, 4}; o[0] = v.x * 1000 + v.y * 100 + v.z * 10 + v.w; int2 w[2] = {{1, 2}, {3, n}}; o[1] = w[n - 4].y; const int2 t[2] = {(int2)(5, 6), (int2)(7)}; o[2] = t[n - 5].y * 10 + t[n - 4].x;`, want: []int32{1234, 5, 67}},
	{name: "union initialiser and member copies",
		top: `union U { int i; uchar b[4]; }; struct S { int tag; union U u; }; int get(struct S s) { return s.tag + s.u.b[1]; }`, body: `union U u1 = {0x0201}; o[0] = u1.b[1] * 10 + u1.b[0]; struct S s; s.tag = 100; s.u = u1; struct S r = s; o[1] = get(r); r.u.b[1] = 9; o[2] = get(r) - get(s); o[3] = r.u.i;`, want: []int32{21, 102, 7, 0x0901}},
	{name: "address and dereference",
		body: `int x = 4; *(&x) += 2; o[0] = x; int v[3] = {7, 8, 9}; o[1] = *v; *v = 1; o[2] = v[0] + *(v + 2); int (*m)[3] = &v; o[3] = (*m)[1]; int *e = &v[3]; o[4] = *(e - 1); o[5] = e > v; *(o + 6) = 3; o[7] = *(1 + v);`, want: []int32{6, 7, 10, 8, 9, 1, 3, 8}},
	{name: "first element of a struct's array", top: `struct S { int v[2]; };`,
		body: `struct S s = {{3, 4}}; o[0] = *s.v; *s.v = 8; o[1] = s.v[0] + s.v[1];`, want: []int32{3, 12}},
	{name: "parameter with an address",
		top: `int bump(int x) { int *p = &x; *p += 10; return x; } int last(int4 v) { int *p = (int *)&v; p[3]++; return v.w; }`, body: `o[0] = bump(n); o[1] = n; o[2] = last((int4)(1, 2, 3, 4));`, want: []int32{15, 5, 5}},
	{name: "pointers to pointers",
		body: `int x = 1, y = 2; int *p = &x; int **q = &p; **q = 5; *q = &y; *p = 6; o[0] = x * 10 + y; int *r[2] = {&x, &y}; *r[n & 1] += 1; o[1] = y; p = n > 3 ? &x : &y; o[2] = *p; p = 0; o[3] = p ? 1 : 2;`, want: []int32{56, 7, 5, 2}},
	{name: "linked structs", top: `struct N { int v; struct N *next; };`,
		body: `struct N c = {3, 0}, b = {2, &c}, h = {1, &b}; int s = 0; for (struct N *p = &h; p; p = p->next) s = s * 10 + p->v; o[0] = s;`, want: []int32{123}},
	{name: "pointer steps as values",
		body: `global int *p = o; *p++ = 1; *p++ = 2; *++p = 4; p -= 2; o[4] = *p--; o[5] = *p; p += n; o[6] = (int)(p - o); int v[2] = {1, 2}, i = 0; v[i++]++; v[i]--; o[7] = v[0] * 10 + v[1];`, want: []int32{1, 2, 0, 4, 2, 1, 5, 21}},
	{name: "addresses as numbers",
		body: `ulong x = (ulong)(o + 3) - (ulong)o; o[0] = (int)x; global int *p = (global int *)((ulong)o + 4); *p = 6; o[2] = ((size_t)o & 3) == 0; long d = &o[7] - &o[2]; o[3] = (int)d; o[4] = o != 0 && p;`, want: []int32{12, 6, 1, 5, 1}},
	{name: "local struct and scalar", top: `struct P { int x; float y; };`,
		body: `local struct P s; s.x = n; s.y = 2; local struct P t[2]; t[1] = s; barrier(CLK_LOCAL_MEM_FENCE); o[0] = t[1].x + (int)t[1].y; struct P q = t[1]; o[1] = q.x;`, want: []int32{7, 5}},
	{name: "small types in memory",
		body: `uchar b[4] = {250, 1, 2, 3}; b[0] += 10; b[1]--; o[0] = b[0] * 10 + b[1]; short s[2] = {-1}; o[1] = s[0]--; o[2] = s[0]; bool t[2] = {true, n == 4}; t[1] |= n > 4; o[3] = t[0] + t[1] * 2; t[0] = 0; o[4] = t[0]; t[0]++; o[5] = t[0]; bool c = false; c += n; o[6] = c;`, want: []int32{40, -1, -2, 3, 0, 1, 1}},
	{name: "64-bit and unsigned conversions",
		body: `ulong x = 0xffffffffffffffffUL; o[0] = (float)x == 18446744073709551616.0f; o[1] = (x >> 63) == 1; long y = -5; o[2] = (int)(y >> 1); o[3] = (int)(y / 2); uint z = (uint)3000000000.0f; o[4] = z == 3000000000u; double d = 4294967295u; o[5] = d == 4294967295.0; o[6] = (uchar)300.0f == (uchar)300.0f; long w = (long)-2.5; o[7] = (int)w;`, want: []int32{1, 1, -3, -2, 1, 1, 1, -2}},
	{name: "conversion modifiers",
		body: `o[0] = convert_char_sat(300); o[1] = convert_char_sat(-300); o[2] = convert_uint_sat(-3); o[3] = convert_int_sat(3e9f); o[4] = convert_uchar_sat_rte(2.5f); float2 g = convert_float2((int2)(3, n)); o[5] = (int)(g.x * g.y); o[6] = convert_short4((float4)(1.5f)).w; o[7] = convert_int_rte(3.5f);`, want: []int32{127, -128, 0, math32Max, 2, 15, 1, 4}},
	{name: "reinterpretation between lane sizes",
		body: `ushort2 h = as_ushort2(0x00020001); o[0] = h.x * 10 + h.y; long q = as_long((int2)(5, 0)); o[1] = (int)q; char4 c = as_char4((short2)(0x0201, 0x0403)); o[2] = c.w * 1000 + c.z * 100 + c.y * 10 + c.x; o[3] = (int)as_double(as_ulong(3.0)); float4 f4 = as_float4((uint4)(0x3f800000)); o[4] = f4.z == 1;`, want: []int32{12, 5, 4321, 3, 1}},
	{name: "select by type",
		body: `o[0] = (int)select(1.5, 2.5, (long)1); uchar2 c = select((uchar2)(1, 2), (uchar2)(3, 4), (uchar2)(128, 127)); o[1] = c.x * 10 + c.y; short2 s = (short2)(1, 5) > (short2)(3, 3); o[2] = s.x * 10 + s.y; long2 q = (long2)(1, 5) == (long2)(1, 4); o[3] = (int)(q.x * 10 + q.y); o[4] = bitselect(1.0f, -2.0f, as_float(0x80000000)) == -1.0f; double2 d = (double2)(1, 2) < (double2)(2, 1) ? (double2)(1) : (double2)(9); o[5] = (int)(d.x * 10 + d.y);`, want: []int32{2, 32, -1, -10, 1, 19}},
	{name: "vector logic",
		body: `int2 v = (int2)(2, 0), w = (int2)(0, 0); int2 r = v || w; o[0] = r.x * 10 + r.y; r = v && !w; o[1] = r.x * 10 + r.y; o[2] = any(v || w) + all(v && w) * 2; o[3] = any((char2)(-1, 0)); o[4] = all((long2)(-1, 1)); o[5] = any(-n); r = ~v; o[6] = r.x; r = v % (int2)(3); o[7] = r.x; if (any(isnan((float2)(f[0] - f[0], 1)))) o[8] = 1;`, want: []int32{-10, -10, 1, 1, 0, 1, -3, 2, 0}},
	{name: "relational pairs",
		body: `float z = f[0] - f[0], q = z / z; o[0] = isordered(q, 1.0f); o[1] = isunordered(q, 1.0f); o[2] = isnormal(1e-40f) + isnormal(1.0f) * 2; o[3] = isequal(1.0f, 1.0f) + isnotequal(q, q) * 2 + isless(1.0f, 2.0f) * 4 + islessequal(2.0f, 2.0f) * 8 + isgreaterequal(q, 1.0f) * 16; o[4] = signbit(-0.0); o[5] = isnormal(1e-310);`, want: []int32{0, 1, 2, 15, 1, 0}},
	{name: "more functions",
		body: `o[0] = (int)degrees(3.14159274f); o[1] = mad_hi(1 << 30, 8, 3); o[2] = sign(-0.5f) + sign(2.0f) * 10; o[3] = (int)(radians(180.0f) * 100); o[4] = copysign(2.0, -1.0) == -2.0; o[5] = mul_hi(u, u) == 0xfffffffe; o[6] = (int)mul_hi((long)1 << 40, (long)1 << 40); o[7] = isnan(fdim(1.0f, f[0] - f[0] + as_float(0x7fc00000))); uchar c = abs((char)-3); o[8] = c; o[9] = abs(u) == u; o[10] = clamp((float2)(0.5f, 9), 1.0f, 2.0f).y == 2;`, want: []int32{180, 5, 9, 314, 1, 1, 1 << 16, 1, 3, 1, 1}},
	{name: "half memory",
		body: `global half *h = (global half *)f; vstore_half3((float3)(1, 2, 3), 1, h); float3 g = vload_half3(1, h); o[0] = (int)(g.x + g.y * 10 + g.z * 100); o[1] = vload_half(5, h) == 3; o[2] = as_ushort(h[4]) == 0x4000; half x = h[3]; x = x * 2 + (half)1; o[3] = x == 3; vstore2(vload2(2, f), n - 3, f); o[4] = f[5] == 5.5f;`, want: []int32{321, 1, 1, 1, 1}},
	{name: "ignored functions", body: `int x = 1; printf("%d %d", x, n); o[0] = x; prefetch(a, 4);`, want: []int32{1}},
	{name: "nested calls in conditions",
		top:  `int g(int x) { return x > 2 ? x - 1 : 0; } bool odd(int x) { return x & 1; } void none() { return; }`,
		body: `while (g(n) && odd(n) || n > 8) { o[n]++; n--; } o[0] = n; none(); o[1] = odd(g(n)) ? g(g(9)) : 1; if (odd(7) != odd(2)) o[2] = 1; o[3] = n < 3 ? g(1) > 0 : g(9) > 7;`, want: []int32{4, 7, 1, 1, 0, 1}},
	{name: "ternaries of structs and vectors", top: `struct P { int x, y; };`,
		body: `struct P p = {1, 2}, q = {3, 4}, r = n > 3 ? p : q; o[0] = r.x * 10 + r.y; r = n > 9 ? p : (struct P){7, n}; o[1] = r.x * 10 + r.y; int2 v = n > 3 ? (int2)(n, 1) : (int2)(0); o[2] = v.x; o[3] = (n > 3 ? p : q).y; float g = n ? 1 : 0.5f; o[4] = g == 1; n > 3 ? a[0] : a[1];`, want: []int32{12, 75, 5, 2, 1}},
	{name: "vector lanes by subscript",
		body: `int4 v = (int4)(1, 2, 3, 4); o[0] = v[2]; v[1] = 9; o[1] = v.y; int s = 0; for (int i = 0; i < 4; i++) { v[i] += i; s = s * 10 + v[i]; } o[2] = s; global int4 *p = (global int4 *)o; p[1][2] = 8; o[4] = (v * 2)[n - 4];`, want: []int32{3, 9, 1*1000 + 10*100 + 5*10 + 7, 0, 20, 0, 8}},
}

// math32Max is INT_MAX.
const math32Max = 1<<31 - 1

func TestExecuteData(t *testing.T) {
	for _, c := range dataCases {
		t.Run(c.name, func(t *testing.T) { runCase(t, ast.OpenCL, c) })
	}
}

// cudaCases run as the body of
//
//	__global__ void k(int *o, const int *a, float *f, int n, unsigned u)
var cudaCases = []execCase{
	{name: "shared and generic pointers",
		top:  `__device__ int sum(const int *p, int n) { int s = 0; while (n-- > 0) s += *p++; return s; }`,
		body: `__shared__ int t[8]; for (int i = 0; i < 8; i++) t[i] = i; __syncthreads(); int loc[3] = {1, 2, 3}; o[0] = sum(a, 8); o[1] = sum(t, 8); o[2] = sum(loc, 3); int *p = t; p += 2; o[3] = *p; o[4] = p[1]; int *q = n > 3 ? t : t + 1; o[5] = q[4];`, want: []int32{31, 28, 6, 2, 3, 4}},
	{name: "references",
		top: `__device__ void swap(int &x, int &y) { int t = x; x = y; y = t; } struct P { int x, y; }; __device__ void set(P &p, int v) { p.x = v; p.y = v + 1; } __device__ int get(const P &p) { return p.x * 10 + p.y; }`, body: `int x = 1, y = 2; swap(x, y); o[0] = x * 10 + y; swap(o[1], o[2]); P p; set(p, 3); o[3] = get(p); int v[2] = {4, 5}; swap(v[0], v[1]); o[4] = v[0];`, want: []int32{21, 0, 0, 34, 5}},
	{name: "vector structs",
		body: `float4 v = make_float4(1, 2, 3, 4); v.x += v.w; o[0] = (int)v.x; int2 w = make_int2(n, 7); o[1] = w.x + w.y; float4 *p = (float4 *)f; float4 g = p[1]; o[2] = (int)(g.x * 2); p[0].z = 9; o[3] = (int)f[2]; uchar4 c = make_uchar4(1, 2, 3, 255); c.w++; o[4] = c.w;`, want: []int32{5, 12, 9, 9, 0}},
	{name: "constants",
		top: `__constant__ const int tab[3] = {5, 6, 7}; const int K = 4; __device__ const float scale = 0.5f; static const int T[2] = {8, 9};
#define W 3`, body: `o[0] = tab[n - 4]; o[1] = K * W; o[2] = scale * 8 == 4; o[3] = T[n - 4];`,
		want: []int32{6, 12, 1, 9}},
	{name: "atomics and functions",
		body: `o[0] = 5; o[1] = atomicAdd(&o[0], 2); atomicAdd(&f[0], 1.5f); o[2] = f[0] == 2.0f; __shared__ int s; s = 3; o[3] = atomicMax(&s, 9); o[4] = s; o[5] = atomicCAS(&s, 9, 1); o[6] = s; o[7] = __mul24(n, 3) + min(n, 2) + max(3, n) + abs(-4); o[8] = __float_as_int(1.0f) == 0x3f800000; o[9] = fmaxf(1.0f, 2.0f) == 2.0f && sqrtf(9.0f) == 3.0f; o[10] = __popc(255);`, want: []int32{7, 5, 1, 3, 9, 9, 1, 15 + 2 + 5 + 4, 1, 1, 8}},
	{name: "work items",
		body: `o[0] = blockIdx.z; o[1] = threadIdx.y; o[2] = blockDim.x; int i = blockIdx.z * blockDim.x + threadIdx.y; o[3] = i; unsigned k = threadIdx.y - 5; o[4] = k > 100;`, want: []int32{5, 4, 64, 324, 1}},
	{name: "bool is a type",
		body: `bool b = n > 3; b = b && u > 4; int c = b; o[0] = c; o[1] = b == true; o[2] = !b ? 1 : 2; for (bool more = true; more; more = o[3] < 3) o[3]++;`, want: []int32{1, 1, 2, 3}},
}

func TestExecuteCUDA(t *testing.T) {
	for _, c := range cudaCases {
		t.Run(c.name, func(t *testing.T) { runCase(t, ast.CUDA, c) })
	}
}
