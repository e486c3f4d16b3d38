package finding

import (
	"cmp"
	"context"
	"reflect"
	"slices"

	"gpupipe/idg"
	"gpupipe/simulate"
	"gpupipe/simulate/remedy"
)

// trial is a remedy to simulate: the run with another graph, mapping or configuration.
type trial struct {
	Finding
	remedy.Remedied
	config simulate.Config
	groups float64               // of a compute unit, for which the time counts; 0 = those of the graph
	about  func(*idg.Instr) bool // the instructions that it is about; nil for the launch
	spent  float64               // about the share of the time that the run spends on these
	idle   bool                  // the run hardly spends time on these: nothing is simulated
	quiet  bool                  // it is not named where it saves nothing
	// there was no work left for it
	unsimulated bool
	launch      *simulate.Launch
	plan        *simulate.Planned
}

// Findings cost no more than trialRuns runs. Work is counted in warp instructions (simulate.Launch.Work), whatever the
// machine: all trials and their plans have trialRuns times what the run took, and leastWork, some 20 ms: what a run
// takes to start and to read its graph, as many milliseconds again being left for the rules.
// Those that could save most come first. What there is no work left for is named with the most that it could save.
const (
	trialRuns = 2
	leastWork = 150_000
)

// leastTrial and mostTrial bound the simulate.Config.Budget of a trial of a launch that is extrapolated or mostly
// skipped, a third of what the run took. A full run has trials that need not be full.
const leastTrial, mostTrial = simulate.DefaultBudget / 10, simulate.DefaultBudget / 4

// trial is the run as it is, to be changed.
func (r *Run) trial(f Finding) trial {
	t := trial{Finding: f, Remedied: remedy.Remedied{Graph: r.Graph, Mapping: r.Mapping}, config: r.Config,
		groups: float64(r.Result.Groups), spent: 1}
	t.config.Full = false
	if quick := r.Result.Extrapolated || r.Result.SkippedIssues > r.Result.Issued/2; quick && t.config.Budget == 0 &&
		t.config.Precision == 0 {
		t.config.Budget = min(max(r.Launch.Simulated()/3, leastTrial), mostTrial)
	}
	return t
}

// simulate runs the trials that could save enough, one after the other, as their memory is that of a run each, those
// first that could save most.
func (r *Run) simulate(ctx context.Context, trials []trial) error {
	var order []*trial
	same := map[*trial]*trial{} // trials of one remedy
	for i := range trials {
		t := &trials[i]
		if t.idle {
			t.Seconds = r.Result.Seconds
			continue
		}
		if k := slices.IndexFunc(trials[:i], t.equal); k >= 0 {
			same[t] = &trials[k]
			continue
		}
		if err := t.bound(r); err != nil {
			return err
		}
		if t.Saved < t.least() {
			t.launch, t.plan = nil, nil
			continue
		}
		order = append(order, t)
	}
	sortTrials(order)
	changes, reserve := 0, int64(0)
	for i, t := range order {
		if t.unsimulated = t.superfluous(order[:i]); t.unsimulated {
			continue
		}
		if err := t.run(ctx, r); err != nil {
			return err
		}
		if t.joins() && t.Saved >= t.least() {
			changes++
		}
		if changes == 2 && reserve == 0 { // some are simulated together
			reserve = r.work(r.Result.Issued)
			r.budget.left -= reserve
		}
	}
	r.budget.left += reserve
	for i := range trials {
		if first := same[&trials[i]]; first != nil {
			t := &trials[i]
			t.Seconds, t.Saved, t.unsimulated = first.Seconds, first.Saved, first.unsimulated
		}
	}
	return nil
}

// sortTrials sorts trials by how their findings could rank, or those of which they may name the cause; of equals the
// first is that on which the run spends most.
func sortTrials(list []*trial) {
	rank, causes := map[*trial]float64{}, map[*trial]int{}
	for _, t := range list {
		rank[t] = t.within()
		for _, other := range list {
			if slices.Contains(ruleOf(t.Code).covers, other.Code) {
				rank[t], causes[t] = max(rank[t], other.within()), causes[t]+1
			}
		}
	}
	slices.SortStableFunc(list, func(a, b *trial) int {
		return cmp.Or(cmp.Compare(rank[b], rank[a]), cmp.Compare(causes[b], causes[a]), cmp.Compare(b.spent, a.spent))
	})
}

// joins reports whether it is part of what findings save together.
func (t *trial) joins() bool {
	return !t.unsimulated && !t.symptom && (t.variant != "" || t.changes != nil || t.Code == "occupancy")
}

// superfluous reports whether one of the trials before stands for it, whatever it saves: see arrange.
func (t *trial) superfluous(before []*trial) bool {
	return slices.ContainsFunc(before, func(other *trial) bool {
		return !other.unsimulated && other.Saved >= other.least() && other.covers(&t.Finding)
	})
}

// least is the saving from which on it is a finding.
func (t *trial) least() float64 {
	if t.Code == "tile" {
		return leastRewrite
	}
	return Least
}

// equal reports whether two trials are of the same remedy, said in other words.
func (t *trial) equal(other trial) bool {
	return t.Graph == other.Graph && t.config == other.config && t.groups == other.groups &&
		(t.Mapping == other.Mapping || reflect.DeepEqual(t.Mapping, other.Mapping))
}

// bound notes what its subsystems and chains of dependences let it save at most. A trial of other groups than the run's
// counts by the time of a group.
func (t *trial) bound(r *Run) (err error) {
	t.launch = r.launchOf(t)
	if t.plan, err = t.launch.Plan(t.config); err == nil {
		t.save(r, r.Mapping.Device.Seconds(t.plan.LowerBounds.Longest()), cmp.Or(t.config.Groups, r.Result.Groups))
	}
	r.budget.left -= t.launch.Work()
	return err
}

// run simulates a trial, unless there is no work left for it.
func (t *trial) run(ctx context.Context, r *Run) error {
	t.unsimulated = true
	res, err := r.budget.run(ctx, r, t)
	t.launch, t.plan = nil, nil
	if res == nil {
		return err
	}
	t.unsimulated = false
	t.save(r, res.Seconds-res.LaunchSeconds, res.Groups)
	if t.variant != "" {
		if r.variants == nil {
			r.variants = map[*idg.Graph]*simulate.Result{}
		}
		r.variants[t.Graph] = res
	}
	return nil
}

// budget is the work that is left for trials.
type budget struct{ left int64 }

// work is about how many of so many warp instructions are simulated one by one, if states recur as in the run.
func (r *Run) work(instructions int64) int64 {
	known := r.Result.SkippedIssues + r.Result.LeftOutIssues
	return int64(float64(instructions) * (1 - float64(known)/float64(r.Result.Issued)))
}

// shortened is what share of the work that is left is the simulate.Config.Budget of a run that takes more: one that
// loses iterations simulates three of these.
const shortened = 3

// run simulates a trial of a run; nil if there is not enough left for it. One that takes more than is left is predicted
// from fewer groups and iterations.
func (b *budget) run(ctx context.Context, r *Run, t *trial) (*simulate.Result, error) {
	if b.left <= 0 {
		return nil, nil
	}
	if t.plan.Simulates > b.left {
		t.plan.Within(max(1, b.left/shortened), b.left)
	}
	most := b.left
	if t.plan.Simulates > b.left {
		work := r.work(t.plan.Simulates)
		if t.plan.Shortens || work > b.left {
			return nil, nil
		}
		most = max(2*work, b.left/2) // states may recur later than in the run, or not at all
	}
	before := t.launch.Work()
	res, err := t.plan.Run(ctx, most)
	b.left -= t.launch.Work() - before
	if simulate.TooLarge(err) {
		return nil, nil
	}
	return res, err
}

// launchOf is the launch of a trial. Those of one graph share what its mapping does not change.
func (r *Run) launchOf(t *trial) *simulate.Launch {
	l := simulate.NewLaunch(t.Graph, t.Mapping)
	if t.Graph == r.Graph {
		l = r.Launch.Mapped(t.Mapping)
	}
	l.Brief = true
	return l
}

// save notes and returns what it saves if so many groups take so many seconds.
func (t *trial) save(r *Run, seconds float64, groups int64) float64 {
	if t.groups > 0 {
		seconds *= t.groups / float64(groups)
	}
	t.Seconds = max(seconds, t.floor) + r.Result.LaunchSeconds
	if r.Result.Seconds > 0 {
		t.Saved = 1 - t.Seconds/r.Result.Seconds
	}
	return t.Saved
}
