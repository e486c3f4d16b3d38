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
	name     string
	issue    simulate.IssueMode
	schedule bool // put instructions in a compiler's order first (package simulate/schedule)
}

// scheduled is the mode that package simulate does not know.
const scheduled = "scheduled"

// ownMode names the issue mode of a device, as pipesim chooses it: compiled code that moves within blocks is in the
// compiler's order, in which it issues.
func ownMode(d *latencies.Device, old bool) string {
	if d.Issue == simulate.Blocks && !old {
		return simulate.InOrder.String()
	}
	return cmp.Or(d.Issue, simulate.Dataflow).String()
}

// parseIssueModes reads names of modes with commas between.
func parseIssueModes(text string) ([]issueMode, error) {
	var modes []issueMode
	for name := range strings.SplitSeq(text, ",") {
		m := issueMode{name: name}
		if name == scheduled {
			m.issue, m.schedule = simulate.InOrder, true
		} else {
			var err error
			if m.issue, err = latencies.ParseIssueMode(name); err != nil {
				return nil, fmt.Errorf("--issue: %w; and %s, which is in-order after list scheduling", err, scheduled)
			}
		}
		modes = append(modes, m)
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
