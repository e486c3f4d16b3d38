package main

import (
	"bytes"
	"flag"
	"io"
	"math"
	"os"
	"slices"
	"strings"
	"testing"

	"gpupipe/internal/test/tools"
)

var update = flag.Bool("update", false, "rewrite the pages of docs that are made of what is in this folder")

// checkCounters: bytes of device memory are as counted for four launches of five, sectors of L2 for seven of ten, those
// that are far off have a reason, and all ratios are near.
func checkCounters(t *testing.T, s *study) {
	t.Helper()
	for _, r := range s.spec.Ratios {
		if measured, predicted := s.ratios(r); !(math.Abs(predicted/measured-1) <= ratioWithin) {
			t.Errorf("%s / %s: %.3g, measured %.3g", r.Of, r.To, predicted, measured)
		}
	}
	if s.counters == nil {
		return
	}
	off, memory, sectors := s.miscounts()
	if n := float64(len(s.table.rows)); float64(memory) < 0.8*n || float64(sectors) < 0.7*n {
		t.Errorf("%s: of %g launches %d and %d are as counted", s.spec.Title, n, memory, sectors)
	}
	for i := range s.spec.Series {
		if step := &s.spec.Series[i]; slices.Contains(off, step) != (step.Miscount != "") {
			t.Errorf("%s: a reason for counts that are far off is missing, or idle: %q", step.Name, step.Miscount)
		}
	}
}

// TestOwnPages: the pages of docs whose kernels and times are in this folder are what their
// commands write, and no GPU is farther off on the average than is said.
func TestOwnPages(t *testing.T) {
	tools.Heavy(t)
	t.Chdir("../../..")
	for page, most := range map[string]float64{"docs/evidence/measured/launches.md": 10,
		"docs/evidence/measured/intensity.md": 10, "docs/evidence/measured/h100.md": 11} {
		text, err := os.ReadFile(page)
		if err != nil {
			t.Fatal(err)
		}
		_, command, ok := strings.Cut(string(text), "<!-- Generated: go run ./internal/evidence/evaluate ")
		if !ok {
			t.Fatalf("%s has no command", page)
		}
		command, _, _ = strings.Cut(command, " -->\n")
		o, err := parseFlags(strings.Fields(command), io.Discard)
		if err != nil {
			t.Fatal(err)
		}
		studies, err := predictStudies(t.Context(), o, io.Discard)
		if err != nil {
			t.Fatal(err)
		}
		for _, s := range studies {
			if mape := s.scores()[0].mape; !(mape <= most) {
				t.Errorf("%s, %s: MAPE of time %.1f%%", page, s.spec.Title, mape)
			}
			checkCounters(t, s)
		}
		var got bytes.Buffer
		if err := writeReport(&got, o, studies); err != nil {
			t.Fatal(err)
		}
		if *update {
			if err := os.WriteFile(page, got.Bytes(), 0o666); err != nil {
				t.Fatal(err)
			}
		} else if !bytes.Equal(got.Bytes(), text) {
			t.Errorf("%s is not current: go test ./internal/evidence/evaluate -run TestOwnPages -update", page)
		}
	}
}
