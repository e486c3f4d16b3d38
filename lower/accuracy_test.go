package lower

import (
	"testing"

	"gpupipe/frontend"
	"gpupipe/frontend/ast"
)

// TestAccuracy: what the languages ask for by themselves, and with the flag.
func TestAccuracy(t *testing.T) {
	for _, c := range []struct {
		dialect ast.Dialect
		fast    bool
		want    Accuracy
	}{{ast.CUDA, false, Rounded}, {ast.OpenCL, false, Relaxed}, {ast.CUDA, true, Fast}, {ast.OpenCL, true, Fast}} {
		text := map[ast.Dialect]string{ast.CUDA: "__global__ void k() {}", ast.OpenCL: "kernel void k() {}"}[c.dialect]
		u, err := frontend.Parse(frontend.Config{File: "k", Text: text, Dialect: c.dialect})
		if err != nil {
			t.Fatal(err)
		}
		u.Target.FastMath = c.fast
		k, err := Lower(u, u.Kernels[0])
		if err != nil {
			t.Fatal(err)
		}
		if err := k.Verify(); err != nil || k.Accuracy != c.want {
			t.Errorf("%v, fast %v: %v, %v, want %v", c.dialect, c.fast, k.Accuracy, err, c.want)
		}
		if k.Accuracy = 0; k.Verify() == nil {
			t.Error("no accuracy passes")
		}
	}
}
