package walk

import (
	"fmt"
	"math/rand/v2"
	"strings"
	"testing"

	"gpupipe/frontend"
	"gpupipe/frontend/ast"
	"gpupipe/idg"
	"gpupipe/internal/test/interp"
	"gpupipe/internal/test/tools"
	"gpupipe/lower"
	"gpupipe/lower/compile"
	"gpupipe/lower/ir"
	"gpupipe/lower/machine"
	"gpupipe/lower/profile"
	"gpupipe/lower/translate"
	"gpupipe/unroll"
)

// code compiles the kernel of a source for a target.
func code(t testing.TB, text, target, compiler string) (*lower.Kernel, *machine.Code) {
	t.Helper()
	return codeOf(t, ast.OpenCL, text, target, compiler)
}

func codeOf(t testing.TB, dialect ast.Dialect, text, target, compiler string) (*lower.Kernel, *machine.Code) {
	t.Helper()
	u, err := frontend.Parse(frontend.Config{File: "k.cl", Text: text, Dialect: dialect})
	if err != nil {
		t.Fatalf("%v\n%s", err, text)
	}
	k, err := translate.Kernel(u, u.Kernels[0])
	if err != nil {
		t.Fatalf("%v\n%s", err, text)
	}
	g, err := machine.LookupTarget(target)
	if err != nil {
		t.Fatal(err)
	}
	p, err := profile.Lookup(compiler)
	if err != nil {
		t.Fatal(err)
	}
	c, err := compile.Compile(k, &compile.Options{Target: g, Profile: p, Level: 2})
	if err != nil {
		t.Fatalf("%v\n%s", err, text)
	}
	return k, c
}

// compilers are what kernels of tests are compiled by.
var compilers = [][2]string{{"sm_80", "nvcc-11.8"}, {"sm_90", "nvcc-13"}, {"gfx90a", "clang-amdgcn-14"},
	{"sm_70", "clang-nvptx-14"}}

const testLanes = 8

// testLaunch is a launch of three groups of a warp, of which the second one is executed.
func testLaunch(t testing.TB, args map[string]int64) unroll.Options {
	o := unroll.Options{Local: [3]int64{testLanes, 1, 1}, Groups: [3]int64{3, 1, 1}, Args: map[string]unroll.ArgValue{}}
	for name, n := range args {
		o.Args[name] = unroll.ArgValue{Int: n}
	}
	o, err := o.WithDefaults()
	if err != nil {
		t.Fatal(err)
	}
	return o
}

// touched sums up what the lanes access, by operation: how often, and at which addresses.
type touched map[*ir.Instr][2]uint64

func (m touched) add(in *ir.Instr, lane int, address uint64) {
	x := m[in]
	m[in] = [2]uint64{x[0] + 1, x[1] + (address+1)*uint64(2*lane+1)}
}

// TestRandom: what lanes access is what executing the IR lane by lane accesses, on kernels whose branches, loops and
// subscripts follow from arguments and ids; and with iterations that are counted the instructions are as many as
// without.
func TestRandom(t *testing.T) {
	skipped := 0
	for seed := range tools.Cases(300, 30) {
		text := (&source{rng: rand.New(rand.NewPCG(uint64(seed), 5)), arrays: seed%3 == 2}).kernel()
		by := compilers[seed%len(compilers)]
		_, c := code(t, text, by[0], by[1])
		o := testLaunch(t, map[string]int64{"n": int64(seed % 23), "m": int64(seed % 5)})
		s := newStatic(c)
		got, want := touched{}, touched{}
		first := map[*ir.Instr]*machine.Instr{} // of those that an operation is done by
		for _, in := range s.instrs {
			if in.Mem != nil && first[in.From] == nil {
				first[in.From] = in
			}
		}
		w := newWarp(s, o, middle(o), 0)
		w.plain = true
		w.watch = func(in *machine.Instr, lanes uint64) {
			if !in.Mem.Store || first[in.From] != in {
				return
			}
			p := w.value(in.From.Args[0])
			for m := lanes; m != 0; m &= m - 1 {
				l := trailing(m)
				if p.known>>l&1 == 0 {
					t.Errorf("seed %d: %v is not known", seed, in.From.Pos)
				}
				got.add(in.From, l, p.at(l))
			}
		}
		w.block(c.Body)
		err := interp.Execute(c.Func, &interp.Launch{Lanes: testLanes, MaxSteps: 1 << 22,
			Buffers: map[string][]byte{"o": make([]byte, 1<<14)},
			Scalars: map[string]uint64{"n": uint64(seed % 23), "m": uint64(seed % 5)},
			Index: map[string]uint64{"get_group_id 0": 1, "get_global_id 0": testLanes, "get_local_size 0": testLanes,
				"get_num_groups 0": 3, "get_global_size 0": 3 * testLanes},
			Watch: func(lane int, in *ir.Instr, address uint64) {
				if in.Op == lower.Store {
					want.add(in, lane, address)
				}
			}})
		if err != nil || w.err != nil {
			t.Fatalf("seed %d: %v, %v\n%s", seed, err, w.err, text)
		}
		if fmt.Sprint(got) != fmt.Sprint(want) || len(w.c.notes) > 0 {
			t.Fatalf("seed %d by %v: %v: got %v, want %v\n%s\n%v", seed, by, w.c.notes, got, want, text, c)
		}
		follows := newWarp(s, o, middle(o), 0)
		follows.block(c.Body)
		for i := range w.counts {
			if follows.counts[i] != w.counts[i] {
				t.Fatalf("seed %d by %v: %d executions of %v at %v, want %d\n%s\n%v", seed, by, follows.counts[i],
					s.instrs[i].Op, s.instrs[i].Pos, w.counts[i], text, c)
			}
		}
		if follows.steps < w.steps {
			skipped++
		}
	}
	if t.Logf("iterations were counted in %d kernels", skipped); skipped == 0 {
		t.Errorf("iterations were counted in %d kernels only", skipped)
	}
}

// source writes a random kernel.
type source struct {
	rng     *rand.Rand
	arrays  bool // most of what changes is in a private array
	b       strings.Builder
	depth   int
	loops   int
	vars    []string
	trips   int
	inLoops []string
}

func (w *source) kernel() string {
	w.vars = []string{"n", "m", "l", "g", "a", "b"}
	w.trips = 1
	w.b.WriteString("kernel void k(global int *o, int n, int m) {\n" +
		"int l = get_local_id(0), g = get_global_id(0), a = n + l, b = 3; int x[4] = {1, 2, 3, 4};\n")
	for range 5 {
		w.stmt()
	}
	w.b.WriteString("o[l] = a + b + x[l & 3]; }\n")
	return w.b.String()
}

func (w *source) pick(list ...string) string { return list[w.rng.IntN(len(list))] }

func (w *source) expr(depth int) string {
	if w.arrays && w.rng.IntN(3) == 0 {
		return fmt.Sprintf("x[%s & 3]", w.pick("l", "n", w.vars[len(w.vars)-1]))
	}
	if depth == 0 || w.rng.IntN(3) == 0 {
		if w.rng.IntN(3) == 0 {
			return fmt.Sprint(w.rng.IntN(9))
		}
		return w.vars[w.rng.IntN(len(w.vars))]
	}
	x, y := w.expr(depth-1), w.expr(depth-1)
	switch w.rng.IntN(9) {
	case 0:
		return fmt.Sprintf("(%s << %d)", x, w.rng.IntN(3))
	case 1:
		return fmt.Sprintf("(%s >> %d)", x, w.rng.IntN(3))
	case 2:
		return fmt.Sprintf("(%s %s %d)", x, w.pick("/", "%"), 1+w.rng.IntN(5))
	case 3:
		return fmt.Sprintf("(%s %s %s)", x, w.pick("&", "|", "^"), y)
	case 4:
		return fmt.Sprintf("%s(%s, %s)", w.pick("min", "max"), x, y)
	case 5:
		return fmt.Sprintf("x[%s & 3]", x)
	case 6:
		return fmt.Sprintf("(%s ? %s : %s)", w.cond(), x, y)
	case 7:
		return fmt.Sprintf("(int)((%s)%s %s)", w.pick("uint", "long", "ulong", "ushort", "char"), x,
			w.pick(">> 1", ">> 2", "/ 3", "% 5", "* 7"))
	}
	return fmt.Sprintf("(%s %s %s)", x, w.pick("+", "-", "+", "*"), y)
}

func (w *source) cond() string {
	return fmt.Sprintf("%s %s %s", w.expr(1), w.pick("<", "<=", ">", ">=", "==", "!="), w.expr(1))
}

func (w *source) block(n int) {
	w.depth++
	w.b.WriteString("{\n")
	for range n {
		w.stmt()
	}
	w.b.WriteString("}\n")
	w.depth--
}

func (w *source) stmt() {
	if w.arrays && w.rng.IntN(2) == 0 {
		fmt.Fprintf(&w.b, "x[%s & 3] %s %s;\n", w.pick("l", "n", w.vars[len(w.vars)-1]), w.pick("=", "+=", "-=", "^="),
			w.expr(1))
		return
	}
	switch k := w.rng.IntN(10); {
	case k < 3:
		fmt.Fprintf(&w.b, "o[(%s) & 1023] = %s;\n", w.expr(2), w.expr(1))
	case k < 5:
		fmt.Fprintf(&w.b, "%s = %s;\n", w.pick("a", "b"), w.expr(2))
	case k == 5:
		fmt.Fprintf(&w.b, "x[%s & 3] = %s;\n", w.expr(1), w.expr(1))
	case k == 6 && len(w.inLoops) > 0:
		fmt.Fprintf(&w.b, "if (%s) %s;\n", w.cond(), w.pick("break", "continue"))
	case k < 8 && w.depth < 3:
		fmt.Fprintf(&w.b, "if (%s) ", w.cond())
		w.block(1 + w.rng.IntN(2))
		if w.rng.IntN(2) == 0 {
			w.b.WriteString("else ")
			w.block(1)
		}
	case w.depth < 3:
		w.loop()
	default:
		w.b.WriteString("b += 1;\n")
	}
}

func (w *source) loop() {
	w.loops++
	i := fmt.Sprintf("i%d", w.loops)
	trips := []int{3, 8, 40, 200}[w.rng.IntN(4)]
	if w.trips*trips > 4000 {
		trips = 2
	}
	w.trips *= trips
	bound := fmt.Sprint(trips)
	if w.rng.IntN(2) == 0 {
		bound = w.pick(fmt.Sprintf("min(%d, n + l)", trips), fmt.Sprintf("min(%d, n * 9)", trips), "min(7, m)",
			fmt.Sprintf("min(%d, a & 63)", trips))
	}
	if w.rng.IntN(3) == 0 {
		w.b.WriteString(w.pick("#pragma unroll 4\n", "#pragma unroll 1\n", "#pragma unroll\n"))
	}
	step := w.pick("1", "1", "2", "3")
	fmt.Fprintf(&w.b, "for (int %s = 0; %s < %s; %s += %s) ", i, i, bound, i, step)
	w.vars, w.inLoops = append(w.vars, i), append(w.inLoops, i)
	w.block(1 + w.rng.IntN(3))
	w.vars, w.inLoops = w.vars[:len(w.vars)-1], w.inLoops[:len(w.inLoops)-1]
	w.trips /= trips
}

// TestGraphs: a graph has what is executed, with loops of many iterations in few instructions.
func TestGraphs(t *testing.T) {
	k, c := code(t, `kernel void k(global float *o, global const float *in, int n) {
  float s = 0;
  for (int i = 0; i < n; i++)
    for (int j = 0; j < n; j++)
      s += in[i * n + j];
  o[get_global_id(0)] = s;
}`, "sm_90", "nvcc-13")
	for _, n := range []int64{0, 1, 7, 100, 400} {
		o := testLaunch(t, map[string]int64{"n": n})
		g, _, err := Execute(k, c, o)
		if err != nil {
			t.Fatal(n, err)
		}
		counts, err := Count(c, o)
		if err != nil {
			t.Fatal(n, err)
		}
		loads, want := int64(0), n*n
		for i, in := range counts.Instrs {
			if in.Class == "ld.global" {
				loads += counts.Times[i] / 3
			}
		}
		executed := int64(0)
		for i, times := range g.Programs()[0].Tally(len(g.Instrs())) {
			if strings.HasPrefix(g.Instr(idg.InstrID(i+1)).Op, "ld.global") {
				executed += times
			}
		}
		if loads != want || executed != want {
			t.Errorf("n = %d: %d loads counted, %d in the graph, want %d", n, loads, executed, want)
		}
	}
}

// TestAssumed: a loop of which the count is not known has as many iterations as the user says, whatever copies of it
// the compiler makes; and locality finds what is read twice.
func TestAssumed(t *testing.T) {
	for _, by := range compilers {
		k, c := code(t, `kernel void k(global float *o, global const float *in, global const int *ends) {
  int i = get_global_id(0);
  float s = 0;
  for (int j = 0; j < ends[i]; j++)
    s += in[i + j];
  o[i] = s;
}`, by[0], by[1])
		for _, n := range []int64{0, 1, 18, 64} {
			o := testLaunch(t, nil)
			o.Trips = []unroll.TripChoice{{At: unroll.Location{Line: 4}, Trips: n}}
			o.Locality = unroll.LaunchLocality
			g, notes, err := Execute(k, c, o)
			if err != nil {
				t.Fatalf("%v: %v", by, err)
			}
			loads := int64(0)
			for i, times := range g.Programs()[0].Tally(len(g.Instrs())) {
				in := g.Instr(idg.InstrID(i + 1))
				if a := g.Access(in.Access); a != nil && a.Buffer == "in" && !a.Store {
					loads += times * int64(a.Width) / 4
				}
			}
			if loads != n {
				t.Errorf("%v: %d iterations: %d loads\n%v", by, n, loads, c)
			}
			if len(notes) > 0 || g.Footprint == nil {
				t.Errorf("%v: %d notes, footprint %v", by, len(notes), g.Footprint)
			}
		}
	}
}

// RandomKernel writes a kernel whose branches, loops and subscripts follow from arguments and ids.
func RandomKernel(seed uint64) string { return (&source{rng: rand.New(rand.NewPCG(seed, 5))}).kernel() }
