package main

import (
	"bytes"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// TestEvaluate runs the command on a kernel of its own: the report holds every
// model, a row of CSV stands for each configuration, and two runs agree.
func TestEvaluate(t *testing.T) {
	rows := filepath.Join(t.TempDir(), "rows.csv")
	args := []string{"--gpu", "a100", "--sources", "testdata", "--measured", "testdata", "-o", rows,
		"testdata/scale.yaml"}
	var reports [2]bytes.Buffer
	for i := range reports {
		var stderr bytes.Buffer
		if status := run(args, &reports[i], &stderr); status != exitDone {
			t.Fatalf("status %d: %s", status, &stderr)
		}
		if !strings.Contains(stderr.String(), "4 configurations") {
			t.Errorf("standard error does not tell the number of configurations: %s", &stderr)
		}
	}
	if reports[0].String() != reports[1].String() {
		t.Error("two runs give different reports")
	}
	for _, want := range []string{"simulation", "Volkov", "roofline", "occupancy alone", "random choice",
		"Spearman at least 0.50: reached (", "705 MHz", "- tile: 1 ", "Large tiles: 2 configurations; the median",
		"No tiles: 0 of 4", "testdata/scale.yaml", "no measured parameters for ", "index (4), ", "st.global (4)"} {
		if !strings.Contains(reports[0].String(), want) {
			t.Errorf("the report lacks %q:\n%s", want, &reports[0])
		}
	}
	data, err := os.ReadFile(rows)
	if err != nil {
		t.Fatal(err)
	}
	if n := strings.Count(string(data), "\n"); n != 5 {
		t.Errorf("%d lines of CSV, want a header and 4 rows", n)
	}
}

// TestBadInput: what is wrong is said, with the status of its kind.
func TestBadInput(t *testing.T) {
	spec := func(change func(string) string) string {
		data, err := os.ReadFile("testdata/scale.yaml")
		if err != nil {
			t.Fatal(err)
		}
		name := filepath.Join(t.TempDir(), "spec.yaml")
		if err := os.WriteFile(name, []byte(change(string(data))), 0o644); err != nil {
			t.Fatal(err)
		}
		return name
	}
	replaced := func(old, new string) func(string) string {
		return func(s string) string { return strings.Replace(s, old, new, 1) }
	}
	for _, c := range []struct {
		name   string
		args   []string
		status int
		want   string
	}{
		{"no specification", []string{"--gpu", "a100"}, exitUsage, "no specification"},
		{"no device", []string{"testdata/scale.yaml"}, exitInput, "--gpu"},
		{"unknown mode", []string{"--gpu", "a100", "--issue", "backwards", "testdata/scale.yaml"}, exitUsage,
			"backwards"},
		{"unknown key", []string{"--gpu", "a100", spec(replaced("title:", "titel:"))}, exitInput, "titel"},
		{"unknown column", []string{"--gpu", "a100", spec(replaced("column: ms", "column: us"))}, exitInput,
			`no column "us"`},
		{"unknown kernel", []string{"--gpu", "a100", spec(replaced("kernel: scale", "kernel: blur"))}, exitInput,
			`no kernel "blur"`},
		{"unknown parameter", []string{"--gpu", "a100", spec(replaced("local: [block_size]", "local: [block]"))},
			exitInput, "no parameter block"},
		{"unknown argument", []string{"--gpu", "a100", spec(replaced("args: {n:", "args: {m:"))}, exitInput,
			"kernel scale has no scalar argument m"},
		{"argument of a buffer", []string{"--gpu", "a100", spec(replaced("args: {n:", "args: {at:"))}, exitInput,
			"kernel scale has no scalar argument at"},
		{"broken argument", []string{"--gpu", "a100", spec(replaced("* tile}", "/ 3}"))}, exitInput,
			"the argument is a whole number (int)"},
		{"no seconds", []string{"--gpu", "a100", spec(replaced(", seconds: 0.001", ""))}, exitInput,
			"how many seconds"},
		{"apart by nothing known", []string{"--gpu", "a100", spec(replaced("tile > 1", "tiles > 1"))}, exitInput,
			"no parameter tiles"},
		{"nothing to replace", []string{"--gpu", "a100",
			spec(replaced("edges:", "replace: [{old: absent, new: x}]\nedges:"))}, exitInput, `no "absent"`},
	} {
		var stdout, stderr bytes.Buffer
		status := run(append([]string{"--sources", "testdata", "--measured", "testdata"}, c.args...), &stdout, &stderr)
		if status != c.status || !strings.Contains(stderr.String(), c.want) {
			t.Errorf("%s: status %d, want %d; %q lacks %q", c.name, status, c.status, &stderr, c.want)
		}
	}
}
