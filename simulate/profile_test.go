package simulate

import (
	"flag"
	"fmt"
	"slices"
	"strings"
	"testing"

	"golang.org/x/tools/txtar"

	"gpupipe/internal/test/golden"
)

var update = flag.Bool("update", false, "rewrite the golden files of this package")

// TestProfiles prints the execution profiles of A Figs. 8 and 9 (the example
// kernel with 1, 2, 4 and 10 warps), and of cases that they do not show.
func TestProfiles(t *testing.T) {
	var files []txtar.File
	add := func(name string, f *fixture, groups int64, cfg Config, o ProfileOptions) {
		cfg.Profile = true
		r := f.run(f.graph(groups), cfg)
		var b strings.Builder
		if err := WriteProfile(&b, r.Profile, o); err != nil {
			t.Fatal(err)
		}
		files = append(files, txtar.File{Name: name, Data: []byte(b.String())})
	}
	for _, warps := range []int64{1, 2, 4, 10} {
		for _, s := range []Scheduler{RoundRobin, Oldest} {
			add(fmt.Sprintf("example kernel, %d warps, %v", warps, s), exampleKernel(t), warps, Config{Scheduler: s},
				ProfileOptions{})
		}
	}
	add("example kernel, 20 warps, 4 at once", exampleKernel(t), 20, Config{Concurrent: 4},
		ProfileOptions{From: 20, To: 100, MaxWarps: 9})
	add("tiles, fractions of a cycle", tiledKernel(t, 8, 2), 3, Config{}, ProfileOptions{Width: 90, From: 535, To: 580})
	add("tiles, many cycles per column", tiledKernel(t, 8, 2), 3, Config{}, ProfileOptions{Width: 60, To: 1 << 40})
	cores := tiledKernel(t, 8, 1)
	cores.mapping.Device.Partitions = 2
	cores.mapping.Device.Subsystems[0].Partitioned = true
	add("two sub-cores", cores, 1, Config{}, ProfileOptions{From: 490, To: 590})
	lonely := exampleKernel(t) // the other sub-core has no rows
	lonely.mapping.Device.Partitions = 2
	lonely.mapping.Device.Subsystems[0].Partitioned = true
	add("a warp on one of two sub-cores", lonely, 1, Config{}, ProfileOptions{})
	golden.Check(t, "testdata/profiles.txtar", *update, func(*testing.T, *txtar.Archive) []txtar.File { return files })
}

// TestPipelinesIdleOnlyAtStartAndEnd is A's remark on Fig. 9: with 10 warps the
// memory pipeline, which is as much in demand as the other (both have λ sums of
// 4), idles only while it fills and drains. The start is shortest if the oldest
// warp goes first: the first read is issued at 5, 20 reads take 40 cycles, the
// last one needs 6 - 2 more and is followed by a computation of 4. Round-robin
// lets all warps compute first; greedy leaves a gap at the end.
func TestPipelinesIdleOnlyAtStartAndEnd(t *testing.T) {
	f := exampleKernel(t)
	g := f.graph(10)
	for _, c := range []struct {
		s     Scheduler
		first Tick // issue in memory
		gaps  Tick // of the memory pipeline, between its first and last instruction
		end   string
	}{
		{RoundRobin, 14, 0, "62"}, {Oldest, 5, 0, "53"}, {GroupPrecedence, 5, 0, "53"}, {GreedyThenOldest, 5, 2, "55"},
	} {
		r := f.run(g, Config{Scheduler: c.s, Profile: true})
		var reads []Issue
		for _, is := range r.Profile.Issues {
			if r.Profile.Classes[is.Instr-1].Op == "ld.global" {
				reads = append(reads, is)
			}
		}
		gaps := Tick(0)
		for i := range reads[1:] {
			gaps += reads[i+1].Issued - reads[i].Passed
		}
		if len(reads) != 20 || reads[0].Issued != c.first || gaps != c.gaps || r.Cycles.String() != c.end {
			t.Errorf("%v: %d reads from cycle %d on with gaps of %d, %v cycles; want 20 from %d on with %d, %s", c.s,
				len(reads), reads[0].Issued, gaps, r.Cycles, c.first, c.gaps, c.end)
		}
	}
}

// TestStates is golden 7: every instruction waits, is ready, is issued, and is
// complete, in this order, in the example kernel as worked out by hand.
func TestStates(t *testing.T) {
	f := exampleKernel(t)
	r := f.run(f.graph(1), Config{Profile: true})
	var got []string
	for _, is := range r.Profile.Issues {
		got = append(got, fmt.Sprintf("%d: %d %d %d %d", is.Node, is.Ready, is.Issued, is.Passed, is.Complete))
	}
	want := []string{"0: 0 0 1 4", "1: 0 1 2 5", "2: 5 5 7 11", "3: 11 11 12 15", "4: 15 15 17 21", "5: 21 21 22 25"}
	if !slices.Equal(got, want) {
		t.Errorf("node: ready, issued, passed, complete\n got %q\nwant %q", got, want)
	}
}

// TestColumnSpan: columns are even fractions or round multiples of a cycle.
func TestColumnSpan(t *testing.T) {
	for _, c := range []struct {
		per, span Tick
		width     int
		want      Tick
	}{
		{1, 25, 100, 1}, {4, 100, 100, 1}, {4, 101, 100, 2}, {4, 400, 100, 4}, {4, 401, 100, 8}, {4, 2000, 100, 20},
		{4, 2001, 100, 40}, {4, 4001, 100, 80},
		{12, 25, 100, 1}, {12, 101, 100, 2}, {12, 601, 100, 12}, {1e9, 2e9, 100, 5e7}, {1, 1e12, 1, 1e12}, {1, 1, 1, 1},
	} {
		if got := columnSpan(c.per, c.span, c.width); got != c.want {
			t.Errorf("%d ticks per cycle, %d in %d columns: %d, want %d", c.per, c.span, c.width, got, c.want)
		}
	}
}

// TestProfileWidth: 64 columns unless said otherwise.
func TestProfileWidth(t *testing.T) {
	for width, want := range map[int]int{0: 64, -1: 64, 1: 1, 100: 100} {
		if got := (ProfileOptions{Width: width}).width(); got != want {
			t.Errorf("%d columns, want %d", got, want)
		}
	}
}

// TestProfileIsCapped: a long run keeps the first MaxProfile issues only.
func TestProfileIsCapped(t *testing.T) {
	f := newFixture(t, 4, "alu")
	f.chain(repeat(1000, f.class("add.f32", "alu", "1", "4"))...)
	r := f.run(f.graph(263), Config{Profile: true, Full: true, Concurrent: 2})
	if p := r.Profile; !p.Truncated || len(p.Issues) != MaxProfile || r.Issued != 263*4000 {
		t.Errorf("%d of %d issues, truncated %t", len(p.Issues), r.Issued, p.Truncated)
	}
	var b strings.Builder
	if err := WriteProfile(&b, r.Profile, ProfileOptions{From: 1 << 50}); err != nil ||
		!strings.Contains(b.String(), "only the first") {
		t.Errorf("%v\n%s", err, b.String())
	}
}

// TestRecord compares the beginning of a profile with that of the whole run.
func TestRecord(t *testing.T) {
	f := tiledKernel(t, 8, 2)
	g := f.graph(3)
	whole := f.run(g, Config{Profile: true, Full: true}).Profile
	l := NewLaunch(g, &f.mapping)
	for _, n := range []int{1, 100, len(whole.Issues) - 1, len(whole.Issues), len(whole.Issues) + 1} {
		p, err := l.Record(t.Context(), Config{}, n)
		if err != nil {
			t.Fatal(err)
		}
		if want := min(n, len(whole.Issues)); len(p.Issues) != want || p.Truncated != (n < len(whole.Issues)) {
			t.Fatalf("%d issues, truncated %t; want %d of %d", len(p.Issues), p.Truncated, want, len(whole.Issues))
		}
		for i, got := range p.Issues {
			if want := whole.Issues[i]; got != want && (got.Complete != 0 || got.Instr != want.Instr ||
				got.Issued != want.Issued) {
				t.Errorf("of %d: issue %d is %+v, not %+v", n, i, got, want)
			}
		}
	}
}
