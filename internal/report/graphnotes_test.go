package report

import (
	"slices"
	"testing"

	"gpupipe/idg"
	"gpupipe/internal/diag"
	"gpupipe/simulate/remedy"
)

// TestGraphNotesInShort: notes that differ in their place only are one, with the other
// lines behind it, each once.
func TestGraphNotesInShort(t *testing.T) {
	at := func(line, column int) diag.Pos { return diag.Pos{File: "k.cu", Line: line, Column: column} }
	p := &Prediction{Kernel: remedy.Kernel{Graph: &idg.Graph{Header: idg.Header{Notes: []idg.Note{
		{Code: "WIDE", Text: "loads of t are merged", Pos: at(3, 1)},
		{Code: "TRIPS", Text: "16 iterations assumed", Pos: at(4, 1), Advice: "give --trip 4=N"},
		{Code: "WIDE", Text: "loads of t are merged", Pos: at(5, 1)},
		{Code: "WIDE", Text: "loads of t are merged", Pos: at(5, 9)},
		{Code: "WIDE", Text: "loads of u are merged", Pos: at(5, 9)},
		{Code: "WIDE", Text: "loads of t are merged", Pos: at(8, 1)},
		{Code: "WIDE", Text: "loads of u are merged", Pos: at(5, 11)},
	}}}}}
	want := []Assumption{
		{"k.cu:3:1: loads of t are merged; also in lines 5 and 8", at(3, 1), ""},
		{"k.cu:4:1: 16 iterations assumed", at(4, 1), "give --trip 4=N"},
		{"k.cu:5:9: loads of u are merged", at(5, 9), ""},
	}
	if got := p.graphNotesInShort(); !slices.Equal(got, want) {
		t.Errorf("%q, want %q", got, want)
	}
}
