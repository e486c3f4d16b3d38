package registers

import (
	"testing"

	"gpupipe/idg"
	"gpupipe/idg/idgtest"
)

// Lanes leave a loop in eight iterations, each with its count: the store of all counts waits
// for eight instructions, whose results are in one register all the same. Four values of
// one place that a store of four words uses are four.
func TestMergedValues(t *testing.T) {
	b := idg.NewBuilder()
	b.Begin(0)
	pos := func(line int) idg.Pos { return idg.Pos{File: "k.cl", Line: line} }
	count := b.Instr(idg.Instr{Op: "add.s32", Lanes: 32, Pos: pos(1)})
	last := b.Add(count)
	counts := []idg.Executed{last}
	for i := range 7 {
		some := b.Instr(idg.Instr{Op: "add.s32", Lanes: uint8(28 - 4*i), Pos: pos(1)})
		last = b.Add(some, idg.Edge{From: last, Kind: idg.Data})
		counts = append(counts, last)
	}
	store := func(width uint16, line int, values []idg.Executed) {
		a := b.Access(idg.Access{Space: idg.SpaceGlobal, Width: width, Store: true})
		var edges []idg.Edge
		for _, v := range values {
			edges = append(edges, idg.Edge{From: v, Kind: idg.Data})
		}
		b.Add(b.Instr(idg.Instr{Op: "st.global", Type: "s32", Lanes: 32, Access: a, Pos: pos(line)}), edges...)
	}
	store(4, 2, counts)
	four := b.Instr(idg.Instr{Op: "mul.f32", Lanes: 32, Pos: pos(3)})
	store(16, 4, []idg.Executed{b.Add(four), b.Add(four), b.Add(four), b.Add(four)})
	g := idgtest.Build(t, b)
	f, err := g.Programs()[0].Expanded(100)
	if err != nil {
		t.Fatal(err)
	}
	m := ClassesOf(g).merged(f)
	if from, _ := m.Preds(8); len(from) != 1 || from[0] != 7 {
		t.Errorf("the store of the counts uses nodes %v, want the last alone", from)
	}
	if from, _ := m.Preds(13); len(from) != 4 {
		t.Errorf("the store of four words uses nodes %v", from)
	}
	if n := Estimate(g, idg.InVectorRegisters); n != 4+stackPointer {
		t.Errorf("%d registers, want 4 and %d", n, stackPointer)
	}
}
