package fit

import (
	"cmp"
	"math"
	"slices"
)

// Where all warps wait for one subsystem, times are λ times what depends on Λ/λ alone. With priority
// they jump where one warp more fits into Λ, which is where Λ/λ is whole. So values of Λ/λ are tried, the
// whole ones among them, and λ follows from each: it is what all times have in common.

// ratios are the curves of one class by Λ/λ.
type ratios struct {
	list     []observation
	scatter  float64                                          // their standard deviation, relative
	relative func(x float64, o *observation) (float64, error) // time where λ is 1 and Λ is x
	all      []ratio                                          // that were tried
}

// ratio is a curve that was tried.
type ratio struct{ x, cpi, loss float64 }

func (r ratio) compare(other ratio) int { return cmp.Compare(r.loss, other.loss) }

// at tries a value.
func (r *ratios) at(x float64) (ratio, error) {
	for _, t := range r.all {
		if t.x == x {
			return t, nil
		}
	}
	apart, times := make([]float64, len(r.list)), map[configuration]float64{}
	for i := range r.list {
		o := &r.list[i]
		time, ok := times[o.configuration]
		if !ok {
			var err error
			if time, err = r.relative(x, o); err != nil {
				return ratio{}, err
			}
			times[o.configuration] = time
		}
		apart[i] = math.Log(o.time / time)
	}
	t := ratio{x: x}
	common := location(apart, r.scatter)
	for _, a := range apart {
		t.loss += huberOf((a - common) / r.scatter)
	}
	t.cpi = math.Exp(common)
	r.all = append(r.all, t)
	return t, nil
}

// best tries values and returns the one with the least loss of all so far.
func (r *ratios) best(values []float64) (ratio, error) {
	for _, x := range values {
		if _, err := r.at(x); err != nil {
			return ratio{}, err
		}
	}
	return slices.MinFunc(r.all, ratio.compare), nil
}

// walk tries values around the best one in growing steps, as far as the samples do not speak against them.
func (r *ratios) walk(unit float64) (ratio, error) {
	best := slices.MinFunc(r.all, ratio.compare)
	for _, direction := range []float64{-1, 1} {
		for n := 1.0; n <= farthest; n = math.Ceil(n * 1.5) {
			x := best.x * math.Exp(direction*n*finest)
			t, err := r.at(x)
			if err != nil {
				return best, err
			}
			if t.loss > best.loss+informative {
				break
			}
		}
	}
	low, high := best.x, best.x
	for _, t := range r.all {
		if t.loss <= best.loss+informative {
			low, high = min(low, t.x), max(high, t.x)
		}
	}
	return r.best(multiples(low, high, unit))
}

const (
	finest   = 0.005 // least step between values that are tried, relative
	farthest = 100   // such steps, from the best value
)

// spread are values from one to another in so many of the finest steps, the same whatever the limits, and
// multiples of a unit.
func spread(from, to float64, steps int, unit float64) []float64 {
	var list []float64
	step := float64(steps) * finest
	for n := math.Ceil(math.Log(from) / step); n*step <= math.Log(to); n++ {
		list = append(list, math.Exp(n*step))
	}
	return append(list, multiples(from, to, unit)...)
}

// multiples are those of a unit from one value to another, and the middles between, as far as they are farther from
// each other than the finest steps that tell them apart.
func multiples(from, to, unit float64) (list []float64) {
	const apart = 5 * finest
	for k := math.Ceil(2 * from / unit); k*unit <= 2*to && k*apart < 1; k++ {
		list = append(list, k*unit/2)
	}
	return list
}

// unit is λ of a sub-core's share of a subsystem, where λ is 1.
func (m *Machine) unit(partitioned bool) float64 {
	if partitioned {
		return float64(m.Partitions)
	}
	return 1
}

// location is what values have in common, by Huber's loss.
func location(values []float64, scatter float64) float64 {
	at := median(slices.Clone(values))
	for range 5 {
		sum, weights := 0.0, 0.0
		for _, v := range values {
			w := 1.0
			if r := math.Abs(v-at) / scatter; r > huber {
				w = huber / r
			}
			sum, weights = sum+w*v, weights+w
		}
		at = sum / weights
	}
	return at
}

// found is λ and Λ: the middle of the values whose loss hardly differs from the least, and how far it may be off.
func (r *ratios) found() (cpi, latency Number) {
	slices.SortFunc(r.all, func(a, b ratio) int { return cmp.Compare(a.x, b.x) })
	least := slices.MinFunc(r.all, ratio.compare).loss
	above := func(t ratio) float64 { return math.Sqrt(t.loss-least) * math.Sqrt2 } // standard errors
	var within, around []ratio
	for i, t := range r.all {
		if above(t) >= confidence {
			continue
		}
		within = append(within, t)
		for _, n := range []int{max(i-1, 0), min(i+1, len(r.all)-1)} {
			if next := r.all[n]; above(next) > confidence { // the interval ends between the two
				share := (confidence - above(t)) / (above(next) - above(t))
				around = append(around, ratio{x: t.x + share*(next.x-t.x), cpi: t.cpi + share*(next.cpi-t.cpi)})
			}
		}
	}
	around = append(around, within...)
	common := confidence * r.scatter / math.Sqrt(float64(len(r.list))) // of λ, whatever Λ/λ is
	number := func(of func(ratio) float64) Number {
		from, to := extent(within, of)
		low, high := extent(around, of)
		middle := math.Sqrt(from * to)
		return Number{Value: middle, Error: math.Hypot(common, max(middle/low, high/middle)-1)}
	}
	return number(func(t ratio) float64 { return t.cpi }), number(func(t ratio) float64 { return t.cpi * t.x })
}

// extent is the range of a number of some ratios.
func extent(list []ratio, of func(ratio) float64) (least, most float64) {
	least, most = of(list[0]), of(list[0])
	for _, t := range list {
		least, most = min(least, of(t)), max(most, of(t))
	}
	return least, most
}
