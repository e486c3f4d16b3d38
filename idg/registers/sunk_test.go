package registers

import (
	"slices"
	"testing"

	"gpupipe/idg"
	"gpupipe/idg/idgtest"
)

// TestSunkOrder holds what an order must keep.
func TestSunkOrder(t *testing.T) {
	for seed := range uint64(200) {
		g := randomProgram(t, seed)
		for _, p := range g.Programs() {
			l := ClassesOf(g).whole(p)
			checkOrder(t, seed, l, l.sunk(), func(kind idg.EdgeKind) bool { return kind == idg.Data })
		}
	}
}

// TestSunk: what only a conditional block of stores uses is computed there, and loads for
// the first of the blocks are executed there too.
func TestSunk(t *testing.T) {
	for _, c := range []struct {
		name    string
		program string
		want    []idg.NodeID
	}{
		// The first block is that of 1, 3 and 7, the second one that of 2, 4, 5 and 9.
		{"sums of two conditional stores", "index.s32; ld.local:4 0; ld.local:4 0; add.f32 1; add.f32 2; add.f32 4; " +
			"setp.s32 0; st.global:4 3 6; setp.s32 0; st.global:4 5 8", []idg.NodeID{0, 2, 6, 1, 3, 7, 8, 4, 5, 9}},
		{"a value of two blocks stays", "ld.local:4; add.f32 0; setp.s32; st.global:4 1 2; setp.s32; st.global:4 1 4",
			[]idg.NodeID{0, 1, 2, 3, 4, 5}},
		{"a choice is not a block", "ld.local:4; add.f32 0; setp.s32; select.f32 1 2; st.global:4 3",
			[]idg.NodeID{0, 1, 2, 3, 4}},
		{"nothing crosses a barrier", "ld.local:4; add.f32 0; barrier; setp.s32; st.global:4 1 3",
			[]idg.NodeID{0, 1, 2, 3, 4}},
	} {
		g := idgtest.Listed(t, c.program)
		l := ClassesOf(g).whole(g.Programs()[0])
		if got := l.sunk(); !slices.Equal(got, c.want) {
			t.Errorf("%s: %v, want %v", c.name, got, c.want)
		}
	}
}
