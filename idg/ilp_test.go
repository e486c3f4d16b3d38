package idg

import (
	"slices"
	"testing"
)

func TestILPProfile(t *testing.T) {
	chain := func(n, width int) *Program { // width independent chains of n
		b := NewBuilder()
		in := b.Instr(Instr{Op: "fma.f32", Lanes: 32})
		b.Begin(0)
		for v := range n * width {
			if v < width {
				b.Add(in)
			} else {
				b.Add(in, Edge{Executed(v - width), Data})
			}
		}
		return build(t, b, header(1)).Programs()[0]
	}
	for _, c := range []struct {
		name    string
		p       *Program
		levels  []int64
		average float64
		max     int64
	}{
		{"empty", &Program{}, nil, 0, 0},
		{"P19 Fig. 1", fig1(t).Programs()[0], []int64{1, 2, 1, 1}, 5. / 4, 2},
		{"A Fig. 1", articleExample(t).Programs()[0], []int64{2, 1, 1, 1, 1}, 6. / 5, 2},
		{"dependent madds", chain(5, 1), []int64{1, 1, 1, 1, 1}, 1, 1},
		{"4 independent madds", chain(3, 4), []int64{4, 4, 4}, 4, 4},
	} {
		ilp, err := ILPProfile(c.p)
		if err != nil {
			t.Fatal(err)
		}
		if !slices.Equal(ilp.Levels, c.levels) || ilp.Average() != c.average || ilp.Max() != c.max {
			t.Errorf("%s: levels %v, average %v, max %d, want %v, %v, %d", c.name, ilp.Levels, ilp.Average(), ilp.Max(),
				c.levels, c.average, c.max)
		}
		if ilp.Instructions() != int64(c.p.Len()) {
			t.Errorf("%s: %d instructions, want %d", c.name, ilp.Instructions(), c.p.Len())
		}
	}
}

// A Fig. 1 with A Table 2: four computations of 4 and two reads of 6 cycles are
// work 28 on a path of 24.
func TestParallelism(t *testing.T) {
	g := articleExample(t)
	work, span, err := Parallelism(g.Programs()[0], costs(g, map[string][2]int64{"comp": {1, 4}, "mem": {2, 6}}))
	if work != 28 || span != 24 || err != nil {
		t.Errorf("work %d, span %d, error %v, want 28, 24", work, span, err)
	}
}
