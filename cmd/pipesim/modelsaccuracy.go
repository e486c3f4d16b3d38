package main

import (
	"strconv"

	"gpupipe/simulate/comparison"
)

// accuracy is how far a model is from reference times, in percent; nil where that is not known.
type accuracy struct {
	Model      string   `json:"model"`
	Points     int      `json:"points"`
	MAPE       *float64 `json:"mape"` // of the performance, as mape_shape
	MAPEShape  *float64 `json:"mape_shape"`
	MAPEOfTime *float64 `json:"mape_of_time"`

	why string // something is not known
}

func newAccuracy(model string, a comparison.Accuracy) accuracy {
	known := func(x float64) *float64 {
		if x < 0 {
			return nil
		}
		return &x
	}
	return accuracy{model, a.Points, known(a.MAPE), known(a.MAPEShape), known(a.MAPEOfTime), a.Why}
}

// accuracies compares the models with reference times, in cycles and by point.
func (s *sideBySide) accuracies(reference []float64) (list []accuracy) {
	c := s.comparison
	for k, a := range c.Models {
		list = append(list, newAccuracy(a.Name, comparison.Measure(c.Warps(), c.Times(k), reference)))
	}
	return list
}

// cells are those of a table.
func (a *accuracy) cells() []string {
	list := []string{a.Model, strconv.Itoa(a.Points)}
	for _, x := range []*float64{a.MAPE, a.MAPEShape, a.MAPEOfTime} {
		text := "-"
		if x != nil {
			text = strconv.FormatFloat(*x, 'f', 1, 64) + "%"
		}
		list = append(list, text)
	}
	return list
}
