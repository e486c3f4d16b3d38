package idg

import (
	"bytes"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"
)

// randomCode makes programs for tests of spilling: instructions of one or two words (of one with a depth
// below 0) with random operands, barriers, and rolled loops within each other that go on with values.
type randomCode struct {
	b      *Builder
	r      *rand.Rand
	trips  func() int
	values []Executed
	own    int // in values: from where on the body made them, of which a loop within it goes on with some
	line   int
}

// instr adds an instruction at a line.
func (c *randomCode) instr(op string, line int, operands []Executed) Executed {
	var edges []Edge
	for _, u := range operands {
		edges = append(edges, Edge{u, Data})
	}
	return c.b.Add(c.b.Instr(Instr{Op: op, Lanes: 32, Pos: Pos{Line: line}}), edges...)
}

// body adds so many instructions, of which some are loops up to a depth.
func (c *randomCode) body(n, depth int) {
	ops := []string{"add.f32", "add.f32", "add.f32", "add.f64", "setp.s32"}
	if depth < 0 {
		ops = ops[:1]
	}
	for range n {
		c.line++
		switch k := c.r.IntN(40); {
		case k == 0:
			c.instr("barrier", c.line, nil)
		case k < 4 && depth > 0:
			c.loop(2+c.r.IntN(12), depth-1)
		default:
			var from []Executed
			for range min(c.r.IntN(3), len(c.values)) {
				from = append(from, c.values[c.r.IntN(len(c.values))])
			}
			op := ops[c.r.IntN(len(ops))]
			if v := c.instr(op, c.line, from); op != "setp.s32" { // else what uses it is moved to its block
				c.values = append(c.values, v)
			}
		}
	}
}

// loop adds a rolled loop, every iteration of which executes the same on what came before it and
// on what the last iteration left.
func (c *randomCode) loop(n, depth int) {
	variables := c.r.IntN(min(6, 1+len(c.values)-c.own))
	before := slices.Clone(c.values[:len(c.values)-variables])
	carried := slices.Clone(c.values[len(before):])
	random, own, first, seed := c.r, c.own, c.line, c.r.Uint64()
	c.b.BeginLoop()
	for i := range c.trips() {
		if i > 0 {
			c.b.NextIteration()
		}
		c.line, c.r = first, rand.New(rand.NewPCG(seed, 1))
		c.values = append(slices.Clone(before), carried...)
		c.own = len(c.values)
		c.body(n, depth)
		others := slices.DeleteFunc(c.values, func(u Executed) bool { return slices.Contains(carried, u) })
		for k := range carried {
			c.line++
			operands := []Executed{carried[k]}
			if len(others) > 0 {
				operands = append(operands, others[c.r.IntN(len(others))])
			}
			carried[k] = c.instr("add.f32", c.line, operands)
		}
		c.line++
		c.instr("loop", c.line, nil)
	}
	c.b.EndLoop()
	c.r, c.own = random, own
	c.values = append(before, carried...)
}

// spillingGraph is a program of about so many lines.
func spillingGraph(t *testing.T, seed uint64, n, depth int, trips func() int) *Graph {
	t.Helper()
	c := &randomCode{b: NewBuilder(), r: rand.New(rand.NewPCG(seed, 0)), trips: trips}
	c.b.Begin(0)
	for range 4 {
		c.values = append(c.values, c.instr("add.f32", 0, nil))
	}
	c.body(n, depth)
	g, err := c.b.Build(Header{Kernel: "k", Locality: []Locality{}, Launch: Launch{Local: [3]int64{32, 1, 1}, Groups: [3]int64{1, 1, 1}, WarpSize: 32}})
	if err != nil {
		t.Fatal(err)
	}
	return g
}

// TestSpilledFits: no program that spills needs more registers than there are, and without what
// spilling adds it is what it was.
func TestSpilledFits(t *testing.T) {
	spilled := 0
	for seed := range uint64(300) {
		trips := func() int { return 1 + int(seed)%9 }
		g := spillingGraph(t, seed, 20+int(seed)%60, int(seed)%3, trips)
		for _, u := range []UniformValues{InVectorRegisters, InScalarRegisters} {
			needed := g.EstimateRegisters(u)
			for _, limit := range []int{noValue(u) + 8, needed / 2, needed - 1, needed} {
				if limit < noValue(u)+8 {
					continue
				}
				h, _ := g.WithEstimate(u, limit)
				if err := h.Verify(); err != nil {
					t.Fatalf("seed %d: %v", seed, err)
				}
				if needed <= limit {
					if h.programs[0] != g.programs[0] || h.Spills().Bytes != 0 {
						t.Errorf("seed %d: a program of %d registers is changed for %d", seed, needed, limit)
					}
					continue
				}
				spilled++
				checkSpilled(t, seed, g, h)
				if got := h.EstimateRegisters(InScalarRegisters); u == InScalarRegisters && got > limit {
					t.Errorf("seed %d: %d registers of %d, %d before", seed, got, limit, needed)
				}
			}
		}
	}
	if spilled < 200 {
		t.Errorf("%d programs spill", spilled)
	}
}

// checkSpilled takes from a graph what spilling has added and compares it with the one before. Every
// load must find its value stored, by the value's own instruction.
func checkSpilled(t *testing.T, seed uint64, g, h *Graph) {
	t.Helper()
	was, err := g.programs[0].Expanded(1 << 20)
	if err != nil {
		t.Fatal(err)
	}
	is, err := h.programs[0].Expanded(1 << 20)
	if err != nil {
		t.Fatal(err)
	}
	number, value, stored := make([]NodeID, is.Len()), make([]NodeID, is.Len()), map[NodeID]NodeID{}
	n := NodeID(0)
	for v := range NodeID(is.Len()) {
		in := h.Instr(is.Instr(v))
		from, kind := is.Preds(v)
		if in.Access > 0 {
			last := from[len(from)-1]
			if in.Op == "st.private" {
				if last != v-1 || kind[len(from)-1] != Data {
					t.Fatalf("seed %d: %d stores %d", seed, v, last)
				}
				stored[v] = value[last]
			} else {
				if h.Instr(is.Instr(last)).Op != "st.private" || kind[len(from)-1] != Order {
					t.Fatalf("seed %d: %d loads %d", seed, v, last)
				}
				value[v] = stored[last]
			}
			continue
		}
		value[v], number[v] = v, n
		preds, kinds := was.Preds(n)
		if was.Instr(n) != is.Instr(v) || len(preds) != len(from) {
			t.Fatalf("seed %d: %d is not %d", seed, v, n)
		}
		var edges []Edge
		for i, u := range from {
			edges = append(edges, Edge{Executed(number[value[u]]), kind[i]})
		}
		for i, u := range preds {
			if !slices.Contains(edges, Edge{Executed(u), kinds[i]}) {
				t.Fatalf("seed %d: %d depends on %v, %d on %v", seed, v, edges, n, preds)
			}
		}
		n++
	}
	if int(n) != was.Len() {
		t.Fatalf("seed %d: %d of %d instructions", seed, n, was.Len())
	}
}

// TestSpilledStaysFolded: a loop of a million iterations is stored once, and what its iterations
// load and store are as many in each.
func TestSpilledStaysFolded(t *testing.T) {
	for seed := range uint64(40) {
		short := spillingGraph(t, seed, 60, 1, func() int { return 40 })
		long := spillingGraph(t, seed, 60, 1, func() int { return 41 })
		limit := short.EstimateRegisters(InScalarRegisters) / 2
		a, _ := short.WithEstimate(InScalarRegisters, limit)
		b, _ := long.WithEstimate(InScalarRegisters, limit)
		if p, q := a.programs[0], b.programs[0]; p.StaticLen() != q.StaticLen() || p.StaticLen() > 8*short.programs[0].StaticLen() {
			t.Errorf("seed %d: %d and %d instructions stored, %d without spilling", seed, p.StaticLen(), q.StaticLen(), short.programs[0].StaticLen())
		}
	}
}

// TestSpilledAsBelady compares the number of loads in code without loops with an execution that
// looks for the value used last in the rest of the program.
func TestSpilledAsBelady(t *testing.T) {
	for seed := range uint64(200) {
		g := spillingGraph(t, seed, 30+int(seed)%50, -1, nil)
		for limit := 6; limit < g.EstimateRegisters(InScalarRegisters); limit += 3 {
			h, _ := g.WithEstimate(InScalarRegisters, limit)
			if got, want := h.Spills().Loads, furthest(t, g, limit); got != want {
				t.Errorf("seed %d, %d registers: %d loads, want %d", seed, limit, got, want)
			}
		}
	}
}

// furthest executes a program with so many registers, and counts loads.
func furthest(t *testing.T, g *Graph, limit int) (loads int64) {
	t.Helper()
	f, err := g.programs[0].Expanded(1 << 20)
	if err != nil {
		t.Fatal(err)
	}
	size := g.ResultWords()
	words := func(v NodeID) int { return int(size[f.Instr(v)-1]) }
	l, _ := classify(g, size)
	l.f = f
	scalar := l.scalarValues(g.instrs)
	next := func(u, after NodeID) NodeID {
		for v := after; v < NodeID(f.Len()); v++ {
			if from, _ := f.Preds(v); slices.Contains(from, u) {
				return v
			}
		}
		return NodeID(f.Len())
	}
	var held []NodeID
	room := func(after NodeID, keep []NodeID) {
		for {
			sum, last := 0, -1
			for i, u := range held {
				sum += words(u)
				if !slices.Contains(keep, u) && (last < 0 || next(u, after) > next(held[last], after)) {
					last = i
				}
			}
			if sum <= limit || last < 0 {
				return
			}
			held = slices.Delete(held, last, last+1)
		}
	}
	for v := range NodeID(f.Len()) {
		var reads []NodeID
		from, _ := f.Preds(v)
		for _, u := range from {
			if words(u) > 0 && !scalar[u] {
				reads = append(reads, u)
			}
		}
		for _, u := range reads {
			if !slices.Contains(held, u) {
				held = append(held, u)
				loads++
			}
		}
		room(v, reads)
		held = slices.DeleteFunc(held, func(u NodeID) bool { return next(u, v+1) == NodeID(f.Len()) })
		if words(v) > 0 && !scalar[v] {
			held = append(held, v)
			room(v+1, []NodeID{v})
			held = slices.DeleteFunc(held, func(u NodeID) bool { return next(u, v+1) == NodeID(f.Len()) })
		}
	}
	return loads
}

// TestSpilledAgain: the same graph makes the same bytes, and they are read back.
func TestSpilledAgain(t *testing.T) {
	g := spillingGraph(t, 7, 80, 1, func() int { return 9 })
	var docs [2]bytes.Buffer
	for i := range docs {
		h, _ := g.WithEstimate(InVectorRegisters, 12)
		if err := Encode(&docs[i], h); err != nil {
			t.Fatal(err)
		}
	}
	if docs[0].String() != docs[1].String() {
		t.Error("two documents differ")
	}
	h, err := Decode(strings.NewReader(docs[0].String()), "k.idg")
	if err != nil {
		t.Fatal(err)
	}
	if s := h.Spills(); s.Bytes == 0 || s.Loads == 0 || s.Stores == 0 || len(s.Lines) == 0 {
		t.Errorf("%+v", s)
	}
}
