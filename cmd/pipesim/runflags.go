package main

import (
	"errors"
	"fmt"
	"math"
	"strconv"
	"strings"

	"gpupipe/cmd/internal/console"
	"gpupipe/internal/diag"
	"gpupipe/internal/report"
	"gpupipe/latencies"
	"gpupipe/simulate"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"
)

// runOptions is the command line of a prediction.
type runOptions struct {
	input  string
	output string
	format report.Format

	kernelOptions

	critical bool
	find     bool // look for what to change
	cycles   span // of the profile
	view     report.View
}

// defaultTop is the number of source lines in a report: with the rest of the report they fit on one screen.
const defaultTop = 8

// defaultFindings is the number of findings in a report.
const defaultFindings = 5

// rulesTopic explains --set.
const rulesTopic = `Rules (--set):
  SELECTOR:PARAMETER=VALUE,... replaces parameters of instructions. A selector
  is NAME(BUFFER)@FILE:LINE; each part is optional. NAME is an op (fma.f32), its
  beginning (ld), a class (fp32, int) or an address space (local). Parameters:
    cpi, latency     in cycles
    subsystem        the name of the pipeline that issues the instruction
    addresses        of accesses whose addresses the graph does not know, as in
                     x[col[i]]: coalesced (the default for global and local
                     memory), scattered (each lane elsewhere) or same (all
                     lanes at one address)
    within           bytes of the buffer that these accesses can reach
    R                bytes moved from or to device memory divided by the bytes
                     that the lanes request; below 1, L2 supplies the rest
    D                degree of bank conflicts in local and constant memory; 0
                     means none
    issue, reissue   issue slots of an instruction (0: issued together with
                     another), and of each further pass of its access
  Profilers report R and D; CPI and latency follow from them. --explain shows
  them as found.`

func newRun(c *console.Console) *cobra.Command {
	o := &runOptions{format: report.Text, view: report.View{Top: defaultTop, Findings: defaultFindings}}
	cmd := &cobra.Command{
		Use:   "run [flags] [IDG|-]",
		Short: "Predict the run time of a kernel (the default command)",
		Long: `Predicts how a GPU executes a kernel: reads its Instruction Dependence Graph, as
idgen writes it, from a file or standard input, simulates the pipelines of one
compute unit, and reports the time, what limits it, and the costliest lines.`,
		Example: `  idgen kernel.cl -D BLOCK_SIZE=8 | pipesim
  idgen --gpu rtx3090 kernel.cu | pipesim
  idgen --builtin mmul | pipesim --set 'ld.global@31:cpi=20,latency=162'
  idgen --builtin mmul | pipesim --set 'ld.global@31:R=1/128'
  idgen spmv.cl | pipesim --set 'global(x):addresses=coalesced'
  idgen --builtin reduction -o graph.json && pipesim graph.json --format json
  idgen --builtin fig1 --groups 1 | pipesim --unit-groups 1 --profile
  idgen --builtin mmul | pipesim --profile --format svg -o profile.svg
  pipesim gpus`,
		Args: console.AtMostOne("graph"),
		RunE: func(cmd *cobra.Command, args []string) error {
			o.input = inputOf(args)
			if err := o.check(cmd); err != nil {
				return err
			}
			return o.run(cmd.Context(), c)
		},
	}
	o.define(cmd)
	console.Topic(cmd, rulesTopic)
	return cmd
}

// define adds the flags, in the order of the help.
func (o *runOptions) define(cmd *cobra.Command) {
	o.defineSimulation(cmd)
	o.defineReport(cmd)
}

// defineSimulation adds the flags on how a graph is simulated.
func (o *runOptions) defineSimulation(cmd *cobra.Command) {
	o.kernelOptions.define(cmd)
	console.Section(cmd, "Execution", func(f *pflag.FlagSet) {
		o.defineConcurrent(f)
		f.BoolVar(&o.config.NoContention, "no-contention", false, "keep the idle latency of device memory under load")
	})
	console.Section(cmd, "Simulation", func(f *pflag.FlagSet) {
		f.Var(&console.Parsed[float64]{Into: &o.config.Precision, Parse: parsePrecision, Kind: "P"}, "precision",
			"simulate a long launch until its throughput has converged to this error, as in 0.5% or 0.005, and "+
				"print the bound; 0, the default: a fixed number of instructions")
		f.Var(&console.Parsed[int64]{Into: &o.config.MaxEvents, Parse: console.ParseAtLeast(1), Kind: "N"},
			"max-events",
			fmt.Sprintf("refuse to simulate more warp instructions (default %d)", simulate.DefaultMaxEvents))
	})
}

// defineReport adds the flags on what is reported.
func (o *runOptions) defineReport(cmd *cobra.Command) {
	console.Section(cmd, "Report", func(f *pflag.FlagSet) {
		f.BoolVar(&o.view.Explain, "explain", false, "list the parameters of every instruction and their sources")
		f.BoolVar(&o.critical, "critical", false,
			"list the critical sequence of an average warp: each instruction, and what it waits for")
		f.BoolVarP(&o.view.Verbose, "verbose", "v", false, "list every assumption with its place, and all source lines")
		f.Var(&console.Parsed[int]{Into: &o.view.Top, Parse: console.ParseBetween(0, math.MaxInt32), Kind: "N"}, "top",
			fmt.Sprintf("show the N costliest source lines; 0 = all (default %d)", defaultTop))
		f.Var(&console.Parsed[int]{Into: &o.view.Findings, Parse: console.ParseBetween(0, math.MaxInt32), Kind: "N"},
			"findings",
			fmt.Sprintf("show at most N findings of what to change, each simulated; 0 = none (default %d; pipesim "+
				"advise lists all)", defaultFindings))
		f.BoolVar(&o.config.Profile, "profile", false, "draw the execution: which warp issues what when")
		f.Var(&console.Parsed[span]{Into: &o.cycles, Parse: parseSpan, Kind: "FROM:TO"}, "profile-cycles",
			"cycles to draw (default: from the start)")
		f.Var(&console.Parsed[int]{Into: &o.view.Profile.Width, Parse: console.ParseBetween(1, maxSmall), Kind: "N"},
			"profile-width",
			"columns of the time axis (default 64)")
		f.Var(&console.Parsed[int]{Into: &o.view.Profile.MaxWarps, Parse: console.ParseBetween(1, maxSmall), Kind: "N"},
			"profile-warps",
			"warps to draw (default 32)")
		formatFlag(f, &o.format, "text", report.Text, report.JSON, report.CSV, report.Markdown, report.Pprof,
			report.Trace, report.SVG)
		outputFlag(f, &o.output)
	})
}

// check finds flags that contradict each other.
func (o *runOptions) check(cmd *cobra.Command) error {
	if o.config.Full && o.config.Precision > 0 {
		return console.UsageOf(cmd, "--full simulates every group: it has no --precision")
	}
	switch drawn := o.format == report.Text || o.format == report.Markdown || o.format == report.SVG; {
	case o.config.Profile && !drawn:
		return console.UsageOf(cmd, "--profile is a drawing: use --format text, markdown or svg, or --format trace "+
			"without it")
	case o.format == report.SVG && !o.config.Profile:
		return console.UsageOf(cmd, "--format svg draws the execution: add --profile")
	}
	if (o.view.Explain || o.critical) && !o.isReport() {
		return console.UsageOf(cmd, "--explain and --critical have no form in --format %v", o.format)
	}
	o.view.Draw = o.config.Profile
	o.config.Profile = o.config.Profile || o.critical || o.format == report.Trace
	for _, name := range []string{"profile-cycles", "profile-width", "profile-warps"} {
		if cmd.Flags().Changed(name) && !o.config.Profile {
			return console.UsageOf(cmd, "--%s goes with --profile", name)
		}
	}
	if o.view.Verbose && !cmd.Flags().Changed("top") {
		o.view.Top = 0
	}
	o.find = o.view.Findings > 0 && (o.format == report.Text || o.format == report.Markdown)
	o.view.Profile.From, o.view.Profile.To = o.cycles.from, o.cycles.to
	return nil
}

// isReport reports whether the product is the whole report.
func (o *runOptions) isReport() bool {
	return o.format == report.Text || o.format == report.Markdown || o.format == report.JSON
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
