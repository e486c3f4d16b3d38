package main

import (
	"errors"
	"testing"

	"gpupipe/idg"
)

// TestMemo: graphs that differ in what they say of their source only have one
// prediction, or one error, and others have their own.
func TestMemo(t *testing.T) {
	graph := func(define, op string) *idg.Graph {
		b := idg.NewBuilder()
		b.Begin(0)
		b.Add(b.Instr(idg.Instr{Op: op, Lanes: 32}))
		g, err := b.Build(idg.Header{Source: idg.Source{Defines: []string{define}}, Kernel: "k",
			Launch: idg.Launch{Local: [3]int64{32, 1, 1}, Groups: [3]int64{1, 1, 1}, WarpSize: 32}})
		if err != nil {
			t.Fatal(err)
		}
		return g
	}
	var m memo
	made := 0
	failed := errors.New("no prediction")
	for _, c := range []struct {
		define, op string
		made       int
	}{{"read_only=0", "add.f32", 1}, {"read_only=1", "add.f32", 1}, {"read_only=0", "mul.f32", 2},
		{"read_only=1", "mul.f32", 2}, {"", "add.f32", 2}} {
		p, err := m.of(graph(c.define, c.op), func() (prediction, error) {
			made++
			if c.op == "mul.f32" {
				return prediction{}, failed
			}
			return prediction{warps: 7}, nil
		})
		switch {
		case made != c.made:
			t.Errorf("%v: %d predictions made, want %d", c, made, c.made)
		case c.op == "mul.f32" && err != failed, c.op != "mul.f32" && (err != nil || p.warps != 7):
			t.Errorf("%v: %v, %v", c, p, err)
		}
	}
}
