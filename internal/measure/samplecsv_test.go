package measure

import (
	"bytes"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

func exampleSamples() (Properties, []Sample) {
	return Properties{Name: "Some GPU", Vendor: "V", Driver: "1.0", API: "OpenCL 3.0", ComputeUnits: 4,
			ClockMHz: 1033.5, WarpSize: 32, GlobalBytes: 1 << 33, Features: "double"},
		[]Sample{
			{Class: "add.f32", Chains: 2, GroupSize: 64, Groups: 3, WarpsPerUnit: 6, Instructions: 1 << 20,
				Seconds: 1.25e-3, ClockBefore: 1033, ClockAfter: 1000, Marked: "the clock moved, and \"much\""},
			{Class: "ld.local.conflict4", Chains: 1, GroupSize: 64, Groups: 3, WarpsPerUnit: 6, Instructions: 100,
				Repetition: 2, Seconds: 1e-9, Cycles: 17},
			{Class: "add.f16", Marked: "the device has no half precision"},
		}
}

// TestSamplesRoundTrip: reading gives what was written.
func TestSamplesRoundTrip(t *testing.T) {
	device, samples := exampleSamples()
	var file bytes.Buffer
	if err := WriteSamples(&file, device, samples); err != nil {
		t.Fatal(err)
	}
	gotDevice, got, err := ReadSamples(&file, "samples.csv")
	if err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff(device, gotDevice) + cmp.Diff(samples, got); diff != "" {
		t.Error(diff)
	}
}

// TestReadSamplesErrors: what is wrong is named with its line.
func TestReadSamplesErrors(t *testing.T) {
	head := "# gpumeasure: 1\n# device: X\n" + strings.Join(header(), ",") + "\n"
	for _, c := range []struct{ text, want string }{
		{"", "samples.csv:1: error[SAMPLES]: the file has no header"},
		{"# gpumeasure: 3\n", "samples.csv:1: error[SAMPLES]: version \"3\""},
		{"# gpumeasure: 1", "samples.csv:1: error[SAMPLES]: the file ends in its header"},
		{"# gpumeasure: 1\n# compute_units: many\n",
			"samples.csv:2: error[SAMPLES]: \"many\" is not a valid compute_units"},
		{"# gpumeasure: 1\nclass\n", "samples.csv:2: error[SAMPLES]: wrong number of fields"},
		{head + "add.f32,1,64,1,2,100,0,x,0,0,0,\n",
			"samples.csv:4: error[SAMPLES]: \"x\" is not a valid seconds"},
		{head + "add.f32,1,64,1,2,100,0,-1,0,0,0,\n", "samples.csv:4: error[SAMPLES]: -1 is not a valid time"},
		{head + "add.f32,1,64,1,2,100,0,0,0,0,0,\n", "neither a time nor a reason"},
		{head + "nop.f32,1,64,1,2,100,0,1,0,0,0,\n", "there is no class \"nop.f32\""},
	} {
		if _, _, err := ReadSamples(strings.NewReader(c.text), "samples.csv"); err == nil ||
			!strings.Contains(err.Error(), c.want) {
			t.Errorf("%q: %v, want %q", c.text, err, c.want)
		}
	}
}
