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
}

// intervals are a warp's intervals and their sums.
type intervals struct {
	list                       []Interval
	count, instructions, stall float64
}

// intervalsOf returns the representative warp of a kernel, or why it cannot be
// used.
func intervalsOf(in *Input) (v intervals, invalidReason string) {
	if len(in.Intervals) == 0 {
		return v, "the instructions of a warp are not given, or are too many"
	}
	if in.slot() == 0 {
		return v, "intervals are counted in issue slots, and the device has neither an issue limit nor computations here"
	}
	v.list = in.Intervals
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

// tally counts equal intervals, in the order in which they come first.
type tally struct {
	list  []Interval
	index map[Interval]int
}

// add counts an interval, whose Count is ignored.
func (t *tally) add(i Interval) {
	i.Count = 0
	at, ok := t.index[i]
	if !ok {
		if t.index == nil {
			t.index = map[Interval]int{}
		}
		at = len(t.list)
		t.index[i] = at
		t.list = append(t.list, i)
	}
	t.list[at].Count++
}
