package report

import (
	"testing"

	"gpupipe/idg"
	"gpupipe/latencies"
	"gpupipe/simulate"
	"gpupipe/simulate/remedy"
)

// TestMemoryText: what a launch moves is compared with the least possible only if all
// addresses are known.
func TestMemoryText(t *testing.T) {
	traffic := latencies.Traffic{ReadBytes: 3000, WrittenBytes: 1000, CompulsoryReadBytes: 1500,
		CompulsoryWrittenBytes: 500}
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
		p := &Prediction{Kernel: remedy.Kernel{Graph: g, Mapping: m}, Result: &simulate.Result{Groups: c.groups}}
		if got := p.memoryText(); got != c.want {
			t.Errorf("%+v: %q, want %q", c.traffic, got, c.want)
		}
	}
}
