package main

import (
	"errors"
	"fmt"
	"path/filepath"
	"runtime"
	"strings"

	"gpupipe/cmd/internal/console"
	"gpupipe/internal/report"
	"gpupipe/latencies"
	"gpupipe/simulate"
	"gpupipe/simulate/sweep"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"
)

// sweepOptions is the command line of a sweep.
type sweepOptions struct {
	inputs []string
	gpus   []string
	space  sweep.Space
	shard  sweep.Shard

	concurrent concurrencies
	jobs       int
	resume     string
	strict     bool // assumptions are errors
	strictRows bool

	format report.Format
	output string
	plot   string
}

// everything is the list of all values of a flag.
const everything = "all"

// sweepFormat is the default of --format: a table for a reader at a terminal, rows for a file or pipe.
func sweepFormat(c *console.Console, o *sweepOptions) report.Format {
	if o.output == "" && o.resume == "" && console.IsTerminal(c.Stdout) {
		return report.Text
	}
	return report.CSV
}

// rowFormat is the library's name of the format of rows.
func rowFormat(f report.Format) sweep.Format {
	if f == report.JSONLines {
		return sweep.JSONLines
	}
	return sweep.CSV
}

func newSweep(c *console.Console) *cobra.Command {
	o := &sweepOptions{}
	cmd := &cobra.Command{
		Use:   "sweep [flags] [IDG...|-]",
		Short: "Simulate many occupancies, devices, parameters or graphs",
		Long: `Simulates the cross product of all listed values, on all processors, and writes
one row for each configuration, always in the same order; --format text has the
fastest first. By default it varies the occupancy: one row for each number of
resident groups that a launch reaches by allocating local memory.`,
		Example: `  idgen kernel.cl | pipesim sweep --format chart
  pipesim sweep *.json --gpu gtx480,gtx1060,rtx2070 -o results.csv
  pipesim sweep *.json --gpu all --resume results.csv
  pipesim sweep mmul.json --vary 'ld.global:latency=100..800:100' --format text
  pipesim sweep mmul.json --scheduler all --issue all --concurrent 1..32*2
  pipesim sweep *.json --plot speedup.svg -o results.csv
  pipesim sweep *.json --shard $I/16 -o part$I.csv       job I of 16`,
		Args: cobra.ArbitraryArgs,
		RunE: func(cmd *cobra.Command, args []string) error {
			o.inputs = args
			if len(args) == 0 {
				o.inputs = []string{console.StandardStream}
			}
			if o.format == 0 {
				o.format = sweepFormat(c, o)
			}
			if err := o.check(cmd); err != nil {
				return err
			}
			return runSweep(cmd.Context(), c, o)
		},
	}
	o.define(cmd)
	console.Topic(cmd, `Lists:
  Numbers and ranges with commas between them: 1,2,4 or 1..8 or 100..800:100
  (in steps of 100) or 1..64*2 (doubling). --vary takes one parameter of a --set
  rule and a list: 'ld.global:latency=100..800:100'. Group sizes and unroll
  factors change the graph: build one of each with idgen and name them all.

Rows:
  Launches of more than `+fmt.Sprint(sweep.LargeLaunch)+` warp instructions per compute unit are
  sampled: simulated until their throughput has converged to --precision, and
  extrapolated. Their rows have extrapolated=true, and the estimated error in
  sampling_bound; it is empty where the --budget was spent before that. --full
  simulates every group. A configuration that cannot be simulated, for example
  because its groups do not fit, is a row with an error. The exit status is then
  0, with --strict-rows 1.
  Each row ends in a key, a digest of all that it depends on.

Long sweeps:
  With -o FILE, csv and jsonl rows are written as soon as they are known. After
  an interrupt --resume FILE continues it, with the same arguments. --shard 2/8
  runs the second of eight parts; sort -n, without the header, merges them.`)
	return cmd
}

// define adds the flags, in the order of the help.
func (o *sweepOptions) define(cmd *cobra.Command) {
	console.Renamed(cmd, map[string]string{"groups": unitGroupsFlag})
	s := &o.space
	console.Section(cmd, "Configurations (the cross product is simulated)", func(f *pflag.FlagSet) {
		f.Var(&console.List[string]{Into: &o.gpus, Parse: console.ParseNames, Kind: "LIST",
			Values: append(latencies.Names(), everything)}, "gpu",
			"devices: names (pipesim gpus lists them), device files (.yaml), or all "+
				"(default: the GPU that idgen built each graph for)")
		f.Var(&console.Parsed[concurrencies]{Into: &o.concurrent, Parse: parseConcurrencies, Kind: "LIST"},
			"concurrent",
			"resident groups: numbers (also beyond what the resources allow), max (what they allow), all (1 to max), "+
				"or local: max and what a launch reaches by allocating more local memory (default: local; max if "+
				"another number is varied)")
		f.Var(&console.List[sweep.Vary]{Into: &s.Vary, Parse: one(sweep.ParseVary), Kind: "RULE"}, "vary",
			"a parameter of instructions, as in ld.global@31:latency=100..800:100; repeatable")
		f.Var(&console.List[simulate.Scheduler]{
			Into: &s.Schedulers, Kind: "LIST", Values: append(latencies.SchedulerNames(), everything),
			Parse: choices(latencies.ParseScheduler, latencies.Schedulers()),
		}, "scheduler", strings.Join(latencies.SchedulerNames(), ", ")+", or all")
		f.Var(&console.List[simulate.IssueMode]{
			Into: &s.Issues, Kind: "LIST", Values: append(latencies.IssueModeNames(), everything),
			Parse: choices(latencies.ParseIssueMode, latencies.IssueModes()),
		}, "issue", strings.Join(latencies.IssueModeNames(), ", ")+", or all")
		f.Var(&console.List[latencies.Cycles]{Into: &s.IssueLimits, Parse: parseLimits, Kind: "LIST"}, "issue-limit",
			"warp instructions that a compute unit issues per cycle at most")
		f.Var(&console.List[int64]{Into: &s.Registers, Parse: wholeNumbers(1, maxSmall), Kind: "LIST"}, "registers",
			"registers of a work item")
		f.Var(&console.List[int64]{Into: &s.Groups, Parse: wholeNumbers(1, 1<<62), Kind: "LIST"}, unitGroupsFlag,
			unitGroupsUsage)
	})
	console.Section(cmd, "All configurations", func(f *pflag.FlagSet) {
		f.Var(console.Repeated(&s.Rules, parseRule, "RULE"), "set",
			"replace parameters of instructions (pipesim run --help-all explains rules)")
		f.BoolVar(&s.Warm, "warm", false, warmUsage)
	})
	console.Section(cmd, "Simulation", func(f *pflag.FlagSet) {
		f.BoolVar(&s.Base.Full, "full", false, fullUsage)
		f.Var(&console.Parsed[float64]{Into: &s.Base.Precision, Parse: parsePrecision, Kind: "P"}, "precision",
			"simulate long launches until their throughput has converged to this error, as in 0.5% or 0.005, at most "+
				"to the budget; 0 = always to the budget (default "+simulate.ErrorText(sweep.Precision)+
				", with --full 0)")
		f.Var(&console.Parsed[int64]{Into: &s.Base.Budget, Parse: console.ParseAtLeast(1), Kind: "N"}, "budget",
			fmt.Sprintf("warp instructions to simulate before the rest of a launch is extrapolated (default %d)",
				simulate.DefaultBudget))
		f.Var(&console.Parsed[int64]{Into: &s.Base.MaxEvents, Parse: console.ParseAtLeast(1), Kind: "N"}, "max-events",
			fmt.Sprintf("refuse configurations that need more simulated warp instructions (default %d)",
				simulate.DefaultMaxEvents))
		f.Var(&console.Parsed[int]{Into: &o.jobs, Parse: console.ParseBetween(1, maxJobs), Kind: "N"}, "jobs",
			"configurations to simulate at a time (default: the number of processors)")
		f.Var(&console.Parsed[sweep.Shard]{Into: &o.shard, Parse: sweep.ParseShard, Kind: "I/N"}, "shard",
			"simulate every N-th configuration only, from the I-th on; 1/N to N/N are the whole")
		f.StringVar(&o.resume, "resume", "",
			"continue the rows of `FILE` with the same arguments; begin it if it does not exist")
		f.BoolVar(&o.strict, "strict", false, strictUsage)
		f.BoolVar(&o.strictRows, "strict-rows", false, "exit with status 1 if a row has an error")
	})
	console.Section(cmd, "Report", func(f *pflag.FlagSet) {
		formatFlag(f, &o.format, "text on a terminal, else csv", report.CSV, report.JSONLines, report.Text,
			report.Markdown, report.Chart)
		plotFlag(f, &o.plot, "plot", "the speed-up over the first configuration")
		outputFlag(f, &o.output)
	})
}

// maxJobs bounds --jobs.
const maxJobs = 1024

// check finds flags that do not go together and completes the options.
func (o *sweepOptions) check(cmd *cobra.Command) error {
	if o.jobs == 0 {
		o.jobs = runtime.GOMAXPROCS(0)
	}
	if o.resume != "" {
		switch {
		case !isRows(o.format):
			return console.UsageOf(cmd, "--resume continues csv and jsonl rows, not --format %v", o.format)
		case o.output != "" && filepath.Clean(o.output) != filepath.Clean(o.resume):
			return console.UsageOf(cmd, "--resume %s continues that file; -o %s is another one", o.resume, o.output)
		case o.resume == console.StandardStream:
			return console.UsageOf(cmd, "--resume needs the name of a file")
		}
		o.output = o.resume
	}
	if err := checkPlots(cmd, o.output, plotFile{"--plot", o.plot}); err != nil {
		return err
	}
	standard := 0
	for _, name := range o.inputs {
		if name == console.StandardStream {
			standard++
		}
		if o.output != "" && filepath.Clean(name) == filepath.Clean(o.output) {
			return console.UsageOf(cmd, "%s is a graph of this sweep and cannot be its output", name)
		}
	}
	if standard > 1 {
		return console.UsageOf(cmd, "standard input can be one graph only")
	}
	s := &o.space
	switch given := cmd.Flags().Changed("precision"); {
	case s.Base.Full && s.Base.Precision > 0:
		return console.UsageOf(cmd, "--full simulates every group: it has no --precision")
	case !s.Base.Full && !given:
		s.Base.Precision = sweep.Precision
	}
	if s.Base.Budget == 0 {
		s.Base.Budget = simulate.DefaultBudget // with a precision, too
	}
	s.Concurrent, s.Occupancies = o.concurrent.list, o.concurrent.rule
	numbers := len(s.Vary) + len(s.IssueLimits) + len(s.Registers) + len(s.Groups)
	if numbers == 0 && len(s.Concurrent) == 0 && s.Occupancies == sweep.ListedOccupancies {
		s.Occupancies = sweep.ReachableOccupancies
	}
	return nil
}

// one reads a list of one value.
func one[T any](parse func(string) (T, error)) func(string) ([]T, error) {
	return func(text string) ([]T, error) {
		v, err := parse(text)
		return []T{v}, err
	}
}

// choices reads a list of names, or all.
func choices[T any](parse func(string) (T, error), all []T) func(string) ([]T, error) {
	return func(text string) ([]T, error) {
		if text == everything {
			return all, nil
		}
		names, err := console.ParseNames(text)
		var values []T
		for _, name := range names {
			v, err := parse(name)
			if err != nil {
				return nil, err
			}
			values = append(values, v)
		}
		return values, err
	}
}

func wholeNumbers(least, most int64) func(string) ([]int64, error) {
	return func(text string) ([]int64, error) { return sweep.ParseWhole(text, least, most) }
}

func parseLimits(text string) ([]latencies.Cycles, error) {
	limits, err := sweep.ParseNumbers(text)
	for _, v := range limits {
		if v.IsZero() {
			return nil, errors.New("the limit must be more than 0")
		}
	}
	return limits, err
}

// concurrencies is the value of --concurrent.
type concurrencies struct {
	list []int64 // 0 = what the resources allow
	rule sweep.Occupancies
}

func parseConcurrencies(text string) (c concurrencies, err error) {
	switch text {
	case everything:
		return concurrencies{rule: sweep.EveryOccupancy}, nil
	case "local":
		return concurrencies{rule: sweep.ReachableOccupancies}, nil
	}
	for item := range strings.SplitSeq(text, ",") {
		values := []int64{0}
		if strings.TrimSpace(item) != "max" {
			if values, err = sweep.ParseWhole(item, 1, 1<<30); err != nil {
				return c, err
			}
		}
		c.list = append(c.list, values...)
	}
	return c, nil
}
