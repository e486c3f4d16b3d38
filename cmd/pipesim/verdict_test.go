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

// promises are how far a kernel's fixed version may be from what the first finding promises, and its joint version from
// what all promise; 0.1 for others.
var promises = map[string]float64{
	// A tile's own cost is that of filling it once, without its borders, indices and barriers.
	"attention": 0.13, "blur": 0.24, "convolution": 0.12, "nbody": 0.12, "nbody.joint": 0.17, "stencil.joint": 0.14,
	// What combines the values of a group, or adds its bins to the others', is not in the promise.
	"histogram": 0.26, "reduce_atomic": 0.19, "reduce_interleaved.joint": 0.45, "scan.joint": 0.15,
}

// TestVerdicts has kernels as one meets them in testdata/verdicts, taken without any argument: the first finding is the
// one of the textbook, which their first line names, what it promises is the time of NAME.fixed, and what all promise
// together that of NAME.joint. Where the line ends in "on NAME", it is so on that device.
func TestVerdicts(t *testing.T) {
	files, err := filepath.Glob(filepath.Join("..", "..", "testdata", "verdicts", "*.*"))
	if err != nil || len(files) < 12 {
		t.Fatalf("%d kernels: %v", len(files), err)
	}
	quick := []string{"bitonic", "blur", "grey", "histogram", "queue", "spmv", "stencil", "transpose"}
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
	want, gpu, _ := strings.Cut(want, " on ")
	was := verdictOf(t, file, gpu)
	if want == "none" {
		if len(was.Findings) > 0 {
			t.Errorf("found %+v", was.Findings)
		}
		return
	}
	if len(was.Findings) == 0 || was.Findings[0].Code != want {
		t.Fatalf("want %s first: %+v", want, was.Findings)
	}
	keep := func(version string, promised float64) {
		changed := strings.TrimSuffix(file, ext) + version + "." + ext
		if _, err := os.Stat(changed); err != nil {
			return
		}
		is, allowed := verdictOf(t, changed, gpu), max(0.1, promises[strings.TrimSuffix(name+"."+version, ".fixed")])
		t.Logf("%.3g s, %.3g s promised, %.3g s %s", was.Seconds, promised, is.Seconds, version)
		if off := math.Abs(promised/is.Seconds - 1); off > allowed {
			t.Errorf("%.3g s promised, but %.3g s %s", promised, is.Seconds, version)
		}
	}
	keep("fixed", was.Findings[0].Seconds)
	if was.Joint != nil {
		keep("joint", was.Joint.Seconds)
	}
}

// verdictOf is the advice on a file without any argument, or but for that of a device.
func verdictOf(t *testing.T, file, gpu string) (d report.Advice) {
	t.Helper()
	args := []string{file}
	if gpu != "" {
		args = append(args, "--gpu", gpu)
	}
	graph, _ := graphAndNotes(t, args...)
	if err := json.Unmarshal([]byte(pipesim(t, graph, "advise", "--format", "json", "-")), &d); err != nil {
		t.Fatal(err)
	}
	return d
}
