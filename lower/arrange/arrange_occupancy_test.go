package arrange

import (
	"fmt"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"gpupipe/lower/machine"
)

// TestStages orders random code that has too many registers for the most waves: the worst block has as many as it is
// said to have, and no fewer than in the order of the program but for a kernel that waits for memory; each block has the
// pressure of its order.
func TestStages(t *testing.T) {
	worse, better, again := 0, 0, 0
	for seed := range uint64(60) {
		c := parse(t, "gfx906", loading(rand.New(rand.NewPCG(seed, 11))))
		s := newStages(c, &machine.Options{MaxThreads: int(64 << (seed % 5))})
		if seed%2 == 0 {
			s.fewest = memoryWaves
		}
		waves := func() int {
			least := s.waves
			for i, b := range s.blocks {
				p := b.peak(s.orders[i])
				if p != s.pressures[i] {
					t.Errorf("seed %d block %d: %v, want %v", seed, i, s.pressures[i], p)
				}
				least = min(least, wavesWith(s.t, p))
			}
			return least
		}
		before := waves()
		s.initial()
		if slices.Contains(s.again, true) {
			again++
		}
		s.unclustered()
		s.lower()
		after := waves()
		if after < s.least {
			t.Errorf("seed %d: %d waves, said to be %d at least", seed, after, s.least)
		}
		switch {
		case after > before:
			better++
		case after < before:
			worse++
			if after < s.fewest {
				t.Errorf("seed %d: %d waves of %d", seed, after, before)
			}
		}
	}
	if worse == 0 || better < 10 || again < 5 {
		t.Errorf("%d got fewer waves, %d more, %d were ordered again: too little is tested", worse, better, again)
	}
}

// loading writes three blocks of loads and sums of them, some at once and some late.
func loading(r *rand.Rand) string {
	var b strings.Builder
	for block := range 3 {
		n, late := 8+r.IntN(90), r.IntN(3)
		fmt.Fprintf(&b, "predicate q%d\nvector a%[1]d b%[1]d s%[1]d\na%[1]d = MOV 1\nb%[1]d = MOV a%[1]d\ns%[1]d = MOV 2\n", block)
		for i := range n {
			fmt.Fprintf(&b, "vector x%d_%d\nx%[1]d_%[2]d = LDG %[3]c%[1]d ! load global 1 +%[4]d\n", block, i,
				"ab"[r.IntN(2)], 8*r.IntN(n))
			if r.IntN(3) >= late {
				fmt.Fprintf(&b, "s%d = FFMA s%[1]d x%[1]d_%[2]d x%[1]d_%[3]d\n", block, r.IntN(i+1), r.IntN(i+1))
			}
		}
		for _, i := range r.Perm(n)[:n*late/3] {
			fmt.Fprintf(&b, "s%d = FADD s%[1]d x%[1]d_%[2]d\n", block, i)
		}
		fmt.Fprintf(&b, "= STG a%d s%[1]d ! store global 2\nq%[1]d = ISETP s%[1]d 1\nif q%[1]d {\n}\n", block)
	}
	return b.String()
}

// TestWaves: the waves of a partition that local memory and registers leave room for (LLVM 14, AMDGPU:
// getOccupancyWithLocalMemSize, getOccupancyWithNumVGPRs, getOccupancyWithNumSGPRs), by hand.
func TestWaves(t *testing.T) {
	for _, test := range []struct {
		target  string
		threads int // of the largest group
		local   int64
		want    int
	}{
		{"gfx90a", 256, 0, 8}, {"gfx90a", 256, 16 << 10, 8}, {"gfx90a", 256, 40 << 10, 4}, {"gfx90a", 64, 16 << 10, 4},
		{"gfx90a", 64, 30 << 10, 2}, {"gfx90a", 65, 30 << 10, 4}, {"gfx90a", 0, 40 << 10, 8}, {"gfx90a", 64, 64 << 10, 1},
		{"gfx90a", 64, 65 << 10, 1}, {"gfx906", 192, 60 << 10, 3}, {"gfx906", 0, 0, 10}, {"gfx906", 576, 0, 10},
		{"gfx906", 64, 7000, 9}, {"gfx906", 64, 1, 10}, {"gfx1030", 64, 20 << 10, 6},
	} {
		if n := wavesFor(lookup(t, test.target), &machine.Options{MaxThreads: test.threads}, test.local); n != test.want {
			t.Errorf("%s: %d waves with groups of %d and %d bytes, want %d", test.target, n, test.threads, test.local, test.want)
		}
	}
	for _, test := range []struct {
		target         string
		vector, scalar int32
		want           int
	}{
		{"gfx90a", 64, 0, 8}, {"gfx90a", 65, 0, 7}, {"gfx90a", 128, 0, 4}, {"gfx90a", 129, 0, 3}, {"gfx90a", 512, 0, 1},
		{"gfx906", 24, 0, 10}, {"gfx906", 25, 0, 9}, {"gfx906", 24, 80, 10}, {"gfx906", 24, 81, 8}, {"gfx906", 65, 81, 3},
		{"gfx906", 0, 1, 10}, {"gfx1030", 64, 100, 16},
	} {
		if n := wavesWith(lookup(t, test.target), pressure{test.vector, test.scalar}); n != test.want {
			t.Errorf("%s: %d waves with %d vector and %d scalar registers, want %d", test.target, n, test.vector, test.scalar,
				test.want)
		}
	}
}
