package finding_test

import (
	"math"
	"slices"
	"strings"
	"testing"

	"gpupipe/idg"
	"gpupipe/latencies"
	"gpupipe/simulate/cause"
	"gpupipe/simulate/finding"
)

// TestLongCode: code that is longer than the instruction cache is fetched once by the groups that a compute unit holds at
// once, whose warps share that, and is found to be; without fetching the launch takes what is said to be left.
func TestLongCode(t *testing.T) {
	const length, fetch = 60, 40
	long := code{lines: slices.Repeat([]string{"add.f32"}, length), groups: 64 * 10 * 32, repeat: 1}
	simulated := func(cache int) *finding.Run {
		d, err := latencies.Builtin("gtx1060")
		if err != nil {
			t.Fatal(err)
		}
		device := *d
		device.InstructionCache, device.InstructionFetch = cache, latencies.WholeCycles(fetch)
		g := long.graph(t)
		g.MachineCode, g.Resources = true, idg.Resources{Instructions: length}
		r := runOn(t, &device, g)
		if r.Causes, err = cause.Of(r.Result, r.Mapping.Device); err != nil {
			t.Fatal(err)
		}
		return r
	}
	fits, streams := simulated(length), simulated(length-1)
	waves := float64(streams.Result.Groups) / float64(streams.Result.ConcurrentGroups)
	if got, want := streams.Result.Cycles.Float(), waves*length*fetch; math.Abs(got/want-1) > 0.02 {
		t.Errorf("%g cycles, of which fetches take %g", got, want)
	}
	out, err := finding.Find(t.Context(), streams)
	if err != nil {
		t.Fatal(err)
	}
	i := slices.IndexFunc(out.Findings, func(f finding.Finding) bool { return f.Code == "long-code" })
	if i < 0 {
		t.Fatalf("not found: %v", out.Findings)
	}
	f := out.Findings[i]
	if want := 1 - fits.Result.Seconds/streams.Result.Seconds; math.Abs(f.Saved-want) > 1e-9 ||
		!strings.Contains(f.Proof, "60 instructions") {
		t.Errorf("saves %g, not %g: %s", f.Saved, want, f.Proof)
	}
	if out, err = finding.Find(t.Context(), fits); err != nil || slices.ContainsFunc(out.Findings,
		func(f finding.Finding) bool { return f.Code == "long-code" }) {
		t.Errorf("found where the code fits: %v %v", out, err)
	}
}
