package main

import (
	"strings"
	"testing"
)

func TestExpressions(t *testing.T) {
	names := map[string]float64{"x": 48, "tile": 3}
	for _, c := range []struct {
		text string
		want float64
	}{
		{"x", 48}, {"2 + 3*4", 14}, {"-(x - 50)", 2}, {"1 / 4", 0.25},
		{"x % 32 == 16 || x != 48", 1}, {"x >= 48 && tile <= 2", 0}, {"x > 47 && tile < 4", 1}, {"x > 48", 0},
		{"x > 1 && tile < 3", 0},
		{"ceil(4096 / (x*tile))", 29}, {"floor(4096 / (x*tile))", 28}, {"min(x, 7) + max(x, 7)", 55},
	} {
		e, err := parseExpr(c.text)
		if err != nil {
			t.Fatal(err)
		}
		if got, err := e.value(names); err != nil || got != c.want {
			t.Errorf("%s = %v, %v; want %v", c.text, got, err, c.want)
		}
	}
	for text, why := range map[string]string{
		"y": "no parameter y", "1 / (x - 48)": "division by zero", "x & 2": "no operator",
		"x % (tile - 3)": "remainder of a division by zero", "f(x)": "functions are", `"x"`: "numbers, names",
	} {
		e, err := parseExpr(text)
		if err != nil {
			t.Fatal(err)
		}
		if _, err := e.value(names); err == nil || !strings.Contains(err.Error(), why) {
			t.Errorf("%s: error %v, want one about %q", text, err, why)
		}
	}
	if _, err := parseExpr("x +"); err == nil {
		t.Error("half an expression is accepted")
	}
	for _, text := range []string{"x / 5", "x - 48"} {
		e, err := parseExpr(text)
		if err != nil {
			t.Fatal(err)
		}
		if n, err := e.whole(names, 1); err == nil {
			t.Errorf("%s is accepted as the count %d", text, n)
		}
	}
}
