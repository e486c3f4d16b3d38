package tune

import (
	"cmp"
	"context"
	"fmt"
	"math"
	"runtime"
	"slices"
	"sync"
	"sync/atomic"
)

// RunOptions are how the variants of a plan are predicted.
type RunOptions struct {
	Jobs int // at a time; 0 = as many as processors
	// Top is how many of the fastest variants are wanted, 0 = all. A variant of which a bound shows that it is none of
	// them is not simulated: its row is AtLeast.
	Top int
	// Known are rows of an earlier run, by number; they are not predicted again.
	Known map[int64]Row
}

// ahead is how many variants begin before it is known what the first of them takes. It does not depend on the number of
// jobs, so that the rows do not either.
const ahead = 16

// Run predicts the variants and hands out their rows as they are known, one at a time.
func (p *Plan) Run(ctx context.Context, o RunOptions, emit func(Row)) error {
	q := &queue{plan: p, known: o.Known, left: p.byProgram(o.Top > 0), best: fastest{n: o.Top}, emit: emit}
	q.changed.L = &q.mu
	defer context.AfterFunc(ctx, func() {
		q.mu.Lock()
		defer q.mu.Unlock()
		q.changed.Broadcast()
	})()
	return Parallel(ctx, o.Jobs, len(p.jobs), func(int) { q.one(ctx) })
}

// queue is the variants of a run in the order in which they begin.
type queue struct {
	plan  *Plan
	known map[int64]Row
	emit  func(Row)

	mu      sync.Mutex
	changed sync.Cond // a row is known
	left    [][]int   // variants that come later, by program: those that should be fast first
	sorted  int       // how many had begun when that was decided
	next    []int     // variants of one program that come before them
	launch  string    // of the last one that has begun
	limit   float64   // of this launch, which is predicted once
	begun   []int
	rows    []*Row // of these; nil: not known
	settled int    // how many of these best and seen tell of
	best    fastest
	seen    effects
}

// one predicts the next variant.
func (q *queue) one(ctx context.Context) {
	q.mu.Lock()
	defer q.mu.Unlock()
	for q.best.n > 0 && !q.settle(len(q.begun)-ahead) {
		if q.changed.Wait(); ctx.Err() != nil {
			return
		}
	}
	k, i := len(q.begun), q.take()
	limit := q.limit
	row, ok := q.known[q.plan.Variants[i].Number]
	if ok {
		q.plan.forget(i)
	} else {
		q.mu.Unlock()
		row = q.plan.row(ctx, i, limit)
		q.mu.Lock()
		if ctx.Err() != nil {
			return
		}
	}
	q.rows[k] = &row
	q.emit(row)
	q.changed.Broadcast()
}

// settle takes note of the rows up to one in the order of their variants, and reports whether these are known.
func (q *queue) settle(last int) bool {
	for ; q.settled <= last && q.rows[q.settled] != nil; q.settled++ {
		row := q.rows[q.settled]
		q.best.add(row)
		q.seen.add(&q.plan.Variants[q.begun[q.settled]], row)
	}
	return q.settled > last
}

// take takes the next variant out of the queue. What comes later is sorted the more seldom the more is known.
func (q *queue) take() int {
	if k := len(q.begun); q.best.n > 0 && k-q.sorted >= max(ahead, k/8) {
		q.sorted = k
		q.plan.sort(q.left, &q.seen)
	}
	if len(q.next) == 0 {
		q.next, q.left = q.left[0], q.left[1:]
	}
	i := q.next[0]
	if j := &q.plan.jobs[i]; j.err == nil && j.launch != q.launch {
		q.launch, q.limit = j.launch, q.best.limit()
	}
	q.next, q.begun, q.rows = q.next[1:], append(q.begun, i), append(q.rows, nil)
	return i
}

// effects are how much slower than others variants with each value of each parameter, and with each two of two, are
// (R. Fisher's main effects and interactions): means of the logarithms of their times, which tell where the fast ones
// are.
type effects struct {
	effect
	values map[[2]int]*effect // by parameter and value
	pairs  map[[4]int]*effect
}

type effect struct {
	rows int
	sum  float64
}

func (e *effect) add(x float64) {
	e.rows++
	e.sum += x
}

func (e *effect) mean() float64 { return e.sum / float64(e.rows) }

func (e *effects) add(v *Variant, r *Row) {
	if r.Error != "" || r.Seconds <= 0 {
		return
	}
	if e.values == nil {
		e.values, e.pairs = map[[2]int]*effect{}, map[[4]int]*effect{}
	}
	x := math.Log(r.Seconds)
	e.effect.add(x)
	for i, k := range v.Index {
		addTo(e.values, [2]int{i, k}, x)
		for j, l := range v.Index[:i] {
			addTo(e.pairs, [4]int{i, k, j, l}, x)
		}
	}
}

func addTo[K comparable](m map[K]*effect, key K, x float64) {
	if m[key] == nil {
		m[key] = &effect{}
	}
	m[key].add(x)
}

// of is the sum of the effects of a variant's values and of each two, of each the more the more rows have shown it.
func (e *effects) of(v *Variant) (sum float64) {
	shown := func(one *effect, less float64) float64 {
		if one == nil {
			return 0
		}
		return float64(one.rows) / float64(one.rows+len(v.Index)) * (one.mean() - e.mean() - less)
	}
	main := make([]float64, len(v.Index))
	for i, k := range v.Index {
		main[i] = shown(e.values[[2]int{i, k}], 0)
		sum += main[i]
		for j, l := range v.Index[:i] {
			sum += shown(e.pairs[[4]int{i, k, j, l}], main[i]+main[j])
		}
	}
	return sum
}

// sort has the variants come first that should be fast.
func (p *Plan) sort(left [][]int, e *effects) {
	order := make(map[int]float64, len(left))
	for _, list := range left {
		order[list[0]] = e.of(&p.Variants[list[0]])
	}
	slices.SortStableFunc(left, func(a, b []int) int { return cmp.Compare(order[a[0]], order[b[0]]) })
}

// fastest are the times of the n fastest variants so far.
type fastest struct {
	n     int
	times []float64 // sorted
}

func (f *fastest) add(r *Row) {
	if f.n == 0 || !r.Simulated() {
		return
	}
	i, _ := slices.BinarySearch(f.times, r.Seconds)
	f.times = slices.Insert(f.times, i, r.Seconds)
	f.times = f.times[:min(len(f.times), f.n)]
}

// limit is a time that none of the n fastest variants exceeds; 0 = not known.
func (f *fastest) limit() float64 {
	if f.n == 0 || len(f.times) < f.n {
		return 0
	}
	return f.times[f.n-1]
}

// byProgram are the variants to predict, those of one program together, and of these those of one launch; the programs
// in an order of chance where fast variants rule out others, as neighbours in a space are much alike.
func (p *Plan) byProgram(shuffled bool) [][]int {
	at := map[string]int{}
	var list [][]int
	for i := range p.jobs {
		j := &p.jobs[i]
		name := j.program
		if j.err != nil {
			name = fmt.Sprint("error ", i)
		} else {
			p.programs.expect(j.program)
			p.launches.expect(j.launch)
		}
		k, ok := at[name]
		if !ok {
			k = len(list)
			at[name], list = k, append(list, nil)
		}
		list[k] = append(list[k], i)
	}
	for _, one := range list {
		slices.SortStableFunc(one, func(a, b int) int { return cmp.Compare(p.jobs[a].launch, p.jobs[b].launch) })
	}
	if shuffled {
		random().Shuffle(len(list), func(a, b int) { list[a], list[b] = list[b], list[a] })
	}
	return list
}

// Parallel calls do for 0 to n-1 on several goroutines, in order as far as that goes.
func Parallel(ctx context.Context, jobs, n int, do func(i int)) error {
	if jobs <= 0 {
		jobs = runtime.GOMAXPROCS(0)
	}
	var next atomic.Int64
	var wait sync.WaitGroup
	for range min(jobs, n) {
		wait.Go(func() {
			for ctx.Err() == nil {
				i := int(next.Add(1)) - 1
				if i >= n {
					return
				}
				do(i)
			}
		})
	}
	wait.Wait()
	return ctx.Err()
}
