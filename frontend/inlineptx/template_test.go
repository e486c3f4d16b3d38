package inlineptx

import (
	"strings"
	"testing"
)

// TestTemplate takes templates apart.
func TestTemplate(t *testing.T) {
	tm, err := Parse("{ .reg .pred p<2>, q; // a comment\n setp.ne.b32 p0, %0, 0;\n\t@!p0 ld.global.v2.f32 {%1, %2}, " +
		"[%3 + 8];; }\n{ .reg .b16 q; } bar.sync 0;")
	if err != nil {
		t.Fatal(err)
	}
	if r := tm.Registers; len(r) != 2 || strings.Join(r[0].Names, " ") != "p0 p1 q" || r[0].Type != "pred" ||
		r[0].Scope == r[1].Scope {
		t.Errorf("registers %+v", r)
	}
	if c := tm.Code; len(c) != 3 || c[1].Guard != "p0" || !c[1].Negated ||
		strings.Join(c[1].Operands, ";") != "{%1, %2};[%3 + 8]" || c[1].Scope != 1 || c[2].Op != "bar.sync" ||
		c[2].Scope != 0 {
		t.Errorf("code %+v", c)
	}
	for _, bad := range []string{".shared .b32 x;", ".reg x;", ".reg .b32 x<1000>;"} {
		if _, err := Parse(bad); err == nil {
			t.Errorf("%s: no error", bad)
		}
	}
}
