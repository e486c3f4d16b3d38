package main

import (
	"bytes"
	"encoding/json"
	"fmt"
	"math"
	"os/exec"
	"path/filepath"
	"testing"

	"gpupipe/internal/test/tools"
)

// TestAgrees: a row is predicted as idgen and pipesim do it for the same launch, with the
// rules that both take from the device: whose compiler, warps of how many lanes, machine
// code or PTX, registers.
func TestAgrees(t *testing.T) {
	dir := t.TempDir()
	if out, err := exec.Command("go", "build", "-o", dir+string(filepath.Separator), "gpupipe/cmd/idgen",
		"gpupipe/cmd/pipesim").CombinedOutput(); err != nil {
		t.Fatalf("%v\n%s", err, out)
	}
	for _, gpu := range []string{"gtx1060", "a100", "mi250x", "w7800"}[:tools.Cases(4, 1)] {
		t.Run(gpu, func(t *testing.T) {
			s := predicted(t, "--gpu", gpu, "testdata/fill.yaml")
			for i := range s.table.rows {
				r := &s.table.rows[i]
				x, y, tile := r.values[0], r.values[1], r.values[2]
				args := []string{"--gpu", gpu, "--local", x + "x" + y, "--groups", "40x30", "--arg",
					"n=" + tile + "000", "testdata/fill.cu"}
				for _, d := range s.table.defines(r) {
					args = append(args, "-D", d)
				}
				graph, err := exec.Command(filepath.Join(dir, "idgen"), args...).Output()
				if err != nil {
					t.Fatal(err)
				}
				cmd := exec.Command(filepath.Join(dir, "pipesim"), "--gpu", gpu, "--format", "json")
				cmd.Stdin = bytes.NewReader(graph)
				report, err := cmd.Output()
				if err != nil {
					t.Fatal(err)
				}
				var got struct{ Seconds float64 }
				if err := json.Unmarshal(report, &got); err != nil {
					t.Fatal(err)
				}
				if want := s.predictions[i].seconds[0]; math.Abs(got.Seconds-want) > 1e-12*want {
					t.Errorf("%s: evaluate predicts %g s, idgen and pipesim %g s", fmt.Sprint(r.values), want,
						got.Seconds)
				}
			}
		})
	}
}
