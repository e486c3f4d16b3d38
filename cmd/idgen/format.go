package main

import (
	"fmt"
	"strings"
)

// format is a form of the product.
type format uint8

// The formats. The zero value is invalid.
const (
	formatJSON format = iota + 1
	formatDOT
	formatGraphML
	formatText
	formatStats
	formatIR
	formatASM
	formatCSV // of --unroll-sweep
	formatSVG // likewise
)

var formatNames = [...]string{formatJSON: "json", formatDOT: "dot", formatGraphML: "graphml", formatText: "text",
	formatStats: "stats", formatIR: "ir", formatASM: "asm", formatCSV: "csv", formatSVG: "svg"}

func (f format) String() string {
	if f != 0 && int(f) < len(formatNames) {
		return formatNames[f]
	}
	return "invalid format"
}

func parseFormat(text string) (format, error) {
	for f := formatJSON; f <= formatSVG; f++ {
		if formatNames[f] == text {
			return f, nil
		}
	}
	return 0, fmt.Errorf("the formats are %s", strings.Join(formatNames[formatJSON:], ", "))
}
