package fit

import (
	"cmp"
	"math"
	"runtime"
	"slices"

	"gpupipe/internal/measure"
	"gpupipe/latencies"

	"golang.org/x/sync/errgroup"
)

const (
	// mostSimulated bounds the launches of a class that are simulated to tell schedulers apart.
	mostSimulated = 12
	// belowRidge is the share of the ridge up to which latency alone decides, whatever goes first.
	belowRidge = 0.7
	// hopeless is a residual of a formula that no other order of warps explains.
	hopeless = 0.3
)

// trials finds λ and Λ of one class by simulation.
type trials struct {
	class   *Class
	server  *server
	list    []observation
	some    []observation // medians of some launches
	scatter float64       // of these
}

// candidate is how a class may be served, and what fits best then.
type candidate struct {
	service
	best ratio
}

// refine finds λ and Λ by simulation where some warps go first and there are sub-cores. Which warps go first is
// what agrees best with all classes together: one alone may be as near to a wrong order by chance.
func (r *Result) refine() {
	if !r.Machine.Priority || r.Machine.Partitions == 1 {
		return
	}
	var all []*trials
	server := newServer(r.Machine, r.fastest().Value)
	for i := range r.Classes {
		c := &r.Classes[i]
		if c.Refused == "" && c.Residual < hopeless && c.Kind == measure.Chain && c.written() &&
			!c.CPI.Bound && c.Hull.Load == (Load{}) && !c.Hull.Even {
			all = append(all, newTrials(server, c))
		}
	}
	scheduler, told := whichFirst(ofOneUnit(all))
	if told {
		r.Machine.Scheduler = scheduler
	}
	each(len(all), func(i int) {
		if t, err := all[i], all[i].settle(scheduler); err != nil {
			t.class.Refused = "its curve cannot be simulated: " + err.Error()
		}
	})
}

// written reports whether numbers of the class are written: those of variants only tell the memories' geometry, for
// which the formula is near enough.
func (c *Class) written() bool {
	return matchOf(c.Class) != ""
}

// each executes f for so many, on as many processors as there are.
func each(n int, f func(i int)) {
	var group errgroup.Group
	group.SetLimit(runtime.GOMAXPROCS(0))
	for i := range n {
		group.Go(func() error {
			f(i)
			return nil
		})
	}
	_ = group.Wait() // none fails
}

// mostTellers bounds the classes that are asked which warps go first.
const mostTellers = 6

// ofOneUnit are the classes whose instructions wait for one subsystem alone, those with the nearest ridges: most of
// their launches are beyond it, where orders of warps differ.
func ofOneUnit(all []*trials) []*trials {
	list := slices.DeleteFunc(slices.Clone(all), func(t *trials) bool {
		return t.class.Hull.Load != (Load{}) || t.class.With != ""
	})
	slices.SortStableFunc(list, func(a, b *trials) int {
		return cmp.Compare(a.class.Hull.Ridge(),
			b.class.Hull.Ridge())
	})
	return list[:min(len(list), mostTellers)]
}

// whichFirst is the scheduler that agrees best with all that tell of it, and whether the others agree less.
func whichFirst(tellers []*trials) (best latencies.Scheduler, told bool) {
	found := map[*trials]map[latencies.Scheduler]float64{}
	for _, t := range tellers {
		found[t] = map[latencies.Scheduler]float64{}
	}
	each(len(tellers), func(i int) {
		t := tellers[i]
		for _, s := range schedulers {
			if list, err := t.search(s); err == nil {
				found[t][s] = list[0].best.loss
			}
		}
	})
	losses := map[latencies.Scheduler]float64{}
	for _, t := range tellers {
		for _, s := range schedulers {
			losses[s] += found[t][s]
		}
	}
	order := slices.Clone(schedulers)
	slices.SortStableFunc(order, func(a, b latencies.Scheduler) int { return cmp.Compare(losses[a], losses[b]) })
	return order[0], losses[order[1]]-losses[order[0]] > informative/2
}

// newTrials takes launches of a class, most of them near its ridge and beyond.
func newTrials(s *server, c *Class) *trials {
	list, noise := medians(c.all)
	t := &trials{class: c, server: s, scatter: scatterOf(noise, len(c.all), len(list))}
	for _, o := range c.all {
		if o.every == 1 {
			t.list = append(t.list, o)
		}
	}
	var below, beyond []observation
	for _, o := range list {
		switch {
		case o.every != 1:
		case float64(o.warps*o.chains) < belowRidge*c.Hull.Ridge():
			below = append(below, o)
		default:
			beyond = append(beyond, o)
		}
	}
	t.some = append(some(below, mostSimulated/4), some(beyond, mostSimulated)...)
	return t
}

// some are so many of a list, spread over it.
func some[T any](list []T, most int) (chosen []T) {
	stride := max(float64(len(list))/float64(most), 1)
	for at := 0.0; int(at) < len(list); at += stride {
		chosen = append(chosen, list[int(at)])
	}
	return chosen
}

// ratios are those of the class where it is served so.
func (t *trials) ratios(at service, list []observation, scatter float64) *ratios {
	interval := at.interval / t.class.Hull.Latency
	return &ratios{list: list, scatter: scatter, relative: func(x float64, o *observation) (float64, error) {
		at.x, at.interval = x, x*interval
		return t.server.time(at, o)
	}}
}

// search finds how the class may be served by a scheduler, coarsely; the best first.
func (t *trials) search(scheduler latencies.Scheduler) ([]candidate, error) {
	h := &t.class.Hull
	at := service{scheduler: scheduler, interval: t.server.machine.Interval, queue: h.Queue, slot: t.server.slot(h.CPI)}
	shared, own := at, at
	own.partitioned, own.queue = true, 0
	list, err := t.coarse(nil, shared, own)
	if err == nil && h.Queue > 0 && !t.explained(list[0]) { // the formula may be a place off
		shorter, longer := at, at
		shorter.queue, longer.queue = at.queue-1, at.queue+1
		list, err = t.coarse(list, shorter, longer)
	}
	return list, err
}

// explained reports whether noise explains what a candidate misses of the medians.
func (t *trials) explained(c candidate) bool {
	half := float64(len(t.some)) / 2
	return c.best.loss < half+chance*math.Sqrt(half)
}

// coarse adds how the class fits if it is served in these ways to a list; the best first.
func (t *trials) coarse(list []candidate, ways ...service) ([]candidate, error) {
	for _, at := range ways {
		c, tried, x := candidate{service: at}, t.ratios(at, t.some, t.scatter), t.class.Hull.Ridge()
		for _, s := range []struct {
			less, more float64
			steps      int
		}{{0.7, 1.4, 16}, {0.95, 1.05, 5}} {
			var err error
			if c.best, err = tried.best(spread(x*s.less, x*s.more, s.steps,
				t.server.machine.unit(at.partitioned))); err != nil {
				return nil, err
			}
			x = c.best.x
		}
		list = append(list, c)
	}
	slices.SortStableFunc(list, func(a, b candidate) int { return a.best.compare(b.best) })
	return list, nil
}

// similar is by how much the coarse losses of two candidates may differ for both to be tried exactly.
const similar = 10 * informative

// settle finds λ and Λ exactly and makes the simulated times the curve of the class.
func (t *trials) settle(scheduler latencies.Scheduler) error {
	list, err := t.search(scheduler)
	if err != nil {
		return err
	}
	c, noise := t.class, max(t.class.Noise, leastScatter)
	var found candidate
	var fine *ratios
	for i, at := range list {
		if at.best.loss > list[0].best.loss+similar {
			break
		}
		tried := t.ratios(at.service, t.list, noise)
		if _, err := tried.at(at.best.x); err != nil {
			return err
		}
		if at.best, err = tried.walk(t.server.machine.unit(at.partitioned)); err != nil {
			return err
		}
		if i == 0 || at.best.loss < found.best.loss {
			found, fine = at, tried
		}
	}
	best := found.best
	cpi, latency := fine.found()
	if !c.CPI.Bound {
		c.CPI = cpi
	}
	if !c.Latency.Bound {
		c.Latency = latency
	}
	c.Hull = Hull{CPI: c.CPI.Value, Latency: c.Latency.Value, Interval: c.Hull.Interval, Partitioned: found.partitioned,
		Queue: found.queue}
	formula := c.curve
	c.curve = func(o *observation) float64 {
		if o.every == 1 {
			if time, err := fine.relative(best.x, o); err == nil {
				return best.cpi * time
			}
		}
		return formula(o)
	}
	points, _ := medians(c.all)
	c.compare(func(_ []float64, o *observation) float64 { return c.curve(o) }, nil, points, t.scatter)
	c.reject()
	return nil
}

// reject leaves out what lies too far from the curve.
func (c *Class) reject() {
	off := func(_ []float64, o *observation) float64 { return c.curve(o) }
	sigma := deviation(off, nil, c.all)
	c.Counts.Outliers -= len(c.all) - len(c.used)
	c.used = slices.DeleteFunc(slices.Clone(c.all), func(o observation) bool {
		return math.Abs(residual(off, nil,
			&o)) > outlier*sigma
	})
	c.Counts.Used, c.Counts.Outliers = len(c.used), c.Counts.Outliers+len(c.all)-len(c.used)
	c.Residual = deviation(off, nil, c.used)
}
