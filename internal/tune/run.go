package tune

import (
	"context"
	"fmt"
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

// wave is how many variants, about, are predicted before what the fastest of them take rules out others. It does not
// depend on the number of jobs, so that the rows do not either.
const wave = 64

// Run predicts the variants and hands out their rows as they are known, one at a time, those of Known first.
func (p *Plan) Run(ctx context.Context, o RunOptions, emit func(Row)) error {
	best := &fastest{n: o.Top}
	var mu sync.Mutex
	for _, part := range p.waves(o.Top > 0) {
		limit := best.limit()
		var todo []int
		for _, i := range part {
			if row, ok := o.Known[p.Variants[i].Number]; ok {
				p.forget(i)
				best.add(&row)
				emit(row)
				continue
			}
			todo = append(todo, i)
		}
		err := Parallel(ctx, o.Jobs, len(todo), func(k int) {
			row := p.row(ctx, todo[k], limit)
			if ctx.Err() != nil {
				return
			}
			mu.Lock()
			defer mu.Unlock()
			best.add(&row)
			emit(row)
		})
		if err != nil {
			return err
		}
	}
	return nil
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

// waves are the variants to predict, one wave after the other, those of one program together; the programs in an order
// of chance where fast variants rule out others, as neighbours in a space are much alike.
func (p *Plan) waves(shuffled bool) (list [][]int) {
	byProgram := map[string][]int{}
	var programs []string
	for i := range p.jobs {
		j := &p.jobs[i]
		name := j.program
		if j.err != nil {
			name = fmt.Sprint("error ", i)
		} else {
			p.programs.expect(j.program)
			p.launches.expect(j.launch)
		}
		if byProgram[name] == nil {
			programs = append(programs, name)
		}
		byProgram[name] = append(byProgram[name], i)
	}
	if shuffled {
		random().Shuffle(len(programs), func(a, b int) { programs[a], programs[b] = programs[b], programs[a] })
	}
	var part []int
	for _, name := range programs {
		if part = append(part, byProgram[name]...); shuffled && len(part) >= wave {
			list, part = append(list, part), nil
		}
	}
	return append(list, part)
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
