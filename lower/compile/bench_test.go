package compile_test

import (
	"fmt"
	"strings"
	"testing"

	"gpupipe/frontend"
	"gpupipe/frontend/ast"
	"gpupipe/internal/target"
	"gpupipe/internal/test/irtest"
	"gpupipe/kernels"
	"gpupipe/lower"
	"gpupipe/lower/compile"
	"gpupipe/lower/machine"
	"gpupipe/lower/profile"
	"gpupipe/lower/translate"
)

// options are those of nvcc for sm_80.
func options(t testing.TB) *compile.Options { return optionsFor(t, "sm_80", "nvcc-11.8") }

// optionsFor are those of a profile for a target.
func optionsFor(t testing.TB, on, by string) *compile.Options {
	t.Helper()
	m, err := machine.LookupTarget(on)
	if err != nil {
		t.Fatal(err)
	}
	p, err := profile.Lookup(by)
	if err != nil {
		t.Fatal(err)
	}
	return &compile.Options{Level: 2, Target: m, Profile: p}
}

// tree is the kernel of a name in a source, "" the first.
func tree(t testing.TB, c frontend.Config, name string) *lower.Kernel {
	t.Helper()
	return treeOf(t, unit(t, c), name)
}

func unit(t testing.TB, c frontend.Config) *ast.Unit {
	t.Helper()
	c.Target = target.Target{Level: target.O2, Compiler: target.NVCC, WarpSize: 32}
	u, err := frontend.Parse(c)
	if err != nil {
		t.Fatal(err)
	}
	return u
}

func treeOf(t testing.TB, u *ast.Unit, name string) *lower.Kernel {
	t.Helper()
	fn := u.Kernels[0]
	if name != "" {
		fn = u.Kernel(name)
	}
	k, err := translate.Kernel(u, fn)
	if err != nil {
		t.Fatal(err)
	}
	return k
}

// builtin is a built-in kernel.
func builtin(t testing.TB, e kernels.Kernel) *lower.Kernel {
	t.Helper()
	return tree(t, irtest.Builtin(t, e), e.Function)
}

// straight is a kernel of n lines, each some operations.
func straight(n int) string {
	var b strings.Builder
	b.WriteString("kernel void k(global const float *a, global float *o, int n) {\n" +
		" float s = 0; int i = get_global_id(0);\n")
	for j := range n {
		fmt.Fprintf(&b, " s = s * a[i + %d] + (float)(i * %d);\n", j, j+3)
	}
	b.WriteString(" o[i] = s;\n}\n")
	return b.String()
}

// whole is a kernel with a loop of n iterations that is unrolled whole.
func whole(n int) string {
	return fmt.Sprintf(`kernel void k(global const float *a, global float *o) {
 float s = 0; int i = get_global_id(0);
 #pragma unroll
 for (int j = 0; j < %d; j++) s = s * a[i + j] + (float)(i * j);
 o[i] = s; }`, n)
}

// repeated is a kernel of n lines, %d in each being its number.
func repeated(n int, line string) string {
	var b strings.Builder
	b.WriteString("kernel void k(global const float *a, global float *o, int n) {\n" +
		" float s = 0, y = a[0], z = a[1]; int i = get_global_id(0);\n")
	for j := range n {
		b.WriteString(strings.ReplaceAll(line, "%d", fmt.Sprint(j)) + "\n")
	}
	b.WriteString(" o[i] = s + y + z;\n}\n")
	return b.String()
}

// instructions counts those of a block.
func instructions(b *machine.Block) int {
	if b == nil {
		return 0
	}
	n := 0
	for _, node := range b.Nodes {
		switch node := node.(type) {
		case *machine.Instr:
			n++
		case *machine.If:
			n += instructions(node.Then) + instructions(node.Else)
		case *machine.Loop:
			n += instructions(node.Body)
		case *machine.Region:
			n += instructions(node.Body)
		}
	}
	return n
}

// BenchmarkCompile compiles kernels; instr/s counts instructions that are made.
func BenchmarkCompile(b *testing.B) {
	run := func(name string, kernel func(testing.TB) *lower.Kernel) {
		b.Run(name, func(b *testing.B) {
			o, k, n := options(b), kernel(b), 0
			b.ReportAllocs()
			b.ResetTimer()
			for range b.N {
				c, err := compile.Compile(k, o)
				if err != nil {
					b.Fatal(err)
				}
				n += instructions(c.Body)
			}
			b.ReportMetric(float64(n)/b.Elapsed().Seconds(), "instr/s")
		})
	}
	for _, e := range kernels.List() {
		run("kernel="+e.Name, func(t testing.TB) *lower.Kernel { return builtin(t, e) })
	}
	text := func(name, text string) {
		run(name, func(t testing.TB) *lower.Kernel {
			return tree(t, frontend.Config{File: "k.cl", Text: text, Dialect: ast.OpenCL}, "")
		})
	}
	for _, n := range []int{1000, 10_000, 25_000, 50_000} {
		text(fmt.Sprintf("lines=%d", n), straight(n))
		text(fmt.Sprintf("fma=%d", n), repeated(n, "s = fma(s, y, z); y = fma(y, s, z);"))
		text(fmt.Sprintf("loads=%d", n), repeated(n, "s = fma(a[i + %d], y, s);"))
		text(fmt.Sprintf("unrolled=%d", n), whole(n))
	}
}
