package idg

import (
	"math"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"gpupipe/internal/test/tools"
)

// costs looks λ and Λ up by op.
func costs(g *Graph, table map[string][2]int64) Costs {
	return g.WarpCosts(
		func(id InstrID) int64 { return table[g.Instr(id).Op][0] },
		func(id InstrID) int64 { return table[g.Instr(id).Op][1] })
}

// fig1 is P19 Fig. 1: z = a*x + y; Y[i] = z.
func fig1(t testing.TB) *Graph {
	b := NewBuilder()
	at := func(line int) Pos { return Pos{File: "fig1.cl", Line: line, Column: 5} }
	ld := Instr{Op: "ld.global", Type: "f32", Lanes: 32}
	b.Begin(0)
	index := b.Add(b.Instr(Instr{Op: "index", Lanes: 32, Pos: at(2)}))
	ld.Pos = at(3)
	x := b.Add(b.Instr(ld), Edge{index, Data})
	ld.Pos = at(4)
	y := b.Add(b.Instr(ld), Edge{index, Data})
	z := b.Add(b.Instr(Instr{Op: "fma.f32", Lanes: 32, Pos: at(5)}), Edge{x, Data}, Edge{y, Data})
	b.Add(b.Instr(Instr{Op: "st.global", Type: "f32", Lanes: 32, Pos: at(6)}), Edge{z, Data})
	return build(t, b, header(1))
}

// articleExample is the kernel of A Fig. 1: two independent computations, then
// a chain of two more and two memory reads.
func articleExample(t testing.TB) *Graph {
	b := NewBuilder()
	comp, mem := b.Instr(Instr{Op: "comp", Lanes: 32}), b.Instr(Instr{Op: "mem", Lanes: 32})
	b.Begin(0)
	one, two := b.Add(comp), b.Add(comp)
	v := b.Add(mem, Edge{one, Data}, Edge{two, Data})
	for _, in := range []InstrID{comp, mem, comp} {
		v = b.Add(in, Edge{v, Data})
	}
	return build(t, b, header(1))
}

func TestCriticalPathGoldenNumbers(t *testing.T) {
	f, a := fig1(t), articleExample(t)
	// λ and Λ that no two sums confuse.
	fc := costs(f, map[string][2]int64{"index": {1, 10}, "ld.global": {200, 3000}, "fma.f32": {7, 40000},
		"st.global": {200, 500000}})
	ac := costs(a, map[string][2]int64{"comp": {1, 4}, "mem": {2, 6}}) // A Table 2
	for _, c := range []struct {
		name          string
		g             *Graph
		costs         Costs
		path, latency int64
		nodes         []NodeID
		starts        []int64
	}{
		// The last store costs λ: golden 2. The second load, which shares the
		// memory pipeline, adds λ_mem to one warp's time.
		{"P19 Fig. 1", f, fc, 10 + 3000 + 40000 + 200, 10 + 200 + 3000 + 40000 + 200, []NodeID{0, 1, 3, 4},
			[]int64{0, 10, 3010, 43010}},
		{"P19 Fig. 1, units", f, UnitCosts(), 4, 5, []NodeID{0, 1, 3, 4}, []int64{0, 1, 2, 3}},
		// One warp takes 25 cycles: golden 3 and 16, A Eq. 2.
		{"A Fig. 1", a, ac, 24, 25, []NodeID{0, 2, 3, 4, 5}, []int64{0, 4, 10, 14, 20}},
		{"A Fig. 1, without λ", a, Costs{Completion: ac.Completion}, 24, 24, []NodeID{0, 2, 3, 4, 5},
			[]int64{0, 4, 10, 14, 20}},
	} {
		t.Run(c.name, func(t *testing.T) {
			p := c.g.Programs()[0]
			path, err := CriticalPath(p, c.costs)
			if err != nil || path.Length != c.path || !slices.Equal(path.Nodes, c.nodes) ||
				!slices.Equal(path.Starts, c.starts) {
				t.Errorf("path %+v, error %v, want length %d, nodes %v, starts %v", path, err, c.path,
					c.nodes, c.starts)
			}
			if got, err := WarpLatency(p, c.costs); err != nil || got != c.latency {
				t.Errorf("latency %d, error %v, want %d", got, err, c.latency)
			}
		})
	}
}

func TestOrderEdgesWaitForIssue(t *testing.T) {
	b := NewBuilder()
	st, bar := b.Instr(Instr{Op: "st.local", Lanes: 32}), b.Instr(Instr{Op: "barrier", Lanes: 32})
	b.Begin(0)
	s := b.Add(st)
	v := b.Add(bar, Edge{s, Order})
	b.Add(bar, Edge{v, Control})
	g := build(t, b, header(1))
	both := costs(g, map[string][2]int64{"st.local": {3, 100}, "barrier": {1, 34}})
	for _, c := range []struct {
		name  string
		costs Costs
		want  int64
	}{{"with λ", both, 3 + 34 + 34}, {"Λ alone", Costs{Completion: both.Completion}, 34 + 34}} {
		if path, err := CriticalPath(g.Programs()[0], c.costs); err != nil || path.Length != c.want {
			t.Errorf("%s: %+v, error %v, want %d", c.name, path, err, c.want)
		}
	}
}

// longest tries every chain: the obvious reference.
func longest(p *Flat, c Costs, v NodeID) int64 {
	var best int64
	from, kind := p.Preds(v)
	for e, u := range from {
		wait := c.Completion
		if kind[e] == Order {
			wait = c.Issue
		}
		best = max(best, longest(p, c, u)+wait(p.Instr(u)))
	}
	return best
}

func TestCriticalPathAgreesWithEveryChain(t *testing.T) {
	for seed := range uint64(tools.Cases(300, 80)) {
		r := rand.New(rand.NewPCG(seed, 10))
		b := NewBuilder()
		var ids []InstrID
		for i := range 4 {
			ids = append(ids, b.Instr(Instr{Op: string(rune('a' + i)), Lanes: 1}))
		}
		table := map[InstrID][2]int64{}
		for _, id := range ids {
			table[id] = [2]int64{r.Int64N(4), r.Int64N(9)}
		}
		b.Begin(0)
		for v := range 1 + r.IntN(14) {
			var edges []Edge
			for u := range v {
				if r.IntN(4) == 0 {
					edges = append(edges, Edge{Executed(u), EdgeKind(1 + r.IntN(3))})
				}
			}
			b.Add(ids[r.IntN(len(ids))], edges...)
		}
		p := build(t, b, header(1)).Programs()[0]
		c := Costs{
			Issue:      func(id InstrID) int64 { return table[id][0] },
			Completion: func(id InstrID) int64 { return table[id][1] },
		}
		path, err := CriticalPath(p, c)
		if err != nil {
			t.Fatal(err)
		}
		var want int64
		f := flat(t, p)
		for v := range f.Len() {
			want = max(want, longest(f, c, NodeID(v))+c.Completion(f.Instr(NodeID(v))))
		}
		if path.Length != want {
			t.Fatalf("seed %d: length %d, want %d", seed, path.Length, want)
		}
		checkChain(t, f, c, path)
		if again, _ := CriticalPath(p, c); !slices.Equal(again.Nodes, path.Nodes) {
			t.Fatalf("seed %d: another path the second time", seed)
		}
		ilp, err := ILPProfile(p)
		if err != nil {
			t.Fatal(err)
		}
		if units, err := CriticalPath(p, UnitCosts()); err != nil || int(units.Length) != ilp.Depth() {
			t.Fatalf("seed %d: %d instructions on the critical path, %d levels", seed, units.Length, ilp.Depth())
		}
	}
}

// checkChain checks that a path's nodes depend on each other and that its times
// add up.
func checkChain(t *testing.T, p *Flat, c Costs, path Path) {
	t.Helper()
	last := len(path.Nodes) - 1
	for i, v := range path.Nodes {
		var took int64
		if i == last {
			took = path.Length - path.Starts[i]
			if want := c.Completion(p.Instr(v)); took != want {
				t.Fatalf("the last node takes %d, want %d: %+v", took, want, path)
			}
			continue
		}
		took = path.Starts[i+1] - path.Starts[i]
		from, kind := p.Preds(path.Nodes[i+1])
		e := slices.Index(from, v)
		if e < 0 {
			t.Fatalf("no edge from %d to %d: %+v", v, path.Nodes[i+1], path)
		}
		want := c.Completion(p.Instr(v))
		if kind[e] == Order {
			want = c.Issue(p.Instr(v))
		}
		if took != want {
			t.Fatalf("%d ticks pass in node %d, want %d: %+v", took, v, want, path)
		}
	}
	if path.Starts[0] != 0 {
		t.Fatalf("the path begins at %d: %+v", path.Starts[0], path)
	}
}

func TestCriticalPathLimits(t *testing.T) {
	p := fig1(t).Programs()[0]
	each := func(n int64) Costs { return Costs{Completion: func(InstrID) int64 { return n }} }
	for _, c := range []struct {
		name string
		do   func() error
		want string
	}{
		{"negative", func() error { _, err := CriticalPath(p, each(-1)); return err }, "negative cost -1"},
		{"negative λ", func() error {
			_, err := CriticalPath(p, Costs{Completion: each(1).Completion, Issue: each(-2).Completion})
			return err
		}, "negative cost -2"},
		{"overflow", func() error { _, err := CriticalPath(p, each(math.MaxInt64/2)); return err },
			"longer than 2^63-1"},
		{"overflow at the end", func() error { _, err := CriticalPath(p, each(math.MaxInt64/4+1)); return err },
			"longer than 2^63-1"},
		{"overflow of λ", func() error {
			_, err := WarpLatency(p, Costs{Completion: each(1).Completion, Issue: each(math.MaxInt64).Completion})
			return err
		}, "longer than 2^63-1"},
		{"overflow of work", func() error { _, _, err := Parallelism(p, each(math.MaxInt64/4)); return err },
			"longer than 2^63-1"},
	} {
		if err := c.do(); err == nil || !strings.Contains(err.Error(), c.want) {
			t.Errorf("%s: error %v, want %q", c.name, err, c.want)
		}
	}
	empty := &Program{}
	if path, err := CriticalPath(empty, UnitCosts()); err != nil || path.Length != 0 || path.Nodes != nil {
		t.Errorf("empty program: %+v, error %v", path, err)
	}
}
