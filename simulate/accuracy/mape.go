package accuracy

import (
	"fmt"
	"math"

	"gonum.org/v1/gonum/stat"
)

// MAPE is the mean absolute percentage error of predicted against measured
// values, in percent: the mean of |predicted - measured| / measured · 100. The
// article's is of performance, in warps per cycle; its formula (A 6.3) is printed
// without the division by n that "mean" says and that of MAPE_shape has.
//
// The error of time is another number: half the time is 50% of it and 100% of the
// performance, twice the time the reverse.
func MAPE(predicted, measured []float64) (float64, error) {
	if err := checkValues(predicted, measured); err != nil {
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
// predicted - measured has been subtracted from predicted (A 6.3). A model that is
// off by a constant or by a constant slope has the shape right.
func MAPEShape(occupancy, predicted, measured []float64) (float64, error) {
	if err := checkValues(predicted, measured); err != nil {
		return 0, err
	}
	if len(occupancy) != len(measured) {
		return 0, fmt.Errorf("accuracy: %d occupancies of %d values", len(occupancy), len(measured))
	}
	different := map[float64]bool{}
	off := make([]float64, len(measured))
	for i, x := range occupancy {
		if math.IsNaN(x) || math.IsInf(x, 0) {
			return 0, fmt.Errorf("accuracy: occupancy %v of value %d is not a number", x, i+1)
		}
		different[x] = true
		off[i] = predicted[i] - measured[i]
	}
	if len(different) < minShapePoints {
		return 0, fmt.Errorf("accuracy: %d different occupancies have no shape; at least %d are needed", len(different),
			minShapePoints)
	}
	intercept, slope := stat.LinearRegression(occupancy, off, nil, false)
	var sum float64
	for i, m := range measured {
		sum += math.Abs(off[i]-intercept-slope*occupancy[i]) / m
	}
	return finite(100 * sum / float64(len(measured)))
}

// checkValues reports the first value that cannot be compared.
func checkValues(predicted, measured []float64) error {
	if len(predicted) != len(measured) {
		return fmt.Errorf("accuracy: %d predicted values for %d measured ones", len(predicted), len(measured))
	}
	if len(measured) == 0 {
		return fmt.Errorf("accuracy: there are no values to compare")
	}
	for i := range measured {
		for _, v := range []struct {
			kind  string
			value float64
		}{{"predicted", predicted[i]}, {"measured", measured[i]}} {
			if !(v.value > 0) || math.IsInf(v.value, 0) {
				return fmt.Errorf("accuracy: %s value %d is %v; values are positive numbers", v.kind, i+1, v.value)
			}
		}
	}
	return nil
}

// finite refuses a result that has left the range of float64.
func finite(x float64) (float64, error) {
	if math.IsNaN(x) || math.IsInf(x, 0) {
		return 0, fmt.Errorf("accuracy: the values differ too much for a number")
	}
	return x, nil
}
