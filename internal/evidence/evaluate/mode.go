package main

import (
	"cmp"
	"fmt"
	"strings"

	"gpupipe/latencies"
	"gpupipe/simulate"
)

// issueMode is an order in which the warps of a prediction issue.
type issueMode struct {
	name  string
	issue simulate.IssueMode
}

// ownMode names the issue mode of a device, as pipesim chooses it: compiled code that moves within blocks is in the
// compiler's order, in which it issues.
func ownMode(d *latencies.Device) string {
	if d.Issue == simulate.Blocks {
		return simulate.InOrder.String()
	}
	return cmp.Or(d.Issue, simulate.Dataflow).String()
}

// parseIssueModes reads names of modes with commas between.
func parseIssueModes(text string) ([]issueMode, error) {
	var modes []issueMode
	for name := range strings.SplitSeq(text, ",") {
		issue, err := latencies.ParseIssueMode(name)
		if err != nil {
			return nil, fmt.Errorf("--issue: %w", err)
		}
		modes = append(modes, issueMode{name, issue})
	}
	return modes, nil
}

// modeNames lists modes with commas between.
func modeNames(modes []issueMode) string {
	var names []string
	for _, m := range modes {
		names = append(names, m.name)
	}
	return strings.Join(names, ", ")
}
