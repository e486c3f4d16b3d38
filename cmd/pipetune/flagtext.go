package main

import (
	"errors"
	"fmt"
	"slices"
	"strings"

	"gpupipe/cmd/internal/console"
	"gpupipe/internal/report"
	"gpupipe/internal/target"
	"gpupipe/unroll"
)

// formats are those of the product.
var formats = []string{"text", "csv", "jsonl", "cache", "t4"}

func parseFormat(text string) (string, error) {
	if slices.Contains(formats, text) {
		return text, nil
	}
	return "", fmt.Errorf("the formats are %s", strings.Join(formats, ", "))
}

func parseCompilers(text string) (list []unroll.Compiler, err error) {
	names, err := console.ParseNames(text)
	if err != nil {
		return nil, err
	}
	for _, n := range names {
		c, err := target.ParseCompiler(n)
		if err != nil {
			return nil, err
		}
		list = append(list, c)
	}
	return list, nil
}

func parseReport(text string) (report.Format, error) {
	for _, f := range []report.Format{report.Text, report.JSON, report.Markdown} {
		if f.String() == text {
			return f, nil
		}
	}
	return 0, errors.New("the formats are text, json and markdown")
}
