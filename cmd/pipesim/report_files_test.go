package main

import (
	"encoding/json"
	"math"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"gpupipe/simulate/cause"

	"github.com/google/pprof/profile"
)

// TestPprof: the time of the first sample type is that of the run, and pprof lists the lines.
func TestPprof(t *testing.T) {
	graph := graphOf(t, "--builtin", "transpose-tiled", "--gpu", "rtx3090")
	text := pipesim(t, graph, "--format", "pprof")
	p, err := profile.Parse(strings.NewReader(text))
	if err != nil {
		t.Fatal(err)
	}
	var sum, parts int64
	for _, s := range p.Sample {
		sum += s.Value[0]
		for _, v := range s.Value[1:] {
			parts += v
		}
	}
	if len(p.SampleType) != 1+len(cause.Kinds()) || sum != parts ||
		math.Abs(float64(sum-p.DurationNanos)) > 0.001*float64(sum) {
		t.Errorf("%d types, %d ns in samples, %d in causes, %d in all", len(p.SampleType), sum, parts, p.DurationNanos)
	}
	file := filepath.Join(t.TempDir(), "pprof")
	if err := os.WriteFile(file, []byte(text), 0o600); err != nil {
		t.Fatal(err)
	}
	top, err := exec.Command("go", "tool", "pprof", "-top", "-lines", file).Output()
	if err != nil || !strings.Contains(string(top), "transpose_tiled transpose.cl:49") {
		t.Errorf("%v\n%s", err, top)
	}
}

// TestTrace: the slices of a thread follow each other without overlap, each thread and process has a name, and
// pipelines are as busy as the run says.
func TestTrace(t *testing.T) {
	graph := graphOf(t, "--builtin", "transpose-tiled", "--gpu", "rtx3090", "--groups", "12x1")
	var doc struct {
		TraceEvents []struct {
			Ph, Name string
			Pid, Tid int
			Ts, Dur  float64
			Args     map[string]any
		}
	}
	if err := json.Unmarshal([]byte(pipesim(t, graph, "--format", "trace", "--groups", "12")), &doc); err != nil {
		t.Fatal(err)
	}
	type thread struct{ pid, tid int }
	names, end := map[thread]string{}, map[thread]float64{}
	busy, pipelines := map[string]float64{}, map[string]float64{} // by subsystem; each sub-core may have one
	for i, e := range doc.TraceEvents {
		at := thread{e.Pid, e.Tid}
		switch {
		case e.Ph == "M" && strings.HasSuffix(e.Name, "_name"):
			names[at] = e.Args["name"].(string)
			pipelines[strings.TrimRight(names[at], " 0123456789")]++
		case e.Ph == "X":
			if names[at] == "" || names[thread{e.Pid, 0}] == "" || e.Dur < 0 || e.Ts < end[at]-1e-9 {
				t.Fatalf("event %d: %+v behind %v in %q", i, e, end[at], names[at])
			}
			end[at] = e.Ts + e.Dur
			busy[strings.TrimRight(names[at], " 0123456789")] += e.Dur
		case e.Ph != "M":
			t.Fatalf("event %d: %+v", i, e)
		}
	}
	var result struct {
		Subsystems []struct {
			Title string
			Busy  float64 `json:"busy_cycles"`
		}
	}
	if err := json.Unmarshal([]byte(pipesim(t, graph, "--format", "json", "--groups", "12")), &result); err != nil {
		t.Fatal(err)
	}
	for _, s := range result.Subsystems {
		name := strings.TrimRight(s.Title, " 0123456789")
		if math.Abs(busy[name]-s.Busy*max(1, pipelines[name])) > 1e-6 {
			t.Errorf("%s is busy for %v cycles in %v pipelines, not %v", s.Title, busy[name], pipelines[name], s.Busy)
		}
	}
}

// TestSARIF: findings and assumptions name rules that are listed, and places.
func TestSARIF(t *testing.T) {
	graph := append(graphOf(t, "--builtin", "transpose-tiled", "--gpu", "rtx3090"), graphOf(t, "--builtin", "mmul")...)
	var log struct {
		Runs []struct {
			Tool struct {
				Driver struct{ Rules []struct{ ID string } }
			}
			Results []struct {
				RuleID    string
				RuleIndex int
				Locations []struct {
					Physical struct {
						Artifact struct{ URI string } `json:"artifactLocation"`
						Region   *struct{ StartLine int }
					} `json:"physicalLocation"`
				}
			}
		}
	}
	if err := json.Unmarshal([]byte(pipesim(t, graph, "advise", "--format", "sarif")), &log); err != nil {
		t.Fatal(err)
	}
	found := map[string]bool{}
	for _, r := range log.Runs[0].Results {
		at := r.Locations[0].Physical
		if log.Runs[0].Tool.Driver.Rules[r.RuleIndex].ID != r.RuleID || at.Artifact.URI == "" ||
			at.Region != nil && at.Region.StartLine < 1 {
			t.Errorf("%+v", r)
		}
		found[r.RuleID+" "+at.Artifact.URI] = true
	}
	if !found["bank-conflicts transpose.cl"] {
		t.Error(found)
	}
}
