package main

import (
	"bytes"
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

// promises are how far a kernel's fixed version may be from what the first finding promises; 0.1 for others.
var promises = map[string]float64{
	// without the quotient, moves and shifts of sm_80 are no multiply-adds, which are slow on the GTX 1060 that is taken
	// without --gpu; with it, it is 0.02
	"reduce_interleaved": 0.35,
}

// TestVerdicts has kernels as one meets them in testdata/verdicts, taken without any argument: the first finding is the
// one of the textbook, which their first line names, what it promises is the time of NAME.fixed, and what all promise
// together that of NAME.joint.
func TestVerdicts(t *testing.T) {
	files, err := filepath.Glob(filepath.Join("..", "..", "testdata", "verdicts", "*.*"))
	if err != nil || len(files) < 12 {
		t.Fatalf("%d kernels: %v", len(files), err)
	}
	quick := []string{"bitonic", "histogram", "queue", "spmv", "stencil", "transpose"}
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
	want, _, _ := strings.Cut(strings.TrimPrefix(line, "// first: "), ",")
	was := verdictOf(t, file)
	if want == "none" {
		if len(was.Findings) > 0 {
			t.Errorf("found %+v", was.Findings)
		}
		return
	}
	if len(was.Findings) == 0 || was.Findings[0].Code != want {
		t.Fatalf("want %s first: %+v", want, was.Findings)
	}
	keep := func(version string, promised, allowed float64) {
		changed := strings.TrimSuffix(file, ext) + version + "." + ext
		if _, err := os.Stat(changed); err != nil {
			return
		}
		is := verdictOf(t, changed)
		t.Logf("%.3g s, %.3g s promised, %.3g s %s", was.Seconds, promised, is.Seconds, version)
		if off := math.Abs(promised/is.Seconds - 1); off > allowed {
			t.Errorf("%.3g s promised, but %.3g s %s", promised, is.Seconds, version)
		}
	}
	keep("fixed", was.Findings[0].Seconds, max(0.1, promises[name]))
	if was.Joint != nil {
		keep("joint", was.Joint.Seconds, 0.1)
	}
}

// verdictOf is the advice on a file without any argument.
func verdictOf(t *testing.T, file string) (d report.Advice) {
	t.Helper()
	graph, _ := graphAndNotes(t, file)
	// A graph that names no device, as older files: the pairs are for the device of these.
	graph = bytes.Replace(graph, []byte("\"gpu\":\"a100\",\n\"capability\":\"8.0\",\n"), nil, 1)
	if err := json.Unmarshal([]byte(pipesim(t, graph, "advise", "--format", "json", "-")), &d); err != nil {
		t.Fatal(err)
	}
	return d
}
