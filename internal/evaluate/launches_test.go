package main

import (
	"bytes"
	"flag"
	"io"
	"os"
	"strings"
	"testing"
)

var update = flag.Bool("update", false, "rewrite docs/accuracy-launches.md")

// TestLaunchesPage: docs/accuracy-launches.md, whose kernel and times are in this folder,
// is what its command writes, and every GPU is within 10% on the average.
func TestLaunchesPage(t *testing.T) {
	const page = "../../docs/accuracy-launches.md"
	text, err := os.ReadFile(page)
	if err != nil {
		t.Fatal(err)
	}
	t.Chdir("../..")
	_, command, ok := strings.Cut(string(text), "    go run ./internal/evaluate ")
	if !ok {
		t.Fatalf("%s has no command", page)
	}
	command, _, _ = strings.Cut(command, "\n")
	o, err := parseFlags(strings.Fields(command), io.Discard)
	if err != nil {
		t.Fatal(err)
	}
	studies, err := predictStudies(t.Context(), o, io.Discard)
	if err != nil {
		t.Fatal(err)
	}
	for _, s := range studies {
		if mape := s.scores()[0].mape; !(mape <= 10) {
			t.Errorf("%s: MAPE %.1f%%", s.spec.Title, mape)
		}
	}
	var got bytes.Buffer
	if err := writeReport(&got, o, studies); err != nil {
		t.Fatal(err)
	}
	if *update {
		if err := os.WriteFile(o.report, got.Bytes(), 0o666); err != nil {
			t.Fatal(err)
		}
	} else if !bytes.Equal(got.Bytes(), text) {
		t.Errorf("%s is not current: go test ./internal/evaluate -run TestLaunchesPage -update", o.report)
	}
}
