// Package finding says what a programmer should change in a kernel, and what that would save.
//
// It consumes a simulated run with its graph, mapping and causes, and produces an Outcome: findings, which are a
// sentence, the line, the number that proves it, what to do, and the time with the remedy, which
// is simulated; the time with all of them; and what the time is if addresses that nobody knows are scattered. Each
// rule stands in a file of its name; Rules lists them.
//
// Invariants: a finding saves at least Least of the time; findings are sorted by what they save, then by
// position and code; same run, same findings.
package finding

import (
	"cmp"
	"context"
	"slices"

	"gpupipe/idg"
	"gpupipe/latencies"
	"gpupipe/simulate"
	"gpupipe/simulate/cause"
	"gpupipe/simulate/remedy"
)

// Least is the share of the time below which a saving is not worth mentioning.
const Least = 0.01

// leastRewrite is the same for a remedy that changes the structure of a kernel, whose own cost (barriers, borders of
// tiles) is not simulated.
const leastRewrite = 0.1

// Finding is one thing to change.
type Finding struct {
	Code    string  // of its rule, stable
	Pos     idg.Pos // with column; not valid where it concerns the launch
	What    string  // is wrong, in one sentence without a full stop
	Proof   string  // the number behind it
	Remedy  string  // what to change
	Seconds float64 // of the launch with the remedy
	Saved   float64 // share of the time, 0 to 1

	Scattered bool // it holds, and saves so much, if the addresses are scattered that nobody knows

	changes []remedy.Change
	variant string // the code with the remedy; empty for none
	config  simulate.Config
	floor   float64 // seconds that it takes at least
	symptom bool    // it saves what the best of several changes would: no part of what findings save together
	last    bool    // what it is about is not what bounds the run
	after   string  // code of a finding that comes first, as it changes what this one is about; empty for none
}

// Outcome is what was found.
type Outcome struct {
	Findings []Finding
	Minor    []Finding // what textbooks would change, and what saves nothing, as something else takes as long
	// for which there was no work left, those first that could save most: Saved is at most so, and Seconds at least
	Unsimulated []Finding
	// nil where all addresses are known, or their places do not matter; Neighbours where all that are not are taken
	// to be far apart
	Scattered, Neighbours *Reading
	// seconds with twice the trip counts that are assumed, and with branches not taken of which both sides are
	// executed as nobody knows; 0 where that hardly differs
	Longer, NotTaken float64
	Joint            *Joint // of findings that concern the kernel; nil for fewer than two
}

// Joint is what several findings save together.
type Joint struct {
	Codes   []string // of the findings
	Seconds float64
	Saved   float64
	Bound   simulate.Bound // of the kernel that is left
}

// Run is what the rules look at.
type Run struct {
	remedy.Kernel
	Config simulate.Config // of Result
	Launch *simulate.Launch
	Result *simulate.Result // of running it
	Causes *cause.Breakdown

	lines []string // of the source
	minor []Finding
	later []Finding              // Outcome.Unsimulated
	far   map[idg.Instr]bool     // isIndirect
	again map[idg.InstrID]reason // reasons
	flat  []*idg.Flat            // condensed
	flow  *flow                  // dataFlow

	variants map[*idg.Graph]*simulate.Result // that have been simulated with the configuration of trials
	budget   *budget                         // of trials
}

// Find applies all rules to a run and simulates their remedies.
func Find(ctx context.Context, r *Run) (*Outcome, error) {
	out := &Outcome{}
	r.budget = &budget{trialRuns*r.Launch.Work() + leastWork}
	other, err := r.scattered(ctx)
	if err != nil {
		return nil, err
	}
	list, err := r.find(ctx, func(*rule) bool { return true })
	if err != nil {
		return nil, err
	}
	if other != nil {
		out.Scattered = &Reading{Seconds: other.Result.Seconds, Buffers: r.unknown()}
		more, err := other.find(ctx, func(x *rule) bool { return x.places })
		if err != nil {
			return nil, err
		}
		r.later = append(r.later, other.later...)
		for _, f := range more {
			f.Scattered = true
			list = slices.DeleteFunc(list, func(own Finding) bool { return own.Code == f.Code && own.Pos == f.Pos })
			list = append(list, f)
		}
	} else if out.Neighbours, err = r.coalesced(ctx); err != nil {
		return nil, err
	}
	if out.Longer, err = r.variant(ctx, idg.TwiceTheTrips); err != nil {
		return nil, err
	}
	if out.NotTaken, err = r.variant(ctx, idg.BranchesNotTaken); err != nil {
		return nil, err
	}
	out.Findings, out.Minor, out.Unsimulated = arrange(list), uncovered(list, r.minor), uncovered(list, r.later)
	if other == nil {
		out.Joint, err = r.joint(ctx, out.Findings)
	}
	return out, err
}

// find applies rules.
func (r *Run) find(ctx context.Context, pick func(*rule) bool) ([]Finding, error) {
	var trials []trial
	for i := range rules {
		if !pick(&rules[i]) {
			continue
		}
		found, err := rules[i].find(r)
		if err != nil {
			return nil, err
		}
		for _, t := range found {
			t.Code = rules[i].code
			trials = append(trials, t)
		}
	}
	if err := r.simulate(ctx, trials); err != nil {
		return nil, err
	}
	var out []Finding
	for i, t := range trials {
		if n := len(out); i > 0 && n > 0 && t.What == trials[i-1].What && t.What == out[n-1].What &&
			t.Pos == out[n-1].Pos {
			continue // the same with another trial
		}
		switch {
		case t.unsimulated:
			r.later = append(r.later, t.Finding)
		case t.Saved >= t.least():
			t.Finding.config = t.config
			out = append(out, t.Finding)
		case ruleOf(t.Code).textbook && !t.quiet && (t.about == nil || r.use(t.about) >= leastUse):
			r.minor = append(r.minor, t.Finding)
		}
	}
	return out, nil
}

// share is the part of the time that causes of the given kinds have at a line; 0 for any line
// if pos is not valid.
func (r *Run) share(pos idg.Pos, kinds ...cause.Kind) float64 {
	sum := 0.0
	for i := range r.Causes.Causes {
		c := &r.Causes.Causes[i]
		if slices.Contains(kinds, c.Kind) && (!pos.IsValid() || sameLine(c.Pos, pos)) {
			sum += c.Cycles.Float()
		}
	}
	return sum / r.Causes.Total.Float()
}

// part is what some instructions are of a run.
type part struct {
	top     *idg.Instr // takes most of the busiest resource's time, and is issued most; nil for none
	issued  int64
	buffers []string // that they access, in the order of the run
}

// partOf are the executed instructions that pick takes.
func (r *Run) partOf(pick func(*simulate.ClassUse) bool) (p part) {
	var top *simulate.ClassUse
	for i := range r.Result.Classes {
		c := &r.Result.Classes[i]
		if c.Issued == 0 || !pick(c) {
			continue
		}
		p.issued += c.Issued
		if top == nil || cmp.Or(cmp.Compare(r.Causes.Load(c), r.Causes.Load(top)),
			cmp.Compare(c.Issued, top.Issued)) > 0 {
			top, p.top = c, c.Instr
		}
		if a := r.Graph.Access(c.Instr.Access); a != nil && !slices.Contains(p.buffers, a.Buffer) {
			p.buffers = append(p.buffers, a.Buffer)
		}
	}
	return p
}

// spent is about the share of the time that the run spends on instructions: the busiest resource, and warps that wait
// or queue for them. Where that is less than Least no remedy for them saves as much.
func (r *Run) spent(pick func(*idg.Instr) bool) float64 {
	sum := 0.0
	for i := range r.Result.Classes {
		if c := &r.Result.Classes[i]; pick(c.Instr) {
			sum += r.Causes.Load(c) + (c.Waited+c.Queued)/max(r.Result.Waiting.Resident, 1)
		}
	}
	return sum
}

// leastUse is the part of the time for which a resource must be busy with instructions for a remedy that saves nothing
// to be named: as much of another reading of the kernel is.
const leastUse = leastReading

// use is the largest part of the time for which one resource is busy with instructions: it could be saved if nothing
// else took as long.
func (r *Run) use(pick func(*idg.Instr) bool) float64 {
	busy := make([]float64, len(r.Result.Subsystems)) // cycles
	slots, all := 0.0, 0.0
	for i := range r.Result.Classes {
		c := &r.Result.Classes[i]
		own := float64(c.Issued) * float64(c.Entry.Slots())
		if all += own; !pick(c.Instr) {
			continue
		}
		slots += own
		for _, x := range c.Entry.Charges() {
			busy[x.Subsystem] += float64(c.Issued) * x.CPI.Float()
		}
	}
	return max(slices.Max(busy)/r.Result.Cycles.Float(), slots/all*r.Result.IssueUtilization)
}

// gain is about the share of the time that another mapping of the graph saves: of the busiest resource, and of the time
// for which warps wait as its latencies are shorter.
func (r *Run) gain(m *latencies.Mapping) float64 {
	sum := 0.0
	for i := range r.Result.Classes {
		c := r.Result.Classes[i]
		now, was := &m.Entries[i%len(m.Entries)], c.Entry
		sum += r.Causes.Load(&c)
		c.Entry = now
		sum -= r.Causes.Load(&c)
		sum += (c.Waited + c.Queued) / max(r.Result.Waiting.Resident, 1) *
			max(0, 1-now.Timing.Latency.Float()/was.Timing.Latency.Float())
	}
	return sum
}

// executed are the classes that the run executes, as indices of the graph's instructions.
func (r *Run) executed() []int {
	count := make([]int64, len(r.Graph.Instrs()))
	for i := range r.Result.Classes {
		count[i%len(count)] += r.Result.Classes[i].Issued // kinds of groups share the graph's classes
	}
	var out []int
	for i, n := range count {
		if n > 0 {
			out = append(out, i)
		}
	}
	return out
}
