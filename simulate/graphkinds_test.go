package simulate

import (
	"slices"
	"testing"
)

// A graph whose groups are of several kinds runs like the kinds given one by one.
func TestRunOfGraphWithKinds(t *testing.T) {
	f := newFixture(t, 2, "alu")
	add := f.class("add.f32", "alu", "2", "10")
	f.chain(repeat(5, add)...)
	f.builder.BeginKind(0, 3)
	f.chain(repeat(2, add)...)
	g := f.graph(12)
	got := f.run(g, Config{Groups: 12})
	kinds := g.GroupKinds()
	if len(kinds) != 2 || kinds[0].Groups != 9 || kinds[1].Groups != 3 {
		t.Fatalf("kinds %+v", kinds)
	}
	want := f.runKinds([]GroupKind{{kinds[0].Graph, &f.mapping, 9}, {kinds[1].Graph, &f.mapping, 3}},
		Config{Groups: 12})
	if got.Cycles != want.Cycles || got.Issued != want.Issued || got.Issued != 2*(9*5+3*2) {
		t.Errorf("%v cycles, %d instructions, want %v and %d", got.Cycles, got.Issued, want.Cycles, want.Issued)
	}
}

// A launch that starts at once takes as long as the unit with the most work: the groups that
// are dealt to it begin with the one that executes most. A launch that does not is shared out
// in proportion.
func TestBusiestUnit(t *testing.T) {
	for _, c := range []struct {
		counts, work []int64
		n            int64
		atOnce       bool
		want         []int64
	}{
		{[]int64{40, 1, 23}, []int64{10, 900, 20}, 1, true, []int64{0, 1, 0}},
		{[]int64{40, 1, 23}, []int64{10, 900, 20}, 1, false, []int64{1, 0, 0}},
		{[]int64{40, 1, 23}, []int64{10, 900, 20}, 4, true, []int64{2, 1, 1}},
		{[]int64{40, 1, 23}, []int64{10, 900, 20}, 4, false, []int64{3, 0, 1}},
		{[]int64{1, 1, 1, 1}, []int64{1, 2, 3, 4}, 2, true, []int64{0, 1, 0, 1}}, // dealt in turn: 1 and 3, 2 and 4
		{[]int64{1, 1, 1, 1}, []int64{1, 2, 3, 4}, 4, true, []int64{1, 1, 1, 1}},
		{[]int64{5}, []int64{1}, 3, true, []int64{3}},
	} {
		w := &workload{}
		for i := range c.counts {
			w.kinds = append(w.kinds, kind{count: c.counts[i], perGroup: c.work[i]})
		}
		if err := w.share(c.n, c.atOnce); err != nil {
			t.Fatal(err)
		}
		var got []int64
		for _, k := range w.kinds {
			got = append(got, k.groups)
		}
		if !slices.Equal(got, c.want) {
			t.Errorf("%v groups that execute %v: %d of them are %v, want %v", c.counts, c.work, c.n, got, c.want)
		}
	}
}
