package idg

import (
	"math/rand/v2"
	"slices"
	"testing"
)

// TestSunkOrder holds what an order must keep.
func TestSunkOrder(t *testing.T) {
	for seed := range uint64(200) {
		g := randomGraph(t, rand.New(rand.NewPCG(seed, 77)))
		if seed%2 == 0 {
			g = randomLoopsBy(t, seed, 3, true)
		}
		for _, p := range g.Programs() {
			l := newLiveness(g, p, g.ResultWords())
			checkOrder(t, seed, l, l.sunk(), func(kind EdgeKind) bool { return kind == Data })
		}
	}
}

// TestSunk: what only a conditional block of stores uses is computed there, and loads for
// the first of the blocks are executed there too.
func TestSunk(t *testing.T) {
	type in = listedInstr
	for _, c := range []struct {
		name    string
		program []in
		want    []NodeID
	}{
		{"sums of two conditional stores", []in{
			{"index.s32", 0, nil},              // 0
			{"ld.local", 4, []Executed{0}},     // 1, of the first
			{"ld.local", 4, []Executed{0}},     // 2, of the second
			{"add.f32", 0, []Executed{1}},      // 3
			{"add.f32", 0, []Executed{2}},      // 4
			{"add.f32", 0, []Executed{4}},      // 5
			{"setp.s32", 0, []Executed{0}},     // 6
			{"st.global", 4, []Executed{3, 6}}, // 7
			{"setp.s32", 0, []Executed{0}},     // 8
			{"st.global", 4, []Executed{5, 8}}, // 9
		}, []NodeID{0, 2, 6, 1, 3, 7, 8, 4, 5, 9}},
		{"a value of two blocks stays", []in{
			{"ld.local", 4, nil}, {"add.f32", 0, []Executed{0}}, {"setp.s32", 0, nil}, {"st.global", 4, []Executed{1, 2}},
			{"setp.s32", 0, nil}, {"st.global", 4, []Executed{1, 4}},
		}, []NodeID{0, 1, 2, 3, 4, 5}},
		{"a choice is no block", []in{
			{"ld.local", 4, nil}, {"add.f32", 0, []Executed{0}}, {"setp.s32", 0, nil}, {"select.f32", 0, []Executed{1, 2}}, {"st.global", 4, []Executed{3}},
		}, []NodeID{0, 1, 2, 3, 4}},
		{"nothing crosses a barrier", []in{
			{"ld.local", 4, nil}, {"add.f32", 0, []Executed{0}}, {"barrier", 0, nil}, {"setp.s32", 0, nil}, {"st.global", 4, []Executed{1, 3}},
		}, []NodeID{0, 1, 2, 3, 4}},
	} {
		g := listedGraph(t, c.program)
		l := newLiveness(g, g.Programs()[0], g.ResultWords())
		if got := l.sunk(); !slices.Equal(got, c.want) {
			t.Errorf("%s: %v, want %v", c.name, got, c.want)
		}
	}
}
