package idg

import (
	"fmt"
	"math/rand/v2"
	"reflect"
	"testing"
)

func TestIsStore(t *testing.T) {
	for op, want := range map[string]bool{"st.global": true, "st.local": true, "ld.global": false,
		"atomic.add.global": false, "store": false} {
		if in := (Instr{Op: op}); in.IsStore() != want {
			t.Errorf("%s: store %v, want %v", op, in.IsStore(), want)
		}
	}
}

func TestEndsBlock(t *testing.T) {
	for op, want := range map[string][2]bool{
		"barrier": {true, true}, "barrier.local": {true, true}, "loop": {false, true}, "branch": {false, true},
		"fence": {}, "loopy": {}, "setp.s32": {},
	} {
		in := Instr{Op: op}
		if got := [2]bool{in.IsBarrier(), in.EndsBlock()}; got != want {
			t.Errorf("%s: a barrier, the end of a block: %v, want %v", op, got, want)
		}
	}
}

func TestMix(t *testing.T) {
	b := NewBuilder()
	at := func(line, column int) Pos { return Pos{File: "k.cl", Line: line, Column: column} }
	add := b.Instr(Instr{Op: "add.f32", Lanes: 32, Pos: at(2, 3)})
	mul := b.Instr(Instr{Op: "mul.f32", Lanes: 8, Pos: at(2, 9)})
	ld := b.Instr(Instr{Op: "ld.global", Lanes: 32, Pos: at(1, 1)})
	b.Instr(Instr{Op: "never", Lanes: 1})
	b.Begin(0)
	b.Add(add)
	b.Add(mul)
	b.Add(ld)
	b.Begin(2)
	b.Add(ld)
	g := build(t, b, header(5))
	// Warp 1 executes what 0 does, 3 and 4 what 2 does.
	want := &Mix{
		Instructions: 9, Lanes: 2*(32+8+32) + 3*32,
		Ops:     []OpCount{{"ld.global", 5}, {"add.f32", 2}, {"mul.f32", 2}},
		Classes: []ClassCount{{"ld.global", 5}, {"fp32", 4}},
		Lines:   []LineCount{{Pos{File: "k.cl", Line: 1}, 5}, {Pos{File: "k.cl", Line: 2}, 4}},
	}
	if got := g.GroupMix(); !reflect.DeepEqual(got, want) {
		t.Errorf("group: %+v, want %+v", got, want)
	}
	want = &Mix{
		Instructions: 1, Lanes: 32,
		Ops: []OpCount{{"ld.global", 1}}, Classes: []ClassCount{{"ld.global", 1}},
		Lines: []LineCount{{Pos{File: "k.cl", Line: 1}, 1}},
	}
	if got := g.ProgramMix(g.Programs()[1]); !reflect.DeepEqual(got, want) {
		t.Errorf("program: %+v, want %+v", got, want)
	}
}

// The group's mix is the sum of its warps' and does not depend on the run.
func TestMixAddsUp(t *testing.T) {
	for seed := range uint64(100) {
		g := randomGraph(t, rand.New(rand.NewPCG(seed, 11)))
		var n, lanes int64
		for w := range g.Launch.WarpsPerGroup() {
			m := g.ProgramMix(g.ProgramOf(w))
			n, lanes = n+m.Instructions, lanes+m.Lanes
		}
		m := g.GroupMix()
		var ops, classes, lines int64
		for _, o := range m.Ops {
			ops += o.Count
		}
		for _, c := range m.Classes {
			classes += c.Count
		}
		for _, l := range m.Lines {
			lines += l.Count
		}
		if got, want := fmt.Sprint(m.Instructions, m.Lanes, ops, classes, lines),
			fmt.Sprint(n, lanes, n, n, n); got != want {
			t.Fatalf("seed %d: %s, want %s", seed, got, want)
		}
		if again := g.GroupMix(); !reflect.DeepEqual(m, again) {
			t.Fatalf("seed %d: %+v, then %+v", seed, m, again)
		}
	}
}
