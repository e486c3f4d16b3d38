package main

import (
	"bytes"
	"encoding/csv"
	"fmt"
	"math"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"testing"
)

const modelSpec = `
title: two kernels
models:
  gpus: [k620, gtx1060]
  published:
    - {gpu: gtx1060, head: A source, averages: {simulation: 1 / 2, volkov: 3 / 4}}
args: {n: 1048576}
series:
  - {name: copy, source: series.cu, kernel: copy, template: ['EACH=4'], local: ['256'], groups: ['1024']}
  - {name: much, source: series.cu, kernel: rows, local: ['32'], groups: ['4096'], dynamic_local: 64 * 1024}
`

// TestModelStudy: every kernel is compared on every GPU at every occupancy, or it says why not; the
// errors are those of A 6.3, recomputed here from the rows, and what a source prints stands beside
// its own GPU only.
func TestModelStudy(t *testing.T) {
	status, report, said, rows := runModels(t, modelSpec)
	if status != exitDone {
		t.Fatalf("status %d: %s", status, said)
	}
	for _, want := range []string{
		"2 of 4 pairs, 16 occupancies",
		"| model | mean over the kernels | kernels | occupancies |\n",
		"| **simulation** | what the models are compared with | 1 | 8 | 1 / 2 |\n",
		"| warps (occupancies) | 8 to 64 (8) | 8 to 64 (8) |\n",
		"| Volkov | - | - |\n", // of the kernel that is refused
		"\nRefused for Quadro K620: ",
	} {
		if !strings.Contains(report, want) {
			t.Errorf("the report lacks %q:\n%s", want, report)
		}
	}
	records, err := csv.NewReader(strings.NewReader(rows)).ReadAll()
	if err != nil {
		t.Fatal(err)
	}
	simulated := map[string]float64{} // by occupancy
	sum, n := 0.0, 0.0
	for _, r := range records {
		rate, _ := strconv.ParseFloat(r[4], 64)
		switch {
		case r[0] != "copy" || r[1] != "k620":
		case r[3] == simulationName:
			simulated[r[2]] = rate
		case r[3] == "volkov":
			sum += math.Abs(rate-simulated[r[2]]) / simulated[r[2]]
			n++
		}
	}
	if want := fmt.Sprintf("| Volkov | %.1f / ", 100*sum/n); n != 8 || !strings.Contains(report, want) {
		t.Errorf("of %v occupancies, the report lacks %q:\n%s", n, want, report)
	}
	if last := records[len(records)-1]; last[0] != "much" || last[5] == "" {
		t.Errorf("the last row is %q", last)
	}
}

// runModels compares the models on a specification of kernels in testdata.
func runModels(t *testing.T, spec string, flags ...string) (status int, report, said, rows string) {
	t.Helper()
	file, lines := filepath.Join(t.TempDir(), "models.yaml"), filepath.Join(t.TempDir(), "rows.csv")
	if err := os.WriteFile(file, []byte(spec), 0o600); err != nil {
		t.Fatal(err)
	}
	var stdout, stderr bytes.Buffer
	status = run(append([]string{"--sources", "testdata", "-o", lines, file}, flags...), &stdout, &stderr)
	text, _ := os.ReadFile(lines) // not there after an error
	return status, stdout.String(), stderr.String(), string(text)
}

func TestBadModels(t *testing.T) {
	for _, c := range []struct{ old, new, want, flag string }{
		{"volkov:", "volcano:", `there is no model "volcano"`, ""},
		{"gpu: gtx1060", "gpu: c2050", `"c2050" is none of the GPUs`, ""},
		{"groups: ['1024']", "groups: ['1024'], seconds: 1", "step 1 has measured seconds", ""},
		{"gpus: [k620", "gpus: [k6200", "k6200", ""},
		{"1048576", "x", "no kernel can be compared; copy: ", ""},
		{"", "", "leave --gpu and --every out", "--gpu=k620"},
		{"", "", "models do not know the issue mode scheduled", "--issue=scheduled"},
	} {
		flags := []string{}
		if c.flag != "" {
			flags = append(flags, c.flag)
		}
		status, _, said, _ := runModels(t, strings.Replace(modelSpec, c.old, c.new, 1), flags...)
		if status != exitInput || !strings.Contains(said, c.want) {
			t.Errorf("%q: status %d, %q, want %q", c.new, status, said, c.want)
		}
	}
	const want = "the kernels are those of a series"
	status, _, said, _ := runModels(t, "title: t\nsource: s\nkernel: k\nmodels: {gpus: [k620]}\n")
	if status != exitInput || !strings.Contains(said, want) {
		t.Errorf("status %d: %s", status, said)
	}
}
