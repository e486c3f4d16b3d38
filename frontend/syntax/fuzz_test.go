package syntax

import (
	"os"
	"path/filepath"
	"reflect"
	"strings"
	"testing"

	"gpupipe/frontend/preprocess"
)

// eachBody calls f for the bodies of functions in a tree, and bad for what did not parse.
func eachBody(tree *File, f func(*Body), bad func(*BadDecl)) {
	visit(reflect.ValueOf(tree), func(x any) {
		switch x := x.(type) {
		case *Body:
			f(x)
		case *BadDecl:
			bad(x)
		}
	})
}

// FuzzParse: whatever the text is, parsing ends without a panic, and each error has a place.
func FuzzParse(f *testing.F) {
	files, _ := filepath.Glob("../../kernels/*.c[lu]")
	for _, name := range files {
		if text, err := os.ReadFile(name); err == nil && len(text) < 4000 {
			f.Add(string(text))
		}
	}
	for _, s := range []string{"template <class... T> struct a : T... { int x = (1 + ... + sizeof(T)); };",
		"auto f = [=](auto x) -> int { return x; };", "k<<<1, 2>>>(a<b>(c));",
		"__kernel void f(__global float4 *a) { a[0] = (float4)(1, 2, 3, 4); }"} {
		f.Add(s)
	}
	f.Fuzz(func(t *testing.T, text string) {
		for _, l := range []Language{OpenCL, CUDA} {
			r := preprocess.Run(preprocess.Config{File: "k", Text: text, Limits: preprocess.Limits{Tokens: 10_000}})
			tree := Parse(r.Tokens, Options{Language: l, IsType: isBuiltinType})
			eachBody(tree, (*Body).Parse, func(b *BadDecl) {
				if !b.Err.Pos.IsValid() {
					t.Fatalf("%v has no place", b.Err)
				}
			})
		}
	})
}

func BenchmarkParse(b *testing.B) {
	source, err := os.ReadFile("../../kernels/mmul.cu")
	if err != nil {
		b.Fatal(err)
	}
	text := strings.Repeat(string(source), 1000)
	for b.Loop() {
		r := preprocess.Run(preprocess.Config{File: "k.cu", Text: text})
		eachBody(Parse(r.Tokens, Options{Language: CUDA, IsType: isBuiltinType}), (*Body).Parse, func(*BadDecl) {})
	}
	b.ReportMetric(float64(strings.Count(text, "\n"))*float64(b.N)/b.Elapsed().Seconds(), "lines/s")
}
