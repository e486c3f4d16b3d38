package idg

import "testing"

// TestEstimateRegisters counts live values by hand; the stack pointer is one more.
func TestEstimateRegisters(t *testing.T) {
	type in = listedInstr
	for _, c := range []struct {
		name    string
		program []in
		want    int
	}{
		{"a chain takes the place of its operand", []in{{"add.f32", 0, nil}, {"add.f32", 0, []Executed{0}}, {"add.f32", 0, []Executed{1}}}, 1},
		{"two operands at once", []in{{"add.f32", 0, nil}, {"add.f32", 0, nil}, {"add.f32", 0, []Executed{0, 1}}}, 2},
		{"64 bits take two", []in{{"add.s64", 0, nil}, {"mul.wide.s32", 0, nil}, {"add.s64", 0, []Executed{0, 1}}}, 4},
		{"predicates take none", []in{{"setp.s32", 0, nil}, {"setp.s32", 0, nil}, {"branch", 0, []Executed{0, 1}}}, 0},
		{"a wide load", []in{{"ld.global", 16, nil}, {"add.f32", 0, []Executed{0}}}, 4},
		{"bytes take a register each", []in{{"ld.global", 1, nil}, {"cvt.f32.u8", 0, []Executed{0}}}, 1},
		{"loads move down to their users", []in{{"ld.local", 4, nil}, {"ld.local", 4, nil}, {"ld.local", 4, nil},
			{"add.f32", 0, []Executed{0}}, {"add.f32", 0, []Executed{1, 3}}, {"add.f32", 0, []Executed{2, 4}}}, 2},
		{"but not across a barrier", []in{{"ld.local", 4, nil}, {"ld.local", 4, nil}, {"ld.local", 4, nil}, {"barrier", 0, nil},
			{"add.f32", 0, []Executed{0}}, {"add.f32", 0, []Executed{1, 4}}, {"add.f32", 0, []Executed{2, 5}}}, 3},
	} {
		g := listedGraph(t, c.program)
		if got := g.EstimateRegisters(InVectorRegisters) - baseRegisters; got != c.want {
			t.Errorf("%s: %d registers, want %d", c.name, got, c.want)
		}
	}
}

// listedInstr is an instruction of a program that a test writes down: its operands by
// number, the bytes that it accesses.
type listedInstr struct {
	op    string
	width uint16
	preds []Executed
}

// listedGraph is the graph of such a program.
func listedGraph(t *testing.T, program []listedInstr) *Graph {
	t.Helper()
	b := NewBuilder()
	b.Begin(0)
	for i, x := range program {
		instr := Instr{Op: x.op, Lanes: 32, Pos: Pos{Line: i + 1}}
		if x.width > 0 {
			space := SpaceGlobal
			switch x.op {
			case "ld.local":
				space = SpaceLocal
			case "ld.constant":
				space = SpaceConstant
			}
			instr.Type, instr.Access = "f32", b.Access(Access{Space: space, Width: x.width, Assumed: "test"})
		}
		var preds []Edge
		for _, u := range x.preds {
			preds = append(preds, Edge{u, Data})
		}
		b.Add(b.Instr(instr), preds...)
	}
	g, err := b.Build(Header{Kernel: "k", Launch: Launch{Local: [3]int64{32, 1, 1}, Groups: [3]int64{1, 1, 1}, WarpSize: 32}})
	if err != nil {
		t.Fatal(err)
	}
	return g
}
