package resolve

import (
	"gpupipe/frontend/ast"
	"slices"
	"testing"
)

// TestUselessDefines: a -D that the source overrides, or has no use for while it has a word
// that is spelt alike, is a warning; others say nothing.
func TestUselessDefines(t *testing.T) {
	const source = "#define N 512\n#ifndef TILE\n#define TILE 8\n#endif\n#ifdef FAST\n#define MODE 1 + 2\n#endif\n" +
		"#undef OLD\n" +
		"__kernel void k(__global int *a) { __local int t[TILE]; t[0] = N; a[0] = t[0] + WIDTH; }\n"
	for _, c := range []struct {
		defines []string
		want    []string
	}{
		{nil, nil},
		{[]string{"N=100"}, []string{"k.cl:1:9: warning[DEFINE]: -D N=100 is overridden: the source defines N as " +
			"512\n\tput #ifndef N and #endif around the definition"}},
		{[]string{"N=512", "TILE=16", "OLD=3", "UNRELATED"}, nil},
		{[]string{"FAST", "MODE=1 + 2"}, nil},
		{[]string{"FAST", "MODE=3"}, []string{"k.cl:6:9: warning[DEFINE]: -D MODE=3 is overridden: the source " +
			"defines MODE as 1 + 2\n\tput #ifndef MODE and #endif around the definition"}},
		{[]string{"TILES=16"}, []string{"k.cl: warning[DEFINE]: -D TILES=16: the source has no TILES\n" +
			"\tdid you mean TILE?"}},
		{[]string{"TILES=16", "TILE=4"}, nil},
		{[]string{"fast(x)=x"}, []string{"k.cl: warning[DEFINE]: -D fast(x)=x: the source has no fast\n" +
			"\tdid you mean FAST?"}},
	} {
		u, err := Parse(Config{File: "k.cl", Text: source, Dialect: ast.OpenCL,
			Defines: append([]string{"WIDTH=4"}, c.defines...)})
		if err != nil {
			t.Errorf("%q: %v", c.defines, err)
			continue
		}
		var got []string
		for _, w := range u.Warnings {
			got = append(got, w.Error())
		}
		if !slices.Equal(got, c.want) {
			t.Errorf("%q: %q, want %q", c.defines, got, c.want)
		}
	}
}

// TestUselessTemplateArguments: an argument that no kernel template has a parameter for is a warning.
func TestUselessTemplateArguments(t *testing.T) {
	const kernels = "template <typename T, int N> __global__ void k(T *a) { a[0] = N; }\n" +
		"template <typename U> __device__ U f(U x) { return x; }\n"
	const plain = "__global__ void k(float *a) { a[0] = 1; }\n"
	for _, c := range []struct {
		text, template string
		want           []string
	}{
		{kernels, "T=int,N=3", nil},
		{kernels, "k:T=int,N=3", nil},
		{kernels, "T=int,N=3,M=4", []string{"k.cu: warning[TEMPLATE]: --template T=int,N=3,M=4: no kernel template " +
			"has a parameter M\n\tthe parameters are N, T"}},
		{kernels, "T=int,N=3,U=int", []string{"k.cu: warning[TEMPLATE]: --template T=int,N=3,U=int: no kernel " +
			"template has a parameter U\n\tthe parameters are N, T"}},
		{plain, "T=int", []string{"k.cu: warning[TEMPLATE]: --template T=int: no kernel template has a parameter T\n" +
			"\tthe source has no kernel template; a macro is given with -D"}},
	} {
		u, err := Parse(Config{File: "k.cu", Text: c.text, Dialect: ast.CUDA, Templates: []string{c.template}})
		if err != nil {
			t.Errorf("%s: %v", c.template, err)
			continue
		}
		var got []string
		for _, w := range u.Warnings {
			got = append(got, w.Error())
		}
		if !slices.Equal(got, c.want) {
			t.Errorf("%s: %q, want %q", c.template, got, c.want)
		}
	}
	u, err := Parse(Config{File: "k.cu", Text: kernels, Dialect: ast.CUDA,
		Templates: []string{"T=int,N=3", "kernel:N=3"}})
	if err != nil {
		t.Fatal(err)
	}
	const want = "k.cu: warning[TEMPLATE]: --template kernel:N=3: no kernel template has a parameter N\n" +
		"\tkernel is not a kernel template of the source, which has k"
	if len(u.Warnings) != 1 || u.Warnings[0].Error() != want {
		t.Errorf("%q, want %q", u.Warnings, want)
	}
}
