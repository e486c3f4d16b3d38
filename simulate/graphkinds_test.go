package simulate

import "testing"

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
	want := f.runKinds([]GroupKind{{kinds[0].Graph, &f.mapping, 9}, {kinds[1].Graph, &f.mapping, 3}}, Config{Groups: 12})
	if got.Cycles != want.Cycles || got.Issued != want.Issued || got.Issued != 2*(9*5+3*2) {
		t.Errorf("%v cycles, %d instructions, want %v and %d", got.Cycles, got.Issued, want.Cycles, want.Issued)
	}
}
