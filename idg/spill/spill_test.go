package spill

import (
	"bytes"
	"slices"
	"strings"
	"testing"

	"gpupipe/idg"
	"gpupipe/idg/idgtest"
	"gpupipe/idg/registers"
	"gpupipe/internal/target"
	"gpupipe/internal/tools"
)

// program is a random one with values of one and two words, and loops.
func program(seed uint64, lines, depth int, trips func() int) idgtest.Random {
	return idgtest.Random{Seed: seed, Lines: lines, Depth: depth, Trips: trips, Ops: idgtest.Arithmetic}
}

// TestSpilledFits: no program that spills needs more registers than there are, and without what
// spilling adds it is what it was.
func TestSpilledFits(t *testing.T) {
	spilled := 0
	for seed := range uint64(tools.Cases(300, 80)) {
		trips := func() int { return 1 + int(seed)%9 }
		g := program(seed, 20+int(seed)%60, int(seed)%3, trips).Graph(t)
		for _, u := range []target.UniformValues{target.InVectorRegisters, target.InScalarRegisters} {
			needed := registers.Estimate(g, u)
			for _, limit := range []int{registers.Reserved(u) + 8, needed / 2, needed - 1, needed} {
				if limit < registers.Reserved(u)+8 {
					continue
				}
				h, _ := Fit(g, u, limit)
				if err := h.Verify(); err != nil {
					t.Fatalf("seed %d: %v", seed, err)
				}
				if needed <= limit {
					if h.Programs()[0] != g.Programs()[0] || TrafficOf(h).Bytes != 0 {
						t.Errorf("seed %d: a program of %d registers is changed for %d", seed, needed, limit)
					}
					continue
				}
				spilled++
				checkSpilled(t, seed, g, h)
				if got := registers.Estimate(h, target.InScalarRegisters); u == target.InScalarRegisters &&
					got > limit {
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
func checkSpilled(t *testing.T, seed uint64, g, h *idg.Graph) {
	t.Helper()
	was, err := g.Programs()[0].Expanded(1 << 20)
	if err != nil {
		t.Fatal(err)
	}
	is, err := h.Programs()[0].Expanded(1 << 20)
	if err != nil {
		t.Fatal(err)
	}
	number, value, stored := make([]idg.NodeID, is.Len()), make([]idg.NodeID, is.Len()), map[idg.NodeID]idg.NodeID{}
	n := idg.NodeID(0)
	for v := range idg.NodeID(is.Len()) {
		in := h.Instr(is.Instr(v))
		from, kind := is.Preds(v)
		if in.Access > 0 {
			last := from[len(from)-1]
			if in.Op == "st.private" {
				if last != v-1 || kind[len(from)-1] != idg.Data {
					t.Fatalf("seed %d: %d stores %d", seed, v, last)
				}
				stored[v] = value[last]
			} else {
				if h.Instr(is.Instr(last)).Op != "st.private" || kind[len(from)-1] != idg.Order {
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
		var edges []idg.Edge
		for i, u := range from {
			edges = append(edges, idg.Edge{From: idg.Executed(number[value[u]]), Kind: kind[i]})
		}
		for i, u := range preds {
			if !slices.Contains(edges, idg.Edge{From: idg.Executed(u), Kind: kinds[i]}) {
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
		short := program(seed, 60, 1, func() int { return 40 }).Graph(t)
		long := program(seed, 60, 1, func() int { return 41 }).Graph(t)
		limit := registers.Estimate(short, target.InScalarRegisters) / 2
		a, _ := Fit(short, target.InScalarRegisters, limit)
		b, _ := Fit(long, target.InScalarRegisters, limit)
		if p, q := a.Programs()[0], b.Programs()[0]; p.StaticLen() != q.StaticLen() ||
			p.StaticLen() > 8*short.Programs()[0].StaticLen() {
			t.Errorf("seed %d: %d and %d instructions stored, %d without spilling", seed, p.StaticLen(), q.StaticLen(),
				short.Programs()[0].StaticLen())
		}
	}
}

// TestSpilledAsBelady compares the number of loads in code without loops with an execution that
// looks for the value used last in the rest of the program.
func TestSpilledAsBelady(t *testing.T) {
	for seed := range uint64(200) {
		g := idgtest.Random{Seed: seed, Lines: 30 + int(seed)%50, Ops: idgtest.Arithmetic[:1]}.Graph(t)
		for limit := 6; limit < registers.Estimate(g, target.InScalarRegisters); limit += 3 {
			h, _ := Fit(g, target.InScalarRegisters, limit)
			if got, want := TrafficOf(h).Loads, furthest(t, g, limit); got != want {
				t.Errorf("seed %d, %d registers: %d loads, want %d", seed, limit, got, want)
			}
		}
	}
}

// furthest executes a program with so many registers, and counts loads.
func furthest(t *testing.T, g *idg.Graph, limit int) (loads int64) {
	t.Helper()
	f := registers.ClassesOf(g).Condensed(g.Programs()[0], nil)
	f.Order(target.InScalarRegisters)
	words := func(v idg.NodeID) int { return int(f.Words(v)) }
	next := func(u, after idg.NodeID) idg.NodeID {
		for v := after; v < idg.NodeID(f.Len()); v++ {
			if from, _ := f.Preds(v); slices.Contains(from, u) {
				return v
			}
		}
		return idg.NodeID(f.Len())
	}
	var held []idg.NodeID
	room := func(after idg.NodeID, keep []idg.NodeID) {
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
	for v := range idg.NodeID(f.Len()) {
		var reads []idg.NodeID
		from, _ := f.Preds(v)
		for _, u := range from {
			if words(u) > 0 {
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
		held = slices.DeleteFunc(held, func(u idg.NodeID) bool { return next(u, v+1) == idg.NodeID(f.Len()) })
		if words(v) > 0 {
			held = append(held, v)
			room(v+1, []idg.NodeID{v})
			held = slices.DeleteFunc(held, func(u idg.NodeID) bool { return next(u, v+1) == idg.NodeID(f.Len()) })
		}
	}
	return loads
}

// TestSpilledAgain: the same graph makes the same bytes, and they are read back.
func TestSpilledAgain(t *testing.T) {
	g := program(7, 80, 1, func() int { return 9 }).Graph(t)
	var docs [2]bytes.Buffer
	for i := range docs {
		h, _ := Fit(g, target.InVectorRegisters, 12)
		if err := idg.Encode(&docs[i], h); err != nil {
			t.Fatal(err)
		}
	}
	if docs[0].String() != docs[1].String() {
		t.Error("two documents differ")
	}
	h, err := idg.Decode(strings.NewReader(docs[0].String()), "k.idg")
	if err != nil {
		t.Fatal(err)
	}
	if s := TrafficOf(h); s.Bytes == 0 || s.Loads == 0 || s.Stores == 0 || len(s.Lines) == 0 {
		t.Errorf("%+v", s)
	}
}
