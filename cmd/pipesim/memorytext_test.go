package main

import (
	"testing"

	"gpupipe/idg"
	"gpupipe/latencies"
	"gpupipe/simulate"
)

// TestBytesText holds that every size has three digits and its unit.
func TestBytesText(t *testing.T) {
	for n, want := range map[int64]string{
		0: "0 B", 1: "1 B", 999: "999 B", 1000: "1.00 kB", 999_499: "999 kB", 999_500: "1.00 MB",
		12_582_912: "12.6 MB", 1 << 62: "4.61 EB",
	} {
		if got := bytesText(n); got != want {
			t.Errorf("%d bytes are %q, want %q", n, got, want)
		}
	}
}

// TestMemoryText: what a launch moves is compared with the least possible only if all
// addresses are known.
func TestMemoryText(t *testing.T) {
	traffic := latencies.Traffic{ReadBytes: 3000, WrittenBytes: 1000, CompulsoryReadBytes: 1500, CompulsoryWrittenBytes: 500}
	partial := traffic
	partial.Partial = true
	for _, c := range []struct {
		traffic *latencies.Traffic
		groups  int64
		want    string
	}{
		{&traffic, 3, "moves 4.00 kB (2.00x the minimum)"},
		{&traffic, 4, "the launch of 9 groups moves 4.00 kB (2.00x the minimum)"},
		{&partial, 3, "moves 4.00 kB at known addresses, and what is at others"},
		{&latencies.Traffic{Partial: true}, 3, ""},
		{nil, 3, ""},
	} {
		g := &idg.Graph{Header: idg.Header{Launch: idg.Launch{Groups: [3]int64{9, 1, 1}}}}
		m := &latencies.Mapping{Traffic: c.traffic, Device: &latencies.Device{ComputeUnits: 4}}
		r := &textReport{prediction: &prediction{graph: g, mapping: m, result: &simulate.Result{Groups: c.groups}}}
		if got := r.memoryText(); got != c.want {
			t.Errorf("%+v: %q, want %q", c.traffic, got, c.want)
		}
	}
}
