package walk_test

import (
	"errors"
	"fmt"
	"slices"
	"strings"
	"testing"

	"gpupipe/unroll"
	"gpupipe/unroll/walk"
)

// TestAbsurdTripCounts: a loop that runs too long or never ends is one positioned error, found without executing it
// (the test would time out).
func TestAbsurdTripCounts(t *testing.T) {
	for _, c := range []struct {
		name, body, options string
		want                string // code and line; the body starts on line 3
	}{
		{"from an argument", "for (int i = 0; i < n; i++) a[i * i] = 1;", "--arg n=2000000000", "TOO-LARGE:3"},
		{"10^18", "for (long i = 0; i < q; i += 1) a[i & 63] = 1;", "--arg q=1000000000000000000", "TOO-LARGE:3"},
		{"given", "for (int i = 0; i < n; i++) a[i] = 1;", "--trip 3=1000000000000", "TOO-LARGE:3"},
		{"assumed", "for (int i = 0; i < n; i++) a[i] = 1;", "--assume-trip 1000000000000", "TOO-LARGE:3"},
		{"a triangle", "for (int i = 0; i < 100000; i++)\nfor (int j = 0; j < i; j++) a[j * j] = i;", "", "TOO-LARGE:3"},
		{"never changes", "for (int i = 0; i < 5; i += 0) a[i] = 1;", "", "ENDLESS:3"},
		{"steps over its end", "int x = 0;\nwhile (x != 3) { x += 2; a[x & 63] = x; }", "", "TOO-LARGE:4"},
		{"no condition", "for (;;) a[0] = 1;", "-O0", "ENDLESS:3"},
		{"2^64 - 1", "for (ulong i = 0; i < 0xfffffffffffffffful; i++) a[i & 7] = 1;", "-O0", "TOO-LARGE:3"},
		{"a break that is never taken", "for (;;) { if (n > 5) break; a[0] = n; }", "--arg n=3", "ENDLESS:3"},
		{"a counter that the body resets", "for (int i = 0; i < 5; i++) { if (i == 3) i = 0; a[i] = 1; }", "-O0",
			"TOO-LARGE:3"},
		{"a counter that never steps", "int i = 0;\ndo { a[0] = i; } while (i < 5);", "", "ENDLESS:4"},
		{"a cycle of 3 million states", "uint x = 1;\nwhile (x != 0) { x = (x * 5 + 3) & 0x3fffff; a[x] = 1; }", "",
			"TOO-LARGE:4"},
		{"22 loops of 2", "float x = 0;\n" + strings.Repeat("for (int i = 0; i < 2; i++)\n", 22) +
			"x += a[0];\na[0] = x;", "-O0", "TOO-LARGE:4"},
	} {
		o := parsed(t, c.options)
		o.MaxInstructions = 100_000
		err := refusal(t, "kernel void k(global int *a, int n, long q)\n{\n"+c.body+"\n}\n", o)
		if got := codes(err); !slices.Equal(got, []string{c.want}) {
			t.Errorf("%s: %v (%v), want %s", c.name, got, err, c.want)
		}
	}
}

// TestBranchesTakeLinearWork: each of many branches takes as much as one of few.
func TestBranchesTakeLinearWork(t *testing.T) {
	cost := func(branches int) float64 {
		var body strings.Builder
		for i := range branches {
			fmt.Fprintf(&body, "if (a[%d] > %d) b[%d] = s; else s += a[%d];\n", i, i, i, i)
		}
		u := unit(t, "k.cl", "kernel void k(global int *a, global int *b)\n{\nint s = 0;\n"+body.String()+"b[0] = s;\n}\n")
		k, c, o := compiled(t, u, u.Kernels[0], "-O0")
		return testing.AllocsPerRun(1, func() {
			if _, _, err := walk.Execute(k, c, o); err != nil {
				t.Fatal(err)
			}
		})
	}
	if few, many := cost(100), cost(800); many > 9*few {
		t.Errorf("100 branches take %.0f allocations, 800 take %.0f", few, many)
	}
}

// TestMaxInstructions: what fits is executed, more is an error.
func TestMaxInstructions(t *testing.T) {
	const text = `kernel void k(global int *a, int n) {
		for (int i = 0; i < n; i++)
			a[i * i] = 1;
	}`
	for _, level := range []string{"-O0", "-O2"} {
		g, _ := graphOf(t, "k.cl", text, level+" --arg n=100")
		o := parsed(t, level+" --arg n=100")
		o.MaxInstructions = 4 * int(g.Programs()[0].Len()) // moves that take no instruction count
		if err := refusal(t, text, o); err != nil {
			t.Errorf("%s: %v", level, err)
		}
		o.MaxInstructions /= 8
		if err := refusal(t, text, o); !slices.Equal(codes(err), []string{"TOO-LARGE:2"}) {
			t.Errorf("%s: half as much: %v", level, err)
		}
	}
}

// TestForeseen: what will exceed the limit for certain is refused when that is known: here of 100 iterations of 4,000
// instructions in the third one, unless all of them fit.
func TestForeseen(t *testing.T) {
	text := "kernel void k(global int *a, int n) {\n#pragma unroll 1\nfor (int i = 0; i < 100; i++) {\n" +
		strings.Repeat("a[i * 3]++; a[i * 5] ^= n;\n", 500) + "}\n}"
	for limit, want := range map[int]string{1 << 30: "[]", 200_000: "[TOO-LARGE:3]"} {
		o := parsed(t, "")
		o.MaxInstructions = limit
		asked := 0 // every 8,192 steps
		o.Ended = func() error { asked++; return nil }
		if got := fmt.Sprint(codes(refusal(t, text, o))); got != want || (asked > 4) != (want == "[]") {
			t.Errorf("limit %d: %s after %d questions, want %s", limit, got, asked, want)
		}
	}
}

// TestManyWarps: the limit on one warp bounds all of them together, accesses that no other one is like counting as much
// as they take of memory; what is left out is said.
func TestManyWarps(t *testing.T) {
	const text = `kernel void k(global int *a) { a[get_global_id(0)] = 1; }`
	g, notes := graphOf(t, "k.cl", text, "-O0 --local 1024 --max-instructions 132")
	const want = "only 17 of 32 warps are resolved, and the others taken for the last of these: together they exceed " +
		"132 instructions"
	if len(notes) != 1 || notes[0].Message != want || g.ProgramOf(31) == nil {
		t.Errorf("notes %v", notes)
	}
}

// TestChosenWarps: warps that are asked for are executed, and said to be none where the group has fewer.
func TestChosenWarps(t *testing.T) {
	u := unit(t, "k.cl", "kernel void k(global int *a) { if (get_local_id(0) < 64) a[64 * get_global_id(0)] = 1; else "+
		"a[0]++; }")
	for _, c := range []struct {
		warps unroll.WarpChoice
		list  []uint32
		want  string
	}{
		{unroll.EveryWarp, nil, "[0 1] [2 3]"}, {unroll.FirstWarp, nil, "[0]"},
		{unroll.ListedWarps, []uint32{3, 3, 9}, "[0] [3] WARPS: there is no warp 9: a group has 4 warps"},
	} {
		o := parsed(t, "--local 128")
		o.Warps, o.WarpList = c.warps, c.list
		g, notes, err := execute(u, u.Kernels[0], o)
		if err != nil {
			t.Fatal(err)
		}
		var got []string
		for _, p := range g.Programs() {
			got = append(got, fmt.Sprint(p.Warps))
		}
		for _, e := range notes {
			got = append(got, e.Code+": "+e.Message)
		}
		if s := strings.Join(got, " "); s != c.want {
			t.Errorf("%v: %s, want %s", c.warps, s, c.want)
		}
	}
}

// TestUnknownExit: a break whose condition is not known does not make a loop run for ever that nothing else ends,
// however its condition is written: its iterations are assumed. One that its condition ends is not cut short.
func TestUnknownExit(t *testing.T) {
	for _, c := range []struct {
		loop string
		want int64
		last int64 // stores that the last iteration may leave out
	}{
		{"while (1)", 5, 1}, {"for (;;)", 5, 1}, {"while (go)", 5, 1}, {"while (go && i >= 0)", 5, 1},
		{"for (; id + 1 > 0; )", 5, 1}, {"for (int j = 0; j < 9; j++)", 9, 0}, {"while (++i < 9)", 8, 0},
	} {
		for _, options := range []string{"-O0", "-O2", "--compiler clang", "--compiler clang --capability gfx90a"} {
			for _, exit := range []string{"break", "return"} {
				g, _ := graphOf(t, "k.cl", `kernel void k(global volatile int *a) {
	uint id = get_global_id(0);
	int i = 0;
	bool go = id >= 0;
	`+c.loop+` {
		if (a[0] == 3) `+exit+`;
		a[1] = 7;
	}
}`, options+" --assume-trip 5")
				// Where the exit ends the loop, it does so in the last iteration.
				n, l := elements(g, "a", 4, true), g.Loops[0]
				if n != c.want && n != c.want-c.last || c.last > 0 && l.Trips != c.want {
					t.Errorf("%s, %s, %s: %d stores, %+v, want %d", options, c.loop, exit, n, l, c.want)
				}
			}
		}
	}
}

// TestStrictErrors: what had to be assumed is an error, what is given is not.
func TestStrictErrors(t *testing.T) {
	const text = `kernel void k(global int *a, int n) {
		for (int i = 0; i < n; i++)
			a[i] = 1;
		if (a[0] > 3)
			a[1] = 2;
		while (a[n] < n++)
			a[3] = 4;
	}`
	for options, want := range map[string][]string{
		"":                                       {"ASSUMED-TRIPS:2", "ASSUMED-BRANCH:4", "ASSUMED-TRIPS:6"},
		"--arg n=3":                              {"ASSUMED-BRANCH:4", "ASSUMED-TRIPS:6"},
		"--trip 2=3 --branch 4=both":             {"ASSUMED-TRIPS:6"},
		"--trip 2=3 --branch 4=taken --trip 6=2": nil,
	} {
		for _, level := range []string{"-O0 ", "-O2 "} {
			err := refusal(t, text, parsed(t, level+"--strict "+options))
			if got := codes(err); !slices.Equal(got, want) {
				t.Errorf("%s%s: %v, want %v", level, options, got, want)
			}
		}
	}
}

// TestEnded: the work ends soon after Options.Ended says so, with its error.
func TestEnded(t *testing.T) {
	ended, asked := errors.New("ended"), 0
	o := parsed(t, "")
	o.Ended = func() error {
		if asked++; asked > 2 {
			return ended
		}
		return nil
	}
	err := refusal(t, "kernel void k(global float *a) { float x = 0; for (int i = 0; i < 1000000; i++) { if (a[i] > x) "+
		"x += a[i * i]; } a[0] = x; }", o)
	if !errors.Is(err, ended) || asked != 3 {
		t.Errorf("%v after %d questions", err, asked)
	}
}

// TestChoices: locations that name nothing, trip counts of constants and pragmas that are not followed are told.
func TestChoices(t *testing.T) {
	const text = `kernel void k(global float *a, int n) {
	for (int i = 0; i < 8; i++) a[i * n] = i;
	#pragma unroll
	for (int i = 0; i < n; i++) a[i] += 1;
}`
	for options, want := range map[string]string{
		"--trip 9=3":       "LOCATION: --trip 9: kernel k has no loop there",
		"--unroll 7=3":     "LOCATION: --unroll 7: kernel k has no loop there",
		"--branch 2=taken": "LOCATION: --branch 2: kernel k has no branch there",
		"--trip 2=3":       "TRIP: --trip 2=3 is ignored: the trip count is the constant 8",
		"--unroll 2=1 -O2": "PRAGMA: #pragma unroll: its trip count (i < n) is not a constant for the compiler",
	} {
		_, notes := graphOf(t, "k.cl", text, options+" --arg n=5")
		found := false
		for _, e := range notes {
			found = found || strings.HasPrefix(e.Code+": "+e.Message, want)
		}
		if !found {
			t.Errorf("%s: %v, want %q", options, notes, want)
		}
	}
}
