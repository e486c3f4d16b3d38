package frontend

import (
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
