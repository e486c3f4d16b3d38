package comparison

import (
	"context"
	"errors"
	"math"
	"slices"
	"strings"
	"testing"

	"gpupipe/idg"
	"gpupipe/latencies"
	"gpupipe/simulate"
	"gpupipe/simulate/analytic"
)

// kernel is groups of two warps of a chain of reads and computations.
func kernel(t *testing.T, groups int64) (*idg.Graph, *latencies.Mapping) {
	t.Helper()
	b := idg.NewBuilder()
	comp := b.Instr(idg.Instr{Op: "add.f32", Lanes: 32, Pos: idg.Pos{File: "k.cl", Line: 1}})
	mem := b.Instr(idg.Instr{Op: "ld.global", Lanes: 32, Pos: idg.Pos{File: "k.cl", Line: 2}})
	b.Begin(0, 1)
	last := b.Add(comp)
	for i := range 20 {
		in := comp
		if i%5 == 0 {
			in = mem
		}
		last = b.Add(in, idg.Edge{From: last, Kind: idg.Data})
	}
	g, err := b.Build(idg.Header{
		Source: idg.Source{File: "k.cl", Dialect: "opencl"}, Kernel: "k", Level: "O2", Compiler: "none",
		Launch: idg.Launch{Local: [3]int64{64, 1, 1}, Groups: [3]int64{groups, 1, 1}, WarpSize: 32},
	})
	if err != nil {
		t.Fatal(err)
	}
	w := latencies.WholeCycles
	return g, &latencies.Mapping{
		Device: &latencies.Device{
			Name: "d", ComputeUnits: 1, ClockHz: 1e9, WarpSize: 32, Partitions: 1,
			Limits:     latencies.Limits{Warps: 16, Groups: 8},
			Subsystems: []latencies.Subsystem{{Name: "alu"}, {Name: "mem"}}, Memory: latencies.Memory{SegmentBytes: 32},
		},
		Subsystems: []string{"alu", "mem"}, Entries: []latencies.Entry{
			{Subsystem: 0, Timing: latencies.Timing{CPI: w(1), Latency: w(6)}},
			{Subsystem: 1, Timing: latencies.Timing{CPI: w(8), Latency: w(100)}, Transactions: 4},
		},
	}
}

// run compares with one mapping for all occupancies.
func run(t *testing.T, g *idg.Graph, m *latencies.Mapping, opt Options) *Comparison {
	t.Helper()
	opt.Map = func(int64) (*latencies.Mapping, error) { return m, nil }
	c, err := Run(context.Background(), g, m.Device, opt)
	if err != nil {
		t.Fatal(err)
	}
	return c
}

func sequence(n int64) []int64 {
	var list []int64
	for i := int64(1); i <= n; i++ {
		list = append(list, i)
	}
	return list
}

// TestRun: the points are those that the models and the simulator give when they
// are asked one by one.
func TestRun(t *testing.T) {
	g, m := kernel(t, 40)
	c := run(t, g, m, Options{Warps: sequence(16), Simulate: -1, Jobs: 3})
	if c.Groups != 40 || c.MaxWarps != 16 || c.Capacity.Warps != 16 || len(c.Models) != len(analytic.Models()) ||
		len(c.Points) != 16 {
		t.Fatalf("%d groups, %d of %d warps, %d models, %d points", c.Groups, c.Capacity.Warps, c.MaxWarps,
			len(c.Models), len(c.Points))
	}
	for i, p := range c.Points {
		if simulated := p.Simulated != nil; simulated != (p.Warps%2 == 0) {
			t.Errorf("%d warps: simulated %t", p.Warps, simulated)
		}
		if p.Simulated != nil {
			r, err := simulate.Run(context.Background(), g, m, simulate.Config{Concurrent: p.Warps / 2})
			if err != nil {
				t.Fatal(err)
			}
			if r.Cycles != p.Simulated.Cycles || c.SimulatedTimes()[i] != r.Cycles.Float() {
				t.Errorf("%d warps: %v cycles, alone %v", p.Warps, p.Simulated.Cycles, r.Cycles)
			}
		}
		for k, model := range analytic.Models() {
			if want := analytic.Evaluate(model, c.Input, float64(p.Warps)); want != p.Estimates[k] {
				t.Errorf("%d warps, %s: %+v, alone %+v", p.Warps, c.Models[k].Name, p.Estimates[k], want)
			}
		}
	}
	volkov := slices.IndexFunc(c.Models, func(a analytic.About) bool { return a.Name == "volkov" })
	if a := Measure(c.Warps(), c.Times(volkov), c.SimulatedTimes()); a.Points != 8 || a.MAPE < 0 || a.MAPE > 25 ||
		a.MAPEShape < 0 {
		t.Errorf("Volkov against the simulation: %+v", a)
	}
	// 80 warps in all: at 1/100 warp per cycle 8,000 cycles.
	if got := c.Cycles(0.01); math.Abs(got-8000) > 1e-9 {
		t.Errorf("%v cycles, want 8000", got)
	}
}

// TestMapping: each occupancy has the mapping that it asks for, and equal ones
// share their input.
func TestMapping(t *testing.T) {
	g, few := kernel(t, 40)
	_, many := kernel(t, 40)
	many.Entries[1].Timing.Latency = latencies.WholeCycles(300)
	var asked []int64
	c, err := Run(context.Background(), g, few.Device,
		Options{Warps: []int64{1, 2, 3, 4, 5}, Map: func(groups int64) (*latencies.Mapping, error) {
			asked = append(asked, groups)
			if groups <= 2 {
				return few, nil
			}
			return many, nil
		}})
	if err != nil {
		t.Fatal(err)
	}
	if want := []int64{8, 1, 1, 2, 2, 3}; !slices.Equal(asked, want) {
		t.Errorf("asked for %v groups, want %v", asked, want)
	}
	p := c.Points
	if p[0].Input != p[3].Input || p[3].Input == p[4].Input || p[4].Input.WarpLatency <= p[3].Input.WarpLatency {
		t.Error("inputs do not follow the mappings")
	}
}

// TestChoose: of many occupancies some are simulated, with both ends.
func TestChoose(t *testing.T) {
	g, m := kernel(t, 7)
	for _, c := range []struct {
		warps []int64
		most  int
		want  []int64
		known int64
	}{
		{sequence(16), 0, nil, 0},
		{sequence(16), 1, []int64{14}, 0}, // the launch fills 7 groups
		{sequence(16), 2, []int64{2, 14}, 0},
		{sequence(16), 4, []int64{2, 4, 8, 14}, 0},
		{sequence(16), 99, []int64{2, 4, 6, 8, 10, 12, 14}, 0},
		{sequence(16), 4, []int64{2, 4, 8}, 14},
		{[]int64{1, 3}, -1, nil, 0},
		{nil, 1, []int64{14}, 0}, // what resources allow
	} {
		var got []int64
		for _, p := range run(t, g, m, Options{Warps: c.warps, Simulate: c.most, Known: c.known}).Points {
			if p.Simulated != nil {
				got = append(got, p.Warps)
			}
		}
		if !slices.Equal(got, c.want) {
			t.Errorf("of %v at most %d: %v, want %v", c.warps, c.most, got, c.want)
		}
	}
}

func TestErrors(t *testing.T) {
	g, m := kernel(t, 4)
	boom := errors.New("boom")
	fine := func(int64) (*latencies.Mapping, error) { return m, nil }
	for want, opt := range map[string]Options{
		"ascending":      {Map: fine, Warps: []int64{2, 1}},
		"from 1":         {Map: fine, Warps: []int64{0}},
		"more than 4096": {Map: fine, Warps: sequence(5000)},
		"boom":           {Map: func(int64) (*latencies.Mapping, error) { return nil, boom }},
		"negative":       {Map: fine, Config: simulate.Config{Groups: -1}},
		"limit of 1":     {Map: fine, Simulate: 1, Config: simulate.Config{MaxEvents: 1}},
	} {
		if _, err := Run(context.Background(), g, m.Device, opt); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("error %v, want %q", err, want)
		}
	}
}

// TestMeasure: MAPE and MAPE_shape are of the performance (A 6.3), beside the error of time.
func TestMeasure(t *testing.T) {
	warps := []int64{1, 2, 3, 4}
	if a := Measure(warps, []float64{10, 0, 30, 40}, []float64{10, 20, 20, 0}); a.Points != 2 ||
		math.Abs(a.MAPE-50./3) > 1e-9 || a.MAPEOfTime != 25 || a.MAPEShape != -1 || a.Why == "" {
		t.Errorf("%+v", a)
	}
	if a := Measure(warps, make([]float64, 4), []float64{10, 20, 20, 0}); a.Points != 0 || a.MAPE != -1 ||
		a.MAPEOfTime != -1 || a.Why == "" {
		t.Errorf("%+v", a)
	}
	// Half the time is 50% of it and 100% of the performance, twice the time the reverse.
	if a := Measure(warps, []float64{5, 10, 20, 40}, []float64{10, 20, 40, 80}); a.MAPE != 100 || a.MAPEOfTime != 50 {
		t.Errorf("twice as fast: %+v", a)
	}
	if a := Measure(warps, []float64{20, 40, 80, 160}, []float64{10, 20, 40, 80}); a.MAPE != 50 || a.MAPEOfTime != 100 {
		t.Errorf("half as fast: %+v", a)
	}
	// 1200 units of work: performance 60, 40, 30 and 20, and that of the model 6 higher at 1 warp
	// and 3 more for each warp. A constant and a slope are not of the shape.
	if a := Measure(warps, []float64{1200. / 66, 1200. / 49, 1200. / 42, 1200. / 35},
		[]float64{20, 30, 40, 60}); a.Points != 4 || a.MAPEShape > 1e-9 || math.Abs(a.MAPE-36.875) > 1e-9 ||
		a.Why != "" {
		t.Errorf("%+v", a)
	}
}
