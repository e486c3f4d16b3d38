package comparison

import (
	"gpupipe/simulate/accuracy"
)

// Accuracy is how far a model is from given times, in percent. A value that is
// not known is negative; Why says why not.
type Accuracy struct {
	Points          int     // that the model gives a time for
	MAPE, MAPEShape float64 // of the performance, warps per cycle (A 6.3)
	MAPEOfTime      float64
	Why             string // the model gives none, or too few for a shape
}

// Measure compares times, in cycles and by occupancy, with those at the same
// places of reference. A time of 0 is none. The work is the same at every
// occupancy, so performance is in proportion to 1/time, and both errors are
// independent of the factor.
func Measure(warps []int64, times, reference []float64) Accuracy {
	var x, got, want, gotTime, wantTime []float64
	for i, t := range times {
		if r := reference[i]; t > 0 && r > 0 {
			x, got, want = append(x, float64(warps[i])), append(got, 1/t), append(want, 1/r)
			gotTime, wantTime = append(gotTime, t), append(wantTime, r)
		}
	}
	a := Accuracy{Points: len(x), MAPE: -1, MAPEShape: -1, MAPEOfTime: -1}
	var err error
	if a.MAPE, err = accuracy.MAPE(got, want); err != nil {
		a.MAPE, a.Why = -1, "no time given"
		return a
	}
	if a.MAPEOfTime, err = accuracy.MAPE(gotTime, wantTime); err != nil {
		a.MAPEOfTime = -1
	}
	if a.MAPEShape, err = accuracy.MAPEShape(x, got, want); err != nil {
		a.MAPEShape, a.Why = -1, "shape needs 3"
	}
	return a
}

// Times are what a model says of each point, in cycles with those of the launch itself; 0 where
// it says nothing.
func (c *Comparison) Times(model int) []float64 {
	times := make([]float64, len(c.Points))
	for i := range c.Points {
		if e := &c.Points[i].Estimates[model]; e.Invalid == "" {
			times[i] = c.Cycles(e.WarpsPerCycle) + c.LaunchCycles
		}
	}
	return times
}

// SimulatedTimes are the simulation's cycles of each point with those of the launch itself; 0
// where it was not simulated.
func (c *Comparison) SimulatedTimes() []float64 {
	times := make([]float64, len(c.Points))
	for i := range c.Points {
		if r := c.Points[i].Simulated; r != nil {
			times[i] = r.Cycles.Float() + c.LaunchCycles
		}
	}
	return times
}

// Warps are the occupancies of the points.
func (c *Comparison) Warps() []int64 {
	list := make([]int64, len(c.Points))
	for i := range c.Points {
		list[i] = c.Points[i].Warps
	}
	return list
}
