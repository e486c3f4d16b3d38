package main

import (
	"runtime"

	"gpupipe/cmd/internal/console"
	"gpupipe/cmd/internal/source"
	"gpupipe/frontend/ast"
	"gpupipe/internal/chart"
	"gpupipe/internal/generate"
	"gpupipe/internal/target"
	"gpupipe/internal/tune"
	"gpupipe/latencies"
	"gpupipe/simulate/sweep"
	"gpupipe/unroll"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"
)

// options is the command line of a space.
type options struct {
	input   string
	builtin string
	kernel  string
	dialect ast.Dialect
	defines []string
	base    generate.Options

	space    string // file
	measured string // FILE or FILE:COLUMN
	params   []tune.Param
	where    []string
	sample   int

	local, grid, global, dynamicLocal, registers string // expressions
	args, unrolls, templates                     []string
	contents                                     []source.Content
	gpus                                         []string
	compilers                                    []unroll.Compiler
	warm                                         bool

	jobs   int
	shard  sweep.Shard
	resume string

	top        int
	format     string
	output     string
	importance bool
	plot       string
	over       []string // the two parameters of the plot
}

// define adds the flags of a ranking, in the order of the help.
func (o *options) define(cmd *cobra.Command) {
	o.defineShared(cmd, func(f *pflag.FlagSet) {
		f.StringVar(&o.space, "space", "", "read the parameters from `FILE`: a table (CSV) with a row for each "+
			"variant, a cache of Kernel Tuner, or a T1 file with conditions, sizes and kernel")
		f.StringArrayVar(&o.where, "where", nil,
			"restrict the space: `EXPRESSION`, as in 'BX * TX <= 1024'; repeatable")
		f.Var(&console.Parsed[int]{Into: &o.sample, Parse: console.ParseBetween(1, tune.MaxVariants), Kind: "N"},
			"sample", "predict N variants drawn at random, always the same ones of a space")
	})
	console.Section(cmd, "Run", func(f *pflag.FlagSet) {
		f.Var(&console.Parsed[int]{Into: &o.jobs, Parse: console.ParseBetween(1, maxJobs), Kind: "N"}, "jobs",
			"variants to predict at a time (default: the number of processors)")
		f.Var(&console.Parsed[sweep.Shard]{Into: &o.shard, Parse: sweep.ParseShard, Kind: "I/N"}, "shard",
			"predict every N-th variant only, from the I-th on; 1/N to N/N are the whole")
		f.StringVar(&o.resume, "resume", "", "keep what is known of each variant in `FILE`: an interrupted run "+
			"continues there, and shards, joined with cat, are taken over")
	})
	console.Section(cmd, "Output", func(f *pflag.FlagSet) {
		f.Var(&console.Parsed[int]{Into: &o.top, Parse: console.ParseBetween(0, 1<<31-1), Kind: "N"}, "top",
			"show the N fastest variants; 0 = all (default 20 in tables, else all). Variants that a bound rules out "+
				"of them are not simulated")
		f.Var(&console.Parsed[string]{Into: &o.format, Parse: parseFormat, Kind: "FORMAT", Values: formats}, "format",
			"text, csv, jsonl, cache (Kernel Tuner's) or t4 (its results) (default text)")
		f.StringVar(&o.measured, "measured", "", "compare with the measured times of `FILE[:COLUMN]`, a table or a "+
			"cache of Kernel Tuner: its columns have the parameters' names, and one of them ends in a unit, as in "+
			"median_ms; without --param and --space its rows are the variants")
		f.BoolVar(&o.importance, "importance", false, "tell what each parameter decides")
		f.StringVar(&o.plot, "plot", "", "draw the fastest times over the parameters of --over to `FILE`.svg or .png")
		f.Var(&console.List[string]{Into: &o.over, Parse: console.ParseNames, Kind: "X,Y"}, "over",
			"the parameter of the horizontal axis of --plot, and that of its curves (default: the two most important)")
		f.StringVarP(&o.output, "output", "o", "", "write to `FILE` instead of standard output")
	})
}

// defineShared adds the flags on a variant, with some more on the space.
func (o *options) defineShared(cmd *cobra.Command, more func(*pflag.FlagSet)) {
	console.Renamed(cmd, map[string]string{"groups": "grid"})
	console.Section(cmd, "Space", func(f *pflag.FlagSet) {
		f.VarP(console.Repeated(&o.params, tune.ParseParam, "NAME=LIST"), "param", "p",
			"a parameter and its values: BX=16,32,64, TX=1..4, N=1..64*2, T=float,double; it is a macro of this name")
		more(f)
	})
	console.Section(cmd, "Launch of a variant (expressions over the parameters)", func(f *pflag.FlagSet) {
		f.StringVar(&o.local, "local", "", "work items of a group: `X,Y,Z`, as in BX,BY")
		f.StringVar(&o.grid, "grid", "", "groups of the launch: `X,Y,Z`, as in 'ceil(4096 / (BX * TX)),1024'; or")
		f.StringVar(&o.global, "global", "", "work items of the launch: `X,Y,Z`")
		f.StringArrayVar(&o.args, "arg", nil, "value of a scalar argument: `NAME=EXPRESSION`")
		f.StringVar(&o.dynamicLocal, "dynamic-local", "", "local (CUDA: shared) memory that the launch gives: `BYTES`")
		f.Var(console.Repeated(&o.contents, source.ParseContent, "NAME=FILE"),
			"contents", "contents of a read-only buffer, as raw little-endian bytes")
	})
	console.Section(cmd, "Source", o.defineSource)
	console.Section(cmd, "Compiler and device", o.defineCompiler)
}

func (o *options) defineSource(f *pflag.FlagSet) {
	f.StringVarP(&o.kernel, "kernel", "k", "", "the kernel to use where the source has several: `NAME`")
	f.StringVar(&o.builtin, "builtin", "", "use the built-in kernel `NAME` instead of a file")
	f.VarP(&console.Parsed[ast.Dialect]{Into: &o.dialect, Parse: source.ParseDialect, Kind: "LANG",
		Values: []string{"opencl", "cuda", "hip"}},
		"language", "x", "opencl, cuda or hip (default: by the file name, else by the text)")
	f.StringArrayVarP(&o.defines, "define", "D", nil, "define a macro for all variants: `NAME[=VALUE]`")
	f.StringArrayVarP(&o.base.Undefs, "undefine", "U", nil, "remove the macro `NAME`")
	f.StringArrayVarP(&o.base.IncludeDirs, "include-dir", "I", nil, "search `DIR` for included files")
	f.StringArrayVar(&o.base.Includes, "include", nil, "include `FILE` before the source")
	f.StringArrayVar(&o.templates, "template", nil, "an argument of a CUDA kernel template: `NAME=EXPRESSION`")
}

func (o *options) defineCompiler(f *pflag.FlagSet) {
	f.Var(&console.List[string]{Into: &o.gpus, Parse: console.ParseNames, Kind: "LIST",
		Values: latencies.Names()}, "gpu",
		"devices: names (pipesim gpus lists them) or device files (.yaml); several are the parameter gpu (default "+
			latencies.Default+")")
	f.Var(&console.List[unroll.Compiler]{Into: &o.compilers, Parse: parseCompilers, Kind: "LIST",
		Values: target.Compilers}, "compiler",
		"compilers: nvcc, clang, none; several are the parameter compiler (default: that of the device)")
	f.StringArrayVar(&o.unrolls, "unroll", nil, "unroll the loops at a location: `LOC=EXPRESSION`")
	f.StringVar(&o.registers, "registers", "", "the most registers of a work item: `EXPRESSION` (nvcc -maxrregcount)")
	f.BoolVar(&o.base.FastMath, "fast-math", false,
		"use the hardware's single-precision functions, as nvcc -use_fast_math does")
	f.BoolVar(&o.warm, "warm", false, "launches follow each other: what they touch is in the caches if it fits")
}

// maxJobs bounds --jobs.
const maxJobs = 1024

// check finds flags that do not go together and completes the options.
func (o *options) check(cmd *cobra.Command, args []string) error {
	if err := o.checkSource(cmd, args); err != nil {
		return err
	}
	switch {
	case o.space != "" && len(o.params) > 0:
		return console.UsageOf(cmd, "--space %s gives the parameters; leave out --param", o.space)
	case len(o.over) > 0 && (len(o.over) != 2 || o.plot == "" || o.over[0] == o.over[1]):
		return console.UsageOf(cmd, "--over takes two parameters and goes with --plot")
	case (o.format == "cache" || o.format == "t4") && len(o.gpus) > 1:
		return console.UsageOf(cmd, "--format %s is of one device; give one --gpu", o.format)
	}
	if _, err := chart.FormOf(o.plot); o.plot != "" && err != nil {
		return console.UsageOf(cmd, "--plot %s: %v", o.plot, err)
	}
	if o.jobs == 0 {
		o.jobs = runtime.GOMAXPROCS(0)
	}
	if o.top == 0 && !cmd.Flags().Changed("top") && o.format == "text" {
		o.top = defaultTop
	}
	return nil
}

func (o *options) checkSource(cmd *cobra.Command, args []string) error {
	switch {
	case len(args) == 0 && o.builtin == "":
		return console.UsageOf(cmd, "no source file is given")
	case len(args) > 1 || len(args) == 1 && o.builtin != "":
		return console.UsageOf(cmd, "one source is read, not %q", args)
	case o.grid != "" && o.global != "":
		return console.UsageOf(cmd, "--grid and --global both say how many work items there are; give one of them")
	case len(args) == 1:
		o.input = args[0]
	}
	return nil
}

// defaultTop is the number of rows of a table: they fit on one screen.
const defaultTop = 20
