package latencies

import (
	"fmt"
	"math"
	"math/rand/v2"
	"testing"

	"gpupipe/idg"
	"gpupipe/internal/test/tools"
)

// strided is an access of n lanes, width bytes each, from start on.
func strided(space idg.Space, n int, start, stride int64, width uint16) *idg.Access {
	a := &idg.Access{Space: space, Width: width, Offsets: make([]int64, n)}
	for i := range a.Offsets {
		a.Offsets[i] = start + int64(i)*stride
	}
	return a
}

// V16 2.5: 32 lanes of 4 bytes in blocks of 128 bytes.
func TestTransactionsGolden(t *testing.T) {
	for _, c := range []struct {
		name          string
		start, stride int64
		want          int
	}{
		{"aligned, stride 1", 0, 4, 1},
		{"misaligned by one word", 4, 4, 2},
		{"stride 2", 0, 8, 2},
		{"stride 3", 0, 12, 3},
		{"fully divergent", 0, 128, 32},
		{"fully divergent, far apart", 0, 4096, 32},
		{"broadcast", 60, 0, 1},
		{"descending", 124, -4, 1},
	} {
		if got := Transactions(strided(idg.SpaceGlobal, 32, c.start, c.stride, 4), 128); got != c.want {
			t.Errorf("%s: %d transactions, want %d", c.name, got, c.want)
		}
	}
}

func TestTransactionsEdges(t *testing.T) {
	for _, c := range []struct {
		name    string
		a       *idg.Access
		segment int
		want    int
	}{
		{"unknown addresses", &idg.Access{Space: idg.SpaceGlobal, Width: 4}, 128, 0},
		{"no segment", strided(idg.SpaceGlobal, 32, 0, 4, 4), 0, 0},
		{"no width", strided(idg.SpaceGlobal, 32, 0, 4, 0), 128, 0},
		{"one lane across a boundary", strided(idg.SpaceGlobal, 1, 126, 0, 4), 128, 2},
		{"wider than a segment", strided(idg.SpaceGlobal, 2, 0, 100, 100), 32, 7},
		{"negative offsets", strided(idg.SpaceGlobal, 2, -4, 4, 4), 128, 2},
		{"end of the address range", strided(idg.SpaceGlobal, 1, math.MaxInt64-1, 0, 16), 1, 1},
		{"start of the address range", strided(idg.SpaceGlobal, 1, math.MinInt64, 0, 1), 32, 1},
	} {
		if got := Transactions(c.a, c.segment); got != c.want {
			t.Errorf("%s: %d transactions, want %d", c.name, got, c.want)
		}
	}
	// Half a warp at a time, as on G80: each half has its own transactions.
	if got := TransactionsBy(strided(idg.SpaceGlobal, 32, 0, 0, 4), 32, 16); got != 2 {
		t.Errorf("a broadcast to two half warps is %d transactions, want 2", got)
	}
}

// naiveTransactions marks every byte's segment.
func naiveTransactions(a *idg.Access, segment int64) int {
	seen := map[int64]bool{}
	for _, o := range a.Offsets {
		for b := range int64(a.Width) {
			seen[int64(math.Floor(float64(o+b)/float64(segment)))] = true
		}
	}
	return len(seen)
}

// randomAccess mixes strides, shuffles, broadcasts and scattered lanes.
func randomAccess(rng *rand.Rand) *idg.Access {
	n := 1 + rng.IntN(64)
	a := strided(idg.SpaceGlobal, n, rng.Int64N(300), rng.Int64N(80)-40, []uint16{1, 2, 4, 8, 12, 16, 32}[rng.IntN(7)])
	for i := range a.Offsets {
		if rng.IntN(4) == 0 {
			a.Offsets[i] = rng.Int64N(4096)
		}
	}
	if rng.IntN(2) == 0 {
		rng.Shuffle(n, func(i, j int) { a.Offsets[i], a.Offsets[j] = a.Offsets[j], a.Offsets[i] })
	}
	return a
}

func TestTransactionsOracle(t *testing.T) {
	rng := rand.New(rand.NewPCG(5, 6))
	for range tools.Cases(5000, 1000) {
		a := randomAccess(rng)
		for _, segment := range []int{1, 32, 64, 100, 128} {
			if got, want := Transactions(a, segment), naiveTransactions(a, int64(segment)); got != want {
				t.Fatalf("%d transactions of %d bytes, want %d: width %d, %v", got, segment, want, a.Width, a.Offsets)
			}
		}
		// Properties: the order of lanes does not matter; adding lanes or cutting
		// segments smaller never needs fewer.
		more := *a
		more.Offsets = append(append([]int64(nil), a.Offsets...), rng.Int64N(4096))
		if Transactions(&more, 128) < Transactions(a, 128) || Transactions(a, 64) < Transactions(a, 128) {
			t.Fatalf("not monotonic: width %d, %v", a.Width, a.Offsets)
		}
	}
}

func BenchmarkTransactions(b *testing.B) {
	shuffled := strided(idg.SpaceGlobal, 32, 0, 68, 4)
	rand.New(rand.NewPCG(7, 8)).Shuffle(32, func(i, j int) {
		shuffled.Offsets[i], shuffled.Offsets[j] = shuffled.Offsets[j], shuffled.Offsets[i]
	})
	for _, c := range []struct {
		name string
		a    *idg.Access
	}{{"coalesced", strided(idg.SpaceGlobal, 32, 0, 4, 4)}, {"scattered", shuffled}} {
		b.Run(fmt.Sprintf("lanes=32/pattern=%s", c.name), func(b *testing.B) {
			b.ReportAllocs()
			n := 0
			for b.Loop() {
				n += Transactions(c.a, 32)
			}
			if n == 0 {
				b.Fatal("no transactions")
			}
			b.ReportMetric(float64(b.N)/b.Elapsed().Seconds(), "access/s")
		})
	}
}
