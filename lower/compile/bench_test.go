package compile_test

import (
	"fmt"
	"io/fs"
	"strings"
	"testing"

	"gpupipe/frontend"
	"gpupipe/frontend/ast"
	"gpupipe/internal/target"
	"gpupipe/kernels"
	"gpupipe/lower"
	"gpupipe/lower/compile"
	"gpupipe/lower/machine"
	"gpupipe/lower/pass"
)

// options are those of nvcc for sm_80.
func options(t testing.TB) *compile.Options {
	t.Helper()
	m, err := machine.LookupTarget("sm_80")
	if err != nil {
		t.Fatal(err)
	}
	p, err := pass.LookupProfile("nvcc-11.8")
	if err != nil {
		t.Fatal(err)
	}
	return &compile.Options{Level: 2, Target: m, Profile: p}
}

// tree is the kernel of a name in a source, "" the first.
func tree(t testing.TB, c frontend.Config, name string) *lower.Kernel {
	t.Helper()
	c.Target = target.Target{Level: target.O2, Compiler: target.NVCC, WarpSize: 32, MachineCode: true}
	u, err := frontend.Parse(c)
	if err != nil {
		t.Fatal(err)
	}
	fn := u.Kernels[0]
	if name != "" {
		fn = u.Kernel(name)
	}
	k, err := lower.Lower(u, fn)
	if err != nil {
		t.Fatal(err)
	}
	return k
}

// builtin is a built-in kernel.
func builtin(t testing.TB, e kernels.Kernel) *lower.Kernel {
	t.Helper()
	text, err := fs.ReadFile(kernels.FS(), e.File)
	if err != nil {
		t.Fatal(err)
	}
	dialect := ast.OpenCL
	if e.Dialect == kernels.CUDA {
		dialect = ast.CUDA
	}
	return tree(t, frontend.Config{File: e.File, Text: string(text), Dialect: dialect, Defines: e.Defines,
		FS: kernels.FS()}, e.Function)
}

// straight is a kernel of n lines, each some operations.
func straight(n int) string {
	var b strings.Builder
	b.WriteString("kernel void k(global const float *a, global float *o, int n) {\n float s = 0; int i = get_global_id(0);\n")
	for j := range n {
		fmt.Fprintf(&b, " s = s * a[i + %d] + (float)(i * %d);\n", j, j+3)
	}
	b.WriteString(" o[i] = s;\n}\n")
	return b.String()
}

func BenchmarkCompile(b *testing.B) {
	run := func(name string, k *lower.Kernel) {
		b.Run(name, func(b *testing.B) {
			o := options(b)
			b.ReportAllocs()
			for range b.N {
				if _, err := compile.Compile(k, o); err != nil {
					b.Fatal(err)
				}
			}
		})
	}
	for _, e := range kernels.List() {
		run("kernel="+e.Name, builtin(b, e))
	}
	for _, n := range []int{250, 1000} {
		run(fmt.Sprintf("lines=%d", n), tree(b, frontend.Config{File: "k.cl", Text: straight(n), Dialect: ast.OpenCL}, ""))
	}
	unrolled := `kernel void k(global const float *a, global float *o) {
 float s = 0; int i = get_global_id(0);
 #pragma unroll
 for (int j = 0; j < 2000; j++) s = s * a[i + j] + (float)(i * j);
 o[i] = s; }`
	run("unrolled=2000", tree(b, frontend.Config{File: "k.cl", Text: unrolled, Dialect: ast.OpenCL}, ""))
}
