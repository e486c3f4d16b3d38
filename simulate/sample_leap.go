package simulate

import (
	"math"
	"math/bits"
	"slices"
)

// leap is what is left out at once.
type leap struct {
	time   Tick
	issues int64
	turns  []int64        // by place: iterations
	loops  []*countedLoop // by place: of these
	idle   []bool         // by place: a warp that did nothing in the measured time
	even   []bool         // by place: a warp that goes on at the rate of all in its loop
	lost   float64        // bound of the error of the time, in ticks
}

// shareBits is the fraction of a share.
const shareBits = 20

// ahead is how many iterations each warp goes ahead when the first of them begins
// its last one, if they go on as they went from one mark to another.
func (s *loopSampler) ahead(from, to []progress, perSlot int) (l leap, ok bool) {
	l = leap{
		turns: make([]int64, s.places), loops: make([]*countedLoop, s.places),
		idle: make([]bool, s.places), even: make([]bool, s.places),
	}
	share := make([]int64, s.places)
	for place := range to {
		a, b := &from[place], &to[place]
		issued := int64(b.number - a.number)
		switch {
		case a.live != b.live:
			return l, false
		case !a.live:
			continue
		case issued == 0:
			l.idle[place] = true
			continue
		case b.loop == nil || a.loop != b.loop:
			return l, false
		}
		l.loops[place], share[place] = b.loop, issued<<shareBits/b.loop.length
		n, whole := a.left-b.left, issued/b.loop.length
		if n < leastTurns || b.left < 2 || whole != n && whole != n-1 {
			return l, false
		}
	}
	if !l.level(share, perSlot) || slices.Contains(l.idle, true) && !l.allEven() {
		return l, false
	}
	first := -1
	for place, n := range share {
		if n > 0 && (first < 0 || before(to[place].left-1, n, to[first].left-1, share[first])) {
			first = place
		}
	}
	if first < 0 {
		return l, false
	}
	for place, n := range share {
		if n > 0 {
			hi, lo := bits.Mul64(uint64(to[first].left-1), uint64(n))
			q, _ := bits.Div64(hi, lo, uint64(share[first]))
			l.turns[place] = int64(q)
		}
	}
	return l, true
}

// allEven reports whether all warps that go on do so at one rate.
func (l *leap) allEven() bool {
	for place, loop := range l.loops {
		if loop != nil && !l.even[place] {
			return false
		}
	}
	return true
}

// before reports whether a/b < c/d.
func before(a, b, c, d int64) bool {
	hi, lo := bits.Mul64(uint64(a), uint64(d))
	otherHi, otherLo := bits.Mul64(uint64(c), uint64(b))
	return hi < otherHi || hi == otherHi && lo < otherLo
}

// level makes the shares, in iterations / 2^shareBits, equal of warps that go on at
// the same rate: those of a group that meet at barriers, and all in the same loop if
// they (or all that go on) differ by no more than begun iterations do. It returns false where barriers do
// not say which rates are the same.
func (l *leap) level(share []int64, perSlot int) bool {
	type set struct{ low, high, sum, n int64 }
	sets := map[*countedLoop]*set{}
	key := make([]*countedLoop, len(share)) // of the place's set
	for slot := range len(share) / perSlot {
		first, end := slot*perSlot, (slot+1)*perSlot
		var meets *countedLoop
		for _, loop := range l.loops[first:end] {
			if loop != nil && loop.barriers > 0 {
				meets = loop
			}
		}
		sum, n := int64(0), int64(0)
		for place := first; place < end; place++ {
			key[place] = l.loops[place]
			if meets == nil {
				continue
			}
			if l.idle[place] || key[place] != nil && key[place].barriers != meets.barriers {
				return false
			}
			if key[place] != nil {
				key[place] = meets
				sum, n = sum+share[place], n+1
			}
		}
		for place := first; place < end; place++ {
			if key[place] == nil {
				continue
			}
			v := sets[key[place]]
			if v == nil {
				v = &set{low: share[place], high: share[place]}
				sets[key[place]] = v
			}
			v.low, v.high, v.sum, v.n = min(v.low, share[place]), max(v.high, share[place]), v.sum+share[place], v.n+1
			if meets != nil {
				share[place] = sum / n
			}
		}
	}
	all := set{low: math.MaxInt64}
	for _, v := range sets {
		all = set{min(all.low, v.low), max(all.high, v.high), all.sum + v.sum, all.n + v.n}
	}
	for place, k := range key {
		if k == nil {
			continue
		}
		if v := sets[k]; all.high-all.low <= 2<<shareBits {
			share[place], l.even[place] = all.sum/all.n, true
		} else if v.high-v.low <= 2<<shareBits {
			share[place] = v.sum / v.n
		}
	}
	return true
}

// uneven is the bound of the relative error that comes from warps that go on at rates
// of their own: of each, by how much its iterations in the two halves of the measured
// time differ, and one for where the halves end. If a warp has one more left than it
// should have, that costs at most as long as one of the fastest warp in its loop: then
// it is alone.
func (l *leap) uneven(from, middle, to []progress) float64 {
	off, most := map[*countedLoop]float64{}, map[*countedLoop]float64{}
	for place, loop := range l.loops {
		if loop == nil || l.even[place] {
			continue
		}
		a := float64(middle[place].number-from[place].number) / float64(loop.length)
		b := float64(to[place].number-middle[place].number) / float64(loop.length)
		off[loop], most[loop] = max(off[loop], 1+math.Abs(a-b)), max(most[loop], a+b)
	}
	sum := 0.0
	for loop := range off {
		sum = max(sum, off[loop]/most[loop])
	}
	return sum
}
