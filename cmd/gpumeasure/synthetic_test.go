package main

import (
	"bytes"
	"maps"
	"math"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"testing"

	"gpupipe/internal/test/tools"
	"gpupipe/latencies"
)

// TestResume: a run that was interrupted within a point, and resumed, leaves the same files as one that was not.
func TestResume(t *testing.T) {
	dir := t.TempDir()
	execute := func(args ...string) string {
		t.Helper()
		var stdout, stderr bytes.Buffer
		if status := run(append([]string{"run", "--device", "synthetic:gtx1060", "--quick", "--class",
			"add.f32,cos.approx.f32,launch"}, args...), strings.NewReader(""), &stdout, &stderr); status != 0 {
			t.Fatalf("status %d: %s", status, stderr.String())
		}
		return stdout.String()
	}
	read := func(name ...string) []byte {
		t.Helper()
		data, err := os.ReadFile(filepath.Join(append([]string{dir}, name...)...))
		if err != nil {
			t.Fatal(err)
		}
		return data
	}
	whole := filepath.Join(dir, "whole")
	if out := execute("-o", whole); !strings.Contains(out, "cos.approx.f32") {
		t.Errorf("the report is:\n%s", out)
	}
	samples := read("whole", samplesName)
	device := read("whole", deviceName)
	if d, err := latencies.ParseDevice(deviceName, device); err != nil || d.Extends != "gtx1060" {
		t.Fatalf("the device file is %+v (%v)", d, err)
	}
	read("whole", plotFolder, "add.f32.svg")

	part := filepath.Join(dir, "part")
	if err := os.Mkdir(part, 0o777); err != nil {
		t.Fatal(err)
	}
	for _, share := range []int{3, 2} { // of the samples, up to the midst of a line
		cut := filepath.Join(part, samplesName)
		if err := os.WriteFile(cut, samples[:len(samples)*(share-1)/share+5], 0o666); err != nil {
			t.Fatal(err)
		}
		execute("--resume", cut)
		for name, want := range map[string][]byte{samplesName: samples, deviceName: device,
			reportName: read("whole", reportName)} {
			if got := read("part", name); !bytes.Equal(got, want) {
				t.Errorf("%s of the resumed run differs", name)
			}
		}
	}
}

// TestReplay: recorded samples of an H100, measured again, make a device file that refines the built-in one, with what
// the samples show by hand (docs/guide/measuring.md).
func TestReplay(t *testing.T) {
	classes := "add.f32,add.s32,barrier,ld.local.conflict1,ld.global,ld.global.,copy."
	numbers := map[string]float64{
		"instructions.ld.local.latency": 23, "instructions.barrier.latency": 14.6,
		"instructions.ld.global.cpi": 11.3, "instructions.ld.global.latency": 724, "memory.l2.latency": 307,
		"memory.l2.cpi": 4.25, "memory.l1.cpi": 1.01, "memory.l1.latency": 31.5, "memory.contention.unloaded": 724,
		"memory.copy_cost": 1.05, "memory.random_access": 9.23,
	}
	if tools.Full() { // two more that tell which warps go first take half of the time
		classes += ",add.f16,wgmma.m64n128k16"
		maps.Copy(numbers, map[string]float64{"instructions.add.f16.cpi": 0.5, "instructions.add.f16.latency": 4,
			"instructions.wgmma.m64n8.cpi": 1})
	}
	dir := t.TempDir()
	var stdout, stderr bytes.Buffer
	status := run([]string{"run", "--device", "replay:../../internal/measure/testdata/h100/quick.csv.gz", "--quick",
		"--class", classes, "-o", dir}, strings.NewReader(""), &stdout, &stderr)
	if status != 0 {
		t.Fatalf("status %d: %s", status, stderr.String())
	}
	text, err := os.ReadFile(filepath.Join(dir, deviceName))
	if err != nil {
		t.Fatal(err)
	}
	d, err := latencies.ParseDevice(deviceName, text)
	if err != nil || d.Extends != "h100sxm" {
		t.Fatalf("the device file is %+v (%v)", d, err)
	}
	for path, want := range numbers {
		o, _ := d.Origin(path)
		if got, err := strconv.ParseFloat(o.Value, 64); err != nil || math.Abs(got/want-1) > 0.05 {
			t.Errorf("%s is %q, want %g within 5%%", path, o.Value, want)
		}
	}
	for _, want := range []string{"device memory: 2937 GB/s read",
		"add.s32: its compiler spreads it over several units", "inherited from h100sxm:", "ld.global: 3, because"} {
		if !strings.Contains(stdout.String(), want) {
			t.Errorf("the report does not say %q:\n%s", want, stdout.String())
		}
	}
}

// TestPlainName: what a device calls itself becomes a name that device files can have.
func TestPlainName(t *testing.T) {
	for name, want := range map[string]string{"NVIDIA GeForce RTX 3090": "nvidia-geforce-rtx-3090",
		"Radeon (TM) 7": "radeon-tm-7", "": "measured"} {
		if got := plainName(name); got != want {
			t.Errorf("%q becomes %q, want %q", name, got, want)
		}
	}
}
