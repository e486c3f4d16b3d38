package latencies

import (
	"math"

	"gpupipe/idg"
)

// chanceDraws is how many samples stand for lanes whose places are taken to be by chance: their mean of 32 lanes is
// known to about 2%.
const chanceDraws = 64

// byChance is the mean over accesses of which each lane has a place by chance in as many bytes as the access
// can reach. The places are the same in each run.
func byChance(a *idg.Access, lanes int, of func(*idg.Access) int) float64 {
	width := max(1, int64(a.Width))
	places := uint64(max(1, a.Within/width))
	example, sum := *a, 0
	example.Offsets = make([]int64, lanes)
	beside := besideEachOther(a, lanes)
	x := uint64(0)
	for range chanceDraws {
		for i := range example.Offsets {
			if i%beside == 0 {
				x++
			}
			example.Offsets[i] = (int64(mixed(x)%places)/int64(beside)*int64(beside) + int64(i%beside)) * width
		}
		sum += of(&example)
	}
	return float64(sum) / chanceDraws
}

// besideEachOther is how many lanes are beside each other at each place, which begins at a multiple of as many.
func besideEachOther(a *idg.Access, lanes int) int {
	if a.Places == 0 {
		return 1
	}
	return max(1, lanes/int(a.Places))
}

// mixed is the n-th number of splitmix64 (G. Steele et al., Fast Splittable Pseudorandom Number Generators, 2014).
func mixed(n uint64) uint64 {
	z := n * 0x9e3779b97f4a7c15
	z = (z ^ z>>30) * 0xbf58476d1ce4e5b9
	z = (z ^ z>>27) * 0x94d049bb133111eb
	return z ^ z>>31
}

// example is an access with such addresses: scattered ones are in lines of their own, and
// anywhere there.
func (as Addresses) example(a *idg.Access, lanes int) *idg.Access {
	known := *a
	known.Offsets = make([]int64, lanes)
	beside := besideEachOther(a, lanes)
	for i := range known.Offsets {
		switch as {
		case Scattered:
			place, width := i/beside, int64(a.Width)
			known.Offsets[i] = int64(place)<<20 + int64(mixed(uint64(place))%1024*uint64(beside)+uint64(i%beside))*width
		case Coalesced, 0:
			known.Offsets[i] = int64(i) * int64(a.Width)
		}
	}
	return &known
}

// count is what an access is counted to with such addresses, rounded: of scattered ones that can reach a part of a
// buffer only, the mean.
func (as Addresses) count(a *idg.Access, lanes int, of func(*idg.Access) int) int {
	if as == Scattered && a.Within > 0 {
		return max(1, int(math.Round(byChance(a, lanes, of))))
	}
	return of(as.example(a, lanes))
}
