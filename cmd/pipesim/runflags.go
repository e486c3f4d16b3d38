package main

import (
	"errors"
	"fmt"
	"math"
	"strconv"
	"strings"

	"gpupipe/cmd/internal/console"
	"gpupipe/internal/diag"
	"gpupipe/latencies"
	"gpupipe/simulate"

	"github.com/spf13/cobra"
)

// runOptions is the command line of a prediction.
type runOptions struct {
	input  string
	output string
	format format

	deviceOptions
	config simulate.Config
	warm   bool // latencies.Options

	explain bool
	profile simulate.ProfileOptions
	cycles  span
	top     int
}

// warmUsage explains --warm, of every command that simulates.
const warmUsage = "the launch is one of several in a row: what it touches is in L2 or L3 (Infinity Cache) when it begins, if it fits"

// defaultTop is the number of source lines in a report: with the rest of the
// report they fit on one screen.
const defaultTop = 8

func newRun(c *console.Console) *cobra.Command {
	o := &runOptions{}
	cmd := &cobra.Command{
		Use:   "run [flags] [IDG|-]",
		Short: "Predict the run time of a kernel (the default command)",
		Long: `Predicts how a GPU executes a kernel: reads the kernel's Instruction Dependence
Graph, as idgen writes it, from a file or standard input, simulates the pipelines
of one compute unit, and reports the time, what bounds it, and where it goes.

Rules (--set) have the form
SELECTOR:cpi=N,latency=N,subsystem=NAME,addresses=KIND,R=N,D=N,issue=N,reissue=N,
where one of the parameters is enough. A selector is NAME(BUFFER)@FILE:LINE; each
part may be left out. NAME is an op (fma.f32), the beginning of one (ld), a class
(fp32, int) or an address space (local). KIND says what accesses touch at addresses
that the graph does not know, as x[col[i]] does: coalesced (what is assumed for
global and local memory), scattered (each lane somewhere else, by chance) or same
(all lanes at one place).

R is the ratio of the bytes that an access moves from or to device memory to those
that its lanes request (below 1: L2 has the rest), D the conflict degree in local
and constant memory (0: none), as profilers tell them: CPI and latency follow from
them. --explain shows R and D as they are found. issue is how many issue slots an
instruction takes (0: issued together with another), reissue how many each further
pass of its access takes.`,
		Example: `  idgen kernel.cl -D BLOCK_SIZE=8 | pipesim
  idgen --gpu rtx3090 kernel.cu | pipesim
  idgen --builtin mmul | pipesim --gpu c2050 --set 'ld.global@31:cpi=20,latency=162'
  idgen --builtin mmul | pipesim --set 'ld.global@31:R=1/128' --set 'local@36:D=1'
  idgen spmv.cl | pipesim --set 'global(x):addresses=scattered'
  idgen --builtin reduction -o graph.json && pipesim graph.json --format json
  idgen --builtin fig1 --groups 1 | pipesim --groups 1 --profile
  pipesim gpus`,
		Args:          atMostOne("graph"),
		SilenceErrors: true, SilenceUsage: true,
		RunE: func(cmd *cobra.Command, args []string) error {
			o.input = console.StandardStream
			if len(args) == 1 {
				o.input = args[0]
			}
			if err := o.check(cmd); err != nil {
				return err
			}
			return predict(cmd.Context(), c, o)
		},
	}
	o.define(cmd)
	return cmd
}

// define adds the flags, in the order of the help.
func (o *runOptions) define(cmd *cobra.Command) {
	f := cmd.Flags()
	f.SortFlags = false
	o.defineGPU(f)
	f.Var(&console.Repeated[latencies.Rule]{Into: &o.rules, Parse: parseRule, Kind: "RULE"}, "set", "replace the parameters of instructions, as in ld.global@31:cpi=20,latency=162 (see Rules above)")
	f.Var(&console.Parsed[int64]{Into: &o.config.Groups, Parse: console.ParseAtLeast(1), Kind: "N"}, "groups", "groups that the compute unit runs (default: its share of the launch)")
	f.Var(&console.Parsed[int64]{Into: &o.config.Concurrent, Parse: console.ParseAtLeast(1), Kind: "M"}, "concurrent", "groups that it holds at once (default: what its resources allow; more is possible, and says what more room would bring)")
	f.Var(&console.Parsed[int]{Into: &o.config.Registers, Parse: console.ParseBetween(1, maxSmall), Kind: "N"}, "registers", "registers of a work item, as the compiler reports them (default: the graph's; else they limit nothing)")
	f.Var(&console.Parsed[simulate.Scheduler]{Into: &o.config.Scheduler, Parse: simulate.ParseScheduler, Kind: "NAME"}, "scheduler", "rr (round robin), gto (greedy, then oldest), gty (greedy, then youngest), oldest or group (oldest group first) (default: the device's, else rr)")
	f.Var(&console.Parsed[simulate.IssueMode]{Into: &o.config.Issue, Parse: simulate.ParseIssueMode, Kind: "MODE"}, "issue", "dataflow: any ready instruction of a warp may issue; in-order: only its next one; blocks: any ready one of its basic block, blocks in order (default: the device's, else dataflow)")
	f.Var(&console.Parsed[latencies.Cycles]{Into: &o.config.IssueLimit, Parse: parseLimit, Kind: "X"}, "issue-limit", "warp instructions that a compute unit can issue per cycle (default: the device's)")
	f.BoolVar(&o.config.NoContention, "no-contention", false, "keep the latency of device memory that of an idle memory, also where the device tells what load makes of it")
	f.BoolVar(&o.warm, "warm", false, warmUsage)
	f.BoolVar(&o.config.Full, "full", false, "simulate every group; otherwise long launches are extrapolated from their steady state")
	f.Var(&console.Parsed[float64]{Into: &o.config.Precision, Parse: parsePrecision, Kind: "P"}, "precision", "simulate a long launch, and above 2% a long loop, until its throughput has converged to this error, as in 0.5% or 0.005, and print the bound; 0, the default: a fixed number of instructions, and loops in full")
	f.Var(&console.Parsed[int64]{Into: &o.config.MaxEvents, Parse: console.ParseAtLeast(1), Kind: "N"}, "max-events", fmt.Sprintf("refuse to simulate more warp instructions (default %d)", simulate.DefaultMaxEvents))
	f.BoolVar(&o.explain, "explain", false, "list the parameters of every instruction and where they come from")
	f.BoolVar(&o.config.Profile, "profile", false, "draw the execution: which warp issues what when")
	f.Var(&console.Parsed[span]{Into: &o.cycles, Parse: parseSpan, Kind: "FROM:TO"}, "profile-cycles", "the cycles to draw (default: from the start)")
	f.Var(&console.Parsed[int]{Into: &o.profile.Width, Parse: console.ParseBetween(1, maxSmall), Kind: "N"}, "profile-width", "columns to draw the time in (default 100)")
	f.Var(&console.Parsed[int]{Into: &o.profile.MaxWarps, Parse: console.ParseBetween(1, maxSmall), Kind: "N"}, "profile-warps", "warps to draw (default 32)")
	f.Var(&console.Parsed[format]{Into: &o.format, Parse: parseFormat, Kind: "FORMAT"}, "format", "text, json, csv or markdown (default text)")
	o.top = defaultTop
	f.Var(&console.Parsed[int]{Into: &o.top, Parse: console.ParseBetween(0, math.MaxInt32), Kind: "N"}, "top", fmt.Sprintf("source lines in the report: the N costliest; 0 = all (default %d)", defaultTop))
	f.StringVarP(&o.output, "output", "o", "", "write to `FILE` instead of standard output")
}

// check finds flags that do not go together.
func (o *runOptions) check(cmd *cobra.Command) error {
	if o.format == 0 {
		o.format = formatText
	}
	if o.config.Full && o.config.Precision > 0 {
		return usage(cmd, "--full simulates every group: it has no --precision")
	}
	if o.config.Profile && (o.format == formatJSON || o.format == formatCSV) {
		return usage(cmd, "--profile is a drawing: use --format text or markdown")
	}
	if o.explain && o.format == formatCSV {
		return usage(cmd, "--explain has no form in --format csv")
	}
	for _, name := range []string{"profile-cycles", "profile-width", "profile-warps"} {
		if cmd.Flags().Changed(name) && !o.config.Profile {
			return usage(cmd, "--%s goes with --profile", name)
		}
	}
	o.profile.From, o.profile.To = o.cycles.from, o.cycles.to
	return nil
}

// span is a part of a run, in cycles.
type span struct{ from, to int64 }

// parseSpan reads "100:500", "100:" or ":500".
func parseSpan(text string) (s span, err error) {
	from, to, ok := strings.Cut(text, ":")
	bad := errors.New("write FROM:TO, in cycles")
	if !ok {
		return s, bad
	}
	if from != "" {
		if s.from, err = strconv.ParseInt(from, 10, 64); err != nil || s.from < 0 {
			return s, bad
		}
	}
	if to != "" {
		if s.to, err = strconv.ParseInt(to, 10, 64); err != nil || s.to <= s.from {
			return s, bad
		}
	}
	return s, nil
}

// parseRule reads a --set rule. The message of its errors stands behind pflag's,
// which quotes the rule already.
func parseRule(text string) (latencies.Rule, error) {
	r, err := latencies.ParseRule(text)
	var e *diag.Error
	if errors.As(err, &e) {
		err = errors.New(strings.TrimPrefix(e.Message, fmt.Sprintf("%q: ", text)))
	}
	return r, err
}

// maxSmall bounds numbers that are widths or registers.
const maxSmall = 1 << 16

func parseLimit(text string) (latencies.Cycles, error) {
	c, err := latencies.ParseCycles(text)
	if err == nil && c.IsZero() {
		err = errors.New("the limit must be more than 0")
	}
	return c, err
}
