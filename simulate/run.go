package simulate

import (
	"context"
	"fmt"
	"math"
	"strconv"

	"gpupipe/idg"
	"gpupipe/internal/diag"
	"gpupipe/latencies"
)

// Run simulates one compute unit and returns what it did. The same input gives
// the same result. Errors are *diag.Error for what the input got wrong, or wrap
// ctx.Err() when ctx ended the run.
func Run(ctx context.Context, g *idg.Graph, m *latencies.Mapping, cfg Config) (*Result, error) {
	return NewLaunch(g, m).Run(ctx, cfg)
}

// RunKinds is Run for a launch whose groups are of several kinds. Those that the
// compute unit runs are of the kinds in proportion to their counts, to the nearest
// group, spread evenly over the launch (see dealer); if all of them start at once, they
// are those of the unit with the most work. The launch is that of the first kind's graph.
func RunKinds(ctx context.Context, kinds []GroupKind, cfg Config) (*Result, error) {
	return (&Launch{kinds: kinds}).Run(ctx, cfg)
}

// setup is a run that is ready to start.
type setup struct {
	cfg       Config // with defaults
	device    *latencies.Device
	hw        *hardware
	work      *workload
	occupancy Occupancy
	extent    extent
	skip      bool    // groups whose course is known are skipped
	limit     float64 // seconds: a run that certainly takes longer is given up; 0 = none
	launch    *Launch
	notes     []string
}

// prepare checks the input, decides what to simulate, and translates the programs.
func (l *Launch) prepare(cfg Config) (*setup, error) {
	s, err := l.plan(cfg)
	if err != nil {
		return nil, err
	}
	return s, s.translate()
}

// plan checks the input and decides what to simulate.
func (l *Launch) plan(cfg Config) (*setup, error) {
	kinds := l.kinds
	if len(kinds) == 0 {
		return nil, configError("there is no kind of group to run")
	}
	s := &setup{device: kinds[0].Mapping.Device, launch: l}
	s.cfg = cfg.withDefaults(s.device, kinds[0].Graph)
	err := s.cfg.Validate()
	if err != nil {
		return nil, err
	}
	if s.hw, err = newHardware(s.device, s.cfg); err != nil {
		return nil, err
	}
	if s.work, err = newWorkload(l, s.hw, s.cfg); err != nil {
		return nil, err
	}
	n := s.cfg.Groups
	if n == 0 {
		if n, err = groupsPerUnit(&kinds[0].Graph.Launch, s.device); err != nil {
			return nil, err
		}
	}
	if s.occupancy, err = fitAll(kinds, s.device, s.cfg, n); err != nil {
		return nil, err
	}
	if err := s.work.share(n, n <= s.occupancy.Groups); err != nil {
		return nil, err
	}
	issues, ok := s.work.issues()
	if !ok || issues == 0 {
		return nil, diag.Errorf(diag.Pos{}, "TOO-LARGE", "%d groups of %d warp instructions cannot be counted", n,
			s.work.mostIssues)
	}
	if m := s.occupancy.Groups; m > s.occupancy.allowed() {
		s.notes = append(s.notes, fmt.Sprintf("%d groups at once are more than the device's resources allow (%d)", m,
			s.occupancy.allowed()))
	}
	s.extent = plan(s.cfg, n, s.occupancy.Groups, issues)
	s.chooseEngine()
	return s, nil
}

// translate prepares the programs for the engine. Only then is it known whether
// loops are expanded.
func (s *setup) translate() error {
	if err := s.work.checkResident(s.extent.concurrent, s.folded()); err != nil {
		return err
	}
	if err := s.checkEvents(); err != nil {
		return err
	}
	if err := s.work.translate(s.cfg.Engine, s.cfg.Issue, s.hw, s.extent.concurrent); err != nil {
		return err
	}
	s.skip = s.skips()
	return s.checkEvents()
}

// chooseEngine decides which engine runs.
func (s *setup) chooseEngine() {
	if s.cfg.Profile || s.work.places(s.extent.concurrent) > maxFastPlaces {
		s.cfg.Engine = EngineReference
	}
	s.skip = s.skips()
}

// skips reports whether what is known to repeat is skipped.
func (s *setup) skips() bool {
	return s.cfg.Engine == EngineFast && !s.cfg.NoSkipping && (s.extent.total > s.extent.concurrent || s.folded())
}

// folded reports whether repetitions are simulated as they are stored, as far as
// that is known.
func (s *setup) folded() bool {
	return s.cfg.Engine == EngineFast && s.work.hasLoops() && !s.work.expanded
}

// leastGroups is how many groups are certainly simulated.
func (s *setup) leastGroups() int64 {
	switch {
	case s.skip && s.folded():
		return 0
	case s.skip || s.cfg.Precision > 0:
		return s.extent.concurrent
	}
	return s.extent.simulated
}

// checkEvents refuses a run that certainly takes too many events.
func (s *setup) checkEvents() error {
	if atLeast := s.leastGroups(); atLeast > s.cfg.MaxEvents/s.extent.perGroup {
		return s.tooManyEvents(atLeast)
	}
	return nil
}

// tooManyEvents refuses a run in which so many groups are to be simulated.
func (s *setup) tooManyEvents(groups int64) error {
	which := strconv.FormatInt(groups, 10)
	if groups < s.extent.total {
		which += fmt.Sprintf(" of the %d", s.extent.total)
	}
	e := diag.Errorf(diag.Pos{}, "TOO-LARGE",
		"%s groups of %d warp instructions are more than the limit of %d simulated issues",
		which, s.extent.perGroup, s.cfg.MaxEvents).
		WithNote("simulate fewer groups (--groups, or without --full), or raise the limit")
	if s.work.hasLoops() && !s.folded() {
		e.WithNote(foldedNote)
	}
	return e
}

// tooManyIssues ends a run that has become longer than allowed.
func tooManyIssues(limit int64) error {
	return diag.Errorf(diag.Pos{}, "TOO-LARGE", "the run is longer than the limit of %d simulated issues", limit).
		WithNote("simulate fewer groups (--groups, or without --full), or raise the limit")
}

// groupsPerUnit is N = ceil(launch groups / compute units).
func groupsPerUnit(l *idg.Launch, d *latencies.Device) (int64, error) {
	total := int64(1)
	for _, n := range l.Groups {
		if n < 1 || n > math.MaxInt64/total {
			return 0, configError("the launch of %v groups is out of range", l.Groups)
		}
		total *= n
	}
	return (total-1)/int64(max(d.ComputeUnits, 1)) + 1, nil
}

// simulate runs the groups of s.extent with the chosen engine.
func (s *setup) simulate(ctx context.Context) (*outcome, error) {
	var o *outcome
	var err error
	if s.cfg.Engine == EngineReference {
		o, err = s.runReference(ctx)
	} else {
		o, err = s.runFast(ctx)
	}
	if err != nil {
		return nil, err
	}
	issued := int64(0)
	for i, n := range o.groups {
		issued += n * s.work.kinds[i].perGroup
	}
	if o.stats.issued != issued || o.ended != s.extent.total && o.ended != s.extent.simulated && !o.sampler.converged {
		return nil, fmt.Errorf("simulate: internal error: %d instructions of %d groups were issued, %d groups ended; "+
			"please report this", o.stats.issued, s.extent.total, o.ended)
	}
	return o, nil
}

// simulated counts instructions that were simulated one by one, for the launch and those that it is of.
func (s *setup) simulated(n int64) {
	for l := s.launch; l != nil; l = l.base {
		l.simulated.Add(n)
	}
}

// looked counts instructions that were looked at for chains of dependences.
func (s *setup) looked(n int64) {
	for l := s.launch; l != nil; l = l.base {
		l.looked.Add(n)
	}
}

// alone is the setup of one group, of the kind of most groups, that has the unit
// for itself.
func (s *setup) alone() *setup {
	c := *s
	c.cfg.Profile, c.cfg.Precision, c.limit = false, 0, 0
	c.work = s.work.alone()
	c.extent = extent{total: 1, concurrent: 1, simulated: 1, perGroup: c.work.mostIssues, issues: c.work.mostIssues}
	c.skip = s.skip && s.folded()
	return &c
}
