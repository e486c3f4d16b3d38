package load

import (
	"fmt"
	"strings"
	"testing"

	"gpupipe/frontend/source"
)

// benchmarkText is a kernel of about the given number of lines.
func benchmarkText(d source.Dialect, lines int) string {
	var b strings.Builder
	head, space := "__kernel void k%d(__global float *x, int n) {\n", "__local"
	if d == source.CUDA {
		head, space = "__global__ void k%d(float *x, int n) {\n", "__shared__"
	}
	for i := 0; b.Len() == 0 || strings.Count(b.String(), "\n") < lines; i++ {
		fmt.Fprintf(&b, head, i)
		fmt.Fprintf(&b, "  %s float t[64];\n  float s = 0;\n", space)
		for j := range 20 {
			fmt.Fprintf(&b, "#pragma unroll 4\n  for (int i = 0; i < n; i++) {\n    s += t[i & 63] * x[i * %d + n] - 2.0f;\n  }\n", j)
		}
		b.WriteString("  x[0] = s;\n}\n")
	}
	return b.String()
}

func BenchmarkParseTree(b *testing.B) {
	for _, d := range []source.Dialect{source.OpenCL, source.CUDA} {
		for _, lines := range []int{80, 10_000} {
			b.Run(fmt.Sprintf("dialect=%v/lines=%d", d, lines), func(b *testing.B) {
				cfg := Config{File: "k.cl", Text: benchmarkText(d, lines), Dialect: d}
				n := strings.Count(cfg.Text, "\n")
				b.ReportAllocs()
				for b.Loop() {
					parseTree(b, cfg)
				}
				b.ReportMetric(float64(n)*float64(b.N)/b.Elapsed().Seconds(), "lines/s")
			})
		}
	}
}
