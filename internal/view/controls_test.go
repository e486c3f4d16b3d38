package view

import (
	"encoding/json"
	"os"
	"strings"
	"testing"

	"gpupipe/internal/report"
	"gpupipe/internal/test/tools"
	"gpupipe/kernels"
)

// TestControls: texts name the page's controls; what only a command can do is left out.
func TestControls(t *testing.T) {
	script, err := os.ReadFile("../../cmd/pipeview/assets/controls.js")
	if err != nil {
		t.Fatal(err)
	}
	loops, err := os.ReadFile("../../cmd/pipeview/assets/loops.js")
	if err != nil {
		t.Fatal(err)
	}
	for flag, control := range controls {
		if !strings.Contains(string(script)+string(loops), control) {
			t.Errorf("--%s: the page has no control %s", flag, control)
		}
	}
	for _, c := range []struct{ text, want string }{
		{"--local gives another size", `"Work group (block)" gives another size`},
		{"give the size with --global or --groups, or in the source with // idgen: global=...",
			`give the size with "Work items in all", or in the source with // idgen: global=...`},
		{"give --trip 4=N, --arg n=VALUE, or --contents NAME=FILE if it is loaded from a buffer",
			`give n=VALUE in "Arguments"`},
		{"give --arg NAME=VALUE (without one: n, m)", `give NAME=VALUE in "Arguments" (without one: n, m)`},
		{"give its parameters with --set 'cvt.f64.s32:cpi=N,latency=N'",
			`give its parameters with 'cvt.f64.s32:cpi=N,latency=N' in "λ and Λ"`},
		{"simulate fewer at once (--concurrent)", `simulate fewer at once ("Resident groups")`},
		{"the file with --include", ""},
		{"idgen kernel.cl | pipesim reads larger ones", ""},
	} {
		if got := advice(c.text); got != c.want {
			t.Errorf("%q: %q, want %q", c.text, got, c.want)
		}
	}
	for _, c := range []struct{ text, want string }{
		{"16 iterations assumed in line 5; idgen --trip 5=N, or --arg n=VALUE settles it",
			`16 iterations assumed in line 5; n=VALUE in "Arguments" settles it`},
		{"1 µs or 2 µs; idgen --contents NAME=FILE or --arg j=VALUE settles it, pipesim --set '*:addresses=same' takes " +
			"the other", `1 µs or 2 µs; j=VALUE in "Arguments" settles it, '*:addresses=same' in "λ and Λ" takes the other`},
		{"1 µs or 2 µs; idgen --contents NAME=FILE settles it, pipesim --set '*:addresses=same' takes the other",
			`1 µs or 2 µs; '*:addresses=same' in "λ and Λ" takes the other`},
		{"1% of DRAM; 2 FLOP", "1% of DRAM; 2 FLOP"},
	} {
		if got := settled(c.text); got != c.want {
			t.Errorf("%q: %q, want %q", c.text, got, c.want)
		}
	}
	if got := named("similar instructions (--explain shows which)"); got != "similar instructions" {
		t.Error(got)
	}
	checkNoFlags(t, &Request{File: "a.cl", Text: `__kernel void k(__global float *a, __global int *b, int n)
{
    for (int i = 0; i < n; ++i)
        if (b[i] > 3) a[b[i]] += 1.0f;
    while (a[0] > 0) a[n]--;
}`})
	for _, k := range kernels.List()[:tools.Cases(len(kernels.List()), 3)] {
		checkNoFlags(t, &Request{Builtin: k.Name, Local: "64", Concurrent: 1})
	}
}

// checkNoFlags fails for a flag in what the page shows of an answer.
func checkNoFlags(t *testing.T, r *Request) {
	t.Helper()
	r.Page, r.Brief = true, true
	out := new(Evaluator).Evaluate(t.Context(), r, nil)
	for i := range out.Devices {
		d := &out.Devices[i]
		d.Report = nil
		if d.Page != nil {
			d.Page.Report, d.Page.Source = report.Document{}, nil // those of the command, and of the user
		}
	}
	text, err := json.Marshal(out)
	if err != nil {
		t.Fatal(err)
	}
	for _, at := range flag.FindAllIndex(text, -1) {
		t.Errorf("%s%s: ...%s", r.Builtin, r.File, text[max(0, at[0]-160):min(len(text), at[1]+60)])
	}
}
