package main

import (
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

// ownMode is the issue mode of code that was compiled for a device, as pipesim chooses it: the compiler's order.
var ownMode = issueMode{simulate.InOrder.String(), simulate.InOrder}

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
