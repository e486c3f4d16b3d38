package locality

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"gpupipe/idg"
)

// Warps take turns between barriers, an instruction each.
func TestTurns(t *testing.T) {
	// A letter is an instruction that touches memory, - one that does not, | a
	// barrier.
	for _, c := range []struct {
		warps []string
		want  string
	}{
		{[]string{"abc"}, "a0 b0 c0"},
		{[]string{"abc", "abc"}, "a0 a1 b0 b1 c0 c1"},
		{[]string{"a--b", "-ab-c"}, "a0 a1 b1 b0 c1"},
		{[]string{"a|b", "cde|f"}, "a0 c1 d1 e1 b0 f1"},
		{[]string{"a-----|b", "|--cd|e"}, "a0 b0 c1 d1 e1"},
		// A warp that ends early waits for nobody, and nobody for it.
		{[]string{"a", "b|c|d"}, "a0 b1 c1 d1"},
		{[]string{"||a", "b"}, "b1 a0"},
		{[]string{"", "a", "--"}, "a1"},
		{nil, ""},
	} {
		var warps []Warp
		for n, code := range c.warps {
			w := Warp{Number: uint32(n)}
			for at, x := range code {
				switch x {
				case '|':
					w.Barriers = append(w.Barriers, int64(at))
				case '-':
				default:
					w.Touches = append(w.Touches, Touch{At: int64(at), Instr: idg.InstrID(x)})
				}
			}
			warps = append(warps, w)
		}
		var got []string
		newOrder(warps, 32).each(func(w int, x *Touch, _, _ int64) bool {
			got = append(got, fmt.Sprintf("%c%d", rune(x.Instr), w))
			return true
		})
		if text := strings.Join(got, " "); text != c.want {
			t.Errorf("%q: got %s, want %s", c.warps, text, c.want)
		}
		// Whoever has seen enough is asked no more.
		n := 0
		newOrder(warps, 32).each(func(int, *Touch, int64, int64) bool { n++; return n < 2 })
		if n > 2 || n != min(2, len(got)) {
			t.Errorf("%q: asked %d times", c.warps, n)
		}
	}
}

// Which warp touched a sector is known for groups of more than 64 warps too.
func TestManyWarps(t *testing.T) {
	k := &kernel{launch: idg.Launch{Local: [3]int64{150, 1, 1}, Groups: [3]int64{1, 1, 1}, WarpSize: 1},
		run: func(l *lanes) {
			l.load(1, 1, func(x item) int64 { return 32 * (x.local[0] % 64) })
			l.load(2, 1, func(x item) int64 { return 32 * (x.local[0] % 64) })
		}}
	got := verified(t, k, k.input())
	// The last 22 warps have touched the first 22 sectors again.
	want := []string{"{1 150 [] [{2048 86}] [] 64 0 0}", "{2 150 [{768 22} {2048 128}] [] [] 0 0 0}"}
	var text []string
	for _, l := range got.Locality {
		text = append(text, fmt.Sprint(l))
	}
	if !slices.Equal(text, want) {
		t.Errorf("got %q, want %q", text, want)
	}
}

// What is cut off by a limit is said.
func TestLimit(t *testing.T) {
	k := &kernel{launch: idg.Launch{Local: [3]int64{8, 1, 1}, Groups: [3]int64{4, 1, 1}, WarpSize: 8},
		run: func(l *lanes) {
			for i := range int64(100) {
				l.load(1, 1, func(x item) int64 { return 32 * (x.global[0] + 1000*i) })
			}
		}}
	in := k.input()
	g := analyse(in.Shapes, in.Warps, 32, 80)
	if !g.cut || g.touched != 80 || g.counts[1].total != 80 {
		t.Errorf("cut %v, %d touched, %d counted", g.cut, g.touched, g.counts[1].total)
	}
	// A launch of few warps is resolved whole, unless they execute much.
	if got := verified(t, k, in); got.Footprint.Estimated || len(got.Footprint.Sampled) != 4 {
		t.Errorf("footprint %+v", got.Footprint)
	}
	in = k.input()
	in.Warps[0].Touches[99].At += exhaustiveInstructions
	if got := verified(t, k, in); !got.Footprint.Estimated {
		t.Errorf("footprint %+v", got.Footprint)
	}
	in = k.input()
	in.Warps[0].Cut = true
	if got := verified(t, k, in); len(got.Notes) != 1 ||
		!strings.Contains(got.Notes[0], "more memory than is analysed") {
		t.Errorf("notes %q", got.Notes)
	}
}

// each calls visit for all.
func (o *order) each(visit visitor) {
	for o.begin() {
		for o.step(visit) {
		}
	}
}
