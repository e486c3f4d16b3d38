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

// wave is how many variants, about, are predicted before what the fastest of them take rules out others; as many as are
// wanted where nothing does yet. It does not depend on the number of jobs, so that the rows do not either.
const wave = 32

// Run predicts the variants and hands out their rows as they are known, one at a time, those of Known first.
func (p *Plan) Run(ctx context.Context, o RunOptions, emit func(Row)) error {
	best, seen := &fastest{n: o.Top}, effects{}
	var mu sync.Mutex
	found := func(row *Row) {
		best.add(row)
		emit(*row)
	}
	left := p.byProgram(o.Top > 0)
	for len(left) > 0 {
		limit, most := best.limit(), wave
		if limit == 0 {
			most = min(wave, o.Top)
		}
		var part []int
		for len(left) > 0 && (o.Top == 0 || len(part) < most) {
			part, left = append(part, left[0]...), left[1:]
		}
		rows := make([]Row, len(part))
		var todo []int
		for k, i := range part {
			var ok bool
			if rows[k], ok = o.Known[p.Variants[i].Number]; ok {
				p.forget(i)
				found(&rows[k])
				continue
			}
			todo = append(todo, k)
		}
		err := Parallel(ctx, o.Jobs, len(todo), func(n int) {
			k := todo[n]
			rows[k] = p.row(ctx, part[k], limit)
			if ctx.Err() != nil {
				return
			}
			mu.Lock()
			defer mu.Unlock()
			found(&rows[k])
		})
		if err != nil {
			return err
		}
		for k := range rows { // in this order, whatever came first
			seen.add(&p.Variants[part[k]], &rows[k])
		}
		if o.Top > 0 {
			p.sort(left, &seen)
		}
	}
	return nil
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

// of is the sum of the effects of a variant's values and, the more of it the more rows have shown it, of each two.
func (e *effects) of(v *Variant) (sum float64) {
	main := make([]float64, len(v.Index))
	for i, k := range v.Index {
		if one := e.values[[2]int{i, k}]; one != nil {
			main[i] = one.mean() - e.mean()
		}
		sum += main[i]
		for j, l := range v.Index[:i] {
			if two := e.pairs[[4]int{i, k, j, l}]; two != nil {
				share := float64(two.rows) / float64(two.rows+len(v.Index))
				sum += share * (two.mean() - e.mean() - main[i] - main[j])
			}
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
	if f.n == 0 || r.Error != "" || r.AtLeast {
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

// byProgram are the variants to predict, those of one program together; the programs in an order of chance where fast
// variants rule out others, as neighbours in a space are much alike.
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
