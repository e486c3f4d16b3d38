package micro

import (
	"context"
	"testing"
	"time"

	"gpupipe/internal/measure"
	"gpupipe/internal/measure/opencl"
	"gpupipe/internal/test/tools"
)

// TestOnPoCL: microbenchmarks, every second or, with small tables, eighth, compute on a real OpenCL device what the
// host computes.
func TestOnPoCL(t *testing.T) {
	list, err := opencl.List(opencl.Libraries)
	if err != nil || len(list) == 0 {
		tools.Missing(t, "no OpenCL device (Debian: pocl-opencl-icd ocl-icd-libopencl1): %v", err)
	}
	d, err := list[0].Open()
	if err != nil {
		t.Fatal(err)
	}
	b := New(d, 20*time.Second)
	defer b.Close()
	if !tools.Full() {
		b.memory.large = 1 << 22 // as tables are filled with the same program
	}
	for i, c := range measure.Classes() {
		if i%tools.Cases(2, 8) > 0 {
			continue
		}
		chosen := c.Chains[:1]
		if tools.Full() {
			chosen = c.Chains[len(c.Chains)-1:]
		}
		for _, chains := range chosen {
			if reason := b.Skip(c); reason != "" {
				t.Logf("%s: %s", c.Name, reason)
				continue
			}
			start := time.Now()
			r, err := b.Time(context.Background(), measure.Point{Class: c, Chains: chains, GroupSize: 32, Groups: 2,
				WarpsPerUnit: 8, Instructions: 1000})
			if err != nil {
				t.Errorf("%s/%d: %v", c.Name, chains, err)
				continue
			}
			t.Logf("%s/%d: %d instructions, %.3g s, %v", c.Name, chains, r.Instructions, r.Seconds, time.Since(start))
		}
	}
}
