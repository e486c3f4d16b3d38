package main

import (
	"errors"
	"fmt"
	"io"
	"runtime"
	"strconv"
	"time"

	"github.com/spf13/pflag"

	"gpupipe/internal/target"
	"gpupipe/latencies"
)

// options is what the command line says.
type options struct {
	paths    []string
	defines  []string
	includes []string
	database string                  // a compilation database
	flags    map[string]compileFlags // of its files
	csv      string
	floor    float64 // percent
	timeout  time.Duration
	memory   int // MiB of heap for one kernel
	jobs     int // child processes
	every    int // take every n-th file
	reasons  int // lines of the table of reasons
	trips    int64
	exclude  []string
	gpu      string        // the device that code is for; "" = none
	target   target.Target // of that
	worker   bool          // run as a child process
}

// parseFlags reads the command line.
func parseFlags(args []string, stderr io.Writer) (*options, error) {
	o := &options{}
	f := pflag.NewFlagSet("coverage", pflag.ContinueOnError)
	f.SetOutput(stderr)
	f.Usage = func() {
		fmt.Fprintf(stderr, "Usage: go run ./internal/evidence/coverage [flags] DIR|FILE...\n\n"+
			"Tries every kernel of the .cl and .cu files and says which give a graph.\n\n%s", f.FlagUsages())
	}
	f.StringArrayVarP(&o.defines, "define", "D", nil, "define a macro, NAME or NAME=VALUE")
	f.StringArrayVarP(&o.includes, "include-path", "I", nil,
		"search DIR for #include, after the including file's directory")
	f.StringVar(&o.database, "compile-commands", "", "take the files of a compilation database, with the macros and "+
		"include paths of each (below DIR|FILE, if given)")
	f.StringVar(&o.csv, "csv", "", "write one line for each kernel to FILE")
	f.Float64Var(&o.floor, "floor", 0, "exit with status 1 when less than PERCENT of the kernels give a graph")
	f.DurationVar(&o.timeout, "timeout", 60*time.Second, "limit of processor time for one kernel")
	f.IntVar(&o.memory, "memory", 2048, "memory limit for one kernel in MiB")
	f.IntVarP(&o.jobs, "jobs", "j", runtime.NumCPU(), "number of processes")
	f.IntVar(&o.every, "every", 1, "take every N-th file, in the order of their paths")
	f.IntVar(&o.reasons, "reasons", 30, "lines of the table of reasons")
	f.Int64Var(&o.trips, "assume-trip", 0, "trip count of loops about which nothing is known (0 = idgen's default)")
	f.StringArrayVar(&o.exclude, "exclude", nil, "leave out files whose name matches PATTERN")
	f.StringVar(&o.gpu, "gpu", "", "make graphs for the device NAME, or of what the source says: source")
	f.BoolVar(&o.worker, "worker", false, "")
	if err := f.MarkHidden("worker"); err != nil {
		return nil, err
	}
	if err := f.Parse(args); err != nil {
		return nil, err
	}
	o.paths = f.Args()
	switch o.gpu {
	case "":
	case "source":
		o.target.Level = target.O0
	default:
		d, err := latencies.Builtin(o.gpu)
		if err != nil {
			return nil, err
		}
		o.target = d.Target()
	}
	switch {
	case len(o.paths) == 0 && o.database == "" && !o.worker:
		return nil, errors.New("no directory or file given")
	case o.every < 1 || o.jobs < 1 || o.memory < 1 || o.timeout <= 0 || o.trips < 0:
		return nil, errors.New("--every, --jobs, --memory and --timeout take positive numbers")
	case o.floor < 0 || o.floor > 100:
		return nil, fmt.Errorf("--floor %g is not a percentage", o.floor)
	}
	return o, nil
}

// workerArgs is the command line of a child process.
func (o *options) workerArgs() []string {
	args := []string{"--worker", "--memory", strconv.Itoa(o.memory), "--timeout", o.timeout.String(),
		"--assume-trip", strconv.FormatInt(o.trips, 10), "--gpu", o.gpu}
	for _, d := range o.defines {
		args = append(args, "--define", d)
	}
	for _, i := range o.includes {
		args = append(args, "--include-path", i)
	}
	return args
}
