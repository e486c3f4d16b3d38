package latencies

import (
	"math/rand/v2"
	"slices"
	"testing"

	"gpupipe/internal/test/tools"
)

// groupTrace is the sectors that a group touches in order: those of its own, from 0, and
// those that all groups touch, below 0.
type groupTrace []int

// layers reads a row, reads it again, and reads it a third time while it writes another and reads weights
// that all groups share.
func layers(row int) groupTrace {
	var t groupTrace
	for range 2 {
		for i := range row {
			t = append(t, i)
		}
	}
	for i := range row {
		t = append(t, i, row+i, -1-i, -1-row-i)
	}
	return t
}

// randomTrace touches some sectors in any order, more often those of the last time.
func randomTrace(r *rand.Rand) groupTrace {
	own, common := 1+r.IntN(40), r.IntN(40)
	var t groupTrace
	for range 20 + r.IntN(300) {
		if n := len(t); n > 8 && r.IntN(3) == 0 {
			t = append(t, t[n-1-r.IntN(8)])
		} else {
			t = append(t, r.IntN(own+common)-common)
		}
	}
	return t
}

// parts counts a trace's sectors: own and common.
func (t groupTrace) parts() (own, common int64) {
	seen := slices.Clone(t)
	slices.Sort(seen)
	for _, x := range slices.Compact(seen) {
		if x < 0 {
			common++
		} else {
			own++
		}
	}
	return own, common
}

// lru is a list of sectors, the last touched last.
type lru [][2]int // group (-1: of all), sector

// touch returns the distance of a sector in sectors, 0 if it has not been touched.
func (l *lru) touch(group, sector int) int64 {
	if sector < 0 {
		group = -1
	}
	x := [2]int{group, sector}
	i := slices.Index(*l, x)
	d := int64(0)
	if i >= 0 {
		d = int64(len(*l) - i)
		*l = slices.Delete(*l, i, i+1)
	}
	*l = append(*l, x)
	return d
}

// between is no less than the distances that a cache sees which groups share that take turns in
// step, whatever they touch. Where they are at different places, and others begin where some have ended, it
// is so on the average: of each trace to a tenth.
func TestBetweenAgainstList(t *testing.T) {
	r := rand.New(rand.NewPCG(7, 7))
	below, beyond := 0, 0
	for n := range tools.Cases(300, 80) {
		trace, m := randomTrace(r), 2+r.IntN(6)
		if n%3 == 0 {
			trace = layers(2 + r.IntN(30))
		}
		own, common := trace.parts()
		h := hierarchy{own: own, common: common}
		var alone lru
		bound := make([]int64, len(trace)) // by place; 0 = the group's first touch
		for i, x := range trace {
			if d := alone.touch(0, x); d > 0 {
				bound[i] = h.between(d, int64(m))
				if bound[i] < h.apart(d, int64(m)) {
					below++
				}
			}
		}
		var cache lru
		for i, x := range trace { // in step
			for group := range m {
				if d := cache.touch(group, x); bound[i] > 0 && d > bound[i] {
					t.Fatalf("trace %d, %d groups: a distance of %d at place %d, at most %d expected", n, m, d,
						i, bound[i])
				}
			}
		}
		cache = nil
		next, at := m, make([]int, m) // groups that follow, and where each slot is
		group := make([]int, m)
		for k := range m {
			group[k], at[k] = k, k*len(trace)/m
		}
		var sum, most float64
		for range 6 * len(trace) {
			for k := range m {
				if d := cache.touch(group[k], trace[at[k]]); bound[at[k]] > 0 && d > 0 {
					sum, most = sum+float64(d), most+float64(bound[at[k]])
				}
				if at[k]++; at[k] == len(trace) {
					at[k], group[k] = 0, next
					next++
				}
			}
		}
		if sum > most {
			beyond++
		}
		if sum > 1.1*most {
			t.Errorf("trace %d, %d groups at different places: distances of %.0f in all, %.0f expected", n,
				m, sum, most)
		}
	}
	if beyond > 300/20 {
		t.Errorf("the distances of %d traces are more than expected", beyond)
	}
	if below < 1000 {
		t.Errorf("only %d distances are bounded by what the groups touch", below)
	}
}
