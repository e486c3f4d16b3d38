package idg

import (
	"bytes"
	"fmt"
	"strings"
	"testing"
)

// TestRegisterReads counts words by hand.
func TestRegisterReads(t *testing.T) {
	type in = listedInstr
	ld := in{"ld.local", 4, nil}
	wide := in{"ld.local", 16, nil}
	fma := func(preds ...Executed) in { return in{"fma.f32", 0, preds} }
	for _, c := range []struct {
		name    string
		program []in
		want    string
	}{
		{"three operands", []in{ld, ld, ld, fma(0, 1, 2)}, "[0 0 0 3]"},
		{"a square", []in{ld, {"mul.f32", 0, []Executed{0}}}, "[0 1]"},
		{"predicates are in registers of their own", []in{ld, ld, {"setp.f32", 0, []Executed{0, 1}}, {"select.f32", 0, []Executed{0, 1, 2}}, {"branch", 0, []Executed{2}}}, "[0 0 2 0 0]"},
		{"64 bits are two words", []in{ld, {"mul.wide.s32", 0, []Executed{0}}, {"add.s64", 0, []Executed{1}}}, "[0 1 2]"},
		{"memory, special functions, conversions and doubles wait for the ports", []in{ld, {"ld.global", 4, []Executed{0}}, {"native_cos.f32", 0, []Executed{1}}, {"cvt.s32.f32", 0, []Executed{2}},
			{"add.f64", 0, []Executed{3}}, {"popcount.s32", 0, []Executed{3}}, {"shuffle.s32", 0, []Executed{3}}, {"st.global", 4, []Executed{3}}}, "[0 0 0 0 0 0 0 0]"},
		{"a factor in common", []in{ld, ld, ld, fma(0, 1), fma(0, 2), fma(1, 3)}, "[0 0 0 2 1 2]"},
		{"chains are executed beside each other", []in{ld, ld, ld, fma(0, 1), fma(1, 3), fma(0, 1), fma(1, 5), fma(0, 2), fma(2, 7)}, "[0 0 0 2 2 0 1 1 2]"},
		{"a chain waits for each result", []in{ld, ld, fma(0, 1), fma(0, 1, 2), fma(0, 1, 3)}, "[0 0 2 3 3]"},
		{"across a load", []in{ld, ld, fma(0, 1), ld, fma(0, 3)}, "[0 0 2 0 1]"},
		{"not across a barrier", []in{ld, ld, fma(0, 1), {"barrier", 0, nil}, fma(0, 1)}, "[0 0 2 0 2]"},
		{"a scalar product of wide loads", []in{wide, wide, fma(0, 1), fma(0, 1, 2), fma(0, 1, 3), fma(0, 1, 4)}, "[0 0 2 3 3 3]"},
		{"a row of one factor", []in{ld, wide, fma(0, 1), fma(0, 1), fma(0, 1), fma(0, 1)}, "[0 0 2 1 1 1]"},
		{"a column with a row", []in{wide, ld, ld, fma(0, 1), fma(0, 2), fma(0, 1), fma(0, 2), fma(0, 1), fma(0, 2), fma(0, 1), fma(0, 2)}, "[0 0 0 2 1 1 1 1 2 2 2]"},
	} {
		g := listedGraph(t, c.program)
		if got := fmt.Sprint(g.RegisterReads(g.ProgramOf(0))); got != c.want {
			t.Errorf("%s: %s, want %s", c.name, got, c.want)
		}
	}
}

// TestRegisterReadsOfRepetitions: what the first instruction of a body follows is the end of the body, if no basic
// block ends there.
func TestRegisterReadsOfRepetitions(t *testing.T) {
	for _, c := range []struct{ name, code, want string }{
		{"a factor from in front", `{"i":1},{"i":1},{"repeat":5,"body":[{"i":2,"d":[1],"D":[0]}]},{"i":2,"d":[1],"D":[0]},{"i":2,"D":[0,1]}`, "[0 0 2 2 1]"},
		{"one that moves along", `{"i":1},{"i":1},{"repeat":5,"body":[{"i":1},{"i":2,"d":[1],"D":[0]}]},{"i":2,"d":[2],"D":[0]}`, "[0 0 0 1 0]"},
		{"the end of a loop", `{"i":1},{"i":1},{"repeat":5,"body":[{"i":2,"D":[0,1]},{"i":3}]},{"i":2,"D":[0,1]}`, "[0 0 2 0 2]"},
		{"a repetition in another", `{"i":1},{"i":1},{"repeat":3,"body":[{"i":2,"D":[0]},{"repeat":4,"body":[{"i":2,"D":[1]}]}]},{"i":2,"D":[0,1]}`, "[0 0 1 0 1]"},
	} {
		doc := strings.Replace(withCode(c.code), `{"op":"add.f32","lanes":32}]`, `{"op":"add.f32","lanes":32},{"op":"loop","lanes":32}]`, 1)
		g, err := Decode(strings.NewReader(doc), "")
		if err != nil {
			t.Fatal(err)
		}
		if got := fmt.Sprint(g.RegisterReads(g.ProgramOf(0))); got != c.want {
			t.Errorf("%s: %s, want %s", c.name, got, c.want)
		}
	}
}

// TestRegisterReadsOfFoldedLoops holds what is counted for a stored instruction against its executions, expanded:
// it is what one of those reads that are in no repetition's first iteration.
func TestRegisterReadsOfFoldedLoops(t *testing.T) {
	for seed := range uint64(60) {
		g, err := Decode(bytes.NewReader(encode(t, randomLoops(t, seed, 4), EncodeOptions{Fold: true})), "")
		if err != nil {
			t.Fatal(err)
		}
		for _, p := range g.Programs() {
			reads, executed := g.RegisterReads(p), readsOfExecuted(g, p)
			seen := map[StaticID][]uint8{}
			for w := p.walk(); w.more(); w.next() {
				first := false
				for _, o := range w.open {
					first = first || o.left == p.repeats[o.index].Count-1
				}
				if !first {
					seen[w.static] = append(seen[w.static], executed[w.number])
				}
			}
			for s, n := range reads {
				if among := seen[StaticID(s)]; !bytes.Contains(among, []byte{n}) {
					t.Errorf("seed %d: instruction %d reads %d words, its executions %d", seed, s, n, among)
				}
			}
		}
	}
}

// readsOfExecuted counts what each executed instruction reads, in the order of the reader, where no load is wide.
func readsOfExecuted(g *Graph, p *Program) []uint8 {
	words, f, r := g.ResultWords(), p.expand(), newReader(g, p)
	reads, before, last := make([]uint8, f.Len()), map[NodeID]bool{}, NodeID(0)
	for w := p.walk(); w.more(); w.next() {
		v := NodeID(w.number) + NodeID(r.order[w.static]) - NodeID(w.static)
		in := g.Instr(f.Instr(v))
		if in.EndsBlock() {
			clear(before)
		}
		if in.EndsBlock() || variableLatency(in.Op) {
			continue
		}
		own := map[NodeID]bool{}
		from, kind := f.Preds(v)
		for i, u := range from {
			if kind[i] == Data && u == last || r.waits[w.static] {
				clear(before)
			}
		}
		for i, u := range from {
			n := words[f.Instr(u)-1]
			if kind[i] != Data || n == 0 {
				continue
			}
			if own[u] = true; !before[u] {
				reads[v] += uint8(n)
			}
		}
		if len(own) > 0 {
			before, last = own, v
		}
	}
	return reads
}
