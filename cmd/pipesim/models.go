package main

import (
	"context"
	"errors"
	"io"

	"gpupipe/cmd/internal/console"
	"gpupipe/internal/diag"
	"gpupipe/internal/report"
	"gpupipe/latencies"
	"gpupipe/simulate"
	"gpupipe/simulate/comparison"
)

// sideBySide is a kernel under all models and the simulation.
type sideBySide struct {
	subject
	comparison *comparison.Comparison
}

// runModels runs the stages of "pipesim models" and writes its products.
func runModels(ctx context.Context, c *console.Console, o *modelsOptions) error {
	s, err := o.kernelOptions.open(c, o.input)
	if err != nil {
		return err
	}
	warps, err := o.warps.resolve(s.graph, s.device, o.config)
	if err != nil {
		return err
	}
	opt := comparison.Options{
		Models: o.models, Warps: warps, Simulate: o.simulate, MSHRs: o.mshrs, Contention: o.contention,
	}
	if err := s.compare(ctx, c, &o.kernelOptions, opt); err != nil {
		return err
	}
	for _, p := range []struct {
		file string
		draw func(*sideBySide) (drawing, error)
	}{
		{o.plot, func(s *sideBySide) (drawing, error) { return s.drawModels(o), nil }},
		{o.plotCusp, drawCusp}, {o.plotTransit, drawTransit},
		{o.plotRoofline, func(s *sideBySide) (drawing, error) { return s.drawRoofline(ctx, o) }},
	} {
		if err := emitDrawing(c, p.file, s, p.draw); err != nil {
			return err
		}
	}
	if err := writeErrors(ctx, c, o, s); err != nil {
		return err
	}
	return c.Emit(o.output, func(w io.Writer) error {
		switch o.format {
		case report.JSON:
			return s.writeModelsJSON(w)
		case report.CSV:
			return s.writeModelsCSV(w)
		}
		l := c.Layout(o.output)
		return writeSheet(w, s.modelsSheet(o.explain, l.Width), o.format, l)
	})
}

// kernelOptions is the part of a command line that says which kernel runs on
// what and how.
type kernelOptions struct {
	deviceOptions
	config simulate.Config
	warm   bool // latencies.Options
}

// open finds the device and reads the graph.
func (o *kernelOptions) open(c *console.Console, input string) (*sideBySide, error) {
	s, err := o.deviceOptions.read(c, input)
	if err != nil {
		return nil, err
	}
	return &sideBySide{subject: s}, nil
}

// compare runs models and simulation, and reports the warnings of the mapping.
func (s *sideBySide) compare(ctx context.Context, c *console.Console, o *kernelOptions, opt comparison.Options) error {
	warned := false
	opt.Config = o.config
	opt.Map = func(groups int64) (*latencies.Mapping, error) {
		m, err := s.mapper.MapWith(s.graph, latencies.Options{ConcurrentGroups: groups, Registers: o.config.Registers, Warm: o.warm})
		if err != nil {
			return nil, err
		}
		if err := m.Verify(s.graph); err != nil {
			return nil, console.AsDefect(err)
		}
		if !warned {
			warned = true
			c.Report(append(append(diag.List(nil), s.warnings...), m.Warnings...))
		}
		return m, nil
	}
	var err error
	s.comparison, err = comparison.Run(ctx, s.graph, s.device, opt)
	if errors.Is(err, comparison.ErrDefect) {
		return console.AsDefect(err)
	}
	return err
}
