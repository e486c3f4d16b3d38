package main

import (
	"io"

	"gpupipe/cmd/internal/console"
	"gpupipe/frontend"
	"gpupipe/idg"
	"gpupipe/idg/export"
	"gpupipe/lower"
)

// writer is a console with the products of one kernel.
type writer struct{ *console.Console }

// produce makes the graph, the intermediate form or the unroll report of one
// kernel.
func (w writer) produce(o *options, h hardware, s *source, u *frontend.Unit, fn *frontend.Function) error {
	l, err := prepare(o, h, s, u, fn)
	if err != nil {
		return err
	}
	switch {
	case o.mode == modeUnrollReport:
		return w.unrollReport(o, s, l)
	case o.format == formatIR:
		w.Report(sorted(l.kernel.Warnings))
		return w.Emit(o.output, func(w io.Writer) error { return lower.Format(w, l.kernel) })
	}
	g, diagnostics, err := l.resolve()
	if err != nil {
		return err
	}
	w.Report(sorted(append(diagnostics, l.kernel.Warnings...)))
	return w.Emit(o.output, func(w io.Writer) error { return writeGraph(w, g, o) })
}

func writeGraph(w io.Writer, g *idg.Graph, o *options) error {
	switch o.format {
	case formatDOT:
		return export.DOT(w, g)
	case formatGraphML:
		return export.GraphML(w, g)
	case formatText:
		return export.Text(w, g)
	case formatStats:
		return export.Stats(w, g)
	}
	return idg.EncodeOptions{Fold: !o.unfolded}.Encode(console.Raw(w), g)
}
