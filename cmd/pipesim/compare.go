package main

import (
	"context"
	"encoding/csv"
	"fmt"
	"io"
	"strconv"

	"gpupipe/cmd/internal/console"
	"gpupipe/internal/diag"
	"gpupipe/internal/report"
	"gpupipe/internal/sheet"
	"gpupipe/simulate/analytic"
	"gpupipe/simulate/comparison"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"
)

// compareOptions is the command line of "pipesim compare".
type compareOptions struct {
	kernelOptions
	input    string
	measured string
	models   []analytic.Model
	maxMAPE  float64
	format   report.Format
	output   string
}

func newCompare(c *console.Console) *cobra.Command {
	o := &compareOptions{format: report.Text}
	cmd := &cobra.Command{
		Use:   "compare --measured FILE.csv [flags] [IDG|-]",
		Short: "Compare simulation and models with measured times",
		Long: `Compares the simulation and the analytical models with times measured at
different occupancies, by mean absolute errors in percent:

  MAPE       of the performance (work per time): half the measured time is 100%
  of shape   the same without the best straight line
  of time    half the measured time is 50%

The file has a header with a column for the occupancy of a compute unit (warps
or groups) and one for the time of the launch (seconds, ms, us, ns or cycles).
Other columns and lines that begin with # are ignored.

  groups,ms
  1,12.5
  2,6.4`,
		Example: `  pipesim compare --measured times.csv graph.json --gpu gtx1060
  idgen kernel.cl | pipesim compare --measured times.csv --format csv
  pipesim compare --measured times.csv graph.json --max-mape 25     status 1 if beyond`,
		Args: console.AtMostOne("graph"),
		RunE: func(cmd *cobra.Command, args []string) error {
			o.input = inputOf(args)
			if err := o.check(cmd); err != nil {
				return err
			}
			return runCompare(cmd.Context(), c, o)
		},
	}
	console.Section(cmd, "Comparison", func(f *pflag.FlagSet) {
		f.StringVar(&o.measured, "measured", "", "read measured times from `FILE.csv`")
		modelsFlag(f, &o.models)
		f.Float64Var(&o.maxMAPE, "max-mape", 0, "exit with status 1 if the simulation's MAPE is more than `PERCENT`")
	})
	o.kernelOptions.define(cmd)
	console.Section(cmd, "Report", func(f *pflag.FlagSet) {
		formatFlag(f, &o.format, "text", report.Text, report.CSV, report.JSON, report.Markdown)
		outputFlag(f, &o.output)
	})
	return cmd
}

func (o *compareOptions) check(cmd *cobra.Command) error {
	if o.measured == "" {
		return console.UsageOf(cmd, "--measured FILE.csv is needed: the times to compare with")
	}
	if o.measured == console.StandardStream && o.input == console.StandardStream {
		return console.UsageOf(cmd, "standard input is either the graph or the measured times")
	}
	if cmd.Flags().Changed("max-mape") && !(o.maxMAPE > 0) {
		return console.UsageOf(cmd, "--max-mape %v: percent are more than 0", o.maxMAPE)
	}
	return nil
}

// runCompare runs the stages: read both, predict, compare, write.
func runCompare(ctx context.Context, c *console.Console, o *compareOptions) error {
	m, err := readMeasured(c, o.measured)
	if err != nil {
		return err
	}
	s, err := o.kernelOptions.open(c, o.input)
	if err != nil {
		return err
	}
	warps, cycles, err := m.at(s.graph.Launch.WarpsPerGroup(), s.device)
	if err != nil {
		return err
	}
	if err := s.compare(ctx, c, &o.kernelOptions, comparison.Options{Models: o.models, Warps: warps, Simulate: -1}); err != nil {
		return err
	}
	if s.highest() == nil {
		return diag.Errorf(diag.Pos{File: m.file}, codeMeasured, "none of the occupancies can be simulated: none is whole groups of %s that the launch can fill",
			sheet.Count(s.graph.Launch.WarpsPerGroup(), "warp"))
	}
	d := &deviations{sideBySide: s, measured: cycles}
	d.measure()
	if err := c.Emit(o.output, func(w io.Writer) error {
		switch o.format {
		case report.JSON:
			return console.WriteJSON(w, d.document())
		case report.CSV:
			return d.writeCSV(w)
		}
		return writeSheet(w, d.sheet(), o.format, c.Layout(o.output))
	}); err != nil {
		return err
	}
	if mape := d.accuracy[0].MAPE; o.maxMAPE > 0 && mape > o.maxMAPE {
		return diag.Errorf(diag.Pos{}, console.CodeGate, "the simulation's MAPE of %.1f%% (of performance) is more than %v%% (--max-mape)", mape, o.maxMAPE)
	}
	return nil
}

// deviations is a comparison with measured times.
type deviations struct {
	*sideBySide
	measured []float64       // cycles, by point
	accuracy []namedAccuracy // the simulation first
}

func (d *deviations) measure() {
	c := d.comparison
	d.accuracy = append(d.accuracy, namedAccuracy{simulatedName, comparison.Measure(c.Warps(), c.SimulatedTimes(), d.measured)})
	for k, a := range c.Models {
		d.accuracy = append(d.accuracy, namedAccuracy{a.Name, comparison.Measure(c.Warps(), c.Times(k), d.measured)})
	}
}

func (d *deviations) sheet() sheet.Sheet {
	clock := float64(d.device.ClockHz)
	times := sheet.Section{Columns: sheet.ColumnsOf("warps", "measured", "simulated", "off by")}
	times.Columns[0].Right = true
	simulatedCycles := d.comparison.SimulatedTimes()
	for i, p := range d.comparison.Points {
		simulated, off := "-", "-"
		if p.Simulated != nil {
			simulated = sheet.Duration(p.Simulated.Seconds)
			off = fmt.Sprintf("%+.1f%%", 100*(simulatedCycles[i]/d.measured[i]-1))
		}
		times.Add(strconv.FormatInt(p.Warps, 10), sheet.Duration(d.measured[i]/clock), simulated, off)
	}
	sums := sheet.Section{Columns: sheet.ColumnsOf("model", "occupancies", "MAPE", "of shape", "of time", "<")}
	for _, a := range d.accuracy {
		sums.Add(a.name, strconv.Itoa(a.Points), errorText(a.MAPE), errorText(a.MAPEShape), errorText(a.MAPEOfTime), a.Why)
	}
	return sheet.Sheet{{Title: fmt.Sprintf("%s on %s, against measured times", d.graph.Kernel, d.device.Title)}, times, sums}
}

// writeCSV writes a row for each occupancy and model, and the measured time.
func (d *deviations) writeCSV(w io.Writer) error {
	out := csv.NewWriter(w)
	_ = out.Write([]string{"warps", "model", "seconds", "measured_seconds", "time_error_percent", "invalid"})
	number := func(x float64) string { return strconv.FormatFloat(x, 'g', -1, 64) }
	for i := range d.comparison.Points {
		measured := d.measured[i] / float64(d.device.ClockHz)
		for _, r := range d.rows(i) {
			seconds, off := "", ""
			if r.Seconds != nil {
				seconds, off = number(*r.Seconds), number(100*(*r.Seconds/measured-1))
			}
			_ = out.Write([]string{strconv.FormatInt(r.Warps, 10), r.Model, seconds, number(measured), off, r.Invalid})
		}
	}
	out.Flush()
	return out.Error() // the first failure of all
}

// compareDocument is the comparison as JSON.
type compareDocument struct {
	Format   string             `json:"format"` // "pipesim-compare"
	Version  int                `json:"version"`
	Kernel   string             `json:"kernel"`
	GPU      string             `json:"gpu"`
	Points   []measuredDocument `json:"points"`
	Accuracy []accuracyDocument `json:"accuracy"`
}

type measuredDocument struct {
	Warps    int64      `json:"warps"`
	Measured float64    `json:"measured_seconds"`
	Models   []modelRow `json:"models"`
}

func (d *deviations) document() compareDocument {
	doc := compareDocument{Format: "pipesim-compare", Version: 2, Kernel: d.graph.Kernel, GPU: d.device.Name}
	for i, p := range d.comparison.Points {
		doc.Points = append(doc.Points, measuredDocument{p.Warps, d.measured[i] / float64(d.device.ClockHz), d.rows(i)})
	}
	for i := range d.accuracy {
		doc.Accuracy = append(doc.Accuracy, d.accuracy[i].document())
	}
	return doc
}

// document is the accuracy with null for what is not known.
func (a *namedAccuracy) document() accuracyDocument {
	e := accuracyDocument{Model: a.name, Points: a.Points}
	if a.MAPE >= 0 {
		e.MAPE = &a.MAPE
	}
	if a.MAPEShape >= 0 {
		e.MAPEShape = &a.MAPEShape
	}
	if a.MAPEOfTime >= 0 {
		e.MAPEOfTime = &a.MAPEOfTime
	}
	return e
}

// codeMeasured is the code of diagnostics about measured times.
const codeMeasured = "MEASURED"
