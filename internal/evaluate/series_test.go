package main

import (
	"bytes"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

const seriesSpec = `
title: Copies
args: {n: 1048576}
series:
  - {name: one, source: series.cu, kernel: copy, template: ['EACH=1'], local: ['256'], groups: ['4096'], seconds: 8 * 1048576 / 1200e9}
  - {name: four, source: series.cu, kernel: copy, template: ['EACH=4'], local: ['256'], groups: ['1024'], seconds: 8 * 1048576 / 800e9}
`

// runSeries evaluates a specification of kernels in testdata.
func runSeries(t *testing.T, spec string) (status int, report, said, rows string) {
	t.Helper()
	file, lines := filepath.Join(t.TempDir(), "series.yaml"), filepath.Join(t.TempDir(), "rows.csv")
	if err := os.WriteFile(file, []byte(spec), 0o600); err != nil {
		t.Fatal(err)
	}
	var stdout, stderr bytes.Buffer
	status = run([]string{"--gpu", "a100", "--sources", "testdata", "-o", lines, file}, &stdout, &stderr)
	text, _ := os.ReadFile(lines) // not there after an error
	return status, stdout.String(), stderr.String(), string(text)
}

// TestSeries: each kernel of a series is predicted with its own template arguments and launch,
// and stands beside its measured time.
func TestSeries(t *testing.T) {
	status, report, said, rows := runSeries(t, seriesSpec)
	if status != exitDone {
		t.Fatalf("status %d: %s", status, said)
	}
	for _, want := range []string{"Kernels with one measured time each, 2 configurations.", "| one | 0.006991 | ", "| four | 0.01049 | ", "| **simulation, blocks** | 1.000 |"} {
		if !strings.Contains(report, want) {
			t.Errorf("the report lacks %q:\n%s", want, report)
		}
	}
	if n := strings.Count(rows, "\n"); n != 3 || !strings.Contains(rows, ",four,") {
		t.Errorf("%d lines of CSV:\n%s", n, rows)
	}
}

func TestBadSeries(t *testing.T) {
	for _, c := range []struct{ old, new, want string }{
		{"name: one, ", "", "series: name of step 1 is not given"},
		{"kernel: copy, ", "", "series: kernel of step 1 is not given"},
		{"local: ['256'], ", "", "series: one: local and groups take one to three expressions"},
		{"8 * 1048576 / 1200e9", "0", `one: "0" is no number of seconds`},
		{"8 * 1048576 / 1200e9", "8 * n", "one: "},
		{"source: series.cu", "source: none.cu", "one: open"},
		{"title: Copies", "title: Copies\nkernel: copy", "in a series source, kernel"},
		{"title: Copies", "title: Copies\ntwins: n", "are of tables, not of a series"},
		{"title: Copies", "", "title is not given"},
	} {
		if status, _, said, _ := runSeries(t, strings.Replace(seriesSpec, c.old, c.new, 1)); status != exitInput || !strings.Contains(said, c.want) {
			t.Errorf("%q: status %d, %q, want %q", c.new, status, said, c.want)
		}
	}
}
