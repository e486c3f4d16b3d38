package resolve

import (
	"fmt"
	"gpupipe/frontend/ast"
	"strings"
	"testing"
)

// preprocessedText is one kernel as a preprocessor leaves it: line markers, the
// functions of many headers, of which the kernel calls some, in about the given
// number of lines.
func preprocessedText(lines int) string {
	var b strings.Builder
	n := 0
	for ; strings.Count(b.String(), "\n") < lines-16; n++ {
		fmt.Fprintf(&b, "# %d \"lib%d.h\"\n\ntypedef struct { float4 v; uint w[4]; } state%d;\n", 10*n+1, n%50, n)
		fmt.Fprintf(&b, "__constant uint table%d[4] = {\n  0x%x, 2,\n  3, 4\n};\n", n, n)
		fmt.Fprintf(&b, "inline float f%d(__global const float *x, state%d *s, uint n)\n{\n"+
			"  float a = (x[n] * 2.0f);\n\n", n, n)
		b.WriteString("  for (uint i = 0; i < 4; i++) {\n    s->w[i] = (((s->w[i]) << (3)) | ((s->w[i]) >> (32 - " +
			"(3)))) + n;\n    a = ((a) > (s->v.x) ? (a) : (s->v.x));\n  }\n")
		fmt.Fprintf(&b, "  s->v += (float4)(a, 1.0f, n & table%d[1], 0.0f);\n  return a;\n}\n", n)
	}
	b.WriteString("# 7 \"k.cl\"\n__kernel void k(__global float *x, uint n)\n{\n  float a = 0.0f;\n")
	for i := 0; i < 10; i++ {
		fmt.Fprintf(&b, "  { state%d s = {0}; a += f%d(x, &s, n + %d); }\n", i, i, i)
	}
	b.WriteString("  x[n] = a;\n}\n")
	return b.String()
}

// BenchmarkParsePreprocessed reads a preprocessed kernel with its types, as users wait for
// it.
func BenchmarkParsePreprocessed(b *testing.B) {
	for _, lines := range []int{4_000, 40_000} {
		b.Run(fmt.Sprintf("lines=%d", lines), func(b *testing.B) {
			cfg := Config{File: "k.cl", Text: preprocessedText(lines), Dialect: ast.OpenCL}
			n := strings.Count(cfg.Text, "\n")
			b.ReportAllocs()
			for b.Loop() {
				if _, err := Parse(cfg); err != nil {
					b.Fatal(err)
				}
			}
			b.ReportMetric(float64(n)*float64(b.N)/b.Elapsed().Seconds(), "lines/s")
		})
	}
}
