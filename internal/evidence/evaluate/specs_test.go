package main

import (
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// TestSpecs: the specifications and device files of this folder are read, and a report of
// docs was made with each.
func TestSpecs(t *testing.T) {
	reports, err := filepath.Glob("../../../docs/evidence/measured/*.md")
	if err != nil || len(reports) == 0 {
		t.Fatalf("%d reports, %v", len(reports), err)
	}
	commands := ""
	for _, name := range reports {
		text, err := os.ReadFile(name)
		if err != nil {
			t.Fatal(err)
		}
		commands += string(text)
	}
	used := func(name string) {
		if !strings.Contains(commands, "internal/evidence/evaluate/"+filepath.ToSlash(name)) {
			t.Errorf("no report of docs is made with %s", name)
		}
	}
	specs, err := filepath.Glob("*.yaml")
	if err != nil {
		t.Fatal(err)
	}
	for _, name := range specs {
		if _, err := readSpec(name); err != nil {
			t.Errorf("%s: %v", name, err)
		}
		used(name)
	}
	devices, err := filepath.Glob("devices/*.yaml")
	if err != nil {
		t.Fatal(err)
	}
	for _, name := range devices {
		if _, err := findDevice(name); err != nil {
			t.Errorf("%s: %v", name, err)
		}
		used(name)
	}
	if len(specs) < 15 || len(devices) < 1 {
		t.Errorf("%d specifications, %d devices", len(specs), len(devices))
	}
}
