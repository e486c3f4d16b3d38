package main

import (
	"fmt"
	"slices"
	"strings"

	"gpupipe/cmd/internal/console"
	"gpupipe/cmd/internal/gpu"
	"gpupipe/cmd/internal/source"
	"gpupipe/frontend/ast"
	"gpupipe/internal/generate"
	"gpupipe/internal/target"
	"gpupipe/kernels"
	"gpupipe/latencies"
	"gpupipe/unroll"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"
)

// mode is what idgen is asked to do.
type mode uint8

// The modes. The zero value is invalid.
const (
	modeGraph        mode = iota + 1 // a graph, or another format of --format
	modeList                         // --list
	modeUnrollReport                 // --unroll-report
	modeUnrollSweep                  // --unroll-sweep
	modeCheckPragmas                 // --check-pragmas
	modeResources                    // --resources
	modeBuiltins                     // --list-builtins
)

// options is the command line.
type options struct {
	mode   mode
	input  string // FILE; empty with --builtin
	output string // -o
	format format
	after  string // --after; "" = all passes

	builtin string
	kernel  string
	all     bool // kernels of the source
	// keepGoing takes a kernel of --all that has no graph for no error.
	keepGoing bool
	dialect   ast.Dialect // 0 = by the file's name
	defines   []string

	generate.Options
	gpu      string
	contents []source.Content

	verbose  bool
	unfolded bool
	nodes    int // of a drawing; 0 = the default
	sweep    unroll.Location
}

// actions are the flags that choose the mode.
type actions struct{ list, unrollReport, unrollSweep, checkPragmas, resources, listBuiltins bool }

func (a *actions) mode() mode {
	switch {
	case a.listBuiltins:
		return modeBuiltins
	case a.list:
		return modeList
	case a.unrollReport:
		return modeUnrollReport
	case a.unrollSweep:
		return modeUnrollSweep
	case a.checkPragmas:
		return modeCheckPragmas
	case a.resources:
		return modeResources
	}
	return modeGraph
}

// newRoot makes the command of one run.
func newRoot(c *console.Console) *cobra.Command {
	o, a := &options{Options: generate.Options{DynamicLocal: -1, FS: source.Files{}}}, &actions{}
	cmd := &cobra.Command{
		Use:   "idgen [flags] [FILE|-]",
		Short: "Write the Instruction Dependence Graph of a GPU kernel",
		Long: `Writes the Instruction Dependence Graph of an OpenCL, CUDA or HIP kernel: the
instructions that its warps execute, and what each of them waits for. pipesim
reads it and predicts the run time.`,
		Example: `  idgen kernel.cl -D BLOCK_SIZE=8 | pipesim
  idgen kernel.cu --gpu rtx3090 | pipesim       for that GPU
  idgen --list kernel.cl                        what the file contains
  idgen -k blur blur.cu --local 16x16 --global 1024x1024 --arg w=1024
  idgen --unroll-report --compiler clang --builtin mmul
  idgen --format stats --builtin nbody
  idgen --resources --gpu a100 --builtin nbody  what ptxas -v would say
  idgen --format asm --gpu a100 --builtin nbody the code with its registers
  idgen --all kernels.cu -o graphs && pipesim diff main graphs`,
		Args: cobra.ArbitraryArgs,
		RunE: func(cmd *cobra.Command, args []string) error {
			o.mode = a.mode()
			if err := o.check(a, args); err != nil {
				return err.WithNote("idgen --help explains the flags")
			}
			return idgen(cmd.Context(), c, o)
		},
	}
	console.Renamed(cmd, map[string]string{"warps": "trace-warps"})
	o.define(cmd, a)
	console.Topic(cmd, launchTopic)
	cmd.AddCommand(newCheck(c))
	cmd.SetFlagErrorFunc(func(cmd *cobra.Command, err error) error {
		if instead := compilerFlag(err); instead != "" {
			return console.Usagef("%v", err).WithNote("%s", instead)
		}
		return console.FlagError(cmd, err)
	})
	return cmd
}

// launchTopic is the help on what launches are taken from.
const launchTopic = `Launch sizes:
  Sizes that no flag gives are taken from, in this order:
  1. the comment above the kernel that begins with idgen:, as in
       // idgen: local=16,16 global=1024,1024 arg.n=1024
  2. in CUDA sources, the first launch of the kernel by host code whose sizes
     follow from constants and --argv, as in k<<<4096, 256>>>(a, 1024), with its
     scalar arguments and dynamic local memory; in a loop, those of its first
     iteration; nothing is taken from a launch where --local, --global, --groups
     or the comment give sizes
  3. reqd_work_group_size
  4. the extents of local arrays subscripted by local ids
  5. an assumption: what __launch_bounds__ allows, or groups of 256, 16x16 or
     8x8x4 work items; and 4096, 64x64 or 16x16x16 groups, several full waves on
     every device.
  An integer argument without a value that a guard compares with a work item's
  place, such as if (i < n), is taken for the number of work items.
  The graph records what was inferred, and pipesim's report lists it under
  Assumed; --verbose prints it to standard error, too.`

// define adds the flags, in the order of the help.
func (o *options) define(cmd *cobra.Command, a *actions) {
	console.Section(cmd, "Source", o.defineSource)
	console.Section(cmd, "Launch (default: what the source says, see Launch sizes below)", o.defineLaunch)
	console.Section(cmd, "Compiler", o.defineCompiler)
	console.Section(cmd, "Unknown values (LOC is LINE, LINE:COLUMN or FILE:LINE)", o.defineUnknown)
	console.Section(cmd, "Output", func(f *pflag.FlagSet) {
		names := formatNames[formatJSON:]
		f.Var(&console.Parsed[format]{Into: &o.format, Parse: parseFormat, Kind: "FORMAT", Values: names}, "format",
			"json, dot, graphml, text, stats, ir (the compiler's intermediate form) or asm (its machine code with "+
				"registers, schedule and source lines) (default json; with --list, --unroll-report and --resources "+
				"text or json, default text)")
		f.Var(&console.Parsed[string]{Into: &o.after, Parse: parseStage, Kind: "PASS", Values: stages()}, "after",
			"with --format ir: the form after this pass; tree is the typed tree and build its SSA "+
				"(default: all passes)")
		f.Var(&console.Parsed[int]{Into: &o.nodes, Parse: console.ParseBetween(1, maxNodes), Kind: "N"}, "nodes",
			"nodes of --format dot at most: instructions of a line and pipeline, and passes of a loop, are drawn "+
				"together (default 60)")
		f.BoolVar(&o.all, "all", false, "write a graph for each kernel of the source, or of the sources in a folder: "+
			"one after the other, or with -o DIR each to a file in that folder")
		f.BoolVar(&o.keepGoing, "keep-going", false, "with --all: exit with status 0 although kernels are left out")
		f.BoolVar(&o.unfolded, "unfolded", false,
			"write every executed instruction to the JSON graph instead of repeating loops")
		f.BoolVar(&a.list, "list", false, "list kernels, arguments, loops and branches instead")
		f.BoolVar(&a.unrollReport, "unroll-report", false,
			"report how the compiler unrolls each loop and by which rule instead")
		f.Var(&console.Parsed[unroll.Location]{Into: &o.sweep, Parse: func(text string) (unroll.Location, error) {
			a.unrollSweep = true
			return unroll.ParseLocation(text)
		}, Kind: "LOC"}, "unroll-sweep", "predict the time with each unroll factor of the loops at a location "+
			"instead: text, json, csv or svg")
		f.BoolVar(&a.checkPragmas, "check-pragmas", false, "say of the unroll pragmas in the sources of a folder, "+
			"given instead of FILE, which are honoured and what they save instead: text, json, "+
			"csv or svg")
		f.BoolVar(&a.resources, "resources", false,
			"report registers, spills and memory that the compiled code takes, "+
				"and the occupancy that they leave on devices, instead")
		f.BoolVar(&a.listBuiltins, "list-builtins", false, "list the built-in kernels instead")
		f.BoolVarP(&o.verbose, "verbose", "v", false, "print everything that was inferred or assumed to standard error")
		f.StringVarP(&o.output, "output", "o", "", "write to `FILE` instead of standard output")
	})
}

func (o *options) defineSource(f *pflag.FlagSet) {
	var builtins []string
	for _, k := range kernels.List() {
		builtins = append(builtins, k.Name)
	}
	f.Var(&console.Parsed[string]{Into: &o.builtin, Parse: asIs, Kind: "NAME", Values: builtins}, "builtin",
		"use the built-in kernel NAME instead of a file")
	o.defineText(f)
	f.StringVarP(&o.kernel, "kernel", "k", "", "the kernel to use where the source has several: `NAME`")
	f.StringArrayVar(&o.Templates, "template", nil,
		"arguments of CUDA kernel templates, `[KERNEL:]NAME=VALUE,...`, as in "+
			"T=float,N=16 (default: as the source launches them, else their defaults, else float, true and 16)")
}

// defineText adds the flags that decide what the text of a source is.
func (o *options) defineText(f *pflag.FlagSet) {
	f.VarP(&console.Parsed[ast.Dialect]{Into: &o.dialect, Parse: source.ParseDialect, Kind: "LANG",
		Values: []string{"opencl", "cuda", "hip"}},
		"language", "x", "opencl, cuda or hip (default: by the file name, .cl or .cu, else by the text)")
	f.StringArrayVarP(&o.defines, "define", "D", nil, "define a macro: `NAME[=VALUE]`")
	f.StringArrayVarP(&o.Undefs, "undefine", "U", nil, "remove the macro `NAME`")
	f.StringArrayVarP(&o.IncludeDirs, "include-dir", "I", nil, "search `DIR` for included files")
	f.StringArrayVar(&o.Includes, "include", nil, "include `FILE` before the source")
}

func (o *options) defineLaunch(f *pflag.FlagSet) {
	f.Var(&console.Parsed[generate.Sizes]{Into: &o.Local, Parse: generate.ParseSizes, Kind: "SIZES"}, "local",
		"work items of a group: 256, 8x8, 8x8x4")
	f.Var(&console.Parsed[generate.Sizes]{Into: &o.Global, Parse: generate.ParseSizes, Kind: "SIZES"}, "global",
		"work items of the launch; or")
	f.Var(&console.Parsed[generate.Sizes]{Into: &o.Groups, Parse: generate.ParseSizes, Kind: "SIZES"}, "groups",
		"groups of the launch")
	f.Var(&console.Parsed[generate.HostLaunch]{Into: &o.HostLaunch, Parse: parseLaunch, Kind: "LOC"}, "launch",
		"use the launch at LINE or FILE:LINE of a CUDA source's host code; none ignores launches (default: the first "+
			"whose sizes are known)")
	f.Var(&console.Parsed[[]string]{Into: &o.CommandLine, Parse: parseCommandLine, Kind: "ARGS"}, "argv",
		"arguments of the program that a CUDA source's main() is run with, which say how it launches kernels: "+
			"'4096 4096 10'")
	f.Var(console.Repeated(&o.Args, generate.ParseArgument, "NAME=VALUE"), "arg",
		"value of a scalar argument, a constant of C: n=1024, mask=0xff, a=0.5f")
	f.Var(console.Repeated(&o.contents, source.ParseContent, "NAME=FILE"), "contents",
		"contents of a read-only buffer, as raw little-endian bytes: subscripts, branches and trip counts loaded "+
			"from it become known")
	f.Var(&console.Parsed[int64]{Into: &o.DynamicLocal, Parse: console.ParseAtLeast(0), Kind: "BYTES"}, "dynamic-local",
		"local (CUDA: shared) memory whose size the launch gives")
	f.Var(&console.Parsed[generate.Registers]{Into: &o.Registers, Parse: parseRegisters, Kind: "N"}, "registers",
		"registers of a work item, which limit the occupancy: a number, estimate (from the live values; the "+
			"default), or none (no limit)")
	f.Var(&console.Parsed[int]{Into: &o.WarpSize, Parse: console.ParseBetween(1, maxWarpSize), Kind: "LANES"},
		"warp-size",
		"lanes of a warp, 1 to 64 (default: the device's, else 32)")
	f.Var(&console.Parsed[string]{Into: &o.gpu, Parse: gpu.ParseName, Kind: "NAME", Values: latencies.Names()}, "gpu",
		"build the graph for the device NAME (pipesim gpus lists them) or a device file (.yaml): its warp size, "+
			"compiler, barriers, registers and memory sectors, macros such as __CUDA_ARCH__ and __gfx90a__ (-D "+
			"overrides them); pipesim predicts for it, too (default "+latencies.Default+")")
	f.Var(&console.Parsed[generate.Warps]{Into: &o.Warps, Parse: parseWarps, Kind: "WARPS",
		Values: []string{"all", "first"}}, "trace-warps",
		"warps of a group to trace: all, first, or a list such as 0,2,5-7 (default all)")
	f.Var(&console.Parsed[unroll.KindChoice]{
		Into: &o.Kinds, Parse: parseKinds, Kind: "GROUPS", Values: []string{"auto", "middle", "edges", "sampled"},
	}, "group-kinds", "groups to trace: middle; edges: also the first and last of each dimension, where they differ; "+
		"sampled: 32 spread over the launch; auto: sampled where two of these differ from the middle one, else "+
		"those edges that change the launch by 1% (default auto)")
	f.Var(&console.Parsed[unroll.LocalityChoice]{
		Into: &o.Locality, Parse: unroll.ParseLocality, Kind: "SCOPE", Values: []string{"none", "group", "launch"},
	}, "locality", "find earlier accesses to the same memory: none, group (by the same group) or launch (also by "+
		"earlier groups) (default launch, for the formats json and stats)")
}

// asIs reads a name.
func asIs(text string) (string, error) { return text, nil }

// parseCompiler reads a compiler and keeps its version.
func (o *options) parseCompiler(text string) (c unroll.Compiler, err error) {
	c, o.Version, err = target.ParseVersion(text)
	return c, err
}

func (o *options) defineCompiler(f *pflag.FlagSet) {
	f.VarP(&console.Parsed[unroll.Level]{Into: &o.Level, Parse: parseLevel, Kind: "LEVEL",
		Values: []string{"0", "2", "3"}}, "optimize", "O",
		"-O0: every source operation is an instruction; -O2: optimised code; -O3: -O2 with the larger unroll factors "+
			"of clang -O3 for PTX (default 2, as clang's for OpenCL)")
	f.Var(&console.Parsed[unroll.Compiler]{Into: &o.Compiler, Parse: o.parseCompiler, Kind: "NAME",
		Values: slices.Concat(target.Compilers, target.Versions)},
		"compiler", "compile as this compiler does: nvcc, clang or none, or a version: "+
			strings.Join(target.Versions, ", ")+" (default: that of --gpu, else nvcc, in the version whose code for "+
			"the device is known best)")
	f.Var(console.Repeated(&o.Unrolls, parseUnroll, "LOC=N"), "unroll",
		"unroll the loops at a location by N (1: keep them rolled)")
	f.Var(&console.Parsed[unroll.BarrierWait]{Into: &o.Barrier, Parse: target.ParseBarrierWait, Kind: "WAIT",
		Values: target.BarrierWaits},
		"barrier", "a barrier waits until earlier instructions of its warp have issued or completed: issue "+
			"or complete (default: complete with -O0, else that of --gpu, else issue)")
	f.BoolVar(&o.FastMath, "fast-math", false,
		"use the hardware's single-precision functions, as nvcc -use_fast_math and -cl-fast-relaxed-math do")
}

func (o *options) defineUnknown(f *pflag.FlagSet) {
	f.Var(console.Repeated(&o.Trips, parseTrip, "LOC=N"), "trip",
		"trip count of the loops at a location")
	f.Var(&console.Parsed[int64]{Into: &o.AssumeTrips, Parse: console.ParseAtLeast(1), Kind: "N"}, "assume-trip",
		"trip count of loops about which nothing is known (default 16)")
	f.Var(console.Repeated(&o.Branches, parseBranch, "LOC=SIDE"), "branch",
		"side of the branches at a location: taken, not-taken or both")
	f.BoolVar(&o.Strict, "strict", false, "fail where something would have to be assumed")
	f.Var(&console.Parsed[int]{Into: &o.MaxInstructions, Parse: console.ParseBetween(1, maxMaxInstructions), Kind: "N"},
		"max-instructions",
		fmt.Sprintf("refuse warps of more instructions, without proven repetitions of loops (default %d)",
			unroll.DefaultMaxInstructions))
}
