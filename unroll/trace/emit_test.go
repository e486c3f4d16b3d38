package trace

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"gpupipe/idg"
	"gpupipe/internal/target"
	"gpupipe/lower"
)

// emitted returns the program of a trace in a verified graph.
func emitted(t *testing.T, x *Trace, live []bool, complete bool) (*idg.Graph, *idg.Flat) {
	t.Helper()
	b := idg.NewBuilder()
	if !x.Emit(b, live, 0, complete, 1<<20) {
		t.Fatal("over budget")
	}
	g, err := b.Build(idg.Header{Launch: idg.Launch{Local: [3]int64{32, 1, 1}, Groups: [3]int64{1, 1, 1},
		WarpSize: 32}})
	if err != nil {
		t.Fatal(err)
	}
	f, err := g.Programs()[0].Expanded(idg.MaxExpanded)
	if err != nil {
		t.Fatal(err)
	}
	return g, f
}

// listing is a program as text: each op with its dependences, data as they are, control with !, order with <.
func listing(g *idg.Graph, f *idg.Flat) string {
	var out []string
	for v := range f.Len() {
		s := g.Instr(f.Instr(idg.NodeID(v))).Op
		from, kinds := f.Preds(idg.NodeID(v))
		for i, u := range from {
			s += " " + map[idg.EdgeKind]string{idg.Data: "", idg.Control: "!", idg.Order: "<"}[kinds[i]] + fmt.Sprint(u)
		}
		out = append(out, s)
	}
	return strings.Join(out, "; ")
}

// TestEmit: dependences on gates, and what barriers wait for.
func TestEmit(t *testing.T) {
	for _, c := range []struct {
		text     string
		machine  bool
		complete bool
		want     string
	}{
		{"a = ld.global; b = add.f32 a; barrier; c = add.f32 b; st.global c", false, false,
			"ld.global; add.f32 0; barrier <1; add.f32 1 !2; st.global 3"},
		{"a = ld.global; b = add.f32 a; st.local b; barrier; c = add.f32 b; st.global c", false, true,
			"ld.global; add.f32 0; st.local 1; barrier <2; add.f32 1 !3; st.global 4"},
		{"a = ld.global; branch a; b = ld.global; st.global b", false, false,
			"ld.global; branch 0; ld.global !1; st.global 2"},
		{"a = ld.global; b = add.s64 a; st.global b", true, false, "ld.global; add.s32 0; add.s32 1; st.global 1 2"},
		{"a = ld.global; b = and.s64 a; st.global b", true, false, "ld.global; and.s32 0; and.s32 0; st.global 1 2"},
	} {
		n := assemble(t, Options{target.Target{MachineCode: c.machine, Compiler: target.NVCC, Level: target.O2},
			nil}, c.text)
		g, f := emitted(t, &n.t, n.t.Finish(), c.complete)
		if got := listing(g, f); got != c.want {
			t.Errorf("%s becomes\n%s, want\n%s", c.text, got, c.want)
		}
	}
}

// TestSkip: what is not recorded is written, as if it had been.
func TestSkip(t *testing.T) {
	iteration := func(x *Trace, before NodeID) NodeID {
		x.Mark(IterationBegins)
		var deps []NodeID
		if before != 0 {
			deps = []NodeID{before}
		}
		sum := x.Add(Node{Op: "add.f32", Lanes: 32, Flags: Root, Loop: 1}, deps, nil)
		x.Add(Node{Op: LoopOp, Lanes: 32, Flags: Root | Gate, Loop: 1}, nil, nil)
		return sum
	}
	const recorded, skipped, behind = 2*SteadyPeriods + 2, 1000, 2*SteadyPeriods + 2
	var whole, short Trace
	var from Bookmark
	record := func(x *Trace, n int, last NodeID) NodeID {
		for range n {
			from = x.Here()
			last = iteration(x, last)
		}
		return last
	}
	whole.Mark(LoopBegins)
	record(&whole, recorded+skipped+behind, 0)
	whole.Mark(LoopEnds)

	short.Mark(LoopBegins)
	last := record(&short, recorded, 0)
	s := short.Repetition(from, short.Here())
	if s.Loop = lower.LoopID(1); !short.Recurs(&s) {
		t.Fatal("iterations that are alike are not found to be")
	}
	s.Copies = skipped
	short.AddSkip(s)
	record(&short, behind, last)
	short.Mark(LoopEnds)
	if got := int64(short.Nodes()) + short.Skipped; got != int64(whole.Nodes()) {
		t.Errorf("%d nodes are recorded or skipped, want %d", got, whole.Nodes())
	}
	live := short.Finish()
	if loops := short.Irregular(live, false); len(loops) > 0 {
		t.Errorf("loops %v are found to be irregular", loops)
	}
	if got, want := listing(emitted(t, &short, live, false)),
		listing(emitted(t, &whole, whole.Finish(), false)); got != want {
		t.Errorf("the program of the skipped trace has %d instructions, the whole one %d, or they differ",
			strings.Count(got, ";")+1, strings.Count(want, ";")+1)
	}

	live[2*recorded-3] = false // a node of the last repetition in front
	if loops := short.Irregular(live, false); !slices.Equal(loops, []lower.LoopID{1}) {
		t.Errorf("loops %v are irregular, want loop 1", loops)
	}
}

// TestEmitBudget: what is skipped and does not fold is not written beyond the budget.
func TestEmitBudget(t *testing.T) {
	var x Trace
	for range 2 * SteadyPeriods {
		x.Add(Node{Op: "add.f32", Lanes: 32, Flags: Root}, nil, nil)
	}
	x.AddSkip(Skip{At: x.Nodes(), Length: 1, Each: 1, Copies: 1 << 30})
	b := idg.NewBuilder()
	if x.Emit(b, x.Finish(), 0, false, 1<<10) {
		t.Error("2^30 instructions are written within a budget of 2^10")
	}
}

// TestKindAt: nodes are known by their index.
func TestKindAt(t *testing.T) {
	var x Trace
	x.Add(Node{Op: "bar", Loop: 3}, nil, nil)
	x.Add(Node{Op: "barrier", Flags: Barrier | Gate, Touch: 5}, nil, nil)
	x.JoinLast([]NodeID{1})
	if op, loop := x.KindAt(0); op.String() != "bar" || loop != 3 {
		t.Errorf("%s in loop %d", op, loop)
	}
	if x.IsBarrier(0) || !x.IsBarrier(1) || x.Touch(0) != 0 || x.Touch(1) != 5 ||
		!slices.Equal(x.deps(x.at(1)), []NodeID{1}) {
		t.Error("the second node is not as it was recorded")
	}
	x.Add(Node{Op: "add.f32"}, []NodeID{2}, nil)
	x.Add(Node{Op: "add.f32"}, []NodeID{3}, nil)
	for depth, want := range [][]NodeID{{4}, {3, 4}, {2, 3, 4}, {1, 2, 3, 4}} {
		if got := x.Ancestors(nil, []NodeID{4}, depth, 1); !slices.Equal(got, want) {
			t.Errorf("ancestors within %d steps: %v, want %v", depth, got, want)
		}
	}
	if got := x.Ancestors(nil, []NodeID{4}, 9, 3); !slices.Equal(got, []NodeID{3, 4}) {
		t.Errorf("ancestors from node 3 on: %v", got)
	}
}
