package locality

import (
	"math/rand/v2"
	"testing"
)

// members lists what a set contains, of small numbers, and checks its form.
func members(t *testing.T, s set) map[int64]bool {
	t.Helper()
	m := map[int64]bool{}
	for i, x := range s {
		if x.lo >= x.hi || i > 0 && x.lo <= s[i-1].hi {
			t.Fatalf("%v is not a set", s)
		}
		for n := x.lo; n < x.hi; n++ {
			m[n] = true
		}
	}
	return m
}

func randomSpans(r *rand.Rand) []span {
	var list []span
	for range r.IntN(12) {
		lo := r.Int64N(300) - 100
		list = append(list, span{lo, lo + 1 + r.Int64N(40)})
	}
	return list
}

// Operations on sets against the numbers that they contain.
func TestSets(t *testing.T) {
	for seed := range uint64(2000) {
		r := rand.New(rand.NewPCG(seed, 1))
		x, y := randomSpans(r), randomSpans(r)
		want := map[int64]bool{}
		for _, s := range x {
			for n := s.lo; n < s.hi; n++ {
				want[n] = true
			}
		}
		var collected builder
		for _, s := range x {
			collected.add(s)
		}
		a, b := normalised(x), normalised(y)
		inB := members(t, b)
		same := func(what string, got set, want map[int64]bool) {
			t.Helper()
			m := members(t, got)
			if len(m) != len(want) || got.size() != int64(len(want)) {
				t.Fatalf("seed %d, %s: %v", seed, what, got)
			}
			for n := range want {
				if !m[n] {
					t.Fatalf("seed %d, %s: %d is missing in %v", seed, what, n, got)
				}
			}
		}
		same("normalised", a, want)
		same("collected", collected.set(), want)
		both, either, only, sectors, moved := map[int64]bool{}, map[int64]bool{}, map[int64]bool{}, map[int64]bool{},
			map[int64]bool{}
		for n := range want {
			either[n], sectors[floorDiv(n, 32)], moved[n-17] = true, true, true
			if inB[n] {
				both[n] = true
			} else {
				only[n] = true
			}
		}
		for n := range inB {
			either[n] = true
		}
		in, out := split(a, b)
		same("union", union(a, b), either)
		same("in both", merged(append(set(nil), in...)), both)
		same("in one only", merged(append(set(nil), out...)), only)
		same("sectors", sectorSize(32).sectors(a), sectors)
		same("shifted", a.shifted(-17), moved)

		step, copies := r.Int64N(81)-40, 1+r.Int64N(9)
		all := map[int64]bool{}
		for k := range copies {
			for n := range want {
				all[n+k*step] = true
			}
		}
		if got, n := repeated(a, step, copies, maxSpans); n != copies {
			t.Fatalf("seed %d: %d copies", seed, n)
		} else {
			same("repeated", got, all)
		}
	}
}
