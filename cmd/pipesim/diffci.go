package main

import (
	"fmt"
	"io"

	"gpupipe/internal/difference"
	"gpupipe/internal/report"
	"gpupipe/internal/sheet"
)

// writeChecks writes a check for each kernel: whether it takes longer by more than a share, or is missing.
func writeChecks(w io.Writer, d *difference.Document, f report.Format, most float64) error {
	var checks []report.Check
	for i := range d.Kernels {
		k := &d.Kernels[i]
		c := report.Check{Name: k.Kernel, Rule: "regression", About: "a kernel takes longer than before",
			File: k.New.File, Seconds: k.New.Seconds, Failed: most >= 0 && k.Change > most,
			Text: fmt.Sprintf("%s: %s instead of %s (%s) on %s", k.Kernel, sheet.Duration(k.New.Seconds),
				sheet.Duration(k.Old.Seconds), difference.SignedPercent(k.Change), k.New.Device)}
		if len(k.Lines) > 0 && k.Lines[0].New > k.Lines[0].Old {
			c.Line = k.Lines[0].NewLine
		}
		checks = append(checks, c)
	}
	missing := func(names []string, failed bool) {
		for _, name := range names {
			checks = append(checks, report.Check{Name: name, Rule: "missing", Failed: failed,
				About: "a kernel of the old version is not in the new one",
				Text:  name + ": the new version lacks this kernel"})
		}
	}
	missing(d.Removed, true)
	missing(d.Allowed, false)
	if f == report.JUnit {
		return report.WriteJUnit(w, "pipesim diff", checks)
	}
	return report.WriteSARIFChecks(w, checks)
}
