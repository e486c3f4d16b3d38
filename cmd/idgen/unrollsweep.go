package main

import (
	"cmp"
	"context"
	"fmt"
	"io"

	"gpupipe/cmd/internal/console"
	"gpupipe/internal/chart"
	"gpupipe/internal/diag"
	"gpupipe/internal/factor"
	"gpupipe/internal/generate"
	"gpupipe/internal/sheet"
	"gpupipe/latencies"
)

// unrollSweep writes --unroll-sweep: the times of a kernel with each factor of the loops at a place.
func (w writer) unrollSweep(ctx context.Context, o *options, l *generate.Kernel) error {
	var list []*factor.Sweep
	for _, loop := range l.Lowered.Loops {
		if !o.sweep.Matches(loop.Pos) {
			continue
		}
		s, err := o.factors(ctx, l, int(loop.ID)-1, factor.Usual)
		if err != nil {
			return err
		}
		list = append(list, s)
	}
	if len(list) == 0 {
		e := diag.Errorf(l.Lowered.Pos, diag.CodeUsage, "--unroll-sweep %v: no loop stands there", o.sweep)
		for _, loop := range l.Lowered.Loops {
			e.WithNote("%v: %s", loop.Pos, loop.BoundText)
		}
		return e
	}
	return w.Emit(o.output, func(out io.Writer) error {
		switch o.format {
		case formatJSON:
			return console.WriteJSON(out, list)
		case formatCSV:
			r := sweepRecords(list)
			return r.WriteCSV(out)
		case formatSVG:
			return diag.AsDefect(sweepChart(l.Lowered.Name, list).Write(console.Raw(out), chart.SVG))
		}
		return sweepSheet(list).WriteText(out, w.Layout(o.output))
	})
}

// factors predicts the versions of a loop on the device of --gpu.
func (o *options) factors(
	ctx context.Context, l *generate.Kernel, loop int, list []int64) (*factor.Sweep, error) {
	mapper, err := latencies.NewMapper(o.Device, nil)
	if err != nil {
		return nil, err
	}
	return factor.Of(ctx, l, l.Lowered.Loops[loop], list, mapper, o.Device)
}

// sweepSheet is a table for each loop.
func sweepSheet(list []*factor.Sweep) (out sheet.Sheet) {
	for _, s := range list {
		t := sheet.Section{Title: fmt.Sprintf("%s:%d:%d on %s", s.File, s.Line, s.Column, s.Device),
			Columns: sheet.ColumnsOf("factor", "time", sheet.BarColumn, "", "code", "registers", "spilled"),
			Below:   []string{s.Says}}
		longest := 0.0
		for _, v := range s.Versions {
			longest = max(longest, v.Seconds)
		}
		for _, v := range s.Versions {
			t.Rows = append(t.Rows, versionRow(&v, longest))
		}
		out = append(out, t)
	}
	return out
}

func versionRow(v *factor.Version, longest float64) sheet.Row {
	if v.Error != "" {
		return sheet.Row{Cells: []string{v.Name, "-", "", v.Error, "", "", ""}}
	}
	mark := ""
	if v.Best {
		mark = "best"
	}
	return sheet.Row{Cells: []string{v.Name, sheet.Duration(v.Seconds), "", mark, fmt.Sprint(v.Code),
		fmt.Sprint(v.Registers), fmt.Sprintf("%d B", v.Spilled)}, Bar: v.Seconds / longest}
}

func sweepRecords(list []*factor.Sweep) sheet.Records {
	r := sheet.Records{Names: []string{"file", "line", "column", "version", "factor", "fully_unrolled", "seconds",
		"code", "registers", "spilled_bytes", "best", "error"}}
	for _, s := range list {
		for _, v := range s.Versions {
			r.Rows = append(r.Rows, []any{s.File, s.Line, s.Column, v.Name, v.Factor, v.Full, v.Seconds, v.Code,
				v.Registers, v.Spilled, v.Best, v.Error})
		}
	}
	return r
}

// sweepChart is a curve of each loop's times over the factors.
func sweepChart(kernel string, list []*factor.Sweep) chart.Grid {
	c := &chart.Chart{Title: kernel, X: chart.Axis{Label: "unroll factor"}, Y: chart.Axis{Label: "time", Unit: "s"}}
	for _, s := range list {
		line := chart.Series{Name: fmt.Sprintf("line %d", s.Line), Style: chart.Marked}
		for _, v := range s.Versions {
			if v.Error == "" && v.Asked > 0 {
				line.Points = append(line.Points, chart.Point{X: float64(cmp.Or(v.Asked, 1)), Y: v.Seconds})
			}
		}
		c.Series = append(c.Series, line)
	}
	return chart.Grid{c}
}
