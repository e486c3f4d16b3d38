package comparison

import (
	"context"
	"fmt"
	"runtime"
	"slices"
	"sync"

	"gpupipe/idg"
	"gpupipe/internal/diag"
	"gpupipe/latencies"
	"gpupipe/simulate"
	"gpupipe/simulate/analytic"
)

// Options says what to compare.
type Options struct {
	// Map maps the graph for so many concurrent groups: caches serve more of the
	// accesses when fewer groups share them.
	Map    func(groups int64) (*latencies.Mapping, error)
	Config simulate.Config  // of the simulation; Concurrent is ignored
	Models []analytic.Model // nil = all
	// Warps lists the occupancies, in resident warps of a compute unit, ascending;
	// nil = the one that the device's resources allow.
	Warps []int64
	// Simulate bounds how many of the occupancies are simulated: the lowest, the
	// highest and some between, evenly by their logarithm. Negative = all that are
	// whole groups, 0 = none.
	Simulate int
	Known    int64 // the one of them whose simulation the caller has: it is not repeated; 0 = none
	MSHRs    int   // misses in flight of a compute unit, for MDM and GPUMech; 0 = analytic.DefaultMSHRs
	// Contention switches GPUMech's delays at misses and DRAM on.
	Contention analytic.ResourceContention
	Jobs       int // simulations at a time; 0 = the number of processors
}

// Comparison is what the models and the simulation say.
type Comparison struct {
	Input  *analytic.Input // at the occupancy that resources allow
	Models []analytic.About
	// Needed is how many warps each model asks for (analytic.Needed), of at most
	// MaxWarps; 0 = more than those, or the model does not know occupancy.
	Needed   []int
	MaxWarps int64 // that the device holds, or the most that are compared
	Capacity simulate.Occupancy
	Groups   int64 // that the compute unit runs
	// LaunchCycles is what a launch takes beside its groups, in cycles of the compute
	// unit's clock: a part of every time that is measured, and of simulate.Result.Seconds.
	LaunchCycles float64
	Points       []Point
}

// Point is one occupancy.
type Point struct {
	Warps     int64
	Input     *analytic.Input     // shared where it is the same
	Simulated *simulate.Result    // nil where it was not simulated
	Estimates []analytic.Estimate // by model

	mapping *latencies.Mapping
}

// Cycles is what the compute unit's whole work takes at a rate.
func (c *Comparison) Cycles(warpsPerCycle float64) float64 {
	return float64(c.Groups) * c.Input.WarpsPerGroup / warpsPerCycle
}

// defaultMaxWarps is how far Needed looks on a device of unknown size.
const defaultMaxWarps = 64

// Run compares what a graph does on a device. Errors are *diag.Error, or wrap
// ctx.Err().
func Run(ctx context.Context, g *idg.Graph, d *latencies.Device, opt Options) (*Comparison, error) {
	opt.Config.Concurrent = 0
	capacity, err := simulate.Capacity(g, d, opt.Config)
	if err != nil {
		return nil, err
	}
	if opt.Models == nil {
		opt.Models = analytic.Models()
	}
	if len(opt.Warps) == 0 {
		opt.Warps = []int64{capacity.Warps}
	}
	if len(opt.Warps) > maxPoints {
		return nil, diag.Errorf(diag.Pos{}, "TOO-LARGE", "%d occupancies are more than %d", len(opt.Warps), maxPoints)
	}
	c := &Comparison{
		Capacity: capacity, Groups: launchGroups(&capacity, opt.Config.Groups),
		MaxWarps:     max(capacity.MaxWarps, slices.Max(opt.Warps)),
		LaunchCycles: d.LaunchNs.Float() / 1e9 * float64(d.ClockHz),
	}
	if capacity.MaxWarps == 0 {
		c.MaxWarps = max(c.MaxWarps, defaultMaxWarps)
	}
	s := &source{graph: g, options: &opt, groups: c.Groups, perGroup: g.Launch.WarpsPerGroup()}
	if err := c.estimate(s); err != nil {
		return nil, err
	}
	return c, c.simulate(ctx, s)
}

// launchGroups is how many groups the unit runs: the launch is among what
// limits an occupancy.
func launchGroups(o *simulate.Occupancy, configured int64) int64 {
	for _, c := range o.Candidates {
		if c.Resource == "launch" {
			return c.Groups
		}
	}
	return configured
}

// maxPoints bounds the occupancies of a comparison.
const maxPoints = 1 << 12

// estimate evaluates the models.
func (c *Comparison) estimate(s *source) error {
	var err error
	if c.Input, _, err = s.input(c.Capacity.Groups); err != nil {
		return err
	}
	for _, m := range s.options.Models {
		c.Models = append(c.Models, m.About())
		c.Needed = append(c.Needed, analytic.Needed(m, c.Input, int(c.MaxWarps)))
	}
	warps := s.options.Warps
	for i, w := range warps {
		if w < 1 || i > 0 && w <= warps[i-1] {
			return diag.Errorf(diag.Pos{}, "CONFIG", "occupancies are numbers of warps from 1, ascending, not %v",
				warps)
		}
		p := Point{Warps: w}
		if p.Input, p.mapping, err = s.input((w-1)/s.perGroup + 1); err != nil {
			return err
		}
		for _, m := range s.options.Models {
			p.Estimates = append(p.Estimates, analytic.Evaluate(m, p.Input, float64(w)))
		}
		c.Points = append(c.Points, p)
	}
	return nil
}

// simulate runs the occupancies that are to be simulated, several at a time.
func (c *Comparison) simulate(ctx context.Context, s *source) error {
	chosen := slices.DeleteFunc(c.choose(s.perGroup, s.options.Simulate), func(i int) bool {
		return c.Points[i].Warps == s.options.Known
	})
	jobs := s.options.Jobs
	if jobs <= 0 {
		jobs = runtime.GOMAXPROCS(0)
	}
	errs := make([]error, len(chosen))
	limit := make(chan struct{}, jobs)
	var wait sync.WaitGroup
	// The highest occupancy takes longest: it goes first.
	for k := len(chosen) - 1; k >= 0; k-- {
		limit <- struct{}{}
		wait.Go(func() {
			defer func() { <-limit }()
			p := &c.Points[chosen[k]]
			cfg := s.options.Config
			cfg.Concurrent = p.Warps / s.perGroup
			p.Simulated, errs[k] = simulate.Run(ctx, s.graph, p.mapping, cfg)
			if errs[k] == nil {
				if err := p.Simulated.Verify(); err != nil {
					errs[k] = diag.AsDefect(fmt.Errorf("%d warps: %w", p.Warps, err))
				}
			}
		})
	}
	wait.Wait()
	for _, err := range errs {
		if err != nil {
			return err
		}
	}
	return nil
}

// choose picks the occupancies to simulate, ascending: of those that are whole
// groups and that the launch can fill, at most so many.
func (c *Comparison) choose(perGroup int64, most int) []int {
	var all []int
	for i, p := range c.Points {
		if p.Warps%perGroup == 0 && p.Warps/perGroup <= c.Groups {
			all = append(all, i)
		}
	}
	if most < 0 || len(all) <= most {
		return all
	}
	if most == 0 {
		return nil
	}
	var chosen []int
	low, high := float64(c.Points[all[0]].Warps), float64(c.Points[all[len(all)-1]].Warps)
	for _, target := range geometric(low, high, most) {
		nearest, _ := slices.BinarySearchFunc(all, target, func(i int, t float64) int {
			return int(float64(c.Points[i].Warps)+0.5) - int(t+0.5)
		})
		chosen = append(chosen, all[min(nearest, len(all)-1)])
	}
	return slices.Compact(chosen)
}
