package main

import (
	"bytes"
	"os"
	"path/filepath"
	"strings"
	"testing"

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
	if d, err := latencies.ParseDevice(deviceName, device); err != nil || len(d.Instructions) != 2 {
		t.Fatalf("the device file has %v (%v)", d, err)
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

// TestPlainName: what a device calls itself becomes a name that device files can have.
func TestPlainName(t *testing.T) {
	for name, want := range map[string]string{"NVIDIA GeForce RTX 3090": "nvidia-geforce-rtx-3090",
		"Radeon (TM) 7": "radeon-tm-7", "": "measured"} {
		if got := plainName(name); got != want {
			t.Errorf("%q becomes %q, want %q", name, got, want)
		}
	}
}
