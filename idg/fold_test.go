package idg

import (
	"bytes"
	"fmt"
	"slices"
	"strings"
	"testing"
)

// expand is what a folding stands for.
func (f *folding) expand(s []elementID, out []NodeID) []NodeID {
	for _, id := range s {
		e := &f.elements[id]
		if e.count == 0 {
			out = append(out, e.node)
		}
		for range e.count {
			out = f.expand(e.body, out)
		}
	}
	return out
}

// print shows a folding: classes, repetitions as count(body).
func (f *folding) print(p *Program, s []elementID) string {
	var parts []string
	for _, id := range s {
		if e := &f.elements[id]; e.count == 0 {
			parts = append(parts, fmt.Sprint(p.Instr(e.node)))
		} else {
			parts = append(parts, fmt.Sprintf("%d(%s)", e.count, f.print(p, e.body)))
		}
	}
	return strings.Join(parts, " ")
}

func TestFold(t *testing.T) {
	for _, c := range []struct{ name, classes, want string }{
		{"nothing", "", ""},
		{"no repetition", "abcd", "1 2 3 4"},
		{"too short", "aaa", "1 1 1"}, // three lines either way
		{"one", "aaaa", "4(1)"},
		{"two", "abcabc", "2(1 2 3)"},
		{"tail", "xababababy", "24 4(1 2) 25"},
		{"nested", strings.Repeat("bcaaaaaa", 3), "3(2 3 6(1))"},
		{"nested twice", strings.Repeat(strings.Repeat("xaaaaaa", 3)+"y", 4), "4(3(24 6(1)) 25)"},
		{"long inner loop", strings.Repeat(strings.Repeat("ab", 50)+"c", 3), "3(50(1 2) 3)"},
	} {
		t.Run(c.name, func(t *testing.T) {
			b := NewBuilder()
			for i := range 26 {
				b.Instr(Instr{Op: fmt.Sprint("op", i), Lanes: 32})
			}
			b.Begin(0)
			for _, r := range c.classes {
				b.Add(InstrID(r - 'a' + 1))
			}
			p := build(t, b, header(1)).Programs()[0]
			f := foldProgram(p)
			if got := f.print(p, f.root); got != c.want {
				t.Errorf("folded to %s, want %s", got, c.want)
			}
			var classes []InstrID
			for _, v := range f.expand(f.root, nil) {
				classes = append(classes, p.Instr(v))
			}
			if !slices.Equal(classes, p.instr) {
				t.Errorf("expands to %v", classes)
			}
		})
	}
}

// Dependences tell instructions apart: a chain's first link is not the others.
func TestFoldKeepsDependences(t *testing.T) {
	b := NewBuilder()
	in := b.Instr(Instr{Op: "fma.f32", Lanes: 32})
	b.Begin(0)
	v := b.Add(in)
	for range 9 {
		v = b.Add(in, Edge{v, Data})
	}
	for range 9 {
		v = b.Add(in, Edge{v, Order})
	}
	p := build(t, b, header(1)).Programs()[0]
	f := foldProgram(p)
	if got, want := f.print(p, f.root), "1 9(1) 9(1)"; got != want {
		t.Errorf("folded to %s, want %s", got, want)
	}
}

// A rolled loop's document does not grow with its trip count.
func TestFoldedSizeIsIndependentOfTrips(t *testing.T) {
	few, many := encode(t, synthetic(t, 50*10), EncodeOptions{Fold: true}), encode(t, synthetic(t, 50*2000), EncodeOptions{Fold: true})
	if len(many) > len(few)+10 {
		t.Errorf("%d bytes for 10 iterations, %d for 2000", len(few), len(many))
	}
	g, err := Decode(bytes.NewReader(many), "")
	if err != nil {
		t.Fatal(err)
	}
	if d := diff(synthetic(t, 50*2000), g); d != "" {
		t.Error("the graph has changed")
	}
}
