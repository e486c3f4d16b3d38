package main

import "testing"

func TestParsePrecision(t *testing.T) {
	for text, want := range map[string]float64{"0": 0, "0.5%": 0.005, "0.005": 0.005, " 2 % ": 0.02, "99%": 0.99,
		"1e-3": 0.001} {
		if got, err := parsePrecision(text); err != nil || got != want {
			t.Errorf("%q: %v, %v, want %v", text, got, err, want)
		}
	}
	for _, text := range []string{"", "%", "1", "100%", "-1%", "NaN", "inf", "half", "0.5%%"} {
		if got, err := parsePrecision(text); err == nil {
			t.Errorf("%q is read as %v", text, got)
		}
	}
	if _, err := parsePrecision("0.5"); err == nil || err.Error() != "write 0.5% or 50%" {
		t.Errorf("0.5: %v", err)
	}
}
