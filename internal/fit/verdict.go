package fit

import "fmt"

// What a fit must be for its numbers to be written.
const (
	mostError   = 1 // half the 95% interval of a number, relative, from which the samples do not tell it
	leastPoints = 3 // different launches
)

// judge refuses a class of which the samples tell nothing. A wide interval is no reason: it is written.
func (c *Class) judge() {
	switch {
	case c.Refused != "":
	case c.launches < leastPoints:
		c.Refused = fmt.Sprintf("%d different launches are too few for two numbers (needed: %d)", c.launches,
			leastPoints)
	case !c.CPI.Bound && !(c.CPI.Error < mostError):
		c.Refused = fmt.Sprintf("the samples do not tell λ (±%.0f%%)", 100*c.CPI.Error)
	case !c.Latency.Bound && !(c.Latency.Error < mostError):
		c.Refused = fmt.Sprintf("the samples do not tell Λ (±%.0f%%)", 100*c.Latency.Error)
	}
}
