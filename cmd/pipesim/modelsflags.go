package main

import (
	"fmt"
	"math"
	"slices"

	"gpupipe/cmd/internal/console"
	"gpupipe/idg"
	"gpupipe/internal/chart"
	"gpupipe/internal/report"
	"gpupipe/internal/spelling"
	"gpupipe/latencies"
	"gpupipe/simulate"
	"gpupipe/simulate/analytic"
	"gpupipe/simulate/sweep"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"
)

// modelsOptions is the command line of "pipesim models".
type modelsOptions struct {
	kernelOptions
	input string

	warps    warpList
	models   []analytic.Model
	simulate int
	mshrs    int
	explain  bool
	list     bool

	contention analytic.ResourceContention

	format                      report.Format
	output                      string
	plot, plotCusp, plotTransit string
	plotRoofline, plotError     string
}

// defaultSimulate is how many of many occupancies are simulated: enough to see
// the curve, at a fraction of the time.
const defaultSimulate = 8

func newModels(c *console.Console) *cobra.Command {
	o := &modelsOptions{format: report.Text, simulate: defaultSimulate}
	cmd := &cobra.Command{
		Use:   "models [flags] [IDG|-]",
		Short: "Compare the analytical models with the simulation",
		Long: `Shows what each analytical model predicts for a kernel, beside the simulation:
warps per cycle, time, what limits it, and how many warps the model asks for.
All use the same graph and device. A model that does not apply says why;
--explain gives its assumptions.

With several occupancies (--warps) it writes one row for each, and each model's
error against the simulation: MAPE (of the performance, warps per cycle), MAPE
without the best straight line (the shape), and MAPE of the time. Only whole
groups can be simulated.

Below the models: the throughput bound as a worksheet, and the concurrency that
each subsystem needs and has by Little's law.`,
		Example: `  idgen kernel.cl | pipesim models
  idgen --builtin mmul-08 | pipesim models --warps all --format csv
  pipesim models graph.json --models volkov,wfg,wfg-corrected --explain
  pipesim models graph.json --models gpumech-gto
  pipesim models graph.json --warps all --plot models.svg
  pipesim models graph.json --plot-roofline roofline.svg
  pipesim models --list                 papers, formulas, assumptions
  pipesim models graph.json --plot-cusp cusp.svg --plot-transit transit.svg
  idgen --builtin mix-global -O0 | pipesim models --plot-error error.svg`,
		Args: console.AtMostOne("graph"),
		RunE: func(cmd *cobra.Command, args []string) error {
			o.input = inputOf(args)
			if o.list {
				return listModels(c, o)
			}
			if err := o.check(cmd); err != nil {
				return err
			}
			return runModels(cmd.Context(), c, o)
		},
	}
	o.define(cmd)
	return cmd
}

// inputOf is the graph that a command reads: its argument, else standard input.
func inputOf(args []string) string {
	if len(args) == 1 {
		return args[0]
	}
	return console.StandardStream
}

// define adds the flags, in the order of the help.
func (o *modelsOptions) define(cmd *cobra.Command) {
	o.kernelOptions.define(cmd)
	console.Section(cmd, "Models", func(f *pflag.FlagSet) {
		f.BoolVar(&o.list, "list", false, "list the models, each with its paper, formula and assumptions, instead")
		f.Var(&console.Parsed[warpList]{Into: &o.warps, Parse: parseWarpList, Kind: "LIST"}, "warps",
			"occupancies: numbers of resident warps and ranges (1..64), or all that the device holds (default: what "+
				"its resources allow)")
		modelsFlag(f, &o.models)
		f.Var(&console.Parsed[int]{Into: &o.simulate, Parse: console.ParseBetween(-1, math.MaxInt32), Kind: "N"},
			"simulate",
			fmt.Sprintf("simulate at most N of the occupancies; 0 = none, -1 = all (default %d)", defaultSimulate))
		f.Var(&console.Parsed[int]{Into: &o.mshrs, Parse: console.ParseBetween(1, maxSmall), Kind: "N"}, "mshrs",
			fmt.Sprintf("misses that the first-level cache of a compute unit can hold, for MDM and GPUMech "+
				"(default %d)", analytic.DefaultMSHRs))
		f.Var(&console.Parsed[analytic.ResourceContention]{
			Into: &o.contention, Parse: analytic.ParseResourceContention, Kind: "ACCESSES",
			Values: []string{"none", "uncoalesced", "all"},
		}, "gpumech-contention", "accesses that wait for misses and DRAM in GPUMech: none, uncoalesced or all "+
			"(default none)")
	})
	console.Section(cmd, "Report", func(f *pflag.FlagSet) {
		f.BoolVar(&o.explain, "explain", false, "give each model's source and assumptions")
		plotFlag(f, &o.plot, "plot", "the throughput against occupancy, simulated and by the models asked for "+
			"(default: seven),")
		plotFlag(f, &o.plotRoofline, "plot-roofline",
			"the roofline: FLOP/s against FLOP/byte of each memory level, below their peaks,")
		plotFlag(f, &o.plotCusp, "plot-cusp", "the warps needed against arithmetic intensity")
		f.StringVar(&o.plotError, "plot-error", "", "draw each model's smallest and largest ratio to the simulation, "+
			"over mixes of the kernel's mean computation and access, to `FILE`.svg, .png or .csv")
		plotFlag(f, &o.plotTransit, "plot-transit", "Transit's supply and demand")
		formatFlag(f, &o.format, "text", report.Text, report.CSV, report.JSON, report.Markdown)
		outputFlag(f, &o.output)
	})
}

// modelsFlag adds --models.
func modelsFlag(f *pflag.FlagSet, into *[]analytic.Model) {
	var names []string
	for _, m := range analytic.Models() {
		names = append(names, m.About().Name)
	}
	f.Var(&console.List[analytic.Model]{Into: into, Parse: parseModels, Kind: "LIST", Values: names}, "models",
		"names of models (default: all)")
}

// define adds the flags on the device and the kernel's execution.
func (o *kernelOptions) define(cmd *cobra.Command) {
	console.Renamed(cmd, map[string]string{"groups": unitGroupsFlag})
	console.Section(cmd, "Device", func(f *pflag.FlagSet) {
		o.defineGPU(f)
		f.Var(console.Repeated(&o.rules, parseRule, "RULE"), "set",
			"replace parameters of instructions, as in ld.global@31:cpi=20,latency=162 (pipesim run --help "+
				"explains rules)")
		f.Var(&console.Parsed[latencies.Cycles]{Into: &o.config.IssueLimit, Parse: parseLimit, Kind: "X"},
			"issue-limit",
			"warp instructions that a compute unit issues per cycle at most (default: the device's)")
		f.Var(&console.Parsed[simulate.Scheduler]{
			Into: &o.config.Scheduler, Parse: latencies.ParseScheduler, Kind: "NAME",
			Values: latencies.SchedulerNames(),
		}, "scheduler", latencies.SchedulerHelp()+" (default: the device's, else rr)")
		f.Var(&console.Parsed[simulate.IssueMode]{
			Into: &o.config.Issue, Parse: latencies.ParseIssueMode, Kind: "MODE", Values: latencies.IssueModeNames(),
		}, "issue", "dataflow: any ready instruction of a warp; in-order: its next one only; "+
			"blocks: any ready one of its basic block, blocks in order (default: in-order for code compiled for "+
			"the device, else the device's)")
	})
	console.Section(cmd, "Execution", func(f *pflag.FlagSet) {
		f.Var(&console.Parsed[int64]{Into: &o.config.Groups, Parse: console.ParseAtLeast(1), Kind: "N"}, unitGroupsFlag,
			unitGroupsUsage)
		f.Var(&console.Parsed[int]{Into: &o.config.Registers, Parse: console.ParseBetween(1, maxSmall), Kind: "N"},
			"registers",
			"registers of a work item, as the compiler reports them (default: the graph's; else no limit)")
		f.BoolVar(&o.warm, "warm", false, warmUsage)
		f.BoolVar(&o.strict, "strict", false, strictUsage)
	})
	console.Section(cmd, "Simulation", func(f *pflag.FlagSet) { f.BoolVar(&o.config.Full, "full", false, fullUsage) })
}

// defineConcurrent adds --concurrent.
func (o *kernelOptions) defineConcurrent(f *pflag.FlagSet) {
	f.Var(&console.Parsed[int64]{Into: &o.config.Concurrent, Parse: console.ParseAtLeast(1), Kind: "M"}, "concurrent",
		"resident groups of a compute unit (default: what its resources allow; more shows what more resources "+
			"would bring)")
}

// Flags that several commands have.
const (
	unitGroupsFlag  = "unit-groups"
	unitGroupsUsage = "groups that one compute unit executes (default: its share of the launch)"
	warmUsage       = "start with L2 or L3 (Infinity Cache) holding what the launch touches, if it fits: one of " +
		"several launches in a row"
	fullUsage = "simulate every group, also of long launches, which are extrapolated otherwise"
)

// check finds flags that do not go together and completes the options.
func (o *modelsOptions) check(cmd *cobra.Command) error {
	if o.explain && o.format == report.CSV {
		return console.UsageOf(cmd, "--explain has no form in --format csv")
	}
	if o.simulate < -1 {
		return console.UsageOf(cmd, "--simulate %d: a number of occupancies, 0 for none or -1 for all", o.simulate)
	}
	if err := checkPlots(cmd, o.output, plotFile{"--plot", o.plot}, plotFile{"--plot-roofline", o.plotRoofline},
		plotFile{"--plot-cusp", o.plotCusp},
		plotFile{"--plot-transit", o.plotTransit}, plotFile{plotErrorFlag, o.plotError}); err != nil {
		return err
	}
	if n := len(o.models); o.plot != "" && n > maxDrawn {
		return console.UsageOf(cmd, "--plot draws up to %d models, not %d: choose with --models", maxDrawn, n)
	}
	if _, err := chart.FormOf(o.plotError); len(o.models) > maxRanges && err == nil {
		return console.UsageOf(cmd, "--plot-error draws up to %d models, not %d: choose with --models, or write .csv",
			maxRanges, len(o.models))
	}
	if o.plot != "" && !o.warps.given() {
		o.warps.all = true
	}
	return nil
}

// parseModels reads names of models.
func parseModels(text string) ([]analytic.Model, error) {
	var names []string
	byName := map[string]analytic.Model{}
	for _, m := range analytic.Models() {
		name := m.About().Name
		names = append(names, name)
		byName[name] = m
	}
	wanted, err := console.ParseNames(text)
	if err != nil {
		return nil, err
	}
	var models []analytic.Model
	for _, name := range wanted {
		m, ok := byName[name]
		if !ok {
			return nil, fmt.Errorf("there is no model %q; %s", name, spelling.Known("models", name, names))
		}
		models = append(models, m)
	}
	return models, nil
}

// warpList is the value of --warps.
type warpList struct {
	list []int64
	all  bool
}

func (w *warpList) given() bool { return w.all || len(w.list) > 0 }

func parseWarpList(text string) (w warpList, err error) {
	if text == everything {
		return warpList{all: true}, nil
	}
	if w.list, err = sweep.ParseWhole(text, 1, maxSmall); err != nil {
		return w, err
	}
	slices.Sort(w.list)
	w.list = slices.Compact(w.list)
	return w, nil
}

// resolve turns the flag into occupancies; nil is the one that resources allow.
func (w *warpList) resolve(g *idg.Graph, d *latencies.Device, cfg simulate.Config) ([]int64, error) {
	if !w.all {
		return w.list, nil
	}
	o, err := simulate.Capacity(g, d, cfg)
	if err != nil {
		return nil, err
	}
	var list []int64
	for n := int64(1); n <= max(o.MaxWarps, o.Warps); n++ {
		list = append(list, n)
	}
	return list, nil
}
