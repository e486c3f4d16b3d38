package simulate

import (
	"slices"
	"strings"
	"testing"

	"gpupipe/idg"
)

// readers is a sub-core of an issue limit of 1 and two register words per cycle, on which
// warps execute six instructions without operands and then, on a subsystem of that λ,
// instructions that read so many words of theirs, never one that the instruction before has read; 8 are a product made
// in halves (isa.Op.InHalves) with three.
func readers(t *testing.T, warps int, cpi string, words ...int) (*fixture, *idg.Graph) {
	f := newFixture(t, warps, "fma")
	f.mapping.Device.IssueLimit, f.mapping.Device.RegisterReads = cycles(t, "1"), cycles(t, "2")
	from, fma := f.class("index.s32", "fma", cpi, "1"), f.class("fma.f32", "fma", cpi, "4")
	wide := f.class("mad.wide.s32", "fma", cpi, "4")
	f.begin()
	for range 6 {
		f.builder.Add(from)
	}
	for i, n := range words {
		var edges []idg.Edge
		class := fma
		if n == 8 {
			class, n = wide, 3
		}
		for k := range n {
			edges = append(edges, data(idg.Executed(3*(i%2)+k)))
		}
		f.builder.Add(class, edges...)
	}
	return f, f.graph(1)
}

// TestReadPorts: an instruction is held until its reads end within three cycles, and what is
// behind it with it: a few of three words in a row are not, many take 1.5 cycles each. With
// others of one word in between nobody waits, nor where lanes for half a warp take as long.
func TestReadPorts(t *testing.T) {
	for _, c := range []struct {
		name  string
		cpi   string
		words []int
		want  []float64 // issues, from the first reader on
	}{
		{"three words each", "1", slices.Repeat([]int{3}, 9), []float64{0, 1, 2, 3, 4, 5.5, 7, 8.5, 10}},
		{"three and one", "1", []int{3, 1, 3, 1, 3, 1, 3, 1}, []float64{0, 1, 2, 3, 4, 5, 6, 7}},
		{"a burst", "1", []int{3, 3, 3, 3, 3, 1, 1, 1, 1}, []float64{0, 1, 2, 3, 4, 5.5, 6.5, 7.5, 8.5}},
		{"in halves", "1", []int{8, 1, 1, 8, 8, 1}, []float64{0, 4, 5, 6, 10, 14}},
		{"half the lanes", "2", slices.Repeat([]int{3}, 5), []float64{0, 2, 4, 6, 8}},
	} {
		f, g := readers(t, 1, c.cpi, c.words...)
		r := f.run(g, Config{Profile: true, Issue: InOrder})
		var got []float64
		for _, is := range r.Profile.Issues[6:] {
			got = append(got, float64(is.Issued-r.Profile.Issues[6].Issued)/float64(r.Profile.TicksPerCycle))
		}
		if !slices.Equal(got, c.want) {
			t.Errorf("%s: issues at %v, want %v", c.name, got, c.want)
		}
	}
}

// TestBoundByReads: where the ports of the registers limit, the result says so, and where the
// words are read; without a limit the issue slots do.
func TestBoundByReads(t *testing.T) {
	f, g := readers(t, 8, "1/2", slices.Repeat([]int{3}, 200)...)
	for _, mode := range []IssueMode{InOrder, Blocks, Dataflow} {
		r := f.run(g, Config{Issue: mode})
		if r.Bound.Kind != BoundReads || r.Bound.Pos.Line != 2 || !strings.Contains(r.Bound.Text, "register reads") {
			t.Errorf("%v: bound %s at %v: %s", mode, r.Bound.Kind, r.Bound.Pos, r.Bound.Text)
		}
		// 8·200 instructions of 1.5 cycles, of which up to three and one instruction's lie behind the last issue.
		if got := [...]string{r.RegisterReads.String(), r.LowerBounds.Reads.String()}; got != [...]string{"2400",
			"2395.5"} {
			t.Errorf("%v: reads of %s cycles, at least %s", mode, got[0], got[1])
		}
		if r.ReadUtilization < 0.97 || r.Lines[1].ReadShare != 1 {
			t.Errorf("%v: ports busy for %v, %v of that on line 2", mode, r.ReadUtilization, r.Lines[1].ReadShare)
		}
	}
	f.mapping.Device.RegisterReads = cycles(t, "3")
	if r := f.run(g, Config{}); r.Bound.Kind != BoundIssue || r.ReadUtilization != 0 || !r.LowerBounds.Reads.IsZero() {
		t.Errorf("three words per cycle: bound %s, ports busy for %v", r.Bound.Text, r.ReadUtilization)
	}
}
