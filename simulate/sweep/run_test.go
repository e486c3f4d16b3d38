package sweep

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"runtime"
	"strings"
	"testing"

	"gpupipe/idg"
	"gpupipe/latencies"
	"gpupipe/simulate"
)

// TestParallelIsSerial holds that the rows are the same bytes for any number of
// jobs.
func TestParallelIsSerial(t *testing.T) {
	for _, f := range []Format{CSV, JSONLines} {
		_, serial := run(t, plan(t, space(t), Shard{}), 1, f)
		for _, jobs := range []int{2, 5, 16} {
			if _, text := run(t, plan(t, space(t), Shard{}), jobs, f); !bytes.Equal(text, serial) {
				t.Errorf("%v with %d jobs:\n%s\nserial:\n%s", f, jobs, text, serial)
			}
		}
	}
}

// TestRowsAreRuns compares each row with a run of its own, and with its roofs.
func TestRowsAreRuns(t *testing.T) {
	s := space(t)
	rows, _ := run(t, plan(t, s, Shard{}), 2, CSV)
	failed := 0
	for i, r := range rows {
		if r.Error != "" {
			failed++
			if r.Values[0] != "large" || !strings.HasPrefix(r.Error, "OCCUPANCY: not even one work group") ||
				r.Outcome != (Outcome{Error: r.Error}) {
				t.Errorf("row %d: %+v", i+1, r)
			}
			continue
		}
		d := device(t, r.Values[1])
		m, err := latencies.NewMapper(d, []latencies.Rule{
			vary(t, "ld.global:latency="+r.Values[2]).Rules[0], vary(t, "add.f32:cpi="+r.Values[3]).Rules[0]})
		if err != nil {
			t.Fatal(err)
		}
		mapping, err := m.Map(s.Graphs[0].Graph)
		if err != nil {
			t.Fatal(err)
		}
		cfg := simulate.Config{IssueLimit: latencies.WholeCycles(2)}
		if cfg.Scheduler, err = latencies.ParseScheduler(r.Values[4]); err != nil {
			t.Fatal(err)
		}
		if r.Values[6] != "max" {
			if _, err := fmt.Sscan(r.Values[6], &cfg.Concurrent); err != nil {
				t.Fatal(err)
			}
		}
		want, err := simulate.Run(context.Background(), s.Graphs[0].Graph, mapping, cfg)
		if err != nil {
			t.Fatal(err)
		}
		if r.Cycles != want.Cycles.Float() || r.Seconds != want.Seconds || r.Warps != want.OccupancyWarps ||
			r.Groups != want.Groups || r.Bound != want.Bound.Kind {
			t.Errorf("row %d: %+v, a run of its own gives %+v", i+1, r, want)
		}
		const slack = 1 + 1e-9 // of floating-point numbers
		if roof := min(r.ThroughputRoof, r.LatencyRoof); r.WarpsPerCycle > roof*slack || r.WarpsPerCycle <= 0 {
			t.Errorf("row %d: %v warps per cycle are above the roof of %v", i+1, r.WarpsPerCycle, roof)
		}
		if r.Utilization <= 0 || r.Utilization > slack {
			t.Errorf("row %d: busy for %v", i+1, r.Utilization)
		}
	}
	if failed != len(rows)/2 {
		t.Errorf("%d of %d rows failed, want those of the large kernel", failed, len(rows))
	}
}

// TestMissingParameters sweeps a kernel with an op that no device has.
func TestMissingParameters(t *testing.T) {
	b := idg.NewBuilder()
	b.Begin(0)
	b.Add(b.Instr(idg.Instr{Op: "frobnicate.f32", Lanes: 32, Pos: idg.Pos{File: "k.cl", Line: 1}}))
	g, err := b.Build(idg.Header{Kernel: "k", Launch: idg.Launch{Local: [3]int64{32, 1, 1}, Groups: [3]int64{9, 1, 1},
		WarpSize: 32}})
	if err != nil {
		t.Fatal(err)
	}
	s := &Space{Graphs: []Graph{{Name: "odd", Graph: g}}, Devices: []*latencies.Device{device(t, "gtx1060")},
		Concurrent: []int64{1, 2}}
	rows, text := run(t, plan(t, s, Shard{}), 2, CSV)
	for _, r := range rows {
		if !strings.Contains(r.Error, "frobnicate") {
			t.Errorf("%+v", r)
		}
	}
	if n := len(lines(text)); n != 3 {
		t.Errorf("%d lines:\n%s", n, text)
	}
}

// TestWarnings holds that each warning is given once, however many rows share
// it, and in the same order.
func TestWarnings(t *testing.T) {
	s := space(t)
	s.Rules = vary(t, "ld.shared:latency=9").Rules
	for _, jobs := range []int{1, 4} {
		p := plan(t, s, Shard{})
		run(t, p, jobs, CSV)
		if w := p.Warnings(); len(w) != 1 || w[0].Code != "SET-UNUSED" {
			t.Errorf("warnings %v", w)
		}
	}
}

// TestStop ends sweeps early, at every row: by the context and by the consumer.
// The rows until then are the first ones, in order.
func TestStop(t *testing.T) {
	s := space(t)
	s.Vary, s.Schedulers = s.Vary[:1], nil
	_, whole := run(t, plan(t, s, Shard{}), 1, CSV)
	failure := errors.New("disk full")
	before := runtime.NumGoroutine()
	for stop := range plan(t, s, Shard{}).Len() {
		for _, byContext := range []bool{true, false} {
			p := plan(t, s, Shard{})
			ctx, cancel := context.WithCancel(context.Background())
			text, n := p.AppendHeader(nil, CSV), 0
			err := p.Run(ctx, 0, 3, func(r *Row) error {
				text = p.Append(text, CSV, r)
				if n++; n <= stop {
					return nil
				}
				if byContext {
					cancel()
					return nil
				}
				return failure
			})
			cancel()
			last := stop == p.Len()-1
			if byContext && !errors.Is(err, context.Canceled) && !(err == nil && n == p.Len()) ||
				!byContext && err != failure || last && n != p.Len() {
				t.Errorf("stopped after %d rows: %d rows, error %v", stop, n, err)
			}
			if !bytes.HasPrefix(whole, text) {
				t.Errorf("stopped after %d rows:\n%s", stop, text)
			}
		}
	}
	if after := runtime.NumGoroutine(); after > before+2 {
		t.Errorf("%d goroutines before, %d after", before, after)
	}
}

// TestPanicReachesTheCaller breaks a graph, so that a worker panics.
func TestPanicReachesTheCaller(t *testing.T) {
	s := space(t)
	p := plan(t, s, Shard{})
	s.Graphs[0].Graph = nil
	defer func() {
		if v := recover(); v == nil || !strings.Contains(fmt.Sprint(v), "run.go") {
			t.Errorf("recovered %v", v)
		}
	}()
	_ = p.Run(context.Background(), 0, 1, func(*Row) error { return nil })
	t.Error("Run came back")
}

func BenchmarkSweep(b *testing.B) {
	s := &Space{
		Graphs:      []Graph{kernel(b, "k", 20, 4, 0)},
		Devices:     []*latencies.Device{device(b, "gtx480"), device(b, "gtx1060")},
		Vary:        []Vary{vary(b, "ld.global:latency=100..800:100")},
		Occupancies: EveryOccupancy,
	}
	for _, jobs := range []int{1, 2} {
		b.Run(fmt.Sprintf("warps=4/nodes=40/jobs=%d", jobs), func(b *testing.B) {
			b.ReportAllocs()
			rows := 0
			for b.Loop() {
				r, _ := run(b, plan(b, s, Shard{}), jobs, CSV)
				rows += len(r)
			}
			b.ReportMetric(float64(rows)/b.Elapsed().Seconds(), "configurations/s")
		})
	}
}

// BenchmarkPlan is the cost of a row without its simulation.
func BenchmarkPlan(b *testing.B) {
	s := space(b)
	p := plan(b, s, Shard{})
	row := &Row{Outcome: Outcome{Cycles: 1.0 / 3, Bound: "latency"}}
	var text []byte
	b.ReportAllocs()
	for b.Loop() {
		for k := range p.Len() {
			row.Configuration = p.Configuration(k)
			text = p.Append(text[:0], CSV, row)
		}
	}
	b.ReportMetric(float64(b.N*p.Len())/b.Elapsed().Seconds(), "configurations/s")
}
