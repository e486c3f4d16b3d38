package fidelity

import (
	"cmp"
	"fmt"
	"os"
	"slices"
	"strings"
	"testing"

	"gpupipe/latencies"
)

// amdUnitCounts are the recorded counts, made anew under -update. A kernel whose control flow
// depends on data is not there.
func amdUnitCounts(t *testing.T, sources []source) map[compiled]unitCounts {
	t.Helper()
	if *update {
		if err := missingClang(); err != nil {
			t.Errorf("%s stays as it is: %v", amdMixFile, err)
		} else {
			recordAMDMix(t, sources)
		}
	}
	out := map[compiled]unitCounts{}
	for _, line := range recordedLines(t, amdMixFile) {
		var c compiled
		var n unitCounts
		fields := []any{&c.device}
		for u := range n[1:] {
			fields = append(fields, &n[u+1])
		}
		line = strings.TrimSpace(line)
		if _, err := fmt.Sscan(line, fields...); err != nil {
			t.Fatalf("%s: %q: %v", amdMixFile, line, err)
		}
		c.kernel = strings.Join(strings.Fields(line)[len(fields):], " ")
		out[c] = n
	}
	return out
}

// recordAMDMix compiles all sources and writes the file.
func recordAMDMix(t *testing.T, sources []source) {
	t.Helper()
	var lines []string
	for _, s := range sources {
		for _, target := range amdTargets {
			listing, err := compileAMD(s, target.processor)
			if err != nil {
				t.Fatalf("%s: %v", s.name, err)
			}
			d, err := latencies.Builtin(target.device)
			if err != nil {
				t.Fatal(err)
			}
			fn, k := kernelOf(t, s)
			n, err := executedUnits(listing, fn, launchOf(fn, k), d.WarpSize)
			if err != nil {
				t.Logf("left out: %s for %s: %v", s.name, target.processor, err)
				continue
			}
			line := target.processor
			for _, c := range n[1:] {
				line += fmt.Sprint(" ", c)
			}
			lines = append(lines, line+" "+s.name+"\n")
		}
	}
	slices.SortFunc(lines, func(a, b string) int { return cmp.Compare(a, b) })
	if err := os.WriteFile(amdMixFile, []byte(amdMixHead+strings.Join(lines, "")), 0o666); err != nil {
		t.Fatal(err)
	}
}
