package cxx

import (
	"strings"
	"testing"

	"gpupipe/frontend/source"
	"gpupipe/frontend/tokens"
)

// writeOut writes a text out in as many rounds as it takes, with the name of a header and its text.
func writeOut(t *testing.T, text, header string) (written string, all *Program) {
	t.Helper()
	known := NewInstances()
	for range MaxLoads {
		all = &Program{Words: NewWords(), Templates: NewSet(known), LanguageMacro: func(string) ([]string, bool) { return nil, false }}
		add := func(name, text string) *source.File {
			list, _, err := tokens.Lex(text, true)
			if err != nil {
				t.Fatal(err)
			}
			shape, _, err := tokens.ShapeOf(list)
			if err != nil {
				t.Fatal(err)
			}
			f := &source.File{ID: len(all.Files), Name: name, List: list, Written: list, Shape: shape, Lines: source.LineStarts(text)}
			all.Files = append(all.Files, f)
			if err := all.WriteOut(f); err != nil {
				t.Fatal(err)
			}
			return f
		}
		all.Header = func(*source.File, int, string, bool) *source.File {
			if len(all.Files) > 1 {
				return all.Files[1]
			}
			return add("h.cuh", header)
		}
		f := add("k.cu", text)
		written = f.Text
		if known.Reread() {
			continue
		}
		all.ChooseKernels()
		if !all.Templates.Missing() {
			break
		}
	}
	return strings.Join(strings.Fields(written), " "), all
}

// TestWriteOut: texts of C++ and what becomes of them.
func TestWriteOut(t *testing.T) {
	for _, c := range []struct{ text, header, want string }{
		{"__global__ void k(float *f) { f[0] = 1; }", "", "__global__ void k(float *f) { f[0] = 1; }"},
		{"template <typename T> __device__ T twice(T x) { return x + x; }\n__global__ void k(int *f) { f[0] = twice<int>(f[1]); }", "",
			"__device__ int twice__int(int x) { return x + x; } __global__ void k(int *f) { f[0] = twice__int(f[1]); }"},
		{"template <int N> __device__ int up() { return N; }\nconstexpr int f(int x) { return x * x; }\n__global__ void k(int *p) { p[0] = up<f(3) - 1>(); }", "",
			"__device__ int up__8() { return 8; } constexpr int f(int x) { return x * x; } __global__ void k(int *p) { p[0] = up__8(); }"},
		{"template <int N> __global__ void k(int *p) { p[0] = N; }\nint main() { k<4><<<1, 32>>>(p); }", "",
			"__global__ void k__4(int *p) { p[0] = 4; } int main() { k<4><<<1, 32>>>(p); }"},
		{"struct P { float x; __device__ float get() const { return x; } };", "",
			"struct P {float x;}; __device__ float P__kl_get(const P &__kl_this) { return x; }"},
		{"#include \"h.cuh\"\n__global__ void k(int *p) { p[0] = half<8>(); }", "template <int N> __device__ int half() { return N / 2; }",
			"#include \"h.cuh\" __global__ void k(int *p) { p[0] = half__8(); }"},
	} {
		if got, _ := writeOut(t, c.text, c.header); got != c.want {
			t.Errorf("%s\nbecomes %s\nwant    %s", c.text, got, c.want)
		}
	}
}

// TestDisplay: names of what has been written out are spelled as the user does.
func TestDisplay(t *testing.T) {
	n := NewInstances()
	list := n.Request("f", []string{"float *", "-1"})
	for name, want := range map[string]string{
		list.Name: "f<float *, -1>", "g": "g", "P" + MemberMark + "get": "P::get", ConstructorPrefix + list.Name: "f<float *, -1>", OperatorPrefix + "add": "operator add",
	} {
		if got := n.Display(name); got != want {
			t.Errorf("%s is spelled %s, want %s", name, got, want)
		}
	}
	if again := n.Request("f", []string{"float *", "-1"}); again != list || n.Count != 1 {
		t.Error("equal arguments make two copies")
	}
	if other := n.Request("f", []string{"floatP", "m1"}); other.Name == list.Name {
		t.Errorf("%v and %v have one name", list, other)
	}
}
