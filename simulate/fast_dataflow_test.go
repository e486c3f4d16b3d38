package simulate

import (
	"fmt"
	"math/rand/v2"
	"testing"

	"gpupipe/idg"
)

// TestManyLatencies: dataflow issue with more rings of events than a block has.
func TestManyLatencies(t *testing.T) {
	r := rand.New(rand.NewPCG(8, 9))
	f := newFixture(t, 2, "alu", "mem")
	f.begin()
	for v := range 200 {
		c := f.class("add.f32", []string{"alu", "mem"}[r.IntN(2)], "1", fmt.Sprintf("%d.25", 1+r.IntN(400)))
		if v < 4 {
			f.builder.Add(c)
			continue
		}
		f.builder.Add(c, data(idg.Executed(v-1-r.IntN(4))))
	}
	g := f.graph(1)
	for _, n := range []int64{12, 40} {
		cfg := Config{Groups: n, Concurrent: 12, Full: true, Engine: EngineReference}
		want := f.run(g, cfg)
		cfg.Engine = EngineFast
		if d := difference(f.run(g, cfg), want); d != "" {
			t.Error(d)
		}
	}
}

// TestManyDependences: more than a byte counts, exact multiples included.
func TestManyDependences(t *testing.T) {
	for _, n := range []int{254, 255, 256, 510, 511, 1000} {
		f := newFixture(t, 1, "alu")
		in := f.class("add.f32", "alu", "1", "4")
		f.begin()
		var all []idg.Edge
		for v := range n {
			f.builder.Add(in)
			all = append(all, data(idg.Executed(v)))
		}
		f.builder.Add(in, all...)
		// One issue per cycle; the last one waits for the one before.
		want := cycles(t, fmt.Sprint(n-1+4+4))
		g := f.graph(1)
		for _, mode := range []IssueMode{Dataflow, InOrder, Blocks} {
			if r := f.run(g, Config{Issue: mode}); r.Cycles != want {
				t.Errorf("%d dependences, %v: %v cycles, want %v", n, mode, r.Cycles, want)
			}
		}
	}
}

// TestManyDependencesInLoops: the same of several instructions of a loop that is walked, of which warps execute
// iterations ahead.
func TestManyDependencesInLoops(t *testing.T) {
	f := newFixture(t, 2, "alu", "memory")
	in, slow := f.class("add.f32", "alu", "0.25", "4"), f.class("ld.local", "memory", "3", "50")
	f.begin()
	b := f.builder
	var sums []idg.Executed
	gate := b.Add(in)
	b.BeginLoop()
	for i := range 12 {
		if i > 0 {
			b.NextIteration()
		}
		var all []idg.Edge
		for k := range 300 {
			all = append(all, data(b.Add([]idg.InstrID{in, slow}[k%40/39], control(gate))))
		}
		for k := range 3 {
			sums = append(sums, b.Add(in, all[k:290+3*k]...))
		}
		gate = b.Add(in, control(gate))
	}
	b.EndLoop()
	b.Add(in, data(sums[len(sums)-1]))
	g := f.graph(1)
	cfg := Config{Groups: 3, Concurrent: 2, Issue: Dataflow, Full: true, Engine: EngineReference}
	want := f.run(g, cfg)
	for _, walkedFrom := range []int64{0, 100} {
		cfg.Engine, cfg.walkedFrom = EngineFast, walkedFrom
		if d := difference(f.run(g, cfg), want); d != "" {
			t.Errorf("loops of %d instructions: %s", walkedFrom, d)
		}
	}
}
