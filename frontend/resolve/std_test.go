package resolve

import "testing"

// TestLibraryOfCXX checks what kernels write in C++'s words: traits, limits, operators by
// name, variables initialised as by a constructor, and macros of its headers.
func TestLibraryOfCXX(t *testing.T) {
	const head = `#include <limits>
#include <thrust/functional.h>
#define ONE Real(1.0)
typedef double Real;
#define TWO Real(2.0)
template <typename T>
#if defined(__CUDACC__)
__host__ __device__
#endif
T ceilDiv(T a, T b) { return (a + b - 1) / b; }
`
	for _, c := range []struct{ body, want string }{
		{"f[0] = std::numeric_limits<T>::max();", "return 3.4028235e+38f"},
		{"f[0] = -std::numeric_limits<float>::infinity();", "f[0] = -std::numeric_limits<float>::infinity()"},
		{"n[0] = std::numeric_limits<int>::min(); n[1] = std::numeric_limits<unsigned char>::max();",
			"return (uchar)255;"},
		{"d[0] = std::numeric_limits<Real>::lowest();", "return -1.7976931348623157e+308"},
		{"d[0] = std::numeric_limits<double>::epsilon();", "return 2.220446049250313e-16"},
		{"unsigned long q = std::numeric_limits<uint64_t>::max(); n[q] = 1;", "return 18446744073709551615ul"},
		{"n[0] = std::is_same<T, float>::value ? 3 : 4;", "3"},
		{"if constexpr (std::is_same_v<T, half>) n[0] = 5; else n[0] = 6;", "n[0] = 6"},
		{"n[0] = std::is_integral<T>::value + 2 * std::is_floating_point_v<T>;", "n[0] = 2"},
		{"n[0] = std::is_unsigned<unsigned>::value && !std::is_pointer<T *>::value;", "n[0] = 0"},
		{"constexpr float x(2.0f / 4); f[0] = x;", "f[0] = 0.5f"},
		{"constexpr thrust::negate<int> minus; constexpr int x = minus(3); n[0] = x;", "n[0] = -3"},
		{"constexpr int x = thrust::project2nd<int, int>()(3, 4); n[0] = x;", "n[0] = 4"},
		{"dim3 i(n[0] + 1, 2); n[i.x] = i.z + dim3(7).y;", "i = (uint3){(uint)((n[0] + 1)), 2u, 1u}"},
		{"if (not (n[0] > 1 and n[1] < 2) or n[2] not_eq 3) n[3] = 4;", "||"},
		{"f[0] = std::move(f[1]);", "f[0] = (*std::move<float &>((float *)(&f[1])))"},
		{"n[0] = lroundf(f[0]) + UINT64_C(5);", "round.float(x)"},
		{"n[0] = alignof(float4) + alignof(double);", "n[0] = 24"},
		{"d[0] = TWO / d[1];", "(2.0 / d[1])"},
		{"n[0] = ceilDiv(n[1], n[2]);", "(((a + b) - 1) / b)"},
	} {
		text := head + "template <typename T> __global__ void k(float *f, double *d, int *n) { " + c.body +
			" }\ntemplate __global__ void k<float>(float *, double *, int *);\n"
		readsAs(t, c.body, text, c.want)
	}
}
