package schedule_test

import (
	"math/rand/v2"
	"slices"
	"testing"

	"gpupipe/idg"
	"gpupipe/latencies"
	"gpupipe/simulate/schedule"
)

// mapped returns the built-in A100's mapping of a graph.
func mapped(t testing.TB, g *idg.Graph) *latencies.Mapping {
	t.Helper()
	d, err := latencies.Builtin("a100")
	if err != nil {
		t.Fatal(err)
	}
	mapper, err := latencies.NewMapper(d, nil)
	if err != nil {
		t.Fatal(err)
	}
	m, err := mapper.Map(g)
	if err != nil {
		t.Fatal(err)
	}
	return m
}

func build(t testing.TB, b *idg.Builder) *idg.Graph {
	t.Helper()
	g, err := b.Build(idg.Header{Kernel: "k", Launch: idg.Launch{Local: [3]int64{32, 1, 1}, Groups: [3]int64{1, 1, 1},
		WarpSize: 32}})
	if err != nil {
		t.Fatal(err)
	}
	return g
}

// ops lists the ops of the first program in order.
func ops(t testing.TB, g *idg.Graph) []string {
	t.Helper()
	f, err := g.Programs()[0].Expanded(1 << 20)
	if err != nil {
		t.Fatal(err)
	}
	var out []string
	for v := range f.Len() {
		out = append(out, g.Instr(f.Instr(idg.NodeID(v))).Op)
	}
	return out
}

// chain is n times a load and a multiply-add that adds to the one before it.
func chain(t testing.TB, n int) *idg.Graph {
	b := idg.NewBuilder()
	b.Begin(0)
	load := b.Instr(idg.Instr{Op: "ld.local", Type: "f32",
		Access: b.Access(idg.Access{Space: idg.SpaceLocal, Width: 4, Offsets: make([]int64, 32)}), Lanes: 32})
	fma := b.Instr(idg.Instr{Op: "fma.f32", Lanes: 32})
	var sum []idg.Edge
	for range n {
		l := b.Add(load)
		sum = []idg.Edge{{From: b.Add(fma, append(slices.Clone(sum), idg.Edge{From: l, Kind: idg.Data})...),
			Kind: idg.Data}}
	}
	return build(t, b)
}

// TestLoadsMoveUp: loads go ahead of the multiply-adds that wait, as many as there
// are registers.
func TestLoadsMoveUp(t *testing.T) {
	g := chain(t, 8)
	m := mapped(t, g)
	for _, c := range []struct {
		registers int64
		ahead     int // loads before the first multiply-add
	}{{1, 1}, {3, 3}, {100, 8}} {
		s, err := schedule.Graph(g, m, c.registers)
		if err != nil {
			t.Fatal(err)
		}
		if got := slices.Index(ops(t, s), "fma.f32"); got != c.ahead {
			t.Errorf("%d registers: %d loads go first, want %d: %v", c.registers, got, c.ahead, ops(t, s))
		}
	}
}

// TestRandomPrograms: a scheduled program has the instructions of the original,
// verifies, keeps writes in order and lets nothing cross a barrier.
func TestRandomPrograms(t *testing.T) {
	r := rand.New(rand.NewPCG(1, 2))
	names := []string{"ld.global", "st.global", "fma.f32", "add.s32", "setp.s32", "branch", "loop", "barrier"}
	for range 300 {
		b := idg.NewBuilder()
		b.Begin(0)
		n := 1 + r.IntN(60)
		for v := range n {
			var preds []idg.Edge
			for u := range v {
				if r.IntN(v) < 2 {
					preds = append(preds, idg.Edge{From: idg.Executed(u), Kind: idg.EdgeKind(1 + r.IntN(3))})
				}
			}
			// The line tells instructions of one op apart.
			b.Add(b.Instr(idg.Instr{Op: names[r.IntN(len(names))], Lanes: 32, Pos: idg.Pos{Line: v + 1}}), preds...)
		}
		g := build(t, b)
		s, err := schedule.Graph(g, mapped(t, g), int64(r.IntN(20)))
		if err != nil {
			t.Fatal(err)
		}
		if err := s.Verify(); err != nil {
			t.Fatal(err)
		}
		before, after := lines(t, g), lines(t, s)
		if !slices.Equal(sorted(before), sorted(after)) {
			t.Fatalf("the instructions %v became %v", before, after)
		}
		fences, writes := 0, 0
		for i, line := range after {
			switch op := ops(t, s)[i]; op {
			case "barrier":
				if line != i+1 {
					t.Fatalf("the barrier of line %d is at place %d", line, i+1)
				}
				fences++
			case "st.global":
				if line < writes {
					t.Fatalf("the write of line %d stands behind that of line %d", line, writes)
				}
				writes = line
			}
		}
		again, err := schedule.Graph(g, mapped(t, g), 5)
		if err != nil {
			t.Fatal(err)
		}
		twice, err := schedule.Graph(g, mapped(t, g), 5)
		if err != nil {
			t.Fatal(err)
		}
		if !slices.Equal(lines(t, again), lines(t, twice)) {
			t.Fatal("two runs differ")
		}
	}
}

func lines(t testing.TB, g *idg.Graph) []int {
	t.Helper()
	f, err := g.Programs()[0].Expanded(1 << 20)
	if err != nil {
		t.Fatal(err)
	}
	var out []int
	for v := range f.Len() {
		out = append(out, g.Instr(f.Instr(idg.NodeID(v))).Pos.Line)
	}
	return out
}

func sorted(list []int) []int { return slices.Sorted(slices.Values(list)) }

func BenchmarkSchedule(b *testing.B) {
	g := chain(b, 5000)
	m := mapped(b, g)
	b.ReportAllocs()
	for b.Loop() {
		if _, err := schedule.Graph(g, m, 32); err != nil {
			b.Fatal(err)
		}
	}
	b.ReportMetric(float64(b.N)*10_000/b.Elapsed().Seconds(), "instr/s")
}
