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
	"gpupipe/internal/report"
)

// run predicts each graph and writes the reports.
func (o *runOptions) run(ctx context.Context, c *console.Console) error {
	all, err := o.predictAll(ctx, c)
	if err != nil {
		return err
	}
	return c.Emit(o.output, func(w io.Writer) error {
		if o.format == report.SVG {
			return diag.AsDefect(writeSVG(console.Raw(w), all, o.view.Profile))
		}
		o.view.Layout = c.Layout(o.output)
		return report.Write(product(w, o.format), o.format, all, &o.view)
	})
}

// predictAll reads graphs and predicts each of them.
func (o *runOptions) predictAll(ctx context.Context, c *console.Console) (all []*report.Prediction, err error) {
	list, err := o.readAll(c, o.input)
	if err != nil {
		return nil, err
	}
	for _, s := range list {
		p, err := o.predict(ctx, c, s)
		if err != nil {
			return nil, err
		}
		all = append(all, p)
	}
	return all, nil
}

// predict predicts a graph.
func (o *runOptions) predict(ctx context.Context, c *console.Console, s subject) (*report.Prediction, error) {
	options := o.options(c, s)
	options.Findings, options.Critical = o.find, o.critical
	return report.Predict(ctx, s.graph, options)
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
		return nil, diag.Errorf(diag.Pos{File: name}, diag.CodeFile,
			"this is source; pipesim reads the graph that idgen makes of it").
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
			return nil, diag.Errorf(diag.Pos{File: name}, diag.CodeFile, "the input is empty; no graph has arrived").
				WithNote("if idgen is to write it, see its message")
		case errors.Is(err, io.EOF):
			return list, nil
		case err != nil:
			return nil, err
		}
		list = append(list, g)
	}
}
