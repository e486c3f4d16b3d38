package comparison

import (
	"gpupipe/simulate/accuracy"
)

// Accuracy is how far a model is from given times, in percent. A value that is
// not known is negative; Why says why not.
type Accuracy struct {
	Points          int // that the model gives a time for
	MAPE, MAPEShape float64
	Why             string // the model gives none, or too few for a shape
}

// Measure compares times, in cycles and by occupancy, with those at the same
// places of reference. A time of 0 is none.
func Measure(warps []int64, times, reference []float64) Accuracy {
	var x, got, want []float64
	for i, t := range times {
		if t > 0 && reference[i] > 0 {
			x, got, want = append(x, float64(warps[i])), append(got, t), append(want, reference[i])
		}
	}
	a := Accuracy{Points: len(x), MAPE: -1, MAPEShape: -1}
	var err error
	if a.MAPE, err = accuracy.MAPE(got, want); err != nil {
		a.MAPE, a.Why = -1, "no time given"
		return a
	}
	if a.MAPEShape, err = accuracy.MAPEShape(x, got, want); err != nil {
		a.MAPEShape, a.Why = -1, "needs three occupancies"
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
