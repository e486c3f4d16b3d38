package idg

import "testing"

// TestWithOps: only the ops differ.
func TestWithOps(t *testing.T) {
	b := NewBuilder()
	in := b.Instr(Instr{Op: "add.s32", Lanes: 32})
	b.Begin(0)
	b.Add(in)
	g, err := b.Build(Header{Kernel: "k", Launch: Launch{Local: [3]int64{32, 1, 1}, Groups: [3]int64{1, 1, 1},
		WarpSize: 32}})
	if err != nil {
		t.Fatal(err)
	}
	h := g.WithOps(func(in *Instr) string { return in.Op + ".x" })
	if g.Instr(in).Op != "add.s32" || h.Instr(in).Op != "add.s32.x" || h.Programs()[0] != g.Programs()[0] {
		t.Errorf("%+v, %+v", g.Instrs(), h.Instrs())
	}
}
