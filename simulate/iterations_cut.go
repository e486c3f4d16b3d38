package simulate

import (
	"iter"
	"math"

	"gpupipe/idg"
)

const (
	longTrips   = 64 // a loop of so many iterations is long: it may have fewer
	fewestTrips = 4  // but no fewer than this
	// the longest loop has at least so many in the longest launch
	shortest = fewestTrips * shortRuns
)

// cut says how many iterations are left of loops, by their number of iterations: the share, or, of
// long loops within each other, a root of it, so that all lose about the same share of their instructions.
type cut struct {
	share float64
	nest  map[int64]int // how many loops are within each other, by the iterations of one of them
}

func (w *workload) newCut() cut {
	c := cut{1, map[int64]int{}}
	for p := range w.programs() {
		repeats := p.source.Repeats()
		nest := make([]int, len(repeats)+1) // by id: long loops down to it, later those within these, too
		for i, r := range repeats {         // inner ones come later
			nest[i+1] = nest[r.Parent]
			if r.Count >= longTrips {
				nest[i+1]++
			}
		}
		for i := len(repeats); i > 0; i-- {
			r := &repeats[i-1]
			nest[r.Parent] = max(nest[r.Parent], nest[i])
			c.nest[r.Count] = max(c.nest[r.Count], nest[i])
		}
	}
	return c
}

// trips is how many iterations are left of so many.
func (c *cut) trips(count int64) int64 {
	if count < longTrips {
		return count
	}
	left := math.Round(float64(count) * math.Pow(c.share, 1/float64(c.nest[count])))
	return min(max(int64(left), fewestTrips), count)
}

// issues is how many warp instructions all groups execute then.
func (c *cut) issues(w *workload) float64 {
	sum := 0.0
	for i := range w.kinds {
		for _, p := range w.kinds[i].programs {
			sum += c.length(p.source) * float64(p.warps) * float64(w.kinds[i].groups)
		}
	}
	return sum
}

func (c *cut) length(p *idg.Program) float64 {
	repeats := p.Repeats()
	more := make([]float64, len(repeats)+1) // by id: what repetitions add to a body
	for i := len(repeats); i > 0; i-- {
		r := &repeats[i-1]
		body := float64(r.End-r.First) + more[i]
		more[r.Parent] += float64(c.trips(r.Count))*body - float64(r.End-r.First)
	}
	return float64(p.StaticLen()) + more[0]
}

// shorten finds the cut with which shortWaves waves of groups, or all, are about a budget.
func (s *setup) shorten(budget int64) cut {
	c := s.work.newCut()
	waves := min(1, float64(shortWaves*s.extent.concurrent)/float64(s.extent.total))
	low, high := math.Log(float64(shortest)/float64(s.work.mostTrips())), 0.0
	for range 30 {
		middle := (low + high) / 2
		if c.share = math.Exp(middle); c.issues(s.work)*waves > float64(budget) {
			high = middle
		} else {
			low = middle
		}
	}
	c.share = math.Exp(low)
	return c
}

// mostTrips is the number of iterations of the longest loop.
func (w *workload) mostTrips() int64 {
	most := int64(0)
	for p := range w.programs() {
		for _, r := range p.source.Repeats() {
			most = max(most, r.Count)
		}
	}
	return most
}

// programs are those of all kinds.
func (w *workload) programs() iter.Seq[*program] {
	return func(yield func(*program) bool) {
		for i := range w.kinds {
			for _, p := range w.kinds[i].programs {
				if !yield(p) {
					return
				}
			}
		}
	}
}
