package latencies

import (
	"strings"
	"testing"

	"gpupipe/idg"
)

func TestParseRule(t *testing.T) {
	for _, c := range []struct {
		in   string
		want Rule
	}{
		{"fma.f32:cpi=16,latency=250", Rule{Selector: Selector{Name: "fma.f32"}, CPI: WholeCycles(16),
			Latency: WholeCycles(250)}},
		{"ld.local:cpi=0.25", Rule{Selector: Selector{Name: "ld.local"}, CPI: Cycles{1, 4}}},
		{"ld:latency=1/6", Rule{Selector: Selector{Name: "ld"}, Latency: Cycles{1, 6}}},
		{"ld.global(x):addresses=scattered", Rule{Selector: Selector{Name: "ld.global", Buffer: "x"},
			Addresses: Scattered}},
		{"local:subsystem=my-pipe", Rule{Selector: Selector{Name: "local"}, Subsystem: "my-pipe"}},
		{"ld.global@31:cpi=20,latency=162", Rule{Selector: Selector{Name: "ld.global", Line: 31}, CPI: WholeCycles(20),
			Latency: WholeCycles(162)}},
		{"ld.global@mmul.cl:31:cpi=20", Rule{Selector: Selector{Name: "ld.global", File: "mmul.cl", Line: 31},
			CPI: WholeCycles(20)}},
		{"ld.global@C:/k.cl:31:cpi=20", Rule{Selector: Selector{Name: "ld.global", File: "C:/k.cl", Line: 31},
			CPI: WholeCycles(20)}},
		{"ld.global(A)@31:cpi=20", Rule{Selector: Selector{Name: "ld.global", Buffer: "A", Line: 31},
			CPI: WholeCycles(20)}},
		{"(A):cpi=20", Rule{Selector: Selector{Buffer: "A"}, CPI: WholeCycles(20)}},
		{"@31:cpi=20", Rule{Selector: Selector{Line: 31}, CPI: WholeCycles(20)}},
		{"* : cpi = 20 , latency = 3", Rule{Selector: Selector{Name: "*"}, CPI: WholeCycles(20),
			Latency: WholeCycles(3)}},
	} {
		c.want.Text = c.in
		if got, err := ParseRule(c.in); err != nil || got != c.want {
			t.Errorf("ParseRule(%q) = %+v, %v; want %+v", c.in, got, err, c.want)
		}
	}
}

func TestParseRuleRejects(t *testing.T) {
	for in, want := range map[string]string{
		"":                                   "no parameters",
		"fma.f32":                            "no parameters",
		"fma.f32:":                           "no parameters",
		":cpi=1":                             "selector is empty",
		"fma.f32:cpi":                        "no parameters",
		"fma.f32:cpi=":                       "not of the form",
		"fma.f32:cpi=1,":                     "not of the form",
		"fma.f32:cpi=0":                      "must be more than 0",
		"fma.f32:latency=-1":                 "non-negative",
		"fma.f32:cpi=nan":                    "non-negative",
		"fma.f32:cpi=1e9":                    "non-negative",
		"fma.f32:cpi=9999999":                "more than 1000000 cycles",
		"fma.f32:latency=1/100003":           "denominator",
		"fma.f32:cpi=1,cpi=2":                "given twice",
		"fma.f32:subsystem=a,subsystem=b":    "given twice",
		"ld:addresses=same,addresses=same":   "given twice",
		"ld:addresses=random":                "one of coalesced, scattered, same",
		"ld:adresses=same":                   "no parameter is called",
		"fma.f32:subsystem=A B":              "not a name of a subsystem",
		"fma.f32:latencey=3":                 "did you mean latency?",
		"fma..f32:cpi=1":                     "not an op",
		"FMA:cpi=1":                          "not an op",
		"ld@0:cpi=1":                         "not a line number",
		"ld@x:cpi=1":                         "not a line number",
		"ld@:31:cpi=1":                       "file before the line is empty",
		"ld(A:cpi=1":                         "parentheses",
		"ld():cpi=1":                         "parentheses",
		strings.Repeat("a", 2000) + ":cpi=1": "too long",
	} {
		if got, err := ParseRule(in); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("ParseRule(%.40q) = %+v, %v; want an error with %q", in, got, err, want)
		}
	}
}

func TestSelectors(t *testing.T) {
	tile := &idg.Access{Space: idg.SpaceLocal, Width: 4, Buffer: "tile", Offsets: make([]int64, 32)}
	load := idg.Instr{Op: "ld.local", Type: "f32", Pos: idg.Pos{File: "src/mmul.cl", Line: 31}}
	for _, c := range []struct {
		selector string
		want     bool
	}{
		{"ld.local", true}, {"ld.local.f32", true}, {"ld", true}, {"local", true}, {"*", true}, {"@31", true},
		{"ld@31", true},
		{"ld(tile)", true}, {"ld@mmul.cl:31", true}, {"ld@src/mmul.cl:31", true},
		{"ld.global", false}, {"ld.local.s32", false}, {"l", false}, {"st", false}, {"global", false}, {"@30", false},
		{"ld@mul.cl:31", false}, {"ld(A)", false}, {"fp32", false},
	} {
		s, why := parseSelector(c.selector)
		if why != "" {
			t.Fatal(why)
		}
		if _, ok := s.match(&load, tile); ok != c.want {
			t.Errorf("%s matches ld.local(tile)@src/mmul.cl:31: %v", c.selector, ok)
		}
	}
	for selector, op := range map[string]string{"fp32": "add.f32", "int": "add.u64", "special": "native_cos.f32",
		"convert": "cvt.f32.s32", "compare": "setp.s32",
		"cos.approx.f32": "native_cos.f32", "native_cos.f32": "cos.approx.f32", "atomic.add": "atomic.add.local",
		"cvt.f32": "cvt.f32.s32"} {
		s, _ := parseSelector(selector)
		if _, ok := s.match(&idg.Instr{Op: op}, nil); !ok {
			t.Errorf("%s does not match %s", selector, op)
		}
	}
	// Without an access pattern the space is in the op.
	if _, ok := (Selector{Name: "local"}).match(&load, nil); !ok {
		t.Error("local does not match ld.local without an access")
	}
}

func FuzzParseRule(f *testing.F) {
	for _, s := range []string{"fma.f32:cpi=16,latency=250", "ld.global(A)@mmul.cl:31:cpi=20", "@3:subsystem=x",
		"*:cpi=1/6"} {
		f.Add(s)
	}
	f.Fuzz(func(t *testing.T, text string) {
		r, err := ParseRule(text)
		if err != nil {
			return
		}
		if r.CPI.IsZero() && r.Latency.IsZero() && r.Subsystem == "" {
			t.Errorf("ParseRule(%q) changes nothing", text)
		}
		again, why := parseSelector(r.Selector.String())
		if why != "" || again != r.Selector {
			t.Errorf("selector %+v of %q prints as %q, which reads as %+v %s", r.Selector, text, r.Selector, again, why)
		}
	})
}
