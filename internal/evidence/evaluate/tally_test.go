package main

import (
	"errors"
	"testing"

	"gpupipe/internal/diag"
)

// TestTally: what differs in numbers only is one entry with their range; places and words
// keep entries apart, and numbers within names do.
func TestTally(t *testing.T) {
	var a tally
	a.add(0, "k.cu:3:1", "groups of 4096 bytes, f32")
	a.add(1, "k.cu:3:1", "groups of 512 bytes, f32")
	a.add(2, "k.cu:3:1", "groups of 8192.5 bytes, f32")
	a.add(3, "k.cu:3:1", "groups of 512 bytes, f64")
	a.add(4, "k.cu:4:1", "groups of 512 bytes, f32")
	a.addError(5, diag.List{diag.Errorf(diag.Pos{File: "k.cu", Line: 4, Column: 1}, "SIZE", "groups of 512 bytes, f32").
		WithNote("advice")})
	a.addError(6, errors.New("no number\nand a second line"))
	want := []struct {
		text         string
		count, first int
	}{
		{"k.cu:3:1: groups of 512 to 8192.5 bytes, f32", 3, 0},
		{"k.cu:4:1: groups of 512 bytes, f32", 2, 4},
		{"k.cu:3:1: groups of 512 bytes, f64", 1, 3},
		{"no number", 1, 6},
	}
	got := a.most()
	if len(got) != len(want) {
		t.Fatalf("%d entries, want %d: %v", len(got), len(want), got)
	}
	for i, w := range want {
		if g := got[i]; g.String() != w.text || g.count != w.count || g.first != w.first {
			t.Errorf("entry %d is %q, %d times, first in %d; want %+v", i, g, g.count, g.first, w)
		}
	}
}
