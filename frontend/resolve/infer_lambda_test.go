package resolve

import (
	"slices"
	"strings"
	"testing"
)

// TestLambda: a lambda that is called where it is defined stands there with its parameters, its returns and the
// names that it has captured.
func TestLambda(t *testing.T) {
	u := mustParse(t, CUDA, `__global__ void k(float *a, int n) {
	float sum = 0;
	auto add = [&](float x, int) mutable { sum += x; };
	const auto square = [](float x) { if (x < 0) return 0.0f; return x * x; };
	auto scaled = [=](const auto &x) -> double { return n * x; };
	auto count = [&] { n++; };
	for (int n = 0; n < 4; n++) { add(square(a[n]), n); count(); }
	a[0] = scaled(sum);
}`)
	got := strings.Join(strings.Fields(u.String()), " ")
	for _, want := range []string{"float x = ", "sum += x;", "goto return", "result = (x * x);", "n++;"} {
		if !strings.Contains(got, want) {
			t.Errorf("%q is not in\n%s", want, u)
		}
	}
}

// TestLambdaRefused: lambdas that are values are refused.
func TestLambdaRefused(t *testing.T) {
	for _, c := range []struct{ body, want string }{
		{"auto f = [&](int i) { return f(i); }; a[0] = f(1);", "recursion: f is called again"},
		{"auto f = [&](int i) { return i; }; auto g = f; a[0] = g(1);", "a lambda that is not called where it is defined is not supported"},
		{"auto f = [&](int i) { return i; }; a[0] = f();", "f: 1 argument expected"},
		{"a[0] = [&](int i) { return i; } + 1;", "a lambda is not supported"},
		{"a[0] = [&](int i) { return i; }();", "the lambda: 1 argument expected"},
	} {
		_, err := Parse(Config{File: "k", Text: "__global__ void k(int *a) { " + c.body + " }", Dialect: CUDA})
		if err == nil || !strings.Contains(err.Error(), c.want) {
			t.Errorf("%s: %v, want %s", c.body, err, c.want)
		}
	}
}

// TestFunctionArguments: kernels are launched with the functions that host code gives them, through templates of its own, too.
func TestFunctionArguments(t *testing.T) {
	u := mustParse(t, CUDA, `typedef float (*op)(float);
__device__ float one(float x) { return x + 1; }
__device__ float two(float x) { return x + 2; }
template <float (*F)(float), typename T> __global__ void k(T *a) { a[0] = F(a[1]); }
template <op F> __global__ void m(float *a) { a[0] = F(a[1]); }
template <float (*F)(float), typename T> void run(T *a) { k<F><<<1, 32>>>(a); m<F><<<1, 32>>>((float *)a); }
template <float (*F)(float)> void runs(float *a) { run<F>(a); run<F>((double *)a); }
int main() { float *a; runs<one>(a); runs<two>(a); }`)
	var names []string
	for _, k := range u.Kernels {
		names = append(names, k.Name)
	}
	slices.Sort(names)
	if got, want := strings.Join(names, " "), "k<one, double> k<one, float> k<two, double> k<two, float> m<one> m<two>"; got != want {
		t.Errorf("kernels %s, want %s", got, want)
	}
}

// TestCallables: lambdas and functions are arguments of functions, which are typed anew for each.
func TestCallables(t *testing.T) {
	const top = "template <typename F> __device__ int apply(F f, int x) { return f(x); } __device__ int neg(int x) { return -x; } "
	for _, c := range []struct{ body, want string }{
		{"a[0] = apply([=](int i) { return i * n; }, 3);", "result = (i * n);"},
		{"a[0] = apply(neg, 3);", "neg(x)"},
		{"a[0] = apply((&neg), 3);", "neg(x)"},
		{"a[0] = apply(abs, n);", "abs.int(x)"},
		{"auto g = [&](auto f) { return f(n); }; a[0] = g(neg) + g([](int x) { return x + 7; });", "result = (x + 7);"},
	} {
		readsAs(t, c.body, top+"__global__ void k(int *a, int n) { "+c.body+" }", c.want)
	}
	for _, c := range []struct{ body, want string }{
		{"a[0] = apply(n, 3);", "f is not a function"},
		{"a[0] = apply(nothing, 3);", "nothing is not declared"},
		{"a[0] = neg(neg);", "pointers to functions are not supported"},
		{"a[0] = neg([](int x) { return x; });", "a lambda that is not called where it is defined is not supported"},
		{"a[0] = apply([](int x, int y) { return x; }, 1);", "2 arguments expected"},
		{"a[0] = forever(neg, 1);", "recursion: forever<"},
	} {
		_, err := Parse(Config{File: "k", Text: top + "template <typename F> __device__ int forever(F f, int x) { return forever(f, x - 1); } __global__ void k(int *a, int n) { " + c.body + " }", Dialect: CUDA})
		if err == nil || !strings.Contains(err.Error(), c.want) {
			t.Errorf("%s: %v, want %s", c.body, err, c.want)
		}
	}
}

// TestCalledLambda: a lambda that is called where it stands is its body there.
func TestCalledLambda(t *testing.T) {
	for _, c := range []struct{ body, want string }{
		{"a[0] = [&](int i) { return i * n; }(a[1]);", "result = (i * n);"},
		{"const int x = [=] { if (n > 3) return 1; return 2; }(); a[0] = x;", "result = 1;"},
		{"auto x = [&](int i) -> long { return i; }(n); a[0] = x;", "long result;"},
		{"[&] { a[0] = n; }();", "a[0] = n;"},
		{"a[0] = [](int &i) { return [](int j) { return j + 1; }(i); }(n);", "result = (j + 1);"},
	} {
		readsAs(t, c.body, "__global__ void k(int *a, int n) { "+c.body+" }", c.want)
	}
}
