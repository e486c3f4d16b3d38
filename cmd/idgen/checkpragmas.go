package main

import (
	"context"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"gpupipe/cmd/internal/console"
	"gpupipe/cmd/internal/source"
	"gpupipe/frontend/ast"
	"gpupipe/internal/chart"
	"gpupipe/internal/diag"
	"gpupipe/internal/factor"
	"gpupipe/internal/generate"
	"gpupipe/internal/sheet"
)

// pragmaCheck is what becomes of a pragma in a kernel, or in an instance of a template.
type pragmaCheck struct {
	File     string  `json:"file"`
	Line     int     `json:"line"`
	Kernel   string  `json:"kernel"`
	Pragma   string  `json:"pragma"`
	Honoured bool    `json:"honoured"`
	Factor   int64   `json:"factor"`
	Full     bool    `json:"fully_unrolled"`
	Seconds  float64 `json:"seconds,omitempty"`
	Without  float64 `json:"seconds_without_pragma,omitempty"`
	Says     string  `json:"says"`
}

// sourceEndings are those of files with kernels.
var sourceEndings = []string{".cl", ".cu", ".hip"}

// checkPragmas writes --check-pragmas: what becomes of each unroll pragma of the sources in a folder.
func checkPragmas(ctx context.Context, c *console.Console, o *options) error {
	list := []pragmaCheck{}
	err := eachSource(o.input, func(path string) error {
		found, err := o.pragmasOf(ctx, c, path)
		if console.StatusOf(err) == console.Defect || ctx.Err() != nil {
			return err
		}
		if err != nil {
			c.Report(diag.List{diag.Warningf(diag.Pos{File: path}, generate.CodeKernel, "the file is left out").
				WithNote("%s", firstLine(err))})
		}
		list = append(list, found...)
		return nil
	})
	if err != nil {
		return err
	}
	return c.Emit(o.output, func(w io.Writer) error {
		switch o.format {
		case formatJSON:
			return console.WriteJSON(w, list)
		case formatCSV:
			records := sheet.RecordsOf(list)
			return records.WriteCSV(w)
		case formatSVG:
			return diag.AsDefect(chart.Grid{pragmaChart(list)}.Write(console.Raw(w), chart.SVG))
		}
		return pragmaSheet(list).WriteText(w, c.Layout(o.output))
	})
}

// eachSource visits the sources in a folder, or the one file, in the order of their names.
func eachSource(folder string, visit func(path string) error) error {
	root := folder
	if info, err := os.Stat(root); err == nil && info.IsDir() {
		root += string(filepath.Separator) // where it is a link, what it leads to
	}
	return filepath.WalkDir(root, func(path string, d fs.DirEntry, err error) error {
		switch {
		case err != nil:
			return console.FileError(folder, err)
		case d.IsDir() || !slices.Contains(sourceEndings, strings.ToLower(filepath.Ext(path))):
			return nil
		}
		return visit(path)
	})
}

func firstLine(err error) string {
	line, _, _ := strings.Cut(err.Error(), "\n")
	return line
}

// pragmasOf checks the pragmas of a file.
func (o *options) pragmasOf(ctx context.Context, c *console.Console, file string) (list []pragmaCheck, err error) {
	src, err := source.Read(c, file, o.dialect, o.defines)
	if err != nil {
		return nil, err
	}
	p, err := generate.Parse(src, &o.Options)
	if err != nil {
		return nil, err
	}
	for _, fn := range p.Unit.Kernels {
		l, err := p.Prepare(fn)
		if err != nil {
			return list, err
		}
		for i, loop := range l.Lowered.Loops {
			if loop.Pragma == nil {
				continue
			}
			s, err := o.factors(ctx, l, i, factor.OnlyPragma)
			if err != nil {
				return list, err
			}
			own, plain := &s.Versions[0], &s.Versions[1]
			list = append(list, pragmaCheck{File: file, Line: loop.Pos.Line, Kernel: fn.Name, Pragma: s.Pragma,
				Honoured: honoured(loop.Pragma, own), Factor: own.Factor, Full: own.Full, Seconds: own.Seconds,
				Without: plain.Seconds, Says: s.Says})
		}
	}
	return list, nil
}

// honoured reports whether a loop is unrolled as its pragma asks for.
func honoured(p *ast.Pragma, v *factor.Version) bool {
	switch p.Kind {
	case ast.UnrollFull:
		return v.Full
	case ast.UnrollFactor:
		return v.Full || v.Factor == int64(p.Factor)
	}
	return v.Factor <= 1 && !v.Full
}

func pragmaSheet(list []pragmaCheck) sheet.Sheet {
	t := sheet.Section{Columns: sheet.ColumnsOf("place<", "kernel<", "pragma<", "honoured<", "outcome<"), Whole: true}
	ignored := 0
	for _, p := range list {
		word := "yes"
		if !p.Honoured {
			word = fmt.Sprintf("no: by %d", p.Factor)
			ignored++
		}
		t.Add(fmt.Sprintf("%s:%d", p.File, p.Line), p.Kernel, p.Pragma, word, p.Says)
	}
	t.Below = []string{fmt.Sprintf("%s, %d not honoured", sheet.Count(int64(len(list)), "pragma"), ignored)}
	return sheet.Sheet{t}
}

// pragmaChart is what each pragma saves, those that are honoured and those that are not.
func pragmaChart(list []pragmaCheck) *chart.Chart {
	c := &chart.Chart{Title: "what unroll pragmas save", X: chart.Axis{Label: "pragma, in the order of the table"},
		Y:      chart.Axis{Label: "saved", Unit: "%"},
		Series: []chart.Series{{Name: "honoured", Style: chart.Marks}, {Name: "not honoured", Style: chart.Marks}}}
	for i, p := range list {
		if p.Seconds <= 0 || p.Without <= 0 {
			continue
		}
		s := &c.Series[0]
		if !p.Honoured {
			s = &c.Series[1]
		}
		s.Points = append(s.Points, chart.Point{X: float64(i + 1), Y: 100 * (1 - p.Seconds/p.Without)})
	}
	return c
}
