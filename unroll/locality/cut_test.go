package locality

import (
	"testing"

	"gpupipe/idg"
)

// rows is a kernel in which each lane goes through a row of n floats twice, and writes another
// in the second pass. Classes differ by pass and place in the sector.
func rows(n int64) *kernel {
	return &kernel{launch: idg.Launch{Local: [3]int64{8, 1, 1}, Groups: [3]int64{1, 1, 1}, WarpSize: 8},
		run: func(l *lanes) {
			at := func(i int64) func(item) int64 { return func(x item) int64 { return 4 * (x.global[0]*n + i) } }
			for i := range n {
				l.load(idg.InstrID(1+i%8), 1, at(i))
			}
			for i := range n {
				l.load(idg.InstrID(9+i%8), 1, at(i))
				l.store(idg.InstrID(17+i%8), 2, at(i))
			}
		}}
}

// near is the sectors of a class that are touched again within so many bytes, and those that
// nobody has touched before.
func near(l *idg.Locality, bytes int64) (again, cold int64) {
	for _, list := range [][]idg.Reuse{l.Warp, l.Group} {
		for _, r := range list {
			if r.Distance <= bytes {
				again += r.Sectors
			}
		}
	}
	return again, l.Cold
}

// localityOf is the records of a kernel's group, with a limit of sectors that are counted one by one.
func localityOf(k *kernel, limit int64) []idg.Locality {
	in := k.input()
	g := analyse(in.Shapes, in.Warps, 32, limit)
	for _, b := range g.buffers {
		g.settle(b, g.firstSectors(b), toucher{})
	}
	g.extrapolate(in.Shapes, in.Warps)
	return g.locality()
}

// What is cut off, in the first pass, is found as near as in an analysis that goes to the end, and
// each class has all its sectors.
func TestCutIsAsWhatWasCounted(t *testing.T) {
	k := rows(1024)
	whole, cut := localityOf(k, 1<<20), localityOf(k, 2048)
	if len(whole) != 24 || len(cut) != 24 {
		t.Fatalf("%d and %d classes", len(whole), len(cut))
	}
	for i := range whole {
		w, c := &whole[i], &cut[i]
		if w.Instr != c.Instr || w.Sectors != c.Sectors {
			t.Errorf("class %d: %d sectors, want %d", c.Instr, c.Sectors, w.Sectors)
		}
		again, cold := near(c, 2048)
		wantAgain, wantCold := near(w, 2048)
		if again != wantAgain || cold != wantCold {
			t.Errorf("class %d: %d sectors near, %d new, want %d and %d", c.Instr, again, cold, wantAgain, wantCold)
		}
	}
}

// Nothing is scaled where nothing is cut off, and what is scaled adds up.
func TestStretch(t *testing.T) {
	for total := int64(1); total < 400; total++ {
		c := counts{total: 10, cold: 3, groups: map[toucher]int64{{back: 2}: 2, {back: 7}: 1}, shared: 4}
		c.warp[3], c.group[5] = 2, 2
		c.stretch(total)
		sum := c.cold + c.warp[3] + c.group[5] + c.groups[toucher{back: 2}] + c.groups[toucher{back: 7}]
		if sum != c.total || c.total != max(10, total) || c.shared > c.cold+c.groups[toucher{back: 2}]+
			c.groups[toucher{back: 7}] {
			t.Errorf("%d: %+v", total, c)
		}
	}
}
