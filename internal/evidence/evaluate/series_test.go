package main

import (
	"bytes"
	"encoding/binary"
	"math"
	"os"
	"path/filepath"
	"regexp"
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
	for _, want := range []string{"Kernels with one measured time each, 2 configurations.", "| one | 0.006991 | ",
		"| four | 0.01049 | ", "| **simulation, in-order** | 1.000 |"} {
		if !strings.Contains(report, want) {
			t.Errorf("the report lacks %q:\n%s", want, report)
		}
	}
	if n := strings.Count(rows, "\n"); n != 3 || !strings.Contains(rows, ",four,") {
		t.Errorf("%d lines of CSV:\n%s", n, rows)
	}
}

// TestStepsOwn: arguments and changes of the text that a step has of its own hold for it alone,
// beside those of all.
func TestStepsOwn(t *testing.T) {
	own := strings.NewReplacer("seconds: 8 * 1048576 / 1200e9", "args: {n: 0}, seconds: 1", "title: Copies",
		"title: Copies\nreplace: [{old: EACH, new: FACTOR}]", "EACH=1", "FACTOR=1", "EACH=4",
		"FACTOR=4").Replace(seriesSpec)
	status, _, said, rows := runSeries(t, own)
	_, _, _, before := runSeries(t, seriesSpec)
	if status != exitDone {
		t.Fatalf("status %d: %s", status, said)
	}
	lines, others := strings.Split(rows, "\n"), strings.Split(before, "\n")
	if lines[2] != others[2] || lines[1] == others[1] {
		t.Errorf("with n = 0 in the first step and another name for a parameter:\n%s\nwithout:\n%s", rows, before)
	}
}

// TestStepsLocalMemory: a step's own local memory takes the place of that of all, and limits
// how many groups are resident.
func TestStepsLocalMemory(t *testing.T) {
	const spec = `
title: Rows
dynamic_local: 128
contents: [{buffer: row, type: int, elements: 4096, value: 4095 - i}]
series:
  - {name: little, source: series.cu, kernel: rows, local: ['32'], groups: ['4096'], seconds: 1}
  - {name: much, source: series.cu, kernel: rows, local: ['32'], groups: ['4096'], dynamic_local: 32 * 1024, seconds: 1}
`
	status, report, said, _ := runSeries(t, spec)
	if status != exitDone {
		t.Fatalf("status %d: %s", status, said)
	}
	if !regexp.MustCompile(`\| little .* 32 \| \d+ \|\n\| much .* 4 \| \d+ \|`).MatchString(report) {
		t.Errorf("with 128 bytes of local memory for each group, then 32 KiB:\n%s", report)
	}
	held, err := contents([]ContentSpec{{Buffer: "row", Type: "int", Elements: 2, Value: "3 - 4 * i"}})
	if want := []byte{3, 0, 0, 0, 0xff, 0xff, 0xff, 0xff}; err != nil || !bytes.Equal(held["row"], want) {
		t.Errorf("3 and -1: %v, %v", held, err)
	}
	held, err = contents([]ContentSpec{{Buffer: "row", Type: "double", Elements: 3, Value: "last + i"}})
	if want := binary.LittleEndian.AppendUint64(make([]byte, 8), math.Float64bits(1)); err != nil ||
		!bytes.Equal(held["row"][:16], want) || len(held["row"]) != 24 {
		t.Errorf("0, 1 and 3: %v, %v", held, err)
	}
	if status, _, said, _ := runSeries(t, strings.Replace(spec, "type: int", "type: char", 1)); status != exitInput ||
		!strings.Contains(said, `type "char" is none of float, double and int`) {
		t.Errorf("status %d: %s", status, said)
	}
}

func TestBadSeries(t *testing.T) {
	for _, c := range []struct{ old, new, want string }{
		{"name: one, ", "", "series: name of step 1 is not given"},
		{"kernel: copy, ", "", "series: kernel of step 1 is not given"},
		{"local: ['256'], ", "", "series: one: local and groups take one to three expressions"},
		{"8 * 1048576 / 1200e9", "0", `one: "0" is not a number of seconds`},
		{"8 * 1048576 / 1200e9", "8 * n", "one: "},
		{"source: series.cu", "source: none.cu", "one: open"},
		{"seconds: 8 * 1048576 / 1200e9", "replace: [{old: nothing, new: ''}], seconds: 1",
			`one: testdata/series.cu: there is no "nothing" to replace`},
		{"title: Copies", "title: Copies\nkernel: copy", "in a series source, kernel"},
		{"title: Copies", "title: Copies\ntwins: n", "are of tables, not of a series"},
		{"title: Copies", "", "title is not given"},
	} {
		if status, _, said, _ := runSeries(t, strings.Replace(seriesSpec, c.old, c.new, 1)); status != exitInput ||
			!strings.Contains(said, c.want) {
			t.Errorf("%q: status %d, %q, want %q", c.new, status, said, c.want)
		}
	}
}
