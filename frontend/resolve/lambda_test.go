package resolve

import (
	"gpupipe/frontend/ast"
	"slices"
	"strings"
	"testing"
)

// TestLambda: a lambda is an object of what it captures, and its body a function that reads them there.
func TestLambda(t *testing.T) {
	u := mustParse(t, ast.CUDA, `__global__ void k(float *a, int n) {
	float sum = 0;
	auto add = [&](float x, int) mutable { sum += x; };
	const auto square = [](float x) { if (x < 0) return 0.0f; return x * x; };
	auto scaled = [=](const auto &x) -> double { return n * x; };
	auto count = [&] { n++; };
	auto copy = square;
	for (int n = 0; n < 4; n++) { add(square(a[n]), n); count(); }
	a[0] = scaled(sum) + copy(a[1]);
}`)
	for _, want := range []string{"add /*addressed*/ = {&sum};", "scaled /*addressed*/ = {n};", "(*(*this).sum) += x;",
		"(*(*this).n)++;",
		"double lambda 3::operator()<float>(", "lambda 2::operator()(&copy, a[1])"} {
		if !strings.Contains(u.String(), want) {
			t.Errorf("%q is not in\n%s", want, u)
		}
	}
}

// TestLambdaScope: the body of a lambda sees what is declared before it, wherever it is called.
func TestLambdaScope(t *testing.T) {
	const text = `constexpr int n = 7;
__global__ void k(int *a) {
	auto f = [&] { return n; };
	int n = a[5];
	a[0] = f() + n;
}`
	readsAs(t, text, text, "return 7;")
}

// TestLambdaRefused checks what is said of lambdas that C++ refuses.
func TestLambdaRefused(t *testing.T) {
	for _, c := range []struct{ body, want string }{
		{"auto f = [&](int i) { return f(i); }; a[0] = f(1);", "k:1:58: error[UNDECLARED]: function f is not declared"},
		{"a[0] = [](int i) { return i + j; }(1);", "k:1:59: error[UNDECLARED]: j is not declared"},
		{"int j = 3; a[0] = [](int i) { return i + j; }(1);", "j is not captured"},
		{"auto f = [&](int i) { return i; }; a[0] = f();", "the lambda: 1 argument expected, 0 arguments given"},
		{"a[0] = [&](int i) { return i; } + 1;", "operator + does not take lambda 1 and int"},
		{"a[0] = [&](int i) { return i; }();", "the lambda: 1 argument expected, 0 arguments given"},
	} {
		_, err := Parse(Config{File: "k", Text: "__global__ void k(int *a) { " + c.body + " }", Dialect: ast.CUDA})
		if err == nil || !strings.Contains(err.Error(), c.want) {
			t.Errorf("%s: %v, want %s", c.body, err, c.want)
		}
	}
}

// TestFunctionArguments: kernels are launched with the functions that host code gives them, through templates of its
// own, too.
func TestFunctionArguments(t *testing.T) {
	u := mustParse(t, ast.CUDA, `typedef float (*op)(float);
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
	if got, want := strings.Join(names, " "),
		"k<one, double> k<one, float> k<two, double> k<two, float> m<one> m<two>"; got != want {
		t.Errorf("kernels %s, want %s", got, want)
	}
}

// TestCallables: lambdas and functions are arguments of functions, which are typed anew for each.
func TestCallables(t *testing.T) {
	const top = "template <typename F> __device__ int apply(F f, int x) { return f(x); } __device__ int neg(int x) { " +
		"return -x; } "
	for _, c := range []struct{ body, want string }{
		{"a[0] = apply([=](int i) { return i * n; }, 3);", "return (i * (*this).n);"},
		{"a[0] = apply(neg, 3);", "neg(x)"},
		{"a[0] = apply((&neg), 3);", "neg(x)"},
		{"a[0] = apply(abs, n);", "abs.int(x)"},
		{"auto g = [&](auto f) { return f(n); }; a[0] = g(neg) + g([](int x) { return x + 7; });", "return (x + 7);"},
	} {
		readsAs(t, c.body, top+"__global__ void k(int *a, int n) { "+c.body+" }", c.want)
	}
	for _, c := range []struct{ body, want string }{
		{"a[0] = apply(n, 3);", "f is not a function"},
		{"a[0] = apply(nothing, 3);", "nothing is not declared"},
		{"a[0] = neg(neg);", "pointers to functions are not supported"},
		{"a[0] = neg([](int x) { return x; });", "argument 1 of neg: a value of type int is needed, this is lambda 1"},
		{"a[0] = apply([](int x, int y) { return x; }, 1);", "2 arguments expected"},
		{"a[0] = forever(neg, 1);", "recursion: forever<"},
	} {
		_, err := Parse(Config{File: "k", Text: top + "template <typename F> __device__ int forever(F f, int x) { " +
			"return forever(f, x - 1); } __global__ void k(int *a, int n) { " + c.body + " }", Dialect: ast.CUDA})
		if err == nil || !strings.Contains(err.Error(), c.want) {
			t.Errorf("%s: %v, want %s", c.body, err, c.want)
		}
	}
}

// TestCalledLambda: a lambda may be called where it stands.
func TestCalledLambda(t *testing.T) {
	for _, c := range []struct{ body, want string }{
		{"a[0] = [&](int i) { return i * n; }(a[1]);", "return (i * (*(*this).n));"},
		{"const int x = [=] { if (n > 3) return 1; return 2; }(); a[0] = x;", "if (((*this).n >.int 3))"},
		{"auto x = [&](int i) -> long { return i; }(n); a[0] = x;", "return (long)(i);"},
		{"[&] { a[0] = n; }();", "(*(*this).a)[0] = (*(*this).n);"},
		{"a[0] = [](int &i) { return [](int j) { return j + 1; }(i); }(n);", "return (j + 1);"},
	} {
		readsAs(t, c.body, "__global__ void k(int *a, int n) { "+c.body+" }", c.want)
	}
}
