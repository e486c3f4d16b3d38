package simulate

import (
	"cmp"
	"math"
	"math/bits"
	"slices"

	"gpupipe/idg"
	"gpupipe/internal/diag"
	"gpupipe/latencies"
)

// GroupKind is one kind of work group of a launch whose groups do not all
// execute the same, such as those at the borders of the data. All kinds have
// equally many work items.
type GroupKind struct {
	Graph   *idg.Graph
	Mapping *latencies.Mapping // of Graph; of the same device for all kinds
	Count   int64              // groups of this kind in the launch, at least 1; only the ratios count
}

// kind is a GroupKind prepared for the simulator.
type kind struct {
	graph    *idg.Graph
	byWarp   []*program // of a group
	programs []*program
	perGroup int64 // warp instructions of a group
	count    int64 // groups of the launch
	groups   int64 // of those that the compute unit runs

	critical *criticalPath // when it was computed
}

// addKind finds the program of every warp of a group. A warp that no program
// lists executes that of the nearest lower warp that is listed (idg.Graph). The
// kind's classes begin at first.
func (w *workload) addKind(g GroupKind, first classID) error {
	warps := g.Graph.Launch.WarpsPerGroup()
	if warps < 1 || warps > maxPlaces {
		return diag.Errorf(diag.Pos{}, "TOO-LARGE", "a work group has %d warps; at most %d can be simulated",
			warps, maxPlaces)
	}
	w.perSlot = int(warps)
	k := kind{graph: g.Graph, count: g.Count, byWarp: make([]*program, warps)}
	for _, src := range g.Graph.Programs() {
		p := &program{source: src, first: first, tally: src.Tally(len(g.Graph.Instrs()))}
		for i, n := range p.tally {
			if w.classes[first+classID(i)].barrier {
				p.barrierCount += n
			}
		}
		k.programs = append(k.programs, p)
		w.barriers = max(w.barriers, p.barrierCount)
		for _, i := range src.Warps {
			if int64(i) >= warps || k.byWarp[i] != nil {
				return diag.Errorf(diag.Pos{}, "GRAPH", "warp %d of the graph is out of range or has two programs", i)
			}
			k.byWarp[i] = p
		}
	}
	for i, p := range k.byWarp {
		if p == nil && i == 0 {
			return diag.Errorf(diag.Pos{}, "GRAPH", "the graph has no program for warp 0 of a group")
		}
		if p == nil {
			p = k.byWarp[i-1]
			k.byWarp[i] = p
		}
		p.warps++
		if p.source.Len() > math.MaxInt64-k.perGroup {
			return diag.Errorf(diag.Pos{}, "TOO-LARGE", "the instructions of a group cannot be counted")
		}
		k.perGroup += p.source.Len()
	}
	w.mostIssues = max(w.mostIssues, k.perGroup)
	w.kinds = append(w.kinds, k)
	return nil
}

// share divides n groups of the compute unit among the kinds. Where all of them start
// at once, a launch takes as long as the unit with the most work: see shareOfBusiest. Else units
// that have less work get more groups, and the kinds are there in proportion.
func (w *workload) share(n int64, atOnce bool) error {
	total := int64(0)
	for i := range w.kinds {
		if w.kinds[i].count > math.MaxInt64-total {
			return configError("the numbers of groups of the kinds are out of range")
		}
		total += w.kinds[i].count
	}
	if atOnce {
		w.shareOfBusiest(n, total)
	} else {
		w.shareInProportion(n, total)
	}
	return nil
}

// shareOfBusiest takes n of the launch's groups, sorted by what they execute: the one that
// executes most and those that follow it at equal distances. That is the most that a unit
// gets of a launch whose groups are dealt out in turn and execute more and more.
func (w *workload) shareOfBusiest(n, total int64) {
	byWork := make([]*kind, len(w.kinds))
	for i := range w.kinds {
		byWork[i] = &w.kinds[i]
	}
	slices.SortStableFunc(byWork, func(a, b *kind) int { return cmp.Compare(b.perGroup, a.perGroup) })
	before, given := int64(0), int64(0)
	for _, k := range byWork {
		before += k.count
		// How many of the groups number 0, total/n, 2·total/n, ... come before this one's end.
		hi, lo := bits.Mul64(uint64(before), uint64(n))
		lo, carry := bits.Add64(lo, uint64(total-1), 0)
		q, _ := bits.Div64(hi+carry, lo, uint64(total)) // before ≤ total, so that q ≤ n
		k.groups, given = int64(q)-given, int64(q)
	}
}

// shareInProportion divides n groups by the counts of the kinds: the
// whole parts of the quotas, and the rest to the largest remainders, the first
// of equals.
func (w *workload) shareInProportion(n, total int64) {
	left := n
	rest := make([]uint64, len(w.kinds))
	order := make([]int, len(w.kinds))
	for i := range w.kinds {
		k := &w.kinds[i]
		hi, lo := bits.Mul64(uint64(n), uint64(k.count))
		q, r := bits.Div64(hi, lo, uint64(total)) // count ≤ total, so that q ≤ n
		k.groups, rest[i], order[i] = int64(q), r, i
		left -= k.groups
	}
	slices.SortStableFunc(order, func(a, b int) int {
		switch {
		case rest[a] > rest[b]:
			return -1
		case rest[a] < rest[b]:
			return 1
		}
		return 0
	})
	for _, i := range order[:left] {
		w.kinds[i].groups++
	}
}

// usual is the kind of most groups, the first of equals.
func (w *workload) usual() int {
	best := 0
	for i := range w.kinds {
		if w.kinds[i].groups > w.kinds[best].groups {
			best = i
		}
	}
	return best
}

// alone is the workload of one group of the usual kind.
func (w *workload) alone() *workload {
	c := *w
	k := w.kinds[w.usual()]
	k.groups = 1
	c.kinds, c.mostIssues = []kind{k}, k.perGroup
	return &c
}

// openBarriers is how many barriers of a group its warps can be at, at once: 1
// where a warp cannot get past one that others have not reached, unless they are
// free in a program.
func (w *workload) openBarriers(free func(*program) bool) int64 {
	open := int64(1)
	for i := range w.kinds {
		for _, p := range w.kinds[i].programs {
			if free(p) {
				open = max(open, p.barrierCount)
			}
		}
	}
	return open
}

// issues is how many warp instructions all groups execute; false if they cannot
// be counted.
func (w *workload) issues() (int64, bool) {
	sum := int64(0)
	for i := range w.kinds {
		k := &w.kinds[i]
		if k.perGroup == 0 {
			continue
		}
		if k.groups > (math.MaxInt64-sum)/k.perGroup {
			return 0, false
		}
		sum += k.groups * k.perGroup
	}
	return sum, true
}

// dealer says of which kind the next group is. The groups of a kind are spread
// evenly over the launch: the j-th of n (from 0) stands at (2j+1)/2n of the
// launch, and groups start in this order, at equal places the lower kind first.
type dealer struct {
	groups []int64 // by kind
	given  []int64 // by kind
}

func (w *workload) newDealer() dealer {
	d := dealer{given: make([]int64, len(w.kinds))}
	for i := range w.kinds {
		d.groups = append(d.groups, w.kinds[i].groups)
	}
	return d
}

// next deals the next group.
func (d *dealer) next() int {
	best := 0
	for k := 1; k < len(d.given); k++ {
		if d.before(k, d.given[k], best, d.given[best]) {
			best = k
		}
	}
	d.given[best]++
	return best
}

// before reports whether the i-th group of kind a comes before the j-th of kind
// b ≠ a.
func (d *dealer) before(a int, i int64, b int, j int64) bool {
	if i >= d.groups[a] || j >= d.groups[b] {
		return i < d.groups[a]
	}
	hi, lo := bits.Mul64(2*uint64(i)+1, uint64(d.groups[b]))
	hi2, lo2 := bits.Mul64(2*uint64(j)+1, uint64(d.groups[a]))
	if hi != hi2 || lo != lo2 {
		return hi < hi2 || hi == hi2 && lo < lo2
	}
	return a < b
}

// run is how many groups of one kind come next, at most limit.
func (d *dealer) run(limit int64) (k int, n int64) {
	if len(d.given) == 1 {
		return 0, limit
	}
	ahead := dealer{d.groups, slices.Clone(d.given)}
	k = ahead.next()
	low, high := int64(1), limit // groups of kind k that certainly, that possibly come before all others
	for low < high {
		mid := low + (high-low+1)/2
		all := true
		for other := range d.given {
			all = all && (other == k || d.before(k, d.given[k]+mid-1, other, d.given[other]))
		}
		if all && d.given[k]+mid <= d.groups[k] {
			low = mid
		} else {
			high = mid - 1
		}
	}
	return k, low
}
