package main

import (
	"bytes"
	"compress/gzip"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// TestRuns: configurations whose runs differ in speed are counted by how much, the
// first run left out, and those that failed or were not repeated do not count.
func TestRuns(t *testing.T) {
	dir := t.TempDir()
	var packed bytes.Buffer
	z := gzip.NewWriter(&packed)
	if _, err := z.Write([]byte(`{"device_name": "GPU", "cache": {
		"1,a": {"time": 1, "times": [9, 1, 1.05, 1]}, "2,b": {"time": 1, "times": [9, 1, 1.2, 1]}, "3,c": {"times": [1, 1.85, 1.85, 1]},
		"4,d": {"time": "RuntimeFailed"}, "5,e": {"times": [1, 5]}, "6,f": {"times": [1, 5, 1]}}}`)); err != nil {
		t.Fatal(err)
	}
	if err := z.Close(); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(filepath.Join(dir, "runs.json.gz"), packed.Bytes(), 0o644); err != nil {
		t.Fatal(err)
	}
	runs, err := readRuns(filepath.Join(dir, "runs.json.gz"))
	if err != nil {
		t.Fatal(err)
	}
	s := &study{spec: &Spec{Runs: "runs.json.gz", Clocks: []ClockSpec{{MHz: 705}}}, runs: runs}
	var out bytes.Buffer
	s.writeRuns(&out, 1410)
	if want := "3 configurations of 4 whose slowest run takes more than 1.1 times their fastest, the first left out, " +
		"at most 5.00 times (1.1 to 1.3 1, 1.3 to 1.5 0, 1.5 to 1.7 0, 1.7 to 1.9 1, above 1.9 1). 1410 / 705 MHz " +
		"is 2.00."; !strings.Contains(out.String(), want) {
		t.Errorf("%q lacks %q", &out, want)
	}
	for _, c := range []struct {
		content []byte
		want    string
	}{{[]byte("this is not a compressed file"), "gzip: invalid header"}, {nil, "bad.json.gz"}} {
		bad := filepath.Join(dir, "bad.json.gz")
		if c.content != nil {
			if err := os.WriteFile(bad, c.content, 0o644); err != nil {
				t.Fatal(err)
			}
		} else if err := os.Remove(bad); err != nil {
			t.Fatal(err)
		}
		if _, err := readRuns(bad); err == nil || !strings.Contains(err.Error(), c.want) {
			t.Errorf("error %v lacks %q", err, c.want)
		}
	}
}
