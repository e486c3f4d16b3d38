package main

import (
	"fmt"
	"io"
	"math"
	"slices"
	"strings"

	"gpupipe/latencies"
	"gpupipe/simulate/accuracy"
)

// writeClocks says what is known of the clock that the rows ran at, and gives the
// MAPE of time at other clocks of the device.
func (s *study) writeClocks(w io.Writer, d *latencies.Device) {
	if len(s.spec.Clocks) == 0 {
		return
	}
	own := float64(d.ClockHz) / 1e6
	fmt.Fprintf(w, "\n| core clock | issue mode | MAPE of time %% | measured / predicted, median | 10%% to 90%% |\n"+
		"|---|---|---|---|---|\n")
	for _, c := range slices.Concat([]ClockSpec{s.clock(d)}, s.spec.Clocks) {
		for mode, name := range s.predictor.modes {
			var predicted, measured, ratio []float64
			for i := range s.table.rows {
				p, m := s.predictions[i].seconds[mode]*own/c.MHz, s.table.rows[i].seconds
				predicted, measured, ratio = append(predicted, p), append(measured, m), append(ratio, m/p)
			}
			e, err := accuracy.MAPE(predicted, measured)
			if err != nil {
				e = math.NaN()
			}
			slices.Sort(ratio)
			fmt.Fprintf(w, "| %g MHz (%s) | %s | %s | %.2f | %.2f to %.2f |\n", c.MHz, c.Source, name.name,
				cell("%.1f", e), quantile(ratio, .5), quantile(ratio, .1), quantile(ratio, .9))
		}
	}
	s.writeLeastClocks(w, own)
}

// clock is the core clock that the predictions are for.
func (s *study) clock(d *latencies.Device) ClockSpec {
	if s.spec.Clock.MHz > 0 {
		return s.spec.Clock
	}
	return ClockSpec{float64(d.ClockHz) / 1e6, "device file"}
}

// writeLeastClocks tells how low the clock of each row can have been: not so low
// that the busiest pipe would have had to work for longer than the row took.
func (s *study) writeLeastClocks(w io.Writer, own float64) {
	least := make([]float64, len(s.table.rows))
	top := 0
	for i := range s.table.rows {
		least[i] = own * s.predictions[i].pipe / s.table.rows[i].seconds
		if least[i] > least[top] {
			top = i
		}
	}
	fastest := s.table.describe(&s.table.rows[top])
	sorted := slices.Sorted(slices.Values(least))
	fmt.Fprintf(w, "\nThe clock that a configuration ran at is not recorded, but it was at least the one at which "+
		"the busiest pipe of its compute units (device memory apart) would be in use all the time: %.0f MHz in the "+
		"median, %.0f to %.0f from 10%% to 90%%, at most %.0f (%s).", quantile(sorted, .5), quantile(sorted, .1),
		quantile(sorted, .9), least[top], strings.Join(fastest, " "))
	for _, c := range s.spec.Clocks {
		n := 0
		for _, l := range least {
			if l > c.MHz {
				n++
			}
		}
		fmt.Fprintf(w, " %d of %d must have run faster than at %g MHz.", n, len(least), c.MHz)
	}
	fmt.Fprintln(w)
}
