package main

import (
	"errors"
	"fmt"
	"path/filepath"
	"runtime"
	"strconv"
	"strings"

	"gpupipe/cmd/internal/console"
	"gpupipe/latencies"
	"gpupipe/simulate"
	"gpupipe/simulate/sweep"

	"github.com/spf13/cobra"
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
	strictRows bool

	format sweepFormat
	output string
	plot   string
}

// everything is the list of all values of a flag.
const everything = "all"

// sweepFormat is a form of a sweep's results.
type sweepFormat uint8

// The formats. The zero value is invalid.
const (
	sweepCSV sweepFormat = iota + 1
	sweepJSONLines
	sweepText
	sweepChart
)

var sweepFormatNames = [...]string{sweepCSV: "csv", sweepJSONLines: "jsonl", sweepText: "text", sweepChart: "chart"}

func (f sweepFormat) String() string {
	if f != 0 && int(f) < len(sweepFormatNames) {
		return sweepFormatNames[f]
	}
	return "invalid format"
}

func parseSweepFormat(text string) (sweepFormat, error) {
	for f := sweepCSV; f <= sweepChart; f++ {
		if sweepFormatNames[f] == text {
			return f, nil
		}
	}
	return 0, fmt.Errorf("the formats are %s", strings.Join(sweepFormatNames[sweepCSV:], ", "))
}

// isRows reports whether results are written one by one.
func (f sweepFormat) isRows() bool { return f == sweepCSV || f == sweepJSONLines }

// rows is the library's name of the format.
func (f sweepFormat) rows() sweep.Format {
	if f == sweepJSONLines {
		return sweep.JSONLines
	}
	return sweep.CSV
}

func newSweep(c *console.Console) *cobra.Command {
	o := &sweepOptions{}
	cmd := &cobra.Command{
		Use:   "sweep [flags] [IDG...|-]",
		Short: "Simulate many configurations: occupancies, devices, parameters, graphs",
		Long: `Simulates the cross product of everything that is listed, on all processors, and
writes one row for each configuration, in the same order however many run at a
time. Unless another number is varied it varies the occupancy: one row for each
number of resident groups that a launch reaches by allocating local memory.

Lists are numbers and ranges with commas between them: 1,2,4 or 1..8 or
100..800:100 (in steps of 100) or 1..64*2 (doubling). --vary takes one parameter
of a --set rule and a list: 'ld.global:latency=100..800:100'. Group sizes and
unroll factors are other graphs: make one of each with idgen and name them all.

Launches of more than ` + fmt.Sprint(sweep.LargeLaunch) + ` warp instructions on a compute
unit are sampled: simulated until their throughput has converged to
--precision and extrapolated from there. Rows say so: extrapolated is true, and
sampling_bound is the estimated error. A row that is extrapolated without a bound
had not converged when the --budget was spent; --full simulates every group.

A configuration that cannot be simulated, for example because its groups do not
fit, is a row with an error, and the sweep goes on; its exit status is 0, with
--strict-rows 1. Every row ends in a key, a digest of all that it depends on.

With -o FILE, csv and jsonl rows are in the file as soon as they are known. After
an interrupt --resume FILE continues it, with the same arguments. --shard 2/8 does
the second of eight parts: sort -n, without the header, puts parts together.`,
		Example: `  idgen kernel.cl | pipesim sweep --format chart
  pipesim sweep *.json --gpu gtx480,gtx1060,rtx2070 -o results.csv
  pipesim sweep *.json --gpu all --resume results.csv
  pipesim sweep mmul.json --vary 'ld.global:latency=100..800:100' --format text
  pipesim sweep mmul.json --scheduler all --issue all --concurrent 1..32*2
  pipesim sweep *.json --plot roofline.svg -o results.csv
  pipesim sweep *.json --shard $I/16 -o part$I.csv       job I of 16`,
		Args:          cobra.ArbitraryArgs,
		SilenceErrors: true, SilenceUsage: true,
		RunE: func(cmd *cobra.Command, args []string) error {
			o.inputs = args
			if len(args) == 0 {
				o.inputs = []string{console.StandardStream}
			}
			if err := o.check(cmd); err != nil {
				return err
			}
			return runSweep(cmd.Context(), c, o)
		},
	}
	o.define(cmd)
	return cmd
}

// define adds the flags, in the order of the help.
func (o *sweepOptions) define(cmd *cobra.Command) {
	f := cmd.Flags()
	f.SortFlags = false
	s := &o.space
	f.Var(&list[string]{into: &o.gpus, parse: parseNames, kind: "LIST"}, "gpu", "devices: names (see pipesim gpus), device files (.yaml), or all (default: that of idgen's --gpu, else "+latencies.Default+")")
	f.Var(&console.Parsed[concurrencies]{Into: &o.concurrent, Parse: parseConcurrencies, Kind: "LIST"}, "concurrent", "resident groups: numbers (also beyond what the resources allow), max (what they allow), all from 1 to max, or local: max and what a launch reaches by allocating more local memory (default: local, but max if another number is varied)")
	f.Var(&list[sweep.Vary]{into: &s.Vary, parse: one(sweep.ParseVary), kind: "RULE"}, "vary", "a parameter of instructions, as in ld.global@31:latency=100..800:100; may be given several times")
	f.Var(&list[simulate.Scheduler]{into: &s.Schedulers, parse: choices(simulate.ParseScheduler, simulate.RoundRobin, simulate.GreedyThenOldest, simulate.GreedyThenYoungest, simulate.Oldest, simulate.GroupPrecedence), kind: "LIST"}, "scheduler", "rr, gto, gty, oldest, group, or all")
	f.Var(&list[simulate.IssueMode]{into: &s.Issues, parse: choices(simulate.ParseIssueMode, simulate.Dataflow, simulate.InOrder, simulate.Blocks), kind: "LIST"}, "issue", "dataflow, in-order, blocks, or all")
	f.Var(&list[latencies.Cycles]{into: &s.IssueLimits, parse: parseLimits, kind: "LIST"}, "issue-limit", "warp instructions that a compute unit can issue per cycle")
	f.Var(&list[int64]{into: &s.Registers, parse: wholeNumbers(1, maxSmall), kind: "LIST"}, "registers", "registers of a work item")
	f.Var(&list[int64]{into: &s.Groups, parse: wholeNumbers(1, 1<<62), kind: "LIST"}, "groups", "groups that the compute unit runs (default: its share of the launch)")
	f.Var(&console.Repeated[latencies.Rule]{Into: &s.Rules, Parse: parseRule, Kind: "RULE"}, "set", "replace parameters in all configurations, as in pipesim run")
	f.BoolVar(&s.Warm, "warm", false, warmUsage)
	f.BoolVar(&s.Base.Full, "full", false, "simulate every group; otherwise long launches are extrapolated from their steady state")
	f.Var(&console.Parsed[float64]{Into: &s.Base.Precision, Parse: parsePrecision, Kind: "P"}, "precision", "simulate long launches until their throughput has converged to this error, as in 0.5% or 0.005, at most to the budget; 0 = always to the budget (default "+simulate.ErrorText(sweepPrecision)+", with --full 0)")
	f.Var(&console.Parsed[int64]{Into: &s.Base.Budget, Parse: console.ParseAtLeast(1), Kind: "N"}, "budget", fmt.Sprintf("warp instructions to simulate before the rest of a launch is extrapolated (default %d)", simulate.DefaultBudget))
	f.Var(&console.Parsed[int64]{Into: &s.Base.MaxEvents, Parse: console.ParseAtLeast(1), Kind: "N"}, "max-events", fmt.Sprintf("refuse configurations that need more simulated warp instructions (default %d)", simulate.DefaultMaxEvents))
	f.Var(&console.Parsed[int]{Into: &o.jobs, Parse: console.ParseBetween(1, maxJobs), Kind: "N"}, "jobs", "configurations to simulate at a time (default: the number of processors)")
	f.Var(&console.Parsed[sweep.Shard]{Into: &o.shard, Parse: parseShard, Kind: "I/N"}, "shard", "only every N-th configuration, from the I-th on: 1/N to N/N are the whole")
	f.StringVar(&o.resume, "resume", "", "continue the rows of `FILE` with the same arguments; begin it if there is none")
	f.BoolVar(&o.strictRows, "strict-rows", false, "exit with status 1 if a row has an error")
	f.Var(&console.Parsed[sweepFormat]{Into: &o.format, Parse: parseSweepFormat, Kind: "FORMAT"}, "format", "csv, jsonl (an object a line), text or chart (default csv)")
	f.StringVar(&o.plot, "plot", "", "draw occupancy rooflines to `FILE`.svg or .png, too")
	f.StringVarP(&o.output, "output", "o", "", "write to `FILE` instead of standard output")
}

// sweepPrecision is the default of --precision in sweeps: rows are compared with
// each other, mostly at differences of percents.
const sweepPrecision = 0.005

// maxJobs bounds --jobs.
const maxJobs = 1024

// check finds flags that do not go together and completes the options.
func (o *sweepOptions) check(cmd *cobra.Command) error {
	if o.format == 0 {
		o.format = sweepCSV
	}
	if o.jobs == 0 {
		o.jobs = runtime.GOMAXPROCS(0)
	}
	if o.resume != "" {
		switch {
		case !o.format.isRows():
			return usage(cmd, "--resume continues csv and jsonl rows, not --format %v", o.format)
		case o.output != "" && filepath.Clean(o.output) != filepath.Clean(o.resume):
			return usage(cmd, "--resume %s continues that file; -o %s is another one", o.resume, o.output)
		case o.resume == console.StandardStream:
			return usage(cmd, "--resume needs the name of a file")
		}
		o.output = o.resume
	}
	if o.plot != "" {
		if _, err := drawingForm(o.plot); err != nil {
			return usage(cmd, "--plot %s: %v", o.plot, err)
		}
		if o.output != "" && filepath.Clean(o.output) == filepath.Clean(o.plot) {
			return usage(cmd, "-o and --plot name the same file %s", o.plot)
		}
	}
	standard := 0
	for _, name := range o.inputs {
		if name == console.StandardStream {
			standard++
		}
		if o.output != "" && filepath.Clean(name) == filepath.Clean(o.output) {
			return usage(cmd, "%s is a graph of this sweep and cannot be its output", name)
		}
	}
	if standard > 1 {
		return usage(cmd, "standard input can be one graph only")
	}
	s := &o.space
	switch given := cmd.Flags().Changed("precision"); {
	case s.Base.Full && s.Base.Precision > 0:
		return usage(cmd, "--full simulates every group: it has no --precision")
	case !s.Base.Full && !given:
		s.Base.Precision = sweepPrecision
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

// list is a flag that takes several values at once and may be given several
// times.
type list[T any] struct {
	into  *[]T
	parse func(string) ([]T, error)
	kind  string // what the help calls the value
}

// Set reads more values of the flag.
func (l *list[T]) Set(text string) error {
	values, err := l.parse(text)
	if err == nil {
		*l.into = append(*l.into, values...)
	}
	return err
}

func (l *list[T]) String() string { return "" }

// Type is what the help calls a value.
func (l *list[T]) Type() string { return l.kind }

// one reads a list of one value.
func one[T any](parse func(string) (T, error)) func(string) ([]T, error) {
	return func(text string) ([]T, error) {
		v, err := parse(text)
		return []T{v}, err
	}
}

func parseNames(text string) ([]string, error) {
	var names []string
	for name := range strings.SplitSeq(text, ",") {
		if name = strings.TrimSpace(name); name == "" {
			return nil, errors.New("a name in the list is empty")
		}
		names = append(names, name)
	}
	return names, nil
}

// choices reads a list of names, or all.
func choices[T any](parse func(string) (T, error), all ...T) func(string) ([]T, error) {
	return func(text string) ([]T, error) {
		if text == everything {
			return all, nil
		}
		names, err := parseNames(text)
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

func parseShard(text string) (sweep.Shard, error) {
	i, n, ok := strings.Cut(text, "/")
	index, err1 := strconv.Atoi(i)
	of, err2 := strconv.Atoi(n)
	if !ok || err1 != nil || err2 != nil || index < 1 || of < index {
		return sweep.Shard{}, errors.New("write I/N with 1 ≤ I ≤ N, as in 2/8")
	}
	return sweep.Shard{Index: index, Of: of}, nil
}
