package idg

import (
	"errors"
	"slices"
	"testing"
)

// everything has all executions visited, and announces them to a Builder.
type everything struct{ b *Builder }

func (e everything) Enter(int) { e.b.BeginLoop() }
func (e everything) Leave(int) { e.b.EndLoop() }
func (e everything) Ended(_ int, left int64) int64 {
	if left > 0 {
		e.b.NextIteration()
	}
	return 0
}

// TestRewrite: programs that are walked into the Builder are the same ones, and those that are
// not begun in it are shared.
func TestRewrite(t *testing.T) {
	for seed := range uint64(40) {
		g := randomLoops(t, seed, 4)
		var last *Program
		h, err := g.Rewrite(func(p *Program, b *Builder) error {
			if last = p; seed%4 == 0 && p == g.Programs()[0] {
				return nil
			}
			b.Begin(p.Warps...)
			for w := p.Walk(everything{b}); w.More(); w.Next() {
				if w.Number() != b.Next() {
					t.Fatalf("seed %d: instruction %d is made %d", seed, w.Number(), b.Next())
				}
				var edges []Edge
				row := w.StaticPreds()
				for i := range row {
					edges = append(edges, Edge{w.Producer(&row[i]), row[i].Kind})
				}
				b.Add(p.StaticInstr(w.Static()), edges...)
			}
			return nil
		})
		if err != nil {
			t.Fatal(err)
		}
		if err := h.Verify(); err != nil {
			t.Fatal(err)
		}
		if d := diff(g, h); d != "" {
			t.Fatalf("seed %d: -want +got\n%s", seed, d)
		}
		if shared := g.Programs()[0] == h.Programs()[0]; shared != (seed%4 == 0) {
			t.Errorf("seed %d: the first program is shared: %t", seed, shared)
		}
		if last != g.Programs()[len(g.Programs())-1] {
			t.Errorf("seed %d: the last program was not rewritten", seed)
		}
	}
}

func TestRewriteErrors(t *testing.T) {
	g := randomLoops(t, 1, 3)
	own := errors.New("own")
	if _, err := g.Rewrite(func(*Program, *Builder) error { return own }); err != own {
		t.Errorf("error %v", err)
	}
	_, err := g.Rewrite(func(p *Program, b *Builder) error {
		b.Begin(p.Warps...)
		b.Add(InstrID(len(g.Instrs()) + 1))
		return nil
	})
	if err == nil {
		t.Error("a class that is not interned is not an error")
	}
}

// shorten leaves executions of rolled loops out.
type shorten struct {
	rolled []bool
	done   map[int]int64
}

func (s shorten) Enter(r int) { s.done[r] = 0 }
func (s shorten) Leave(int)   {}
func (s shorten) Ended(r int, left int64) int64 {
	if s.done[r]++; !s.rolled[r] {
		return 0
	}
	return LeftOut(s.done[r], left)
}

// TestWalkAsCondensed: a teller that leaves out what condensed programs leave out visits their nodes.
func TestWalkAsCondensed(t *testing.T) {
	gaps := 0
	for seed := range uint64(40) {
		g := randomLoopsBy(t, seed, 8, true)
		for _, p := range g.Programs() {
			rolled := p.Rolled(slices.Repeat([]bool{true}, len(g.Instrs())))
			f := p.Condensed(1<<20, rolled)
			v := NodeID(0)
			w := p.Walk(shorten{rolled, map[int]int64{}})
			for ; w.More(); w.Next() {
				if f.Instr(v) != p.StaticInstr(w.Static()) || w.Visited(w.Number()) != v {
					t.Fatalf("seed %d: %d is visited as %d", seed, v, w.Visited(w.Number()))
				}
				from, _ := f.Preds(v)
				row := w.StaticPreds()
				for i := range row {
					if u := w.Visited(w.Producer(&row[i])); !slices.Contains(from, u) {
						t.Fatalf("seed %d: %d depends on %d, not on %v", seed, v, u, from)
					}
				}
				v++
			}
			if int(v) != f.Len() {
				t.Errorf("seed %d: %d instructions visited of %d", seed, v, f.Len())
			}
			executed := int64(v)
			for _, x := range w.Gaps() {
				executed += int64(x.To - x.From)
				if (x.To-x.From)%x.Body != 0 {
					t.Errorf("seed %d: the gap %+v is of no whole bodies", seed, x)
				}
			}
			if executed != p.Len() {
				t.Errorf("seed %d: %d instructions visited or left out of %d", seed, executed, p.Len())
			}
			gaps += len(w.Gaps())
		}
	}
	if gaps < 50 {
		t.Errorf("%d gaps", gaps)
	}
}
