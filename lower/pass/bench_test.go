package pass_test

import (
	"fmt"
	"strings"
	"testing"
	"time"

	"gpupipe/internal/test/cputime"
	"gpupipe/internal/test/irtest"
	"gpupipe/lower/ir"
	"gpupipe/lower/pass"
	"gpupipe/lower/profile"
)

// large are sources whose number of instructions grows with n.
var large = []struct {
	name   string
	source func(n int) string
}{
	{"straight", func(n int) string {
		var b strings.Builder
		for i := range n {
			fmt.Fprintf(&b, "x += a[i * %d + %d] * y; y = x - o[i + %d]; o[i * 3 + %d] = x * y;\n", i%7, i, i%11, i)
		}
		return b.String()
	}},
	{"branches", func(n int) string {
		var b strings.Builder
		for i := range n {
			fmt.Fprintf(&b, "if (x > %d.0f) { x += a[i + %d]; if (y < x) y = x; } else y -= 1.0f;\n", i%13, i)
		}
		return b.String()
	}},
	{"loops", func(n int) string {
		var b strings.Builder
		for i := range n {
			fmt.Fprintf(&b, "for (int j = 0; j < n; j++) { x += a[j * n + %d]; o[j] = y; if (x > 9.0f) break; }\n", i)
		}
		return b.String()
	}},
	{"nest", func(n int) string {
		var b strings.Builder
		depth := min(n, 40)
		for d := range depth {
			fmt.Fprintf(&b, "for (int j%d = 0; j%d < n; j%d++) {", d, d, d)
			for i := range n / depth {
				fmt.Fprintf(&b, "x += a[j%d + %d]; o[i + j%d] = x;", d, i, d)
			}
		}
		return b.String() + strings.Repeat("}", depth)
	}},
	{"array", func(n int) string {
		var b strings.Builder
		b.WriteString("float t[64];\n")
		for i := range n {
			fmt.Fprintf(&b, "t[%d] = x; y += t[%d]; if (y > 3.0f) t[%d] = 1.0f; x *= t[i & 63];\n", i%64, i*7%64, i%64)
		}
		return b.String()
	}},
}

// BenchmarkPasses runs each pass over large kernels, as those before it leave them: the time per instruction must
// not grow with their number.
func BenchmarkPasses(b *testing.B) {
	for _, c := range large {
		for _, n := range []int{250, 1000} {
			text := "__global__ void k(float *o, const float *a, int i, int n) { float x = a[0], y = a[1];\n" + c.source(n) +
				"o[0] = x + y; }\n"
			f := irtest.Build(b, irtest.Config("k.cu", text))[0]
			ctx := &profile.Context{Profile: profileNamed("")}
			for _, p := range pass.List {
				before := f.String()
				count := 0
				f.Body.Walk(func(*ir.Instr) { count++ })
				b.Run(fmt.Sprintf("%s/pass=%s/n=%d", c.name, strings.ReplaceAll(p.Name, " ", "_"), n), func(b *testing.B) {
					used := time.Duration(0)
					for range b.N {
						b.StopTimer()
						g, err := irtest.Parse(before)
						if err != nil {
							b.Fatal(err)
						}
						b.StartTimer()
						from := cputime.Used()
						p.Run(g, ctx)
						used += cputime.Used() - from
					}
					b.ReportMetric(float64(used.Nanoseconds())/float64(b.N*count), "ns/instruction")
				})
				p.Run(f, ctx)
			}
		}
	}
}
