package analytic_test

import (
	"context"
	"math"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"gpupipe/idg"
	"gpupipe/latencies"
	"gpupipe/simulate"
	"gpupipe/simulate/analytic"
)

// bench is a graph under construction with a device that knows its
// instructions.
type bench struct {
	t       testing.TB
	builder *idg.Builder
	mapping latencies.Mapping
}

func newBench(t testing.TB, subsystems ...string) *bench {
	d := &latencies.Device{Name: "bench", ComputeUnits: 1, ClockHz: 1e9, WarpSize: 32, Partitions: 1,
		Memory: latencies.Memory{SegmentBytes: 32}}
	b := &bench{t: t, builder: idg.NewBuilder(), mapping: latencies.Mapping{Device: d, Subsystems: subsystems}}
	for _, name := range subsystems {
		d.Subsystems = append(d.Subsystems, latencies.Subsystem{Name: name})
	}
	return b
}

func cycles(t testing.TB, text string) latencies.Cycles {
	t.Helper()
	c, err := latencies.ParseCycles(text)
	if err != nil {
		t.Fatal(err)
	}
	return c
}

// class makes an instruction class in a subsystem, by index.
func (b *bench) class(in idg.Instr, subsystem int, cpi, latency string) idg.InstrID {
	b.mapping.Entries = append(b.mapping.Entries, latencies.Entry{
		Subsystem: latencies.SubsystemID(subsystem), Transactions: 4,
		Timing: latencies.Timing{CPI: cycles(b.t, cpi), Latency: cycles(b.t, latency)},
	})
	in.Lanes, in.Pos = 32, idg.Pos{File: "k.cl", Line: len(b.mapping.Entries)}
	return b.builder.Instr(in)
}

func (b *bench) graph(warps, groups int64) *idg.Graph {
	b.t.Helper()
	g, err := b.builder.Build(idg.Header{
		Source: idg.Source{File: "k.cl", Dialect: "opencl"}, Kernel: "k", Level: "O2", Compiler: "none",
		Launch: idg.Launch{Local: [3]int64{32 * warps, 1, 1}, Groups: [3]int64{groups, 1, 1}, WarpSize: 32},
	})
	if err != nil {
		b.t.Fatal(err)
	}
	return g
}

func (b *bench) input(g *idg.Graph, opt analytic.Options) *analytic.Input {
	b.t.Helper()
	in, err := analytic.FromGraph(g, &b.mapping, opt)
	if err != nil {
		b.t.Fatal(err)
	}
	if err := in.Verify(); err != nil {
		b.t.Fatal(err)
	}
	return in
}

func data(v idg.Executed) idg.Edge { return idg.Edge{From: v, Kind: idg.Data} }

// model finds a model by its name.
func model(t testing.TB, name string) analytic.Model {
	t.Helper()
	for _, m := range analytic.Models() {
		if m.About().Name == name {
			return m
		}
	}
	t.Fatalf("no model %q", name)
	return nil
}

// TestExampleInput is the article's example kernel (A Fig. 1, Table 2) as a
// graph: everything that the models read, by hand.
func TestExampleInput(t *testing.T) {
	b := newBench(t, "comp", "mem", "unused")
	b.mapping.Device.IssueLimit = cycles(t, "1")
	comp := b.class(idg.Instr{Op: "add.f32"}, 0, "1", "4")
	mem := b.class(idg.Instr{Op: "ld.global"}, 1, "2", "6")
	b.builder.Begin(0)
	add := b.builder.Add
	c0, c1 := add(comp), add(comp)
	m0 := add(mem, data(c0), data(c1))
	c2 := add(comp, data(m0))
	m1 := add(mem, data(c2))
	add(comp, data(m1))
	in := b.input(b.graph(1, 10), analytic.Options{})

	want := &analytic.Input{
		Comp: analytic.Uniform(4, 1, 4), Mem: analytic.Uniform(2, 2, 6), PeakCPI: 1,
		IssueSlots: 6, IssueLimit: 1, MemIssue: 1, Schedulers: 1,
		WarpLatency: 25, ILP: 28. / 24, ChainLoads: 2, Groups: 10, WarpsPerGroup: 1,
	}
	for _, c := range []struct {
		name      string
		got, want float64
	}{
		{"computations", in.Comp.Count, want.Comp.Count}, {"Σ λ", in.Comp.Busy, want.Comp.Busy},
		{"Σ Λ", in.Comp.Wait, want.Comp.Wait},
		{"accesses", in.Mem.Count, want.Mem.Count}, {"Σ λ_mem", in.Mem.Busy, want.Mem.Busy},
		{"Σ Λ_mem", in.Mem.Wait, want.Mem.Wait},
		{"peak λ", in.PeakCPI, want.PeakCPI}, {"issue slots", in.IssueSlots, want.IssueSlots},
		{"λ_mem_instr", in.MemIssue, want.MemIssue},
		{"Λ_app", in.WarpLatency, want.WarpLatency}, {"ILP", in.ILP, want.ILP},
		{"accesses on the chain", in.ChainLoads, want.ChainLoads},
		{"groups", in.Groups, want.Groups}, {"warps per group", in.WarpsPerGroup, want.WarpsPerGroup},
		{"schedulers", in.Schedulers, want.Schedulers},
		{"bytes", in.Memory.BytesPerWarp, 2 * 4 * 32}, {"transactions", in.Memory.Transactions, 4},
		{"service", in.Memory.Service, 0.5},
		{"lines", in.Memory.Lines, 1}, {"misses in flight", in.Memory.MSHRs, analytic.DefaultMSHRs},
		{"barriers", in.Sync, 0},
		{"subsystems", float64(len(in.Subsystems)), 2}, {"chain in comp", in.Subsystems[0].Chain, 12},
		{"chain in mem", in.Subsystems[1].Chain, 12},
		{"CI", in.Intensity(), 2}, {"serial", in.Serial(), 28},
	} {
		if math.Abs(c.got-c.want) > 1e-12 {
			t.Errorf("%s: %v, want %v", c.name, c.got, c.want)
		}
	}
	// In order: two computations, a stall for the second; a read, a stall; and
	// so on.
	wantIntervals := []analytic.Interval{
		{Count: 1, Instructions: 2, Stall: 3},
		{Count: 2, Instructions: 1, Stall: 5, Loads: 1},
		{Count: 2, Instructions: 1, Stall: 3},
	}
	if !slices.Equal(in.Intervals, wantIntervals) {
		t.Errorf("intervals %+v, want %+v", in.Intervals, wantIntervals)
	}
	// Where computations have no latency, a read ends each interval but the last.
	wantIntervals = []analytic.Interval{
		{Count: 1, Instructions: 3, Stall: 5, Loads: 1},
		{Count: 1, Instructions: 2, Stall: 5, Loads: 1},
		{Count: 1, Instructions: 1},
	}
	if !slices.Equal(in.MemIntervals, wantIntervals) {
		t.Errorf("intervals by accesses %+v, want %+v", in.MemIntervals, wantIntervals)
	}
	// The first two computations are independent of each other.
	wantBlocks := []analytic.Block{
		{Count: 1, Busy: 2, Span: 4, Access: true, Wait: 6},
		{Count: 1, Busy: 1, Span: 4, Access: true, Wait: 6},
		{Count: 1, Busy: 1, Span: 4},
	}
	if !slices.Equal(in.Blocks, wantBlocks) {
		t.Errorf("blocks %+v, want %+v", in.Blocks, wantBlocks)
	}
}

// TestInputKinds: what counts as memory, as a barrier, as a store; unequal warps
// are averaged.
func TestInputKinds(t *testing.T) {
	b := newBench(t, "alu", "local", "global", "sync")
	access := func(space idg.Space, store bool, stride int64) idg.AccessID {
		a := idg.Access{Space: space, Width: 4, Store: store}
		for i := range int64(32) {
			a.Offsets = append(a.Offsets, i*stride)
		}
		return b.builder.Access(a)
	}
	classes := []idg.InstrID{
		b.class(idg.Instr{Op: "ld.local", Access: access(idg.SpaceLocal, false, 4)}, 1, "1", "20"),
		b.class(idg.Instr{Op: "ld.constant", Access: access(idg.SpaceConstant, false, 4)}, 1, "1", "20"),
		b.class(idg.Instr{Op: "ld.global", Access: access(idg.SpaceGlobal, false, 128)}, 2, "40", "300"),
		b.class(idg.Instr{Op: "st.global", Access: access(idg.SpaceGlobal, true, 4)}, 2, "10", "300"),
		b.class(idg.Instr{Op: "atomic.add.global"}, 2, "10", "300"),
		b.class(idg.Instr{Op: "barrier"}, 3, "2", "40"),
		b.class(idg.Instr{Op: "add.s32"}, 0, "0.5", "6"),
	}
	b.builder.Begin(0)
	for _, c := range classes {
		b.builder.Add(c)
	}
	b.builder.Begin(1)
	b.builder.Add(classes[6])
	in := b.input(b.graph(2, 3), analytic.Options{Groups: 7, MSHRs: 9, IssueLimit: cycles(t, "2")})
	for _, c := range []struct {
		name      string
		got, want float64
	}{
		{"accesses", in.Mem.Count, 1.5}, {"computations", in.Comp.Count, 2.5}, {"barriers", in.Sync, 0.5},
		{"Σ λ_mem", in.Mem.Busy, 30}, {"Σ Λ_mem, a store counts λ", in.Mem.Wait, 305},
		{"busiest of the computations", in.Comp.Busy, 1.25}, {"Σ λ of all", in.Comp.Sum, 2.5},
		{"peak λ", in.PeakCPI, 0.5},
		{"lines: 32, 1, and 1 of 4·32 unknown bytes", in.Memory.Lines, 34. / 3},
		{"misses in flight", in.Memory.MSHRs, 9},
		{"groups", in.Groups, 7}, {"limit", in.IssueLimit, 2}, {"schedulers", in.Schedulers, 2},
		{"λ_mem_instr", in.MemIssue, 0.5},
		// The longest chains are single instructions: 300 + λ of the six others, 6.
		{"Λ_app", in.WarpLatency, (300 + 1 + 1 + 10 + 10 + 2 + 0.5 + 6) / 2},
	} {
		if math.Abs(c.got-c.want) > 1e-9 {
			t.Errorf("%s: %v, want %v", c.name, c.got, c.want)
		}
	}
}

// TestInputBlocks: accesses and barriers separate blocks, of all warps; an access
// that touches more lines than it needs is not coalesced.
func TestInputBlocks(t *testing.T) {
	b := newBench(t, "alu", "global", "sync")
	strided := idg.Access{Space: idg.SpaceGlobal, Width: 4}
	for i := range int64(32) {
		strided.Offsets = append(strided.Offsets, i*8)
	}
	add, mul := b.class(idg.Instr{Op: "add.f32"}, 0, "0.5", "6"), b.class(idg.Instr{Op: "mul.f32"}, 0, "1", "8")
	load := b.class(idg.Instr{Op: "ld.global", Access: b.builder.Access(strided)}, 1, "10", "300")
	store := b.class(idg.Instr{Op: "st.global"}, 1, "10", "300")
	barrier := b.class(idg.Instr{Op: "barrier"}, 2, "2", "40")
	b.builder.Begin(0)
	a := b.builder.Add(add)
	b.builder.Add(add, data(a))
	m := b.builder.Add(mul) // beside the chain of two
	l := b.builder.Add(load, data(m))
	x := b.builder.Add(load)
	b.builder.Add(mul, data(l), data(a))
	b.builder.Add(barrier, idg.Edge{From: x, Kind: idg.Order})
	b.builder.Add(store)
	b.builder.Add(add)
	b.builder.Begin(1)
	b.builder.Add(add)
	in := b.input(b.graph(2, 1), analytic.Options{})
	want := []analytic.Block{
		{Count: 0.5, Busy: 2, Span: 12, Access: true, Wait: 300}, // ILP 20/12
		// The second read and the store: nothing precedes, nothing depends on them.
		{Count: 1, Access: true},
		{Count: 0.5, Busy: 1, Span: 8},
		{Count: 0.5, Busy: 2, Span: 40}, // the barrier
		{Count: 1, Busy: 0.5, Span: 6},
	}
	if !slices.Equal(in.Blocks, want) {
		t.Errorf("blocks %+v, want %+v", in.Blocks, want)
	}
	for _, i := range append(in.Intervals, in.MemIntervals...) {
		if (i.Loads > 0) != i.Uncoalesced {
			t.Errorf("interval %+v: a read is uncoalesced, a store at unknown addresses is not", i)
		}
	}
}

func TestFromGraphRefuses(t *testing.T) {
	b := newBench(t, "alu")
	b.builder.Begin(0)
	b.builder.Add(b.class(idg.Instr{Op: "add.f32"}, 0, "1/4294967291", "1/3"))
	if _, err := analytic.FromGraph(b.graph(1, 1), &b.mapping, analytic.Options{}); err == nil ||
		!strings.Contains(err.Error(), "common denominator") {
		t.Errorf("error %v", err)
	}
}

// TestLongWarp: a warp of 2^22 repeated instructions has a latency and counts, but
// nobody lists its instructions.
func TestLongWarp(t *testing.T) {
	b := newBench(t, "alu", "mem")
	add, load := b.class(idg.Instr{Op: "add.f32"}, 0, "1", "4"), b.class(idg.Instr{Op: "ld.global"}, 1, "8", "100")
	const trips = 1 << 21
	b.builder.Begin(0)
	last := b.builder.Add(add)
	b.builder.BeginLoop()
	for range trips {
		b.builder.NextIteration()
		last = b.builder.Add(load, data(last))
		last = b.builder.Add(add, data(last))
	}
	b.builder.EndLoop()
	in := b.input(b.graph(1, 1), analytic.Options{})
	if in.WarpLatency != 4+trips*104 || in.Mem.Count != trips || in.Comp.Count != trips+1 {
		t.Errorf("Λ_app %v, %v accesses, %v computations", in.WarpLatency, in.Mem.Count, in.Comp.Count)
	}
	in.Memory.Loaded = &analytic.Loaded{Queueing: 1, Capacity: 1}
	for name, want := range map[string]string{"volkov": "", "mwp-cwp": "", "volkov-loaded": "too long",
		"mdm": "too many", "gpumech-rr": "too many", "wfg": "too many"} {
		if e := analytic.Evaluate(model(t, name), in, 4); (e.Invalid == "") != (want == "") ||
			!strings.Contains(e.Invalid, want) {
			t.Errorf("%s: %+v", name, e)
		}
	}
	if v := analytic.NewLittle(in, 4, 4/in.WarpLatency).Verdict; v != "latency is not hidden: 4 of 13 warps are there" {
		t.Errorf("%q", v)
	}
}

// TestContentionAgainstSimulation: on a chain of reads, where nothing but the
// memory's load matters, the simulation with contention and the equation of V16
// 6.5 agree: constants of the GTX 680.
func TestContentionAgainstSimulation(t *testing.T) {
	b := newBench(t, "alu", "global")
	d := b.mapping.Device
	d.ComputeUnits, d.ClockHz = 8, 1_124_000_000
	d.Memory.Contention = &latencies.Contention{Unloaded: cycles(t, "300"), Queueing: cycles(t, "32"),
		Capacity: cycles(t, "170")}
	load := b.class(idg.Instr{Op: "ld.global"}, 1, "7.48", "300")
	b.builder.Begin(0)
	last := b.builder.Add(load)
	for range 19 {
		last = b.builder.Add(load, data(last))
	}
	g := b.graph(1, 8*640)
	loaded, free := model(t, "volkov-loaded"), model(t, "volkov")
	for _, n := range []int64{1, 4, 8, 16, 24, 32, 40, 48, 64} {
		in := b.input(g, analytic.Options{})
		run, err := simulate.Run(context.Background(), g, &b.mapping, simulate.Config{Concurrent: n})
		if err != nil {
			t.Fatal(err)
		}
		want := analytic.Evaluate(loaded, in, float64(n)).WarpsPerCycle
		// The run starts and ends, and is never steadier than its window.
		if got := run.WarpsPerCycle; math.Abs(got/want-1) > 0.04 {
			t.Errorf("%d warps: simulated %v, by the equation %v, without contention %v", n, got, want,
				analytic.Evaluate(free, in, float64(n)).WarpsPerCycle)
		}
	}
}

// dependentMix is a chain of random computations and accesses, in which every
// instruction depends on the one before.
func dependentMix(t *testing.T, r *rand.Rand, warps int64) (*bench, *idg.Graph) {
	b := newBench(t, "alu", "sfu", "mem")
	if r.IntN(2) == 0 {
		b.mapping.Device.IssueLimit = cycles(t, []string{"1", "2", "4"}[r.IntN(3)])
	}
	pick := func(list ...string) string { return list[r.IntN(len(list))] }
	classes := []idg.InstrID{
		b.class(idg.Instr{Op: "add.f32"}, 0, pick("1", "0.25", "0.5"), pick("4", "6", "18")),
		b.class(idg.Instr{Op: "cos.f32"}, 1, pick("8", "1", "2"), pick("8", "15", "40")),
		b.class(idg.Instr{Op: "ld.global"}, 2, pick("7", "12", "2"), pick("60", "200", "378")),
	}
	all := make([]uint32, warps)
	for i := range all {
		all[i] = uint32(i)
	}
	b.builder.Begin(all...)
	for i := range 20 + r.IntN(60) {
		c := classes[r.IntN(3)]
		if i == 0 {
			b.builder.Add(c)
		} else {
			b.builder.Add(c, data(idg.Executed(i-1)))
		}
	}
	return b, b.graph(warps, 1)
}

// TestSimulationStaysBelowVolkov: on random dependent mixes no scheduler is
// faster than the occupancy roofline; one warp meets it exactly; and at high
// occupancy a run of all warps is longer than its roof by no more than its fill
// and drain, one Λ_app, and up to 10% for phases that do not interleave. What a
// run is longer than Λ_app, its report names as waiting for one's turn.
func TestSimulationStaysBelowVolkov(t *testing.T) {
	r := rand.New(rand.NewPCG(8, 8))
	volkov := model(t, "volkov")
	worst := 0.0
	for range 300 {
		warps := int64(1 + r.IntN(48))
		b, g := dependentMix(t, r, warps)
		in := b.input(g, analytic.Options{Groups: 1})
		e := analytic.Evaluate(volkov, in, float64(warps))
		for _, s := range latencies.Schedulers() {
			run, err := simulate.Run(context.Background(), g, &b.mapping, simulate.Config{Groups: 1, Scheduler: s})
			if err != nil {
				t.Fatal(err)
			}
			if run.WarpsPerCycle > e.WarpsPerCycle*(1+1e-12) {
				t.Fatalf("%v, %d warps: %v warps per cycle above Volkov's %v", s, warps, run.WarpsPerCycle,
					e.WarpsPerCycle)
			}
			if warps == 1 && math.Abs(run.WarpsPerCycle-e.WarpsPerCycle) > 1e-12 {
				t.Fatalf("%v: one warp at %v warps per cycle, Volkov %v", s, run.WarpsPerCycle, e.WarpsPerCycle)
			}
			roof, _ := in.Throughput()
			over := (run.Cycles.Float() - float64(warps)/roof - in.WarpLatency) / run.Cycles.Float()
			if s == simulate.RoundRobin && float64(warps) > 1.5*roof*in.WarpLatency {
				worst = max(worst, over)
			}
			queued := run.Waiting.Queued
			if slack := run.Cycles.Float() - in.WarpLatency; slack > 1e-9 && float64(warps)/in.WarpLatency < roof &&
				queued == 0 {
				t.Fatalf("%v, %d warps: %v cycles beyond Λ_app, but no warp waits for its turn", s, warps, slack)
			}
		}
	}
	if worst > 0.1 {
		t.Errorf("beyond the cusp round-robin is up to %.1f%% beyond roof + Λ_app, want at most 10%%", 100*worst)
	}
}

// TestFullOccupancyMeetsVolkov: with 64 warps, at least twice as many as the cusp
// needs, a run of random dependent mixes is longer than its roof by no more than
// its fill and drain, one Λ_app, where the scheduler lets warps drift apart: within
// 1% greedily, 2% by age. Round-robin keeps them in step, so that all need the
// same subsystem at once: up to 15%.
func TestFullOccupancyMeetsVolkov(t *testing.T) {
	const warps = 64
	most := map[simulate.Scheduler]float64{simulate.RoundRobin: 0.15, simulate.GreedyThenOldest: 0.01,
		simulate.GreedyThenYoungest: 0.01, simulate.Oldest: 0.02}
	r := rand.New(rand.NewPCG(9, 9))
	mixes := 0
	for range 300 {
		b, g := dependentMix(t, r, warps)
		in := b.input(g, analytic.Options{Groups: 1})
		roof, _ := in.Throughput()
		if warps < 2*roof*in.WarpLatency {
			continue
		}
		mixes++
		for s := range most {
			run, err := simulate.Run(context.Background(), g, &b.mapping, simulate.Config{Groups: 1, Scheduler: s})
			if err != nil {
				t.Fatal(err)
			}
			if over := (run.Cycles.Float() - warps/roof - in.WarpLatency) / run.Cycles.Float(); over > most[s] {
				t.Errorf("%v: %.1f%% beyond roof + Λ_app, want at most %.0f%%", s, 100*over, 100*most[s])
			}
		}
	}
	if mixes < 100 {
		t.Errorf("only %d mixes were compared", mixes)
	}
}
