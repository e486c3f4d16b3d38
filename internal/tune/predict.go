package tune

import (
	"context"
	"crypto/sha256"
	"errors"
	"fmt"
	"math"

	"gpupipe/idg"
	"gpupipe/internal/diag"
	"gpupipe/internal/generate"
	"gpupipe/latencies"
	"gpupipe/lower/machine"
	"gpupipe/simulate"
	"gpupipe/simulate/sweep"
)

// row predicts a variant; one that cannot be as fast as limit (0: none) is not simulated.
func (p *Plan) row(ctx context.Context, i int, limit float64) Row {
	v := &p.Variants[i]
	row := Row{Number: v.Number, Key: p.jobs[i].key, Values: p.Space.values(v)}
	j := &p.jobs[i]
	if j.err != nil {
		row.Outcome = refused(j.err)
		return row
	}
	defer p.forget(i)
	out, err := p.launches.of(j.launch, func() (Outcome, error) { return p.predict(ctx, j, limit) })
	if err != nil {
		out = refused(err)
	}
	row.Outcome = out
	return row
}

// forget drops what nobody but a variant uses any more.
func (p *Plan) forget(i int) {
	if j := &p.jobs[i]; j.err == nil {
		p.launches.release(j.launch)
		p.programs.release(j.program)
	}
}

// predict runs the pipe for a launch.
func (p *Plan) predict(ctx context.Context, j *job, limit float64) (Outcome, error) {
	g, err := p.graph(j, limit)
	if slow, ok := errors.AsType[slower](err); ok {
		return Outcome{Seconds: float64(slow), AtLeast: true}, nil
	}
	if err != nil {
		return Outcome{}, err
	}
	bare := *g
	bare.Source = idg.Source{} // no model looks at it, and it tells the parameters
	sum := sha256.New()
	if err := idg.Encode(sum, &bare); err != nil {
		return Outcome{}, err
	}
	k := fmt.Sprintf("%x %s %v", sum.Sum(nil), p.devices[j.options.Device].digest, limit)
	p.results.expect(k) // and kept: what is predicted of a graph is small
	r, err := p.results.of(k, func() (result, error) { return p.simulate(ctx, g, j, limit) })
	if limit > 0 && r.least > limit {
		return Outcome{Seconds: r.least, AtLeast: true}, err
	}
	return r.Outcome, err
}

// slower ends the work on a variant that takes at least so many seconds.
type slower float64

func (s slower) Error() string { return fmt.Sprintf("it takes at least %v seconds", float64(s)) }

// result is what is predicted of a graph: nothing but the least time where that is beyond the limit.
type result struct {
	Outcome
	least float64
}

// graph makes the graph of a launch, unless that is shown to take more seconds than a limit (0: none).
func (p *Plan) graph(j *job, limit float64) (*idg.Graph, error) {
	program, err := p.programs.of(j.program, func() (*generate.Program, error) {
		return generate.Parse(j.source, j.options)
	})
	if err != nil {
		return nil, err
	}
	o := *j.options
	if limit > 0 {
		o.Chosen = func(c *machine.Code, h *idg.Header) error { return p.chosen(c, h, j, limit) }
		o.Before = func(g *idg.Graph) error { return p.worth(g, j, limit) }
	}
	program = program.With(&o)
	fn, err := program.Choose(p.Recipe.Kernel)
	if err != nil {
		return nil, err
	}
	k, err := program.Prepare(fn)
	if err != nil {
		return nil, err
	}
	g, _, err := k.Resolve()
	return g, err
}

// alone makes the graph of a launch beside those of a run.
func (p *Plan) alone(j *job) (*idg.Graph, error) {
	p.programs.expect(j.program)
	defer p.programs.release(j.program)
	return p.graph(j, 0)
}

// kinds are the kinds of groups of a graph, mapped to a device.
func (p *Plan) kinds(g *idg.Graph, d *latencies.Device) ([]simulate.GroupKind, error) {
	m, err := p.devices[d].MapWith(g, latencies.Options{Warm: p.Recipe.Warm})
	if err != nil {
		return nil, err
	}
	var kinds []simulate.GroupKind
	for _, k := range g.GroupKinds() {
		kinds = append(kinds, simulate.GroupKind{Graph: k.Graph, Mapping: m, Count: k.Groups})
	}
	return kinds, nil
}

// shaving keeps the bound below the prediction where not all groups are alike: the busiest compute unit may run fewer
// of the long ones than others do.
const shaving = 0.98

// worth ends the work on a launch that takes longer than the limit for its busiest pipeline alone, without accesses of
// global memory, as where that is served from is not known yet. It also finds launches that cannot run.
func (p *Plan) worth(g *idg.Graph, j *job, limit float64) error {
	if n := j.options.Registers.Number; n > 0 {
		g = g.WithRegisters(n, false)
	}
	if _, err := simulate.Capacity(g, j.options.Device, p.Recipe.Config); err != nil {
		return err
	}
	kinds, err := p.kinds(g, j.options.Device)
	if err != nil {
		return err
	}
	least := shaving * PipeSeconds(kinds)
	if len(kinds) == 1 {
		least = rounding * unevenness(&g.Launch, j.options.Device) * PipeSeconds(kinds)
	}
	if least > limit {
		return slower(least)
	}
	return nil
}

// config is that of the runs of a graph: small launches are simulated as a whole, as by pipesim sweep.
func (p *Plan) config(g *idg.Graph, d *latencies.Device) simulate.Config {
	c, work := p.Recipe.Config, 0.0
	for _, k := range g.GroupKinds() {
		work += float64(k.Groups) * float64(k.Graph.GroupMix().Instructions)
	}
	if work < sweep.LargeLaunch*float64(max(d.ComputeUnits, 1)) {
		c.Precision = 0
	}
	return c
}

// simulate predicts what a graph takes, unless that is beyond the limit (0: none).
func (p *Plan) simulate(ctx context.Context, g *idg.Graph, j *job, limit float64) (out result, err error) {
	kinds, err := p.kinds(g, j.options.Device)
	if err != nil {
		return out, err
	}
	l, c := simulate.NewLaunch(g, kinds[0].Mapping), p.config(g, j.options.Device)
	var r *simulate.Result
	if limit > 0 {
		r, out.least, err = l.RunWithin(ctx, c, limit)
	} else {
		r, err = l.Run(ctx, c)
	}
	if err != nil || r == nil {
		return out, err
	}
	if err := r.Verify(); err != nil {
		return out, diag.AsDefect(err)
	}
	out.Outcome = outcomeOf(g, r)
	out.Roofline = Roofline(kinds)
	if out.Volkov, err = Volkov(kinds, r); err != nil || math.IsNaN(out.Volkov) {
		out.Volkov = 0 // no answer
	}
	p.fast.keep(prediction{launch: j.launch, graph: g, run: run{kinds[0].Mapping, c, r}})
	return out, nil
}
