package main

import (
	"fmt"
	"io"
	"os"
	"path/filepath"
	"regexp"
	"strings"

	"gpupipe/cmd/internal/console"
	"gpupipe/idg"
	"gpupipe/internal/diag"
	"gpupipe/internal/generate"
)

// produceAll writes the graph of each kernel, one after the other or into a folder. That a kernel has none is an error
// once the others are written, or a warning with --keep-going. Without any graph the first kernel's error is that of
// the command.
func (w writer) produceAll(o *options, p *generate.Program) error {
	u := p.Unit
	var graphs []*idg.Graph
	var first error
	var left diag.List
	leave := func(name string, pos diag.Pos, err error) {
		if first == nil {
			first = err
		}
		why, _, _ := strings.Cut(err.Error(), "\n")
		e := diag.Errorf(pos, generate.CodeKernel, "kernel %s is left out", name).WithNote("%s", why)
		if o.keepGoing {
			e.Severity = diag.SeverityWarning
		}
		left.Add(e)
	}
	for _, b := range u.Broken {
		leave(b.Name, b.Pos, b.Err)
	}
	arguments := map[string]bool{}
	for _, fn := range u.Kernels {
		l, err := p.Prepare(fn)
		if err == nil {
			for _, p := range l.Lowered.Params {
				arguments[p.Name] = true
			}
			var g *idg.Graph
			if g, err = w.graph(o, l); err == nil {
				graphs = append(graphs, g)
				continue
			}
		}
		if console.StatusOf(err) == console.Defect {
			return err
		}
		leave(fn.Name, fn.Pos, err)
	}
	if len(graphs) == 0 && first == nil {
		_, first = p.Only()
	}
	if len(graphs) == 0 {
		return first
	}
	if o.keepGoing {
		w.Report(left.Sorted())
		left = nil
	}
	for _, a := range o.Args {
		if !arguments[a.Name] {
			return diag.Errorf(diag.Pos{File: p.Source.File}, generate.CodeArgument,
				"--arg %s: no kernel has such an argument", a.Name)
		}
	}
	if err := w.writeAll(o, graphs); err != nil {
		return err
	}
	w.Report(accidentalDoubles(graphs))
	return left.Sorted().Err()
}

// writeAll writes graphs one after the other or into a folder.
func (w writer) writeAll(o *options, graphs []*idg.Graph) error {
	if o.output != "" && o.output != console.StandardStream {
		return w.writeFolder(o, graphs)
	}
	return w.Emit(o.output, func(w io.Writer) error {
		for _, g := range graphs {
			if err := writeGraph(w, g, o); err != nil {
				return err
			}
		}
		return nil
	})
}

// unfit is what the name of a file should not have.
var unfit = regexp.MustCompile(`[^A-Za-z0-9_.-]+`)

// writeFolder writes each graph to a file with the name of its kernel.
func (w writer) writeFolder(o *options, graphs []*idg.Graph) error {
	if err := os.MkdirAll(o.output, 0o777); err != nil {
		return console.OutputError(o.output, err)
	}
	taken := map[string]int{}
	for _, g := range graphs {
		name := unfit.ReplaceAllString(g.Kernel, "_")
		if taken[name]++; taken[name] > 1 {
			name += fmt.Sprintf(".%d", taken[name])
		}
		if err := w.Emit(filepath.Join(o.output, name+".json"), func(w io.Writer) error {
			return writeGraph(w, g, o)
		}); err != nil {
			return err
		}
	}
	return nil
}
