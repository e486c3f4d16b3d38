package main

import (
	"context"
	"fmt"

	"gpupipe/cmd/internal/console"
	"gpupipe/idg"
	"gpupipe/idg/isa"
	"gpupipe/internal/chart"
	"gpupipe/internal/diag"
	"gpupipe/internal/report"
	"gpupipe/internal/sheet"
	"gpupipe/latencies"
	"gpupipe/simulate"
	"gpupipe/simulate/timeline"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"
)

// occupancyOptions is the command line of "pipesim occupancy".
type occupancyOptions struct {
	kernelOptions
	input  string
	format report.Format
	output string
	plot   string
}

func newOccupancy(c *console.Console) *cobra.Command {
	o := &occupancyOptions{format: report.Text}
	cmd := &cobra.Command{
		Use:   "occupancy [flags] [IDG|-]",
		Short: "Show the resident warps over a run, and their lifetimes",
		Long: `Simulates some waves of groups instruction by instruction and shows the
occupancy over time: the resident warps, their mean against what resources
allow, the lifetimes of warps, and the latencies of memory accesses. Groups that
start and end together, or that differ in length, attain less than the nominal
occupancy.

--format csv writes one row for each warp: group, warp, start and end.`,
		Example: `  idgen --builtin reduction | pipesim occupancy
  pipesim occupancy graph.json --unit-groups 40 --format csv -o lifetimes.csv
  pipesim occupancy graph.json --plot occupancy.svg`,
		Args: console.AtMostOne("graph"),
		RunE: func(cmd *cobra.Command, args []string) error {
			o.input = inputOf(args)
			if err := checkPlots(cmd, o.output, plotFile{"--plot", o.plot}); err != nil {
				return err
			}
			return runOccupancy(cmd.Context(), c, o)
		},
	}
	o.kernelOptions.define(cmd)
	console.Section(cmd, "Execution", o.defineConcurrent)
	console.Section(cmd, "Report", func(f *pflag.FlagSet) {
		plotFlag(f, &o.plot, "plot", "the resident warps over time")
		formatFlag(f, &o.format, "text", report.Text, report.CSV, report.JSON, report.Markdown)
		outputFlag(f, &o.output)
	})
	return cmd
}

// shownWaves is how many waves of groups are simulated unless --unit-groups says
// otherwise: a start, something between, and an end.
const shownWaves = 4

// mostShown is so many waves of groups, or fewer whole waves if not all of
// their instructions can be recorded; at least one.
func mostShown(g *idg.Graph, concurrent int64) int64 {
	var perGroup int64
	executions := g.Executions()
	for i, p := range g.Programs() {
		perGroup += executions[i] * min(p.Len(), simulate.MaxProfile)
	}
	waves := int64(shownWaves)
	for waves > 1 && waves*concurrent > simulate.MaxProfile/max(perGroup, 1) {
		waves--
	}
	return waves * concurrent
}

// lived is a run with the lives of its warps.
type lived struct {
	kernel   string
	device   *latencies.Device
	result   *simulate.Result
	timeline *timeline.Timeline
	lives    timeline.Spread
	memory   []timeline.OpLatency
	shown    bool // a part of the launch
}

func runOccupancy(ctx context.Context, c *console.Console, o *occupancyOptions) error {
	s, err := o.kernelOptions.open(c, o.input)
	if err != nil {
		return err
	}
	capacity, err := simulate.Capacity(s.graph, s.device, o.config)
	if err != nil {
		return err
	}
	options := o.options(c, s.subject)
	k, err := options.Map(s.graph, capacity.Groups)
	if err != nil {
		return err
	}
	cfg := o.config
	cfg.Profile, cfg.Full = true, true
	shown := false
	if cfg.Groups == 0 {
		whole, err := simulate.Capacity(s.graph, s.device, simulate.Config{Registers: o.config.Registers})
		if err != nil {
			return err
		}
		most := mostShown(s.graph, capacity.Groups)
		for _, limit := range whole.Candidates {
			if limit.Resource == "launch" && limit.Groups > most {
				cfg.Groups, shown = most, true
			}
		}
	}
	r, err := simulate.Run(ctx, s.graph, k.Mapping, cfg)
	if err != nil {
		return err
	}
	t, err := timeline.New(r.Profile)
	if err != nil {
		return diag.Errorf(diag.Pos{}, "TOO-LARGE", "the run is too long to be recorded: more than %s instructions",
			sheet.Grouped(simulate.MaxProfile)).
			WithNote("choose fewer groups (--unit-groups, --concurrent)")
	}
	l := &lived{kernel: s.graph.Kernel, device: s.device, result: r, timeline: t, lives: t.Lives(), shown: shown,
		memory: timeline.Latencies(r.Profile, func(op string) bool {
			verb := isa.Parse(op).Verb
			return verb == isa.Load || verb == isa.Atomic
		})}
	if err := emitDrawing(c, o.plot, s, func(*sideBySide) (drawing, error) { return l.draw(), nil }); err != nil {
		return err
	}
	return l.results().emit(c, o.output, o.format)
}

// draw draws the resident warps as steps, their mean, and what resources allow.
func (l *lived) draw() drawing {
	resident := chart.Series{Name: "resident", Style: chart.Area}
	before := 0
	for _, s := range l.timeline.Steps {
		resident.Points = append(resident.Points, chart.Point{X: s.Time, Y: float64(before)},
			chart.Point{X: s.Time, Y: float64(s.Warps)})
		before = s.Warps
	}
	level := func(name string, warps float64) chart.Series {
		return chart.Series{
			Name: name + " " + sheet.Significant(warps), Style: chart.Dashed,
			Points: []chart.Point{{X: 0, Y: warps}, {X: l.timeline.End, Y: warps}},
		}
	}
	mean := level("mean", l.timeline.Mean)
	mean.Style = chart.Line
	return &chart.Chart{
		Title: fmt.Sprintf("%s on %s: occupancy", l.kernel, l.device.Title),
		X:     chart.Axis{Label: "time (cycles)"}, Y: chart.Axis{Label: "warps of a compute unit"},
		Series: []chart.Series{resident, mean, level("resources allow", float64(l.result.OccupancyWarps))},
	}
}

// occupancyBars is how many parts of the run are drawn.
const occupancyBars = 24

func (l *lived) sheet() sheet.Sheet {
	t, r := l.timeline, l.result
	head := sheet.Section{Title: fmt.Sprintf("%s on %s", l.kernel, l.device.Title), About: []string{
		fmt.Sprintf("%s, %s at once", sheet.Count(r.Groups, "group"), sheet.Count(r.ConcurrentGroups, "group")),
		sheet.Grouped(int64(t.End+0.5)) + " cycles",
	}}
	if l.shown {
		head.About = append(head.About, fmt.Sprintf("%s of the launch",
			sheet.Count(r.Groups/r.ConcurrentGroups, "wave")))
	}
	attained := sheet.Section{Text: []string{fmt.Sprintf("attained occupancy %s of %s (%s of what resources allow)",
		sheet.Significant(t.Mean), sheet.Count(r.OccupancyWarps, "warp"),
		sheet.Percent(t.Mean/float64(r.OccupancyWarps)))}}
	over := sheet.Section{Columns: sheet.ColumnsOf("from cycle", "warps", sheet.BarColumn)}
	over.Columns[0].Right = true
	for i := range occupancyBars {
		from, to := t.End*float64(i)/occupancyBars, t.End*float64(i+1)/occupancyBars
		warps := t.Between(from, to)
		share := warps / float64(r.OccupancyWarps)
		over.Rows = append(over.Rows, sheet.Row{Cells: []string{sheet.Grouped(int64(from + 0.5)),
			sheet.Significant(warps), ""}, Bar: share})
	}
	spread := sheet.Section{Columns: sheet.ColumnsOf("cycles", "count", "least", "5%", "25%", "median", "75%", "95%",
		"most", "mean")}
	add := func(name string, s timeline.Spread) {
		spread.Add(name, sheet.Grouped(int64(s.Count)), sheet.Significant(s.Min), sheet.Significant(s.P5),
			sheet.Significant(s.P25), sheet.Significant(s.Median), sheet.Significant(s.P75), sheet.Significant(s.P95),
			sheet.Significant(s.Max), sheet.Significant(s.Mean))
	}
	add("life of a warp", l.lives)
	for _, m := range l.memory {
		add(m.Op, m.Spread)
	}
	all := sheet.Sheet{head, attained, over, spread}
	for _, m := range l.memory {
		if sheet.Significant(m.Min) != sheet.Significant(m.Max) { // the times differ by rounding
			all = append(all, histogram(m))
		}
	}
	return all
}

// histogramBins is the number of rows of a histogram.
const histogramBins = 12

// histogram is the latencies of an op that are not all the same.
func histogram(m timeline.OpLatency) sheet.Section {
	bins := m.Bins(histogramBins)
	most := 0
	for _, b := range bins {
		most = max(most, b.Count)
	}
	s := sheet.Section{Title: "Latencies of " + m.Op, Columns: sheet.ColumnsOf("cycles", "accesses", sheet.BarColumn)}
	s.Columns[0].Right = true
	for _, b := range bins {
		share := float64(b.Count) / float64(most)
		s.Rows = append(s.Rows, sheet.Row{Cells: []string{sheet.Significant(b.From) + " to " + sheet.Significant(b.To),
			sheet.Grouped(int64(b.Count)), ""}, Bar: share})
	}
	return s
}

// results has a record for each warp.
func (l *lived) results() *results {
	d := l.document()
	var rows []lifeRecord
	for _, x := range d.Lifetimes {
		rows = append(rows, lifeRecord{x, x.End - x.Start})
	}
	return &results{d, sheet.RecordsOf(rows), l.sheet()}
}

// lifeRecord is the life of a warp and how long it is.
type lifeRecord struct {
	lifetimeDocument
	Cycles float64 `json:"cycles"`
}

// occupancyDocument is the occupancy over time as JSON.
type occupancyDocument struct {
	Format       string             `json:"format"` // "pipesim-occupancy"
	Version      int                `json:"version"`
	Kernel       string             `json:"kernel"`
	GPU          string             `json:"gpu"`
	Groups       int64              `json:"groups"`
	NominalWarps int64              `json:"nominal_warps"`
	MeanWarps    float64            `json:"mean_warps"`
	PeakWarps    int                `json:"peak_warps"`
	Cycles       float64            `json:"cycles"`
	Steps        []stepDocument     `json:"steps"`
	Lifetimes    []lifetimeDocument `json:"lifetimes"`
	Latencies    []spreadDocument   `json:"latencies"`
}

type stepDocument struct {
	Cycle float64 `json:"cycle"`
	Warps int     `json:"warps"`
}

type lifetimeDocument struct {
	Group int64   `json:"group"`
	Warp  uint32  `json:"warp"`
	Start float64 `json:"start"`
	End   float64 `json:"end"`
}

type spreadDocument struct {
	Op     string  `json:"op"`
	Count  int     `json:"count"`
	Min    float64 `json:"min"`
	Median float64 `json:"median"`
	Mean   float64 `json:"mean"`
	P5     float64 `json:"p5"`
	P25    float64 `json:"p25"`
	P75    float64 `json:"p75"`
	P90    float64 `json:"p90"`
	P95    float64 `json:"p95"`
	Max    float64 `json:"max"`
}

func (l *lived) document() occupancyDocument {
	t, r := l.timeline, l.result
	d := occupancyDocument{
		Format: "pipesim-occupancy", Version: 1, Kernel: l.kernel, GPU: l.device.Name, Groups: r.Groups,
		NominalWarps: r.OccupancyWarps, MeanWarps: t.Mean, PeakWarps: t.Peak, Cycles: t.End,
		Latencies: []spreadDocument{},
	}
	for _, s := range t.Steps {
		d.Steps = append(d.Steps, stepDocument{s.Time, s.Warps})
	}
	for _, x := range t.Lifetimes {
		d.Lifetimes = append(d.Lifetimes, lifetimeDocument(x))
	}
	for _, m := range l.memory {
		d.Latencies = append(d.Latencies, spreadDocument{
			Op: m.Op, Count: m.Count, Min: m.Min, P5: m.P5, P25: m.P25, Median: m.Median, P75: m.P75, P90: m.P90,
			P95: m.P95, Max: m.Max, Mean: m.Mean,
		})
	}
	return d
}
