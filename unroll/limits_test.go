package unroll_test

import (
	"errors"
	"fmt"
	"slices"
	"strings"
	"testing"

	"gpupipe/internal/diag"
	"gpupipe/unroll"
)

// codes lists the codes and lines of an error.
func codes(err error) []string {
	var list diag.List
	var one *diag.Error
	if !errors.As(err, &list) && errors.As(err, &one) {
		list = diag.List{one}
	}
	var out []string
	for _, e := range list {
		out = append(out, fmt.Sprintf("%s:%d", e.Code, e.Pos.Line))
	}
	return out
}

// TestAbsurdTripCounts: a loop that runs too long or never ends is one positioned
// error, found without executing it (the test would time out).
func TestAbsurdTripCounts(t *testing.T) {
	for _, c := range []struct {
		name, body, options string
		want                string // code and line; the body starts on line 3
	}{
		{"a thousand million, unrolled", "#pragma unroll\nfor (int i = 0; i < 1000000000; i++) a[i] = 1;", "-O2",
			"TOO-LARGE:4"},
		{"from an argument", "for (int i = 0; i < n; i++) a[i * i] = 1;", "-O2 --arg n=2000000000", "TOO-LARGE:3"},
		{"10^18", "for (long i = 0; i < q; i += 1) a[i & 63] = 1;", "-O2 --arg q=1000000000000000000", "TOO-LARGE:3"},
		{"given", "for (int i = 0; i < n; i++) a[i] = 1;", "-O2 --trip 3=1000000000000", "TOO-LARGE:3"},
		{"assumed", "for (int i = 0; i < n; i++) a[i] = 1;", "-O2 --assume-trip 1000000000000", "TOO-LARGE:3"},
		{"a triangle", "for (int i = 0; i < 100000; i++)\nfor (int j = 0; j < i; j++) a[j] = i;", "-O2", "TOO-LARGE:3"},
		{"three levels", "for (int i = 0; i < 1000000; i++)\nfor (int j = 0; j < 1000000; j++)\nfor (int k = 0; k < " +
			"1000000; k++);", "-O2", "TOO-LARGE:3"},
		{"never changes", "for (int i = 0; i < 5; i += 0) a[i] = 1;", "-O2", "ENDLESS:3"},
		{"steps over its end", "int x = 0;\nwhile (x != 3) x += 2;", "-O2", "ENDLESS:4"},
		{"unsigned and not negative", "for (uint i = 10; i >= 0; i--) a[i & 63] = 1;", "-O2", "ENDLESS:3"},
		{"no condition", "for (;;) a[0] = 1;", "-O0", "ENDLESS:3"},
		{"while 1", "while (1) { }", "-O2", "ENDLESS:3"},
		{"2^63", "for (ulong i = 0; i < 1ul << 63; i++) a[i & 7] = 1;", "-O2", "TOO-LARGE:3"},
		{"2^64 - 1, at -O0", "for (ulong i = 0; i < 0xfffffffffffffffful; i++) a[i & 7] = 1;", "-O0", "TOO-LARGE:3"},
		{"a break that is never taken", "for (;;) { if (n > 5) break; }", "-O2 --arg n=3", "ENDLESS:3"},
		{"a break that is never taken, with a store", "for (;;) { if (n > 5) break; a[0] = n; }", "-O2 --arg n=3",
			"ENDLESS:3"},
		{"a counter that the body resets", "for (int i = 0; i < 5; i++) { if (i == 3) i = 0; }", "-O2", "ENDLESS:3"},
		{"a counter that the body resets, at -O0", "for (int i = 0; i < 5; i++) { if (i == 3) i = 0; a[i] = 1; }",
			"-O0", "ENDLESS:3"},
		{"a counter that never steps", "int i = 0;\ndo { i = i; } while (i < 5);", "-O2", "ENDLESS:4"},
		{"a cycle of 3 million states", "uint x = 1;\nwhile (x != 0) x = (x * 5 + 3) & 0x3fffff;", "-O2",
			"TOO-LARGE:4"},
		{"a cycle of 6000 states, different in each lane", "int x = get_local_id(0);\n" +
			"while (x >= 0) x = x == 5999 ? 0 : x + 1;", "-O2", "ENDLESS:4"},
		{"unsigned that skips zero", "for (uint i = 5; i > 0; i -= 2) a[i & 63] = 1;", "-O2", "TOO-LARGE:3"},
		{"folds to nothing", "int x = 1;\n#pragma unroll\nfor (int i = 0; i < 1500000; i++) x = x * 3 + 1;\na[0] = x;",
			"-O2", "TOO-LARGE:5"},
	} {
		t.Run(c.name, func(t *testing.T) {
			k := lowerKernel(t, "kernel void k(global int *a, int n, long q)\n{\n"+c.body+"\n}\n")
			opt := parseOptions(t, c.options)
			opt.MaxInstructions = 100_000
			_, err := unroll.Resolve(k, opt)
			if got := codes(err); !slices.Equal(got, []string{c.want}) {
				t.Errorf("got %v (%v), want %s", got, err, c.want)
			}
		})
	}
}

// TestWorkIsBounded: nests, and what leaves few instructions, are refused by the work that they
// take, which is counted and not timed.
func TestWorkIsBounded(t *testing.T) {
	nest := func(depth int) string {
		return "float x = 0;\n" + strings.Repeat("for (int i = 0; i < 2; i++)\n", depth) + "x += a[0];\na[0] = x;"
	}
	for _, c := range []struct{ name, body string }{
		{"22 loops of 2", nest(22)},
		{"100 loops of 2", nest(100)},
		{"100 loops of 2 around a store",
			"\nfor (int o = 0; o < 2; o++)\n" + strings.Repeat("for (int i = 0; i < 2; i++)\n", 99) + "a[o] = 1;"},
	} {
		for _, level := range []string{"-O0", "-O2"} {
			opt := parseOptions(t, level)
			opt.MaxInstructions = 100_000
			_, err := unroll.Resolve(lowerKernel(t, "kernel void k(global float *a)\n{\n"+c.body+"\n}\n"), opt)
			if got := codes(err); !slices.Equal(got, []string{"TOO-LARGE:4"}) {
				t.Errorf("%s %s: got %v (%v)", c.name, level, got, err)
			}
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
		k := lowerKernel(t, "kernel void k(global int *a, global int *b)\n{\nint s = 0;\n"+body.String()+
			"b[0] = s;\n}\n")
		return testing.AllocsPerRun(1, func() { resolve(t, k, parseOptions(t, "-O2 --local 32")) })
	}
	if few, many := cost(100), cost(800); many > 9*few {
		t.Errorf("100 branches take %.0f allocations, 800 take %.0f", few, many)
	}
}

// TestAttemptsShareWork: a warp that is resolved again for each array that turns out to be in memory
// takes no more work for that.
func TestAttemptsShareWork(t *testing.T) {
	var decls, uses strings.Builder
	for i := range 40 {
		fmt.Fprintf(&decls, "int p%d[64];\n", i)
		fmt.Fprintf(&uses, "p%d[a[%d] & 63] = 1; s += p%d[s & 63];\n", i, i, i)
	}
	text := "kernel void k(global int *a)\n{\nint s = a[0];\n" + decls.String() +
		"#pragma unroll\nfor (int i = 0; i < 20000; i++) s = s * a[i] + i;\n" + uses.String() + "a[0] = s;\n}\n"
	opt := parseOptions(t, "-O2")
	opt.MaxInstructions = 100_000
	_, err := unroll.Resolve(lowerKernel(t, text), opt)
	if got := codes(err); !slices.Equal(got, []string{"TOO-LARGE:45"}) {
		t.Errorf("got %v (%v)", got, err)
	}
}

// BenchmarkRefuse measures how long the default limits allow for.
func BenchmarkRefuse(b *testing.B) {
	for _, c := range []struct{ name, body string }{
		{"nest", strings.Repeat("for (int i = 0; i < 2; i++)\n", 100) + "a[0] = 1;"},
		{"straight", "float x = 0;\nfor (int i = 0; i < 1000000; i++) { if (a[i] > x) x += a[i * i]; }\na[0] = x;"},
		{"folds", "uint x = 1;\nwhile (x != 0) x = x * 5 + 3;"},
	} {
		k := lowerKernel(b, "kernel void k(global float *a)\n{\n"+c.body+"\n}\n")
		b.Run(c.name, func(b *testing.B) {
			for b.Loop() {
				if _, err := unroll.Resolve(k, unroll.Options{Target: unroll.Target{Level: unroll.O2},
					Local: [3]int64{32}, EveryIteration: true}); err == nil {
					b.Fatal("not refused")
				}
			}
		})
	}
}

// TestMaxInstructions: what fits is resolved, one instruction more is an error.
func TestMaxInstructions(t *testing.T) {
	k := lowerKernel(t, `kernel void k(global int *a, int n) {
		for (int i = 0; i < n; i++)
			a[i] = 1;
	}`)
	for _, level := range []unroll.Level{unroll.O0, unroll.O2} {
		opt := unroll.Options{Target: unroll.Target{Level: level}, Args: map[string]unroll.ArgValue{"n": {Int: 100}}}
		size := int(resolve(t, k, opt).Graph.Programs()[0].Len())
		opt.MaxInstructions = size // less than what is recorded before sweeping
		if n := int(resolve(t, k, opt).Graph.Programs()[0].Len()); n != size {
			t.Errorf("%v: %d instructions at a limit of %d", level, n, size)
		}
		opt.MaxInstructions = size - 1
		if _, err := unroll.Resolve(k, opt); !slices.Equal(codes(err), []string{"TOO-LARGE:1"}) &&
			!slices.Equal(codes(err), []string{"TOO-LARGE:2"}) {
			t.Errorf("%v: %d instructions at a limit of %d: %v", level, size, size-1, err)
		}
	}
}

// TestManyWarps: the limit on one warp bounds all of them together; what is left
// out is said.
func TestManyWarps(t *testing.T) {
	k := lowerKernel(t, `kernel void k(global int *a) { a[get_global_id(0)] = 1; }`)
	res := resolve(t, k, unroll.Options{Target: unroll.Target{Level: unroll.O0}, Local: [3]int64{1024},
		MaxInstructions: 2})
	var warned []string
	for _, w := range res.Warnings {
		warned = append(warned, w.Code)
	}
	if !slices.Equal(warned, []string{"WARPS"}) || res.Graph.ProgramOf(31) == nil {
		t.Errorf("warnings %v", res.Warnings)
	}
	const want = "only 6 of 32 warps are resolved, and the others taken for the last of these: together they exceed " +
		"8 instructions"
	if got := res.Warnings[0].Message; got != want {
		t.Errorf("%q, want %q", got, want)
	}
	// Where the last warp of them is the one that is too much, nothing has been left out.
	for _, warps := range []int64{2, 5} {
		if res = resolve(t, k, unroll.Options{Target: unroll.Target{Level: unroll.O0}, Local: [3]int64{32 * warps},
			MaxInstructions: int(2*warps) - 1}); len(res.Warnings) > 0 {
			t.Errorf("%d warps: %v", warps, res.Warnings)
		}
	}
}

// TestBadOptions: contradictory options are errors that name them.
func TestBadOptions(t *testing.T) {
	k := lowerKernel(t, `kernel void k(global int *a, int n) { a[0] = n; }`)
	at := unroll.Location{Line: 1}
	for _, c := range []struct {
		opt  unroll.Options
		want string
	}{
		{unroll.Options{Target: unroll.Target{WarpSize: 65}}, "warp size 65"},
		{unroll.Options{Target: unroll.Target{WarpSize: -1}}, "warp size -1"},
		{unroll.Options{Local: [3]int64{-1, 1, 1}}, "launch sizes"},
		{unroll.Options{Groups: [3]int64{1 << 41, 1, 1}}, "launch sizes"},
		{unroll.Options{Local: [3]int64{2048, 2048, 1}}, "larger than any device"},
		{unroll.Options{Local: [3]int64{1 << 10, 1 << 10, 2}}, "larger than any device"},
		{unroll.Options{Groups: [3]int64{1 << 32, 1 << 32, 4}},
			"launch of 4294967296 x 4294967296 x 4 groups of 1 work items is more than 2^53"},
		{unroll.Options{Local: [3]int64{512, 1, 1}, Groups: [3]int64{1 << 40, 1 << 5, 1}}, "more than 2^53 work items"},
		{unroll.Options{AssumeTrips: -1}, "assumed trip count -1"},
		{unroll.Options{Trips: []unroll.TripChoice{{At: at, Trips: -2}}}, "trip count -2"},
		{unroll.Options{Unrolls: []unroll.UnrollChoice{{At: at, Factor: 0}}}, "unroll factor 0"},
		{unroll.Options{Args: map[string]unroll.ArgValue{"m": {}}}, `no scalar argument "m"`},
		{unroll.Options{Args: map[string]unroll.ArgValue{"a": {}}}, `no scalar argument "a"`},
		{unroll.Options{Target: unroll.Target{Level: 9}}, "level"},
		{unroll.Options{Target: unroll.Target{Compiler: 9}}, "compiler"},
		{unroll.Options{Target: unroll.Target{Barrier: 9}}, "barrier"},
		{unroll.Options{Warps: 9}, "warps"},
		{unroll.Options{Branches: []unroll.BranchChoice{{At: at, Side: 9}}}, "branch"},
	} {
		_, err := unroll.Resolve(k, c.opt)
		if err == nil || !strings.Contains(strings.ToLower(err.Error()), c.want) {
			t.Errorf("%+v: %v, want an error about %q", c.opt, err, c.want)
		}
		if _, err := unroll.Report(k, c.opt); err == nil {
			t.Errorf("%+v: no error from Report", c.opt)
		}
	}
}

// TestLocations reads LINE, LINE:COLUMN, FILE:LINE and FILE:LINE:COLUMN.
func TestLocations(t *testing.T) {
	for text, want := range map[string]unroll.Location{
		"31": {Line: 31}, "31:5": {Line: 31, Column: 5}, "k.cl:31": {File: "k.cl", Line: 31},
		"d/k.cl:31:5": {File: "d/k.cl", Line: 31, Column: 5},
	} {
		got, err := unroll.ParseLocation(text)
		if err != nil || got != want || got.String() != text {
			t.Errorf("%s: %+v %v %v", text, got, got, err)
		}
	}
	for _, text := range []string{"", "k.cl", "0", "-3", "31:0", "1:2:3", "k.cl:", "k.cl:x", "a:b:3", "31:",
		"99999999999999999999"} {
		if loc, err := unroll.ParseLocation(text); err == nil {
			t.Errorf("%q reads as %+v", text, loc)
		}
	}
}

// TestBranchSides: an unknown side is refused.
func TestBranchSides(t *testing.T) {
	if _, err := unroll.ParseBranchSide("maybe"); err == nil {
		t.Error("branch side maybe is read")
	}
}

// TestUnknownExit: a break whose condition is not known does not make a loop without
// a condition run for ever: its trip count is assumed.
func TestUnknownExit(t *testing.T) {
	for _, exit := range []string{"break", "return"} {
		res := resolveText(t, `kernel void k(global int *a) {
			for (int i = 0;; i++) {
				if (a[i] > 3) `+exit+`;
				a[i + 64] = i;
			}
		}`, "-O0 --assume-trip 5")
		if n := ops(res.Graph)["st.global"]; n != 5 {
			t.Errorf("%s: %d stores, want 5", exit, n)
		}
		if l := res.Graph.Loops[0]; l.Trips != 5 || l.Origin != "assumed" {
			t.Errorf("%s: loop %+v", exit, l)
		}
	}
}

// TestStrict: what had to be assumed is an error, what is given is not.
func TestStrict(t *testing.T) {
	k := lowerKernel(t, `kernel void k(global int *a, int n) {
		for (int i = 0; i < n; i++)
			a[i] = 1;
		if (a[0] > 3)
			a[1] = 2;
		while (a[2] < n)
			a[3] = 4;
	}`)
	for options, want := range map[string][]string{
		"":                                       {"ASSUMED-TRIPS:2", "ASSUMED-BRANCH:4", "ASSUMED-TRIPS:6"},
		"--arg n=3":                              {"ASSUMED-BRANCH:4", "ASSUMED-TRIPS:6"},
		"--trip 2=3 --branch 4=both":             {"ASSUMED-TRIPS:6"},
		"--trip 2=3 --branch 4=taken --trip 6=2": nil,
	} {
		for _, level := range []string{"-O0 ", "-O2 "} {
			opt := parseOptions(t, level+options)
			opt.Strict = true
			_, err := unroll.Resolve(k, opt)
			if got := codes(err); !slices.Equal(got, want) {
				t.Errorf("%s%s: %v, want %v", level, options, got, want)
			}
		}
	}
}

// TestEnded: the work ends soon after Options.Ended says so, with its error.
func TestEnded(t *testing.T) {
	ended, asked := errors.New("ended"), 0
	opt := parseOptions(t, "-O2")
	opt.Ended = func() error {
		if asked++; asked > 2 {
			return ended
		}
		return nil
	}
	k := lowerKernel(t, "kernel void k(global float *a)\n{\nfloat x = 0;\nfor (int i = 0; i < 1000000; i++) { if "+
		"(a[i] > x) x += a[i * i]; }\na[0] = x;\n}\n")
	if _, err := unroll.Resolve(k, opt); !errors.Is(err, ended) || asked != 3 {
		t.Errorf("%v after %d questions", err, asked)
	}
}
