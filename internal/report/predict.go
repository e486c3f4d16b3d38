package report

import (
	"context"
	"strings"

	"gpupipe/idg"
	"gpupipe/internal/diag"
	"gpupipe/internal/words"
	"gpupipe/latencies"
	"gpupipe/simulate"
	"gpupipe/simulate/cause"
	"gpupipe/simulate/finding"
	"gpupipe/simulate/remedy"
	"gpupipe/simulate/roof"
	"gpupipe/simulate/timeline"
)

// Options are how a graph is predicted.
type Options struct {
	Mapper *latencies.Mapper // of the device, with the rules that replace its parameters
	Config simulate.Config   // Profile is needed for Critical, drawings and traces
	Warm   bool              // latencies.Options

	Findings bool // look for what to change
	Critical bool // follow an average warp

	Warn func(diag.List) // is told what a mapping warns of, before the simulation; nil = nobody
}

// Map maps a graph for so many groups at once on a compute unit, 0 for as many as fit, and checks the mapping.
func (o *Options) Map(g *idg.Graph, groups int64) (remedy.Kernel, error) {
	k, err := remedy.NewKernel(g, o.Mapper, latencies.Options{ConcurrentGroups: groups, Registers: o.Config.Registers,
		Warm: o.Warm})
	if err != nil {
		return k, err
	}
	if err := k.Mapping.Verify(g); err != nil {
		return k, diag.AsDefect(err)
	}
	if o.Warn != nil {
		o.Warn(k.Mapping.Warnings)
	}
	return k, nil
}

// Prediction is what a report can tell of a graph on a device. It is not changed once it is made.
type Prediction struct {
	remedy.Kernel // the graph and its mapping
	Config        simulate.Config
	Result        *simulate.Result
	Causes        *cause.Breakdown
	Roof          roof.Roof

	Findings []finding.Finding  // if they were asked for, those that save most first
	Outcome  *finding.Outcome   // what was found beside them; nil if it was not asked for
	Critical *timeline.Critical // if it was asked for

	launch *simulate.Launch // that Result is of
	lines  []string         // of the graph's source
	words  words.Words
}

// Predict maps and simulates a graph, checks what comes out, and finds what the time is spent on, how far
// it is from the device's peaks and, if asked, what to change.
func Predict(ctx context.Context, g *idg.Graph, o Options) (*Prediction, error) {
	k, err := o.Map(g, o.Config.Concurrent)
	if err != nil {
		return nil, err
	}
	launch := simulate.NewLaunch(g, k.Mapping)
	r, err := launch.Run(ctx, o.Config)
	if err != nil {
		return nil, err
	}
	if err := r.Verify(); err != nil {
		return nil, diag.AsDefect(err)
	}
	causes, err := cause.Of(r, k.Mapping.Device)
	if err != nil {
		return nil, diag.AsDefect(err)
	}
	p := &Prediction{
		Kernel: k, Config: o.Config, Result: r, Causes: causes, Roof: roof.Of(g, k.Mapper, k.Mapping, r),
		launch: launch, lines: strings.Split(g.Source.Text, "\n"),
		words: words.For(g.Source.Dialect, k.Mapping.Device.Vendor == "AMD"),
	}
	if o.Critical {
		if err := p.findCritical(); err != nil {
			return nil, err
		}
	}
	if o.Findings {
		err = p.Find(ctx)
	}
	return p, err
}

// Find looks for what to change.
func (p *Prediction) Find(ctx context.Context) (err error) {
	p.Outcome, err = finding.Find(ctx, &finding.Run{Kernel: p.Kernel, Config: p.Config, Launch: p.launch,
		Result: p.Result, Causes: p.Causes})
	if err != nil {
		return err
	}
	p.Findings = p.Outcome.Findings
	for _, list := range [][]finding.Finding{p.Findings, p.Outcome.Minor, p.Outcome.Unsimulated} {
		for i := range list {
			f := &list[i]
			f.What, f.Proof, f.Remedy = p.Say(f.What), p.Say(f.Proof), p.Say(f.Remedy)
		}
	}
	return err
}

// Say is a text in the words of the kernel's language and the device's vendor.
func (p *Prediction) Say(text string) string { return p.words.Say(text) }
