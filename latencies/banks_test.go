package latencies

import (
	"math/rand/v2"
	"testing"

	"gpupipe/idg"
	"gpupipe/internal/test/tools"
)

var (
	fermiBanks  = Banks{Count: 32, Bytes: 4, Lanes: 32}
	keplerBanks = Banks{Count: 32, Bytes: 8, Lanes: 32} // V16 T.2.5
	g80Banks    = Banks{Count: 16, Bytes: 4, Lanes: 16}
)

// V16 2.6.
func TestBankPassesGolden(t *testing.T) {
	local := func(stride int64) *idg.Access { return strided(idg.SpaceLocal, 32, 0, 4*stride, 4) }
	for stride := int64(1); stride < 64; stride += 2 {
		if got := BankPasses(local(stride), fermiBanks); got != 1 {
			t.Errorf("odd stride %d: %d passes, want no conflict", stride, got)
		}
	}
	for _, c := range []struct {
		name string
		a    *idg.Access
		b    Banks
		want int
	}{
		{"stride 2", local(2), fermiBanks, 2},
		{"stride 4", local(4), fermiBanks, 4},
		{"stride 6", local(6), fermiBanks, 2},
		{"stride 8", local(8), fermiBanks, 8},
		{"stride 16", local(16), fermiBanks, 16},
		{"stride 32", local(32), fermiBanks, 32},
		{"stride 64", local(64), fermiBanks, 32},
		{"the same word", local(0), fermiBanks, 1},
		{"two words of one bank", &idg.Access{Width: 4, Offsets: []int64{0, 0, 128, 128}}, fermiBanks, 2},
		{"different degrees: the largest", &idg.Access{Width: 4, Offsets: []int64{0, 128, 256, 4, 132, 8}},
			fermiBanks, 3},
		{"8x8 tile, row-major, column read", &idg.Access{Width: 4, Offsets: []int64{0, 32, 64, 96, 128, 160, 192, 224}},
			fermiBanks, 2},
		{"bytes of one word", strided(idg.SpaceLocal, 32, 0, 1, 1), fermiBanks, 1},
		{"unknown", &idg.Access{Width: 4}, fermiBanks, 0},
		{"64-bit banks, stride 2", local(2), keplerBanks, 1},
		{"64-bit banks, stride 4", local(4), keplerBanks, 2},
		{"64-bit banks, stride 32", local(32), keplerBanks, 16},
		{"half warps of 16 banks, stride 1", local(1), g80Banks, 2 * 1},
		{"half warps of 16 banks, stride 2", local(2), g80Banks, 2 * 2},
		{"half warps of 16 banks, stride 16", local(16), g80Banks, 2 * 16},
		{"no banks", local(1), Banks{}, 0},
	} {
		if got := BankPasses(c.a, c.b); got != c.want {
			t.Errorf("%s: %d, want %d", c.name, got, c.want)
		}
	}
}

// Wide accesses are served half or a quarter of a warp at a time.
func TestBankPassesOfWideAccesses(t *testing.T) {
	for _, c := range []struct {
		name   string
		width  uint16
		b      Banks
		passes int
	}{
		{"4 bytes", 4, fermiBanks, 1},
		{"8 bytes", 8, fermiBanks, 2},
		{"16 bytes", 16, fermiBanks, 4},
		{"8 bytes, 64-bit banks", 8, keplerBanks, 1},
		{"16 bytes, 64-bit banks", 16, keplerBanks, 2},
		{"4 bytes, half warps", 4, g80Banks, 2},
		{"2 bytes, half warps", 2, g80Banks, 2},
	} {
		a := strided(idg.SpaceLocal, 32, 0, int64(c.width), c.width)
		if got := BankPasses(a, c.b); got != c.passes {
			t.Errorf("%s: %d passes, want %d", c.name, got, c.passes)
		}
	}
}

// Where pairs of lanes share addresses, wide loads take half the passes.
func TestBankPassesOfPairs(t *testing.T) {
	volta := Banks{Count: 32, Bytes: 4, Lanes: 32, Pairing: 2}
	lanes := func(n int, address func(lane int) int) []int64 {
		offsets := make([]int64, n)
		for i := range offsets {
			offsets[i] = int64(address(i))
		}
		return offsets
	}
	for _, c := range []struct {
		name   string
		width  uint16
		store  bool
		lanes  []int64
		passes int
	}{
		{"one address, 16 bytes", 16, false, lanes(32, func(int) int { return 0 }), 2},
		{"one address, 8 bytes", 8, false, lanes(32, func(int) int { return 0 }), 1},
		{"one address for each half of a warp", 16, false, lanes(32, func(i int) int { return i / 16 * 16 }), 2},
		{"neighbours", 16, false, lanes(32, func(i int) int { return i / 2 * 16 }), 2},
		{"every second", 16, false, lanes(32, func(i int) int { return (i/4*2 + i%2) * 16 }), 2},
		{"every fourth", 16, false, lanes(32, func(i int) int { return i % 4 * 16 }), 4},
		{"neighbours, a column", 16, false, lanes(32, func(i int) int { return i / 2 * 128 }), 16},
		{"neighbours, but for the last", 16, false, lanes(32, func(i int) int { return min(30, i+1) / 2 * 16 }), 4},
		{"a store", 16, true, lanes(32, func(int) int { return 0 }), 4},
		{"half a warp, whose lanes are not known", 16, false, lanes(16, func(int) int { return 0 }), 2},
		{"4 bytes", 4, false, lanes(32, func(int) int { return 0 }), 1},
	} {
		a := &idg.Access{Space: idg.SpaceLocal, Width: c.width, Store: c.store, Offsets: c.lanes}
		if got := BankPasses(a, volta); got != c.passes {
			t.Errorf("%s: %d passes, want %d", c.name, got, c.passes)
		}
	}
}

// naivePasses fills, group by group, one set of words per bank.
func naivePasses(a *idg.Access, b Banks) (passes, degree int) {
	group := b.Lanes
	for group > 1 && group*int(a.Width) > b.Count*b.Bytes {
		group /= 2
	}
	for first := 0; first < len(a.Offsets); first += group {
		banks := make([]map[int64]bool, b.Count)
		most := 0
		for _, o := range a.Offsets[first:min(first+group, len(a.Offsets))] {
			for byteAt := o; byteAt < o+int64(a.Width); byteAt++ {
				word := byteAt / int64(b.Bytes)
				k := word % int64(b.Count)
				if banks[k] == nil {
					banks[k] = map[int64]bool{}
				}
				banks[k][word] = true
				most = max(most, len(banks[k]))
			}
		}
		passes += most
		degree = max(degree, most)
	}
	return passes, degree
}

func TestBankPassesOracle(t *testing.T) {
	rng := rand.New(rand.NewPCG(9, 10))
	conflicts := 0
	for range tools.Cases(3000, 600) {
		a := randomAccess(rng)
		for i := range a.Offsets {
			a.Offsets[i] = max(a.Offsets[i], 0)
		}
		for _, b := range []Banks{fermiBanks, keplerBanks, g80Banks, {Count: 32, Bytes: 4, Lanes: 64}} {
			passes, degree := naivePasses(a, b)
			if got := BankPasses(a, b); got != passes {
				t.Fatalf("%+v: %d passes, want %d: width %d, %v", b, got, passes, a.Width, a.Offsets)
			}
			if degree > 1 {
				conflicts++
			}
		}
	}
	if conflicts < 1000 {
		t.Errorf("only %d conflicts: the test does not cover them", conflicts)
	}
}

func TestImpossibleBanks(t *testing.T) {
	a := strided(idg.SpaceLocal, 32, 0, 4, 4)
	for _, b := range []Banks{{Bytes: 4, Lanes: 32}, {Count: 32, Lanes: 32}, {Count: 32, Bytes: 4}, {}} {
		if n := BankPasses(a, b); n != 0 {
			t.Errorf("%+v: %d passes", b, n)
		}
	}
	if n := BankPasses(&idg.Access{Space: idg.SpaceLocal, Width: 4}, fermiBanks); n != 0 {
		t.Errorf("without addresses: %d passes", n)
	}
}

func TestAddressCounts(t *testing.T) {
	offsets := []int64{8, 0, 8, 4, 8, 0}
	if got := distinctAddresses(offsets); got != 3 {
		t.Errorf("%d distinct addresses, want 3", got)
	}
	if got := mostAtOneAddress(offsets); got != 3 {
		t.Errorf("%d lanes at one address, want 3", got)
	}
	if offsets[0] != 8 {
		t.Error("the offsets were reordered")
	}
}
