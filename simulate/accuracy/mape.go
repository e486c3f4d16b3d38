package accuracy

import (
	"fmt"
	"math"

	"gonum.org/v1/gonum/stat"
)

// MAPE is the mean absolute percentage error of predicted against measured
// times, in percent: the mean of |predicted - measured| / measured · 100 (A 6.2).
func MAPE(predicted, measured []float64) (float64, error) {
	if err := checkTimes(predicted, measured); err != nil {
		return 0, err
	}
	var sum float64
	for i, m := range measured {
		sum += math.Abs(predicted[i]-m) / m
	}
	return finite(100 * sum / float64(len(measured)))
}

// minShapePoints is the number of different occupancies that MAPEShape needs: a
// straight line goes through any two points, so that nothing is left of them.
const minShapePoints = 3

// MAPEShape is the error of the shape of a curve over occupancy (in warps, or in
// any other unit), in percent: MAPE after the best linear fit, in occupancy, of
// predicted - measured has been subtracted from predicted (A 6.2). A model that is
// off by a constant or by a constant slope has the shape right.
func MAPEShape(occupancy, predicted, measured []float64) (float64, error) {
	if err := checkTimes(predicted, measured); err != nil {
		return 0, err
	}
	if len(occupancy) != len(measured) {
		return 0, fmt.Errorf("accuracy: %d occupancies of %d times", len(occupancy), len(measured))
	}
	different := map[float64]bool{}
	off := make([]float64, len(measured))
	for i, x := range occupancy {
		if math.IsNaN(x) || math.IsInf(x, 0) {
			return 0, fmt.Errorf("accuracy: occupancy %v of time %d is not a number", x, i+1)
		}
		different[x] = true
		off[i] = predicted[i] - measured[i]
	}
	if len(different) < minShapePoints {
		return 0, fmt.Errorf("accuracy: %d different occupancies have no shape; at least %d are needed", len(different), minShapePoints)
	}
	intercept, slope := stat.LinearRegression(occupancy, off, nil, false)
	var sum float64
	for i, m := range measured {
		sum += math.Abs(off[i]-intercept-slope*occupancy[i]) / m
	}
	return finite(100 * sum / float64(len(measured)))
}

// checkTimes reports the first time that cannot be compared.
func checkTimes(predicted, measured []float64) error {
	if len(predicted) != len(measured) {
		return fmt.Errorf("accuracy: %d predicted times for %d measured ones", len(predicted), len(measured))
	}
	if len(measured) == 0 {
		return fmt.Errorf("accuracy: there are no times to compare")
	}
	for i := range measured {
		for _, t := range []struct {
			kind  string
			value float64
		}{{"predicted", predicted[i]}, {"measured", measured[i]}} {
			if !(t.value > 0) || math.IsInf(t.value, 0) {
				return fmt.Errorf("accuracy: %s time %d is %v; times are positive numbers", t.kind, i+1, t.value)
			}
		}
	}
	return nil
}

// finite refuses a result that has left the range of float64.
func finite(x float64) (float64, error) {
	if math.IsNaN(x) || math.IsInf(x, 0) {
		return 0, fmt.Errorf("accuracy: the times differ too much for a number")
	}
	return x, nil
}
