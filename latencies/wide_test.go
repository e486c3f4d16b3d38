package latencies

import (
	"slices"
	"testing"
)

// TestWideIntervals: a remark names what a graph uses that was measured with a wide interval, of an entry by its name.
func TestWideIntervals(t *testing.T) {
	d := *builtin(t, "gtx1060")
	d.Origins = []Origin{{Path: "instructions.add.f32.cpi", Interval: 0.3},
		{Path: "instructions.add.f32.latency", Interval: 0.4}, {Path: "instructions.mul.f32.cpi", Interval: 0.5},
		{Path: "memory.bandwidth", Interval: 0.2}, {Path: "memory.latency", Interval: 0.001}}
	m := mapped(t, &d, graphOf(t, 32, op{op: "add.f32"}, op{op: "ld.global"}))
	if want := "measured with wide intervals: add.f32 ±30%, memory.bandwidth ±20%"; !slices.Contains(m.Remarks, want) {
		t.Errorf("%q, want %q", m.Remarks, want)
	}
}
