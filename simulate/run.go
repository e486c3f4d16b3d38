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
	u, err := s.simulate(ctx, s.extent.simulated, s.extent.concurrent)
	if err != nil {
		return nil, err
	}
	alone := u
	if s.extent.total > 1 {
		if alone, err = s.withoutProfile().simulate(ctx, 1, 1); err != nil {
			return nil, err
		}
	}
	return s.result(u, alone.end)
}

// setup is a run that is ready to start.
type setup struct {
	cfg       Config // with defaults
	device    *latencies.Device
	hw        *hardware
	work      *workload
	occupancy Occupancy
	extent    extent
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
	if s.extent.simulated > s.cfg.MaxEvents/s.work.perGroup {
		return nil, diag.Errorf(diag.Pos{}, "TOO_LARGE", "%d groups of %d warp instructions are more than the limit of %d simulated issues",
			s.extent.simulated, s.work.perGroup, s.cfg.MaxEvents).
			WithNote("simulate fewer groups (--groups, or without --full), or raise the limit")
	}
	return s, nil
}

// groupsPerUnit is N = ceil(launch groups / compute units) (golden 5).
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

// simulate runs n groups, m at once.
func (s *setup) simulate(ctx context.Context, n, m int64) (*unit, error) {
	u, err := newUnit(s.work, s.hw, s.cfg, n, m)
	if err != nil {
		return nil, err
	}
	u.measured = s.extent.measured > 0
	if s.cfg.Profile {
		u.recorder = &recorder{}
	}
	if err := u.run(ctx); err != nil {
		return nil, err
	}
	if want := n * s.work.perGroup; u.stats.issued != want || u.ended != n {
		return nil, fmt.Errorf("simulate: internal error: %d of %d instructions of %d groups were issued; please report this", u.stats.issued, want, n)
	}
	return u, nil
}

func (s *setup) withoutProfile() *setup {
	c := *s
	c.cfg.Profile = false
	return &c
}
