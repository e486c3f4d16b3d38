package main

import (
	"context"
	"fmt"
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
  pipesim compare --measured times.csv graph.json --max-mape 25`,
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
	if err := s.compare(ctx, c, &o.kernelOptions, comparison.Options{Models: o.models, Warps: warps,
		Simulate: -1}); err != nil {
		return err
	}
	if s.highest() == nil {
		return diag.Errorf(diag.Pos{File: m.file}, codeMeasured,
			"none of the occupancies can be simulated: none is whole groups of %s that the launch can fill",
			sheet.Count(s.graph.Launch.WarpsPerGroup(), "warp"))
	}
	d := &deviations{sideBySide: s, measured: cycles}
	simulated := newAccuracy(simulatedName,
		comparison.Measure(s.comparison.Warps(), s.comparison.SimulatedTimes(), cycles))
	d.accuracy = append([]accuracy{simulated}, s.accuracies(cycles)...)
	if err := d.results().emit(c, o.output, o.format); err != nil {
		return err
	}
	if mape := simulated.MAPE; o.maxMAPE > 0 && mape != nil && *mape > o.maxMAPE {
		return diag.Errorf(diag.Pos{}, console.CodeGate,
			"the simulation's MAPE of %.1f%% (of performance) is more than %v%% (--max-mape)", *mape, o.maxMAPE)
	}
	return nil
}

// deviations is a comparison with measured times.
type deviations struct {
	*sideBySide
	measured []float64  // cycles, by point
	accuracy []accuracy // the simulation first
}

func (d *deviations) sheet() sheet.Sheet {
	times := sheet.Section{Columns: sheet.ColumnsOf("warps", "measured", "simulated", "off by")}
	times.Columns[0].Right = true
	simulatedCycles := d.comparison.SimulatedTimes()
	for i, p := range d.comparison.Points {
		simulated, off := "-", "-"
		if p.Simulated != nil {
			simulated = sheet.Duration(p.Simulated.Seconds)
			off = fmt.Sprintf("%+.1f%%", 100*(simulatedCycles[i]/d.measured[i]-1))
		}
		times.Add(strconv.FormatInt(p.Warps, 10), sheet.Duration(d.seconds(i)), simulated, off)
	}
	sums := sheet.Section{Columns: sheet.ColumnsOf("model", "occupancies", "MAPE", "of shape", "of time", "<")}
	for _, a := range d.accuracy {
		sums.Add(append(a.cells(), a.why)...)
	}
	return sheet.Sheet{{Title: fmt.Sprintf("%s on %s, against measured times", d.graph.Kernel, d.device.Title)},
		times, sums}
}

// deviationRow is a model and the measured time of an occupancy.
type deviationRow struct {
	Warps    int64    `json:"warps"`
	Model    string   `json:"model"`
	Seconds  *float64 `json:"seconds"` // nil where there is none
	Measured float64  `json:"measured_seconds"`
	Off      *float64 `json:"time_error_percent"`
	Invalid  string   `json:"invalid"`
}

// results has a record for each occupancy and model.
func (d *deviations) results() *results {
	var rows []deviationRow
	for i := range d.comparison.Points {
		for _, r := range d.rows(i) {
			row := deviationRow{Warps: r.Warps, Model: r.Model, Seconds: r.Seconds, Measured: d.seconds(i),
				Invalid: r.Invalid}
			if r.Seconds != nil {
				off := 100 * (*r.Seconds/row.Measured - 1)
				row.Off = &off
			}
			rows = append(rows, row)
		}
	}
	return &results{d.document(), sheet.RecordsOf(rows), d.sheet()}
}

// seconds is the measured time of a point.
func (d *deviations) seconds(point int) float64 { return d.measured[point] / float64(d.device.ClockHz) }

// compareDocument is the comparison as JSON.
type compareDocument struct {
	Format   string             `json:"format"` // "pipesim-compare"
	Version  int                `json:"version"`
	Kernel   string             `json:"kernel"`
	GPU      string             `json:"gpu"`
	Points   []measuredDocument `json:"points"`
	Accuracy []accuracy         `json:"accuracy"`
}

type measuredDocument struct {
	Warps    int64      `json:"warps"`
	Measured float64    `json:"measured_seconds"`
	Models   []modelRow `json:"models"`
}

func (d *deviations) document() compareDocument {
	doc := compareDocument{Format: "pipesim-compare", Version: 2, Kernel: d.graph.Kernel, GPU: d.device.Name,
		Accuracy: d.accuracy}
	for i, p := range d.comparison.Points {
		doc.Points = append(doc.Points, measuredDocument{p.Warps, d.seconds(i), d.rows(i)})
	}
	return doc
}

// codeMeasured is the code of diagnostics about measured times.
const codeMeasured = "MEASURED"
