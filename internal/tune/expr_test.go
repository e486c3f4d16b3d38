package tune

import (
	"fmt"
	"strings"
	"testing"
)

var numbers = []Param{{Name: "BX", Values: []Value{16, 32}}, {Name: "F", Values: []Value{0.5}},
	{Name: "T", Values: []Value{"float", "double"}}, {Name: "M", Values: []Value{1, "x"}}}

func TestExpr(t *testing.T) {
	names := map[string]any{"BX": 16, "F": 0.5, "T": "float", "M": 3}
	for _, c := range []struct{ text, want string }{
		{"BX * 2", "32"},
		{"100 / BX", "6.25"},
		{"100 // BX", "6"},
		{"2 * 100 // BX // 2", "6"},
		{"-7 // 2", "-4"},
		{"100 % BX", "4"},
		{"ceil(100 / BX)", "7"},
		{"min(BX, 3) + max(1, F)", "4"},
		{"8 <= BX < 32", "true"},
		{"8 < BX and BX != 32 or not (F > 0)", "true"},
		{"BX in [16, 64]", "true"},
		{"T == 'double' ? 8 : 4", "4"},
		{"M + 1", "4"},
		{"BX / (F - 0.5)", "error: division by zero"},
		{"BX // (BX - 16)", "error: division by zero"},
		{"BX % (BX - 16)", "error: division by zero"},
		{"BY * 2", `error: "BY * 2": there is no parameter BY`},
		{"BX +", "error: "},
		{"", "error: an expression is empty"},
	} {
		e, err := ParseExpr(c.text, numbers)
		var v any
		if err == nil {
			v, err = e.Value(names)
		}
		got := fmt.Sprint(v)
		if err != nil {
			got = "error: " + err.Error()
		}
		if want, isError := strings.CutPrefix(c.want, "error: "); got != c.want &&
			!(isError && err != nil && strings.Contains(got, want)) {
			t.Errorf("%s is %s, want %s", c.text, got, c.want)
		}
		if strings.Contains(got, "\n") {
			t.Errorf("%s: %q has several lines", c.text, got)
		}
	}
}

func TestExprNames(t *testing.T) {
	e, err := ParseExpr("BX // 2 + ceil(F / BX)", numbers)
	if err != nil || fmt.Sprint(e.Names) != "[BX F]" {
		t.Errorf("reads %v, %v", e.Names, err)
	}
}

func TestSplitList(t *testing.T) {
	if got := splitList("ceil(4096 / max(BX, TX)),[1,2][0],3"); len(got) != 3 || got[1] != "[1,2][0]" {
		t.Errorf("%q", got)
	}
}
