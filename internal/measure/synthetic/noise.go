package synthetic

import (
	"encoding/binary"
	"fmt"
	"hash/fnv"
	"math/rand/v2"

	"gpupipe/internal/measure"
)

// Disturbance is what is wrong with the times of a synthetic device.
type Disturbance struct {
	Seed     uint64
	Noise    float64 // standard deviation of a time, relative to it
	Outliers float64 // share of the times that something else delayed, or a timer got wrong
	Clocks   float64 // share of the times in which the clock moved
}

// Default is what the fit must withstand: 5% noise, 5% outliers, and a clock that moves.
func Default() Disturbance { return Disturbance{Seed: 1, Noise: 0.05, Outliers: 0.05, Clocks: 0.02} }

// An outlier takes so many times as long; a fifth of them are as much too fast instead.
const (
	leastOutlier, mostOutlier = 1.3, 3
	tooFast                   = 0.2
)

// A clock that moves falls to at least this share.
const leastClock = 0.7

// source gives the random numbers of one attempt at a repetition of a point.
func (d Disturbance) source(p measure.Point) *rand.Rand {
	h := fnv.New64a()
	fmt.Fprintln(h, p.Class.Name, p.Chains, p.GroupSize, p.Groups, p.WarpsPerUnit, p.Repetition, p.Attempt)
	var seed [32]byte
	binary.LittleEndian.PutUint64(seed[:], d.Seed)
	binary.LittleEndian.PutUint64(seed[8:], h.Sum64())
	return rand.New(rand.NewChaCha8(seed))
}

// disturb gives the time and the clock at the end, as shares of what is true.
func (d Disturbance) disturb(r *rand.Rand) (time, clock float64) {
	// The same numbers are drawn whatever they decide.
	noise, outlier, size, fast, moved, to := r.NormFloat64(), r.Float64(), r.Float64(), r.Float64(), r.Float64(),
		r.Float64()
	time, clock = max(1+d.Noise*noise, 0.5), 1
	if outlier < d.Outliers {
		factor := leastOutlier + (mostOutlier-leastOutlier)*size
		if fast < tooFast {
			factor = 1 / factor
		}
		time *= factor
	}
	if moved < d.Clocks {
		clock = leastClock + (0.95-leastClock)*to
		time *= 2 / (1 + clock) // it falls half-way
	}
	return time, clock
}
