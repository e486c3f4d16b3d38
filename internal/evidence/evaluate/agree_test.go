package main

import (
	"encoding/json"
	"fmt"
	"math"
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"
	"testing"

	"gpupipe/internal/test/tools"
)

// TestAgrees: a row is predicted as idgen and pipesim do it for the same launch, and as pipetune does it, with the
// rules that all take from the device: whose compiler, warps of how many lanes, machine code or PTX, registers; and
// with groups at edges that execute less.
func TestAgrees(t *testing.T) {
	dir := t.TempDir()
	if out, err := exec.Command("go", "build", "-o", dir+string(filepath.Separator), "gpupipe/cmd/idgen",
		"gpupipe/cmd/pipesim", "gpupipe/cmd/pipetune").CombinedOutput(); err != nil {
		t.Fatalf("%v\n%s", err, out)
	}
	run := func(input, command string, args ...string) string {
		cmd := exec.Command(filepath.Join(dir, command), args...)
		cmd.Stdin = strings.NewReader(input)
		out, err := cmd.Output()
		if err != nil {
			t.Fatalf("%s %q: %v", command, args, err)
		}
		return string(out)
	}
	for _, gpu := range []string{"a100", "gtx1060", "mi250x", "w7800"}[:tools.Cases(4, 1)] {
		for _, c := range []struct{ name, grid, n string }{
			{"fill", "40,30", "1000 * tile"}, {"rows", "400,2", "block_y * tile + block_y * tile / 4"},
		} {
			t.Run(gpu+"/"+c.name, func(t *testing.T) {
				source := "testdata/" + c.name + ".cu"
				tuned := map[string]string{} // seconds by parameters
				for _, line := range strings.Split(run("", "pipetune", source, "--gpu", gpu, "--measured",
					"testdata/"+c.name+".csv", "--local", "block_x,block_y", "--grid", c.grid, "--arg", "n="+c.n,
					"--top", "0", "--format", "csv"), "\n")[1:] {
					if f := strings.Split(line, ","); len(f) > 4 {
						tuned[fmt.Sprint(f[1:4])] = f[4]
					}
				}
				n, err := parseExpr(c.n)
				if err != nil {
					t.Fatal(err)
				}
				s := predicted(t, "--gpu", gpu, "testdata/"+c.name+".yaml")
				for i := range s.table.rows {
					r := &s.table.rows[i]
					arg, err := n.whole(s.table.names(r), 0)
					if err != nil {
						t.Fatal(err)
					}
					args := []string{"--gpu", gpu, "--local", r.values[0] + "x" + r.values[1], "--groups",
						strings.ReplaceAll(c.grid, ",", "x"), "--arg", fmt.Sprint("n=", arg), source}
					for _, d := range s.table.defines(r) {
						args = append(args, "-D", d)
					}
					var got struct{ Seconds float64 }
					report := run(run("", "idgen", args...), "pipesim", "--gpu", gpu, "--format", "json")
					if err := json.Unmarshal([]byte(report), &got); err != nil {
						t.Fatal(err)
					}
					ranked, err := strconv.ParseFloat(tuned[fmt.Sprint(r.values)], 64)
					if err != nil {
						t.Fatal(err)
					}
					want := s.predictions[i].seconds[0]
					if math.Abs(got.Seconds-want) > 1e-12*want || math.Abs(ranked-want) > 1e-12*want {
						t.Errorf("%v: evaluate predicts %g s, idgen and pipesim %g s, pipetune %g s", r.values, want,
							got.Seconds, ranked)
					}
				}
			})
		}
	}
}
