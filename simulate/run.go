package simulate

import (
	"context"
	"fmt"
	"math"

	"gpupipe/idg"
	"gpupipe/internal/diag"
	"gpupipe/latencies"
)

// Run simulates one compute unit and returns what it did. The same input gives
// the same result. Errors are *diag.Error for what the input got wrong, or wrap
// ctx.Err() when ctx ended the run.
func Run(ctx context.Context, g *idg.Graph, m *latencies.Mapping, cfg Config) (*Result, error) {
	s, err := prepare(g, m, cfg)
	if err != nil {
		return nil, err
	}
	o, err := s.simulate(ctx)
	if err != nil {
		return nil, err
	}
	alone := o
	if s.extent.total > 1 {
		if alone, err = s.alone().simulate(ctx); err != nil {
			return nil, err
		}
	}
	return s.result(o, alone.end)
}

// setup is a run that is ready to start.
type setup struct {
	cfg       Config // with defaults
	device    *latencies.Device
	hw        *hardware
	work      *workload
	occupancy Occupancy
	extent    extent
	skip      bool // groups whose course is known are skipped
	notes     []string
}

// prepare checks the input and decides what to simulate.
func prepare(g *idg.Graph, m *latencies.Mapping, cfg Config) (*setup, error) {
	if err := cfg.Validate(); err != nil {
		return nil, err
	}
	s := &setup{device: m.Device}
	var err error
	if s.cfg, err = cfg.withDefaults(m.Device); err != nil {
		return nil, err
	}
	if s.hw, err = newHardware(m, s.cfg); err != nil {
		return nil, err
	}
	if s.work, err = newWorkload(g, m, s.hw); err != nil {
		return nil, err
	}
	n := s.cfg.Groups
	if n == 0 {
		if n, err = groupsPerUnit(&g.Launch, m.Device); err != nil {
			return nil, err
		}
	}
	if n > math.MaxInt64/s.work.perGroup {
		return nil, diag.Errorf(diag.Pos{}, "TOO_LARGE", "%d groups of %d warp instructions cannot be counted", n, s.work.perGroup)
	}
	if s.occupancy, err = fit(g, m.Device, s.cfg, n); err != nil {
		return nil, err
	}
	if m := s.occupancy.Groups; m > s.occupancy.allowed() {
		s.notes = append(s.notes, fmt.Sprintf("%d groups at once are more than the device's resources allow (%d)", m, s.occupancy.allowed()))
	}
	s.extent = plan(s.cfg, n, s.occupancy.Groups, s.work.perGroup)
	if err := s.work.checkResident(s.extent.concurrent); err != nil {
		return nil, err
	}
	s.chooseEngine()
	if atLeast := s.leastGroups(); atLeast > s.cfg.MaxEvents/s.work.perGroup {
		return nil, s.tooManyEvents(atLeast)
	}
	return s, nil
}

// chooseEngine decides which engine runs.
func (s *setup) chooseEngine() {
	if s.cfg.Profile || s.work.places(s.extent.concurrent) > maxFastPlaces {
		s.cfg.Engine = EngineReference
	}
	s.skip = s.cfg.Engine == EngineFast && !s.cfg.NoSkipping && s.extent.total > s.extent.concurrent
}

// leastGroups is how many groups are certainly simulated.
func (s *setup) leastGroups() int64 {
	if s.skip {
		return s.extent.concurrent
	}
	return s.extent.simulated
}

// tooManyEvents refuses a run in which so many groups are to be simulated.
func (s *setup) tooManyEvents(groups int64) error {
	return diag.Errorf(diag.Pos{}, "TOO_LARGE", "%d groups of %d warp instructions are more than the limit of %d simulated issues",
		groups, s.work.perGroup, s.cfg.MaxEvents).
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
	if o.stats.issued != o.ended*s.work.perGroup || o.ended != s.extent.total && o.ended != s.extent.simulated {
		return nil, fmt.Errorf("simulate: internal error: %d instructions of %d groups were issued, %d groups ended; please report this", o.stats.issued, s.extent.total, o.ended)
	}
	return o, nil
}

// alone is the setup of one group that has the unit for itself.
func (s *setup) alone() *setup {
	c := *s
	c.cfg.Profile = false
	c.extent = extent{total: 1, concurrent: 1, simulated: 1}
	c.skip = false
	return &c
}
