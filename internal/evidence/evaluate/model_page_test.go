package main

import (
	"bytes"
	"fmt"
	"io"
	"os"
	"regexp"
	"strings"
	"testing"

	"gpupipe/latencies"
	"gpupipe/simulate"
	"gpupipe/simulate/analytic"
	"gpupipe/simulate/comparison"
)

// TestModelPage: the page of docs whose kernels are not in this repository has the form that its
// command writes: the same sections, texts, kernels and models, whatever the numbers are.
func TestModelPage(t *testing.T) {
	t.Chdir("../../..")
	const page = "docs/evidence/models.md"
	text, err := os.ReadFile(page)
	if err != nil {
		t.Fatal(err)
	}
	_, command, _ := strings.Cut(string(text), "<!-- Generated: go run ./internal/evidence/evaluate ")
	command, _, _ = strings.Cut(command, " -->\n")
	o, err := parseFlags(strings.Fields(command), io.Discard)
	if err != nil {
		t.Fatal(err)
	}
	o.sources = "." // which is DIR in the page
	s, err := readSpec(o.specs[0])
	if err != nil {
		t.Fatal(err)
	}
	m := &modelStudy{spec: s}
	for _, name := range s.Models.GPUs {
		d, err := latencies.Builtin(name)
		if err != nil {
			t.Fatal(err)
		}
		m.devices = append(m.devices, d)
	}
	for range s.Series {
		row := make([]modelCell, len(m.devices))
		point := comparison.Point{Warps: 1, Simulated: &simulate.Result{WarpsPerCycle: 1}}
		for k := range row {
			row[k].Comparison = &comparison.Comparison{Points: []comparison.Point{point}}
			row[k].accuracy = make([]comparison.Accuracy, len(analytic.Models()))
		}
		m.cells = append(m.cells, row)
	}
	var want bytes.Buffer
	if err := m.writeReport(&want, o); err != nil {
		t.Fatal(err)
	}
	if got := formOf(string(text)); got != formOf(want.String()) {
		t.Errorf("%s is not current: run its command\n%s", page, firstDifference(got, formOf(want.String())))
	}
}

// formOf is a report without what depends on the kernels' sources: numbers, cells of tables but
// those of the first and, with a source's numbers, the last column, and the lists of what was noted
// and refused.
func formOf(text string) string {
	var lines []string
	noted := false
	for line := range strings.Lines(text) {
		switch {
		case strings.HasPrefix(line, "## "):
			noted = strings.HasPrefix(line, "## Where") || strings.HasPrefix(line, "## What the comparison")
		case strings.HasPrefix(line, "| "):
			cells := strings.Split(line, "|")
			line = fmt.Sprint(cells[1], len(cells))
			if len(cells) == 7 {
				line += cells[5]
			}
		}
		if !noted && !strings.HasPrefix(line, "Refused") && strings.TrimSpace(line) != "" {
			lines = append(lines, strings.TrimSpace(line))
		}
	}
	counts := regexp.MustCompile(`\d+ of \d+ pairs, \d+ occupancies`)
	return counts.ReplaceAllString(strings.Join(lines, "\n"), "pairs")
}

// firstDifference shows where two texts part.
func firstDifference(got, want string) string {
	a, b := strings.Split(got, "\n"), strings.Split(want, "\n")
	for i := range min(len(a), len(b)) {
		if a[i] != b[i] {
			return fmt.Sprintf("- %s\n+ %s", a[i], b[i])
		}
	}
	return fmt.Sprintf("%d lines, want %d", len(a), len(b))
}
