package main

import (
	"cmp"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"regexp"

	"gpupipe/cmd/internal/console"
	"gpupipe/cmd/internal/source"
	"gpupipe/idg"
	"gpupipe/internal/diag"
	"gpupipe/internal/generate"
)

// all are the graphs of all kernels, and those that have none.
type all struct {
	graphs    []*idg.Graph
	first     error // why there is no graph, of the first one without
	left      diag.List
	arguments map[string]bool // of all kernels
	keepGoing bool
}

// produceFolder is produceAll for the sources of a folder.
func (w writer) produceFolder(o *options) error {
	a := all{arguments: map[string]bool{}, keepGoing: o.keepGoing}
	err := eachSource(o.input, func(path string) error {
		src, err := source.Read(w.Console, path, o.dialect, o.defines)
		if err == nil {
			var p *generate.Program
			if p, err = w.parse(o, src); err == nil {
				return a.add(w, o, p)
			}
		}
		return a.leave("file", path, diag.Pos{File: path}, err)
	})
	if err != nil {
		return err
	}
	return w.writeGraphs(o, &a, o.input)
}

// produceAll writes the graph of each kernel, one after the other or into a folder. That a kernel has none is an error
// once the others are written, or a warning with --keep-going. Without any graph the first kernel's error is that of
// the command.
func (w writer) produceAll(o *options, p *generate.Program) error {
	a := all{arguments: map[string]bool{}, keepGoing: o.keepGoing}
	if err := a.add(w, o, p); err != nil {
		return err
	}
	if len(a.graphs) == 0 && a.first == nil {
		_, a.first = p.Only()
	}
	return w.writeGraphs(o, &a, p.Source.File)
}

// leave notes that there is no graph of something, unless the error is a defect.
func (a *all) leave(what, name string, pos diag.Pos, err error) error {
	if console.StatusOf(err) == console.Defect {
		return err
	}
	a.first = cmp.Or(a.first, err)
	e := diag.Errorf(pos, generate.CodeKernel, "%s %s is left out", what, name).WithNote("%s", firstLine(err))
	if a.keepGoing {
		e.Severity = diag.SeverityWarning
	}
	a.left.Add(e)
	return nil
}

// add makes the graphs of a program.
func (a *all) add(w writer, o *options, p *generate.Program) error {
	for _, b := range p.Unit.Broken {
		if err := a.leave("kernel", b.Name, b.Pos, b.Err); err != nil {
			return err
		}
	}
	for _, fn := range p.Unit.Kernels {
		l, err := p.Prepare(fn)
		if err == nil {
			for _, p := range l.Lowered.Params {
				a.arguments[p.Name] = true
			}
			var g *idg.Graph
			if g, err = w.graph(o, l); err == nil {
				a.graphs = append(a.graphs, g)
				continue
			}
		}
		if err := a.leave("kernel", fn.Name, fn.Pos, err); err != nil {
			return err
		}
	}
	return nil
}

// writeGraphs writes what there is, and says what is left out.
func (w writer) writeGraphs(o *options, a *all, input string) error {
	if len(a.graphs) == 0 {
		return a.first
	}
	if o.keepGoing {
		w.Report(a.left.Sorted())
		a.left = nil
	}
	for _, x := range o.Args {
		if !a.arguments[x.Name] {
			return diag.Errorf(diag.Pos{File: input}, generate.CodeArgument,
				"--arg %s: no kernel has such an argument", x.Name)
		}
	}
	if err := w.writeAll(o, a.graphs); err != nil {
		return err
	}
	w.Report(accidentalDoubles(a.graphs))
	return a.left.Sorted().Err()
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
