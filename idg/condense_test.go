package idg

import (
	"slices"
	"testing"
)

// TestCondensed compares condensed programs with expanded ones: of what is kept
// every instruction and every dependence on what is kept is the same.
func TestCondensed(t *testing.T) {
	shortened := 0
	for seed := range uint64(60) {
		g := randomLoopsBy(t, seed, 8, true)
		for _, p := range g.Programs() {
			full, err := p.Expanded(1 << 20)
			if err != nil {
				t.Fatal(err)
			}
			loop := make([]bool, len(g.Instrs()))
			for i, in := range g.Instrs() {
				loop[i] = in.Op == "loop" || seed%2 == 0
			}
			short := p.Condensed(1<<20, p.Rolled(loop))
			if short.Len() < full.Len() {
				shortened++
				if p.Condensed(short.Len()-1, p.Rolled(loop)) != nil {
					t.Error("the limit does not hold")
				}
			}
			checkCondensed(t, p.walkShort(p.Rolled(loop)), full, short)
		}
	}
	if shortened < 50 {
		t.Errorf("%d programs were shortened, want at least 50", shortened)
	}
}

// checkCondensed finds the instructions of the condensed program in the expanded
// one by walking it again, and compares their dependences.
func checkCondensed(t *testing.T, w *walk, full, short *Flat) {
	t.Helper()
	v := NodeID(0)
	kept := map[NodeID]NodeID{} // expanded to condensed
	for ; w.more(); w.next() {
		number := NodeID(w.number)
		kept[number] = v
		if full.Instr(number) != short.Instr(v) {
			t.Fatalf("instruction %d is another one as %d of the condensed program", number, v)
		}
		got, _ := short.Preds(v)
		if !slices.IsSorted(got) || len(slices.Compact(slices.Clone(got))) != len(got) ||
			len(got) > 0 && got[len(got)-1] >= v {
			t.Fatalf("instruction %d depends on %v", v, got)
		}
		from, _ := full.Preds(number)
		for _, u := range from {
			if k, ok := kept[u]; ok && !slices.Contains(got, k) {
				t.Fatalf("instruction %d (%d) depends on %v, without %d (%d)", v, number, got, k, u)
			}
		}
		v++
	}
	if int(v) != short.Len() {
		t.Fatalf("%d instructions are kept, %d in the condensed program", v, short.Len())
	}
}
