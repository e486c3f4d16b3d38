package report

import (
	"strings"

	"gpupipe/internal/sheet"
	"gpupipe/simulate/cause"
)

// mostCauses is how many causes are named in one line of the report, and leastCause the share of those left out.
const mostCauses, leastCause = 4, 0.01

// causesText says what the time is spent on, most first.
func (p *Prediction) causesText() string {
	type key struct {
		kind      cause.Kind
		subsystem string
	}
	keys, sums := cause.By(p.Causes, func(c *cause.Cause) key { return key{c.Kind, c.Subsystem} })
	var parts []string
	for _, k := range keys {
		if share := sums[k] / p.Causes.Total.Float(); share >= leastCause && len(parts) < mostCauses {
			parts = append(parts, sheet.Percent(share)+" "+CauseText(k.kind, p.Mapping.Device.TitleOf(k.subsystem)))
		}
	}
	return strings.Join(parts, ", ")
}

// CauseText is what time passes with, at a subsystem if there is one.
func CauseText(k cause.Kind, subsystem string) string {
	switch k {
	case cause.Work:
		return subsystem + " at work"
	case cause.BankConflicts:
		return "bank conflicts in " + subsystem
	case cause.ExtraSectors:
		return "extra sectors in " + subsystem
	case cause.SameAddress:
		return "atomics on one address"
	case cause.IdleLanes:
		return "idle lanes of " + subsystem
	case cause.Issue:
		return "issue limit"
	case cause.Reads:
		return "register reads"
	case cause.Starts:
		return "group starts"
	case cause.Data:
		return "waiting for " + subsystem
	case cause.Barrier:
		return "barriers"
	case cause.Queue:
		return "queueing for " + subsystem
	case cause.Few:
		return "too few groups"
	case cause.Tail:
		return "start and end of groups"
	case cause.Launch:
		return "launch overhead"
	}
	return k.String()
}
