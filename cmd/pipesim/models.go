package main

import (
	"context"

	"gpupipe/cmd/internal/console"
	"gpupipe/internal/diag"
	"gpupipe/internal/report"
	"gpupipe/internal/words"
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
	return s.results(o.explain, c.Layout(o.output).Width).emit(c, o.output, o.format)
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

// options are those of predicting a graph, whose warnings are reported once.
func (o *kernelOptions) options(c *console.Console, s subject) report.Options {
	c.Words = words.For(s.graph.Source.Dialect, s.device.Vendor == "AMD")
	warned := false
	return report.Options{Mapper: s.mapper, Config: o.config, Warm: o.warm, Warn: func(warnings diag.List) {
		if !warned {
			warned = true
			c.Report(append(append(diag.List(nil), s.warnings...), warnings...))
		}
	}}
}

// compare runs models and simulation.
func (s *sideBySide) compare(ctx context.Context, c *console.Console, o *kernelOptions,
	opt comparison.Options) (err error) {
	options := o.options(c, s.subject)
	opt.Config = o.config
	opt.Map = func(groups int64) (*latencies.Mapping, error) {
		k, err := options.Map(s.graph, groups)
		return k.Mapping, err
	}
	s.comparison, err = comparison.Run(ctx, s.graph, s.device, opt)
	return err
}
