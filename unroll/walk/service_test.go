package walk

import (
	"fmt"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"gpupipe/idg"
	"gpupipe/internal/diag"
	"gpupipe/lower"
	"gpupipe/unroll"
)

// graph executes a kernel of nvcc's.
func graph(t *testing.T, text string, change func(o *unroll.Options)) (*idg.Graph, diag.List) {
	t.Helper()
	k, c := code(t, text, compilers[0][0], compilers[0][1])
	o := testLaunch(t, nil)
	o.Source = idg.Source{File: "k.cl", Text: text}
	if change != nil {
		change(&o)
	}
	g, notes, err := Execute(k, c, o)
	if err != nil {
		t.Fatalf("%v\n%s", err, text)
	}
	return g, notes
}

// loadsOf sums up the elements of a buffer that the first warp loads.
func loadsOf(g *idg.Graph, p *idg.Program, buffer string) (n int64) {
	for i, times := range p.Tally(len(g.Instrs())) {
		in := g.Instr(idg.InstrID(i + 1))
		if a := g.Access(in.Access); a != nil && a.Buffer == buffer && !a.Store {
			n += times * int64(a.Width) / 4
		}
	}
	return n
}

// TestKinds: groups at the edges of a launch that execute something else are kinds of their own, and those that do not
// are like the one in the middle.
func TestKinds(t *testing.T) {
	g, _ := graph(t, `kernel void k(global float *restrict o, global const float *restrict a, int n) {
  int i = get_global_id(0);
  if (i >= n) return;
  o[i] = a[i];
}`, func(o *unroll.Options) {
		o.Groups, o.Kinds = [3]int64{10, 1, 1}, unroll.EdgeGroups
		o.Args = map[string]unroll.ArgValue{"n": {Int: 10*testLanes - 3}}
	})
	kinds := g.Kinds()
	if len(kinds) != 1 || kinds[0].Group != 9 || kinds[0].Groups != 1 {
		t.Errorf("kinds %+v, want the last group alone", kinds)
	}
}

// TestSampledKinds: where rows of a triangle are groups, several stand for the launch.
func TestSampledKinds(t *testing.T) {
	text := `kernel void k(global float *restrict o, global const float *restrict a) {
  float s = 0;
  for (int j = 0; j < get_group_id(0); j++) s += a[j * 8 + get_local_id(0)];
  o[get_global_id(0)] = s;
}`
	for _, c := range []struct {
		kinds       unroll.KindChoice
		even        bool
		most, least int // instructions, kinds
	}{{unroll.SampledIfUneven, false, 1 << 20, 31}, {unroll.SampledIfUneven, false, 1600, 6},
		{unroll.MiddleGroup, true, 1 << 20, 0}} {
		g, notes := graph(t, text, func(o *unroll.Options) {
			o.Groups, o.Kinds, o.MaxInstructions = [3]int64{64, 1, 1}, c.kinds, c.most
		})
		if n := len(g.Kinds()); n < c.least || c.most < 1<<20 && n > 2*c.least {
			t.Errorf("%v, at most %d instructions: %d kinds", c.kinds, c.most, n)
		}
		total := int64(0)
		groups := g.Launch.TotalGroups()
		for _, k := range g.Kinds() {
			total += k.Groups * loadsOf(g, k.Programs()[0], "a")
			groups -= k.Groups
		}
		total += groups * loadsOf(g, g.Programs()[0], "a")
		if (len(g.Kinds()) == 0) != c.even || c.even != (len(notes) == 0) {
			t.Errorf("%v: %d kinds, notes %v", c.kinds, len(g.Kinds()), notes)
		}
		if want := int64(64 * 63 / 2); total < want*9/10 || total > want*11/10 {
			t.Errorf("%v: %d loads, want about %d", c.kinds, total, want)
		}
	}
}

// TestContents: the contents of a buffer decide what is loaded from it until it may have been written to: by this
// warp, or in front of a barrier by others.
func TestContents(t *testing.T) {
	const head = `kernel void k(global int *n, global int *restrict m, global float *restrict o, int x) {
  local int l[8];
  float s = 0; `
	const loop = `for (int i = 0; i < n[1]; i++) s += i; o[get_global_id(0)] = s;`
	for _, c := range []struct {
		text  string
		known bool
	}{
		{loop, true},
		{`m[x] = 3; ` + loop, true}, // restrict
		{`n[x] = 3; ` + loop, false},
		{loop + ` n[x] = 4;`, true},
		{`if (get_local_id(0) > 100) n[1] = 3; ` + loop, true}, // no lane does
		{`if (get_local_id(0) > 100) n[1] = 3; barrier(CLK_GLOBAL_MEM_FENCE); ` + loop, false},
		{`l[0] = 3; barrier(CLK_LOCAL_MEM_FENCE); s += l[x & 7]; ` + loop, true},
		{`for (int j = 0; j < x; j++) { ` + loop + ` m[x] = j; }`, true},
		{`for (int j = 0; j < x; j++) { ` + loop + ` n[x] = j; }`, false},
		{`global int *p = m, *q = n; for (int j = 0; j < x; j++) { p[x] = 3; global int *t = p; p = q; q = t; } ` + loop,
			false},
	} {
		_, notes := graph(t, head+c.text+" }", func(o *unroll.Options) {
			o.Args = map[string]unroll.ArgValue{"x": {Int: 5}}
			o.Contents = map[string][]byte{"n": {1, 0, 0, 0, 7, 0, 0, 0}}
		})
		assumed := slices.ContainsFunc(notes, func(e *diag.Error) bool { return e.Code == "ASSUMED-TRIPS" })
		if assumed == c.known {
			t.Errorf("%s: known %v: %v", c.text, !assumed, notes)
		}
	}
}

// TestContentsWarnings: contents that decide nothing, or too few of them.
func TestContentsWarnings(t *testing.T) {
	text := `kernel void k(global float *o, global const int *restrict n) {
  float s = 0;
  for (int i = 0; i < n[1]; i++) s += i;
  o[get_global_id(0)] = s;
}`
	for want, contents := range map[string]map[string][]byte{
		"--contents n: 4 bytes are given, and the kernel loads byte 4": {"n": make([]byte, 4)},
		"--contents o: nothing is taken from it":                       {"o": make([]byte, 4)},
	} {
		_, notes := graph(t, text, func(o *unroll.Options) { o.Contents = contents })
		if !strings.Contains(fmt.Sprint(notes), want) {
			t.Errorf("%v, want %q", notes, want)
		}
	}
}

// TestBranches: what the user chooses, what is known and what is not stands in the header, and notes tell how to
// choose.
func TestBranches(t *testing.T) {
	text := `kernel void k(global float *o, global const float *a, int n) {
  int i = get_global_id(0);
  float s = 0;
  if (n > 3) {
    for (int j = 0; j < 8; j++) s += a[i * 8 + j] * s;
    o[i] = s;
  }
  if (i & 1) { s = a[i]; o[i + 1] = s / a[i + 2]; o[i + 3] = s * a[i + 4]; barrier(CLK_GLOBAL_MEM_FENCE); }
}`
	side := func(s unroll.BranchSide) []unroll.BranchChoice {
		return []unroll.BranchChoice{{At: unroll.Location{Line: 4}, Side: s}}
	}
	for _, c := range []struct {
		branches         []unroll.BranchChoice
		n                int64
		decision, origin string
		loads            int64 // of a in the loop
		notes            int
	}{
		{nil, 0, "both", "arguments", 8, 1},
		{nil, 2, "not-taken", "arguments", 0, 0},
		{nil, 5, "taken", "arguments", 8, 0},
		{side(unroll.SkipBranch), 0, "not-taken", "--branch", 0, 0},
		{side(unroll.SkipBranch), 5, "not-taken", "--branch", 0, 0},
		{side(unroll.TakeBranch), 0, "taken", "--branch", 8, 0},
		{side(unroll.BothSides), 2, "both", "--branch", 8, 0},
	} {
		g, notes := graph(t, text, func(o *unroll.Options) {
			if o.Branches = c.branches; c.n > 0 {
				o.Args = map[string]unroll.ArgValue{"n": {Int: c.n}}
			}
		})
		b := g.Branches
		if b[0].Decision != c.decision || b[0].Origin != c.origin || b[1].Decision != "diverged" ||
			b[1].Divergence == nil || b[1].Divergence.Diverged != 1 {
			t.Errorf("%v, n = %d: %+v", c.branches, c.n, b)
		}
		if n := loadsOf(g, g.Programs()[0], "a"); n < c.loads+3 || c.loads == 0 && n > 5 {
			t.Errorf("%v, n = %d: %d loads", c.branches, c.n, n)
		}
		notes = slices.DeleteFunc(notes, func(e *diag.Error) bool { return e.Code == "BARRIER" })
		if len(notes) != c.notes {
			t.Errorf("%v, n = %d: %v", c.branches, c.n, notes)
		}
	}
	_, notes := graph(t, text, nil)
	if want := "give --branch 4=taken|not-taken, or --arg n=VALUE"; !slices.Contains(notes[0].Notes, want) {
		t.Errorf("%q, want %q", notes[0].Notes, want)
	}
}

// TestLoopOrigins: what decides how often a loop runs, wherever its test stands.
func TestLoopOrigins(t *testing.T) {
	for _, c := range []struct{ loop, origin string }{
		{"for (int j = 0; j < 9; j++) s += a[j];", "constant"},
		{"int j = 0; do s += a[j++]; while (j < 9);", "constant"},
		{"for (int j = 0; j < n; j++) s += a[j];", "arguments"},
		{"int j = 0; do s += a[j++]; while (j < n);", "arguments"},
		{"int j = 0; while (1) { s += a[j++]; if (j >= n) break; o[j] = s; }", "arguments"},
		{"for (int j = n; j < 50; j++) s += a[j];", "arguments"},
		{"int j = n; do s += a[j++]; while (j < 50);", "arguments"},
		{"for (int j = 0; j < 90; j += n) s += a[j];", "arguments"},
		{"for (int j = 0; j < m[0]; j++) s += a[j];", "memory"},
		{"int j = 0; do s += a[j++]; while (j < m[0]);", "memory"},
		{"int j = m[1]; do s += a[j++]; while (j < 9 * n);", "memory"},
		{"for (int j = 0; j < m[2]; j++) s += a[j];", "assumed"},
		{"int j = 0; do s += a[j++]; while (j < m[2]);", "assumed"},
	} {
		text := "kernel void k(global float *o, global const float *restrict a, global const int *restrict m, int n) {"
		g, _ := graph(t, text+" float s = 0; "+c.loop+" o[get_global_id(0)] = s; }", func(o *unroll.Options) {
			o.Args = map[string]unroll.ArgValue{"n": {Int: 7}}
			o.Contents = map[string][]byte{"m": {5, 0, 0, 0, 3, 0, 0, 0}}
		})
		if len(g.Loops) == 0 || g.Loops[0].Origin != c.origin {
			t.Errorf("%s: %+v, want %s", c.loop, g.Loops, c.origin)
		}
	}
}

// TestStrict: what is assumed is an error under Options.Strict.
func TestStrict(t *testing.T) {
	k, c := code(t, `kernel void k(global float *o, int n) { for (int i = 0; i < n; i++) o[i * n] = i; }`,
		compilers[0][0], compilers[0][1])
	o := testLaunch(t, nil)
	o.Strict = true
	if _, _, err := Execute(k, c, o); err == nil || !strings.Contains(err.Error(), "ASSUMED-TRIPS") {
		t.Errorf("%v", err)
	}
	o.Trips = []unroll.TripChoice{{At: unroll.Location{Line: 1}, Trips: 3}}
	if _, _, err := Execute(k, c, o); err != nil {
		t.Error(err)
	}
}

// TestLimits: what is too long, never ends, or is ended by the user, is an error.
func TestLimits(t *testing.T) {
	for want, c := range map[string]struct {
		body   string
		change func(o *unroll.Options)
	}{
		"TOO-LARGE":                  {`for (int i = 0; i < n; i++) o[(i * i) % 77] = i;`, func(o *unroll.Options) { o.MaxInstructions = 500 }},
		"never ends":                 {`while (n) barrier(CLK_LOCAL_MEM_FENCE); o[0] = n;`, nil},
		"more than any run finishes": {`for (long i = 0; i < 0x7fffffffffff; i++) barrier(CLK_LOCAL_MEM_FENCE);`, nil},
		"enough": {`for (int i = 0; i < n; i++) o[(i * i) % 77] = i;`, func(o *unroll.Options) {
			o.Ended = func() error { return fmt.Errorf("enough") }
		}},
	} {
		k, code := code(t, "kernel void k(global float *o, int n) { "+c.body+" }", compilers[0][0], compilers[0][1])
		o := testLaunch(t, map[string]int64{"n": 1 << 20})
		if c.change != nil {
			c.change(&o)
		}
		if _, _, err := Execute(k, code, o); err == nil || !strings.Contains(fmt.Sprintf("%#v %v", err, err), want) {
			t.Errorf("%s: %v, want %q", c.body, err, want)
		}
	}
}

// TestNests: a nest of loops executes as many instructions as its iterations are, however many.
func TestNests(t *testing.T) {
	k, c := code(t, `kernel void k(global float *o, global const float *a, int n) {
  float s = 0;
  for (int i = 0; i < n; i++)
    #pragma unroll 1
    for (int j = 0; j < n; j++) s += a[i * n + j];
  o[get_global_id(0)] = s;
}`, compilers[0][0], compilers[0][1])
	for _, n := range []int64{0, 1, 7, 500, 5001, 1 << 17} {
		g, _, err := Execute(k, c, testLaunch(t, map[string]int64{"n": n}))
		if err != nil {
			t.Fatal(err)
		}
		if got := loadsOf(g, g.Programs()[0], "a"); got != n*n {
			t.Errorf("n = %d: %d loads", n, got)
		}
		if l := g.Loops; l[0].Trips != n || n > 0 && (l[1].Trips != n || l[1].Executed != n) {
			t.Errorf("n = %d: loops %+v", n, l)
		}
	}
}

// TestQuotients: iterations are counted in which a quotient of the counter stays the same, as the upper half of a
// subscript does.
func TestQuotients(t *testing.T) {
	k, c := code(t, `kernel void k(global float *o, global const float *a, int n) {
  float s = 0;
  #pragma unroll 1
  for (int i = 0; i < n; i++) s += a[(i / 4096) * 3 + (i >> 20)] * a[i * 4 / 8192 + 7];
  o[get_global_id(0)] = s;
}`, compilers[0][0], compilers[0][1])
	for _, n := range []int64{5, 4095, 4096, 4097, 100_000, 3_000_000} {
		o := testLaunch(t, map[string]int64{"n": n})
		x := newStatic(c)
		w := newWarp(x, o, middle(o), 0)
		p := newWarp(x, o, middle(o), 0)
		p.plain, p.launch.MaxInstructions = true, 1<<30
		if n > 100_000 {
			if w.run(); w.err != nil || w.steps > 1_000_000 {
				t.Errorf("n = %d: %v, %d steps", n, w.err, w.steps)
			}
			continue
		}
		w.run()
		if p.run(); w.err != nil || p.err != nil || !slices.Equal(w.counts, p.counts) {
			t.Errorf("n = %d: %v %v, %d and %d", n, w.err, p.err, w.counts, p.counts)
		}
		if g, _, err := Execute(k, c, o); err != nil || loadsOf(g, g.Programs()[0], "a") != 2*n {
			t.Errorf("n = %d: %v", n, err)
		}
	}
}

// TestOutside: an access beyond an array of known size is told, if nothing that was assumed leads there.
func TestOutside(t *testing.T) {
	for text, want := range map[string]string{
		"l[get_local_id(0) + 1]": "bytes 32 to 35 of l are accessed, which has 32 bytes",
		"l[n - 9]":               "bytes -4 to -1 of l are accessed",
		"l[get_local_id(0)]":     "",
		"l[n > 8 ? 0 : n - 1]":   "",
	} {
		_, notes := graph(t, `kernel void k(global float *restrict o, global const float *a, int n) {
  local float l[8];
  l[get_local_id(0)] = a[get_global_id(0)];
  barrier(CLK_LOCAL_MEM_FENCE);
  o[get_global_id(0)] = `+text+`;
}`, func(o *unroll.Options) { o.Args = map[string]unroll.ArgValue{"n": {Int: 8}} })
		if s := fmt.Sprint(notes); !strings.Contains(s, want) || want == "" && len(notes) > 0 {
			t.Errorf("%s: %v, want %q", text, notes, want)
		}
	}
}

// TestDeepBreak: a loop that only sides of branches of which nothing is known leave has the iterations that are
// assumed.
func TestDeepBreak(t *testing.T) {
	for _, body := range []string{
		`if (a[i] < a[i + 1]) i++; else if (a[i] < 3) i += 2; else break;`,
		`if (a[i] < 1) { i++; if (a[i] < 2) { if (a[i] < 3) break; i++; } }`,
		`if (a[i] < 1) { if (a[i] < 2) break; return; } i++;`,
	} {
		g, _ := graph(t, `kernel void k(global float *o, global const float *a) {
  int i = 0;
  while (true) { o[i] = i; `+body+` }
  o[get_global_id(0)] = i;
}`, func(o *unroll.Options) { o.AssumeTrips = 5 })
		if l := g.Loops[0]; l.Trips != 5 || l.Origin != "assumed" {
			t.Errorf("%s: %+v", body, l)
		}
	}
}

// TestDifference: a value has changed by so much if each active lane has, or nothing is known of it.
func TestDifference(t *testing.T) {
	r := rand.New(rand.NewPCG(3, 3))
	alike := 0
	for range 4000 {
		random := func() *value {
			v := uniformOf(r.Uint64N(3), 0xff)
			if r.IntN(2) == 0 {
				v.uniform, v.bits = false, make([]uint64, testLanes)
				for l := range v.bits {
					v.bits[l] = r.Uint64N(2)
				}
			}
			if r.IntN(4) == 0 {
				v.known = r.Uint64N(256)
			}
			return &v
		}
		a, b, mask := random(), random(), uint64(1)<<r.IntN(testLanes)
		mask |= 1 << r.IntN(testLanes)
		all := map[int64]bool{}
		known := (a.known | b.known) & mask // in some lane
		for l := range testLanes {
			if mask>>l&1 != 0 {
				all[int64(b.at(l)-a.at(l))] = true
			}
		}
		want := known == 0 || len(all) == 1 && a.known&b.known&mask == mask
		d, ok := difference(lower.U32, a, b, mask)
		if ok != want || ok && known != 0 && !all[d] {
			t.Fatalf("%v to %v, lanes %x: %d, %v", *a, *b, mask, d, ok)
		}
		if ok && known != 0 {
			alike++
		}
	}
	if alike < 500 {
		t.Errorf("%d differences only", alike)
	}
}
