package sweep

import (
	"fmt"
	"strings"
	"testing"
)

func TestParseNumbers(t *testing.T) {
	for _, c := range []struct{ text, want string }{
		{"4", "[4]"},
		{"1,2, 4", "[1 2 4]"},
		{"1..4", "[1 2 3 4]"},
		{"100..800:250", "[100 350 600]"},
		{"1..64*2", "[1 2 4 8 16 32 64]"},
		{"1/2..2:1/2", "[0.5 1 1.5 2]"},
		{"0.5..3*2,7", "[0.5 1 2 7]"},
		{"0..0", "[0]"},
		{"5..5*3", "[5]"},
		{"", `"" is not a non-negative number`},
		{"1,,2", `"" is not a non-negative number`},
		{"3..1", "ends before it begins"},
		{"1..", `"" is not`},
		{"1..4:0", "never ends"},
		{"0..4*2", "never ends"},
		{"1..4*1", "does not grow"},
		{"1..4*1/2", "does not grow"},
		{"-1..4", `"-1" is not`},
		{"1..4:x", `"x" is not`},
		{"0..1000000", "more than 1000000 values"},
		{"0..999999999999999999:1/999999999", "more than 1000000 values"},
	} {
		list, err := ParseNumbers(c.text)
		got := fmt.Sprint(list)
		if err != nil {
			got = err.Error()
		}
		if got != c.want && (err == nil || !strings.Contains(got, c.want)) {
			t.Errorf("%q: %.200s, want %s", c.text, got, c.want)
		}
	}
	if list, err := ParseNumbers("0..999999"); err != nil || len(list) != MaxConfigurations {
		t.Errorf("%d values, %v", len(list), err)
	}
	// The step beyond the end overflows.
	if list, err := ParseNumbers("1..999999999999999999*999999999999999999"); err != nil || len(list) != 2 {
		t.Errorf("%v, %v", list, err)
	}
}

func TestParseWhole(t *testing.T) {
	for _, c := range []struct{ text, want string }{
		{"1..8*2", "[1 2 4 8]"},
		{"1/2", "0.5 is not a whole number"},
		{"0", "0 is less than 1"},
		{"1..11", "11 is more than 10"},
	} {
		list, err := ParseWhole(c.text, 1, 10)
		got := fmt.Sprint(list)
		if err != nil {
			got = err.Error()
		}
		if got != c.want {
			t.Errorf("%q: %s, want %s", c.text, got, c.want)
		}
	}
}

func TestParseVary(t *testing.T) {
	for _, c := range []struct{ text, name, want string }{
		{"ld.global:latency=100..300:100", "ld.global:latency",
			"[ld.global:latency=100 ld.global:latency=200 ld.global:latency=300]"},
		{"ld.global(A)@dir/k.cl:31:cpi=1,1/3", "ld.global(A)@dir/k.cl:31:cpi",
			"[ld.global(A)@dir/k.cl:31:cpi=1 ld.global(A)@dir/k.cl:31:cpi=1/3]"},
		{"ld(x):addresses=coalesced,scattered", "ld(x):addresses",
			"[ld(x):addresses=coalesced ld(x):addresses=scattered]"},
		{"local : subsystem=alu, local", "local:subsystem", "[local:subsystem=alu local:subsystem=local]"},
		{"ld.global", "", "write SELECTOR:cpi=LIST"},
		{"ld.global=3", "", "write SELECTOR:cpi=LIST"},
		{"ld.global:cpi=1,latency=3", "", "one parameter can be varied at a time"},
		{"ld.global:cpi=", "", `"" is not a non-negative number`},
		{"ld.global:cpi=0..3", "", "cpi must be more than 0"},
		{"ld.global:cost=1", "", `no parameter is called "cost"`},
		{"ld.global@x:cpi=1", "", `"x" is not a line number`},
		{":cpi=1", "", "the selector is empty"},
		{"*:latency=100000000000", "", "more than"},
	} {
		v, err := ParseVary(c.text)
		if err != nil {
			if c.name != "" || !strings.Contains(err.Error(), c.want) {
				t.Errorf("%q: %v", c.text, err)
			}
			continue
		}
		var rules []string
		for _, r := range v.Rules {
			rules = append(rules, r.Text)
		}
		if got := fmt.Sprint(rules); got != c.want || v.Name != c.name || len(v.Values) != len(v.Rules) {
			t.Errorf("%q: %s %s", c.text, v.Name, got)
		}
	}
}
