package main

import (
	"io"

	"gpupipe/internal/chart"
	"gpupipe/internal/report"
	"gpupipe/simulate"
)

// writeSVG draws execution profiles, one below the other. Package report does without the fonts that drawing needs.
func writeSVG(w io.Writer, all []*report.Prediction, o simulate.ProfileOptions) error {
	var list chart.Profiles
	for _, p := range all {
		c := chart.Execution(p.Result.Profile, o, p.Mapping.Device.TitleOf)
		c.Title = p.Graph.Kernel + " on " + p.Mapping.Device.Title + ": execution of a compute unit"
		list = append(list, c)
	}
	return list.Write(w, chart.SVG)
}
