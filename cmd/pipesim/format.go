package main

import (
	"fmt"
	"io"
	"path/filepath"
	"slices"
	"strings"

	"gpupipe/cmd/internal/console"
	"gpupipe/internal/chart"
	"gpupipe/internal/report"
	"gpupipe/internal/sheet"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"
)

// formatFlag adds --format with the formats of a command; the help says the default, which into holds.
func formatFlag(f *pflag.FlagSet, into *report.Format, standard string, formats ...report.Format) {
	var names []string
	for _, one := range formats {
		names = append(names, one.String())
	}
	last := len(names) - 1
	text := strings.Join(names[:last], ", ")
	f.Var(&console.Parsed[report.Format]{Into: into, Kind: "FORMAT", Values: names,
		Parse: func(word string) (report.Format, error) {
			if i := slices.Index(names, word); i >= 0 {
				return formats[i], nil
			}
			return 0, fmt.Errorf("the formats are %s and %s", text, names[last])
		}}, "format", fmt.Sprintf("%s or %s (default %s)", text, names[last], standard))
}

// isRows reports whether the results of a sweep are written one by one.
func isRows(f report.Format) bool { return f == report.CSV || f == report.JSONLines }

// product is the writer of a format: what people do not read is written as it is.
func product(w io.Writer, f report.Format) io.Writer {
	switch f {
	case report.Text, report.CSV, report.Markdown:
		return w
	}
	return console.Raw(w)
}

// results are what a command has found, in the forms that it can be written in.
type results struct {
	document any // as JSON
	records  sheet.Records
	sheet    sheet.Sheet
}

// emit writes results to the named file.
func (r *results) emit(c *console.Console, output string, f report.Format) error {
	return c.Emit(output, func(w io.Writer) error {
		switch f {
		case report.JSON:
			return console.WriteJSON(w, r.document)
		case report.CSV:
			return r.records.WriteCSV(w)
		}
		return report.WriteSheet(w, f, r.sheet, c.Layout(output), true)
	})
}

// outputFlag adds -o.
func outputFlag(f *pflag.FlagSet, into *string) {
	f.StringVarP(into, "output", "o", "", "write to `FILE` instead of standard output")
}

// plotFlag adds a flag that names a drawing.
func plotFlag(f *pflag.FlagSet, into *string, name, what string) {
	f.StringVar(into, name, "", "draw "+what+" to `FILE`.svg or .png")
}

// plotFile is a file that a flag names; empty = none.
type plotFile struct{ flag, file string }

// checkPlots checks the endings of files to draw to, and that each is another one and not the output.
func checkPlots(cmd *cobra.Command, output string, plots ...plotFile) error {
	seen := map[string]string{}
	if output != "" {
		seen[filepath.Clean(output)] = "-o"
	}
	for _, p := range plots {
		if p.file == "" {
			continue
		}
		switch _, err := chart.FormOf(p.file); {
		case err == nil || p.flag == plotErrorFlag && isTable(p.file):
		case p.flag == plotErrorFlag:
			return console.UsageOf(cmd, "%s %s: the name must end in .svg, .png or .csv", p.flag, p.file)
		default:
			return console.UsageOf(cmd, "%s %s: %v", p.flag, p.file, err)
		}
		if other, ok := seen[filepath.Clean(p.file)]; ok {
			return console.UsageOf(cmd, "%s and %s name the same file %s", other, p.flag, p.file)
		}
		seen[filepath.Clean(p.file)] = p.flag
	}
	return nil
}

// plotErrorFlag names a drawing, for which a table is as good.
const plotErrorFlag = "--plot-error"

// isTable reports whether a file is to be a table.
func isTable(file string) bool { return strings.EqualFold(filepath.Ext(file), ".csv") }
