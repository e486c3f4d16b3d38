package main

import (
	"bytes"
	"io"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// TestModes: every issue mode is a line of the report and a column of the rows, and
// the bounds that the models give hold for the simulation in each.
func TestModes(t *testing.T) {
	rows := filepath.Join(t.TempDir(), "rows.csv")
	var report, stderr bytes.Buffer
	if status := run([]string{"--gpu", "a100", "--sources", "testdata", "--measured", "testdata", "--issue",
		"dataflow,blocks,in-order", "-o", rows, "testdata/scale.yaml"}, &report, &stderr); status != exitDone {
		t.Fatalf("status %d: %s", status, &stderr)
	}
	for _, want := range []string{"| **simulation, dataflow** |", "| simulation, blocks |", "| simulation, in-order |",
		"--issue dataflow,blocks,in-order", "| blocks |"} {
		if !strings.Contains(report.String(), want) {
			t.Errorf("the report lacks %q:\n%s", want, &report)
		}
	}
	data, err := os.ReadFile(rows)
	if err != nil {
		t.Fatal(err)
	}
	if header, _, _ := strings.Cut(string(data), "\n"); !strings.HasSuffix(header,
		"predicted_blocks_s,predicted_in-order_s,refused") {
		t.Errorf("the header of the rows is %s", header)
	}
	s := predicted(t, "--gpu", "a100", "--issue", "dataflow,blocks", "testdata/scale.yaml")
	for i := range s.predictions {
		p := &s.predictions[i]
		for m, seconds := range p.seconds {
			if !(p.pipe > 0) || p.pipe > seconds {
				t.Errorf("row %d, %s: %v s, but the busiest pipe works for %v", i+1, s.predictor.modes[m].name,
					seconds, p.pipe)
			}
		}
		if !(p.volkov >= p.pipe) {
			t.Errorf("row %d: %v s by Volkov's model, but the busiest pipe works for %v", i+1, p.volkov, p.pipe)
		}
	}
}

// predicted predicts the configurations of a specification in testdata.
func predicted(t *testing.T, args ...string) *study {
	t.Helper()
	o, err := parseFlags(append([]string{"--sources", "testdata", "--measured", "testdata"}, args...), io.Discard)
	if err != nil {
		t.Fatal(err)
	}
	studies, err := predictStudies(t.Context(), o, io.Discard)
	if err != nil {
		t.Fatal(err)
	}
	return studies[0]
}
