package main

import (
	"testing"

	"gpupipe/cmd/internal/test/script"
	"gpupipe/internal/measure/opencl"
	"gpupipe/internal/test/standin"
	"gpupipe/internal/test/tools"
)

func TestMain(m *testing.M) { script.Main(m, "gpumeasure", main) }

// TestScripts runs the command where there is no device.
func TestScripts(t *testing.T) { script.Run(t, "testdata/script") }

// TestCUDA runs the command on libraries that stand in for NVIDIA's.
func TestCUDA(t *testing.T) {
	dir := t.TempDir()
	standin.Build(t, dir)
	script.RunWith(t, "testdata/cuda", map[string]string{"LD_LIBRARY_PATH": dir})
}

// TestOpenCL runs the command on a real OpenCL device.
func TestOpenCL(t *testing.T) {
	if list, err := opencl.List(opencl.Libraries); err != nil || len(list) == 0 {
		tools.Missing(t, "no OpenCL device (Debian: pocl-opencl-icd ocl-icd-libopencl1): %v", err)
	}
	script.Run(t, "testdata/opencl")
}

func TestManual(t *testing.T) { script.Manual(t, "gpumeasure", newRoot) }
