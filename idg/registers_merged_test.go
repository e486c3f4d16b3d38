package idg

import "testing"

// Lanes leave a loop in eight iterations, each with its count: the store of all counts waits
// for eight instructions, whose results are in one register all the same. Four values of
// one place that a store of four words uses are four.
func TestMergedValues(t *testing.T) {
	b := NewBuilder()
	b.Begin(0)
	pos := func(line int) Pos { return Pos{File: "k.cl", Line: line} }
	count := b.Instr(Instr{Op: "add.s32", Lanes: 32, Pos: pos(1)})
	last := b.Add(count)
	counts := []Executed{last}
	for i := range 7 {
		some := b.Instr(Instr{Op: "add.s32", Lanes: uint8(28 - 4*i), Pos: pos(1)})
		last = b.Add(some, Edge{From: last, Kind: Data})
		counts = append(counts, last)
	}
	store := func(width uint16, line int, values []Executed) {
		a := b.Access(Access{Space: SpaceGlobal, Width: width, Store: true})
		var edges []Edge
		for _, v := range values {
			edges = append(edges, Edge{From: v, Kind: Data})
		}
		b.Add(b.Instr(Instr{Op: "st.global", Type: "s32", Lanes: 32, Access: a, Pos: pos(line)}), edges...)
	}
	store(4, 2, counts)
	four := b.Instr(Instr{Op: "mul.f32", Lanes: 32, Pos: pos(3)})
	store(16, 4, []Executed{b.Add(four), b.Add(four), b.Add(four), b.Add(four)})
	g, err := b.Build(Header{Kernel: "k", Launch: Launch{Local: [3]int64{32, 1, 1}, Groups: [3]int64{1, 1, 1}, WarpSize: 32}})
	if err != nil {
		t.Fatal(err)
	}
	f, err := g.Programs()[0].Expanded(100)
	if err != nil {
		t.Fatal(err)
	}
	m := g.merged(f)
	if from, _ := m.Preds(8); len(from) != 1 || from[0] != 7 {
		t.Errorf("the store of the counts uses nodes %v, want the last alone", from)
	}
	if from, _ := m.Preds(13); len(from) != 4 {
		t.Errorf("the store of four words uses nodes %v", from)
	}
	if n := g.EstimateRegisters(InVectorRegisters); n != 4+baseRegisters {
		t.Errorf("%d registers, want 4 and %d", n, baseRegisters)
	}
}
