package latencies

import (
	"fmt"
	"math"

	"gpupipe/idg"
)

// Addresses is what the lanes of an access are taken to touch whose addresses the graph does
// not know, as those of x[col[i]].
type Addresses uint8

// The kinds of addresses. The zero value is what suits the address space where lanes are not known to have loaded where
// they go: coalesced, and the same in private and constant memory.
const (
	Coalesced Addresses = iota + 1 // consecutive from lane to lane; in local memory without bank conflicts
	Scattered                      // each lane at a place by chance: a segment of device memory each
	Same                           // all lanes at one place
)

var addressesNames = [...]string{Coalesced: "coalesced", Scattered: "scattered", Same: "same"}

func (a Addresses) String() string {
	if a != 0 && int(a) < len(addressesNames) {
		return addressesNames[a]
	}
	return "invalid addresses"
}

// ParseAddresses reads "coalesced", "scattered" or "same".
func ParseAddresses(s string) (Addresses, error) {
	for a := Coalesced; a <= Same; a++ {
		if s == a.String() {
			return a, nil
		}
	}
	return 0, fmt.Errorf("there are no addresses %q: one of coalesced, scattered, same", s)
}

// taken says why an access's addresses are not known, and what they are taken to be.
func (as Addresses) taken(a *idg.Access, otherwise string) string {
	text := "addresses not known" + because(a.Assumed)
	switch {
	case a.Same && as == Same:
		return text + ", but the same in all lanes"
	case as != 0:
		otherwise = as.String()
	}
	return text + ": assumed " + otherwise
}

// segments is how many segments of device memory lanes touch.
func (as Addresses) segments(m *Memory, a *idg.Access, lanes int) int {
	if as == Scattered || as == Same {
		return as.count(a, lanes, func(a *idg.Access) int { return TransactionsBy(a, m.SegmentBytes, m.SegmentLanes) })
	}
	return coalesced(lanes, int(a.Width), m.SegmentBytes, m.SegmentLanes)
}

// leastTransactions is how many transactions or passes an access needs if the addresses of its lanes are
// consecutive, and in constant memory the same.
func (m *Memory) leastTransactions(in *idg.Instr, a *idg.Access) int {
	if a == nil {
		a = &idg.Access{Width: referenceBytes}
	}
	lanes := max(int(in.Lanes), 1)
	if a.Known() {
		lanes = len(a.Offsets)
	}
	switch spaceOf(in, a) {
	case idg.SpaceLocal:
		return Coalesced.passes(m.Banks(), a, lanes)
	case idg.SpaceConstant:
		return 1
	}
	return Coalesced.segments(m, a, lanes)
}

// passes is how many passes over the banks of local memory they take, by chance rounded to
// the nearest number.
func (as Addresses) passes(b Banks, a *idg.Access, lanes int) int {
	if as == Same {
		return BankPasses(as.example(a, lanes), b)
	}
	per := b.lanesPerPass(a)
	groups := (lanes + per - 1) / per
	if as != Scattered {
		return groups
	}
	places := max(1, b.Count*b.Bytes/max(int(a.Width), b.Bytes))
	return int(math.Round(float64(groups) * mostByChance(min(per, lanes/besideEachOther(a, lanes)), places)))
}

// mostByChance is the expected largest number of n things in one of some places, each in any of them
// with equal probability:
//
//	E = Σ (1 - P(most ≤ k)) over k ≥ 0, P(most ≤ k) = n!/places^n · [xⁿ] (Σ xʲ/j! over j ≤ k)^places
//
// For 32 lanes and 32 banks it is 3.53.
func mostByChance(n, places int) float64 {
	expected := 0.0
	for k := range n {
		// ways[i] is [xⁱ]·i!/placesⁱ of the product over the places so far.
		ways := make([]float64, n+1)
		ways[0] = 1
		for range places {
			next := make([]float64, n+1)
			for i := range next {
				choose := 1.0 // C(i, j) / placesʲ
				for j := 0; j <= min(i, k); j++ {
					next[i] += choose * ways[i-j]
					choose *= float64(i-j) / float64(j+1) / float64(places)
				}
			}
			ways = next
		}
		expected += 1 - ways[n]
	}
	return expected
}
