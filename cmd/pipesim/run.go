package main

import (
	"bufio"
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"strings"

	"gpupipe/cmd/internal/console"
	"gpupipe/idg"
	"gpupipe/internal/diag"
	"gpupipe/latencies"
	"gpupipe/simulate"
	"gpupipe/simulate/cause"
	"gpupipe/simulate/finding"
	"gpupipe/simulate/remedy"
	"gpupipe/simulate/roof"
	"gpupipe/simulate/timeline"
)

// prediction is everything that a report can tell.
type prediction struct {
	graph   *idg.Graph
	kernel  remedy.Kernel // graph and what mapping is made with
	mapping *latencies.Mapping
	result  *simulate.Result
	causes  *cause.Breakdown
	roof    roof.Roof
	lines   []string // of the graph's source

	findings []finding.Finding  // if they were asked for
	critical *timeline.Critical // if it was asked for
}

// predict runs the stages and writes a report for each graph.
func predict(ctx context.Context, c *console.Console, o *runOptions) error {
	all, err := o.predictions(ctx, c, o.findings > 0 && (o.format == formatText || o.format == formatMarkdown))
	if err != nil {
		return err
	}
	return c.Emit(o.output, func(w io.Writer) error {
		switch o.format {
		case formatPprof:
			return writePprof(w, all)
		case formatTrace:
			return writeTrace(w, all, o.cycles)
		}
		for i, p := range all {
			if err := p.write(w, o, newLayout(c, o.output), i == 0); err != nil {
				return err
			}
		}
		return nil
	})
}

// write writes the report on one of several kernels.
func (p *prediction) write(w io.Writer, o *runOptions, l layout, first bool) error {
	switch o.format {
	case formatJSON:
		return p.writeJSON(w, o.explain)
	case formatCSV:
		return p.writeCSV(w, first)
	case formatMarkdown:
		return p.writeMarkdown(w, o)
	}
	if !first {
		fmt.Fprintln(w)
	}
	return p.writeText(w, o, l)
}

// predictions reads graphs, maps and simulates them, and finds what to change if that is asked for.
func (o *runOptions) predictions(ctx context.Context, c *console.Console, findings bool) (all []*prediction, err error) {
	list, err := o.readAll(c, o.input)
	if err != nil {
		return nil, err
	}
	for _, s := range list {
		p, err := o.prediction(ctx, c, s)
		if err != nil {
			return nil, err
		}
		if findings {
			if err := p.find(ctx, o); err != nil {
				return nil, err
			}
		}
		all = append(all, p)
	}
	return all, nil
}

// prediction maps and simulates a graph.
func (o *runOptions) prediction(ctx context.Context, c *console.Console, s subject) (*prediction, error) {
	g := s.graph
	options := latencies.Options{ConcurrentGroups: o.config.Concurrent, Registers: o.config.Registers, Warm: o.warm}
	k, err := remedy.NewKernel(g, s.mapper, options)
	if err != nil {
		return nil, err
	}
	m := k.Mapping
	if err := m.Verify(g); err != nil {
		return nil, console.AsDefect(err)
	}
	c.Report(append(append(diag.List(nil), s.warnings...), m.Warnings...))
	r, err := simulate.Run(ctx, g, m, o.config)
	if err != nil {
		return nil, err
	}
	if err := r.Verify(); err != nil {
		return nil, console.AsDefect(err)
	}
	causes, err := cause.Of(r, m.Device)
	if err != nil {
		return nil, console.AsDefect(err)
	}
	p := newPrediction(k, r, causes)
	if o.critical {
		err = p.findCritical()
	}
	return p, err
}

// find looks for what to change.
func (p *prediction) find(ctx context.Context, o *runOptions) (err error) {
	p.findings, err = finding.Find(ctx, &finding.Run{Kernel: p.kernel, Config: o.config, Result: p.result, Causes: p.causes})
	return err
}

// shownName is what messages call an input.
func shownName(input string) string {
	if input == console.StandardStream {
		return "<stdin>"
	}
	return input
}

// openInput opens a file, or standard input for "-"; command is what else would give what is read.
func openInput(c *console.Console, name, command string) (io.ReadCloser, error) {
	if name != console.StandardStream {
		f, err := os.Open(name)
		if err != nil {
			return nil, console.FileError(name, err)
		}
		return f, nil
	}
	if console.IsTerminal(c.Stdin) {
		return nil, console.Usagef("standard input is a terminal; pipe a graph into pipesim or name a file").
			WithNote("idgen kernel.cl | %s", command).
			WithNote("%s --help explains the flags", command)
	}
	return io.NopCloser(c.Stdin), nil
}

// readGraphs reads the graphs of a file, or of standard input for "-".
func readGraphs(c *console.Console, name string) ([]*idg.Graph, error) {
	r, err := openInput(c, name, "pipesim")
	if err != nil {
		return nil, err
	}
	defer r.Close()
	return decode(r, shownName(name))
}

// maxGraphBytes bounds graphs as text; a node takes 20 bytes of it or more.
const maxGraphBytes = 4 << 30

func decode(r io.Reader, name string) (list []*idg.Graph, err error) {
	switch strings.ToLower(filepath.Ext(name)) {
	case ".cl", ".cu", ".cuh", ".hip":
		return nil, diag.Errorf(diag.Pos{File: name}, console.CodeFile, "this is source; pipesim reads the graph that idgen makes of it").
			WithNote("idgen %s | pipesim", name)
	}
	b := bufio.NewReaderSize(console.Bounded(r, name, maxGraphBytes, "a graph of more than %d MB is refused"), 1<<16)
	if _, err := b.Peek(1); err != nil && !errors.Is(err, io.EOF) {
		return nil, console.FileError(name, err)
	}
	in, err := idg.DecodeOptions{Name: name}.Documents(b)
	if err != nil {
		return nil, err
	}
	for {
		g, err := in.Next()
		if e, ok := errors.AsType[*diag.Error](err); ok && e.Pos.Line == 1 && e.Pos.Column == 1 {
			return nil, e.WithNote("pipesim reads what idgen writes: idgen KERNEL.cl | pipesim")
		}
		switch {
		case errors.Is(err, io.EOF) && list == nil:
			return nil, diag.Errorf(diag.Pos{File: name}, console.CodeFile, "the input is empty; no graph has arrived").
				WithNote("if idgen is to write it, see its message")
		case errors.Is(err, io.EOF):
			return list, nil
		case err != nil:
			return nil, err
		}
		list = append(list, g)
	}
}
