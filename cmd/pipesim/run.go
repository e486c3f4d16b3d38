package main

import (
	"bufio"
	"context"
	"errors"
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

	findings []finding.Finding // if they were asked for
}

// predict runs the stages and writes the report.
func predict(ctx context.Context, c *console.Console, o *runOptions) error {
	p, err := o.prediction(ctx, c)
	if err != nil {
		return err
	}
	if o.findings > 0 && (o.format == formatText || o.format == formatMarkdown) {
		if err := p.find(ctx, o); err != nil {
			return err
		}
	}
	return c.Emit(o.output, func(w io.Writer) error {
		switch o.format {
		case formatJSON:
			return p.writeJSON(w, o.explain)
		case formatCSV:
			return p.writeCSV(w)
		case formatMarkdown:
			return p.writeMarkdown(w, o)
		}
		return p.writeText(w, o, newLayout(c, o.output))
	})
}

// prediction reads a graph, maps and simulates it.
func (o *runOptions) prediction(ctx context.Context, c *console.Console) (*prediction, error) {
	g, t, err := o.deviceOptions.read(c, o.input)
	if err != nil {
		return nil, err
	}
	options := latencies.Options{ConcurrentGroups: o.config.Concurrent, Registers: o.config.Registers, Warm: o.warm}
	k, err := remedy.NewKernel(g, t.mapper, options)
	if err != nil {
		return nil, err
	}
	m := k.Mapping
	if err := m.Verify(g); err != nil {
		return nil, console.AsDefect(err)
	}
	c.Report(append(append(diag.List(nil), t.warnings...), m.Warnings...))
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
	return newPrediction(k, r, causes), nil
}

// find looks for what to change.
func (p *prediction) find(ctx context.Context, o *runOptions) (err error) {
	p.findings, err = finding.Find(ctx, &finding.Run{Kernel: p.kernel, Config: o.config, Result: p.result, Causes: p.causes})
	return err
}

// readGraph reads a graph from a file, or from standard input for "-".
func readGraph(c *console.Console, name string) (*idg.Graph, error) {
	if name != console.StandardStream {
		f, err := os.Open(name)
		if err != nil {
			return nil, console.FileError(name, err)
		}
		defer f.Close()
		return decode(f, name)
	}
	if console.IsTerminal(c.Stdin) {
		return nil, console.Usagef("standard input is a terminal; pipe a graph into pipesim or name a file").
			WithNote("idgen kernel.cl | pipesim").
			WithNote("pipesim --help explains the flags")
	}
	return decode(c.Stdin, "<stdin>")
}

// maxGraphBytes bounds a graph as text; a node takes 20 bytes of it or more.
const maxGraphBytes = 4 << 30

func decode(r io.Reader, name string) (*idg.Graph, error) {
	switch strings.ToLower(filepath.Ext(name)) {
	case ".cl", ".cu", ".cuh", ".hip":
		return nil, diag.Errorf(diag.Pos{File: name}, console.CodeFile, "this is source; pipesim reads the graph that idgen makes of it").
			WithNote("idgen %s | pipesim", name)
	}
	b := bufio.NewReaderSize(console.Bounded(r, name, maxGraphBytes, "a graph of more than %d MB is refused"), 1<<16)
	if _, err := b.Peek(1); errors.Is(err, io.EOF) {
		return nil, diag.Errorf(diag.Pos{File: name}, console.CodeFile, "the input is empty; no graph has arrived").
			WithNote("if idgen is to write it, see its message")
	} else if err != nil {
		return nil, console.FileError(name, err)
	}
	g, err := idg.Decode(b, name)
	if e, ok := errors.AsType[*diag.Error](err); ok && e.Pos.Line == 1 && e.Pos.Column == 1 {
		return nil, e.WithNote("pipesim reads what idgen writes: idgen KERNEL.cl | pipesim")
	}
	return g, err
}
