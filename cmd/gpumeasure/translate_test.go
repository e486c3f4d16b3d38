package main

import (
	"context"
	"math"
	"os"
	"testing"

	"gpupipe/internal/generate"
	"gpupipe/internal/measure/driver"
	"gpupipe/kernels"
	"gpupipe/latencies"
)

// TestInCUDA: every built-in kernel is one in CUDA, whose time is predicted to be about that in OpenCL.
func TestInCUDA(t *testing.T) {
	d, err := latencies.Builtin("h100sxm")
	if err != nil {
		t.Fatal(err)
	}
	for _, k := range kernels.List() {
		s, err := generate.Builtin(k.Name, 0, nil)
		if err != nil {
			t.Fatal(err)
		}
		if _, err := generate.Parse(inCUDA(s), &generate.Options{DynamicLocal: -1, FS: os.DirFS(".")}); err != nil {
			t.Errorf("%s: %v", k.Name, err)
		}
	}
	for _, name := range checked {
		in, err := predicted(context.Background(), name, driver.CUDA, d)
		if err != nil {
			t.Errorf("%s: %v", name, err)
			continue
		}
		if as, err := predicted(context.Background(), name, driver.OpenCL, d); err != nil || math.Abs(in/as-1) > 0.3 {
			t.Errorf("%s: %.1f us in CUDA, %.1f in OpenCL (%v)", name, in*1e6, as*1e6, err)
		} else {
			t.Logf("%s: %.1f us in CUDA, %.1f in OpenCL", name, in*1e6, as*1e6)
		}
	}
}
