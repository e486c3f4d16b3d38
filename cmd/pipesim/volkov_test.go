package main

import (
	"context"
	"fmt"
	"math"
	"slices"
	"strings"
	"testing"

	"gpupipe/idg"
	"gpupipe/internal/test/tools"
	"gpupipe/latencies"
	"gpupipe/simulate"
	"gpupipe/simulate/analytic"
	"gpupipe/simulate/comparison"
)

// volkovMixed is the input of V16 4.1's mix on a device: α additions to a read.
func volkovMixed(t testing.TB, d *latencies.Device, α int) (*idg.Graph, *latencies.Mapping) {
	t.Helper()
	const reads = 64
	b := idg.NewBuilder()
	b.Begin(0)
	a := idg.Access{Space: idg.SpaceGlobal, Width: 4}
	for lane := range int64(32) {
		a.Offsets = append(a.Offsets, 4*lane)
	}
	read := b.Instr(idg.Instr{Op: "ld.global", Type: "f32", Lanes: 32, Access: b.Access(a),
		Pos: idg.Pos{File: "mix.cl", Line: 1}})
	add := b.Instr(idg.Instr{Op: "add.f32", Lanes: 32, Pos: idg.Pos{File: "mix.cl", Line: 2}})
	var last []idg.Edge
	for range reads {
		for k := range α + 1 {
			id := add
			if k == 0 {
				id = read
			}
			last = []idg.Edge{{From: b.Add(id, last...), Kind: idg.Data}}
		}
	}
	g,
		err := b.Build(idg.Header{Kernel: "mix", Launch: idg.Launch{Local: [3]int64{32, 1, 1},
		Groups: [3]int64{1 << 16, 1, 1}, WarpSize: 32}})
	if err != nil {
		t.Fatal(err)
	}
	m, err := latencies.NewMapper(d, nil)
	if err != nil {
		t.Fatal(err)
	}
	mapping, err := m.Map(g)
	if err != nil {
		t.Fatal(err)
	}
	return g, mapping
}

// modelsNamed are models by their names.
func modelsNamed(t testing.TB, names string) []analytic.Model {
	t.Helper()
	list, err := parseModels(names)
	if err != nil {
		t.Fatal(err)
	}
	return list
}

// volkovError is a printed error of a model: the most, or at an intensity, that it is of the
// measured rate.
type volkovError struct {
	device, model string
	intensity     int // 0 = the largest of all
	least         bool
	printed       float64
	where         string
}

// volkovErrors are those that V16 7.4, 7.9 and 7.10 print in numbers.
var volkovErrors = []volkovError{
	{"8800gtx", "volkov", 0, false, 1.34, "7.9"},
	{"gtx280", "volkov", 0, false, 1.25, "7.9 (1.25 to 1.28)"},
	{"gtx480", "volkov", 0, false, 1.28, "7.9 (1.25 to 1.28)"},
	{"gtx680", "volkov", 0, false, 1.28, "7.9 (1.25 to 1.28)"},
	{"gtx980", "volkov", 0, false, 1.25, "7.9 (1.25 to 1.28)"},
	{"gtx480", "volkov-loaded", 0, false, 1.09, "7.9"},
	{"gtx680", "volkov-loaded", 0, false, 1.2, "7.9"},
	{"8800gtx", "wfg", 32, false, 1.71, "Fig. 7.3"},
	{"8800gtx", "wfg", 1, true, 1 / 7.6, "7.9"},
	{"8800gtx", "wfg", 8, true, 1 / 2.7, "7.9"},
	{"gtx480", "gpuperf", 32, false, 1.8, "7.4"},
	{"gtx480", "gpuperf", 1, true, 0.5, "7.4"},
	{"gtx680", "gpuperf", 0, false, 2, "7.4"},
	{"gtx980", "gpuperf", 64, false, 1.9, "7.4"},
}

// errorsAgree is how near the simulation's errors are to the measured ones.
const errorsAgree = 0.12

// errorTable compares how far models are from the simulation with how far V16 found them from
// the hardware.
func errorTable(t testing.TB) string {
	t.Helper()
	models := modelsNamed(t, "volkov,volkov-loaded,wfg,gpuperf")
	found := map[string][]comparison.ErrorRange{}
	var text strings.Builder
	for _, c := range volkovErrors {
		d, err := latencies.Builtin(c.device)
		if err != nil {
			t.Fatal(err)
		}
		if found[c.device] == nil {
			g, m := volkovMixed(t, d, 32)
			in, err := analytic.FromGraph(g, m, analytic.Options{})
			if err != nil {
				t.Fatal(err)
			}
			if found[c.device], err = comparison.ErrorRanges(context.Background(), in, d,
				comparison.Options{Models: models}, d.Limits.Warps); err != nil {
				t.Fatal(err)
			}
		}
		k := slices.IndexFunc(models, func(m analytic.Model) bool { return m.About().Name == c.model })
		got, at := 0.0, c.intensity
		for _, r := range found[c.device] {
			switch {
			case c.intensity == 0 && r.Most[k] > got:
				got, at = r.Most[k], r.Intensity
			case c.intensity == r.Intensity && c.least:
				got = r.Least[k]
			case c.intensity == r.Intensity:
				got = r.Most[k]
			}
		}
		if math.Abs(got/c.printed-1) > errorsAgree {
			t.Errorf("%s on %s, α = %d: %.3f of the simulated rate, V16 %s %.3f of the measured one", c.model, d.Title,
				at, got, c.where, c.printed)
		}
		which, α := "most", fmt.Sprint(at)
		if c.least {
			which = "least"
		}
		if c.intensity == 0 {
			α += ", the worst"
		}
		fmt.Fprintf(&text, "| %s | %s | %s | %s | %.2f | %.2f | %s |\n", c.model, d.Title, α, which, got,
			c.printed, c.where)
	}
	return errorHead + text.String()
}

// figure47 is V16 Fig. 4.7: 4 additions of 1 and 3 cycles to an access of 12, and the additions
// per cycle of 6 warps.
func figure47(t testing.TB, s simulate.Scheduler) float64 {
	t.Helper()
	bench := latencies.Device{Name: "bench", ComputeUnits: 1, ClockHz: 1e9, WarpSize: 32, Partitions: 1,
		Subsystems: []latencies.Subsystem{{Name: "alu"}, {Name: "memory"}}}
	thin, err := latencies.NewCycles(1, 100)
	if err != nil {
		t.Fatal(err)
	}
	fermi, err := latencies.Builtin("gtx480")
	if err != nil {
		t.Fatal(err)
	}
	g, _ := volkovMixed(t, fermi, 4)
	m := &latencies.Mapping{Device: &bench, Subsystems: []string{"alu", "memory"}, Entries: []latencies.Entry{
		{Subsystem: 1, Timing: latencies.Timing{CPI: thin, Latency: latencies.WholeCycles(12)}},
		{Subsystem: 0, Timing: latencies.Timing{CPI: latencies.WholeCycles(1), Latency: latencies.WholeCycles(3)}},
	}}
	r, err := simulate.Run(context.Background(), g, m, simulate.Config{Groups: 6, Concurrent: 6, Scheduler: s,
		Full: true})
	if err != nil {
		t.Fatal(err)
	}
	return r.WarpsPerCycle * 64 * 4
}

// TestVolkovSchedulers: the schedule that V16 Fig. 4.7 draws, 6 warps at the peak of the additions,
// is not round-robin's, but that of all others. What V16 measured on Fermi, at most 1.09 below the model with
// contention (7.9), is nearest to round-robin, which stays the default.
func TestVolkovSchedulers(t *testing.T) {
	tools.Heavy(t)
	fermi, err := latencies.Builtin("gtx480")
	if err != nil {
		t.Fatal(err)
	}
	g, m := volkovMixed(t, fermi, 32)
	in, err := analytic.FromGraph(g, m, analytic.Options{})
	if err != nil {
		t.Fatal(err)
	}
	worst := map[simulate.Scheduler]float64{}
	for _, s := range latencies.Schedulers() {
		rate := figure47(t, s)
		if drawn := s != simulate.RoundRobin; drawn != (rate > 0.95) {
			t.Errorf("%v: 6 warps make %.3f additions per cycle", s, rate)
		}
		if s != simulate.RoundRobin && s != simulate.Oldest { // the others are as the oldest first
			continue
		}
		opt := comparison.Options{Models: modelsNamed(t, "volkov-loaded"), Config: simulate.Config{Scheduler: s}}
		ranges, err := comparison.ErrorRanges(context.Background(), in, fermi, opt, fermi.Limits.Warps)
		if err != nil {
			t.Fatal(err)
		}
		for _, r := range ranges {
			worst[s] = max(worst[s], r.Most[0])
		}
		t.Logf("%v: %.3f additions per cycle of 6 warps; on Fermi up to %.3f below the model", s, rate, worst[s])
		if off := math.Abs(worst[s] - 1.09); off < math.Abs(worst[simulate.RoundRobin]-1.09) {
			t.Errorf("%v: up to %.3f below the model, nearer to the measured 1.09 than round-robin's %.3f", s, worst[s],
				worst[simulate.RoundRobin])
		}
	}
}

// errorHead stands above the table of errors in docs/evidence/latency-hiding.md.
const errorHead = `
## Volkov's mixes and models

| V16 | one command |
|---|---|
| 4.1: α additions to a read | ` + "`idgen --builtin mix-global -O0 --gpu gtx480 -D ALPHA=32 \\| pipesim models " +
	"--warps 2..48:2`" + ` |
| 4.7: to a special function, or to local memory; α = 1/4 | ` + "`idgen --builtin mix-special --gpu gtx980 -D " +
	"ALPHA=1 -D OTHERS=4 \\| pipesim models --warps 4..64:4`" + `, ` + "`mix-local`" + ` |
| T.3.4: issue 36.25 cycles by reissue | ` + "`idgen --builtin worksheet -O0 --gpu gtx980 \\| pipesim models --set " +
	"special:issue=0 --set local:issue=1,reissue=1 --set global:reissue=1`" + ` |
| Fig. 4.7: 6 warps at the peak | ` + "`idgen --builtin mix-global -O0 --gpu k620 -D ALPHA=4 -D REPEAT=1024 \\| " +
	"pipesim --set add.f32:cpi=1,latency=3 --set ld.global:cpi=0.01,latency=12 --concurrent 6 --unit-groups 6 " +
	"--scheduler oldest`" + ` |
| 6.6: percentiles of latencies | ` + "`idgen --builtin mix-global -O0 --gpu gtx680 -D ALPHA=0 \\| pipesim occupancy " +
	"--concurrent 64 --set ld.global:addresses=coalesced`" + ` |
| 7.1: 566 and 1320 cycles for an access (warps / rate / 4096) | ` + "`idgen --builtin mix-global -O0 --gpu gtx280 " +
	"-D ALPHA=32 -D REPEAT=4096 \\| pipesim models --models mwp-cwp-issue --warps 4,10 --simulate 0 --format csv`" + ` |
| 7.2: 152 cycles for an access of 8 warps (1 / rate / 4096) | ` + "`idgen --builtin mix-global -O0 --gpu 8800gtx -D " +
	"ALPHA=11 -D REPEAT=4096 \\| pipesim models --models wfg --warps 8 --simulate 0 --format csv`" + ` |
| 7.5: 252 GB/s (rate · 1024 · 128 B · 15 · 1.4 GHz) | ` + "`idgen --builtin mix-global -O0 --gpu gtx480 -D ALPHA=0 " +
	"-D REPEAT=1024 \\| pipesim models --models gpumech-rr-full --warps 48 --simulate 0 --format csv`" + ` |
| Fig. 7.11 to 7.14: errors and needed warps against α | ` + "`idgen --builtin mix-global -O0 --gpu gtx480 \\| " +
	"pipesim models --models volkov,volkov-loaded,gpuperf --plot-error error.csv`" + ` (or ` + "`error.svg`" + `) |

Fig. 4.7 draws an ideal schedule, which all schedulers but round-robin come near. Round-robin stays the default of these GPUs, because it is nearer to what was measured: on Fermi the model with contention is up to 1.16 of its rate, 1.19 of the others' and 1.09 of the measured one; on Kepler with α = 32 and 64 warps (` + "`mix-global`" + `) it makes 87 additions per cycle, the others 97 or more, and 89 were measured (7.5).
On the GTX 680 the accesses under a load take latencies spread as T.6.6 measured them around the mean: of 64 warps 5% take 340 cycles or less and 5% 698 or more (V16: 340, 708). Warps of one launch then live 14,788 to 18,660 cycles.

Rates of models over the simulated rate, over all occupancies of whole warps per scheduler, beside V16's over the measured rate:

| model | GPU | α | which | over simulated | over measured | V16 |
|---|---|---|---|---|---|---|
`
