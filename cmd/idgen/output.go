package main

import (
	"context"
	"io"

	"gpupipe/cmd/internal/console"
	"gpupipe/frontend/ast"
	"gpupipe/idg"
	"gpupipe/idg/export"
	"gpupipe/internal/diag"
	"gpupipe/internal/generate"
)

// writer is a console with the products of one kernel.
type writer struct{ *console.Console }

// produce makes the graph of one kernel, a form of its code, or a report.
func (w writer) produce(ctx context.Context, o *options, p *generate.Program, fn *ast.Function) error {
	switch o.format {
	case formatIR:
		return w.ir(o, p, fn)
	case formatASM:
		return w.asm(o, p, fn)
	}
	l, err := p.Prepare(fn)
	if err != nil {
		return err
	}
	switch o.mode {
	case modeUnrollReport:
		return w.unrollReport(ctx, o, p, fn, l)
	case modeUnrollSweep:
		return w.unrollSweep(ctx, o, l)
	case modeResources:
		return w.resources(o, p, fn, l)
	}
	g, err := w.graph(o, l)
	if err != nil {
		return err
	}
	return w.Emit(o.output, func(w io.Writer) error { return writeGraph(w, g, o) })
}

// graph makes the graph of a kernel and prints the diagnostics that go with it; for pipesim its variants, too.
func (w writer) graph(o *options, l *generate.Kernel) (*idg.Graph, error) {
	g, diagnostics, err := l.ResolveLast()
	if err != nil {
		return nil, err
	}
	w.Report(o.unsaid(g, append(diagnostics, l.Lowered.Warnings...)).Sorted())
	if o.format == formatJSON {
		g.Variants = l.Variants(&o.Options, g)
	}
	return g, nil
}

// unsaid are the diagnostics to print: all, or without the notes that the JSON graph records, which pipesim
// lists.
func (o *options) unsaid(g *idg.Graph, list diag.List) diag.List {
	if o.verbose || o.format != formatJSON {
		return list
	}
	return generate.Unrecorded(g, list)
}

func writeGraph(w io.Writer, g *idg.Graph, o *options) error {
	switch o.format {
	case formatDOT:
		return writeDOT(w, g, o)
	case formatGraphML:
		return export.GraphML(w, g)
	case formatText:
		return export.Text(w, g)
	case formatStats:
		return export.Stats(w, g)
	}
	return idg.EncodeOptions{Fold: !o.unfolded}.Encode(console.Raw(w), g)
}
