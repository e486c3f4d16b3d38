package main

import (
	"fmt"
	"slices"
	"strings"

	"gpupipe/cmd/internal/console"

	"github.com/spf13/pflag"
)

// format is a form of a command's results.
type format uint8

// The formats. The zero value stands for a command's default.
const (
	formatText format = iota + 1
	formatJSON
	formatCSV
	formatMarkdown
	formatJSONLines // an object a line
	formatChart
	formatPprof // a profile of the causes for go tool pprof
	formatTrace // a profile of the run for Perfetto
	formatSARIF // findings and assumptions
)

var formatNames = [...]string{
	formatText: "text", formatJSON: "json", formatCSV: "csv", formatMarkdown: "markdown", formatJSONLines: "jsonl", formatChart: "chart",
	formatPprof: "pprof", formatTrace: "trace", formatSARIF: "sarif",
}

func (f format) String() string {
	if int(f) < len(formatNames) {
		return formatNames[f]
	}
	return "invalid format"
}

// formatFlag adds --format with the formats of a command; the help says the default, which into holds.
func formatFlag(f *pflag.FlagSet, into *format, standard string, formats ...format) {
	var names []string
	for _, one := range formats {
		names = append(names, one.String())
	}
	last := len(names) - 1
	text := strings.Join(names[:last], ", ")
	f.Var(&console.Parsed[format]{Into: into, Kind: "FORMAT", Values: names, Parse: func(word string) (format, error) {
		if i := slices.Index(names, word); i >= 0 {
			return formats[i], nil
		}
		return 0, fmt.Errorf("the formats are %s and %s", text, names[last])
	}}, "format", fmt.Sprintf("%s or %s (default %s)", text, names[last], standard))
}

// isRows reports whether the results of a sweep are written one by one.
func (f format) isRows() bool { return f == formatCSV || f == formatJSONLines }

// outputFlag adds -o.
func outputFlag(f *pflag.FlagSet, into *string) {
	f.StringVarP(into, "output", "o", "", "write to `FILE` instead of standard output")
}

// plotFlag adds a flag that names a drawing.
func plotFlag(f *pflag.FlagSet, into *string, name, what string) {
	f.StringVar(into, name, "", "draw "+what+" to `FILE`.svg or .png")
}
