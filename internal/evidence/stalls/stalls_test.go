package main

import (
	"testing"

	"gpupipe/simulate/finding"
)

// TestCodes: every rule is explained, but for those of which the bound says what warps wait for.
func TestCodes(t *testing.T) {
	ofTheBound := map[string]bool{"few-groups": true, "tail-wave": true, "occupancy": true, "latency": true,
		"small-groups": true}
	rules := map[string]bool{}
	for _, r := range finding.Rules() {
		rules[r[0]] = true
		if (explained[r[0]] != nil) == ofTheBound[r[0]] {
			t.Errorf("%s is explained: %v", r[0], explained[r[0]])
		}
	}
	for code := range explained {
		if !rules[code] {
			t.Errorf("no rule is called %s", code)
		}
	}
}

// The longest reason is named by the first finding that has one, else by what the kernel is bound by.
func TestNames(t *testing.T) {
	v := &verdict{Bound: "latency"}
	v.Causes = append(v.Causes, struct {
		Code, Subsystem string
		Cycles          float64
	}{"data", "global", 9})
	if what, reasons := v.names(); what != "latency global" || reasons[0] != "long_scoreboard" {
		t.Error(what, reasons)
	}
	v.Findings = []struct{ Code string }{{"barriers"}}
	if what, reasons := v.names(); what != "barriers" || reasons[0] != "barrier" {
		t.Error(what, reasons)
	}
	if reason, err := longest(map[string]string{"stalled_wait": "2", "stalled_selected": "9", "cycles": "5",
		"stalled_barrier": "1"}); reason != "wait" || err != nil {
		t.Error(reason, err)
	}
}
