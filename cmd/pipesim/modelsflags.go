package main

import (
	"fmt"
	"math"
	"path/filepath"
	"slices"
	"strings"

	"gpupipe/cmd/internal/console"
	"gpupipe/idg"
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

	contention analytic.ResourceContention

	format                      format
	output                      string
	plot, plotCusp, plotTransit string
	plotError                   string
}

// defaultSimulate is how many of many occupancies are simulated: enough to see
// the curve, at a fraction of the time.
const defaultSimulate = 8

func newModels(c *console.Console) *cobra.Command {
	o := &modelsOptions{}
	cmd := &cobra.Command{
		Use:   "models [flags] [IDG|-]",
		Short: "Compare the analytical models with the simulation",
		Long: `Says what each analytical model of the literature predicts for a kernel, beside the
simulation: warps per cycle, time, what bounds it, and how many warps the model
asks for. All take the same graph, contexts and device. A model that does not
apply says why instead of a number; --explain says what each assumes.

With several occupancies (--warps) it writes one row for each, and how far each
model is from the simulation: MAPE (of the performance, warps per cycle), the same
after the best straight line is taken off (the shape), and MAPE of the time. Only
whole groups can be simulated.

Below the models stand the throughput bound as a worksheet and the concurrency
that each subsystem needs and has by Little's law.`,
		Example: `  idgen kernel.cl | pipesim models
  idgen --builtin mmul-08 | pipesim models --gpu gtx1060 --warps all --format csv
  pipesim models graph.json --models volkov,wfg,wfg-corrected --explain
  pipesim models graph.json --models gpumech-gto --gpumech-contention uncoalesced
  pipesim models graph.json --warps all --plot rooflines.svg
  pipesim models graph.json --plot-cusp cusp.svg --plot-transit transit.svg
  idgen --builtin mix-global -O0 | pipesim models --plot-error error.svg`,
		Args:          atMostOne("graph"),
		SilenceErrors: true, SilenceUsage: true,
		RunE: func(cmd *cobra.Command, args []string) error {
			o.input = inputOf(args)
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
	f := cmd.Flags()
	f.SortFlags = false
	f.Var(&console.Parsed[warpList]{Into: &o.warps, Parse: parseWarpList, Kind: "LIST"}, "warps", "occupancies: numbers of resident warps and ranges (1..64), or all that the device holds (default: what its resources allow)")
	f.Var(&list[analytic.Model]{into: &o.models, parse: parseModels, kind: "LIST"}, "models", "names of models (default: all)")
	o.simulate = defaultSimulate
	f.Var(&console.Parsed[int]{Into: &o.simulate, Parse: console.ParseBetween(-1, math.MaxInt32), Kind: "N"}, "simulate", fmt.Sprintf("simulate at most N of the occupancies; 0 = none, -1 = all (default %d)", defaultSimulate))
	o.kernelOptions.define(f)
	f.Var(&console.Parsed[int]{Into: &o.mshrs, Parse: console.ParseBetween(1, maxSmall), Kind: "N"}, "mshrs", fmt.Sprintf("misses that the first-level cache of a compute unit can hold, for MDM and GPUMech (default %d)", analytic.DefaultMSHRs))
	f.Var(&console.Parsed[analytic.ResourceContention]{Into: &o.contention, Parse: analytic.ParseResourceContention, Kind: "ACCESSES"}, "gpumech-contention", "accesses that wait for misses and DRAM in GPUMech: none, uncoalesced or all (default none)")
	f.BoolVar(&o.explain, "explain", false, "say where each model comes from and what it assumes")
	f.Var(&console.Parsed[format]{Into: &o.format, Parse: parseFormat, Kind: "FORMAT"}, "format", "text, csv or json (default text)")
	f.StringVar(&o.plot, "plot", "", "draw the occupancy rooflines to `FILE`.svg or .png")
	f.StringVar(&o.plotCusp, "plot-cusp", "", "draw needed warps against arithmetic intensity to `FILE`.svg or .png")
	f.StringVar(&o.plotError, "plot-error", "", "draw the least and the most that each model is of the simulation, on mixes of the kernel's mean computation and access, against their ratio, to `FILE`.svg, .png or .csv")
	f.StringVar(&o.plotTransit, "plot-transit", "", "draw Transit's supply and demand to `FILE`.svg or .png")
	f.StringVarP(&o.output, "output", "o", "", "write to `FILE` instead of standard output")
}

// define adds the flags on the kernel's execution.
func (o *kernelOptions) define(f *pflag.FlagSet) {
	o.defineGPU(f)
	f.Var(&console.Repeated[latencies.Rule]{Into: &o.rules, Parse: parseRule, Kind: "RULE"}, "set", "replace the parameters of instructions, as in pipesim run")
	f.Var(&console.Parsed[int64]{Into: &o.config.Groups, Parse: console.ParseAtLeast(1), Kind: "N"}, "groups", "groups that the compute unit runs (default: its share of the launch)")
	f.Var(&console.Parsed[int]{Into: &o.config.Registers, Parse: console.ParseBetween(1, maxSmall), Kind: "N"}, "registers", "registers of a work item (default: the graph's; else they limit nothing)")
	f.Var(&console.Parsed[simulate.Scheduler]{Into: &o.config.Scheduler, Parse: simulate.ParseScheduler, Kind: "NAME"}, "scheduler", "of the simulation: rr, gto, gty, oldest or group (default: the device's, else rr)")
	f.Var(&console.Parsed[simulate.IssueMode]{Into: &o.config.Issue, Parse: simulate.ParseIssueMode, Kind: "MODE"}, "issue", "of the simulation: dataflow, in-order or blocks (default: the device's, else dataflow)")
	f.Var(&console.Parsed[latencies.Cycles]{Into: &o.config.IssueLimit, Parse: parseLimit, Kind: "X"}, "issue-limit", "warp instructions that a compute unit can issue per cycle (default: the device's)")
	f.BoolVar(&o.warm, "warm", false, warmUsage)
	f.BoolVar(&o.config.Full, "full", false, "simulate every group; otherwise long launches are extrapolated from their steady state")
}

// check finds flags that do not go together and completes the options.
func (o *modelsOptions) check(cmd *cobra.Command) error {
	switch o.format {
	case 0:
		o.format = formatText
	case formatMarkdown:
		return usage(cmd, "--format %v: the models are written as text, csv or json", o.format)
	}
	if o.explain && o.format == formatCSV {
		return usage(cmd, "--explain has no form in --format csv")
	}
	if o.simulate < -1 {
		return usage(cmd, "--simulate %d: a number of occupancies, 0 for none or -1 for all", o.simulate)
	}
	seen := map[string]string{}
	if o.output != "" {
		seen[filepath.Clean(o.output)] = "-o"
	}
	drawn := func(file string) error { _, err := drawingForm(file); return err }
	for _, p := range []struct {
		flag, file string
		check      func(string) error
	}{{"--plot", o.plot, drawn}, {"--plot-cusp", o.plotCusp, drawn}, {"--plot-transit", o.plotTransit, drawn}, {"--plot-error", o.plotError, errorForm}} {
		if p.file == "" {
			continue
		}
		if err := p.check(p.file); err != nil {
			return usage(cmd, "%s %s: %v", p.flag, p.file, err)
		}
		if other, ok := seen[filepath.Clean(p.file)]; ok {
			return usage(cmd, "%s and %s name the same file %s", other, p.flag, p.file)
		}
		seen[filepath.Clean(p.file)] = p.flag
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
	wanted, err := parseNames(text)
	if err != nil {
		return nil, err
	}
	var models []analytic.Model
	for _, name := range wanted {
		m, ok := byName[name]
		if !ok {
			hint := spelling.DidYouMean(name, names)
			if hint == "" {
				hint = "there are " + strings.Join(names, ", ")
			}
			return nil, fmt.Errorf("there is no model %q; %s", name, hint)
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
