package analytic

// Interval is a part of the representative warp in GPUMech and MDM: instructions
// that issue one after the other, and the stall that ends them. The models add
// intervals up, so that equal ones need not be kept apart.
type Interval struct {
	Count        float64 // of equal intervals
	Instructions float64
	Stall        float64 // cycles in which the warp issues nothing
	Loads        float64 // cache lines of device memory that it reads
	Stores       float64 // and writes
	Uncoalesced  bool    // an access touches more lines than its bytes fill
}

// intervals are a warp's intervals and their sums.
type intervals struct {
	list                       []Interval
	count, instructions, stall float64
}

// intervalsOf returns the representative warp of a kernel as a list of intervals,
// or why it cannot be used.
func intervalsOf(in *Input, list []Interval) (v intervals, invalidReason string) {
	if len(list) == 0 {
		return v, "the instructions of a warp are not given, or are too many"
	}
	if in.slot() == 0 {
		return v, "intervals are counted in issue slots, and the device has neither an issue limit nor " +
			"computations here"
	}
	v.list = list
	for _, i := range v.list {
		v.count += i.Count
		v.instructions += i.Count * i.Instructions
		v.stall += i.Count * i.Stall
	}
	return v, ""
}

// alone is the time of the warp when no other is resident.
func (v *intervals) alone(slot float64) float64 { return v.instructions*slot + v.stall }

// run is the estimate of n warps on a unit of so many schedulers, where one
// scheduler's share of the warps takes so many cycles together.
func (v *intervals) run(in *Input, n, cycles float64) Estimate {
	e := Estimate{WarpsPerCycle: n / cycles, Bound: boundLatency}
	if roof, bound := in.Throughput(); len(in.Subsystems) > 0 && e.WarpsPerCycle >= roof*(1-beyond) {
		e.Bound = bound
	}
	return e
}

// tally counts equal things, in the order in which they come first.
type tally[T comparable] struct {
	list  []T
	count []float64
	index map[T]int
}

// add counts n of a thing.
func (t *tally[T]) add(thing T, n float64) {
	at, ok := t.index[thing]
	if !ok {
		if t.index == nil {
			t.index = map[T]int{}
		}
		at = len(t.list)
		t.index[thing] = at
		t.list, t.count = append(t.list, thing), append(t.count, 0)
	}
	t.count[at] += n
}
