package main

import (
	"fmt"
	"io"
	"slices"
	"strings"

	"gpupipe/cmd/internal/console"
	"gpupipe/internal/report"
	"gpupipe/internal/sheet"

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
	f.Var(&console.Parsed[report.Format]{Into: into, Kind: "FORMAT", Values: names, Parse: func(word string) (report.Format, error) {
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

// writeSheet writes a report in a format for people.
func writeSheet(w io.Writer, s sheet.Sheet, f report.Format, l sheet.Layout) error {
	if f == report.Markdown {
		return s.WriteMarkdown(w)
	}
	return s.WriteText(w, l)
}

// outputFlag adds -o.
func outputFlag(f *pflag.FlagSet, into *string) {
	f.StringVarP(into, "output", "o", "", "write to `FILE` instead of standard output")
}

// plotFlag adds a flag that names a drawing.
func plotFlag(f *pflag.FlagSet, into *string, name, what string) {
	f.StringVar(into, name, "", "draw "+what+" to `FILE`.svg or .png")
}
