package simulate

import (
	"cmp"

	"gpupipe/internal/diag"
	"gpupipe/latencies"
)

// Defaults of Config.
const (
	// DefaultBudget is the number of warp instructions that are simulated before
	// the rest of the launch is extrapolated, unless Config.Full is set: about a
	// tenth of a second. The error of the cycles is then mostly below 1%, and
	// within 8% if the budget is only three waves of groups that are out of step
	// (TestExtrapolationError).
	DefaultBudget = 1_000_000
	// DefaultMaxEvents is the number of issues beyond which a run is refused: of
	// the order of half a minute of simulation.
	DefaultMaxEvents = 500_000_000
)

// Config is the execution configuration of one compute unit. The zero value of
// each field takes the documented default.
type Config struct {
	Groups int64 // groups run by this compute unit; 0 = ceil(launch groups / compute units)
	// groups resident at once; 0 = what the resources allow; may exceed that (then Result.Notes says so)
	Concurrent int64
	Scheduler  Scheduler        // 0 = the device's, else RoundRobin
	Issue      IssueMode        // 0 = the device's, else Dataflow
	IssueLimit latencies.Cycles // instructions per cycle; 0 = the device's
	Registers  int              // per work item; 0 = the graph's (0 there = not limiting)
	Profile    bool             // record every simulated issue in Result.Profile, up to MaxProfile
	MaxEvents  int64            // refuse runs that simulate more issues than this; 0 = DefaultMaxEvents
	Engine     Engine           // 0 = EngineFast; all engines give the same result

	// Full simulates every group. Otherwise, when the launch has more than
	// Budget warp instructions, some waves of groups are simulated and the rest
	// is extrapolated (see Result.Extrapolated); if their loops are long, from launches
	// with fewer iterations (iterations.go).
	Full   bool
	Budget int64 // warp instructions to simulate before extrapolating; 0 = DefaultBudget, with Precision no limit

	// Precision, if above 0, simulates a long launch until its throughput has
	// converged to that relative error (0.005 is half a percent) and extrapolates the
	// rest: see Result.Sampling. If Budget is set too, a run that has not converged by
	// then is extrapolated as without Precision. So are long loops in any case.
	Precision float64

	// NoSkipping simulates also the groups whose course is known because the unit
	// is in a state in which it has been (see Result.SkippedGroups). The result is
	// the same.
	NoSkipping bool

	// NoContention keeps the latency of device memory what it is without load.
	// Otherwise it grows with the load where the device has the constants for it
	// (latencies.Memory.Contention; see Result.Contention).
	NoContention bool

	walkedFrom int64 // of loops that dataflow walks, for tests; 0 = the constant
}

// Validate reports the first field that is out of range.
func (c *Config) Validate() error {
	for _, f := range []struct {
		name  string
		value int64
	}{
		{"groups", c.Groups}, {"concurrent groups", c.Concurrent}, {"registers per work item", int64(c.Registers)},
		{"limit of events", c.MaxEvents}, {"budget", c.Budget},
	} {
		if f.value < 0 {
			return configError("the number of %s must not be negative, it is %d", f.name, f.value)
		}
	}
	if !(c.Precision >= 0 && c.Precision < 1) {
		return configError("the precision must be a fraction below 1, it is %v", c.Precision)
	}
	if c.Full && c.Precision > 0 {
		return configError("a full run is exact: it has no precision")
	}
	if int(c.Scheduler) >= len(pickers) {
		return configError("there is no scheduler %d", c.Scheduler)
	}
	if c.Issue > Blocks {
		return configError("there is no issue mode %d", c.Issue)
	}
	if c.Engine > EngineReference {
		return configError("there is no engine %d", c.Engine)
	}
	return nil
}

// withDefaults returns c with its zero fields set, apart from the number of groups. Machine code is in the order in
// which a compiler leaves it, and GPUs issue that in order (V16 ch. 2); a device's mode is that of the source's order.
func (c Config) withDefaults(d *latencies.Device, machineCode bool) Config {
	c.Scheduler = cmp.Or(c.Scheduler, d.Scheduler, RoundRobin)
	if c.Issue == 0 && machineCode {
		c.Issue = InOrder
	}
	c.Issue = cmp.Or(c.Issue, d.Issue, Dataflow)
	if c.Engine == 0 {
		c.Engine = EngineFast
	}
	if c.MaxEvents == 0 {
		c.MaxEvents = DefaultMaxEvents
	}
	if c.Budget == 0 && c.Precision == 0 {
		c.Budget = DefaultBudget
	}
	return c
}

func configError(format string, args ...any) error {
	return diag.Errorf(diag.Pos{}, "CONFIG", format, args...)
}

// Scheduler orders the warps of a sub-core that have a ready instruction, and IssueMode says which of a warp may issue.
type (
	Scheduler = latencies.Scheduler
	IssueMode = latencies.IssueMode
)

// The issue modes.
const (
	Dataflow = latencies.Dataflow
	InOrder  = latencies.InOrder
	Blocks   = latencies.Blocks
)

// endsBlock reports whether the window of instructions from which a warp issues
// moves on behind an instruction of the class, once all up to it have issued.
func endsBlock(m IssueMode, c *class) bool {
	switch m {
	case InOrder:
		return true
	case Blocks:
		return c.source.EndsBlock()
	}
	return false
}

// Engine says what simulates. All engines give the same result in every number,
// but that only EngineFast leaves iterations of loops out, unless the run is full (Result.LeftOutIssues).
type Engine uint8

// The engines. The zero value is invalid.
const (
	// EngineFast is the default. It skips what repeats (see Config.NoSkipping).
	EngineFast Engine = iota + 1
	// EngineReference is the plain one that EngineFast is tested against. It simulates
	// every iteration. It also runs where EngineFast was asked for but cannot be used: while a profile is
	// recorded, and with more than 64 warps resident, which no known GPU holds.
	EngineReference
)

var engineNames = [...]string{EngineFast: "fast", EngineReference: "reference"}

func (e Engine) String() string {
	if e != 0 && int(e) < len(engineNames) {
		return engineNames[e]
	}
	return "invalid engine"
}
