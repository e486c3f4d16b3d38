package generate

import (
	"strings"
	"testing"

	"gpupipe/frontend/ast"
	"gpupipe/idg"
	"gpupipe/lower"
	"gpupipe/unroll"
)

// TestCheckStaticLocal: nvcc compiles 48 KiB of arrays in local memory, of CUDA; other
// compilers and languages have the device's limits only.
func TestCheckStaticLocal(t *testing.T) {
	kernel := func(bytes ...int64) *lower.Kernel {
		k := &lower.Kernel{}
		for _, b := range bytes {
			k.Objects = append(k.Objects, lower.Object{Space: idg.SpaceLocal, Size: b})
		}
		k.Objects = append(k.Objects, lower.Object{Space: idg.SpacePrivate, Size: 1 << 20})
		return k
	}
	for _, c := range []struct {
		name     string
		kernel   *lower.Kernel
		dialect  ast.Dialect
		compiler unroll.Compiler
		want     string
	}{
		{"just fits", kernel(40<<10, 8<<10), ast.CUDA, 0, ""},
		{"too much", kernel(40<<10, 9<<10), ast.CUDA, 0,
			"50176 bytes of __shared__ arrays: nvcc compiles at most 49152"},
		{"named", kernel(49 << 10), ast.CUDA, unroll.NVCC, "50176 bytes"},
		{"HIP", kernel(49 << 10), ast.CUDA, unroll.Clang, ""},
		{"OpenCL", kernel(49 << 10), ast.OpenCL, unroll.NVCC, ""},
	} {
		switch e := CheckStaticLocal(c.kernel, c.dialect, c.compiler); {
		case c.want == "" && e != nil:
			t.Errorf("%s: %v", c.name, e)
		case c.want != "" && (e == nil || !strings.Contains(e.Error(), c.want)):
			t.Errorf("%s: %v, want %q", c.name, e, c.want)
		}
	}
}
