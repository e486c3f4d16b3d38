package locality

import (
	"cmp"
	"math/bits"
	"math/rand/v2"
	"slices"
	"testing"

	"gpupipe/idg"
	"gpupipe/internal/test/tools"

	gocmp "github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"
)

// sector names a sector of the launch.
type sector struct {
	buffer BufferID
	number int64
}

// sectorsTouched lists the sectors of an access, in ascending order.
func sectorsTouched(s *Shapes, t *Touch, size int64) []sector {
	seen := map[sector]bool{}
	var out []sector
	sh := s.at(t.Shape)
	for _, sp := range sh.spans {
		for b := sp.lo; b < sp.hi; b++ {
			x := sector{sh.buffer, floorDiv(b+t.Start, size)}
			if !seen[x] {
				seen[x] = true
				out = append(out, x)
			}
		}
	}
	return out
}

// slow is the obvious analysis: a list of sectors in the order of their last
// touches, and every group of the launch.
func slow(k *kernel, in *Input) (records []idg.Locality, f idg.Footprint) {
	type event struct {
		phase, place int64
		warp         int
		touch        *Touch
	}
	var events []event
	for w := range in.Warps {
		for i := range in.Warps[w].Touches {
			t := &in.Warps[w].Touches[i]
			e := event{place: t.At, warp: w, touch: t}
			for _, b := range in.Warps[w].Barriers {
				if b < t.At {
					e.phase, e.place = e.phase+1, t.At-b
				}
			}
			events = append(events, e)
		}
	}
	slices.SortStableFunc(events, func(a, b event) int {
		return cmp.Or(cmp.Compare(a.phase, b.phase), cmp.Compare(a.place, b.place), cmp.Compare(a.warp, b.warp))
	})
	bytes := cmp.Or(in.SectorBytes, 32)
	// Every sector that some group touches, with the numbers of the groups.
	byGroup := map[sector][]int64{}
	read, written, ownRead, ownWritten := map[sector]bool{}, map[sector]bool{}, map[sector]bool{}, map[sector]bool{}
	n := in.Launch.Groups
	self := in.Group[0] + n[0]*(in.Group[1]+n[1]*in.Group[2])
	for g := range in.Launch.TotalGroups() {
		for _, w := range k.group(in.Shapes, [3]int64{g % n[0], g / n[0] % n[1], g / n[0] / n[1]}) {
			for i := range w.Touches {
				sh := in.Shapes.at(w.Touches[i].Shape)
				for _, x := range sectorsTouched(in.Shapes, &w.Touches[i], bytes) {
					byGroup[x] = append(byGroup[x], g)
					read[x], written[x] = read[x] || sh.reads, written[x] || sh.writes
					if g == self {
						ownRead[x], ownWritten[x] = ownRead[x] || sh.reads, ownWritten[x] || sh.writes
					}
				}
			}
		}
	}
	size := func(m map[sector]bool) (n int64) {
		for _, in := range m {
			if in {
				n += bytes
			}
		}
		return n
	}
	shared := map[sector]bool{} // by all groups, if there are several
	for x, groups := range byGroup {
		shared[x] = in.Launch.TotalGroups() > 1 &&
			int64(len(slices.Compact(slices.Clone(groups)))) == in.Launch.TotalGroups()
	}
	f = idg.Footprint{SectorBytes: in.SectorBytes, ReadBytes: size(ownRead), WrittenBytes: size(ownWritten),
		LaunchReadBytes: size(read), LaunchWrittenBytes: size(written), SharedBytes: size(shared)}
	blocks := func(m map[sector]bool, block int64) int64 {
		block = max(block, bytes)
		of := map[sector]bool{}
		for x, in := range m {
			if in {
				of[sector{x.buffer, floorDiv(x.number*bytes, block)}] = true
			}
		}
		return int64(len(of)) * block
	}
	if n := blocks(read, idg.LineBytes) + blocks(written, idg.LineBytes); n > f.LaunchReadBytes+f.LaunchWrittenBytes {
		f.LineBytes = n
	}
	if n := blocks(read, idg.PairBytes); n > f.LaunchReadBytes {
		f.PairBytes = n
	}

	part := func(groups int64) (n int64) { // of consecutive groups, of which the group is one
		for _, of := range byGroup {
			if slices.ContainsFunc(of, func(g int64) bool { return g/groups == self/groups }) {
				n += bytes
			}
		}
		return n
	}
	if row := n[0]; row > 1 && row < in.Launch.TotalGroups() {
		f.RowBytes = part(row)
	}
	if plane := n[0] * n[1]; n[1] > 1 && plane < in.Launch.TotalGroups() {
		f.PlaneBytes = part(plane)
	}

	var stack []sector // the last touched last
	warps := map[sector]map[int]bool{}
	all := map[idg.InstrID]*counts{}
	for _, e := range events {
		c := all[e.touch.Instr]
		if c == nil {
			c = &counts{groups: map[toucher]int64{}}
			all[e.touch.Instr] = c
		}
		c.warps |= 1 << (e.warp % warpSlots)
		for _, x := range sectorsTouched(in.Shapes, e.touch, bytes) {
			c.total++
			i := slices.Index(stack, x)
			switch {
			case i >= 0:
				bucket := 0
				for most := 1; most < len(stack)-i; bucket++ { // numbers of three significant bits
					most += 1 << max(0, bits.Len(uint(most))-3)
				}
				if warps[x][e.warp] {
					c.warp[bucket]++
				} else {
					c.group[bucket]++
				}
				stack = slices.Delete(stack, i, i+1)
			default:
				warps[x] = map[int]bool{}
				c.first[e.warp%warpSlots]++
				if shared[x] {
					c.shared++
				}
				nearest := int64(-1)
				for _, g := range byGroup[x] {
					if g < self {
						nearest = max(nearest, g)
					}
				}
				if nearest < 0 {
					c.cold++
				} else {
					c.groups[toucher{back: self - nearest}]++
				}
			}
			warps[x][e.warp] = true
			stack = append(stack, x)
		}
	}
	g := &group{sector: sectorSize(bytes), counts: all}
	for id := range all {
		g.order = append(g.order, id)
	}
	slices.Sort(g.order)
	return g.locality(), f
}

// verified analyses a kernel and checks the invariants of the records.
func verified(t *testing.T, k *kernel, in *Input) *Result {
	t.Helper()
	got, err := Analyse(in)
	if err != nil {
		t.Fatal(err)
	}
	b := idg.NewBuilder()
	access := b.Access(idg.Access{Space: idg.SpaceGlobal, Width: 4, Offsets: []int64{0}})
	for i := range 64 {
		b.Instr(idg.Instr{Op: "ld.global", Lanes: 1, Access: access, Pos: idg.Pos{Line: i + 1}})
	}
	b.Begin(0)
	if _, err := b.Build(idg.Header{Launch: k.launch, Locality: got.Locality, Footprint: got.Footprint}); err != nil {
		t.Fatal(err)
	}
	for i := range got.Locality {
		got.Locality[i].Groups = anyDistance(got.Locality[i].Groups)
	}
	return got
}

// anyDistance joins what earlier groups touch at several distances (TestApartAgainstList).
func anyDistance(list []idg.GroupReuse) (out []idg.GroupReuse) {
	for _, r := range list {
		if n := len(out); n > 0 && out[n-1].Groups == r.Groups {
			out[n-1].Sectors += r.Sectors
		} else {
			out = append(out, idg.GroupReuse{Groups: r.Groups, Sectors: r.Sectors})
		}
	}
	return out
}

// lessShared checks that classes share no more than every group touches, the same if every group was
// looked at, and in all what the footprint says. The slow records then have what was found.
func lessShared(t *testing.T, seed uint64, got *Result, slow []idg.Locality) {
	t.Helper()
	var sum int64
	for i := range slow {
		have := got.Locality[i].Shared
		sum += have * cmp.Or(got.Footprint.SectorBytes, idg.SectorBytes)
		if have > slow[i].Shared && len(got.Notes) == 0 || have != slow[i].Shared && !got.Footprint.Estimated {
			t.Fatalf("seed %d: class %d shares %d sectors, every group touches %d", seed, slow[i].Instr, have,
				slow[i].Shared)
		}
		slow[i].Shared = have
	}
	if sum != got.Footprint.SharedBytes {
		t.Fatalf("seed %d: classes share %d bytes, the group %d", seed, sum, got.Footprint.SharedBytes)
	}
}

// Kernels whose accesses move by constants are analysed exactly, whatever the
// launch.
func TestAffineAgainstEveryGroup(t *testing.T) {
	translated, shared := 0, 0
	for seed := range uint64(tools.Cases(1500, 300)) {
		k := affine(rand.New(rand.NewPCG(seed, 1)))
		k.sector = sectorOf(seed)
		in := k.input()
		got := verified(t, k, in)
		records, f := slow(k, in)
		lessShared(t, seed, got, records)
		if d := gocmp.Diff(records, got.Locality, cmpopts.EquateEmpty()); d != "" {
			t.Fatalf("seed %d: -want +got\n%s\n%v", seed, d, got.Notes)
		}
		f.Estimated, f.Sampled = got.Footprint.Estimated, got.Footprint.Sampled
		if !f.Estimated { // of which nobody asks
			f.RowBytes, f.PlaneBytes = 0, 0
		}
		if f.Estimated { // windows that are wider than the launch are left out
			if got.Footprint.SharedBytes > f.SharedBytes {
				t.Fatalf("seed %d: %d bytes shared, groups share %d", seed, got.Footprint.SharedBytes, f.SharedBytes)
			}
			if f.SharedBytes = got.Footprint.SharedBytes; f.SharedBytes > 0 {
				shared++
			}
		}
		if d := gocmp.Diff(&f, got.Footprint); d != "" {
			t.Fatalf("seed %d: -want +got\n%s\n%v", seed, d, got.Notes)
		}
		if len(got.Notes) > 0 {
			t.Fatalf("seed %d: %v", seed, got.Notes)
		}
		if got.Footprint.Estimated {
			translated++
		}
	}
	if translated < tools.Cases(1000, 200) {
		t.Errorf("only %d launches were large enough to be extrapolated", translated)
	}
	if shared < tools.Cases(20, 1) {
		t.Errorf("only %d of these share something", shared)
	}
}

// Of kernels whose accesses do not, the reuse within the group is exact, and what is
// found in earlier groups is there.
func TestScatteredAgainstEveryGroup(t *testing.T) {
	sampled := 0
	for seed := range uint64(tools.Cases(600, 120)) {
		k := scattered(rand.New(rand.NewPCG(seed, 2)))
		k.sector = sectorOf(seed)
		in := k.input()
		got := verified(t, k, in)
		records, f := slow(k, in)
		if !got.Footprint.Estimated && got.Footprint.SharedBytes != f.SharedBytes {
			t.Fatalf("seed %d: %d bytes shared, groups share %d", seed, got.Footprint.SharedBytes, f.SharedBytes)
		}
		lessShared(t, seed, got, records)
		for i := range records {
			want, have := &records[i], &got.Locality[i]
			if d := gocmp.Diff([]any{want.Sectors, want.Warp, want.Group},
				[]any{have.Sectors, have.Warp, have.Group}); d != "" {
				t.Fatalf("seed %d: -want +got\n%s", seed, d)
			}
			if len(got.Notes) > 0 && have.Cold < want.Cold {
				t.Fatalf("seed %d: %d sectors are new, only %d were found to be", seed, want.Cold, have.Cold)
			}
			if len(got.Notes) == 0 && !got.Footprint.Estimated && (have.Cold != want.Cold ||
				!slices.Equal(want.Groups, have.Groups)) {
				t.Fatalf("seed %d: want %+v, got %+v", seed, want, have)
			}
		}
		if len(got.Notes) > 0 {
			sampled++
		}
		if small := in.Launch.TotalGroups()*int64(len(in.Warps)) <= exhaustiveWarps; small == got.Footprint.Estimated {
			t.Fatalf("seed %d: small %v, estimated %v", seed, small, got.Footprint.Estimated)
		}
	}
	if sampled < tools.Cases(200, 40) {
		t.Errorf("only %d of the kernels were found to be scattered", sampled)
	}
}

// The counted distances are those of a list of sectors in the order of their last
// touches, also when times are given anew.
func TestStackAgainstList(t *testing.T) {
	r := rand.New(rand.NewPCG(1, 3))
	for _, sectors := range []int64{1, 3, 50, 3000} {
		tab := newTable(1)
		s := newStack(tab)
		var list []int64
		for i := range 20_000 {
			x := r.Int64N(sectors)
			if i%3 == 0 {
				x = int64(float64(x) * r.Float64())
			}
			want := 0
			if k := slices.Index(list, x); k >= 0 {
				want = len(list) - k
				list = slices.Delete(list, k, k+1)
			}
			list = append(list, x)
			p, at := tab.at(1, x)
			if got := s.touch(p, at); got != want {
				t.Fatalf("%d sectors, touch %d: distance %d, want %d", sectors, i, got, want)
			}
		}
	}
}

func FuzzAnalyse(f *testing.F) {
	for seed := range uint64(8) {
		f.Add(seed, seed%2 == 0)
	}
	f.Fuzz(func(t *testing.T, seed uint64, moves bool) {
		k := scattered(rand.New(rand.NewPCG(seed, 4)))
		if moves {
			k = affine(rand.New(rand.NewPCG(seed, 4)))
		}
		k.sector = sectorOf(seed)
		in := k.input()
		got := verified(t, k, in)
		records, _ := slow(k, in)
		lessShared(t, seed, got, records)
		if moves && !gocmp.Equal(records, got.Locality, cmpopts.EquateEmpty()) {
			t.Fatal(gocmp.Diff(records, got.Locality, cmpopts.EquateEmpty()))
		}
	})
}
