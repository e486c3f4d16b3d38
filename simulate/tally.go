package simulate

import (
	"math"
	"math/big"
	"math/bits"
)

// span is a sum of times in ticks. It has 128 bits, because times reach 2^61 and
// add up over warps: sums are exact, so that they do not depend on the order in
// which an engine adds, and whole periods can be multiplied.
type span struct{ hi, lo uint64 }

// add adds t ≥ 0.
func (s *span) add(t Tick) {
	lo := s.lo + uint64(t)
	s.lo = lo
	if lo < uint64(t) { // so seldom that a branch costs less than to add the carry
		s.hi++
	}
}

// repeat adds n times what s has grown by since it was before.
func (s *span) repeat(before span, n uint64) {
	lo, borrow := bits.Sub64(s.lo, before.lo, 0)
	hi, _ := bits.Sub64(s.hi, before.hi, borrow)
	carried, product := bits.Mul64(lo, n)
	var carry uint64
	s.lo, carry = bits.Add64(s.lo, product, 0)
	s.hi += hi*n + carried + carry
}

// addBig adds x ≥ 0.
func (s *span) addBig(x *big.Int) {
	low := new(big.Int).And(x, new(big.Int).SetUint64(math.MaxUint64)).Uint64()
	lo, carry := bits.Add64(s.lo, low, 0)
	s.lo = lo
	s.hi += new(big.Int).Rsh(x, 64).Uint64() + carry
}

func (s *span) float() float64 { return float64(s.hi)*(1<<64) + float64(s.lo) }

// tally is what a run counts.
type tally struct {
	issued   int64
	warps    int64  // that ended
	resident span   // warps from start to end
	waited   []span // by class: warps with nothing ready until one of it ended
	queued   []span // by class: warps with something ready until one of it issued
}

func newTally(classes int) tally {
	return tally{waited: make([]span, classes), queued: make([]span, classes)}
}

// outcome is what an engine reports of the groups that it ran.
type outcome struct {
	end         Tick    // of the last group
	ended       int64   // groups
	skipped     int64   // groups that were not run because they repeat what others did; part of ended
	stats       tally   // of all groups that ended
	unsimulated int64   // instructions that were not simulated because they repeat
	groups      []int64 // of them by kind
	marks       []mark  // at the end of each group, in order; only for an extrapolation
	load        loadUse
	sampler     sampler
	fewer       *fewer // nil if it is that of the launch itself
	// beyond is what of λ lies beyond the end, by subsystem, and beyondSlots what
	// of the issue valve, beyondReads what of the reads of registers: in ticks, summed
	// over sub-cores.
	beyond      []Tick
	beyondSlots Tick
	beyondReads Tick
	profile     *Profile
}

// leftOut is how many instructions were not simulated because loops had fewer iterations.
func (o *outcome) leftOut() int64 {
	if o.fewer == nil {
		return 0
	}
	return o.fewer.left
}
