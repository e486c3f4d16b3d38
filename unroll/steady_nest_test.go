package unroll_test

import (
	"fmt"
	"math/rand/v2"
	"strings"
	"testing"

	"gpupipe/internal/target"
	"gpupipe/internal/tools"
	"gpupipe/unroll"
)

// generateNest returns the text of a kernel with a nest of two or three loops.
func generateNest(seed uint64) string {
	g := &loopWriter{rng: rand.New(rand.NewPCG(seed, 78))}
	g.begin()
	if g.rng.IntN(4) > 0 {
		g.line("d = a[id];") // its contents are not known
	}
	guarded := g.rng.IntN(3) == 0
	if guarded {
		g.line("if (id < n) {")
	}
	if g.rng.IntN(3) == 0 {
		g.nest("24", g.pick("20", "17"), g.pick("190", "300"))
	} else {
		g.nest(g.pick("60", "m", "45"), g.pick("n", "n", "330", "n + 3 * id"))
	}
	if guarded {
		g.line("}")
	}
	return g.end()
}

// nest writes loops within each other of so many iterations.
func (g *loopWriter) nest(trips ...string) {
	g.names++
	i, n := fmt.Sprintf("i%d", g.names), trips[0]
	if depth := len(g.around); depth > 0 && g.rng.IntN(10) == 0 {
		n = g.pick(g.around[depth-1], n+" + ("+g.around[depth-1]+" & 1)", n+" - "+g.around[depth-1])
	}
	g.around = append(g.around, i)
	g.line("#pragma unroll %d", []int{1, 1, 1, 2}[g.rng.IntN(4)])
	switch g.rng.IntN(6) {
	case 0:
		g.line("for (int %s = (int)(%s); %s > 0; %s--) {", i, n, i, i)
	case 1:
		g.line("for (uint %s = 0; %s < (uint)(%s); %s++) {", i, i, n, i)
	default:
		g.line("for (int %s = 0; %s < (int)(%s); %s++) {", i, i, n, i)
	}
	w := ""
	if g.rng.IntN(3) == 0 {
		g.names++
		w = fmt.Sprintf("w%d", g.names)
		g.line("int %s = %s;", w, g.pick("0", i, "4 * "+i+" + id"))
	}
	for range g.rng.IntN(2) {
		g.regular(i)
	}
	if len(trips) > 1 {
		g.nest(trips[1:]...)
	}
	for range g.rng.IntN(2) {
		g.regular(i)
	}
	if w != "" {
		g.line("d ^= a[%s];", w)
	}
	g.line("}")
	g.around = g.around[:len(g.around)-1]
}

// regular writes a statement that is likely to leave a nest steady.
func (g *loopWriter) regular(i string) {
	switch g.rng.IntN(14) {
	case 0:
		g.line("e += %s;", g.pick("1", "32", "id", i, "n"))
	case 1:
		g.line("if (%s) d += b[e];", g.pick("("+i+" & 7) == 3", i+" < 40", i+" + "+g.around[0]+" > 3",
			i+" == "+g.around[0], i+" * "+g.around[0]+" < 90000", "e < 5000"))
	case 2:
		g.line("barrier(1);")
	case 3:
		g.line("s[(%s) & 511] = d;", g.index(i))
	case 4:
		g.line("a[%s] = d;", g.index(i))
	case 5:
		g.line("d += p[%s];", g.pick("1", i+" & 3"))
	case 6, 7:
		g.statement(i, 2)
	case 8:
		g.line("d += s[(%s) & 511];", g.index(i))
	case 9:
		g.line("u = %s;", g.pick(i, i+" + "+g.around[0], "u + 4", i+" * "+g.around[0], "4 * "+g.around[0]))
	default:
		g.line("d += b[%s];", g.index(i))
	}
}

// TestSteadyNests compares random kernels of loops within loops.
func TestSteadyNests(t *testing.T) {
	tools.Heavy(t)
	const count = 8
	skipped := 0
	for seed := range uint64(count) {
		text := generateNest(seed)
		rng := rand.New(rand.NewPCG(seed, 4))
		opt := unroll.Options{
			Target: unroll.Target{Level: unroll.Level(1 + seed%2), Compiler: unroll.Compiler(1 + rng.IntN(3))},
			Local:  [3]int64{32, 2}, Groups: [3]int64{3, 2}, AssumeTrips: 200,
			MaxInstructions: 1_000_000, Warps: unroll.FirstWarp, Locality: unroll.LocalityChoice(1 + rng.IntN(3)),
			Args: map[string]unroll.ArgValue{"n": {Int: 200 + rng.Int64N(600)}, "m": {Int: 40 + rng.Int64N(60)}},
		}
		if rng.IntN(4) == 0 {
			opt.Barrier = unroll.WaitComplete
		}
		opt.MachineCode = rng.IntN(3) == 0
		opt.Pairs, opt.Packed = opt.MachineCode && seed%4 < 2, opt.MachineCode && seed%4 >= 2
		if opt.MachineCode {
			opt.Uniform = target.InScalarRegisters
		}
		if sameEitherWay(t, lowerKernel(t, text), opt, text) > 0 {
			skipped++
		}
	}
	t.Logf("iterations were skipped in %d of %d kernels", skipped, count)
	if skipped < count/4 {
		t.Errorf("iterations were skipped in %d of %d kernels only", skipped, count)
	}
}

// TestSteadyNestContents holds nests whose later iterations differ from those that are
// proved to repeat by what the skipped iterations of the inner loop compute.
func TestSteadyNestContents(t *testing.T) {
	tools.Heavy(t)
	for _, c := range []struct {
		name, body string
	}{
		{"carried by another amount in each outer iteration",
			"int x = 0; for (int j = 0; j < 200; j++) { x += i; d ^= j; } if (x == 50000) d += a[0];"},
		{"a product", "for (int j = 0; j < 200; j++) { d ^= j; if (i * j == 53111) d += a[5]; }"},
		{"equal in between", "for (int j = 0; j < 200; j++) { d ^= j; if (64 * i + 1 == 65 * j) d += a[5]; }"},
		{"a mask that moves", "for (int j = 0; j < 200; j++) { d ^= j; if ((i & (j << 1)) >= 256) d += a[5]; }"},
		{"the product of a remainder", "for (int j = 0; j < 200; j++) { d ^= j; if ((i / 70) * j == 150) d += a[5]; }"},
		{"a trip count that changes late", "for (int j = 0; j < 150 + i / 70; j++) { d ^= j; d += 3; }"},
		{"an exit that comes late", "for (int j = 0; j < 200; j++) { d ^= j; if (i + j > 280) break; e += 2; }"},
	} {
		for _, level := range []unroll.Level{unroll.O0, unroll.O2} {
			text := "kernel void k(global int *a, int n) { int d = a[get_local_id(0)], e = 0;\n#pragma unroll 1\n" +
				"for (int i = 0; i < n; i++) {\n#pragma unroll 1\n" + c.body + "}\na[0] = d + e; }"
			opt := unroll.Options{Target: unroll.Target{Level: level}, Local: [3]int64{32},
				Args: map[string]unroll.ArgValue{"n": {Int: 400}}}
			if sameEitherWay(t, lowerKernel(t, strings.Replace(text, "\n#pragma unroll 1\nint x = 0; for",
				"\nint x = 0;\n#pragma unroll 1\nfor", 1)), opt, text) == 0 {
				t.Errorf("%s at %v: nothing is skipped", c.name, level)
			}
		}
	}
}

// TestSteadyNestTrips holds that nests of 10^12 iterations take no more room than those
// of 4 million, and execute what is expected.
func TestSteadyNestTrips(t *testing.T) {
	for _, c := range []struct {
		name, body string
	}{
		{"sum", "for (int j = 0; j < n; j++) d += a[32 * j + id];"},
		{"both counters", "for (int j = 0; j < n; j++) d += a[64 * ((long)i * n + j) + id];"},
		{"sum of both", "for (int j = 0; j < n; j++) d += a[32 * i + 64 * j + id];"},
		{"a branch in eight", "if (i & 7) d ^= 5; for (int j = 0; j < n; j++) d += a[32 * j + id];"},
		{"carried", "for (int j = 0; j < n; j++) { e += 64; d += a[e]; }"},
		{"begins anew", "int t = 64 * i; for (int j = 0; j < n; j++) { t += 64; d += a[t]; } d ^= t;"},
		{"a branch on both", "for (int j = 0; j < n; j++) if (i + j >= 0) d += a[64 * j];"},
		{"tiles", "s[id] = a[32 * i + id]; barrier(1); for (int j = 0; j < n; j++) d += s[64 * j & 127]; barrier(1);"},
		{"stores", "for (int j = 0; j < n; j++) a[64 * j] = i;"},
		{"the inner one first", "for (int j = 0; j < n; j++) e ^= a[64 * j]; for (int j = 0; j < 20; j++) d += e;"},
	} {
		for _, guard := range []string{"", "if (get_global_id(0) < n)"}[:tools.Cases(2, 1)] {
			t.Run(c.name+guard, func(t *testing.T) {
				k := lowerKernel(t, "kernel void k(global int *a, int n) { local int s[128]; int id = "+
					"get_local_id(0), d = a[id]; long e = 0;\n"+guard+"\n#pragma unroll 1\n"+
					"for (uint i = 0; i < n; i++) {"+
					strings.Replace(c.body, "for (", "\n#pragma unroll 1\nfor (", 1)+"}\na[0] = d; }")
				size := func(trips int64) (stored int, executed int64) {
					opt := unroll.Options{Target: unroll.Target{Level: unroll.O2}, Local: [3]int64{32},
						Args: map[string]unroll.ArgValue{"n": {Int: trips}}, MaxInstructions: 800_000}
					p := resolve(t, k, opt).Graph.Programs()[0]
					return p.StaticLen(), p.Len()
				}
				const few, many = 2048, 293 * 2048
				small, short := size(few)
				large, long := size(many)
				if ratio := float64(long) / float64(short); large > small || ratio < 0.99*many/few*many/few ||
					ratio > 1.01*many/few*many/few {
					t.Errorf("%d x %d iterations: %d instructions stored, %d executed; %d x %d: %d and %d", few, few,
						small, short, many, many, large, long)
				}
			})
		}
	}
}
