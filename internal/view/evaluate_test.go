package view

import (
	"context"
	"encoding/json"
	"fmt"
	"slices"
	"strings"
	"testing"

	"gpupipe/internal/diag"
	"gpupipe/internal/test/tools"
	"gpupipe/kernels"

	"github.com/google/go-cmp/cmp"
)

// answer evaluates a request, which must not find a defect.
func answer(t testing.TB, r *Request) *Response {
	t.Helper()
	out := new(Evaluator).Evaluate(t.Context(), r, nil)
	if _, err := json.Marshal(out); err != nil {
		t.Fatal(err)
	}
	for _, d := range out.Diagnostics {
		if d.Code == codeDefect {
			t.Fatal(d)
		}
	}
	return out
}

// numbers are what a report says in short.
type numbers struct {
	Kernel  string
	Cycles  float64
	Seconds float64
	Bound   string
}

func numbersOf(t testing.TB, d *Device) (n numbers) {
	t.Helper()
	if err := json.Unmarshal(d.Report, &n); err != nil {
		t.Fatalf("%s: %v", d.Name, err)
	}
	return n
}

const loopKernel = `__kernel void sum(__global float *a, int n) {
	float s = 0;
#pragma unroll 1
	for (int i = 0; i < 64; i++)
		s += a[i * 32 + get_local_id(0)];
	a[get_global_id(0)] = s;
}
`

// TestFactors: the control of a loop replaces its pragma, and nothing else.
func TestFactors(t *testing.T) {
	base := Request{File: "sum.cl", Text: loopKernel, Local: "64", Global: "65536"}
	rolled := answer(t, &base).Devices[0]
	if len(rolled.Loops) != 1 {
		t.Fatalf("%+v", rolled.Loops)
	}
	l := rolled.Loops[0]
	if l.Line != 4 || l.Pragma != "#pragma unroll 1" || l.Factor != 1 || *l.Trips != 64 || l.Chosen != 0 {
		t.Errorf("%+v", l)
	}
	base.Unroll = []Factor{{Loop: 0, Factor: 8}}
	chosen := answer(t, &base).Devices[0]
	if l := chosen.Loops[0]; l.Factor != 8 || l.Chosen != 8 || l.Pragma != "#pragma unroll 1" {
		t.Errorf("%+v", l)
	}
	written := base
	written.Unroll, written.Text = nil, strings.Replace(loopKernel, "unroll 1", "unroll 8", 1)
	if a, b := numbersOf(t, &chosen), numbersOf(t, &answer(t, &written).Devices[0]); a != b {
		t.Errorf("chosen %+v, written %+v", a, b)
	}
	for _, f := range []Factor{{1, 2}, {-1, 2}, {0, 0}} {
		base.Unroll = []Factor{f}
		if out := answer(t, &base); len(out.Diagnostics) != 1 || out.Diagnostics[0].Code != codeRequest {
			t.Errorf("%v: %+v", f, out.Diagnostics)
		}
	}
}

// TestDiagnostics: what is wrong is said, with its place where it has one.
func TestDiagnostics(t *testing.T) {
	for _, c := range []struct {
		name string
		r    Request
		want string // "severity CODE line" of the first
	}{
		{"nothing", Request{}, "error FILE 0"},
		{"syntax", Request{File: "k.cl", Text: "__kernel void k(__global int *a) {\n  a[0] = ;\n}"}, "error SYNTAX 2"},
		{"no such kernel", Request{Builtin: "mmul", Kernel: "none"}, "error KERNEL 0"},
		{"no such built-in", Request{Builtin: "none"}, "error BUILTIN 0"},
		{"no such device", Request{Builtin: "mmul", Devices: []string{"none"}}, "error UNKNOWN-GPU 0"},
		{"a file as device", Request{Builtin: "mmul", Devices: []string{"/etc/passwd"}}, "error UNKNOWN-GPU 0"},
		{"three devices", Request{Builtin: "mmul", Devices: []string{"a", "b", "c"}}, "error REQUEST 0"},
		{"sizes", Request{Builtin: "vadd", Local: "many"}, "error REQUEST 0"},
		{"argument", Request{Builtin: "vadd", Args: []string{"n"}}, "error REQUEST 0"},
		{"issue mode", Request{Builtin: "vadd", Issue: "backwards"}, "error REQUEST 0"},
		{"scheduler", Request{Builtin: "vadd", Scheduler: "none"}, "error REQUEST 0"},
		{"negative groups", Request{Builtin: "vadd", UnitGroups: -1}, "error CONFIG 0"},
		{"rule", Request{Builtin: "vadd", Rules: []string{"ld:speed=1"}}, "error SET 0"},
		{"too large", Request{File: "k.cl", Text: strings.Repeat(" ", MaxText+1)}, "error TOO-LARGE 0"},
		{"a file of the machine", Request{File: "k.cl", Text: "#include \"/etc/passwd\"\n__kernel void k() {}"},
			"error INCLUDE 1"},
		{"long", Request{File: "k.cl", Text: "__kernel void k(__global int *a) {\n#pragma unroll\n" +
			"  for (int i = 0; i < 1000000000; i++) a[i] = 1;\n}"}, ""},
		{"endless", Request{File: "k.cl", Text: "__kernel void k(__global int *a) {\n  unsigned x = 1;\n" +
			"  for (int i = 0; i < 1000000000; i++) { x = x * 1103515245 + 12345; a[x & 1023] = 1; }\n}"},
			"error TOO-LARGE 3"},
		{"one of two files", Request{File: "k.cl",
			Text:  "#include \"a.h\"\n__kernel void k(__global int *a) { a[0] = A; }",
			Files: map[string]string{"a.h": "#define A 1\n"}}, ""},
	} {
		out := answer(t, &c.r)
		got := ""
		for _, d := range out.Diagnostics {
			if d.Severity == diag.SeverityError.String() {
				got = fmt.Sprintf("%s %s %d", d.Severity, d.Code, d.Line)
				break
			}
		}
		if got != c.want {
			t.Errorf("%s: %q, want %q: %+v", c.name, got, c.want, out.Diagnostics)
		}
	}
}

// TestKernels: a source with several kernels lists them, and one is chosen by name.
func TestKernels(t *testing.T) {
	r := &Request{File: "k.cl", Text: "__kernel void a(__global int *x) { x[0] = 1; }\n" +
		"__kernel void b(__global int *x) { x[1] = 2; }\n"}
	out := answer(t, r)
	want := []Kernel{{"a", 1}, {"b", 2}}
	if diff := cmp.Diff(want, out.Kernels); diff != "" {
		t.Error(diff)
	}
	r.Kernel = "b"
	if out = answer(t, r); numbersOf(t, &out.Devices[0]).Kernel != "b" {
		t.Errorf("%+v", out.Diagnostics)
	}
}

// TestEarly: the numbers come first, then the pages, then what takes further simulations; the same bytes each time,
// from an evaluator that remembers the graphs, too.
func TestEarly(t *testing.T) {
	r := &Request{Builtin: "vadd", Devices: []string{"gtx1060", "a100"}, Page: true}
	v := new(Evaluator)
	var want []string
	for i, v := range []*Evaluator{v, v, new(Evaluator)} {
		var got []string
		stage := func(out *Response) {
			d := out.Devices[1]
			if d.Report == nil || (d.Page != nil) != (len(got) > 0) ||
				d.Page != nil && (d.Page.Findings != nil && d.Page.Occupancy != nil) != (len(got) > 1) {
				t.Errorf("stage %d has too much or too little: %+v", len(got), out.Diagnostics)
			}
			text, err := json.Marshal(out)
			if err != nil {
				t.Fatal(err)
			}
			got = append(got, string(text))
		}
		stage(v.Evaluate(t.Context(), r, stage))
		if len(got) != Early+1 {
			t.Errorf("%d answers", len(got))
		}
		if i > 0 && !slices.Equal(got, want) {
			t.Error("two answers to a request differ")
		}
		want = got
	}
}

// TestCompiledOnce: what changes how the device executes alone does not compile again, other changes do, and what
// does not compile is not remembered.
func TestCompiledOnce(t *testing.T) {
	v := new(Evaluator)
	base := Request{Builtin: "vadd"}
	ask := func(change func(*Request)) string {
		r := base
		change(&r)
		v.Evaluate(t.Context(), &r, nil)
		return v.last[0].key
	}
	first := ask(func(*Request) {})
	for i, change := range []func(*Request){
		func(r *Request) { r.Scheduler = "oldest" }, func(r *Request) { r.Concurrent = 2 },
		func(r *Request) { r.Rules = []string{"ld.global:cpi=20"} }, func(r *Request) { r.Page, r.Brief = true, true },
	} {
		if ask(change) != first || len(v.last) != 1 {
			t.Errorf("change %d compiles again", i)
		}
	}
	for i, change := range []func(*Request){
		func(r *Request) { r.Local = "64" }, func(r *Request) { r.Devices = []string{"v100"} },
		func(r *Request) { r.Builtin = "vadd-cuda" }, func(r *Request) { r.Defines = []string{"A=1"} },
	} {
		if ask(change) == first || len(v.last) != min(i+2, keptGraphs) {
			t.Errorf("change %d does not compile again: %d are remembered", i, len(v.last))
		}
	}
	v = new(Evaluator)
	v.Evaluate(t.Context(), &Request{File: "k.cl", Text: "__kernel void k("}, nil)
	if len(v.last) != 0 {
		t.Error("what does not compile is remembered")
	}
}

// TestEnded: a request whose time has ended is answered.
func TestEnded(t *testing.T) {
	ctx, stop := context.WithCancel(t.Context())
	stop()
	out := new(Evaluator).Evaluate(ctx, &Request{Builtin: "mmul"}, nil)
	if len(out.Diagnostics) == 0 || out.Diagnostics[len(out.Diagnostics)-1].Code != "CANCELLED" {
		t.Errorf("%+v", out.Diagnostics)
	}
}

// TestEveryBuiltinKernel: each is predicted without an error.
func TestEveryBuiltinKernel(t *testing.T) {
	list := kernels.List()
	for _, k := range list[:tools.Cases(len(list), 6)] {
		out := answer(t, &Request{Builtin: k.Name})
		if n := numbersOf(t, &out.Devices[0]); n.Cycles <= 0 || n.Kernel != k.Function {
			t.Errorf("%s: %+v, %+v", k.Name, n, out.Diagnostics)
		}
	}
}

// BenchmarkEvaluate measures an answer: first its numbers, then with the page.
func BenchmarkEvaluate(b *testing.B) {
	for _, name := range []string{"mmul", "nbody", "reduction-cuda"} {
		for _, page := range []bool{false, true} {
			b.Run(fmt.Sprintf("%s/page=%v", name, page), func(b *testing.B) {
				b.ReportAllocs()
				for b.Loop() {
					if out := answer(b, &Request{Builtin: name, Page: page}); out.Devices[0].Report == nil {
						b.Fatal(out.Diagnostics)
					}
				}
			})
		}
	}
}
