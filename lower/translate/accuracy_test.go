package translate

import (
	"testing"

	"gpupipe/frontend"
	"gpupipe/frontend/ast"
	"gpupipe/internal/test/irverify"
	"gpupipe/lower"
	"gpupipe/lower/build"
)

// TestAccuracy: what the languages ask for by themselves, and with the flag.
func TestAccuracy(t *testing.T) {
	for _, c := range []struct {
		dialect ast.Dialect
		fast    bool
		want    lower.Accuracy
	}{{ast.CUDA, false, lower.Rounded}, {ast.OpenCL, false, lower.Relaxed}, {ast.CUDA, true, lower.Fast}, {ast.OpenCL, true, lower.Fast}} {
		text := map[ast.Dialect]string{ast.CUDA: "__global__ void k() {}", ast.OpenCL: "kernel void k() {}"}[c.dialect]
		u, err := frontend.Parse(frontend.Config{File: "k", Text: text, Dialect: c.dialect})
		if err != nil {
			t.Fatal(err)
		}
		u.Target.FastMath = c.fast
		k, err := Kernel(u, u.Kernels[0])
		if err != nil {
			t.Fatal(err)
		}
		if err := irverify.Verify(build.Build(k)); err != nil || k.Accuracy != c.want {
			t.Errorf("%v, fast %v: %v, %v, want %v", c.dialect, c.fast, k.Accuracy, err, c.want)
		}
		if k.Accuracy = 0; irverify.Verify(build.Build(k)) == nil {
			t.Error("no accuracy passes")
		}
	}
}
