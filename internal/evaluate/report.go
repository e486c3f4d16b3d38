package main

import (
	"fmt"
	"io"

	"gpupipe/latencies"
	"gpupipe/simulate/accuracy"
)

func writeReport(w io.Writer, o *options, d *latencies.Device, studies []*study) error {
	for _, s := range studies {
		var m, p, r, v, oc []float64
		for i := range s.table.rows {
			m = append(m, s.table.rows[i].seconds)
			q := &s.predictions[i]
			p, r, v, oc = append(p, q.seconds), append(r, q.roofline), append(v, q.volkov), append(oc, -q.warps)
		}
		for _, c := range []struct {
			n string
			x []float64
		}{{"sim", p}, {"roof", r}, {"volkov", v}, {"occ", oc}} {
			sp, _ := accuracy.Spearman(c.x, m)
			k, _ := accuracy.Kendall(c.x, m)
			mp, _ := accuracy.MAPE(c.x, m)
			fmt.Fprintf(w, "%s %s: spearman %.3f kendall %.3f mape %.1f\n", s.spec.Title, c.n, sp, k, mp)
		}
		fmt.Fprintf(w, "%v, %d MB\n", s.elapsed, s.peakBytes>>20)
	}
	return nil
}
