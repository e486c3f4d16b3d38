package main

import (
	"bytes"
	"encoding/csv"
	"encoding/json"
	"math"
	"os/exec"
	"strings"
	"testing"
	"unicode/utf8"

	"gpupipe/internal/test/tools"
	"gpupipe/kernels"
)

// graphOf is what idgen writes for the given arguments; it must say nothing.
func graphOf(t *testing.T, args ...string) []byte {
	t.Helper()
	graph, notes := graphAndNotes(t, args...)
	if notes != "" {
		t.Fatalf("idgen %v: %s", args, notes)
	}
	return graph
}

// graphAndNotes is graphOf where idgen may have something to say.
func graphAndNotes(t *testing.T, args ...string) (graph []byte, notes string) {
	t.Helper()
	cmd := exec.Command("idgen", args...)
	var stdout, stderr bytes.Buffer
	cmd.Stdout, cmd.Stderr = &stdout, &stderr
	if err := cmd.Run(); err != nil {
		t.Fatalf("idgen %v: %v\n%s", args, err, &stderr)
	}
	return stdout.Bytes(), stderr.String()
}

// pipesim is what pipesim writes for a graph.
func pipesim(t *testing.T, graph []byte, args ...string) string {
	t.Helper()
	var stdout, stderr bytes.Buffer
	if status := run(args, bytes.NewReader(graph), &stdout, &stderr); status != 0 {
		t.Fatalf("pipesim %v: status %d\n%s", args, status, &stderr)
	}
	return stdout.String()
}

// TestEveryBuiltinKernel sends each built-in kernel through the pipe and holds
// that the text fits its columns and that the JSON document agrees with itself.
func TestEveryBuiltinKernel(t *testing.T) {
	for i, k := range kernels.List() {
		if !tools.Full() && i%8 != 7 {
			continue
		}
		t.Run(k.Name, func(t *testing.T) {
			graph := graphOf(t, "--builtin", k.Name)
			text := pipesim(t, graph)
			for _, line := range strings.Split(text, "\n") {
				if utf8.RuneCountInString(line) > 80 || strings.TrimRight(line, " \t") != line {
					t.Errorf("badly set line: %q", line)
				}
			}
			for _, want := range []string{"\n  time  ", "\n  bound by  ", "\n  occupancy  "} {
				if !strings.Contains(text, want) {
					t.Errorf("the report lacks %q:\n%s", want, text)
				}
			}
			checkDocument(t, pipesim(t, graph, "--format", "json"), k)
		})
	}
}

func checkDocument(t *testing.T, text string, k kernels.Kernel) {
	t.Helper()
	var d struct {
		Format           string
		Version          int
		Kernel           string
		Cycles           *float64
		Seconds          *float64
		LaunchSeconds    float64 `json:"launch_seconds"`
		Groups           int64
		ConcurrentGroups int64   `json:"concurrent_groups"`
		OccupancyWarps   int64   `json:"occupancy_warps"`
		WarpsPerGroup    int64   `json:"warps_per_group"`
		WarpsPerCycle    float64 `json:"warps_per_cycle"`
		Bound            string
		Issued           int64
		Device           struct {
			ClockHz float64 `json:"clock_hz"`
		}
		Subsystems []struct {
			Name        string
			Issued      int64
			Utilization *float64
		}
		Lines []struct {
			Line   int
			Text   string
			Issued int64
			Share  float64
		}
	}
	if err := json.Unmarshal([]byte(text), &d); err != nil {
		t.Fatal(err)
	}
	if d.Format != "pipesim" || d.Version != 1 || d.Kernel != k.Function {
		t.Errorf("format %q, version %d, kernel %q", d.Format, d.Version, d.Kernel)
	}
	if d.Cycles == nil || d.Seconds == nil || *d.Cycles <= 0 {
		t.Fatal("no time")
	}
	if math.Abs((*d.Seconds-d.LaunchSeconds)*d.Device.ClockHz / *d.Cycles - 1) > 1e-9 {
		t.Errorf("%v cycles at %v Hz and a launch of %v s are not %v s", *d.Cycles, d.Device.ClockHz, d.LaunchSeconds,
			*d.Seconds)
	}
	if d.OccupancyWarps != d.ConcurrentGroups*d.WarpsPerGroup || d.ConcurrentGroups < 1 ||
		d.ConcurrentGroups > d.Groups {
		t.Errorf("%d groups of %d warps at once, %d in all, %d warps of occupancy", d.ConcurrentGroups, d.WarpsPerGroup,
			d.Groups, d.OccupancyWarps)
	}
	if want := float64(d.Groups*d.WarpsPerGroup) / *d.Cycles; math.Abs(d.WarpsPerCycle/want-1) > 1e-9 {
		t.Errorf("%v warps per cycle, want %v", d.WarpsPerCycle, want)
	}
	switch d.Bound {
	case "throughput", "issue", "reads", "latency", "barrier", "starts":
	default:
		t.Errorf("bound by %q", d.Bound)
	}
	var issued, lines int64
	for _, s := range d.Subsystems {
		issued += s.Issued
		if s.Name == "" || s.Utilization == nil || *s.Utilization < 0 || *s.Utilization > 1.000001 {
			t.Errorf("subsystem %q is busy for %v", s.Name, s.Utilization)
		}
	}
	share := 0.0
	for _, l := range d.Lines {
		lines += l.Issued
		share += l.Share
		if l.Line > 0 && l.Text == "" {
			t.Errorf("line %d has no text", l.Line)
		}
	}
	if issued != d.Issued || lines != d.Issued || math.Abs(share-1) > 1e-6 {
		t.Errorf("%d instructions, %d by subsystem, %d by line, shares add up to %v", d.Issued, issued, lines, share)
	}
}

func TestCSV(t *testing.T) {
	records, err := csv.NewReader(strings.NewReader(pipesim(t, graphOf(t, "--builtin", "fig1"), "--format", "csv"))).
		ReadAll()
	if err != nil {
		t.Fatal(err)
	}
	if len(records) != 2 || records[0][0] != "kernel" || records[1][0] != "fig1" {
		t.Errorf("got %q", records)
	}
}

// TestSetChangesTheResult applies rules by op and by source line.
func TestSetChangesTheResult(t *testing.T) {
	graph := graphOf(t, "--builtin", "vadd", "--gpu", "gtx1060")
	cycles := func(args ...string) float64 {
		var d struct{ Cycles float64 }
		if err := json.Unmarshal([]byte(pipesim(t, graph, append(args, "--format", "json")...)), &d); err != nil {
			t.Fatal(err)
		}
		return d.Cycles
	}
	plain := cycles()
	if slow := cycles("--set", "ld.global:cpi=24"); slow < 1.5*plain {
		t.Errorf("with twice the cost of loads %v cycles, without %v", slow, plain)
	}
	all := cycles("--set", "global:cpi=24")
	if line := cycles("--set", "*@10:cpi=24"); line <= plain || line < 0.99*all {
		t.Errorf("by line %v cycles, by address space %v, without %v", line, all, plain)
	}
	if twice := cycles("--set", "ld.global:cpi=48", "--set", "ld.global:cpi=24"); twice != cycles("--set",
		"ld.global:cpi=24") {
		t.Errorf("of two rules not the last one counts: %v cycles", twice)
	}
}
