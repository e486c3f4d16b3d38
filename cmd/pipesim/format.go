package main

import (
	"fmt"
	"strings"
)

// format is a form of the report.
type format uint8

// The formats. The zero value is invalid.
const (
	formatText format = iota + 1
	formatJSON
	formatCSV
	formatMarkdown
)

var formatNames = [...]string{formatText: "text", formatJSON: "json", formatCSV: "csv", formatMarkdown: "markdown"}

func (f format) String() string {
	if f != 0 && int(f) < len(formatNames) {
		return formatNames[f]
	}
	return "invalid format"
}

func parseFormat(text string) (format, error) {
	for f := formatText; f <= formatMarkdown; f++ {
		if formatNames[f] == text {
			return f, nil
		}
	}
	return 0, fmt.Errorf("the formats are %s", strings.Join(formatNames[formatText:], ", "))
}
