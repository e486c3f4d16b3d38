package main

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"io"

	"gpupipe/cmd/internal/console"
	"gpupipe/cmd/internal/gpu"
	"gpupipe/internal/diag"
	"gpupipe/internal/report"
	"gpupipe/internal/sheet"
	"gpupipe/latencies"
	"gpupipe/simulate/sweep"
)

// runSweep runs the stages of a sweep: plan, take over earlier rows, simulate,
// write.
func runSweep(ctx context.Context, c *console.Console, o *sweepOptions) error {
	if err := o.findDevices(c); err != nil {
		return err
	}
	if err := o.readGraphs(c); err != nil {
		return err
	}
	if err := o.chooseDevices(c); err != nil {
		return err
	}
	if err := o.checkPlot(); err != nil {
		return err
	}
	if err := o.checkAssumed(); err != nil {
		return err
	}
	plan, err := sweep.New(&o.space, o.shard)
	if err != nil {
		return planError(err)
	}
	s := &sweepRun{console: c, options: o, plan: plan, keep: o.plot != "" || !isRows(o.format)}
	if err := s.write(ctx); err != nil {
		return err
	}
	if err := s.writePlot(); err != nil {
		return err
	}
	c.Report(plan.Warnings())
	if s.failed > 0 && o.strictRows {
		return diag.Errorf(diag.Pos{}, console.CodeGate, "%s of %d failed (--strict-rows)",
			sheet.Count(int64(s.failed), "configuration"), plan.Len())
	}
	return nil
}

// sweepRun is a sweep being run.
type sweepRun struct {
	console *console.Console
	options *sweepOptions
	plan    *sweep.Plan
	keep    bool         // rows are needed when all are known
	rows    []*sweep.Row // if keep is set
	done    int
	failed  int
}

// see takes note of a row.
func (s *sweepRun) see(r *sweep.Row) {
	s.done++
	if r.Error != "" {
		s.failed++
	}
	if s.keep {
		copied := *r
		s.rows = append(s.rows, &copied)
	}
}

// simulate runs the configurations that are not known yet and hands out their
// rows.
func (s *sweepRun) simulate(ctx context.Context, emit func(*sweep.Row) error) error {
	bar := console.NewProgress(s.console.Stderr, "configuration", s.plan.Len(), s.done)
	err := s.plan.Run(ctx, s.done, s.options.jobs, func(r *sweep.Row) error {
		s.see(r)
		if err := emit(r); err != nil {
			return err
		}
		bar.Show(s.done)
		return nil
	})
	bar.Clear()
	return err
}

// write runs the sweep and writes its product.
func (s *sweepRun) write(ctx context.Context) error {
	o := s.options
	if isRows(o.format) {
		return s.writeRows(ctx)
	}
	if err := s.simulate(ctx, func(*sweep.Row) error { return nil }); err != nil {
		return err
	}
	return s.console.Emit(o.output, func(w io.Writer) error {
		l := s.console.Layout(o.output)
		if o.format == report.Chart {
			return writeChart(w, s.plan.Panels(s.rows), s.rows, l)
		}
		return report.WriteSheet(w, o.format, sweepSheet(s.plan, s.rows), l, true)
	})
}

// planError adds the flags to what is wrong with a space.
func planError(err error) error {
	var e *diag.Error
	if errors.As(err, &e) {
		e.Code = diag.CodeUsage
	}
	return err
}

// findDevices looks up what --gpu names.
func (o *sweepOptions) findDevices(c *console.Console) error {
	names := o.gpus
	if len(names) == 1 && names[0] == everything {
		names = latencies.Names()
	}
	var warnings diag.List
	for _, name := range names {
		d, err := gpu.Find(name)
		if err != nil {
			return err
		}
		warnings.Add(gpu.Warnings(name, d)...)
		o.space.Devices = append(o.space.Devices, d)
	}
	c.Report(warnings)
	return nil
}

// chooseDevices takes the devices that the graphs are made for where no --gpu names any.
func (o *sweepOptions) chooseDevices(c *console.Console) error {
	if len(o.space.Devices) > 0 {
		return nil
	}
	known := map[string]*latencies.Device{}
	for i := range o.space.Graphs {
		g := &o.space.Graphs[i]
		if known[g.Graph.GPU] == nil {
			d, warnings, err := gpu.OfGraph(g.Graph.GPU)
			if err != nil {
				return err
			}
			c.Report(warnings)
			known[g.Graph.GPU] = d
		}
		g.Device = known[g.Graph.GPU]
	}
	return nil
}

// readGraphs reads the graphs of the command line.
func (o *sweepOptions) readGraphs(c *console.Console) error {
	for _, name := range o.inputs {
		list, err := readSweepGraphs(c, name)
		if err != nil {
			return err
		}
		o.space.Graphs = append(o.space.Graphs, list...)
	}
	return nil
}

// readSweepGraphs reads the graphs of an input and the checksum of its text. A graph is named after its
// file, or after its kernel if it comes from standard input or is one of several.
func readSweepGraphs(c *console.Console, name string) (list []sweep.Graph, err error) {
	in, err := openInput(c, name, "pipesim sweep")
	if err != nil {
		return nil, err
	}
	defer in.Close()
	sum := sha256.New()
	graphs, err := decode(io.TeeReader(in, sum), shownName(name))
	if err != nil {
		return nil, err
	}
	digest := hex.EncodeToString(sum.Sum(nil))
	for i, g := range graphs {
		one := sweep.Graph{Name: sweep.OneLine(name), Graph: g, Digest: digest}
		if name == console.StandardStream || len(graphs) > 1 {
			one.Name = sweep.OneLine(g.Kernel)
		}
		if i > 0 {
			one.Digest += fmt.Sprintf(":%d", i)
		}
		list = append(list, one)
	}
	return list, nil
}
