package unroll_test

import (
	"bytes"
	"fmt"
	"io/fs"
	"math/rand/v2"
	"strings"
	"testing"

	"gpupipe/internal/target"
	"gpupipe/internal/tools"
	"gpupipe/kernels"
	"gpupipe/lower"
	"gpupipe/unroll"
)

// sameEitherWay resolves a kernel with all iterations executed and with those
// skipped that are proved to repeat, and compares the graphs and the warnings. It
// reports how many instructions were skipped.
func sameEitherWay(t *testing.T, k *lower.Kernel, opt unroll.Options, text string) int64 {
	t.Helper()
	opt.EveryIteration = true
	want, err := unroll.Resolve(k, opt)
	if err != nil {
		return 0 // too large, if anything
	}
	opt.EveryIteration = false
	got, err := unroll.Resolve(k, opt)
	if err != nil {
		t.Fatalf("%v\n%s", err, text)
	}
	if a, b := encoded(t, want.Graph), encoded(t, got.Graph); !bytes.Equal(a, b) {
		t.Fatalf("%+v\n%s\nevery iteration:\n%.6000s\nskipping:\n%.6000s", opt, text, a, b)
	}
	if a, b := fmt.Sprint(want.Warnings), fmt.Sprint(got.Warnings); a != b {
		t.Fatalf("%s\nevery iteration: %s\nskipping: %s", text, a, b)
	}
	skipped, err := unroll.Skipped(k, opt)
	if err != nil {
		t.Fatal(err)
	}
	return skipped
}

// TestSteadyRandom compares random kernels of rolled loops with thousands of
// iterations.
func TestSteadyRandom(t *testing.T) {
	count, skipped := tools.Cases(40, 6), 0
	for seed := range uint64(count) {
		text := generateLoops(seed)
		k := lowerKernel(t, text)
		rng := rand.New(rand.NewPCG(seed, 3))
		opt := unroll.Options{
			Target: unroll.Target{Level: unroll.Level(1 + seed%2), Compiler: unroll.Compiler(1 + rng.IntN(3))},
			Local:  [3]int64{24, 2}, Groups: [3]int64{3, 2}, AssumeTrips: 2000,
			MaxInstructions: 300_000, Warps: unroll.FirstWarp, Args: map[string]unroll.ArgValue{},
		}
		for _, p := range k.Params {
			if p.Type != lower.Ptr && rng.IntN(4) > 0 {
				opt.Args[p.Name] = unroll.ArgValue{Int: 1500 + rng.Int64N(2000)}
			}
		}
		opt.Locality = unroll.LocalityChoice(1 + rng.IntN(3))
		if rng.IntN(4) == 0 {
			opt.Barrier = unroll.WaitComplete
		}
		opt.MachineCode = rng.IntN(3) == 0
		opt.Pairs, opt.Packed = opt.MachineCode && seed%4 < 2, opt.MachineCode && seed%4 >= 2
		if opt.MachineCode {
			opt.Uniform = target.InScalarRegisters
		}
		if sameEitherWay(t, k, opt, text) > 0 {
			skipped++
		}
	}
	t.Logf("iterations were skipped in %d of %d kernels", skipped, count)
	if skipped < count/4 {
		t.Errorf("iterations were skipped in %d of %d kernels only", skipped, count)
	}
}

// loopWriter writes random kernels whose loops run for long.
type loopWriter struct {
	rng    *rand.Rand
	out    strings.Builder
	names  int
	around []string // counters of the loops of a nest
}

// generateLoops returns the text of a kernel of loops one behind the other.
func generateLoops(seed uint64) string {
	g := &loopWriter{rng: rand.New(rand.NewPCG(seed, 77))}
	g.begin()
	for range 1 + g.rng.IntN(2) {
		g.loop(0)
		if g.rng.IntN(3) == 0 {
			g.line("barrier(1);")
		}
	}
	return g.end()
}

func (g *loopWriter) begin() {
	restrict := g.pick("", "", "restrict ")
	fmt.Fprintf(&g.out, "kernel void k(global int *%sa, global const int *%sb, int n, uint m)\n{\nlocal int s[512];\n"+
		"int id = get_local_id(0), d = 0, e = %s, p[4] = {0, 1, 2, 3}, q[8] = {1, 5, 9, 2, id, 11, 3, 6};\n"+
		"uint u = %s;\nfloat x = %s;\n",
		restrict, restrict, g.pick("0", "id", "n"), g.pick("5", "m"), g.pick("0", "1.5f", "n"))
}

func (g *loopWriter) end() string {
	g.out.WriteString("a[id] = d + e + (int)x + (int)u + p[1];\na[(q[id & 7] ^ p[id & 3]) & 1023] = 1;\n}\n")
	return g.out.String()
}

func (g *loopWriter) pick(list ...string) string { return list[g.rng.IntN(len(list))] }

func (g *loopWriter) line(format string, args ...any) { fmt.Fprintf(&g.out, format+"\n", args...) }

func (g *loopWriter) loop(depth int) {
	g.names++
	i := fmt.Sprintf("i%d", g.names)
	n := g.pick("n", "n", "m", "2345", "1800 + id", "n - 3 * id")
	if depth > 0 {
		n = g.pick("3", "id & 3", "2", "40", "d & 1", "300")
	}
	if g.rng.IntN(2) == 0 || depth == 0 && g.rng.IntN(2) == 0 {
		g.line("#pragma unroll %d", []int{1, 1, 1, 2, 3}[g.rng.IntN(5)])
	}
	end := "}"
	switch g.rng.IntN(7) {
	case 0:
		g.line("int %s = 0;\nwhile (%s < (int)(%s)) {\n%s += %s;", i, i, n, i, g.pick("1", "2"))
	case 1:
		g.line("int %s = 0;\ndo {", i)
		end = fmt.Sprintf("} while (++%s < (int)(%s));", i, n)
	case 2:
		g.line("for (int %s = (int)(%s); %s > 0; %s--) {", i, n, i, i)
	case 3:
		g.line("for (uint %s = id; %s < (uint)(%s); %s += %s) {", i, i, n, i, g.pick("1", "2", "3"))
	default:
		g.line("for (int %s = 0; %s < (int)(%s); %s += %s) {", i, i, n, i, g.pick("1", "1", "1", "2", "4"))
	}
	for range 1 + g.rng.IntN(4) {
		g.statement(i, depth)
	}
	g.line("%s", end)
}

func (g *loopWriter) index(i string) string {
	if n := len(g.around); n > 0 && g.rng.IntN(4) > 0 {
		o := g.around[g.rng.IntN(n)]
		return g.pick("64 * "+i, "32 * "+i+" + id", o+" * 64 + "+i+" * 128", o+" * 1024 + 64 * "+i,
			"64 * "+i+" + 4 * "+o, i+" * 64 + "+o+" * n * 64", "64 * "+i+" - 64 * "+o,
			o, o+" + "+i, o+" * "+i+" * 64", "("+o+" & 7) + 64 * "+i, "64 * (("+i+" ^ "+o+") & 7)",
			"64 * min("+i+", "+o+")", "64 * (("+o+" + "+i+") % 16)", "abs("+i+" - "+o+") * 64")
	}
	return g.pick(i, i, i, "32 * "+i+" + id", i+" * n + id", "id", "e", "u", "("+i+" & 7) * 32 + id", i+" % 3",
		i+" / 4", i+" + id", "64 * id + "+i, "("+i+" * "+i+") & 63", "3", i+" >> 3", "(("+i+" & 1) ? 0 : 128) + id",
		"min("+i+", 700)")
}

func (g *loopWriter) statement(i string, depth int) {
	switch g.rng.IntN(26) {
	case 0, 1, 2:
		g.line("d += b[%s];", g.index(i))
	case 24: // what private arrays hold decides
		g.line("%s", g.pick("d += b[p["+i+" & 3] & 1023];", "if (q["+i+" & 7] > 5) d += b["+g.index(i)+"];",
			"a[q[("+i+" + id) & 7] + 64 * "+i+"] = 3;", "for (int j = 0; j < (q["+i+" & 3] & 3); j++) d += b[j];"))
	case 25:
		g.line("q[%s] = %s;", g.pick("2", i+" & 7", "("+i+" >> 2) & 7", "id & 7"),
			g.pick("id", i+" & 7", "7", "q[3] ^ 1", "d"))
	case 3:
		g.line("d ^= a[%s];", g.index(i))
	case 4:
		g.line("a[%s] = d;", g.index(i))
	case 5:
		g.line("a[%s] = %s;", g.index(i), i)
	case 6:
		g.line("d += s[(%s) & 511];", g.index(i))
	case 7:
		g.line("s[(%s) & 511] = d + %s;", g.index(i), i)
	case 8:
		g.line("e += %s;", g.pick("1", "3", "id", "n", i, "d"))
	case 9:
		g.line("u = u * %s + %s;", g.pick("1", "1", "3", "5"), g.pick("1", "7", "id"))
	case 10:
		g.line("x = x * 0.5f + %s;", g.pick("1.0f", "(float)"+i, "(float)b["+g.index(i)+"]"))
	case 11:
		g.line("if (%s < %s) d += b[%s + 5];", i, g.pick("500", "n / 2", "id + 900", "d"), i)
	case 12:
		g.line("if ((%s & 3) == 1) { d += b[%s]; a[%s] = 1; } else d -= b[id];", i, g.index(i), g.index(i))
	case 13:
		g.line("{ int t = %s; d += b[t] + t; }", g.index(i))
	case 14:
		g.names++
		t := fmt.Sprintf("t%d", g.names)
		g.line("int %s; if (%s == 0) %s = 1; else %s = %s; d += %s;", t, i, t, t, g.pick("3", i, t+" * 3 + 1"), t)
	case 15:
		g.line("p[%s] += %s;", g.pick("0", "1", i+" & 3"), g.pick("1", "d", i))
	case 16:
		g.line("if (%s) continue;", g.pick("d > 7", "id > 20", "("+i+" & 7) == id"))
	case 17:
		g.line("if (%s) break;", g.pick("d > 7", i+" > 1700 + id", i+" == 1111"))
	case 18:
		g.line("d += %s ? %s : 3;", g.pick("id & 1", i+" > 1000", "d"), g.pick(i, "b["+i+"]", "e"))
	case 19:
		g.line("%s;", g.pick("atomic_add(&a["+g.index(i)+"], 1)", "d += atomic_add(&s[("+i+") & 7], 1)"))
	case 20:
		g.line("switch (%s & 3) { case 0: d += 1; break; case 1: e += 1; default: d += b[e]; }", g.pick(i, "id", "d"))
	case 21:
		g.line("barrier(1);")
	default:
		if depth < 2 {
			g.loop(depth + 1)
		} else {
			g.line("d += b[%s] * e;", i)
		}
	}
}

// TestSteadyBuiltins compares the built-in kernels with loops of thousands of
// iterations.
func TestSteadyBuiltins(t *testing.T) {
	tools.Heavy(t)
	skipped := 0
	for _, entry := range kernels.List() {
		text, err := fs.ReadFile(kernels.FS(), entry.File)
		if err != nil {
			t.Fatal(err)
		}
		for _, k := range lowerSource(t, entry.File, string(text), entry.Defines...) {
			if k.Name != entry.Function {
				continue
			}
			for _, c := range []unroll.Options{
				{Target: unroll.Target{Level: unroll.O0, Compiler: unroll.NVCC}},
				{Target: unroll.Target{Level: unroll.O2, Compiler: unroll.NVCC}, Locality: unroll.GroupLocality},
				{Target: unroll.Target{Level: unroll.O2, Compiler: unroll.Clang}},
				{Target: unroll.Target{Level: unroll.O2, Compiler: unroll.NoCompiler}, Locality: unroll.LaunchLocality},
			} {
				c.Local, c.Groups, c.Warps, c.MaxInstructions, c.AssumeTrips = [3]int64{16, 16}, [3]int64{4, 4},
					unroll.FirstWarp, 500_000, 3000
				c.Args = map[string]unroll.ArgValue{}
				for _, p := range k.Params {
					if p.Type != lower.Ptr {
						c.Args[p.Name] = unroll.ArgValue{Int: 4096}
					}
				}
				if sameEitherWay(t, k, c, entry.Name) > 0 {
					skipped++
				}
			}
		}
	}
	t.Logf("iterations were skipped in %d resolutions", skipped)
	if skipped < 10 {
		t.Errorf("iterations were skipped in %d resolutions only", skipped)
	}
}

// TestSteadyTrips holds that loops of 10^9 iterations take no more room than those of
// 10^5, and execute what is expected.
func TestSteadyTrips(t *testing.T) {
	for _, c := range []struct {
		name, body string
	}{
		{"sum", "for (long i = 0; i < q; i++) d += a[32 * i + get_local_id(0)];"},
		{"stores", "for (long i = 0; i < q; i++) a[i] = 1;"},
		{"range", "for (long i = 0; i < q; i++) d += a[(i & 255) * 32];"},
		{"per lane", "for (long i = get_local_id(0); i < q; i += 1) d ^= a[i];"},
		{"while", "long i = 0; while (i < q) { d += a[i]; i += 4; }"},
	} {
		t.Run(c.name, func(t *testing.T) {
			k := lowerKernel(t, "kernel void k(global int *a, long q) { int d = 0;\n#pragma unroll 1\n"+c.body+
				"\na[0] = d; }")
			size := func(trips int64) (stored int, executed int64) {
				opt := unroll.Options{Target: unroll.Target{Level: unroll.O2}, Local: [3]int64{32},
					Args: map[string]unroll.ArgValue{"q": {Int: trips}}, MaxInstructions: 500_000}
				p := resolve(t, k, opt).Graph.Programs()[0]
				return p.StaticLen(), p.Len()
			}
			few, short := size(1 << 16)
			many, long := size(1 << 30)
			// As many per iteration, as far as the first ones tell.
			if perTrip := float64(short) / (1 << 16); many > few || float64(long) < perTrip*0.99*(1<<30) ||
				float64(long) > perTrip*1.01*(1<<30) {
				t.Errorf("2^16 iterations: %d instructions stored, %d executed; 2^30: %d and %d", few, short,
					many, long)
			}
		})
	}
}

// TestSteadyUncounted: loops that go on by a condition which is not known run as often
// as is given or assumed, also where their passes are skipped.
func TestSteadyUncounted(t *testing.T) {
	for _, loop := range []string{
		"int k = n;\nwhile (k--) x += b[k];",
		"for (uint k = m; k; k &= k - 1) x += b[k];",
		"int lo = 0, hi = n;\nwhile (lo < hi) { int mid = (lo + hi) / 2; if (b[mid] < n) lo = mid + 1; else hi = " +
			"mid; }\nx = lo;",
		"global const int *p = b, *end = b + 7 * n;\nwhile (p < end) { x += *p; p += n; }",
		"int k = n;\ndo { x += b[k]; k /= 2; } while (k > 0 && x > 0);",
		"for (;;) { if (--n < 0) break; x += b[n]; }",
		"for (;;) { x += b[id]; if (x > n) break; }",
	} {
		text := "kernel void k(global int *a, global const int *b, int n, uint m)\n{\nint id = get_global_id(0), " +
			"x = 0;\n" + loop + "\na[id] = x;\n}\n"
		k := lowerKernel(t, text)
		for _, flags := range []string{"-O2", "-O0", "-O2 --assume-trip 1003", "-O2 --trip 5=2001 --trip 4=2001",
			"-O2 --trip 5=2003 --unroll 5=4"} {
			skipped := sameEitherWay(t, k, parseOptions(t, flags+" --local 32"), text+flags)
			if strings.Contains(flags, "1003") && skipped == 0 {
				t.Errorf("no iterations are skipped\n%s", text)
			}
		}
	}
}
