package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"gpupipe/cmd/internal/console"
	"gpupipe/internal/diag"
	"gpupipe/internal/measure"
	"gpupipe/internal/measure/micro"
	"gpupipe/internal/measure/replay"
	"gpupipe/internal/spelling"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"
)

// runOptions is the command line of "gpumeasure run".
type runOptions struct {
	device  string
	quick   bool
	classes []measure.Class
	folder  string
	resume  string
	limit   time.Duration
}

// samplesName is the file of samples in the folder of a run.
const samplesName = "samples.csv"

func newRun(c *console.Console) *cobra.Command {
	o := &runOptions{limit: 20 * time.Second}
	cmd := &cobra.Command{
		Use:   "run [flags]",
		Short: "Run the microbenchmarks and write a device file",
		Long: `Runs the microbenchmark of each instruction class at every occupancy and writes

  samples.csv  what each launch took, as it was measured
  device.yaml  the device file that follows from it: idgen and pipesim --gpu
  report.txt   each number with its 95% interval and residual: measured, a bound, or
               inherited and why
  plots/       a plot of each class: samples, curve and residuals

Each microbenchmark verifies what it computes. A launch during which the clock
moves is repeated, and marked if it moves again. What the device lacks is skipped;
samples.csv says why. An interrupted run goes on with --resume. With --device
synthetic:NAME a built-in device or device file is simulated, with noise and outliers;
with --device replay:FILE the samples of an earlier run answer as their device did.
device.yaml refines the built-in device that is nearest: what the samples do not tell
is that device's, and report.txt says why.`,
		Example: `  gpumeasure run -o mygpu
  gpumeasure run --quick --class add.f32,ld.global -o mygpu
  gpumeasure run --resume mygpu/samples.csv`,
		Args: console.Takes(0, 0, "run takes no argument; a kernel is timed by gpumeasure kernel"),
		RunE: func(cmd *cobra.Command, _ []string) error {
			if o.resume != "" && cmd.Flags().Changed("output") {
				return console.UsageOf(cmd, "--resume continues its file where it is; -o is not needed")
			}
			return runRun(cmd.Context(), c, o)
		},
	}
	console.Section(cmd, "Measurement", func(f *pflag.FlagSet) {
		deviceFlag(f, &o.device)
		f.BoolVar(&o.quick, "quick", false, "measure fewer occupancies and repetitions")
		f.Var(&console.List[measure.Class]{Into: &o.classes, Parse: parseClasses, Kind: "CLASSES",
			Values: classNames()}, "class",
			"measure some instruction classes, such as add.f32,ld.global;\na name with a point at its end is all "+
				"that begin with it: ld.local.")
		f.Var(&console.Parsed[time.Duration]{Into: &o.limit, Parse: console.ParseTimeout, Kind: "TIME"}, "limit",
			"give a launch up after TIME (default 20s)")
	})
	console.Section(cmd, "Output", func(f *pflag.FlagSet) {
		f.StringVarP(&o.folder, "output", "o", "measured", "write the files into `DIR`")
		f.StringVar(&o.resume, "resume", "", "continue the run that wrote `FILE`")
	})
	return cmd
}

func classNames() []string {
	var names []string
	for _, c := range measure.Classes() {
		names = append(names, c.Name)
	}
	return names
}

// parseClasses reads names of classes, and beginnings of names that end in a point.
func parseClasses(text string) ([]measure.Class, error) {
	names, err := console.ParseNames(text)
	if err != nil {
		return nil, err
	}
	var list []measure.Class
	for _, name := range names {
		before := len(list)
		for _, c := range measure.Classes() {
			if c.Name == name || strings.HasSuffix(name, ".") && strings.HasPrefix(c.Name, name) {
				list = append(list, c)
			}
		}
		if len(list) == before {
			return nil, fmt.Errorf("there is no class %q; %s", name, spelling.Known("classes", name, classNames()))
		}
	}
	return list, nil
}

// selected are the classes of the command line in the order of the table, each once.
func (o *runOptions) selected() []measure.Class {
	if len(o.classes) == 0 {
		return measure.Classes()
	}
	return slices.DeleteFunc(measure.Classes(), func(c measure.Class) bool {
		return !slices.ContainsFunc(o.classes, func(w measure.Class) bool { return w.Name == c.Name })
	})
}

func (o *runOptions) measureOptions() measure.Options {
	if o.quick {
		return measure.Quick
	}
	return measure.Options{}
}

// runRun runs the stages: open the device, read what is known, measure, fit.
func runRun(ctx context.Context, c *console.Console, o *runOptions) error {
	name := filepath.Join(o.folder, samplesName)
	if o.resume != "" {
		name = o.resume
	} else if err := refuseOld(name); err != nil {
		return err
	}
	bench, closeBench, err := openBench(o)
	if err != nil {
		return err
	}
	defer closeBench()
	plan := measure.Plan(bench.Properties(), o.selected(), o.quick)
	known, err := o.known(name, bench.Properties(), plan)
	if err != nil {
		return err
	}
	if err := os.MkdirAll(filepath.Dir(name), 0o777); err != nil {
		return console.OutputError(filepath.Dir(name), err)
	}
	c.AdviseAfterInterrupt("what is measured is kept; continue with: " + o.again(name))
	samples, err := measurePoints(ctx, c, o, name, bench, plan, known)
	if err != nil {
		return err
	}
	c.AdviseAfterInterrupt("")
	if err := c.Emit("", func(w io.Writer) error { return summary(w, name, bench.Properties(), samples) }); err != nil {
		return err
	}
	return writeFit(c, &fitOptions{folder: filepath.Dir(name), plots: true}, bench.Properties(), samples,
		time.Now().Format("2006-01-02"))
}

// openBench opens the device of the command line.
func openBench(o *runOptions) (measure.Bench, func(), error) {
	if name, ok := strings.CutPrefix(o.device, syntheticPrefix); ok {
		b, err := openSynthetic(name)
		return b, func() {}, err
	}
	if name, ok := strings.CutPrefix(o.device, replayPrefix); ok {
		device, samples, err := readSamples(name)
		return replay.New(device, samples), func() {}, err
	}
	f, err := choose(o.device)
	if err != nil {
		return nil, nil, err
	}
	d, err := f.opened()
	if err != nil {
		return nil, nil, err
	}
	b := micro.New(d, o.limit)
	return b, b.Close, nil
}

// known are the samples of the run that is continued.
func (o *runOptions) known(name string, device measure.Properties, plan []measure.Point) ([]measure.Sample, error) {
	if o.resume == "" {
		return nil, nil
	}
	was, samples, err := readSamples(name)
	if err != nil {
		return nil, err
	}
	if was != device {
		return nil, diag.Errorf(diag.Pos{File: name}, codeDevice,
			"the samples are of %s, driver %s; this is %s, driver %s", was.Name, was.Driver, device.Name,
			device.Driver).
			WithNote("choose the device with --device, or measure anew with -o")
	}
	done := measure.Completed(plan, samples, o.measureOptions())
	if len(done) == 0 && len(samples) > 0 {
		return nil, diag.Errorf(diag.Pos{File: name}, codeDevice,
			"the samples are of another run").WithNote("give --quick and --class as then")
	}
	return done, nil
}

// measurePoints measures what is not known, with progress, and keeps each point as soon as it is measured.
func measurePoints(ctx context.Context, c *console.Console, o *runOptions, name string, b measure.Bench,
	plan []measure.Point, known []measure.Sample) ([]measure.Sample, error) {
	file, err := startSamples(c, name, b.Properties(), known)
	if err != nil {
		return nil, err
	}
	samples := slices.Clone(known)
	done := measure.PointsDone(plan, known, o.measureOptions())
	progress := console.NewProgress(c.Stderr, "point", len(plan), done)
	shares := measure.Shares(plan)
	progress.Share = func(done int) float64 { return shares[done] }
	err = measure.Run(ctx, b, plan, known, o.measureOptions(), func(s []measure.Sample) error {
		samples = append(samples, s...)
		done++
		progress.Show(done)
		return file.add(s)
	})
	progress.Clear()
	if failed := file.close(); err == nil {
		err = failed
	}
	if lost, ok := errors.AsType[*measure.LostError](err); ok {
		return nil, diag.Errorf(diag.Pos{}, codeDevice, "%v", lost).
			WithNote("%d of %d points are measured and kept; continue with: %s", done, len(plan), o.again(name))
	}
	return samples, err
}

// again is the command line that continues the run.
func (o *runOptions) again(name string) string {
	line := "gpumeasure run"
	if o.device != "" {
		line += " --device " + o.device
	}
	if o.quick {
		line += " --quick"
	}
	if len(o.classes) > 0 {
		var names []string
		for _, c := range o.selected() {
			names = append(names, c.Name)
		}
		line += " --class " + strings.Join(names, ",")
	}
	return line + " --resume " + name
}

// summary says what was measured.
func summary(w io.Writer, name string, p measure.Properties, samples []measure.Sample) error {
	classes, skipped, marked := map[string]bool{}, map[string]bool{}, 0
	for _, s := range samples {
		switch {
		case s.Skipped():
			skipped[s.Class] = true
		case s.Marked != "":
			marked++
		default:
			classes[s.Class] = true
		}
	}
	_, err := fmt.Fprintf(w, "%s\n%s: %d samples of %d classes; %d samples marked, %d classes skipped in part or "+
		"whole\n", p.Name, name, len(samples), len(classes), marked, len(skipped))
	return err
}
