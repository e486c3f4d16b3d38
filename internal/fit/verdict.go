package fit

import "fmt"

// What a fit must be for its numbers to be written.
const (
	mostResidual = 0.15 // relative standard deviation of the samples around the curve
	mostError    = 0.05 // half the 95% interval of a number, relative
	mostOutliers = 0.25 // of the samples that were not marked
	leastPoints  = 4    // different launches
)

// judge refuses a class whose fit is poor.
func (c *Class) judge() {
	n := c.Counts
	switch {
	case c.Refused != "":
	case c.launches < leastPoints:
		c.Refused = fmt.Sprintf("%d different launches are too few for two numbers (needed: %d)", c.launches,
			leastPoints)
	case float64(n.Outliers) > mostOutliers*float64(n.Used+n.Outliers):
		c.Refused = fmt.Sprintf("%d of %d samples are outliers (at most %.0f%%)", n.Outliers, n.Used+n.Outliers,
			100*mostOutliers)
	case c.Residual > mostResidual:
		c.Refused = fmt.Sprintf("the samples scatter by %.0f%% around the curve (at most %.0f%%)", 100*c.Residual,
			100*mostResidual)
	case !c.CPI.Bound && !(c.CPI.Error <= mostError):
		c.Refused = fmt.Sprintf("λ is known to ±%.0f%% only (at most ±%.0f%%)", 100*c.CPI.Error, 100*mostError)
	case !c.Latency.Bound && !(c.Latency.Error <= mostError):
		c.Refused = fmt.Sprintf("Λ is known to ±%.0f%% only (at most ±%.0f%%)", 100*c.Latency.Error, 100*mostError)
	}
}
