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
	"gpupipe/internal/tools"
)

// promises are how far a kernel's fixed version may be from what the first finding promises; 0.1 for others.
var promises = map[string]float64{
	"histogram":          0.2,  // a group clears its bins before and adds them up behind, where others meet at barriers
	"reduce_conflicts":   0.5,  // the constant size of the groups makes the subscripts shorter, too
	"reduce_interleaved": 0.35, // without the quotient, the counter is in uniform registers
}

// TestVerdicts has kernels as one meets them in testdata/verdicts, taken without any argument: the first finding is the
// one of the textbook, which their first line names, and what it promises is the time of NAME.fixed.
func TestVerdicts(t *testing.T) {
	files, err := filepath.Glob(filepath.Join("..", "..", "testdata", "verdicts", "*.*"))
	if err != nil || len(files) < 12 {
		t.Fatalf("%d kernels: %v", len(files), err)
	}
	quick := []string{"histogram", "spmv", "stencil", "transpose"}
	for _, file := range files {
		name, ext, _ := strings.Cut(filepath.Base(file), ".")
		if strings.HasPrefix(ext, "fixed") || !tools.Full() && !slices.Contains(quick, name) {
			continue
		}
		t.Run(name, func(t *testing.T) {
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
			fixed := strings.TrimSuffix(file, "."+ext) + ".fixed." + ext
			if _, err := os.Stat(fixed); err != nil {
				return
			}
			is, promised := verdictOf(t, fixed), was.Findings[0].Seconds
			t.Logf("%.3g s, %.3g s promised, %.3g s fixed", was.Seconds, promised, is.Seconds)
			allowed := max(0.1, promises[name])
			if off := math.Abs(promised/is.Seconds - 1); off > allowed {
				t.Errorf("%.3g s promised, but %.3g s after the change", promised, is.Seconds)
			}
		})
	}
}

// verdictOf is the advice on a file without any argument.
func verdictOf(t *testing.T, file string) (d report.Advice) {
	t.Helper()
	if err := json.Unmarshal([]byte(pipesim(t, graphOf(t, file), "advise", "--format", "json", "-")), &d); err != nil {
		t.Fatal(err)
	}
	return d
}
