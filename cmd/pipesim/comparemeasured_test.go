package main

import (
	"strings"
	"testing"

	"gpupipe/latencies"
)

// TestMeasuredUnits: every unit of time comes to the same cycles.
func TestMeasuredUnits(t *testing.T) {
	d := &latencies.Device{ClockHz: 2e9}
	for unit, text := range map[string]string{"seconds": "0.003", "S": "3e-3", " ms ": "3", "us": "3000", "µs": "3000",
		"ns": "3e6", "Cycles": "6000000"} {
		m, err := parseMeasured(strings.NewReader("\ufeffgroups,"+unit+"\n5,"+text+"\n2, "+text+"\n"), "m.csv")
		if err != nil {
			t.Errorf("%q: %v", unit, err)
			continue
		}
		warps, cycles, err := m.at(3, d)
		if err != nil || len(warps) != 2 || warps[0] != 6 || warps[1] != 15 || cycles[0] < 5.999999e6 ||
			cycles[0] > 6.000001e6 {
			t.Errorf("%q: %v warps take %v cycles (%v)", unit, warps, cycles, err)
		}
	}
}

// FuzzMeasured: what is accepted is ascending occupancies and positive times; what
// is refused has a position.
func FuzzMeasured(f *testing.F) {
	for _, seed := range []string{
		"groups,ms\n1,2\n", "warps,cycles\n# c\n3,4\n1,5\n", "", "\n", "a,b\n", "groups,ms\n1,NaN\n",
		"groups,ms\n\"1,2\n", "groups,groups,ms\n1,1,1\n", "warps,s\n65536,1e308\n",
	} {
		f.Add(seed)
	}
	f.Fuzz(func(t *testing.T, text string) {
		m, err := parseMeasured(strings.NewReader(text), "m.csv")
		if err != nil {
			if !strings.HasPrefix(err.Error(), "m.csv:") {
				t.Errorf("no position: %v", err)
			}
			return
		}
		warps, cycles, err := m.at(2, &latencies.Device{ClockHz: 1e9})
		if err != nil {
			return
		}
		for i, w := range warps {
			if w < 1 || !(cycles[i] > 0) || i > 0 && w <= warps[i-1] {
				t.Errorf("%v warps take %v cycles", warps, cycles)
			}
		}
	})
}
