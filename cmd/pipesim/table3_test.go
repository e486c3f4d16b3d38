package main

import (
	"context"
	"fmt"
	"io/fs"
	"testing"

	"gpupipe/frontend"
	"gpupipe/frontend/ast"
	"gpupipe/idg"
	"gpupipe/internal/generate"
	"gpupipe/kernels"
	"gpupipe/latencies"
	"gpupipe/lower/translate"
	"gpupipe/simulate"
	"gpupipe/unroll"
)

// paperMmul executes the 2019 paper's mmul for 1024x1024 at -O0, its own level.
func paperMmul(t *testing.T, blockSize int64) *idg.Graph {
	t.Helper()
	text, err := fs.ReadFile(kernels.FS(), "mmul.cl")
	if err != nil {
		t.Fatal(err)
	}
	u, err := frontend.Parse(frontend.Config{File: "mmul.cl", Text: string(text), Dialect: ast.OpenCL,
		Defines: []string{fmt.Sprint("BLOCK_SIZE=", blockSize)}})
	if err != nil {
		t.Fatal(err)
	}
	k, err := translate.Kernel(u, u.Kernel("mmul"))
	if err != nil {
		t.Fatal(err)
	}
	n := 1024 / blockSize
	g, _, err := generate.Execute(k, u.Kernel("mmul"), ast.OpenCL, unroll.Options{
		Target: unroll.Target{Level: unroll.O0}, Local: [3]int64{blockSize, blockSize}, Groups: [3]int64{n, n},
		Args: map[string]unroll.ArgValue{"wA": {Int: 1024}, "wB": {Int: 1024}},
	})
	if err != nil {
		t.Fatal(err)
	}
	return g
}

// TestTableIII applies P19 Table III to the paper's mmul, by source line: the
// global reads of matrix A and matrix B have their own values for each group
// size, local memory those without and with the paper's bank conflicts. With conflicts
// local memory is the bottleneck, and the kernel is slower.
func TestTableIII(t *testing.T) {
	line := func(g *idg.Graph, buffer string) int {
		for _, in := range g.Instrs() {
			if a := g.Access(in.Access); a != nil && in.Op == "ld.global" && a.Buffer == buffer {
				return in.Pos.Line
			}
		}
		t.Fatalf("no global read of %s", buffer)
		return 0
	}
	for _, c := range []struct {
		gpu             string
		blockSize       int64
		a, b            string // matrix A and B
		local, conflict string
	}{
		{"c2050-p19", 8, "cpi=20,latency=162", "cpi=45,latency=479", "cpi=2,latency=47", "cpi=16,latency=250"},
		{"c2050-p19", 16, "cpi=13,latency=244", "cpi=17,latency=561", "cpi=2,latency=47", "cpi=16,latency=250"},
		{"gtx1060-p19", 8, "cpi=7,latency=210", "cpi=8,latency=409", "cpi=1,latency=30", "cpi=7,latency=100"},
		{"gtx1060-p19", 16, "cpi=6,latency=247", "cpi=10,latency=444", "cpi=1,latency=30", "cpi=7,latency=100"},
	} {
		g := paperMmul(t, c.blockSize)
		dev, err := latencies.Builtin(c.gpu)
		if err != nil {
			t.Fatal(err)
		}
		run := func(local string) *simulate.Result {
			var rules []latencies.Rule
			for _, s := range []string{
				fmt.Sprintf("ld.global@%d:%s", line(g, "A"), c.a),
				fmt.Sprintf("ld.global@%d:%s", line(g, "B"), c.b),
				"local:" + local,
			} {
				r, err := latencies.ParseRule(s)
				if err != nil {
					t.Fatal(err)
				}
				rules = append(rules, r)
			}
			m, err := latencies.NewMapper(dev, rules)
			if err != nil {
				t.Fatal(err)
			}
			mapping, err := m.Map(g)
			if err != nil {
				t.Fatal(err)
			}
			if len(mapping.Warnings) > 0 {
				t.Errorf("%s: %v", c.gpu, mapping.Warnings)
			}
			r, err := simulate.Run(context.Background(), g, mapping, simulate.Config{})
			if err != nil {
				t.Fatal(err)
			}
			return r
		}
		free, conflicts := run(c.local), run(c.conflict)
		if b := conflicts.Bound; b.Kind != simulate.BoundThroughput || b.Subsystem != "local" {
			t.Errorf("%s %dx%[2]d with conflicts: bound by %s (%s), want local memory", c.gpu, c.blockSize,
				b.Subsystem, b.Kind)
		}
		ratio := conflicts.Cycles.Float() / free.Cycles.Float()
		if ratio < 2 {
			t.Errorf("%s %dx%[2]d: conflicts slow the kernel only by %.2f", c.gpu, c.blockSize, ratio)
		}
		t.Logf("%s %dx%[2]d: %.2f ms without conflicts (bound: %s), %.2f ms with (bound: %s), %.2f times slower",
			c.gpu, c.blockSize, 1e3*free.Seconds, free.Bound.Subsystem, 1e3*conflicts.Seconds,
			conflicts.Bound.Subsystem, ratio)
	}
}
