package registers

import (
	"testing"

	"gpupipe/idg"
	"gpupipe/idg/idgtest"
	"gpupipe/internal/target"
)

// Lanes leave a loop in eight iterations, each with its count: the store of all counts waits
// for eight instructions, whose results are in one register. Four values of
// one place that a store of four words uses are four.
func TestMergedValues(t *testing.T) {
	b := idg.NewBuilder()
	b.Begin(0)
	pos := func(line int) idg.Pos { return idg.Pos{File: "k.cl", Line: line} }
	count := b.Instr(idg.Instr{Op: "add.s32", Lanes: 32, Pos: pos(1)})
	last := b.Add(count)
	var counts []idg.Edge
	for i := range 7 {
		some := b.Instr(idg.Instr{Op: "add.s32", Lanes: uint8(28 - 4*i), Pos: pos(1)})
		counts = append(counts, idg.Edge{From: last, Kind: idg.Control})
		last = b.Add(some, idg.Edge{From: last, Kind: idg.Data})
	}
	store := func(width uint16, line int, edges ...idg.Edge) {
		a := b.Access(idg.Access{Space: idg.SpaceGlobal, Width: width, Store: true})
		b.Add(b.Instr(idg.Instr{Op: "st.global", Type: "s32", Lanes: 32, Access: a, Pos: pos(line)}), edges...)
	}
	data := func(v idg.Executed) idg.Edge { return idg.Edge{From: v, Kind: idg.Data} }
	store(4, 2, append(counts, data(last))...)
	four := b.Instr(idg.Instr{Op: "mul.f32", Lanes: 32, Pos: pos(3)})
	store(16, 4, data(b.Add(four)), data(b.Add(four)), data(b.Add(four)), data(b.Add(four)))
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
	if n := Estimate(g, target.InVectorRegisters); n != 4+stackPointer {
		t.Errorf("%d registers, want 4 and %d", n, stackPointer)
	}
}

// Two variables that one side of a branch changes are two registers, whichever is read with which.
func TestMergedOperands(t *testing.T) {
	b := idg.NewBuilder()
	b.Begin(0)
	class := func(op string, line int) idg.InstrID {
		return b.Instr(idg.Instr{Op: op, Lanes: 32, Pos: idg.Pos{File: "k.cl", Line: line}})
	}
	x, y := b.Add(class("mul.f32", 1)), b.Add(class("mul.f32", 2))
	test := b.Add(class("branch", 3))
	x2, y2 := b.Add(class("add.f32", 4), idg.Edge{From: test, Kind: idg.Control}), b.Add(class("add.f32", 5))
	b.Add(class("mul.f32", 6), idg.Edge{From: x, Kind: idg.Control}, idg.Edge{From: y, Kind: idg.Control},
		idg.Edge{From: test, Kind: idg.Control}, idg.Edge{From: x2, Kind: idg.Data}, idg.Edge{From: y2, Kind: idg.Data})
	g := idgtest.Build(t, b)
	if n := Estimate(g, target.InVectorRegisters); n != 2+stackPointer {
		t.Errorf("%d registers, want 2 and %d", n, stackPointer)
	}
	if reads := g.RegisterReads(g.Programs()[0]); reads[5] != 2 {
		t.Errorf("the product reads %d words, want 2", reads[5])
	}
}
