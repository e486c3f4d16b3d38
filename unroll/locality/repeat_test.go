package locality

import (
	"cmp"
	"flag"
	"math/rand/v2"
	"slices"
	"testing"

	"gpupipe/idg"
	"gpupipe/internal/test/tools"

	gocmp "github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"
)

var repeatCases = flag.Uint64("repeat.cases", uint64(tools.Cases(600, 120)), "kernels of TestRepeatsAgainstListing")

// looping is a random kernel of loops over buffers, some of them one after the other
// over the same one; folded, its loops are repeats.
func looping(r *rand.Rand, folded bool) *kernel { return storing(r, folded, false) }

// storing is the same, and where unknown says so one of ten accesses is a store at unknown addresses.
func storing(r *rand.Rand, folded, unknown bool) *kernel {
	k := &kernel{launch: idg.Launch{WarpSize: 1 + r.IntN(4), Local: [3]int64{1 + r.Int64N(8), 1, 1}}}
	for d := range 3 {
		k.launch.Groups[d] = 1 + r.Int64N(5-2*int64(d))
	}
	type access struct {
		instr           idg.InstrID
		b               BufferID
		width           int64
		reads, writes   bool
		item, group, by int64
		at              int64
		skipped         bool
		unknown         int64 // bytes of a store at unknown addresses
	}
	instr := idg.InstrID(0)
	random := func() access {
		instr++
		a := access{instr: instr, b: BufferID(1 + r.IntN(3)), width: 4 << r.IntN(3), at: 1 << 30,
			skipped: r.IntN(10) == 0}
		if unknown && r.IntN(10) == 0 {
			a.unknown = 1 + r.Int64N(200)
		}
		a.reads = r.IntN(2) == 0
		a.writes = !a.reads || r.IntN(4) == 0
		a.item = [...]int64{0, 4, 4, 4, 32, 400, -4, 36}[r.IntN(8)]
		a.group = [...]int64{0, 4, 32, 4096, 4096, 100}[r.IntN(6)]
		a.by = [...]int64{0, 4, 4, 16, 32, 32, 64, 128, 20, -4, -32, 1, 4096}[r.IntN(13)]
		if r.IntN(2) == 0 {
			a.at += 32 * r.Int64N(40)
		}
		if r.IntN(2) == 0 {
			a.at += int64(a.b) << 20 * r.Int64N(3)
		}
		return a
	}
	execute := func(l *lanes, a access, i int64) {
		if a.skipped && l.warp.Number%2 == 1 {
			return
		}
		if a.unknown > 0 {
			l.unknown(a.instr, a.unknown)
			return
		}
		l.access(a.instr, a.b, a.width, a.reads, a.writes, func(x item) (int64, bool) {
			return a.at + a.item*x.local[0] + a.group*(x.group[0]+5*x.group[1]+20*x.group[2]) + a.by*i, true
		})
	}
	var blocks []func(l *lanes)
	var before []access // of the loop before
	for range 1 + r.IntN(3) {
		var straight, body []access
		for range r.IntN(3) {
			straight = append(straight, random())
		}
		by := [...]int64{4, 16, 32, 128, 0, -4}[r.IntN(6)]
		alike := r.IntN(4) > 0
		for range r.IntN(5) {
			a := random()
			if alike && a.by != 0 {
				a.by = by
			}
			body = append(body, a)
		}
		if before != nil && r.IntN(3) == 0 {
			body = append([]access{}, before...)
			for i := range body {
				instr++
				body[i].instr = instr
			}
		}
		before = body
		n, first := int64(1+r.IntN(300)), int64(r.IntN(4))
		idle, barriers, late, longer := r.IntN(3), r.IntN(3), r.IntN(6) == 0, r.IntN(8) == 0
		if r.IntN(3) > 0 {
			barriers = 0
		}
		blocks = append(blocks, func(l *lanes) {
			for _, a := range straight {
				execute(l, a, 0)
			}
			first, n := first, n
			if late {
				l.at += int64(l.warp.Number)
			}
			if longer {
				n += 20 * int64(l.warp.Number)
			}
			l.loop(first, n, func(i int64) {
				for k, a := range body {
					if k < barriers {
						l.barrier()
					}
					execute(l, a, i)
				}
				for k := len(body); k < barriers; k++ {
					l.barrier()
				}
				l.at += int64(idle)
			})
		})
	}
	last := random()
	k.run = func(l *lanes) {
		l.folded = folded
		for _, b := range blocks {
			b(l)
		}
		execute(l, last, 3)
	}
	return k
}

// What repeats itself gives the same, folded or not.
func TestRepeatsAgainstListing(t *testing.T) {
	cases := *repeatCases
	passed, again := 0, 0
	for seed := range cases {
		p, a := againstListing(t, seed)
		if p {
			passed++
		}
		if a {
			again++
		}
	}
	t.Logf("repetitions were passed over in %d of %d kernels, in %d of them touched again", passed, cases, again)
	if passed < int(cases)/3 || again < int(cases)/100 {
		t.Errorf("repetitions were passed over in %d of %d kernels, in %d of them touched again", passed, cases, again)
	}
}

func againstListing(t *testing.T, seed uint64) (passed, again bool) {
	t.Helper()
	k := storing(rand.New(rand.NewPCG(seed, 5)), false, seed%2 == 1)
	k.sector = sectorOf(seed)
	want := verified(t, k, k.input())
	k = storing(rand.New(rand.NewPCG(seed, 5)), true, seed%2 == 1)
	k.sector = sectorOf(seed)
	in := k.input()
	got := verified(t, k, in)
	// An access beside a repeat that some group's happens to continue has more groups resolved, with the same result.
	want.Footprint.Sampled = got.Footprint.Sampled
	if d := gocmp.Diff(want, got); d != "" {
		t.Fatalf("seed %d: -listed +folded\n%s", seed, d)
	}
	sector := sectorSize(cmp.Or(k.sector, 32))
	warps, _ := in.Shapes.spread(in.Warps, sector)
	c := newCounter(in.Shapes, warps, sector, maxSectorTouches)
	c.count(newOrder(warps, sector))
	return c.work < c.touched, c.search > 0
}

func FuzzRepeats(f *testing.F) {
	for seed := range uint64(8) {
		f.Add(seed)
	}
	f.Fuzz(func(t *testing.T, seed uint64) { againstListing(t, seed) })
}

// What a warp touches is the same folded anew, and folded alike wherever the
// repetitions were found.
func TestFolded(t *testing.T) {
	shorter := 0
	for seed := range uint64(400) {
		k := looping(rand.New(rand.NewPCG(seed, 6)), true)
		in := k.input()
		l := looping(rand.New(rand.NewPCG(seed, 6)), false)
		for i, w := range in.Warps {
			for i := range w.Touches {
				w.Touches[i].Instr = 0
			}
			f := w.folded()
			want := l.warp(in.Shapes, in.Group, uint32(i))
			for i := range want.Touches {
				want.Touches[i].Instr = 0
			}
			if got := f.unfolded(1 << 30); !slices.Equal(want.Touches, got.Touches) ||
				!slices.Equal(want.Barriers, got.Barriers) {
				d := gocmp.Diff(want, got, cmpopts.EquateEmpty())
				t.Fatalf("seed %d: %s", seed, d)
			}
			if len(f.Touches) < len(w.Touches) {
				shorter++
			}
			// What was repeated is repeated a piece at a time, or in larger pieces.
			v := repeatedElsewhere(&w)
			g := v.folded()
			if d := gocmp.Diff(f, g, cmpopts.EquateEmpty()); d != "" {
				t.Fatalf("seed %d: %s", seed, d)
			}
		}
	}
	if shorter < 100 {
		t.Errorf("only %d warps became shorter", shorter)
	}
}

// repeatedElsewhere is a warp with more repetitions listed before and behind each repeat
// that has some, which repeats two at a time.
func repeatedElsewhere(w *Warp) *Warp {
	out := &Warp{Number: w.Number}
	touches, barriers := 0, 0
	for _, r := range w.Repeats {
		out.Touches = append(out.Touches, w.Touches[touches:r.TouchesEnd]...)
		out.Barriers = append(out.Barriers, w.Barriers[barriers:r.BarriersEnd]...)
		touches, barriers = r.TouchesEnd, r.BarriersEnd
		n, listed, behind, times := r.Copies, int64(0), int64(0), 2
		if n < 8 {
			times = 1
		}
		list := func(copy int64) {
			for i, d := range r.Drifts {
				x := w.Touches[r.TouchesFrom+i]
				x.At, x.Start = x.At+copy*r.Length, x.Start+copy*d
				out.Touches = append(out.Touches, x)
			}
			for _, b := range w.Barriers[r.BarriersFrom:r.BarriersEnd] {
				out.Barriers = append(out.Barriers, b+copy*r.Length)
			}
		}
		for times == 2 && (listed < 3 || (n-listed)%2 == 1) {
			listed++
			list(listed)
		}
		if times == 2 {
			behind = n & 2
		}
		s := Repeat{At: r.At + listed*r.Length, Length: int64(times) * r.Length,
			Copies:     (n - listed - behind) / int64(times),
			TouchesEnd: len(out.Touches), BarriersEnd: len(out.Barriers)}
		for range times {
			for _, d := range r.Drifts {
				s.Drifts = append(s.Drifts, int64(times)*d)
			}
		}
		s.TouchesFrom, s.BarriersFrom = s.TouchesEnd-len(s.Drifts), s.BarriersEnd-times*(r.BarriersEnd-r.BarriersFrom)
		out.Repeats = append(out.Repeats, s)
		for copy := n - behind + 1; copy <= n; copy++ {
			list(copy)
		}
	}
	out.Touches = append(out.Touches, w.Touches[touches:]...)
	out.Barriers = append(out.Barriers, w.Barriers[barriers:]...)
	return out
}
