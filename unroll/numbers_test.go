package unroll_test

import (
	"fmt"
	"io/fs"
	"slices"
	"testing"

	"github.com/google/go-cmp/cmp"

	"gpupipe/idg"
	"gpupipe/kernels"
	"gpupipe/latencies"
	"gpupipe/lower"
	"gpupipe/unroll"
)

// builtin lowers a kernel function of the embedded file.
func builtin(t testing.TB, file, function string, defines ...string) *lower.Kernel {
	t.Helper()
	text, err := fs.ReadFile(kernels.FS(), file)
	if err != nil {
		t.Fatal(err)
	}
	for _, k := range lowerSource(t, file, string(text), defines...) {
		if k.Name == function {
			return k
		}
	}
	t.Fatalf("%s has no kernel %s", file, function)
	return nil
}

// TestFig1 is P19 Fig. 1 edge by edge: index, two loads, multiply-add, store
// (golden number 2). The store waits for the index, of which its address is made, and
// for the multiply-add, and through that for the load of what it overwrites.
func TestFig1(t *testing.T) {
	res := resolve(t, builtin(t, "fig1.cl", "fig1"), unroll.Options{
		Target: unroll.Target{Level: unroll.O0}, Local: [3]int64{256}, Groups: [3]int64{4096},
		Args: map[string]unroll.ArgValue{"a": {Float: 2, IsFloat: true}},
	})
	g := res.Graph
	want := []string{"index.s32", "ld.global d0", "ld.global d0", "fma.f32 d1,2", "st.global d0,3"}
	if n := g.Launch.WarpsPerGroup(); n != 8 {
		t.Errorf("%d warps, want 8", n)
	}
	for _, p := range g.Programs() {
		var got []string
		f := flat(p)
		for v := range idg.NodeID(f.Len()) {
			line := opOf(g, f, v)
			if d := preds(f, v); d != "" {
				line += " " + d
			}
			got = append(got, line)
		}
		if diff := cmp.Diff(want, got); diff != "" {
			t.Errorf("warps %v (-want +got):\n%s", p.Warps, diff)
		}
	}
}

// TestMatrixMultiplication is P19 Listing 1 (golden number 9): one outer
// iteration of mmul_08 and mmul_16 at 1024 x 1024.
func TestMatrixMultiplication(t *testing.T) {
	for _, c := range []struct {
		block, iterations, groups, warps int64
	}{{8, 128, 16384, 2}, {16, 64, 4096, 8}} {
		t.Run(fmt.Sprintf("mmul_%02d", c.block), func(t *testing.T) {
			k := builtin(t, "mmul.cl", "mmul", fmt.Sprintf("BLOCK_SIZE=%d", c.block))
			side := 1024 / c.block
			g := resolve(t, k, unroll.Options{
				Target: unroll.Target{Level: unroll.O0}, Local: [3]int64{c.block, c.block},
				Groups: [3]int64{side, side},
				Args:   map[string]unroll.ArgValue{"wA": {Int: 1024}, "wB": {Int: 1024}},
			}).Graph
			if n := g.Launch.TotalGroups(); n != c.groups {
				t.Errorf("%d groups, want %d", n, c.groups)
			}
			if n := g.Launch.WarpsPerGroup(); n != c.warps {
				t.Errorf("%d warps a group, want %d", n, c.warps)
			}
			if l := g.Loops[0]; l.Trips != c.iterations || l.Factor != 1 || l.Full {
				t.Errorf("outer loop: %+v, want %d iterations, rolled", l, c.iterations)
			}
			if l := g.Loops[1]; l.Trips != c.block || !l.Full || l.Executed != c.iterations {
				t.Errorf("inner loop: %+v, want %d iterations, fully unrolled", l, c.block)
			}
			if n := g.Resources.LocalBytes; n != 2*4*c.block*c.block {
				t.Errorf("%d bytes of local memory", n)
			}
			executed := int64(0)
			for i, p := range g.Programs() {
				executed += g.Executions()[i]
				if n := checkIterations(t, g, flat(p), int(c.block)); n != int(c.iterations) {
					t.Errorf("warps %v: %d iterations, want %d", p.Warps, n, c.iterations)
				}
			}
			if executed != c.warps {
				t.Errorf("programs for %d warps, want %d", executed, c.warps)
			}
		})
	}
}

// checkIterations checks every outer iteration of a matrix multiplication and
// returns how many there are.
func checkIterations(t *testing.T, g *idg.Graph, p *idg.Flat, block int) int {
	t.Helper()
	start := idg.NodeID(0)
	for opOf(g, p, start) != "ld.global" {
		start++
	}
	iterations := 0
	accumulator := idg.NodeID(0) // the previous multiply-add; 0 = none
	for v := start; int(v) < p.Len(); v++ {
		if opOf(g, p, v) != "loop" {
			continue
		}
		count := map[string]int{}
		var reads, barriers []idg.NodeID
		for u := start; u <= v; u++ {
			op := opOf(g, p, u)
			count[op]++
			from, kinds := p.Preds(u)
			switch op {
			case "barrier":
				barriers = append(barriers, u)
			case "ld.local":
				reads = append(reads, u)
				for _, f := range from {
					if f >= start && !slices.Contains(barriers, f) {
						t.Fatalf("local read %d depends on %d (%s) of its own iteration", u, f, opOf(g, p, f))
					}
				}
			case "fma.f32":
				want := slices.Clone(reads[len(reads)-2:])
				if accumulator != 0 {
					want = append(want, accumulator)
				}
				slices.Sort(want)
				if !slices.Equal(from, want) || slices.ContainsFunc(kinds, func(k idg.EdgeKind) bool {
					return k != idg.Data
				}) {
					t.Fatalf("multiply-add %d depends on %v, want the data of %v", u, from, want)
				}
				accumulator = u
			}
		}
		want := map[string]int{"ld.global": 2, "st.local": 2, "barrier": 2, "ld.local": 2 * block,
			"fma.f32": block, "loop": 1}
		if diff := cmp.Diff(want, count); diff != "" {
			t.Fatalf("iteration %d (-want +got):\n%s", iterations, diff)
		}
		iterations++
		start = v + 1
	}
	return iterations
}

// TestIndependentMultiplyAdd is the microbenchmark of L4 (golden number 10).
func TestIndependentMultiplyAdd(t *testing.T) {
	for _, level := range []unroll.Level{unroll.O0, unroll.O2} {
		for _, n := range []int{1, 7, 256} {
			k := builtin(t, "micro_madd.cl", "independent_madd", fmt.Sprintf("N=%d", n))
			got := ops(resolve(t, k, unroll.Options{Target: unroll.Target{Level: level}, Local: [3]int64{256},
				Groups: [3]int64{1024}}).Graph)
			if got["fma.f32"] != n || got["loop"] != 0 || got["branch"] != 0 || got["mul.f32"]+got["sub.f32"] != 0 {
				t.Errorf("%v: N=%d leaves %v, want %d multiply-adds and no loop", level, n, got, n)
			}
		}
	}
}

// TestAccessPatterns follows subscripts of a source to transactions of 128 bytes
// (V16 2.5) and passes over 32 banks of 4 bytes (V16 2.6): golden number 14.
func TestAccessPatterns(t *testing.T) {
	banks := latencies.Banks{Count: 32, Bytes: 4, Lanes: 32}
	for _, c := range []struct {
		name, subscript string
		transactions    int // of global memory
		conflicts       int // passes over local memory: 1 = none
	}{
		{"aligned", "i", 1, 1},
		{"misaligned by one word", "i + 1", 2, 1},
		{"stride 2", "2 * i", 2, 2},
		{"stride 3", "3 * i", 3, 1},
		{"stride 4", "i << 2", 4, 4},
		{"stride 32, fully divergent", "i * 32", 32, 32},
		{"stride 33", "i * 33", 32, 1},
		{"descending", "31 - i", 1, 1},
		{"broadcast", "7", 1, 1},
		{"pairs of lanes share a word", "i / 2", 1, 1},
		{"half a warp at one word, half at its bank's next", "i / 16 * 32", 2, 2},
		{"largest of several conflicts", "i < 8 ? i * 32 : i", 8, 8},
	} {
		text := fmt.Sprintf(`kernel void k(global const float *a, global float *o) {
			local float s[2048];
			int i = get_local_id(0);
			o[i] = a[%s] + s[%s];
		}`, c.subscript, c.subscript)
		for _, level := range []string{"-O0", "-O2"} {
			g := resolveText(t, text, level).Graph
			seen := 0
			for _, in := range g.Instrs() {
				a := g.Access(in.Access)
				switch in.Op {
				case "ld.global":
					seen++
					if n := latencies.Transactions(a, 128); n != c.transactions {
						t.Errorf("%s %s: %d transactions, want %d", c.name, level, n, c.transactions)
					}
				case "ld.local":
					seen++
					if n := latencies.BankConflictDegree(a, banks); n != c.conflicts {
						t.Errorf("%s %s: conflict degree %d, want %d", c.name, level, n, c.conflicts)
					}
				}
			}
			if seen != 2 {
				t.Errorf("%s %s: %d loads, want 2", c.name, level, seen)
			}
		}
	}
}
