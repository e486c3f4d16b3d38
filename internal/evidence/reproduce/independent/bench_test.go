package independent

import (
	"context"
	"fmt"
	"math"
	"testing"

	"gpupipe/idg"
	"gpupipe/latencies"
	"gpupipe/simulate"
	"gpupipe/simulate/analytic"
)

// hand is a graph made by hand with a compute unit that knows its instructions.
type hand struct {
	t       *testing.T
	b       *idg.Builder
	mapping latencies.Mapping
}

func newHand(t *testing.T, subsystems ...string) *hand {
	d := &latencies.Device{Name: "hand", ComputeUnits: 1, ClockHz: 1e9, WarpSize: 32, Partitions: 1}
	for _, name := range subsystems {
		d.Subsystems = append(d.Subsystems, latencies.Subsystem{Name: name})
	}
	h := &hand{t, idg.NewBuilder(), latencies.Mapping{Device: d, Subsystems: subsystems}}
	h.b.Begin(0)
	return h
}

func (h *hand) cycles(text string) latencies.Cycles {
	c, err := latencies.ParseCycles(text)
	if err != nil {
		h.t.Fatal(err)
	}
	return c
}

func (h *hand) class(op string, subsystem int, cpi, latency string) idg.InstrID {
	h.mapping.Entries = append(h.mapping.Entries, latencies.Entry{Subsystem: latencies.SubsystemID(subsystem),
		Timing: latencies.Timing{CPI: h.cycles(cpi), Latency: h.cycles(latency)}})
	return h.b.Instr(idg.Instr{Op: op, Lanes: 32, Pos: idg.Pos{File: "k.cl", Line: len(h.mapping.Entries)}})
}

func (h *hand) add(i idg.InstrID, after ...idg.Executed) idg.Executed {
	edges := make([]idg.Edge, len(after))
	for k, a := range after {
		edges[k] = idg.Edge{From: a, Kind: idg.Data}
	}
	return h.b.Add(i, edges...)
}

func (h *hand) chain(times int, classes ...idg.InstrID) *hand {
	n := 0
	for range times {
		for _, c := range classes {
			if n == 0 {
				h.add(c)
			} else {
				h.add(c, idg.Executed(n-1))
			}
			n++
		}
	}
	return h
}

// plain is an instruction that a device file knows.
func (h *hand) plain(op, kind string) idg.InstrID {
	return h.b.Instr(idg.Instr{Op: op, Type: kind, Lanes: 32, Pos: idg.Pos{File: "k.cl", Line: 1}})
}

// access is an access of 32 words with a stride in words.
func (h *hand) access(op string, space idg.Space, words int64) idg.InstrID {
	a := idg.Access{Space: space, Width: 4}
	for lane := range int64(32) {
		a.Offsets = append(a.Offsets, 4*words*lane)
	}
	return h.b.Instr(idg.Instr{Op: op, Type: "f32", Access: h.b.Access(a), Lanes: 32,
		Pos: idg.Pos{File: "k.cl", Line: 1}})
}

func (h *hand) graph(groups int64) *idg.Graph {
	g, err := h.b.Build(idg.Header{
		Source: idg.Source{File: "k.cl", Dialect: "opencl"}, Kernel: "k", Level: "O2", Compiler: "none",
		Launch: idg.Launch{Local: [3]int64{32, 1, 1}, Groups: [3]int64{groups, 1, 1}, WarpSize: 32},
	})
	if err != nil {
		h.t.Fatal(err)
	}
	return g
}

// on maps the graph to a built-in device.
func (h *hand) on(device string, rules ...latencies.Rule) (*idg.Graph, *latencies.Mapping, error) {
	d, err := latencies.Builtin(device)
	if err != nil {
		return nil, nil, err
	}
	m, err := latencies.NewMapper(d, rules)
	if err != nil {
		return nil, nil, err
	}
	g := h.graph(1)
	mapping, err := m.Map(g)
	return g, mapping, err
}

// run simulates n groups of one warp, all resident.
func (h *hand) run(n int64, cfg simulate.Config) (float64, error) {
	cfg.Groups, cfg.Concurrent = n, n
	r, err := simulate.Run(context.Background(), h.graph(1), &h.mapping, cfg)
	if err != nil {
		return 0, err
	}
	return r.Cycles.Float(), r.Verify()
}

// exampleGraph is the article's kernel: CCMCMC.
func exampleGraph(t *testing.T) *hand {
	h := newHand(t, "comp", "mem")
	c, m := h.class("add.f32", 0, "1", "4"), h.class("ld.global", 1, "2", "6")
	m0 := h.add(m, h.add(c), h.add(c))
	h.add(c, h.add(m, h.add(c, m0)))
	return h
}

// exampleInput is what the tool's models read of it.
func exampleInput(t *testing.T) *analytic.Input {
	h := exampleGraph(t)
	in, err := analytic.FromGraph(h.graph(1), &h.mapping, analytic.Options{})
	if err != nil {
		t.Fatal(err)
	}
	in.MemIssue = 1
	return in
}

// mixGraph is so many times one operation and α additions, all in one chain.
func mixGraph(t *testing.T, rounds, alpha int, first, add cell, limit string) *hand {
	h := newHand(t, "one", "alu")
	if limit != "" {
		h.mapping.Device.IssueLimit = h.cycles(limit)
	}
	round := []idg.InstrID{h.class("ld.global", 0, exact(first.l), exact(first.L))}
	a := h.class("add.f32", 1, exact(add.l), exact(add.L))
	for range alpha {
		round = append(round, a)
	}
	return h.chain(rounds, round...)
}

// steady simulates one operation and α additions that all depend on each other: operations per cycle among n warps in
// the steady state.
func steady(t *testing.T, n int64, alpha int, first, add cell, limit string, s simulate.Scheduler) (float64, error) {
	var cycles [2]float64
	times := [2]int{20, 40}
	for k, rounds := range times {
		c, err := mixGraph(t, rounds, alpha, first, add, limit).run(n, simulate.Config{Scheduler: s})
		if err != nil {
			return 0, err
		}
		cycles[k] = c
	}
	return float64(times[1]-times[0]) * float64(n) / (cycles[1] - cycles[0]), nil
}

// exact is a number of cycles, or the inverse of a printed throughput.
func exact(x float64) string {
	if x == math.Trunc(4*x)/4 {
		return fmt.Sprint(x)
	}
	return fmt.Sprintf("10000/%d", int(math.Round(1e4/x)))
}

// toolMix is T.4.1 as the tool takes it.
func (g volkovGPU) toolMix() analytic.Mix {
	return analytic.Mix{
		CompCPI: 1 / g.aluThru, CompLatency: g.aluLat, MemCPI: 1 / g.memThru, MemLatency: g.memLat,
		IssueLimit: g.issue, Schedulers: g.schedulers,
	}
}

// input is what the tool's models read of V16's mix, so many accesses long.
func (g volkovGPU) input(alpha, accesses int) *analytic.Input {
	in := g.toolMix().Input(alpha, accesses)
	in.MemIssue = 1 / g.aluThru // V16 7.2: "a generic issue latency"
	in.Memory.Units, in.Memory.ClockHz = g.sms, g.ghz*1e9
	in.Memory.Service = g.ghz * 128 / g.pins
	in.Memory.BytesPerWarp = 128 * float64(accesses)
	return in
}

// says is what a model of the tool says of n warps, in warps per cycle.
func says(name string, in *analytic.Input, n float64) (float64, error) {
	for _, m := range analytic.Models() {
		if m.About().Name == name {
			e := analytic.Evaluate(m, in, n)
			if e.Invalid != "" {
				return 0, fmt.Errorf("%s: %s", name, e.Invalid)
			}
			return e.WarpsPerCycle, nil
		}
	}
	return 0, fmt.Errorf("no model %s", name)
}

func asks(name string, in *analytic.Input, n float64) func() (float64, error) {
	return func() (float64, error) { return says(name, in, n) }
}

// over is the largest relative difference of the tool's model from a formula in warps per cycle, for 1 to most warps.
func over(name string, in *analytic.Input, most float64, want func(n float64) float64) func() (float64, error) {
	return func() (float64, error) {
		worst := 0.0
		for n := 1.0; n <= most; n++ {
			got, err := says(name, in, n)
			if err != nil {
				return 0, fmt.Errorf("ω = %v: %w", n, err)
			}
			worst = math.Max(worst, math.Abs(got/want(n)-1))
		}
		return worst, nil
	}
}

// overAll is that for each of the α.
func overAll(
	name string, alphas []int, most float64, in func(a int) *analytic.Input, want func(n, a float64) float64,
) func() (float64, error) {
	return func() (float64, error) {
		worst := 0.0
		for _, a := range alphas {
			w, err := over(name, in(a), most, func(n float64) float64 { return want(n, float64(a)) })()
			if err != nil {
				return 0, err
			}
			worst = math.Max(worst, w)
		}
		return worst, nil
	}
}

// parameters are λ and Λ of an op in a built-in device file.
func parameters(device, op string) (cell, error) {
	d, err := latencies.Builtin(device)
	if err != nil {
		return cell{}, err
	}
	found := cell{}
	for _, in := range d.Instructions {
		if in.Match == op {
			found = cell{in.Timing.CPI.Float(), in.Timing.Latency.Float()}
		}
	}
	return found, nil
}
