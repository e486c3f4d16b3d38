package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"slices"
	"strings"
	"sync"

	"gpupipe/latencies"
	"gpupipe/simulate"
	"gpupipe/simulate/analytic"
	"gpupipe/simulate/comparison"
)

// modelStudy is the analytical models beside the simulation, for every kernel of a series on
// every device, at every occupancy.
type modelStudy struct {
	spec    *Spec
	devices []*latencies.Device
	cells   [][]modelCell // by kernel, by device
}

// modelCell is one kernel on one device.
type modelCell struct {
	outcome // err says why there is no comparison; of the prediction there are the remarks only
	*comparison.Comparison
	accuracy []comparison.Accuracy // of the models, against the simulation
}

// simulationName is the name of the simulation beside those of the models.
const simulationName = "simulation"

func (m *ModelsSpec) check() error {
	names := []string{simulationName}
	for _, model := range analytic.Models() {
		names = append(names, model.About().Name)
	}
	for _, p := range m.Published {
		if !slices.Contains(m.GPUs, p.GPU) {
			return fmt.Errorf("models: published: %q is none of the GPUs", p.GPU)
		}
		for name := range p.Averages {
			if !slices.Contains(names, name) {
				return fmt.Errorf("models: published: there is no model %q; the names are %s", name,
					strings.Join(names, ", "))
			}
		}
	}
	return nil
}

// compareModels makes the study of one specification and writes it.
func compareModels(ctx context.Context, o *options, s *Spec, stdout io.Writer) error {
	switch {
	case len(o.specs) > 1:
		return errors.New("a comparison of models is of one specification")
	case o.gpu != "" || o.every > 1:
		const why = "the specification names the GPUs, and all occupancies are compared: leave --gpu and --every out"
		return fmt.Errorf("%s: %s", o.specs[0], why)
	}
	m, err := newModelStudy(ctx, o, s)
	if err != nil {
		return fmt.Errorf("%s: %w", o.specs[0], err)
	}
	return o.emit(stdout, m.writeRows, func(w io.Writer) error { return m.writeReport(w, o) })
}

// newModelStudy compares every kernel on every device, some at the same time.
func newModelStudy(ctx context.Context, o *options, s *Spec) (*modelStudy, error) {
	m := &modelStudy{spec: s, cells: make([][]modelCell, len(s.Series))}
	for i := range m.cells {
		m.cells[i] = make([]modelCell, len(s.Models.GPUs))
	}
	var workers sync.WaitGroup
	limit := make(chan struct{}, o.jobs)
	for k, name := range s.Models.GPUs {
		d, err := findDevice(name)
		if err != nil {
			return nil, err
		}
		m.devices = append(m.devices, d)
		kernels, err := newSeries(o, s, d)
		if err != nil {
			return nil, err
		}
		for i := range s.Series {
			limit <- struct{}{}
			workers.Go(func() {
				defer func() { <-limit }()
				c := &m.cells[i][k]
				c.row = kernels.table.rows[i]
				c.err = c.compare(ctx, kernels.steps[i], kernels.table)
			})
		}
	}
	workers.Wait()
	if err := ctx.Err(); err != nil {
		return nil, err
	}
	return m, m.anyCompared()
}

// anyCompared is the first error if there is nothing to report but errors.
func (m *modelStudy) anyCompared() error {
	for i := range m.cells {
		for k := range m.cells[i] {
			if m.cells[i][k].err == nil {
				return nil
			}
		}
	}
	return fmt.Errorf("no kernel can be compared; %s: %w", m.spec.Series[0].Name, m.cells[0][0].err)
}

// compare asks the models and the simulation about whole groups, from one to as many as the
// device holds and the launch has.
func (c *modelCell) compare(ctx context.Context, p *predictor, t *table) error {
	mode := p.modes[0]
	if mode.schedule {
		return fmt.Errorf("models do not know the issue mode %s", mode.name)
	}
	g, said, err := p.resolve(t, &c.row)
	if err != nil {
		return err
	}
	config := p.config
	config.Issue, config.Precision = mode.issue, p.spec.Precision
	capacity, err := simulate.Capacity(g, p.device, config)
	if err != nil {
		return err
	}
	var mapping *latencies.Mapping // of the most groups, when all are done
	opt := comparison.Options{Config: config, Simulate: -1, Jobs: 1}
	opt.Map = func(groups int64) (m *latencies.Mapping, err error) {
		m, err = p.mapper.MapWith(g, latencies.Options{ConcurrentGroups: groups, Warm: p.spec.Warm})
		if err != nil {
			return nil, err
		}
		mapping = m
		return m, m.Verify(g)
	}
	for n := range capacity.Groups {
		opt.Warps = append(opt.Warps, (n+1)*g.Launch.WarpsPerGroup())
	}
	if c.Comparison, err = comparison.Run(ctx, g, p.device, opt); err != nil {
		return err
	}
	c.LaunchCycles = 0 // performance is of the groups alone (A 6.3)
	for i := range c.Models {
		c.accuracy = append(c.accuracy, comparison.Measure(c.Warps(), c.Times(i), c.SimulatedTimes()))
	}
	c.remarks = remarksOf(g, mapping, c.Points[len(c.Points)-1].Simulated)
	for _, e := range said {
		c.remarks = append(c.remarks, remark{place: e.Pos.String(), text: e.Message})
	}
	return nil
}
