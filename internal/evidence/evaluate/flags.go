package main

import (
	"errors"
	"fmt"
	"io"
	"runtime"

	"github.com/spf13/pflag"

	"gpupipe/latencies"
	"gpupipe/simulate"
)

// options is what the command line says.
type options struct {
	specs    []string
	sources  string
	measured string
	gpu      string
	csv      string
	report   string
	jobs     int
	every    int
	issue    string      // as given
	modes    []issueMode // those of issue; if there are none, the device's (see newPredictor)
	config   simulate.Config
}

// parseFlags reads the command line.
func parseFlags(args []string, stderr io.Writer) (*options, error) {
	o := &options{}
	f := pflag.NewFlagSet("evaluate", pflag.ContinueOnError)
	f.SortFlags = false
	f.SetOutput(stderr)
	f.Usage = func() {
		fmt.Fprintf(stderr, "Usage: go run ./internal/evidence/evaluate [flags] SPEC.yaml...\n\n"+
			"Predicts every configuration of tuned kernels and compares with measured times. A\n"+
			"specification names the kernel's source, a table of measured times (CSV), and how its\n"+
			"columns become macros and launch sizes:\n\n"+
			"    title: Blur\n    source: blur.cu\n    kernel: blur\n    measured: blur.csv\n    time: {column: ms, "+
			"seconds: 0.001}\n"+
			"    local: [block_x, block_y]\n    groups: [ceil(4096 / (block_x * tile)), ceil(4096 / block_y)]\n\n"+
			"docs/guide/evaluation.md explains all fields.\n\n%s", f.FlagUsages())
	}
	f.StringVar(&o.gpu, "gpu", "", "the device `NAME` that the times were measured on, or a device file (default the "+
		"specification's)")
	f.StringVar(&o.sources, "sources", ".", "kernels' source files lie below `DIR`")
	f.StringVar(&o.measured, "measured", ".", "tables of measured times lie below `DIR`")
	f.StringVarP(&o.csv, "output", "o", "", "write one line for each configuration to `FILE` (CSV)")
	f.StringVar(&o.report, "report", "", "write the report to `FILE` (default standard output)")
	f.IntVarP(&o.jobs, "jobs", "j", runtime.NumCPU(), "configurations predicted at the same time")
	f.IntVar(&o.every, "every", 1, "take every `N`-th row of a table")
	f.StringVar(&o.issue, "issue", "", "`MODES` to predict with, the first in detail: dataflow, blocks or in-order "+
		"(default the device's, as pipesim)")
	scheduler := f.String("scheduler", "", latencies.SchedulerHelp()+" (default the device's)")
	if err := f.Parse(args); err != nil {
		return nil, err
	}
	var err error
	if o.issue != "" {
		if o.modes, err = parseIssueModes(o.issue); err != nil {
			return nil, err
		}
	}
	if *scheduler != "" {
		if o.config.Scheduler, err = latencies.ParseScheduler(*scheduler); err != nil {
			return nil, err
		}
	}
	o.specs = f.Args()
	switch {
	case len(o.specs) == 0:
		return nil, errors.New("no specification given")
	case o.jobs < 1 || o.every < 1:
		return nil, errors.New("--jobs and --every take positive numbers")
	}
	return o, nil
}
