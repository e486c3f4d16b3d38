package lower

import (
	"testing"

	"gpupipe/frontend"
)

// TestAccuracy: what the languages ask for by themselves, and with the flag.
func TestAccuracy(t *testing.T) {
	for _, c := range []struct {
		dialect frontend.Dialect
		fast    bool
		want    Accuracy
	}{{frontend.CUDA, false, Rounded}, {frontend.OpenCL, false, Relaxed}, {frontend.CUDA, true, Fast}, {frontend.OpenCL, true, Fast}} {
		text := map[frontend.Dialect]string{frontend.CUDA: "__global__ void k() {}", frontend.OpenCL: "kernel void k() {}"}[c.dialect]
		u, err := frontend.Parse(frontend.Config{File: "k", Text: text, Dialect: c.dialect})
		if err != nil {
			t.Fatal(err)
		}
		u.FastMath = c.fast
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
