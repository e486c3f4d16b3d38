package registers

import (
	"testing"

	"gpupipe/idg"
	"gpupipe/idg/idgtest"
	"gpupipe/internal/target"
)

// TestSavingOrder holds what an order must keep: operands in front, nothing across a gate.
func TestSavingOrder(t *testing.T) {
	for seed := range uint64(200) {
		g := randomProgram(t, seed)
		for _, p := range g.Programs() {
			l := ClassesOf(g).whole(p)
			checkOrder(t, seed, l, l.saving(), func(idg.EdgeKind) bool { return true })
		}
	}
}

// randomProgram is one of any instructions and edges, with loops.
func randomProgram(t *testing.T, seed uint64) *idg.Graph {
	return idgtest.Random{Seed: seed, Lines: 10 + int(seed%50), Depth: int(seed % 4), Trips: func() int {
		return 1 + int(seed%5)
	}, Ops: idgtest.Everything, AnyEdges: true}.Graph(t)
}

// checkOrder fails where an order of a program lacks an instruction, takes one across a
// gate, or in front of one that it depends on by an edge of some kinds.
func checkOrder(t *testing.T, seed uint64, l *Live, order []idg.NodeID, kept func(idg.EdgeKind) bool) {
	t.Helper()
	f := l.Flat
	at := make([]int, f.Len())
	if len(order) != f.Len() {
		t.Fatalf("seed %d: %d instructions in order, of %d", seed, len(order), f.Len())
	}
	for i, v := range order {
		at[v] = i + 1
	}
	gate := 0
	for v := range idg.NodeID(f.Len()) {
		if at[v] == 0 {
			t.Fatalf("seed %d: instruction %d is not in the order", seed, v)
		}
		if at[v] <= gate {
			t.Fatalf("seed %d: instruction %d has crossed a gate", seed, v)
		}
		if l.Gated(v) {
			if at[v] != int(v)+1 {
				t.Fatalf("seed %d: gate %d has moved", seed, v)
			}
			gate = at[v]
		}
		from, kind := f.Preds(v)
		for i, u := range from {
			if kept(kind[i]) && at[u] > at[v] {
				t.Fatalf("seed %d: instruction %d stands in front of its operand %d", seed, v, u)
			}
		}
	}
}

// slidingWindow is sums over a window that slides over values in local memory, each of
// which is loaded once: sum i adds up the values i*lag to i*lag+steps-1, all sums
// in step. Then the sums are stored.
func slidingWindow(t *testing.T, sums, steps, lag int) *idg.Graph {
	b := idg.NewBuilder()
	b.Begin(0)
	access := b.Access(idg.Access{Space: idg.SpaceLocal, Width: 4, Assumed: "test"})
	load := b.Instr(idg.Instr{Op: "ld.local", Type: "f32", Lanes: 32, Pos: idg.Pos{Line: 1}, Access: access})
	fma := b.Instr(idg.Instr{Op: "fma.f32", Lanes: 32, Pos: idg.Pos{Line: 2}})
	store := b.Instr(idg.Instr{Op: "st.local", Type: "f32", Lanes: 32, Pos: idg.Pos{Line: 3},
		Access: b.Access(idg.Access{Space: idg.SpaceLocal, Store: true, Width: 4, Assumed: "test"})})
	sum := make([]idg.Executed, sums)
	loaded := map[int]idg.Executed{}
	for d := range steps {
		for i := range sums {
			v, ok := loaded[d+i*lag]
			if !ok {
				v = b.Add(load)
				loaded[d+i*lag] = v
			}
			if d == 0 {
				sum[i] = b.Add(fma, idg.Edge{From: v, Kind: idg.Data})
			} else {
				sum[i] = b.Add(fma, idg.Edge{From: v, Kind: idg.Data}, idg.Edge{From: sum[i], Kind: idg.Data})
			}
		}
	}
	for _, s := range sum {
		b.Add(store, idg.Edge{From: s, Kind: idg.Data})
	}
	return idgtest.Build(t, b)
}

// TestSavingWindow checks that values die early in code that is ordered
// together, and that those alive at a cut stay.
func TestSavingWindow(t *testing.T) {
	const sums, lag = 8, 60
	// A step is a multiply-add for each sum and, behind the first lag steps, one load.
	instructions := func(steps int) int { return sums*steps + steps + (sums-1)*lag }
	for _, steps := range []int{100, 300, 400} {
		if instructions(steps) > idg.OrderedTogether {
			t.Fatal("the code is cut")
		}
		// A value and the sums that it is added to, which begin lag steps apart.
		want := 1 + min(sums, (steps+lag-1)/lag)
		if got := Estimate(slidingWindow(t, sums, steps, lag), target.InVectorRegisters) - stackPointer; got != want {
			t.Errorf("%d steps: %d registers, want %d", steps, got, want)
		}
	}
	for _, steps := range []int{420, 440, 450} {
		// Behind the cut are the last steps; in each, all sums but the last one
		// use a value that was loaded lag steps ago, for the next sum.
		behind := (instructions(steps) - idg.OrderedTogether) / (sums + 1)
		alive := behind*(sums-1) + sums
		if got := Estimate(slidingWindow(t, sums, steps, lag), target.InVectorRegisters) - stackPointer; got < alive ||
			got > alive+sums {
			t.Errorf("%d steps: %d registers, want %d to %d", steps, got, alive, alive+sums)
		}
	}
	// Behind a cut after 468 steps or more, the last lag steps of a sum use what the next
	// sum uses behind the cut too. At the end of such code three sums go on at once.
	for _, steps := range []int{475, 480, 900} {
		if got := Estimate(slidingWindow(t, sums, steps, lag), target.InVectorRegisters) - stackPointer; got < 2*lag ||
			got > 2*lag+2*sums {
			t.Errorf("%d steps: %d registers, want %d to %d", steps, got, 2*lag, 2*lag+2*sums)
		}
	}
}
