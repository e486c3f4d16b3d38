// Package idgtest makes graphs for tests of the packages that take one: of a program that a
// test lists, and of random programs with loops. Tests alone import it.
package idgtest

import (
	"strconv"
	"strings"
	"testing"

	"gpupipe/idg"
)

// Listed is the graph of one warp of 32 lanes that executes a program, one instruction after
// the other: "ld.local:4; add.f32 0 0; st.global:4 1" loads four bytes in each lane, adds the result of
// instruction 0 to itself, and stores that of instruction 1. Instruction i stands in line i+1.
// The numbers are data dependences; addresses are not known.
func Listed(t testing.TB, program string) *idg.Graph {
	t.Helper()
	b := idg.NewBuilder()
	b.Begin(0)
	for i, text := range strings.Split(program, ";") {
		words := strings.Fields(text)
		op, bytes, _ := strings.Cut(words[0], ":")
		width := number(t, "0"+bytes)
		var preds []idg.Edge
		for _, u := range words[1:] {
			preds = append(preds, idg.Edge{From: idg.Executed(number(t, u)), Kind: idg.Data})
		}
		b.Add(class(b, op, uint16(width), i+1), preds...)
	}
	return Build(t, b)
}

func number(t testing.TB, text string) int64 {
	t.Helper()
	n, err := strconv.ParseInt(text, 10, 64)
	if err != nil {
		t.Fatal(err)
	}
	return n
}

// class interns an instruction at a line.
func class(b *idg.Builder, op string, width uint16, line int) idg.InstrID {
	in := idg.Instr{Op: op, Lanes: 32, Pos: idg.Pos{Line: line}}
	if width > 0 {
		space := idg.SpaceGlobal
		switch op {
		case "ld.local", "st.local":
			space = idg.SpaceLocal
		case "ld.constant":
			space = idg.SpaceConstant
		}
		in.Type, in.Access = "f32", b.Access(idg.Access{Space: space, Width: width, Store: in.IsStore(),
			Assumed: "test"})
	}
	return b.Instr(in)
}

// Build finishes the graph of a group of one warp of 32 lanes.
func Build(t testing.TB, b *idg.Builder) *idg.Graph {
	t.Helper()
	g, err := b.Build(idg.Header{Kernel: "k", Locality: []idg.Locality{}, Launch: idg.Launch{Local: [3]int64{32, 1, 1},
		Groups: [3]int64{1, 1, 1}, WarpSize: 32}})
	if err != nil {
		t.Fatal(err)
	}
	return g
}
