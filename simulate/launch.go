package simulate

import (
	"context"
	"errors"
	"sync"
	"sync/atomic"

	"gpupipe/idg"
	"gpupipe/latencies"
)

// Launch is a launch that is run with several configurations. What does not depend on
// all of a configuration is done once: the run of a group alone, which is the same
// however many groups there are, and the counts of register words. A Launch may be used by several goroutines.
type Launch struct {
	// Brief says that nobody asks what a group takes alone, nor how far off a prediction from fewer iterations may be:
	// Result.GroupAlone and Bound.NeededWarps are 0, and Result.Sampling is nil then.
	Brief bool

	kinds []GroupKind
	base  *Launch // of the same programs, but for their mapping and numbers of iterations; nil = none

	counted sync.Once
	words   [][][]uint8 // see registerWords

	simulated, looked atomic.Int64 // see Simulated and Work

	mu    sync.Mutex
	alone map[aloneKey]Tick
}

// aloneKey is what the run of a group alone depends on, apart from the launch. The
// timebase is a function of both, so that times can be kept in ticks.
type aloneKey struct {
	cfg  Config // without what only concerns the number of groups
	kind int    // of the group
}

// NewLaunch returns the launch of a graph.
func NewLaunch(g *idg.Graph, m *latencies.Mapping) *Launch {
	var kinds []GroupKind
	for _, k := range g.GroupKinds() {
		kinds = append(kinds, GroupKind{k.Graph, m, k.Groups})
	}
	return &Launch{kinds: kinds}
}

// Mapped is the launch, mapped otherwise.
func (l *Launch) Mapped(m *latencies.Mapping) *Launch {
	other := &Launch{base: l}
	for _, k := range l.kinds {
		other.kinds = append(other.kinds, GroupKind{k.Graph, m, k.Count})
	}
	return other
}

// Simulated is how many warp instructions the runs of a launch so far, and of those mapped from it, have simulated one
// by one.
func (l *Launch) Simulated() int64 { return l.simulated.Load() }

// Work is what the runs and plans of a launch so far, and of those mapped from it, cost, whatever the machine: the warp
// instructions that were simulated one by one, and a quarter of those that were looked at for chains of dependences,
// which take 0.03 to 0.06 us where an issue takes 0.12 to 0.2 (the H100's suite on one machine).
func (l *Launch) Work() int64 { return l.simulated.Load() + l.looked.Load()/4 }

// Run simulates one compute unit and returns what it did: see the function Run.
func (l *Launch) Run(ctx context.Context, cfg Config) (*Result, error) {
	s, err := l.plan(cfg)
	if err != nil {
		return nil, err
	}
	return l.run(ctx, s)
}

// Planned is a run that has not begun.
type Planned struct {
	LowerBounds LowerBounds
	Simulates   int64 // about so many warp instructions one by one, unless states recur
	Shortens    bool  // if that is much it is predicted from launches with fewer iterations

	launch *Launch
	setup  *setup
}

// Plan checks a run and finds what it cannot be faster than.
func (l *Launch) Plan(cfg Config) (*Planned, error) {
	s, err := l.plan(cfg)
	if err != nil {
		return nil, err
	}
	var x exact
	p := &Planned{LowerBounds: s.lowerBounds(s.readTime(s.countWords(&x), &x), &x), launch: l, setup: s}
	p.estimate()
	return p, x.err
}

// estimate finds out how much a run simulates.
func (p *Planned) estimate() {
	s := p.setup
	switch p.Shortens = s.canShorten(); {
	case p.Shortens:
		p.Simulates = s.budget()*trialBudgets + s.shortened()
	case s.extent.simulated < s.extent.total:
		p.Simulates = s.extent.simulated * s.extent.perGroup
	default:
		p.Simulates = s.extent.issues
	}
}

// Within changes the run's Config.Budget and Config.MaxEvents.
func (p *Planned) Within(budget, most int64) {
	s := p.setup
	s.cfg.Precision, s.cfg.Budget, s.cfg.MaxEvents = 0, budget, most
	s.extent = plan(s.cfg, s.extent.total, s.occupancy.Groups, s.extent.issues)
	s.chooseEngine()
	p.estimate()
}

// Run is the run, once, refused when more than so many warp instructions have been simulated one by one: see TooLarge.
func (p *Planned) Run(ctx context.Context, most int64) (*Result, error) {
	p.setup.cfg.MaxEvents = min(p.setup.cfg.MaxEvents, most)
	return p.launch.run(ctx, p.setup)
}

// RunWithin is Run if that takes no more than so many seconds; else the result is nil, and least is a time that it
// takes at least. That is found without simulating it, or by the rate of its fastest wave of groups so far.
func (l *Launch) RunWithin(ctx context.Context, cfg Config, limit float64) (r *Result, least float64, err error) {
	p, err := l.Plan(cfg)
	if err != nil {
		return nil, 0, err
	}
	if least = p.setup.seconds(p.LowerBounds.Longest()); least > limit {
		return nil, least, nil
	}
	p.setup.limit = limit
	r, err = l.run(ctx, p.setup)
	if slow, ok := errors.AsType[tooSlow](err); ok {
		return nil, float64(slow), nil
	}
	return r, least, err
}

func (l *Launch) run(ctx context.Context, s *setup) (*Result, error) {
	if !s.canShorten() {
		return l.whole(ctx, s)
	}
	trial := *s // if that would expand long loops, or needs more memory than it can fill, it is too large
	s.work.mostExpanded = min(idg.MaxExpanded, s.budget())
	s.work.mostRing = min(maxRing, s.budget()/s.work.places(s.extent.concurrent))
	trial.cfg.MaxEvents = min(trialBudgets*s.budget(), s.cfg.MaxEvents)
	before := l.Simulated()
	r, err := l.whole(ctx, &trial)
	if TooLarge(err) {
		s.cfg.MaxEvents = max(1, s.cfg.MaxEvents-l.Simulated()+before)
		return l.converge(ctx, s)
	}
	return r, err
}

// whole simulates a run as it is.
func (l *Launch) whole(ctx context.Context, s *setup) (*Result, error) {
	if err := s.translate(); err != nil {
		return nil, err
	}
	o, err := s.simulate(ctx)
	if err != nil {
		return nil, err
	}
	alone := o.end
	if s.extent.total > 1 {
		if alone, err = l.groupAlone(ctx, s); err != nil {
			return nil, err
		}
	}
	return s.result(o, alone)
}

// registerWords is how many words each stored instruction reads from the ports of the
// registers, by kind and program.
func (l *Launch) registerWords() [][][]uint8 {
	if l.base != nil {
		return l.base.registerWords()
	}
	l.counted.Do(func() {
		for _, k := range l.kinds {
			l.words = append(l.words, k.Graph.RegisterReads())
		}
	})
	return l.words
}

// groupAlone is what one group of a run takes alone, 0 where nobody asks.
func (l *Launch) groupAlone(ctx context.Context, s *setup) (Tick, error) {
	if l.Brief {
		return 0, nil
	}
	key := aloneKey{s.cfg, s.work.usual()}
	c := &key.cfg
	c.Groups, c.Concurrent, c.Full, c.Budget, c.Precision, c.Profile = 0, 0, false, 0, 0, false
	l.mu.Lock()
	alone, ok := l.alone[key]
	l.mu.Unlock()
	if ok {
		return alone, nil
	}
	// Two goroutines may find this out at once: better than one waiting for a run
	// that may end in an error.
	o, err := s.alone().simulate(ctx)
	if err != nil {
		return 0, err
	}
	l.mu.Lock()
	defer l.mu.Unlock()
	if l.alone == nil {
		l.alone = map[aloneKey]Tick{}
	}
	l.alone[key] = o.end
	return o.end, nil
}
