package report

import (
	"fmt"
	"strings"

	"gpupipe/internal/sheet"
	"gpupipe/simulate"
)

// occupancySteps says what one step more or fewer groups at once takes of
// registers and local memory; empty if neither limits.
func (p *Prediction) occupancySteps() string {
	r, d := p.Result, p.Mapping.Device
	o := &r.Occupancy
	if o.Groups != r.ConcurrentGroups || r.OccupancyLimit == "--concurrent" {
		return ""
	}
	var parts []string
	if s, ok := o.StepUp(d, r.WarpsPerGroup); ok {
		parts = append(parts, fmt.Sprintf("%s with at most %s", sheet.Count(s.Groups, "group"), amountText(s)))
	}
	if o.Limit == "registers" || o.Limit == "local memory" {
		if s, ok := o.StepDown(o.Limit, d, r.WarpsPerGroup); ok {
			parts = append(parts, fmt.Sprintf("%s from %s on", sheet.Count(s.Groups, "group"), amountText(s)))
		}
	}
	return strings.Join(parts, ", ")
}

func amountText(s simulate.OccupancyStep) string {
	if s.Resource == "registers" {
		return sheet.Count(s.Amount, "register") + " per work item"
	}
	return sheet.Grouped(s.Amount) + " bytes of local memory per group"
}
