package idg

import (
	"bytes"
	"fmt"
	"math"
	"strings"
	"testing"
)

// TestRegisterReadsOfRepetitions: what the first instruction of a body follows is the end of the body, if no basic
// block ends there.
func TestRegisterReadsOfRepetitions(t *testing.T) {
	for _, c := range []struct{ name, code, want string }{
		{"a factor from in front",
			`{"i":1},{"i":1},{"repeat":5,"body":[{"i":2,"d":[1],"D":[0]}]},{"i":2,"d":[1],"D":[0]},{"i":2,"D":[0,1]}`,
			"[0 0 2 2 1]"},
		{"one that moves along",
			`{"i":1},{"i":1},{"repeat":5,"body":[{"i":1},{"i":2,"d":[1],"D":[0]}]},{"i":2,"d":[2],"D":[0]}`,
			"[0 0 0 1 0]"},
		{"the end of a loop", `{"i":1},{"i":1},{"repeat":5,"body":[{"i":2,"D":[0,1]},{"i":3}]},{"i":2,"D":[0,1]}`,
			"[0 0 2 0 2]"},
		{"a repetition in another",
			`{"i":1},{"i":1},{"repeat":3,"body":[{"i":2,"D":[0]},{"repeat":4,"body":[{"i":2,"D":[1]}]}]},{"i":2,"D":[0,1]}`, "[0 0 1 0 1]"},
	} {
		doc := strings.Replace(withCode(c.code), `{"op":"add.f32","lanes":32}]`,
			`{"op":"add.f32","lanes":32},{"op":"loop","lanes":32}]`, 1)
		g, err := Decode(strings.NewReader(doc), "")
		if err != nil {
			t.Fatal(err)
		}
		if got := fmt.Sprint(g.RegisterReads()[0]); got != c.want {
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
		for i, reads := range g.RegisterReads() {
			p := g.Programs()[i]
			executed := readsOfExecuted(g, p)
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

// readsOfExecuted counts what each executed instruction reads, where no load is wide.
func readsOfExecuted(g *Graph, p *Program) []uint8 {
	const none = NodeID(math.MaxUint32)
	words, f := g.ResultWords(), p.expand()
	reads, before, last, second := make([]uint8, f.Len()), map[NodeID]bool{}, none, none
	for w := p.walk(); w.more(); w.next() {
		v := NodeID(w.number)
		in := g.Instr(f.Instr(v))
		if in.EndsBlock() {
			clear(before)
			last, second = none, none
		}
		if in.EndsBlock() || in.Operation().VariableLatency() {
			continue
		}
		own := map[NodeID]bool{}
		from, kind := f.Preds(v)
		for i, u := range from {
			if kind[i] == Data && (u == last || u == second) {
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
			before, last, second = own, v, last
		}
	}
	return reads
}
