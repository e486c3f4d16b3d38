package idg

import (
	"fmt"
	"math/rand/v2"
	"reflect"
	"testing"
)

func TestClassOf(t *testing.T) {
	for op, want := range map[string]Class{
		"fma.f32": "fp32", "add.f64": "fp64", "mul.f16": "fp16", "min.f32": "fp32", "neg.f32": "fp32",
		"add.s32": "int", "mad.s32": "int", "div.u64": "int", "and.b32": "int", "not.pred": "int", "shl.s32": "int",
		"div.f32": "special", "native_cos.f32": "special", "cos.f32": "special", "half_exp.f32": "special", "sqrt.f64": "special", "fmod.f32": "special", "rsqrt.f32": "special",
		"cos.approx.f32": "special", "native_recip.f32": "special", "atan2pi.f32": "special", "popcount.s32": "int", "mov.s32": "int", "rem.s32": "int",
		"fence": "fence", "async.wait": "async", "hmma.16816.f32": "tensor", "ld.global.async": "ld.global", "st.local.async": "st.local", "shuffle": "shuffle", "vote": "vote", "ld": "ld", "atomic": "atomic",
		"cvt.f32.s32": "convert", "setp.s32": "compare", "setp.lt.f32": "compare", "select.f32": "compare",
		"ld.global": "ld.global", "st.local": "st.local", "ld.private": "ld.private", "ld.global.f32": "ld.global", "atomic.add.global": "atomic.global",
		"barrier": "barrier", "loop": "loop", "branch": "branch", "index": "index",
		"": "other", "mystery": "other", "mov.x9": "other",
	} {
		if got := ClassOf(op); got != want {
			t.Errorf("%s is %s, want %s", op, got, want)
		}
	}
}

func TestIsStore(t *testing.T) {
	for op, want := range map[string]bool{"st.global": true, "st.local": true, "ld.global": false, "atomic.add.global": false, "store": false} {
		if in := (Instr{Op: op}); in.IsStore() != want {
			t.Errorf("%s: store %v, want %v", op, in.IsStore(), want)
		}
	}
}

func TestEndsBlock(t *testing.T) {
	for op, want := range map[string][2]bool{
		"barrier": {true, true}, "barrier.local": {true, true}, "loop": {false, true}, "branch": {false, true}, "fence": {}, "loopy": {}, "setp.s32": {},
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
		Ops: []OpCount{{"ld.global", 1}}, Classes: []ClassCount{{"ld.global", 1}}, Lines: []LineCount{{Pos{File: "k.cl", Line: 1}, 1}},
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
		if got, want := fmt.Sprint(m.Instructions, m.Lanes, ops, classes, lines), fmt.Sprint(n, lanes, n, n, n); got != want {
			t.Fatalf("seed %d: %s, want %s", seed, got, want)
		}
		if again := g.GroupMix(); !reflect.DeepEqual(m, again) {
			t.Fatalf("seed %d: %+v, then %+v", seed, m, again)
		}
	}
}
