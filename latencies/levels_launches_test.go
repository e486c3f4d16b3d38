package latencies

import (
	"fmt"
	"hash/fnv"
	"math"
	"math/rand/v2"
	"os"
	"strings"
	"testing"

	"gpupipe/idg"
)

// randomLaunch is a launch of a few accesses whose sectors were touched before in many ways.
func randomLaunch(t *testing.T, r *rand.Rand, warp int) *idg.Graph {
	size := func(most int) int64 { return int64(1) << r.IntN(most) }
	groups := 1 + r.Int64N(size(20))
	f := &idg.Footprint{ReadBytes: 32 * size(14), WrittenBytes: 32 * size(12), UnknownBytes: 32 * r.Int64N(4)}
	f.LaunchReadBytes = f.ReadBytes + r.Int64N(f.ReadBytes*groups)
	f.LaunchWrittenBytes = f.WrittenBytes + r.Int64N(f.WrittenBytes*groups)
	if r.IntN(2) == 0 {
		f.SharedBytes = r.Int64N(f.ReadBytes)
		f.RowBytes = r.Int64N(f.LaunchReadBytes)
		f.LineBytes = r.Int64N(4 * f.LaunchReadBytes)
		f.PairBytes = f.LaunchReadBytes + r.Int64N(f.LaunchReadBytes)
	}
	var list []seen
	for range 1 + r.IntN(5) {
		s := seen{space: []idg.Space{idg.SpaceGlobal, idg.SpaceGlobal, idg.SpaceConstant, idg.SpacePrivate}[r.IntN(4)],
			stride: []int64{0, 4, 8, 36, 128}[r.IntN(5)], integer: r.IntN(2) == 0,
			l: idg.Locality{Cold: r.Int64N(64), Leading: r.Int64N(2) * r.Int64N(200)}}
		if s.space == idg.SpaceGlobal || s.space == idg.SpacePrivate {
			s.store = r.IntN(3) == 0
			s.atomic = s.space == idg.SpaceGlobal && !s.store && r.IntN(4) == 0
			s.combined = s.atomic && s.stride == 0
		}
		if r.IntN(2) == 0 {
			s.l.Warp = reuse(32*size(20), 1+r.Int64N(99))
		}
		if r.IntN(2) == 0 {
			s.l.Group = reuse(32*size(20), 1+r.Int64N(99))
		}
		for n := range int64(r.IntN(3)) {
			e := idg.GroupReuse{Groups: 1 + 400*n + r.Int64N(400), Sectors: 1 + r.Int64N(99), Ahead: r.IntN(2) == 0}
			if e.InStep = r.IntN(2) == 0; !e.InStep {
				e.Distance = 64 * size(12)
			}
			s.l.Groups = append(s.l.Groups, e)
		}
		s.l.Shared = r.Int64N(1 + firstTouches(&s.l))
		list = append(list, s)
	}
	g := launchThat(t, r.IntN(2) == 0, r.Int64N(2)*r.Int64N(groups), warp, groups, 256*r.Int64N(64), f, list...)
	for i := range list {
		if r.IntN(3) == 0 {
			a := g.Access(g.Instr(idg.InstrID(i + 1)).Access)
			a.Offsets, a.Assumed, a.Within = nil, "not known", r.Int64N(2)*64*size(20)
		}
	}
	return g
}

// TestLaunches maps launches at random for every device. What an access requests is served by some level, an earlier
// launch leaves something in caches and adds nothing, and the advice's assumptions never add traffic. testdata has sums
// of what comes out, which show what a change moves, meant or not.
func TestLaunches(t *testing.T) {
	var got strings.Builder
	for _, name := range Names() {
		d, h := builtin(t, name), fnv.New32a()
		var cpi, latency, read, written float64
		for n := range 40 {
			r := rand.New(rand.NewPCG(uint64(n), 3))
			o := Options{ConcurrentGroups: 1 + r.Int64N(8), Scattered: n%3 == 1, Coalesced: n%3 == 2}
			g := randomLaunch(t, r, d.WarpSize)
			cold := mapWith(t, name, g, o)
			fmt.Fprintf(h, "%+v\n", cold.Traffic)
			for _, e := range cold.Entries {
				s := e.Served
				fmt.Fprintf(h, "%s %d %.6g %v %v %v %v\n", e.Matched, e.Transactions, s, e.Timing, e.Second, e.Turns,
					e.Module)
				cpi, latency = cpi+e.Timing.CPI.Float(), latency+e.Timing.Latency.Float()
				if least := min(s.L1, s.L2, s.L3, s.Memory, s.WrittenBack, s.Filled); !(least >= -1e-9) {
					t.Errorf("%s, launch %d: served %+v", name, n, s)
				}
			}
			read, written = read+float64(cold.Traffic.ReadBytes), written+float64(cold.Traffic.WrittenBytes)
			warm, least, whole := o, o, o
			warm.Warm, least.LeastTraffic, whole.WholeWrites = true, true, true
			for i, o := range []Options{warm, least, whole} {
				what, m := []string{"warm", "least traffic", "whole writes"}[i], mapWith(t, name, g, o)
				fmt.Fprintf(h, "%+v\n", m.Traffic)
				if a, b := m.Traffic, cold.Traffic; a.ReadBytes > b.ReadBytes+64 || a.WrittenBytes > b.WrittenBytes+64 {
					t.Errorf("%s, launch %d, %s: traffic %+v, without %+v", name, n, what, a, b)
				}
				for i := range m.Entries {
					s, c := m.Entries[i].Served, cold.Entries[i].Served
					fmt.Fprintf(h, "%.6g\n", s)
					if math.Abs(s.Total()-c.Total()) > 1e-6*c.Total() || s.Memory > c.Memory+1e-6 ||
						s.WrittenBack > c.WrittenBack+1e-6 || s.Filled > c.Filled+1e-6 {
						t.Errorf("%s, launch %d, %s: access %d is served %+v, without %+v", name, n, what, i, s, c)
					}
				}
			}
		}
		fmt.Fprintf(&got, "%s: λ %.6g, Λ %.6g, %.6g bytes read, %.6g written; all %08x\n", name, cpi, latency, read,
			written, h.Sum32())
	}
	const file = "testdata/launches.txt"
	if *update {
		if err := os.WriteFile(file, []byte(got.String()), 0o666); err != nil {
			t.Fatal(err)
		}
	}
	want, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	if got.String() != string(want) {
		t.Errorf("%s has\n%snot\n%s", file, want, got.String())
	}
}
