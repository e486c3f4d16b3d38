package simulate

import (
	"math/rand/v2"
	"slices"
	"testing"
)

// TestDealer: kinds of groups come as their places in the launch say, the i-th of n behind (2i+1)/2n of it, and runs of
// one kind are those that dealing one group after the other has.
func TestDealer(t *testing.T) {
	r := rand.New(rand.NewPCG(1, 2))
	for range 300 {
		d := dealer{groups: make([]int64, 1+r.IntN(4))}
		type place struct {
			at   float64
			kind int
		}
		var places []place
		for k := range d.groups {
			d.groups[k] = 1 + r.Int64N(1+r.Int64N(60))
			for i := range d.groups[k] {
				places = append(places, place{(2*float64(i) + 1) / float64(d.groups[k]), k})
			}
		}
		slices.SortStableFunc(places, func(a, b place) int {
			switch {
			case a.at < b.at:
				return -1
			case a.at > b.at:
				return 1
			}
			return 0
		})
		d.given = make([]int64, len(d.groups))
		for i := 0; i < len(places); {
			limit := 1 + r.Int64N(9)
			end := i
			for end < len(places) && end-i < int(limit) && places[end].kind == places[i].kind {
				end++
			}
			k, n := d.run(limit)
			if len(d.groups) == 1 {
				n = min(n, int64(len(places)-i)) // the caller's limit
			}
			if k != places[i].kind || n != int64(end-i) {
				t.Fatalf("%v groups, %v dealt: %d of kind %d, want %d of kind %d", d.groups, d.given, n, k, end-i,
					places[i].kind)
			}
			for range n {
				if k := d.next(); k != places[i].kind {
					t.Fatalf("%v groups, %v dealt: one of kind %d, want kind %d", d.groups, d.given, k, places[i].kind)
				}
				i++
			}
		}
	}
}
