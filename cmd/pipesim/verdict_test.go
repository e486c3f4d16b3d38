package main

import (
	"encoding/json"
	"math"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"gpupipe/internal/report"
	"gpupipe/internal/test/tools"
)

// promised is how far a kernel's fixed version may be from what the first finding promises, and its joint version from
// what all promise; ofTile that of tiles, which are not compiled: what copies them is more code than is promised.
const promised, ofTile = 0.1, 0.12

// TestVerdicts has kernels as one meets them in testdata/verdicts, taken without any argument: the first finding is the
// one of the textbook, which their first line names, what it promises is the time of NAME.fixed, and what all promise
// together that of NAME.joint. Where the line goes on with "on NAME", it is so on that device; "minor: CODE" is of
// little cost.
func TestVerdicts(t *testing.T) {
	files, err := filepath.Glob(filepath.Join("..", "..", "testdata", "verdicts", "*.*"))
	if err != nil || len(files) < 12 {
		t.Fatalf("%d kernels: %v", len(files), err)
	}
	quick := []string{"bitonic", "blur", "grey", "histogram", "jacobi", "queue", "spmv", "stencil", "tiny_blocks",
		"transpose"}
	for _, file := range files {
		name, ext, _ := strings.Cut(filepath.Base(file), ".")
		if strings.Contains(ext, ".") || !tools.Full() && !slices.Contains(quick, name) {
			continue
		}
		t.Run(name, func(t *testing.T) { checkVerdict(t, name, file, ext) })
	}
}

func checkVerdict(t *testing.T, name, file, ext string) {
	text, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	line, _, _ := strings.Cut(string(text), "\n")
	want := strings.TrimPrefix(line, "// first: ")
	want, rest, _ := strings.Cut(want, ", ")
	want, gpu, _ := strings.Cut(want, " on ")
	was := verdictOf(t, file, flags(gpu)...)
	minor, named := strings.CutPrefix(rest, "minor: ")
	isMinor := func(f report.FindingDocument) bool { return f.Code == minor }
	if named && !slices.ContainsFunc(was.Minor, isMinor) {
		t.Errorf("want %s of little cost: %+v", minor, was.Minor)
	}
	if want == "none" {
		if len(was.Findings) > 0 {
			t.Errorf("found %+v", was.Findings)
		}
		return
	}
	if len(was.Findings) == 0 || was.Findings[0].Code != want {
		t.Fatalf("want %s first: %+v", want, was.Findings)
	}
	keep := func(version string, seconds float64) {
		changed := strings.TrimSuffix(file, ext) + version + "." + ext
		if _, err := os.Stat(changed); err != nil {
			return
		}
		with := flags(gpu)
		if was.Findings[0].Code == "slow-math" {
			with = append(with, "--fast-math")
		}
		is := verdictOf(t, changed, with...)
		off := seconds/is.Seconds - 1
		t.Logf("%.3g s, %.3g s promised, %.3g s %s: %+.1f%%", was.Seconds, seconds, is.Seconds, version, 100*off)
		limit := promised
		if want == "tile" {
			limit = ofTile
		}
		if math.Abs(off) > limit {
			t.Errorf("%.3g s promised, but %.3g s %s", seconds, is.Seconds, version)
		}
	}
	keep("fixed", was.Findings[0].Seconds)
	if was.Joint != nil {
		keep("joint", was.Joint.Seconds)
	}
}

// flags are those that choose a device.
func flags(gpu string) []string {
	if gpu == "" {
		return nil
	}
	return []string{"--gpu", gpu}
}

// verdictOf is the advice on a file.
func verdictOf(t *testing.T, file string, flags ...string) (d report.Advice) {
	t.Helper()
	graph, _ := graphAndNotes(t, append([]string{file}, flags...)...)
	if err := json.Unmarshal([]byte(pipesim(t, graph, "advise", "--format", "json", "-")), &d); err != nil {
		t.Fatal(err)
	}
	return d
}
